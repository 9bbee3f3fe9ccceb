"""Sends the board's pages with a Content Security Policy."""

from __future__ import annotations

import re
from collections.abc import Sequence

from fingertip_pages.page_policy import space_policy
from fingertip_pages.request_guard import App, Message, Receive, Send

_INLINE = re.compile(r"<script(?![^>]*\ssrc=)[^>]*>(.*?)</script>", re.DOTALL | re.IGNORECASE)


class PolicyMiddleware:
    """ASGI middleware that adds the policy to every HTML page.

    A page's inline scripts are gradio's own: gradio sends what submissions say as JSON within one of them,
    with each angle bracket escaped, and the browser makes markup of it afterwards.

    Args:
        app: The application that serves the pages.
        scripts: Text of the scripts that gradio adds to a page in the browser.
    """

    def __init__(self, app: App, scripts: Sequence[str] = ()) -> None:
        self._app = app
        self._scripts = tuple(scripts)

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Serve a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        page = _Page(send, self._scripts)
        await self._app(scope, receive, page.send)


class _Page:
    """A response; an HTML page is held back until it is complete, because its policy comes before it."""

    def __init__(self, send: Send, added: Sequence[str]) -> None:
        self._send = send
        self._added = added
        self._start: Message | None = None
        self._body = b""

    async def send(self, message: Message) -> None:
        """Pass a message on, or hold it back."""
        if message["type"] == "http.response.start" and _is_html(message):
            self._start = message
        elif message["type"] == "http.response.body" and self._start is not None:
            self._body += message.get("body", b"")
            if not message.get("more_body"):
                scripts = _INLINE.findall(self._body.decode("utf-8", "replace"))
                policy = space_policy([*scripts, *self._added]).encode()
                headers = [*self._start["headers"], (b"content-security-policy", policy)]
                await self._send({**self._start, "headers": headers})
                await self._send({"type": "http.response.body", "body": self._body})
        else:
            await self._send(message)


def _is_html(message: Message) -> bool:
    return any(
        name.lower() == b"content-type" and value.startswith(b"text/html")
        for name, value in message.get("headers", ())
    )
