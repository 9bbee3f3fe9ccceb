"""HTTP server of an annotation page: bound to loopback, with a secret token in the address."""

from __future__ import annotations

import hmac
import json
import secrets
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from types import TracebackType
from typing import Protocol, Self
from urllib.parse import parse_qs, urlsplit

from fingertip_dataset.errors import FingerTipError, UsageError
from fingertip_pages.page_policy import SERVED_POLICY
from fingertip_runs.page_template import page_template

HERE = "127.0.0.1"

LONGEST_BODY = 64 * 1024
"""Maximum number of bytes of a posted annotation."""

FINISH = "finish"
"""Address to which the page posts when the rater is done."""

_CSS, _JAVASCRIPT = "text/css; charset=utf-8", "text/javascript; charset=utf-8"
_SHARED: Mapping[str, str] = {
    "annotation.css": _CSS,
    **dict.fromkeys(("annotation.js", "marks.js", "sections.js"), _JAVASCRIPT),
}
"""File name -> media type of the files that all pages share."""

_OWN: Mapping[str, str] = {"page.css": _CSS, "page.js": _JAVASCRIPT}
"""File name -> media type of the files in the page's own package."""

_FONT = "chinese.otf"
"""Address of the Chinese font, which is in every install; it is read when a browser needs it."""

_TEMPLATE = "page.html.j2"
"""Template in the page's own package; it extends annotation_page.html.j2."""

_HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": SERVED_POLICY,
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    # screens of a person's phone must not stay in a browser's cache
    "Cache-Control": "no-store",
}


class HttpRefusal(Exception):
    """Refusal of a request, with its HTTP status; caught within the server."""

    def __init__(self, status: HTTPStatus, why: str) -> None:
        super().__init__(why)
        self.status = status


@dataclass(frozen=True, slots=True, kw_only=True)
class PageResponse:
    """A response: its bytes, their media type, and the HTTP status."""

    content: bytes
    kind: str
    status: HTTPStatus = HTTPStatus.OK


class PageHandler(Protocol):
    """Handler of a page's requests, except those for its files."""

    def get(self, place: str, rater: str) -> PageResponse:
        """Handles a GET.

        Args:
            place: Path below the page's address, without the query.
            rater: Name that the page sends; "" for none.

        Raises:
            HttpRefusal: There is nothing at the path, or nothing for this rater.
            FingerTipError: The request is malformed.
        """

    def post(self, place: str, rater: str, body: bytes) -> PageResponse:
        """Handles a POST; after `FINISH` the server ends. Errors are those of `get`."""


class PageServer:
    """Serves a page until the rater finishes it or `stop` is called. A context manager.

    Args:
        page: Handler of the requests; the package of its class has page.html.j2, page.css and page.js.
        port: TCP port on 127.0.0.1; 0 for any free one.

    Attributes:
        url: Address of the page; it grants access to all of it.

    Raises:
        UsageError: The port is taken.
    """

    def __init__(self, page: PageHandler, *, port: int = 0) -> None:
        try:
            self._server = _Server((HERE, port), _Handler)
        except OSError as error:
            raise UsageError(f"port {port} cannot be used: {error.strerror or error}") from error
        package = type(page).__module__.rpartition(".")[0]
        self._server.page = page
        self._server.files = _read_page_files(package)
        self._server.token = secrets.token_urlsafe(24)
        self.url = f"http://{HERE}:{self._server.server_port}/{self._server.token}/"

    def serve(self) -> None:
        """Serves until the page is finished or `stop` is called."""
        self._server.serve_forever(poll_interval=0.02)

    def stop(self) -> None:
        """Ends `serve`; called from another thread."""
        self._server.shutdown()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.server_close()


def json_response(content: Mapping[str, object], status: HTTPStatus = HTTPStatus.OK) -> PageResponse:
    """An object as a JSON response."""
    # escaped to ASCII: a broken record may hold a lone surrogate, which UTF-8 cannot encode
    return PageResponse(content=json.dumps(content).encode(), kind="application/json", status=status)


def unknown_address() -> HttpRefusal:
    """The refusal of an address that the page does not have."""
    return HttpRefusal(HTTPStatus.NOT_FOUND, "this page has no such address")


