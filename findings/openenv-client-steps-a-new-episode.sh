#!/usr/bin/env bash
# Package: openenv 0.10.0 (PyPI), Python 3.11. Seen on 28 November 2026.
#
# Input: an environment that counts its steps, a client of the package with a session (reset, then two steps), and
# a server that restarts between two calls, as one does whose machine is replaced or that is deployed again.
#
# Behaviour: the client's next `step` raises nothing. It connects again, gets another session with an environment
# that was never reset, and returns that one's first step as if the episode went on. The result does not show it;
# a training takes it for the next step of the same episode.
#
# Output seen:
#   1 {'was_reset': True, 'steps': 2}
#   2 {'was_reset': False, 'steps': 1}
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check openenv==0.10.0
cat > "$work/seen.py" <<'PY'
import socket
import threading

import uvicorn
from openenv import GenericEnvClient
from openenv.core.env_server import Action, Environment, Observation, State, create_app


class Go(Action):
    pass


class Seen(Observation):
    was_reset: bool
    steps: int


class Counter(Environment):
    def __init__(self):
        super().__init__()
        self.was_reset, self.steps = False, 0

    def reset(self, seed=None, episode_id=None, **kwargs):
        self.was_reset, self.steps = True, 0
        return Seen(was_reset=True, steps=0)

    def step(self, action, timeout_s=None, **kwargs):
        self.steps += 1
        return Seen(was_reset=self.was_reset, steps=self.steps)

    @property
    def state(self):
        return State(step_count=self.steps)


def serve(port):
    listener = socket.create_server(("127.0.0.1", port))
    server = uvicorn.Server(uvicorn.Config(create_app(Counter, Go, Seen), log_level="critical"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    return server, thread, listener.getsockname()[1]


def show(number, seen):
    print(number, {name: seen.observation[name] for name in ("was_reset", "steps")})


server, thread, port = serve(0)
client = GenericEnvClient(base_url=f"http://127.0.0.1:{port}").sync()
client.reset()
client.step({})
show(1, client.step({}))
server.should_exit = True
thread.join()
server, thread, _ = serve(port)
show(2, client.step({}))
client.close()
server.should_exit = True
thread.join()
PY
cd "$work"
got=$("$work/venv/bin/python" seen.py 2> /dev/null)
expected="1 {'was_reset': True, 'steps': 2}
2 {'was_reset': False, 'steps': 1}"
echo "$got"
if [ "$got" != "$expected" ]; then
    echo "changed: expected"
    echo "$expected"
    exit 1
fi
