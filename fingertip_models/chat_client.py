"""A chat with a model behind any OpenAI-compatible endpoint, asked again when that can help."""

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
from fingertip_models.chat_failures import Failure, advised, read_body, refusal
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
"""JSON of an answer; `time.perf_counter` at its first token, None where it was not streamed."""

BACKOFF_S = 2.0
LONGEST_BACKOFF_S = 60.0
NO_KEY = "none"
"""Sent to a server that was named by its URL when the environment holds no key: local servers need none."""
SHORTEST_SECRET = 8
"""Characters from which on a key is masked in what is told."""


class ChatClient:
    """Asks one model, from any number of threads and event loops at once.

    All requests are made in one event loop of its own, so they share one pool of connections. Connection
    errors, timeouts and the statuses 408, 409, 429 and 5xx are tried again: after as long as the server asks
    for, else after a wait that doubles, with jitter. How many questions run at once is the caller's affair.

    Args:
        options: Which model, where and how.
        backoff_s: The first wait, in seconds.
        requests_per_minute: At most so many requests are sent, those that are tried again included; None for
            as many as come.
        on_retry: Called, in a thread of the client's own, with a sentence of each attempt that failed and is
            made again, before the wait.

    Raises:
        UsageError: OpenAI itself is to be asked and the environment has no key, or one that cannot be sent.
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
            max_retries=0,
        )
        try:
            self._thread: LoopThread[AsyncOpenAI] = LoopThread(opening)
        except Exception as error:  # an URL or a proxy of the environment that the SDK cannot use
            message = printable(f"{type(error).__name__}: {error}", 200)
            raise UsageError(f"expected a base URL and proxies that can be used, got {message}") from error
        self._finalizer = weakref.finalize(self, self._thread.close)

    def settings(self) -> dict[str, object]:
        """What its answers depend on; see `ModelOptions.settings`."""
        return self.options.settings()

    def ask(self, messages: Sequence[Message]) -> ModelAnswer:
        """What the model answers.

        Raises:
            ModelError: It gives no answer: every attempt failed, or the server refused. In one line.
            InputError: A picture is neither PNG, JPEG, GIF nor WebP.
            UsageError: The client is closed.
        """
        request = request_body(self.options, messages)
        future = self._thread.submit(lambda sdk: self._ask(sdk, request))
        try:
            return future.result()
        except CancelledError as error:
            raise self._error("the end of the client") from error
        except BaseException:
            future.cancel()
            raise

    async def ask_async(self, messages: Sequence[Message]) -> ModelAnswer:
        """What the model answers; as `ask`, from any event loop. Cancelling it ends the request."""
        request = request_body(self.options, messages)
        future = self._thread.submit(lambda sdk: self._ask(sdk, request))
        try:
            return await asyncio.wrap_future(future)
        except asyncio.CancelledError as error:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise
            raise self._error("the end of the client") from error

    def close(self) -> None:
        """Ends what still runs, its connections and its thread; a second time does nothing."""
        self._finalizer()

    async def aclose(self) -> None:
        """As `close`, without holding up the event loop."""
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
                before_sleep=self._tell,
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
        """The JSON of the answer to one request.

        Raises:
            Failure: There is none.
        """
        async with self._failures():
            response = await sdk.chat.completions.with_raw_response.create(**request)
        return read_body(response.content), None

    async def _attempt_streamed(self, sdk: AsyncOpenAI, request: Mapping[str, Any]) -> CallAttempt:
        """As `_attempt`, from a stream, and when its first token came.

        The bytes are read and not the SDK's chunks: these hide whether the stream came to its end.
        """
        streamed = {**request, "stream": True, "stream_options": {"include_usage": True}}
        assembly, first = Assembly(), None
        async with self._failures(), sdk.chat.completions.with_streaming_response.create(**streamed) as came:
            try:
                async for content in came.iter_bytes():
                    assembly.feed(content)
                    if first is None and assembly.begun:
                        first = time.perf_counter()
            except (Failure, TimeoutError, asyncio.CancelledError):
                raise
            except Exception as error:  # of whichever layer lost the connection
                raise Failure(f"a broken stream, {_first_cause(error)}", again=True) from None
        return assembly.body(), first

    @asynccontextmanager
    async def _failures(self) -> AsyncIterator[None]:
        """Makes a `Failure` of whatever ends an attempt, the deadline included."""
        import openai

        try:
            # the SDK's own timeout starts anew with every byte that a stalling server lets drop
            async with asyncio.timeout(self.options.timeout_s):
                yield
        except Failure:
            raise
        except (TimeoutError, openai.APITimeoutError):
            raise Failure(f"nothing whole within {self.options.timeout_s:g} s", again=True) from None
        except openai.APIStatusError as error:
            body, headers = self._masked(error.response.text), error.response.headers
            failure = refusal(error.status_code, body, headers, datetime.now(UTC))
            raise advised(failure, error.status_code, body, self.options) from None
        except openai.APIConnectionError as error:
            raise Failure(f"a connection error, {_first_cause(error)}", again=True) from None
        except Exception as error:  # the many layers below raise more than they say; no run may end by it
            raise Failure(f"{type(error).__name__}: {error}", again=False) from error

    def _wait(self, state: RetryCallState) -> float:
        """Seconds before the next attempt; the jitter parts those that were refused together."""
        failure = state.outcome.exception() if state.outcome else None
        wait_s = failure.wait_s if isinstance(failure, Failure) else None
        return (wait_s or self._doubling(state)) + random.uniform(0, self._backoff_s / 2)  # noqa: S311

    def _tell(self, state: RetryCallState) -> None:
        """Says that an attempt failed and when the next one is made."""
        failure = state.outcome.exception() if state.outcome else None
        if self._on_retry and isinstance(failure, Failure):
            self._on_retry(
                f"asking {self.options.model} again in {state.upcoming_sleep:.0f} s (attempt "
                f"{state.attempt_number + 1} of {self.options.retries + 1}), "
                f"got {printable(self._masked(failure.message))}"
            )

    def _error(self, message: str, attempts: int = 1) -> ModelError:
        """In one line."""
        tried = f" after {attempts} attempts" if attempts > 1 else ""
        return ModelError(
            f"expected an answer of {self.options.model} at {self.options.endpoint}, "
            f"got {printable(self._masked(message))}{tried}"
        )

    def _masked(self, text: str) -> str:
        """Without the key, which some servers repeat."""
        # a key as short as "x" is no secret, and masking it would take the letters out of the server's words
        return text if len(self._key) < SHORTEST_SECRET else text.replace(self._key, "***")


def _first_cause(error: BaseException) -> str:
    """What the operating system said, below what each layer made of it."""
    while cause := error.__cause__ or error.__context__:
        error = cause
    return f"{type(error).__name__}: {error}"


def _key(options: ModelOptions) -> str:
    key = os.environ.get(options.api_key_env, "").strip()
    if not key and options.endpoint != OPENAI_URL:
        return NO_KEY
    if not key:
        raise UsageError(
            f"expected an API key in the environment variable {options.api_key_env}, got none: set it, or "
            "give the base URL of a server that needs none"
        )
    if not (key.isascii() and key.isprintable()):
        raise UsageError(
            f"expected an API key of plain characters in the environment variable {options.api_key_env}, "
            "got others"
        )
    return key
