#!/usr/bin/env bash
# Package: openenv 0.10.0 (PyPI), Python 3.11. Seen on 28 November 2026.
#
# Input: a server of an environment that counts its steps, with room for one session at a time
# (`max_concurrent_envs=1`) and `session_timeout=1`: "Timeout in seconds for inactive sessions".
#
# Behaviour:
# 1. A second client is refused while the first one has its session: CAPACITY_REACHED.
# 2. The first client sends nothing for longer than the timeout. Its session is closed (`close()` of the
#    environment is called) and the second client gets the place.
# 3. The first client's connection stays open, and goes on with the same, closed environment: it steps and
#    resets as before. So two environments run where one is allowed, and one of them was told to free what it
#    has. An environment has to refuse calls after `close()` itself.
#
# Output seen:
#   1 full True
#   2 second client has a session True; first environment closed True
#   3 first client steps 2 on a closed environment True
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check openenv==0.10.0
cat > "$work/seen.py" <<'PY'
import socket
import threading
import time

import uvicorn
from openenv import GenericEnvClient
from openenv.core.env_server import Action, Environment, Observation, State, create_app
from openenv.core.env_server.types import ConcurrencyConfig


class Go(Action):
    pass


class Seen(Observation):
    steps: int
    closed: bool


class Counter(Environment):
    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self):
        super().__init__()
        self.steps, self.closed = 0, False
        MADE.append(self)

    def reset(self, seed=None, episode_id=None, **kwargs):
        self.steps = 0
        return Seen(steps=0, closed=self.closed)

    def step(self, action, timeout_s=None, **kwargs):
        self.steps += 1
        return Seen(steps=self.steps, closed=self.closed)

    @property
    def state(self):
        return State(step_count=self.steps)

    def close(self):
        self.closed = True


MADE = []
app = create_app(
    Counter, Go, Seen, concurrency_config=ConcurrencyConfig(max_concurrent_envs=1, session_timeout=1)
)
listener = socket.create_server(("127.0.0.1", 0))
server = uvicorn.Server(uvicorn.Config(app, log_level="error"))
thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
thread.start()
address = f"http://127.0.0.1:{listener.getsockname()[1]}"


def client():
    return GenericEnvClient(base_url=address).sync()


first = client()
first.reset()
first.step({})
mine = MADE[-1]
try:
    client().reset()
    full = False
except RuntimeError as error:
    full = "CAPACITY_REACHED" in str(error)
print(1, "full", full)
for _ in range(60):
    time.sleep(0.5)
    second = client()
    try:
        second.reset()
        break
    except RuntimeError:
        pass
print(2, "second client has a session", second.step({}).observation["steps"] == 1, end="; ")
print("first environment closed", mine.closed)
after = first.step({}).observation
print(3, "first client steps", after["steps"], "on a closed environment", after["closed"])
first.close()
second.close()
server.should_exit = True
thread.join()
PY
cd "$work"
got=$("$work/venv/bin/python" seen.py 2> /dev/null)
expected="1 full True
2 second client has a session True; first environment closed True
3 first client steps 2 on a closed environment True"
echo "$got"
if [ "$got" != "$expected" ]; then
    echo "changed: expected"
    echo "$expected"
    exit 1
fi
