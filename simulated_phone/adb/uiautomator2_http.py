"""The HTTP of uiautomator2's server: `GET /ping` and `POST /jsonrpc/0`, one request a connection."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from simulated_phone.adb.uiautomator2_rpc import CallError, Uiautomator2Calls
from simulated_phone.phone_errors import PhoneError

if TYPE_CHECKING:
    from simulated_phone.adb.streams import Stream

MAX_REQUEST = 1 << 20
"""Bytes of a request; a longer one is hung up on."""

_LENGTH = re.compile(rb"\r\ncontent-length: *(\d{1,7})\r\n", re.IGNORECASE)


async def serve_calls(calls: Uiautomator2Calls, stream: Stream) -> None:
    """Answers the one request of a connection.

    Args:
        calls: What the calls do.
        stream: The connection.
    """
    request = bytearray()
    while b"\r\n\r\n" not in request:
        await _read_more(stream, request)
    head, _, rest = bytes(request).partition(b"\r\n\r\n")
    length = _LENGTH.search(head + b"\r\n")
    wanted = int(length.group(1)) if length else 0
    body = bytearray(rest)
    while len(body) < wanted:
        await _read_more(stream, body)
    answer = b"pong" if head.startswith(b"GET /ping ") else await _answer(calls, bytes(body))
    await stream.write(
        b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\nConnection: close\r\n\r\n" % len(answer) + answer
    )


async def _read_more(stream: Stream, data: bytearray) -> None:
    more = await stream.read()
    if not more or len(data) + len(more) > MAX_REQUEST:
        raise ConnectionResetError(f"expected a request of at most {MAX_REQUEST} bytes, got {len(data)}")
    data += more


async def _answer(calls: Uiautomator2Calls, body: bytes) -> bytes:
    reply: dict[str, Any] = {"jsonrpc": "2.0", "id": 1}
    try:
        request = json.loads(body)
        reply["result"] = await calls.call(request["method"], request.get("params") or [])
    except CallError as error:
        reply["error"] = {"code": error.code, "message": str(error), "data": str(error)}
    except (PhoneError, LookupError, TypeError, ValueError, re.error) as error:
        text = f"{type(error).__name__}: {error}"
        reply["error"] = {"code": -32602, "message": text, "data": text}
    return json.dumps(reply).encode()
