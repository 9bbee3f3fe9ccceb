"""The guard of HTTP servers, before a real server (uvicorn is no part of the tests' install: bare ASGI)."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingertip_pages.request_guard import RequestGuard, is_allowed_host, is_own_origin

HERE = "127.0.0.1:7860"


def ask(
    headers: dict[str, str], *, body: bytes = b"", path: str = "/", guard: dict[str, Any] | None = None
) -> tuple[int, int]:
    """Status of a request, and the bytes of its body that the application received."""
    received, sent = [], []
    parts = [body[at : at + 1000] for at in range(0, len(body), 1000)] or [b""]

    async def app(scope: Any, receive: Any, send: Any) -> None:  # noqa: ANN401
        more = True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            received.append(message["body"])
            more = message.get("more_body", False)
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    async def receive() -> dict[str, Any]:
        part = parts.pop(0)
        return {"type": "http.request", "body": part, "more_body": bool(parts)}

    async def send(message: Any) -> None:  # noqa: ANN401
        sent.append(message)

    pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "path": path, "headers": pairs}
    asyncio.run(RequestGuard(app, **(guard or {}))(scope, receive, send))
    return (sent[0]["status"] if sent else 0), sum(map(len, received))


@pytest.mark.parametrize("host", [HERE, "localhost", "[::1]:80", "phone:8000", "10.0.0.7:80", "LOCALHOST:1"])
def test_the_server_is_asked_by_address_or_a_name_without_a_dot(host: str) -> None:
    assert ask({"host": host}) == (200, 0)
    assert ask({"host": host, "origin": f"http://{host}"}) == (200, 0)


@pytest.mark.parametrize(
    "headers",
    [
        {}, {"host": ""}, {"host": "evil.example"}, {"host": "evil.example:7860"},
        {"host": "127.0.0.1.evil.example"}, {"host": "evil.example."}, {"host": f"{HERE}:x"},
        {"host": "a b.c"},
        {"host": HERE, "origin": "http://evil.example"}, {"host": HERE, "origin": "null"},
        {"host": HERE, "origin": "http://127.0.0.1:9999"}, {"host": HERE, "origin": "http://localhost:7860"},
        {"host": HERE, "origin": f"http://{HERE}.evil.example"}, {"host": HERE, "origin": ""},
        {"host": HERE, "origin": f"file://{HERE}"}, {"host": HERE, "origin": f"http://{HERE}@evil.example"},
        {"host": HERE, "content-type": "multipart/form-data; boundary=x"},
        {"host": HERE, "content-type": "Multipart/Mixed"},
    ],
)  # fmt: skip
def test_other_sites_and_files_are_refused(headers: dict[str, str]) -> None:
    assert ask(headers) == (403, 0)


def test_a_known_name_is_allowed_with_its_own_pages() -> None:
    guard = {"hosts": ["board.example.org", "*.hf.space"]}
    for host in ("board.example.org", "Board.Example.ORG:443", "me-board.hf.space"):
        assert ask({"host": host, "origin": f"https://{host}"}, guard=guard) == (200, 0)
    # a proxy on this computer passes on its own name
    assert ask({"host": HERE, "origin": "https://board.example.org"}, guard=guard) == (200, 0)
    for host in ("example.org", "board.example.org.evil", "hf.space", "evilhf.space"):
        assert ask({"host": host}, guard=guard) == (403, 0)


def test_bodies_are_bounded_and_uploads_need_leave() -> None:
    guard = {"most_bytes": 5000}
    assert ask({"host": HERE, "content-length": "5000"}, body=b"x" * 5000, guard=guard) == (200, 5000)
    assert ask({"host": HERE, "content-length": "5001"}, body=b"x" * 5001, guard=guard) == (413, 0)
    # without a stated length the rest is not received
    assert ask({"host": HERE}, body=b"x" * 9000, guard=guard) == (0, 5000)
    for length in ("-1", "x", "1" * 40, "٣"):
        assert ask({"host": HERE, "content-length": length}, guard=guard) == (413, 0)
    assert ask({"host": HERE}, path="/gradio_api/upload") == (403, 0)
    assert ask({"host": HERE}, path="/gradio_api/upload", guard={"uploads": True}) == (200, 0)


@given(st.text(max_size=30), st.text(max_size=30) | st.none())
def test_no_header_is_an_error(host: str, origin: str | None) -> None:
    assert is_allowed_host(host) in {True, False}
    assert is_own_origin(origin, host) in {True, False}
