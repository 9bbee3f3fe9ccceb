"""Client for a model behind any OpenAI-compatible endpoint, with retries."""

from __future__ import annotations

import asyncio
import os
import random
import time
import weakref
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from concurrent.futures import CancelledError
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import quote

from fingertip_dataset.errors import EndpointError, MissingExtraError, ModelError, UsageError
from fingertip_dataset.release.problems import printable
from fingertip_models.chat.bounded_response import (
    MOST_CHARACTERS,
    UNCOMPRESSED,
    ResponseCheck,
    limit_bytes,
    most_bytes,
)
from fingertip_models.chat.chat_answer import ModelAnswer, read_answer
from fingertip_models.chat.chat_failures import (
    Failure,
    find_first_cause,
    make_connection_failure,
    make_timeout_failure,
)
from fingertip_models.chat.key_mask import KeyMask
from fingertip_models.chat.loop_thread import LoopThread
from fingertip_models.chat.preflight import (
    QUICK_CONNECT_S,
    SMALL_RETRIES,
    SMALL_TIMEOUT_S,
    find_missing_model,
    make_small_request,
)
from fingertip_models.chat.request import has_picture, has_system, make_request_body
from fingertip_models.chat.stream import Assembly
from fingertip_models.limits import RateLimit
from fingertip_models.messages import Message
from fingertip_models.options import OPENAI_URL, ModelOptions

if TYPE_CHECKING:
    from openai import AsyncAPIResponse, AsyncOpenAI
    from tenacity import RetryCallState

__all__ = ["ChatClient", "Message", "ModelAnswer"]

CallAttempt = tuple[Mapping[str, object], float | None]
"""JSON of an answer, and `time.perf_counter` at its first token or None if it was not streamed."""

BACKOFF_S = 2.0
"""First wait before a retry in seconds; later waits double."""
LONGEST_BACKOFF_S = 60.0
"""Maximum wait before a retry in seconds."""
CONNECT_S = 30.0
"""Maximum seconds until a connection is open, its TLS handshake included."""
WITH_USAGE = {"include_usage": True}
"""Requests that a stream ends with the tokens."""
NO_KEY = "none"
"""Key sent to a server given by its URL if the environment has none: local servers need no key."""


