"""HTTP of servers on the phone: one request per connection, with a body of known length."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from simulated_phone.adb.streams import Stream

MAX_REQUEST = 1 << 20
"""Largest size of a request, bytes; the connection of a longer one is closed."""

_MAX_LENGTH_DIGITS = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpRequest:
    """A request.

    Args:
        method: "GET", "POST" and so on.
        path: Path with its query.
        headers: Values by lower-case name.
        body: The content.
    """

    method: str
    path: str
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""

    def json(self) -> Any:  # noqa: ANN401 - JSON
        """The body as JSON, {} if it is empty.

        Raises:
            ValueError: The body is not JSON.
        """
        try:
            return json.loads(self.body) if self.body.strip() else {}
        except RecursionError:
            raise ValueError("the body is nested too deep") from None


async def read_request(stream: Stream) -> HttpRequest:
    """The single request of a connection.

    Raises:
        ConnectionResetError: The request is cut off, larger than `MAX_REQUEST`, or of a page in a browser;
            such a page has been refused.
    """
    data = bytearray()
    # the head may arrive in several pieces
    while b"\r\n\r\n" not in data:
        await _read_more(stream, data)
    head, _, rest = bytes(data).partition(b"\r\n\r\n")
    line, *lines = head.decode("latin-1").split("\r\n")
    pairs = (text.partition(":") for text in lines)
    headers = {name.strip().lower(): value.strip() for name, _, value in pairs}
    length = headers.get("content-length", "0")
    if not length.isdecimal() or len(length) > _MAX_LENGTH_DIGITS:
        raise ConnectionResetError(f"bad content-length: {length[:20]!r}")
    body = bytearray(rest)
    while len(body) < int(length):
        await _read_more(stream, body)
    if _is_of_other_site(headers):
        await write_response(stream, b'{"error": "the request comes from another site"}', status=403)
        raise ConnectionResetError("a page of another site asks the phone")
    words = line.split(" ")
    return HttpRequest(
        method=words[0],
        path=words[1] if len(words) > 1 else "/",
        headers=headers,
        body=bytes(body[: int(length)]),
    )


def _is_of_other_site(headers: Mapping[str, str]) -> bool:
    """Whether a page in a browser sends the request, which reaches the phone through a forwarded port.

    A browser names the page's site as Origin, and by DNS rebinding as Host. Programs send no Origin, and name
    the phone by an address or a name without a dot.
    """
    host = headers.get("host", "")
    name = host.rpartition(":")[0] if host.rpartition(":")[2].isdecimal() else host
    if headers.get("origin", f"http://{host}") != f"http://{host}":
        return True
    try:
        ip_address(name.strip("[]"))
    except ValueError:
        return "." in name.rstrip(".")
    return False


async def _read_more(stream: Stream, data: bytearray) -> None:
    more = await stream.read()
    if not more or len(data) + len(more) > MAX_REQUEST:
        raise ConnectionResetError(f"expected a request of at most {MAX_REQUEST} bytes, got {len(data)}")
    data += more


async def write_response(
    stream: Stream, body: bytes, *, status: int = 200, kind: str = "application/json; charset=utf-8"
) -> None:
    """Send the response, after which the connection is closed."""
    head = (
        f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\nContent-Type: {kind}\r\n"
        f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    await stream.write(head.encode() + body)