def _read_page_files(package: str) -> dict[str, PageResponse]:
    """The page's files by their address: the rendered HTML at "", the page's own and the shared ones."""
    from fingertip_pages.page_files import SCRIPT, base_style, page_file
    from fingertip_pages.page_font import served_font_face

    page = page_template(package, _TEMPLATE, base=__package__).render()
    style = served_font_face(_FONT) + base_style()
    found = {
        "": PageResponse(content=page.encode(), kind="text/html; charset=utf-8"),
        "base.css": PageResponse(content=style.encode(), kind=_CSS),
        SCRIPT: PageResponse(content=page_file(SCRIPT).encode(), kind=_JAVASCRIPT),
    }
    for folder, names in ((package, _OWN), (__package__, _SHARED)):
        for name, kind in names.items():
            found[name] = PageResponse(content=files(folder).joinpath(name).read_bytes(), kind=kind)
    return found


class _Server(ThreadingHTTPServer):
    page: PageHandler
    files: Mapping[str, PageResponse]
    token: str
    daemon_threads = True
    # several raters' browsers open several connections each
    request_queue_size = 64
    # a browser keeps unused connections open: do not wait for them when closing
    block_on_close = False

    def handle_error(self, request: object, client_address: object) -> None:
        """Print nothing for a connection that the browser has reset, which is no error of the page."""
        if not isinstance(sys.exception(), ConnectionError | TimeoutError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    server_version = "fingertip"
    # responses need not tell the version of Python
    sys_version = ""
    # a connection that sends nothing must not hold its thread
    timeout = 30
    _ends = False

    def do_GET(self) -> None:
        self._answer(self._get)

    def do_HEAD(self) -> None:
        self._answer(self._get)

    def do_POST(self) -> None:
        self._answer(self._post)

    def log_message(self, format: str, *args: object) -> None:
        """Prints nothing, to keep the command's output readable."""

    def _answer(self, find: Callable[[str, str], PageResponse]) -> None:
        try:
            found = find(*self._place())
        except HttpRefusal as refusal:
            found = json_response({"error": str(refusal)}, refusal.status)
        except FingerTipError as error:
            found = json_response({"error": str(error)}, HTTPStatus.BAD_REQUEST)
        try:
            self._send(found)
        except ConnectionError:
            self.close_connection = True  # the browser has closed the page
        finally:
            if self._ends:  # after the response is sent, because the program may exit at once
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
        """The requested path behind the token, and the rater's name; "" for none.

        Raises:
            HttpRefusal: The address is not the printed one, or another site's page sends the request.
        """
        here = f"{HERE}:{self.server.server_port}"
        # against DNS rebinding: a foreign host name may resolve to this computer
        if self.headers.get_all("Host") != [here]:
            raise HttpRefusal(HTTPStatus.FORBIDDEN, f"open the address that was printed, at {here}")
        # a browser sends Origin with every request of another site's script
        if self.headers.get("Origin", f"http://{here}") != f"http://{here}":
            raise HttpRefusal(HTTPStatus.FORBIDDEN, "the request comes from another site")
        try:
            parts = urlsplit(self.path)
            query = parse_qs(parts.query, strict_parsing=bool(parts.query), errors="strict")
        except ValueError as error:
            raise HttpRefusal(HTTPStatus.BAD_REQUEST, "the address is not one of this page") from error
        _, token, *rest = *parts.path.split("/", 2), ""
        # the time of the comparison must not reveal the token
        if not hmac.compare_digest(token.encode(), self.server.token.encode()):
            raise HttpRefusal(HTTPStatus.FORBIDDEN, "the token is not that of the address that was printed")
        if len(rest) == 1:
            raise HttpRefusal(HTTPStatus.NOT_FOUND, "the address that was printed ends in /")
        return rest[0], query.get("rater", [""])[0]

    def _get(self, place: str, rater: str) -> PageResponse:
        if place in self.server.files:
            return self.server.files[place]
        if place == _FONT:
            from fingertip_pages.page_font import find_font_file

            return PageResponse(content=find_font_file().read_bytes(), kind="font/otf")
        return self.server.page.get(place, rater)

    def _post(self, place: str, rater: str) -> PageResponse:
        found = self.server.page.post(place, rater, self._read_body())
        self._ends = place == FINISH
        return found

    def _read_body(self) -> bytes:
        length = self.headers.get("Content-Length", "")
        # int() also accepts other digits, signs and underscores
        if not (length.isascii() and length.isdigit() and int(length) <= LONGEST_BODY):
            raise HttpRefusal(
                HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"the body must have at most {LONGEST_BODY} bytes"
            )
        # a form of another site can post, but not as application/json
        if self.headers.get_content_type() != "application/json":
            raise HttpRefusal(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "the request is not JSON")
        return self.rfile.read(int(length))
