"""HTTP side of an endpoint: sends one request, and reads its answer within limits of bytes and of time."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import quote

from fingertip_dataset.errors import UsageError
from fingertip_models.chat.bounded_response import UNCOMPRESSED, check_response, most_bytes
from fingertip_models.chat.chat_failures import (
    Failure,
    find_first_cause,
    make_connection_failure,
    make_timeout_failure,
)
from fingertip_models.chat.key_mask import KeyMask
from fingertip_models.chat.stream import Assembly
from fingertip_models.options import LIMITS, OPENAI_URL, ModelOptions

if TYPE_CHECKING:
    from fingertip_models.chat.bounded_response import HttpResponse

CallAttempt = tuple[Mapping[str, object], float | None]
"""JSON of an answer, and `time.perf_counter` at its first token or None if it was not streamed."""

CONNECT_S = 30.0
"""Maximum seconds until a connection is open, its TLS handshake included."""

MOST_CONNECTIONS = 1000
"""Maximum number of connections, as of the openai package; further requests wait."""

QUICK_READ_S = 5.0
"""Maximum seconds of a request for what a run can do without."""

LAST_BYTES_S = 1.0
"""Maximum seconds until a stream ends behind its end mark; after them its answer is taken as it is."""

LONGEST_STREAM = 60
"""Maximum time of a stream whose tokens keep coming, in timeouts: two hours at the default of 120 s."""

NO_KEY = "none"
"""Key sent to a server given by its URL if the environment has none: local servers need no key."""

PIECES_PER_TOKEN = 2
"""Pieces of text that a stream may send for each token of the limit, before it counts as endless."""

FEW_PIECES = 64
"""Pieces of text that a stream may send besides."""


class Endpoint:
    """Connections to one endpoint, in one event loop. An asynchronous context manager.

    The HTTP client of the openai package is used without the rest of the package, whose checks of each
    request and answer cost as much again: what is sent is made by `make_request_body`, and no field of an
    answer is trusted anyway.

    Args:
        options: Options of the model.
        key: API key.
        mask: Mask of the key for the texts of errors.

    Raises:
        MissingExtraError: The extra `models` is not installed.
    """

    def __init__(self, options: ModelOptions, key: str, mask: KeyMask) -> None:
        from openai import DefaultAsyncHttpxClient, Timeout

        self._options = options
        self._mask = mask
        # httpx or its successor, by the version of the SDK
        self._http: ModuleType = sys.modules[DefaultAsyncHttpxClient.__mro__[1].__module__.partition(".")[0]]
        self._make_timeout = Timeout
        # the certificates are read once, not for each connection
        certificates = self._http.create_ssl_context()
        self._open_client = partial(DefaultAsyncHttpxClient, follow_redirects=False, verify=certificates)
        # the first is opened here, so that a proxy that cannot be used shows at once
        self._clients = [self._open_client()]
        self._idle = list(self._clients)
        self._gate = asyncio.Semaphore(MOST_CONNECTIONS)
        self._headers = self._http.Headers(_make_headers(options, key))
        query = f"?api-version={options.api_version}" if options.api_version else ""
        self._chat_url = self._http.URL(f"{_choose_base_url(options)}/chat/completions{query}")
        self._models_url = self._http.URL(f"{_choose_base_url(options)}/models{query}")
        self._embeddings_url = self._http.URL(f"{_choose_base_url(options)}/embeddings{query}")
        self._most_bytes = most_bytes(options)
        self._most_pieces = _count_most_pieces(options)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        for client in self._clients:
            await client.aclose()

    async def complete(self, request: Mapping[str, Any], *, stream: bool, timeout_s: float) -> CallAttempt:
        """Send a request and read its answer; each token of a stream starts the timeout anew.

        The raw bytes are read instead of the SDK's chunks, which hide whether a stream is complete.

        Args:
            request: JSON of the request, made by `make_request_body`.
            stream: Whether the answer is requested as a stream.
            timeout_s: Maximum seconds until the whole answer, or in a stream until the next token.

        Raises:
            Failure: The attempt brought no answer.
        """
        body = json.dumps(request, ensure_ascii=False, separators=(",", ":")).encode()
        connect_s = min(timeout_s, CONNECT_S)
        # servers that know no other way stream unasked, and some put comments before a plain answer
        assembly, first = Assembly(self._mask), None
        try:
            # the HTTP client's own timeout restarts with every byte that a stalling server sends
            async with (
                asyncio.timeout(timeout_s) as deadline,
                self._open_response("POST", self._chat_url, body, timeout_s, connect_s) as response,
            ):
                assembly.content_type = response.headers.get("content-type", "")
                longest, pieces = time.monotonic() + LONGEST_STREAM * timeout_s, 0
                async for content in self._read_pieces(response, stream=stream):
                    assembly.feed(content)
                    loop = asyncio.get_running_loop()
                    if assembly.pieces > pieces:
                        pieces, now = assembly.pieces, time.monotonic()
                        first = first or time.perf_counter()
                        deadline.reschedule(loop.time() + min(timeout_s, longest - now))
                    if assembly.done:
                        # only a response that has ended leaves its connection for the next one
                        last = loop.time() + LAST_BYTES_S
                        deadline.reschedule(min(deadline.when() or last, last))
                    if pieces > self._most_pieces:
                        message = f"more than {self._most_pieces:,} pieces of text without an end"
                        raise Failure(message, again=False)
        except Exception as error:
            if assembly.done:
                return assembly.body(), first if stream else None
            begun = assembly.pieces > 0
            raise self._convert_error(error, timeout_s, connect_s, stream=stream, begun=begun) from None
        return assembly.body(), first if stream else None

    async def embed(self, request: Mapping[str, Any], *, timeout_s: float) -> bytes:
        """Send a request for vectors, and read the body of the answer.

        Raises:
            Failure: The attempt brought no answer.
        """
        body = json.dumps(request, ensure_ascii=False, separators=(",", ":")).encode()
        connect_s = min(timeout_s, CONNECT_S)
        try:
            async with (
                asyncio.timeout(timeout_s),
                self._open_response("POST", self._embeddings_url, body, timeout_s, connect_s) as response,
            ):
                return b"".join([piece async for piece in self._read_pieces(response, stream=False)])
        except Exception as error:
            raise self._convert_error(error, timeout_s, connect_s, stream=True, begun=False) from None

    async def list_models(self, *, timeout_s: float, connect_s: float) -> bytes:
        """Read the server's list of models.

        Raises:
            Failure: It cannot be read.
        """
        return await self._read(self._models_url, None, timeout_s, connect_s)

    async def read_path(
        self, path: str, sent: Mapping[str, object] | None = None, timeout_s: float = QUICK_READ_S
    ) -> bytes:
        """Read a path of the server next to that of the API.

        Args:
            path: The path, from the server's root.
            sent: JSON to post; None for a GET.
            timeout_s: Maximum seconds until the whole answer.

        Raises:
            Failure: It cannot be read.
        """
        url = self._models_url.copy_with(path=path, query=None)
        body = None if sent is None else json.dumps(sent).encode()
        return await self._read(url, body, timeout_s, timeout_s)

    async def _read(self, url: object, body: bytes | None, timeout_s: float, connect_s: float) -> bytes:
        method = "GET" if body is None else "POST"
        try:
            async with (
                asyncio.timeout(timeout_s),
                self._open_response(method, url, body, timeout_s, connect_s) as response,
            ):
                return b"".join([piece async for piece in self._read_pieces(response, stream=False)])
        except Exception as error:
            raise self._convert_error(error, timeout_s, connect_s, stream=True, begun=False) from None

    @asynccontextmanager
    async def _open_response(
        self, method: str, url: object, body: bytes | None, timeout_s: float, connect_s: float
    ) -> AsyncIterator[HttpResponse]:
        """Send a request, check the status of the response, and end it afterwards.

        Each connection is a client of its own, of which one that is idle is taken: the pool of a client looks
        at all its connections before and after every request, which costs more than the request itself.
        """
        timeout = self._make_timeout(timeout_s, connect=connect_s)
        request = self._http.Request(
            method, url, headers=self._headers, content=body, extensions={"timeout": timeout.as_dict()}
        )
        async with self._gate:
            if not self._idle:
                self._clients.append(self._open_client())
                self._idle.append(self._clients[-1])
            client = self._idle.pop()
            try:
                response: HttpResponse = await client.send(request, stream=True)
                try:
                    await check_response(response, self._options, self._mask, datetime.now(UTC))
                    yield response
                finally:
                    await response.aclose()
            finally:
                self._idle.append(client)

    async def _read_pieces(self, response: HttpResponse, *, stream: bool) -> AsyncIterator[bytes]:
        """Yield the body of a response, decompressed, within the limit of bytes."""
        size = 0
        try:
            async for piece in response.aiter_bytes():
                size += len(piece)
                if size > self._most_bytes:
                    message = f"more than {self._most_bytes:,} bytes, the limit of an answer"
                    raise Failure(message, again=False)
                yield piece
        except (Failure, TimeoutError, asyncio.CancelledError):
            raise
        except Exception as error:  # any layer may have lost the connection
            what = "stream" if stream else "answer"
            raise Failure(f"a broken {what}, {find_first_cause(error)}", again=True) from None

    def _convert_error(
        self, error: Exception, timeout_s: float, connect_s: float, *, stream: bool, begun: bool
    ) -> Failure:
        """Convert any error of an attempt, the deadline included, into a failure."""
        if isinstance(error, Failure):
            return error
        if isinstance(error, (TimeoutError, self._http.TimeoutException)):
            return make_timeout_failure(
                error, timeout_s, connect_s, self._options.endpoint, streamed=stream, begun=begun
            )
        # by name, because errors of TLS come unconverted from the layer below, which is none of our packages
        if isinstance(error, (self._http.RequestError, OSError)) or type(error).__name__ == "EndOfStream":
            return make_connection_failure(error, self._options.endpoint)
        # lower layers raise undocumented errors, which must not end a run
        return Failure(f"{type(error).__name__}: {error}", again=False)


def _choose_base_url(options: ModelOptions) -> str:
    """The URL under which `/chat/completions` lies; of Azure's dated API that of the deployment."""
    if options.api_version is None or "/deployments/" in options.endpoint:
        return options.endpoint
    return f"{options.endpoint}/deployments/{quote(options.model, safe='')}"


