"""llama.cpp's own server in a process: `python llama_server.py GGUF CONTEXT SLOTS [PORT]` prints its URL.

The package xllamacpp has the server of llama.cpp; docs/servers.md has the same lines.
"""

import os
import sys
import threading
import time

from xllamacpp import CommonParams, Server  # type: ignore[import-not-found,unused-ignore]

params = CommonParams()
params.model.path = sys.argv[1]
params.n_ctx, params.n_parallel = int(sys.argv[2]), int(sys.argv[3])
params.port = int(sys.argv[4]) if len(sys.argv) > 4 else 0
# as many threads as the tests of other libraries have
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = int(os.environ.get("OMP_NUM_THREADS", "1"))
server = Server(params)
print(server.listening_address, flush=True)  # noqa: T201 - read by the tests
parent = os.getppid()
while threading.main_thread().is_alive() and os.getppid() == parent:
    time.sleep(1)
