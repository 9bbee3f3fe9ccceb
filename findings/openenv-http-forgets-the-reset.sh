#!/usr/bin/env bash
# Package: openenv 0.10.0 (PyPI), Python 3.11. Seen on 28 November 2026.
#
# Input: an environment that counts its steps, served by `create_app`, and its routes POST /reset and POST /step.
# The description that the server itself gives at /openapi.json and /docs reads: "1. Call `/reset` to start a new
# episode and get initial observation 2. Call `/step` repeatedly with actions to interact with environment
# 3. Episode ends when observation returns `done: true`".
#
# Behaviour: each request makes an environment and throws it away. A step follows no reset, two steps are each
# the first one, and GET /state knows none of them, also for an environment that takes one session at a time.
# Only a web socket (/ws, the package's own client) has an episode; nothing in the answers says so.
#
# Output seen:
#   described True
#   reset {'was_reset': True, 'steps': 0}
#   step {'was_reset': False, 'steps': 1}
#   step {'was_reset': False, 'steps': 1}
#   state 0
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check openenv==0.10.0
cat > "$work/seen.py" <<'PY'
import json
import socket
import threading
from urllib.request import Request, urlopen

import uvicorn
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


listener = socket.create_server(("127.0.0.1", 0))
server = uvicorn.Server(uvicorn.Config(create_app(Counter, Go, Seen), log_level="error"))
thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
thread.start()
address = f"http://127.0.0.1:{listener.getsockname()[1]}"


def ask(path, body=None):
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(address + path, data, {"Content-Type": "application/json"})) as answer:
        return json.load(answer)


described = ask("/openapi.json")["info"]["description"]
print("described", "Call `/step` repeatedly" in described)
for path in ("reset", "step", "step"):
    seen = ask("/" + path, {} if path == "reset" else {"action": {}})["observation"]
    print(path, {name: seen[name] for name in ("was_reset", "steps")})
print("state", ask("/state")["step_count"])
server.should_exit = True
thread.join()
PY
cd "$work"
got=$("$work/venv/bin/python" seen.py 2> /dev/null)
expected="described True
reset {'was_reset': True, 'steps': 0}
step {'was_reset': False, 'steps': 1}
step {'was_reset': False, 'steps': 1}
state 0"
echo "$got"
if [ "$got" != "$expected" ]; then
    echo "changed: expected"
    echo "$expected"
    exit 1
fi