def _count_most_pieces(options: ModelOptions) -> int:
    """Count the pieces of text that a stream may have, with room for servers that count other tokens."""
    limits = [options.max_tokens, *(options.extra_body.get(name) for name in LIMITS)]
    return FEW_PIECES + PIECES_PER_TOKEN * max(limit for limit in limits if isinstance(limit, int))


def _make_headers(options: ModelOptions, key: str) -> dict[str, str]:
    """Make the headers of each request.

    Azure's dated API has the key in a header of its own, and takes a bearer token for one of Entra ID.
    """
    headers = {
        **UNCOMPRESSED,
        "Accept": "application/json",
        "Content-Type": "application/json",
        "User-Agent": "fingertip-20k",
    }
    # as the openai package does it
    for header, variable in (
        ("OpenAI-Organization", "OPENAI_ORG_ID"),
        ("OpenAI-Project", "OPENAI_PROJECT_ID"),
    ):
        if os.environ.get(variable):
            headers[header] = os.environ[variable]
    return {**headers, **({"api-key": key} if options.api_version else {"Authorization": f"Bearer {key}"})}


def read_key(options: ModelOptions) -> str:
    """Read the API key from the environment.

    Raises:
        UsageError: The endpoint is OpenAI's and the environment has no key, or the key cannot be sent.
    """
    key = os.environ.get(options.api_key_env, "").strip()
    # the SDK requires some key, and a local server ignores it
    if not key and options.endpoint != OPENAI_URL:
        return NO_KEY
    if not key:
        raise UsageError(
            f"the environment variable {options.api_key_env} has no API key: set it, or "
            "give the base URL of a server that needs none"
        )
    # such a key cannot be sent in an HTTP header
    if not (key.isascii() and key.isprintable()):
        raise UsageError(
            f"the API key in the environment variable {options.api_key_env} "
            "has other than printable ASCII characters"
        )
    return key
