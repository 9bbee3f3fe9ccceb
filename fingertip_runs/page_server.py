"""A server of a page where people label: for this computer alone, behind a word that its address holds."""

from __future__ import annotations

import hmac
import json
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from types import TracebackType
from typing import Protocol, Self
from urllib.parse import parse_qs, urlsplit

from fingertip_dataset.errors import FingerTipError, UsageError

HERE = "127.0.0.1"

LONGEST_BODY = 64 * 1024
"""Bytes of a label with its reason; more is refused."""

FINISH = "finish"
"""Posted where the rater is done."""

_FILES: Mapping[str, tuple[str, str]] = {
    "": ("page.html", "text/html; charset=utf-8"),
    "page.css": ("page.css", "text/css; charset=utf-8"),
    "page.js": ("page.js", "text/javascript; charset=utf-8"),
    "marks.js": ("marks.js", "text/javascript; charset=utf-8"),
    "rater.css": ("rater.css", "text/css; charset=utf-8"),
    "rater.js": ("rater.js", "text/javascript; charset=utf-8"),
}
_SHARED = frozenset({"marks.js", "rater.css", "rater.js"})
"""Of every page: they lie beside this file, the others in the page's package."""

_HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    # screens of somebody's phone stay in no cache
    "Cache-Control": "no-store",
}


class HttpRefusal(Exception):
    """An answer that is not the one that was asked for; never leaves the server."""

    def __init__(self, status: HTTPStatus, why: str) -> None:
        super().__init__(why)
        self.status = status


@dataclass(frozen=True, slots=True, kw_only=True)
class PageResponse:
    """What is sent: its bytes, of which kind, and the status."""

    content: bytes
    kind: str
    status: HTTPStatus = HTTPStatus.OK


class PageHandler(Protocol):
    """What a page asks of its server beside its own three files."""

    def get(self, place: str, rater: str) -> PageResponse:
        """What lies at a place below the address.

        Args:
            place: Without the address and the question mark.
            rater: Who asks, as the page says; "" where nobody is named.

        Raises:
            Refusal: Nothing, or nothing for this rater.
            FingerTipError: The call makes no sense.
        """

    def post(self, place: str, rater: str, body: bytes) -> PageResponse:
        """Takes in what a rater says; `FINISH` ends the server after it. Errors are those of `get`."""


class PageServer:
    """Serves a page until the rater says that it is finished, or `stop` is called. A context manager.

    Args:
        page: What answers.
        package: Holds page.html, page.css and page.js.
        port: On 127.0.0.1; 0 for any that is free.

    Attributes:
        url: Of the page; whoever knows it may look and label.

    Raises:
        UsageError: The port is taken.
    """

    def __init__(self, page: PageHandler, package: str, *, port: int = 0) -> None:
        try:
            self._server = _Server((HERE, port), _Handler)
        except OSError as error:
            raise UsageError(f"expected a free port, got {port}: {error.strerror or error}") from error
        self._server.page = page
        self._server.package = package
        self._server.token = secrets.token_urlsafe(24)
        self.url = f"http://{HERE}:{self._server.server_port}/{self._server.token}/"

    def serve(self) -> None:
        """Answers until it is stopped."""
        self._server.serve_forever(poll_interval=0.02)

    def stop(self) -> None:
        """Ends `serve`, which runs in another thread."""
        self._server.shutdown()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.server_close()


def json_found(content: Mapping[str, object], status: HTTPStatus = HTTPStatus.OK) -> PageResponse:
    """An object as JSON."""
    # half a surrogate pair, which a broken record may hold, is escaped
    return PageResponse(content=json.dumps(content).encode(), kind="application/json", status=status)


def no_place() -> HttpRefusal:
    """To be raised for an address that is none."""
    return HttpRefusal(HTTPStatus.NOT_FOUND, "expected a part of this page, got another address")


class _Server(ThreadingHTTPServer):
    page: PageHandler
    package: str
    token: str
    daemon_threads = True
    # several raters' browsers, each with several connections at once
    request_queue_size = 64
    # a browser keeps connections that it has not used yet: nobody waits for those
    block_on_close = False


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    server_version = "fingertip"
    sys_version = ""
    timeout = 30
    _ends = False

    def do_GET(self) -> None:
        self._answer(self._get)

    def do_HEAD(self) -> None:
        self._answer(self._get)

    def do_POST(self) -> None:
        self._answer(self._post)

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing: the terminal is the rater's."""

    def _answer(self, find: Callable[[str, str], PageResponse]) -> None:
        try:
            found = find(*self._place())
        except HttpRefusal as refusal:
            found = json_found({"error": str(refusal)}, refusal.status)
        except FingerTipError as error:
            found = json_found({"error": str(error)}, HTTPStatus.BAD_REQUEST)
        try:
            self._send(found)
        except ConnectionError:
            self.close_connection = True  # the browser has closed the page: nobody is to be told
        finally:
            if self._ends:  # not before the answer is out: the program may end at once
                self.server.shutdown()

    def _send(self, found: PageResponse) -> None:
        self.send_response(found.status)
        for name, value in {**_HEADERS, "Content-Type": found.kind}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(found.content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(found.content)

    def _place(self) -> tuple[str, str]:
        """What is asked for, behind the token, and who asks; "" where nobody is named.

        Raises:
            Refusal: The address is not the one that was printed, or another site's page asks.
        """
        here = f"{HERE}:{self.server.server_port}"
        # a name that a stranger has led to this computer is no name of ours (DNS rebinding)
        if self.headers.get_all("Host") != [here]:
            raise HttpRefusal(HTTPStatus.FORBIDDEN, f"expected the address that was printed, at {here}")
        if self.headers.get("Origin", f"http://{here}") != f"http://{here}":
            raise HttpRefusal(HTTPStatus.FORBIDDEN, "expected a call of this page, got another site's")
        try:
            parts = urlsplit(self.path)
            query = parse_qs(parts.query, strict_parsing=bool(parts.query), errors="strict")
        except ValueError as error:
            raise HttpRefusal(HTTPStatus.BAD_REQUEST, "expected an address of this page") from error
        _, token, *rest = *parts.path.split("/", 2), ""
        if not hmac.compare_digest(token.encode(), self.server.token.encode()):
            raise HttpRefusal(HTTPStatus.FORBIDDEN, "expected the address that was printed, got another word")
        if len(rest) == 1:
            raise HttpRefusal(HTTPStatus.NOT_FOUND, "expected the address that was printed, with its last /")
        return rest[0], query.get("rater", [""])[0]

    def _get(self, place: str, rater: str) -> PageResponse:
        if place in _FILES:
            name, kind = _FILES[place]
            package = __package__ if name in _SHARED else self.server.package
            return PageResponse(content=files(package).joinpath(name).read_bytes(), kind=kind)
        return self.server.page.get(place, rater)

    def _post(self, place: str, rater: str) -> PageResponse:
        found = self.server.page.post(place, rater, self._body())
        self._ends = place == FINISH
        return found

    def _body(self) -> bytes:
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdigit() and int(length) <= LONGEST_BODY):
            raise HttpRefusal(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"expected at most {LONGEST_BODY} bytes")
        if self.headers.get_content_type() != "application/json":
            raise HttpRefusal(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "expected JSON")
        return self.rfile.read(int(length))
