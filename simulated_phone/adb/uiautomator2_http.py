"""HTTP front end of uiautomator2's server: `GET /ping` and `POST /jsonrpc/0`, one request per connection."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from simulated_phone.adb.uiautomator2_rpc import CallError, Uiautomator2Calls
from simulated_phone.phone_errors import PhoneError

if TYPE_CHECKING:
    from simulated_phone.adb.streams import Stream

MAX_REQUEST = 1 << 20
"""Largest size of a request, bytes; the connection of a longer one is closed."""

_LENGTH = re.compile(rb"\r\ncontent-length: *(\d{1,7})\r\n", re.IGNORECASE)


async def serve_calls(calls: Uiautomator2Calls, stream: Stream) -> None:
    """Answer the single request of a connection.

    Args:
        calls: Implementation of the JSON-RPC methods.
        stream: The connection.
    """
    request = bytearray()
    # the head may arrive in several pieces
    while b"\r\n\r\n" not in request:
        await _read_more(stream, request)
    head, _, rest = bytes(request).partition(b"\r\n\r\n")
    length = _LENGTH.search(head + b"\r\n")
    expected = int(length.group(1)) if length else 0
    body = bytearray(rest)
    while len(body) < expected:
        await _read_more(stream, body)
    response = b"pong" if head.startswith(b"GET /ping ") else await _response(calls, bytes(body))
    await stream.write(
        b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\nConnection: close\r\n\r\n" % len(response) + response
    )


async def _read_more(stream: Stream, data: bytearray) -> None:
    more = await stream.read()
    if not more or len(data) + len(more) > MAX_REQUEST:
        raise ConnectionResetError(f"expected a request of at most {MAX_REQUEST} bytes, got {len(data)}")
    data += more


async def _response(calls: Uiautomator2Calls, body: bytes) -> bytes:
    record: dict[str, Any] = {"jsonrpc": "2.0", "id": 1}
    try:
        request = json.loads(body)
        record["result"] = await calls.call(request["method"], request.get("params") or [])
    except CallError as error:
        record["error"] = {"code": error.code, "message": str(error), "data": str(error)}
    except (PhoneError, LookupError, TypeError, ValueError) as error:
        text = f"{type(error).__name__}: {error}"
        record["error"] = {"code": -32602, "message": text, "data": text}
    return json.dumps(record).encode()
