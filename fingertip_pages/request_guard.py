"""Guard of our HTTP servers: whose pages may ask them, by Host and Origin, and how much they may send.

A page of another site that is open in a browser of this computer can send requests to its ports. The browser
then names that site as Origin, and by DNS rebinding also as Host; it cannot name another. So a request is
taken if its Host is an address, a name without a dot (which no site has), or one that is allowed, and if its
Origin is the same host. See https://owasp.org/www-community/attacks/DNS_Rebinding.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from http import HTTPStatus
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]

MOST_BYTES = 1 << 20
"""Largest body of a request, or message of a web socket, in bytes."""

_TOO_BIG = 1009
_REFUSED = 1008
"""Codes with which a web socket is closed, by RFC 6455."""


def is_allowed_host(host: str, allowed: Iterable[str] = ()) -> bool:
    """Whether a server on this computer may be asked under a name.

    Args:
        host: Value of the header Host, with or without a port.
        allowed: Further names; one that begins with "*." stands for all below it.

    >>> [is_allowed_host(host) for host in ("127.0.0.1:8000", "[::1]:80", "phone:8000", "evil.example")]
    [True, True, True, False]
    >>> is_allowed_host("board.example.org", ["*.example.org"])
    True
    """
    name = _read_name(f"//{host}")
    if name is None:
        return False
    if "." not in name or _is_address(name):
        return True
    return any(
        name.endswith(one[1:]) if one.startswith("*.") else name == one for one in map(str.lower, allowed)
    )


def is_own_origin(origin: str | None, host: str, allowed: Iterable[str] = ()) -> bool:
    """Whether a request comes from the server's own page, or from no page at all.

    Args:
        origin: Value of the header Origin; None without one.
        host: Value of the header Host.
        allowed: Names under which the server is known outside, whatever the port of a proxy.

    >>> is_own_origin("http://127.0.0.1:8000", "127.0.0.1:8000"), is_own_origin(None, "127.0.0.1:8000")
    (True, True)
    >>> is_own_origin("http://127.0.0.1:9999", "127.0.0.1:8000"), is_own_origin("null", "127.0.0.1:8000")
    (False, False)
    """
    if origin is None:
        return True
    parts = urlsplit(origin)
    if parts.scheme not in {"http", "https"}:
        return False
    if parts.netloc.lower() == host.lower():
        return True
    name = _read_name(origin)
    return name is not None and "." in name and not _is_address(name) and is_allowed_host(name, allowed)


def _read_name(address: str) -> str | None:
    try:
        parts = urlsplit(address)
        # a port that is none is refused as well
        return parts.hostname.rstrip(".").lower() if parts.hostname and parts.port != 0 else None
    except ValueError:
        return None


def _is_address(name: str) -> bool:
    try:
        ip_address(name.partition("%")[0])
    except ValueError:
        return False
    return True


class RequestGuard:
    """ASGI middleware that refuses requests of other sites, bodies that are too long, and uploads.

    Args:
        app: The application.
        hosts: Names under which the server is known outside.
        most_bytes: Largest body of a request, or message of a web socket.
        uploads: Whether files may be sent.
    """

    def __init__(
        self, app: App, hosts: Iterable[str] = (), *, most_bytes: int = MOST_BYTES, uploads: bool = False
    ) -> None:
        self._app = app
        self._hosts = tuple(hosts)
        self._most = most_bytes
        self._uploads = uploads

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Serve a request."""
        if scope["type"] not in {"http", "websocket"}:
            await self._app(scope, receive, send)
            return
        refusal = self._find_refusal(scope)
        if refusal is None:
            await self._app(scope, _Bounded(receive, send, self._most).receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": _REFUSED, "reason": refusal[1]})
        else:
            await _refuse(send, *refusal)

    def _find_refusal(self, scope: Message) -> tuple[HTTPStatus, str] | None:
        headers: dict[str, list[str]] = {}
        for name, value in scope["headers"]:
            headers.setdefault(name.decode("latin-1").lower(), []).append(value.decode("latin-1"))
        hosts, origins = headers.get("host", []), headers.get("origin", [])
        if len(hosts) != 1 or not is_allowed_host(hosts[0], self._hosts):
            return HTTPStatus.FORBIDDEN, "this name is not one of the server: see --allowed-host"
        if len(origins) > 1 or not is_own_origin(origins[0] if origins else None, hosts[0], self._hosts):
            return HTTPStatus.FORBIDDEN, "the request comes from another site's page"
        kind = "".join(headers.get("content-type", ())).lower()
        if not self._uploads and (kind.startswith("multipart/") or "upload" in scope["path"].split("/")):
            return HTTPStatus.FORBIDDEN, "this server takes no files"
        length = "".join(headers.get("content-length", ["0"]))
        if not length.isascii() or not length.isdecimal() or int(length[:20]) > self._most:
            return HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"a request may have {self._most:,} bytes"
        return None


class _Bounded:
    """Receives the messages of a request, up to a number of bytes; more end it as if the sender had gone."""

    def __init__(self, receive: Receive, send: Send, most: int) -> None:
        self._receive = receive
        self._send = send
        self._left = most
        self._most = most

    async def receive(self) -> Message:
        """Return the next message."""
        message = await self._receive()
        if message["type"] == "http.request":
            self._left -= len(message.get("body", b""))
            return message if self._left >= 0 else {"type": "http.disconnect"}
        if message["type"] == "websocket.receive":
            size = len(message.get("bytes") or b"") or len((message.get("text") or "").encode())
            if size > self._most:
                await self._send({"type": "websocket.close", "code": _TOO_BIG, "reason": "too long"})
                return {"type": "websocket.disconnect", "code": _TOO_BIG}
        return message


async def _refuse(send: Send, status: HTTPStatus, why: str) -> None:
    body = json.dumps({"detail": why}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": int(status), "headers": headers})
    await send({"type": "http.response.body", "body": body})
