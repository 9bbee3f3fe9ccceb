# ruff: noqa: ANN401 - what OpenEnv hands over
"""Serves phones with OpenEnv and carries out tasks through its client; prints what was seen as JSON."""

from __future__ import annotations

import contextlib
import io
import json
import re
import socket
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import uvicorn

from fingertip_environments import PhoneTask, live_tasks, phone_app, phone_client

PHONES = 2
SIZE = (360, 800)


@contextlib.contextmanager
def served(app: Any) -> Iterator[str]:
    """The address of an application that uvicorn serves in a thread."""
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="error"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()


def answer_of(address: str, body: object = None, **headers: str) -> tuple[int, Any]:
    """Status and JSON of an answer; with a body it is a POST."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json", **headers}
    request = urllib.request.Request(address, data=data, headers=headers)  # noqa: S310 - loopback
    try:
        with urllib.request.urlopen(request, timeout=300) as answer:  # noqa: S310 - loopback
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def row(result: Any) -> dict[str, Any]:
    """A result of the client."""
    seen = result.observation
    return {
        "intent": seen.intent, "tree": seen.tree, "note": seen.note, "reward": result.reward,
        "done": result.done, "metadata": result.metadata, "screenshot": (seen.screenshot or "")[:12],
    }  # fmt: skip


def refused(call: Any, *words: Any, **options: Any) -> str:
    """The text of the error that a call ends with."""
    try:
        call(*words, **options)
    except RuntimeError as error:
        return str(error)
    return ""


def episodes(address: str, tasks: tuple[PhoneTask, ...]) -> dict[str, Any]:
    """Two sessions side by side, each with a task of its own; a third one is refused."""
    with phone_client(address) as one, phone_client(address) as two:
        early = refused(one.step, "press_home()")
        rows: list[list[Any]] = [
            [row(one.reset(split="train", index=0))],
            [row(two.reset(task_id=tasks[1].task_id))],
        ]
        full = refused(phone_client(address).reset)
        golden = [task.task.target.golden_actions for task in tasks]
        for at in range(max(map(len, golden[:2]))):
            for number, client in enumerate((one, two)):
                if at < len(golden[number]):
                    rows[number].append(row(client.step(golden[number][at])))
        return {
            "rows": rows,
            "states": [client.state().model_dump() for client in (one, two)],
            "errors": {"early": early, "full": full, "syntax": refused(one.step, "click(here)")},
        }


def idle(tasks: tuple[PhoneTask, ...]) -> dict[str, Any]:
    """One phone, first taken over HTTP and left, then by a client that falls asleep.

    OpenEnv looks for such sessions every 5 s.
    """
    with served(phone_app({"train": tasks}, phones=1, session_timeout=1.0)) as address:
        taken = {"jsonrpc": "2.0", "id": 1, "method": "openenv/session/create", "params": {}}
        left = answer_of(f"{address}/mcp", taken)[1]
        full = refused(phone_client(address).reset)
        with wait_for_place(address) as one, wait_for_place(address) as two:
            second = two.state().task_id
            old = refused(one.step, "press_home()")
        with wait_for_place(address) as three:
            again = three.state().task_id
        found = {"left": "session_id" in left.get("result", {}), "while full": full, "second": second}
        return found | {"of the idle one": old, "again": again}


def wait_for_place(address: str) -> Any:
    """A client with a session and a task, as soon as there is room for it."""
    until = time.monotonic() + 120
    while True:
        client = phone_client(address)
        late = refused(client.reset, index=1)
        if not late:
            return client
        assert time.monotonic() < until, late
        time.sleep(1)


def page() -> str:
    """What the client of docs/environments.md prints, beside the server of that page."""
    text = Path("docs/environments.md").read_text(encoding="utf-8")
    server, client = re.findall(r"^```python openenv\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    names: dict[str, Any] = {}
    exec(compile(server, "server.py", "exec"), names)  # noqa: S102 - our own page
    printed = io.StringIO()
    with served(names["app"]) as address, contextlib.redirect_stdout(printed):
        exec(compile(client.replace("http://127.0.0.1:8000", address), "client.py", "exec"), {})  # noqa: S102
    return printed.getvalue()


def main() -> None:
    """Prints all of it."""
    tasks = live_tasks(people=1, episodes=3, size=SIZE)
    with served(phone_app({"train": tasks, "one": tasks[:1]}, phones=PHONES)) as address:
        found = {
            "of a site": answer_of(f"{address}/health", Origin="http://evil.example"),
            "by another name": answer_of(f"{address}/health", Host="evil.example"),
            "health": answer_of(f"{address}/health"),
            "splits": answer_of(f"{address}/phone/splits"),
            "number": answer_of(f"{address}/phone/num_tasks", {"split": "train"}),
            "tasks": answer_of(f"{address}/phone/tasks", {"split": "one"}),
            "task": answer_of(f"{address}/phone/task", {"split": "train", "index": 2}),
            "no split": answer_of(f"{address}/phone/tasks", {"split": "nowhere"}),
            **episodes(address, tasks),
        }
    print(json.dumps(found | {"page": page(), "idle": idle(tasks)}))  # noqa: T201 - the test reads it


if __name__ == "__main__":
    main()
