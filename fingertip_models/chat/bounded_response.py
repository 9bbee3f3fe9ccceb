"""Guarded reading of HTTP responses: no redirect is followed, and no body is read beyond a limit."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from datetime import datetime
from typing import Protocol
from urllib.parse import urljoin, urlsplit

from fingertip_dataset.release.problems import printable
from fingertip_models.chat.body_text import decode_body
from fingertip_models.chat.chat_failures import Failure, add_advice
from fingertip_models.chat.chat_failures import make_refusal as status_refusal
from fingertip_models.chat.key_mask import KeyMask
from fingertip_models.options import ModelOptions

BASE_BYTES = 16 * 2**20
"""Maximum bytes of a body without its tokens: room for the JSON around a long answer."""

BYTES_PER_TOKEN = 1024
"""Additional bytes for each token of the limit: a stream sends an event a token."""

MOST_ERROR_BYTES = 2**16
"""Maximum bytes that are read of the body of an error."""

MOST_CHARACTERS = 2**20
"""Maximum characters of an answer with its reasoning, which logs and caches keep."""

UNCOMPRESSED: Mapping[str, str] = {"Accept-Encoding": "identity"}
"""Request header: answers are short, and compressed ones can grow."""


class HttpResponse(Protocol):
    """Part of a response of httpx that is read, of either major version."""

    status_code: int

    @property
    def headers(self) -> Mapping[str, str]:
        """Headers, whose names are case-insensitive."""

    def aiter_bytes(self) -> AsyncIterator[bytes]:
        """Decompressed bytes of the body."""

    async def aclose(self) -> None:
        """End the response, and its connection if its body was not read."""


def most_bytes(options: ModelOptions) -> int:
    """Return the maximum bytes of an answer's body, decompressed.

    >>> most_bytes(ModelOptions(model="m")) // 2**20
    24
    """
    return BASE_BYTES + BYTES_PER_TOKEN * options.max_tokens


async def check_response(response: HttpResponse, options: ModelOptions, mask: KeyMask, now: datetime) -> None:
    """Check status and encoding of a response before its body is read.

    Redirects are refused even to the same server: a request carries the key and people's screens, and the
    endpoint of a run is part of its record.

    Args:
        response: The response.
        options: Options of the request.
        mask: Mask of the key, for the body of an error.
        now: Current time with a time zone, from which a date to wait for is counted.

    Raises:
        Failure: A redirect, an error status, or a body that is compressed more than once.
    """
    status, headers = response.status_code, response.headers
    if 300 <= status < 400 and headers.get("location"):
        # masked before the address is cut, which may leave the beginning of the key
        raise _refuse_redirect(status, mask(headers["location"]), options.endpoint)
    if "," in headers.get("content-encoding", ""):
        # each layer of compression multiplies what a few bytes can grow to
        raise Failure("an answer compressed more than once", again=False)
    if status < 300:
        return
    content = await _read_beginning(response, MOST_ERROR_BYTES)
    body = mask(decode_body(content, headers.get("content-type", "")))
    raise add_advice(status_refusal(status, body, headers, now), status, body, options)


async def _read_beginning(response: HttpResponse, most: int) -> bytes:
    """Read at most the first `most` bytes of a body, or what came before it broke off."""
    content = b""
    try:
        async for piece in response.aiter_bytes():
            content += piece[: most - len(content)]
            if len(content) == most:
                break
    except Exception:  # a lost connection or broken compression: the status says more than they do
        return content
    return content


def _refuse_redirect(status: int, location: str, endpoint: str) -> Failure:
    """Make the failure of a redirect, which names the address without a password or a query."""
    try:
        to = urlsplit(urljoin(f"{endpoint}/chat/completions", location))
        host = f"[{to.hostname}]" if ":" in (to.hostname or "") else to.hostname
        port = "" if to.port is None else f":{to.port}"
        address = printable(f"{to.scheme}://{host}{port}{to.path}", 200)
    except ValueError:
        address = "an address that cannot be read"
    return Failure(
        f"a redirect (status {status}) to {address}, which is never followed: "
        "if that server is meant, give its base URL",
        again=False,
    )
