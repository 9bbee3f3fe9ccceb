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
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any, Self

from fingertip_dataset.errors import MissingExtraError, ModelError, UsageError
from fingertip_dataset.release.problems import printable
from fingertip_models.chat_answer import ModelAnswer, read_answer
from fingertip_models.chat_failures import Failure, read_body, refusal, with_advice
from fingertip_models.limits import RateLimit
from fingertip_models.loop_thread import LoopThread
from fingertip_models.messages import Message
from fingertip_models.options import OPENAI_URL, ModelOptions
from fingertip_models.request import request_body
from fingertip_models.stream import Assembly

if TYPE_CHECKING:
    from openai import AsyncOpenAI
    from tenacity import RetryCallState

__all__ = ["ChatClient", "Message", "ModelAnswer"]

CallAttempt = tuple[Mapping[str, object], float | None]
"""JSON of an answer, and `time.perf_counter` at its first token or None if it was not streamed."""

BACKOFF_S = 2.0
"""First wait before a retry in seconds; later waits double."""
LONGEST_BACKOFF_S = 60.0
"""Maximum wait before a retry in seconds."""
NO_KEY = "none"
"""Key sent to a server given by its URL if the environment has none: local servers need no key."""
SHORTEST_SECRET = 8
"""Minimum length in characters of a key that is masked in messages."""