class ChatClient:
    """Client of one model, for any number of concurrent threads and event loops.

    All requests are made in one event loop of the client, so they share one connection pool. Connection
    errors, timeouts and the statuses 408, 409, 429 and 5xx are retried: after the wait that the server
    requests, otherwise after a wait that doubles, with jitter. The caller limits the concurrency.

    No redirect is followed, bodies are read up to a limit of bytes, and the key is masked in answers and in
    messages; see `ResponseCheck`, `limit_bytes` and `KeyMask`.

    Args:
        options: Options of the model.
        backoff_s: First wait in seconds.
        requests_per_minute: Maximum request rate, retries included; None for no limit.
        on_retry: Callback with a sentence on each failed attempt that is retried, called before the wait in
            a thread of the client.
        preflight: Whether the first request, and the first one with a picture, waits for a preflight: the
            server's list of models must have the model, where there is one, and a small request must be
            answered. Its time and tokens are in no answer.

    Raises:
        UsageError: The endpoint is OpenAI's and the environment has no key, or the key cannot be sent.
        MissingExtraError: The extra `models` is not installed.
    """

    def __init__(
        self,
        options: ModelOptions,
        *,
        backoff_s: float = BACKOFF_S,
        requests_per_minute: int | None = None,
        on_retry: Callable[[str], None] | None = None,
        preflight: bool = False,
    ) -> None:
        try:
            import tenacity
            from openai import AsyncOpenAI, DefaultAsyncHttpxClient, Timeout
        except ImportError as error:
            raise MissingExtraError(error.name or "openai", "models") from error
        self.options = options
        key = _read_key(options)
        # `opening` outlives this client if nobody closes it, so it must not refer to it
        self._mask = mask = KeyMask(key)
        self._preflight = preflight
        self._preflights: dict[bool, asyncio.Future[None]] = {}
        self._limit = None if requests_per_minute is None else RateLimit(requests_per_minute)
        self._backoff_s = backoff_s
        self._on_retry = on_retry
        self._doubling = tenacity.wait_exponential(multiplier=backoff_s, max=LONGEST_BACKOFF_S)

        def opening() -> AsyncOpenAI:
            check = ResponseCheck(options, mask)
            return AsyncOpenAI(
                api_key=key,
                base_url=_choose_base_url(options),
                default_query={"api-version": options.api_version} if options.api_version else None,
                timeout=Timeout(options.timeout_s, connect=min(options.timeout_s, CONNECT_S)),
                # `_wait` decides on retries, so the SDK must not retry as well
                max_retries=0,
                default_headers={**UNCOMPRESSED, "api-key": key} if options.api_version else UNCOMPRESSED,
                http_client=DefaultAsyncHttpxClient(
                    follow_redirects=False,
                    event_hooks={
                        "request": [_remove_bearer] if options.api_version else [],
                        "response": [check],
                    },
                ),
            )

        try:
            self._thread: LoopThread[AsyncOpenAI] = LoopThread(opening)
        except Exception as error:  # the SDK cannot use the URL, or a proxy or file of the environment
            message = printable(mask(f"{type(error).__name__}: {error}"), 200)
            if isinstance(error, OSError):
                raise UsageError(
                    f"the certificates of SSL_CERT_FILE or SSL_CERT_DIR cannot be read: {message}"
                ) from error
            raise UsageError(f"the base URL or a proxy cannot be used: {message}") from error
        self._finalizer = weakref.finalize(self, self._thread.close)

    def settings(self) -> dict[str, object]:
        """Return everything that answers depend on; see `ModelOptions.settings`."""
        return self.options.settings()

    def ask(self, messages: Sequence[Message]) -> ModelAnswer:
        """Query the model.

        Raises:
            EndpointError: The preflight failed, or after this request a small one failed, too.
            ModelError: Every attempt failed, or the server refused the request.
            InputError: An image is neither PNG, JPEG, GIF nor WebP.
            UsageError: The client is closed.
        """
        request = make_request_body(self.options, messages)
        future = self._thread.submit(lambda sdk: self._ask(sdk, request))
        try:
            return future.result()
        # `close` from another thread cancels what is still running
        except CancelledError as error:
            raise self._make_error(Failure("the end of the client", again=False)) from error
        except BaseException:
            future.cancel()
            raise

    async def ask_async(self, messages: Sequence[Message]) -> ModelAnswer:
        """Query the model as `ask` does, from any event loop. Cancelling it ends the request."""
        request = make_request_body(self.options, messages)
        future = self._thread.submit(lambda sdk: self._ask(sdk, request))
        try:
            return await asyncio.wrap_future(future)
        except asyncio.CancelledError as error:
            task = asyncio.current_task()
            # the caller was cancelled, not the client
            if task is not None and task.cancelling():
                raise
            raise self._make_error(Failure("the end of the client", again=False)) from error

    def check(self, *, picture: bool = False) -> None:
        """Make the preflight now, as the first request of a client with `preflight` does.

        Args:
            picture: Whether it has a picture.

        Raises:
            EndpointError: It failed.
        """
        self._thread.submit(lambda sdk: self._wait_until_ready(sdk, picture=picture, system=False)).result()

    def close(self) -> None:
        """Cancel running requests, and end the connections and the thread; repeated calls do nothing."""
        self._finalizer()

    async def aclose(self) -> None:
        """Close the client without blocking the event loop."""
        await asyncio.to_thread(self.close)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def _ask(self, sdk: AsyncOpenAI, request: Mapping[str, Any]) -> ModelAnswer:
        """Answer a request, after the preflight; a failure ends with a small request, which may be answered.

        Raises:
            EndpointError: The small request failed, too: the endpoint answers nothing.
            ModelError: Only this request failed.
        """
        if self._preflight:
            await self._wait_until_ready(sdk, picture=has_picture(request), system=has_system(request))
        try:
            return await self._answer(sdk, request, self.options.retries)
        except Failure as failure:
            alive = await self._is_alive(sdk)
            raise self._make_error(failure, ModelError if alive else EndpointError) from failure

    async def _wait_until_ready(self, sdk: AsyncOpenAI, *, picture: bool, system: bool) -> None:
        """Wait for the preflight, which the first request starts, and the first one with a picture again."""
        if True in self._preflights:
            picture = True
        check = self._preflights.get(picture)
        if check is None:
            check = self._preflights[picture] = asyncio.ensure_future(
                self._check(sdk, picture=picture, system=system)
            )
            # a failure that nobody awaits any more is no news
            check.add_done_callback(lambda done: done.cancelled() or done.exception())
        await asyncio.shield(check)

    async def _check(self, sdk: AsyncOpenAI, *, picture: bool, system: bool) -> None:
        """Check that the endpoint has the model, and that it answers a small request.

        Raises:
            EndpointError: It does not.
        """
        small, what = make_small_request(self.options, picture=picture, system=system), ""
        try:
            await self._check_name(sdk)
            try:
                await self._answer(sdk, small, SMALL_RETRIES)
            except Failure as failure:
                if picture and not failure.again and await self._is_alive(sdk):
                    what = "it answers without a picture, but not with one: "
                raise
        except Failure as failure:
            advice = "start the server or correct its URL" if failure.unreachable else ""
            advice = "; ".join(filter(None, (advice, "--no-preflight leaves this check out")))
            failure.message = f"{what}{failure.message} ({advice})"
            raise self._make_error(failure, EndpointError) from failure

    async def _check_name(self, sdk: AsyncOpenAI) -> None:
        """Look for the model in the server's list, if it has one; Azure's has base models, no deployments.

        Raises:
            Failure: The list does not have it, or nothing can be reached at the server's address.
        """
        from openai import Timeout

        whole = min(self.options.timeout_s, SMALL_TIMEOUT_S)
        connect = min(whole, QUICK_CONNECT_S)
        quick = sdk.with_options(timeout=Timeout(whole, connect=connect))
        try:
            async with (
                self._convert_failures(whole, connect),
                quick.models.with_streaming_response.list() as response,
            ):
                content = b"".join([piece async for piece in self._read_pieces(response)])
        except Failure as failure:
            if failure.unreachable:
                raise
            return  # not every server has a list; the small request shows what is wrong
        missing = None if self.options.on_azure else find_missing_model(content, self.options.model)
        if missing:
            raise Failure(missing, again=False)

    async def _is_alive(self, sdk: AsyncOpenAI) -> bool:
        """Send the small request once, without a picture, and return whether it is answered."""
        small = make_small_request(self.options, picture=False)
        try:
            await self._answer(sdk, small, 0, timeout_s=min(self.options.timeout_s, SMALL_TIMEOUT_S))
        except Failure:
            return False
        return True

    async def _answer(
        self, sdk: AsyncOpenAI, request: Mapping[str, Any], retries: int, *, timeout_s: float | None = None
    ) -> ModelAnswer:
        """Send a request until it is answered, with the key masked in the answer.

        Raises:
            Failure: No attempt brought an answer.
        """
        from tenacity import AsyncRetrying, retry_if_exception, stop_after_attempt

        attempts = 0
        seconds, first_token_s = 0.0, None
        body: Mapping[str, object] = {}
        try:
            async for attempt in AsyncRetrying(
                stop=stop_after_attempt(retries + 1),
                wait=self._wait,
                before_sleep=partial(self._notify_retry, retries),
                retry=retry_if_exception(lambda error: isinstance(error, Failure) and error.again),
                reraise=True,
            ):
                with attempt:
                    attempts += 1
                    if self._limit:
                        await self._limit.turn()
                    begun = time.perf_counter()
                    body, first = await self._attempt(sdk, request, timeout_s or self.options.timeout_s)
                    seconds = time.perf_counter() - begun
                    first_token_s = None if first is None else first - begun
        except Failure as failure:
            failure.attempts = attempts
            raise
        answer = read_answer(
            body,
            model=self.options.model,
            seconds=seconds,
            attempts=attempts,
            first_token_s=first_token_s,
        )
        size = sum(map(len, (answer.text, answer.reasoning, answer.model, answer.finish_reason or "")))
        if size > MOST_CHARACTERS:
            message = f"{size:,} characters, more than the limit of an answer, {MOST_CHARACTERS:,}"
            raise Failure(message, again=False)
        if answer.refusal:
            raise Failure(answer.refusal, again=False)
        return self._mask.answer(answer)

    async def _attempt(self, sdk: AsyncOpenAI, request: Mapping[str, Any], timeout_s: float) -> CallAttempt:
        """Send one request, read its answer within the limit of bytes, and time the first token of a stream.

        The raw bytes are read instead of the SDK's chunks, which hide whether a stream is complete.

        Raises:
            Failure: The attempt brought no answer.
        """
        streamed = self.options.stream
        if streamed:
            # some servers refuse it: then nobody counts the tokens
            usage = {} if "stream_options" in self.options.extra_body else {"stream_options": WITH_USAGE}
            request = {**request, "stream": True, **usage}
        # the SDK takes fields that it does not know only so
        extra = {name: request[name] for name in self.options.extra_body if name in request}
        known = {name: value for name, value in request.items() if name not in extra}
        # servers that know no other way stream unasked, and some put comments before a plain answer
        assembly, first = Assembly(self._mask), None
        async with (
            self._convert_failures(timeout_s),
            sdk.chat.completions.with_streaming_response.create(
                **known, extra_body=extra or None
            ) as response,
        ):
            async for piece in self._read_pieces(response):
                assembly.feed(piece)
                if streamed and first is None and assembly.begun:
                    first = time.perf_counter()
        return assembly.body(), first

    async def _read_pieces(self, response: AsyncAPIResponse[Any]) -> AsyncIterator[bytes]:
        """Yield the body of a response, decompressed, within the limit of bytes."""
        try:
            async for piece in limit_bytes(response.iter_bytes(), most_bytes(self.options)):
                yield piece
        except (Failure, TimeoutError, asyncio.CancelledError):
            raise
        except Exception as error:  # any layer may have lost the connection
            what = "stream" if self.options.stream else "answer"
            raise Failure(f"a broken {what}, {find_first_cause(error)}", again=True) from None

    @asynccontextmanager
    async def _convert_failures(
        self, timeout_s: float, connect_s: float | None = None
    ) -> AsyncIterator[None]:
        """Convert every error of an attempt, the deadline included, into a `Failure`."""
        import openai

        try:
            # the SDK's own timeout restarts with every byte that a stalling server sends
            async with asyncio.timeout(timeout_s):
                yield
        except Failure:
            raise
        except (TimeoutError, openai.APITimeoutError) as error:
            raise make_timeout_failure(
                error, timeout_s, min(timeout_s, connect_s or CONNECT_S), self.options.endpoint
            ) from None
        # after APITimeoutError, which is a subclass of it
        except openai.APIConnectionError as error:
            raise make_connection_failure(error, self.options.endpoint) from None
        except Exception as error:  # lower layers raise undocumented errors, which must not end a run
            raise Failure(f"{type(error).__name__}: {error}", again=False) from error

    def _wait(self, state: RetryCallState) -> float:
        """Return the seconds before the next attempt, with jitter to spread requests refused together."""
        failure = state.outcome.exception() if state.outcome else None
        wait_s = failure.wait_s if isinstance(failure, Failure) else None
        return (wait_s or self._doubling(state)) + random.uniform(0, self._backoff_s / 2)  # noqa: S311

    def _notify_retry(self, retries: int, state: RetryCallState) -> None:
        """Report a failed attempt and the time of the next one."""
        failure = state.outcome.exception() if state.outcome else None
        if self._on_retry and isinstance(failure, Failure):
            self._on_retry(
                f"asking {self.options.model} again in {state.upcoming_sleep:.0f} s (attempt "
                f"{state.attempt_number + 1} of {retries + 1}): "
                f"{printable(self._mask(failure.message))}"
            )

    def _make_error(self, failure: Failure, kind: type[ModelError] = ModelError) -> ModelError:
        """Make the error of a request, with its message in one line."""
        tried = f" after {failure.attempts} attempts" if failure.attempts > 1 else ""
        return kind(
            f"{self.options.model} at {self.options.endpoint} did not answer: "
            f"{printable(self._mask(failure.message))}{tried}"
        )


def _choose_base_url(options: ModelOptions) -> str:
    """The URL under which `/chat/completions` lies; of Azure's dated API that of the deployment."""
    if options.api_version is None or "/deployments/" in options.endpoint:
        return options.endpoint
    return f"{options.endpoint}/deployments/{quote(options.model, safe='')}"


async def _remove_bearer(request: Any) -> None:  # noqa: ANN401 - of the SDK's HTTP client, by its version
    """Remove the bearer token: Azure's dated API takes it for one of Entra ID, and has the key elsewhere."""
    request.headers.pop("authorization", None)


def _read_key(options: ModelOptions) -> str:
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
