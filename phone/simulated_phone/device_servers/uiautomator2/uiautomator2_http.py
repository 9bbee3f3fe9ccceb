"""HTTP front end of uiautomator2's server: `GET /ping` and `POST /jsonrpc/0`, one request per connection."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from simulated_phone.device_servers.http_server import HttpRequest, read_request, write_response
from simulated_phone.device_servers.uiautomator2.uiautomator2_rpc import CallError, Uiautomator2Calls
from simulated_phone.phone_errors import PhoneError

if TYPE_CHECKING:
    from simulated_phone.adb.streams import Stream


async def serve_calls(calls: Uiautomator2Calls, stream: Stream) -> None:
    """Answer the single request of a connection.

    Args:
        calls: Implementation of the JSON-RPC methods.
        stream: The connection.
    """
    request = await read_request(stream)
    if (request.method, request.path) == ("GET", "/ping"):
        await write_response(stream, b"pong", kind="text/plain")
    else:
        await write_response(stream, await _response(calls, request))


async def _response(calls: Uiautomator2Calls, request: HttpRequest) -> bytes:
    record: dict[str, Any] = {"jsonrpc": "2.0", "id": 1}
    try:
        body = request.json()
        record["result"] = await calls.call(body["method"], body.get("params") or [])
    except CallError as error:
        record["error"] = {"code": error.code, "message": str(error), "data": str(error)}
    except (PhoneError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        # parameters of any JSON type reach the methods, as they reach those of a real server
        text = f"{type(error).__name__}: {error}"
        record["error"] = {"code": -32602, "message": text, "data": text}
    return json.dumps(record).encode()