class ChatClient:
    """Client of one model, for any number of concurrent threads and event loops.

    All requests are made in one event loop of the client, so they share one connection pool. Connection
    errors, timeouts and the statuses 408, 409, 429 and 5xx are retried: after the wait that the server
    requests, otherwise after a wait that doubles, with jitter. The caller limits the concurrency.

    Args:
        options: Options of the model.
        backoff_s: First wait in seconds.
        requests_per_minute: Maximum request rate, retries included; None for no limit.
        on_retry: Callback with a sentence on each failed attempt that is retried, called before the wait in
            a thread of the client.

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
    ) -> None:
        try:
            import tenacity
            from openai import AsyncOpenAI
        except ImportError as error:
            raise MissingExtraError(error.name or "openai", "models") from error
        self.options = options
        self._key = _key(options)
        self._limit = None if requests_per_minute is None else RateLimit(requests_per_minute)
        self._backoff_s = backoff_s
        self._on_retry = on_retry
        self._doubling = tenacity.wait_exponential(multiplier=backoff_s, max=LONGEST_BACKOFF_S)
        opening = partial(
            AsyncOpenAI,
            api_key=self._key,
            base_url=options.endpoint,
            timeout=options.timeout_s,
            # `_wait` decides on retries, so the SDK must not retry as well
            max_retries=0,
        )
        try:
            self._thread: LoopThread[AsyncOpenAI] = LoopThread(opening)
        except Exception as error:  # the SDK cannot use the URL or a proxy of the environment
            message = printable(f"{type(error).__name__}: {error}", 200)
            raise UsageError(f"the base URL or a proxy cannot be used: {message}") from error
        self._finalizer = weakref.finalize(self, self._thread.close)

    def settings(self) -> dict[str, object]:
        """Return everything that answers depend on; see `ModelOptions.settings`."""
        return self.options.settings()

    def ask(self, messages: Sequence[Message]) -> ModelAnswer:
        """Query the model.

        Raises:
            ModelError: Every attempt failed, or the server refused the request.
            InputError: An image is neither PNG, JPEG, GIF nor WebP.
            UsageError: The client is closed.
        """
        request = request_body(self.options, messages)
        future = self._thread.submit(lambda sdk: self._ask(sdk, request))
        try:
            return future.result()
        # `close` from another thread cancels what is still running
        except CancelledError as error:
            raise self._error("the end of the client") from error
        except BaseException:
            future.cancel()
            raise

    async def ask_async(self, messages: Sequence[Message]) -> ModelAnswer:
        """Query the model as `ask` does, from any event loop. Cancelling it ends the request."""
        request = request_body(self.options, messages)
        future = self._thread.submit(lambda sdk: self._ask(sdk, request))
        try:
            return await asyncio.wrap_future(future)
        except asyncio.CancelledError as error:
            task = asyncio.current_task()
            # the caller was cancelled, not the client
            if task is not None and task.cancelling():
                raise
            raise self._error("the end of the client") from error

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
        from tenacity import AsyncRetrying, retry_if_exception, stop_after_attempt

        attempts = 0
        seconds, first_token_s = 0.0, None
        body: Mapping[str, object] = {}
        attempt_once = self._attempt_streamed if self.options.stream else self._attempt
        try:
            async for attempt in AsyncRetrying(
                stop=stop_after_attempt(self.options.retries + 1),
                wait=self._wait,
                before_sleep=self._notify_retry,
                retry=retry_if_exception(lambda error: isinstance(error, Failure) and error.again),
                reraise=True,
            ):
                with attempt:
                    attempts += 1
                    if self._limit:
                        await self._limit.turn()
                    begun = time.perf_counter()
                    body, first = await attempt_once(sdk, request)
                    seconds = time.perf_counter() - begun
                    first_token_s = None if first is None else first - begun
        except Failure as failure:
            raise self._error(failure.message, attempts) from failure
        return read_answer(
            body,
            model=self.options.model,
            seconds=seconds,
            attempts=attempts,
            first_token_s=first_token_s,
        )

    async def _attempt(self, sdk: AsyncOpenAI, request: Mapping[str, Any]) -> CallAttempt:
        """Send one request and return the JSON of its answer.

        Raises:
            Failure: The attempt brought no answer.
        """
        async with self._failures():
            response = await sdk.chat.completions.with_raw_response.create(**request)
        return read_body(response.content), None

    async def _attempt_streamed(self, sdk: AsyncOpenAI, request: Mapping[str, Any]) -> CallAttempt:
        """Send one request as `_attempt` does, read its answer as a stream, and time the first token.

        The raw bytes are read instead of the SDK's chunks, which hide whether the stream is complete.
        """
        streamed = {**request, "stream": True, "stream_options": {"include_usage": True}}
        assembly, first = Assembly(), None
        async with (
            self._failures(),
            sdk.chat.completions.with_streaming_response.create(**streamed) as response,
        ):
            try:
                async for content in response.iter_bytes():
                    assembly.feed(content)
                    if first is None and assembly.begun:
                        first = time.perf_counter()
            except (Failure, TimeoutError, asyncio.CancelledError):
                raise
            except Exception as error:  # any layer may have lost the connection
                raise Failure(f"a broken stream, {_first_cause(error)}", again=True) from None
        return assembly.body(), first

    @asynccontextmanager
    async def _failures(self) -> AsyncIterator[None]:
        """Convert every error of an attempt, the deadline included, into a `Failure`."""
        import openai

        try:
            # the SDK's own timeout restarts with every byte that a stalling server sends
            async with asyncio.timeout(self.options.timeout_s):
                yield
        except Failure:
            raise
        except (TimeoutError, openai.APITimeoutError):
            raise Failure(f"nothing whole within {self.options.timeout_s:g} s", again=True) from None
        except openai.APIStatusError as error:
            body, headers = self._masked(error.response.text), error.response.headers
            failure = refusal(error.status_code, body, headers, datetime.now(UTC))
            raise with_advice(failure, error.status_code, body, self.options) from None
        # after APITimeoutError, which is a subclass of it
        except openai.APIConnectionError as error:
            raise Failure(f"a connection error, {_first_cause(error)}", again=True) from None
        except Exception as error:  # lower layers raise undocumented errors, which must not end a run
            raise Failure(f"{type(error).__name__}: {error}", again=False) from error

    def _wait(self, state: RetryCallState) -> float:
        """Return the seconds before the next attempt, with jitter to spread requests refused together."""
        failure = state.outcome.exception() if state.outcome else None
        wait_s = failure.wait_s if isinstance(failure, Failure) else None
        return (wait_s or self._doubling(state)) + random.uniform(0, self._backoff_s / 2)  # noqa: S311

    def _notify_retry(self, state: RetryCallState) -> None:
        """Report a failed attempt and the time of the next one."""
        failure = state.outcome.exception() if state.outcome else None
        if self._on_retry and isinstance(failure, Failure):
            self._on_retry(
                f"asking {self.options.model} again in {state.upcoming_sleep:.0f} s (attempt "
                f"{state.attempt_number + 1} of {self.options.retries + 1}): "
                f"{printable(self._masked(failure.message))}"
            )

    def _error(self, message: str, attempts: int = 1) -> ModelError:
        """Make the error of a request, with its message in one line."""
        tried = f" after {attempts} attempts" if attempts > 1 else ""
        return ModelError(
            f"{self.options.model} at {self.options.endpoint} did not answer: "
            f"{printable(self._masked(message))}{tried}"
        )

    def _masked(self, text: str) -> str:
        """Replace the key, which some servers repeat, in a text."""
        # a key as short as "x" is no secret, and masking it would remove letters from the server's message
        return text if len(self._key) < SHORTEST_SECRET else text.replace(self._key, "***")


def _first_cause(error: BaseException) -> str:
    """Return the lowest error of a chain, mostly that of the operating system."""
    while cause := error.__cause__ or error.__context__:
        error = cause
    return f"{type(error).__name__}: {error}"


def _key(options: ModelOptions) -> str:
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
