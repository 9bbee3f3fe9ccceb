"""Client for a model behind any OpenAI-compatible endpoint, with retries."""

from __future__ import annotations

import asyncio
import sys
import time
import weakref
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from concurrent.futures import CancelledError, Future
from functools import partial
from typing import Any, Self, TypeVar

from fingertip_dataset.errors import EndpointError, MissingExtraError, ModelError, PreflightError, UsageError
from fingertip_dataset.release.problems import printable
from fingertip_models.chat.bounded_response import MOST_CHARACTERS
from fingertip_models.chat.chat_answer import ModelAnswer, read_answer
from fingertip_models.chat.chat_failures import Failure
from fingertip_models.chat.key_mask import KeyMask
from fingertip_models.chat.loop_thread import LoopThread
from fingertip_models.chat.model_endpoint import Endpoint, read_key
from fingertip_models.chat.preflight import (
    QUICK_CONNECT_S,
    SMALL_RETRIES,
    SMALL_TIMEOUT_S,
    describe_only_model,
    describe_other_model,
    find_missing_model,
    find_only_model,
    is_same_model,
    make_small_request,
)
from fingertip_models.chat.request import has_picture, has_system, make_request_body
from fingertip_models.chat.retries import RetryPolicy
from fingertip_models.chat.server_facts import NOT_CHECKED, describe_small_context, read_server_facts
from fingertip_models.limits import RateLimit
from fingertip_models.messages import Message
from fingertip_models.options import ModelOptions

__all__ = ["ChatClient", "Message", "ModelAnswer"]

Result = TypeVar("Result")

Sent = tuple[Mapping[str, object], float, float | None]
"""JSON of an answer, its seconds, and the seconds to its first token or None if it was not streamed."""

BACKOFF_S = 2.0
"""First wait before a retry in seconds; later waits double."""
LOADING_S = 600.0
"""Maximum seconds that a request waits for a server to load its model."""
LONGEST_LOADING_WAIT_S = 10.0
"""Maximum seconds between two questions whether it has."""
MOST_NOTES = 20
"""Maximum number of notes, of which a server could cause a new one with each answer."""
WITH_USAGE = {"include_usage": True}
"""Requests that a stream ends with the tokens."""


class ChatClient:
    """Client of one model, for any number of concurrent threads and event loops.

    All requests are made in one event loop of the client, so they share one connection pool. Connection
    errors, timeouts and the statuses 408, 409, 429 and 5xx are retried: after the wait that the server
    requests, otherwise after a wait that doubles, with jitter. The caller limits the concurrency.

    A server that says that it still loads its model is waited for. An answer that takes too long is asked
    for once more as a stream, and so are all later ones: then the timeout counts from the last token.

    No redirect is followed, bodies are read up to a limit of bytes, and the key is masked in answers and in
    messages; see `Endpoint`, `check_response` and `KeyMask`.

    Args:
        options: Options of the model.
        backoff_s: First wait in seconds.
        requests_per_minute: Maximum request rate, retries included, or a limit that clients share;
            None for no limit.
        on_retry: Callback with a sentence on each failed attempt that is retried, called before the wait in
            a thread of the client.
        on_note: Callback with each sentence about the server that a user should know, once: that it has the
            model under another name, or still loads it, and where its answers stand if not in their text.
            None for `on_retry`; without either, another name is an error.
        usual_notes: Notes on answers that are no news, because the prompt asks for what they note.
        preflight: Whether the first request, and the first one with a picture, waits for a preflight: the
            server's list of models must have the model, where there is one, and a small request must be
            answered. Its time and tokens are in no answer.
        has_substitute: Callback that returns whether another server could answer instead: then a server that
            cannot be reached is not asked again. None without other servers.

    Raises:
        UsageError: The endpoint is OpenAI's and the environment has no key, or the key cannot be sent.
        MissingExtraError: The extra `models` is not installed.
    """

    def __init__(
        self,
        options: ModelOptions,
        *,
        backoff_s: float = BACKOFF_S,
        requests_per_minute: int | RateLimit | None = None,
        on_retry: Callable[[str], None] | None = None,
        on_note: Callable[[str], None] | None = None,
        usual_notes: Collection[str] = (),
        preflight: bool = False,
        has_substitute: Callable[[], bool] | None = None,
    ) -> None:
        try:
            import tenacity  # noqa: F401 - shows here whether it is installed
            from openai import DefaultAsyncHttpxClient  # noqa: F401
        except ImportError as error:
            raise MissingExtraError(error.name or "openai", "models") from error
        self.options = options
        key = read_key(options)
        # `opening` outlives this client if nobody closes it, so it must not refer to it
        self._mask = mask = KeyMask(key)
        self._preflight = preflight
        self._preflights: dict[bool, asyncio.Future[None]] = {}
        self._limit = (
            RateLimit(requests_per_minute) if isinstance(requests_per_minute, int) else requests_per_minute
        )
        self._backoff_s = backoff_s
        self._on_retry = on_retry
        self._on_note = on_note or on_retry
        self._usual_notes = usual_notes
        self._noted: set[str] = set()
        self._streams = options.stream
        self._served_name: str | None = None
        self._facts: dict[str, str] = {} if preflight else {"name": NOT_CHECKED}
        self._retrying = RetryPolicy(backoff_s, on_retry=self._notify_retry, has_substitute=has_substitute)
        try:
            self._thread: LoopThread[Endpoint] = LoopThread(lambda: Endpoint(options, key, mask))
        except (
            Exception
        ) as error:  # the HTTP client cannot use the URL, or a proxy or file of the environment
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

    @property
    def software(self) -> Mapping[str, str]:
        """Facts that the server tells of itself, known after the preflight; see `read_server_facts`."""
        return self._facts

    def ask(self, messages: Sequence[Message]) -> ModelAnswer:
        """Query the model.

        Raises:
            EndpointError: The preflight failed, or after this request a small one failed, too.
            ModelError: Every attempt failed, or the server refused the request.
            InputError: An image is neither PNG, JPEG, GIF nor WebP.
            UsageError: The client is closed.
        """
        request = make_request_body(self.options, messages)
        future = self._thread.submit(lambda endpoint: self._ask(endpoint, request))
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
        future = self._thread.submit(lambda endpoint: self._ask(endpoint, request))
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
            PreflightError: It failed.
        """
        self.start_check(picture=picture).result()

    def start_check(self, *, picture: bool = False, system: bool = False) -> Future[None]:
        """Start the preflight without waiting for it; the future raises what `check` raises.

        Args:
            picture: Whether it has a picture.
            system: Whether it has a system message.
        """
        return self._thread.submit(
            lambda endpoint: self._wait_until_ready(endpoint, picture=picture, system=system)
        )

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

    async def _ask(self, endpoint: Endpoint, request: Mapping[str, Any]) -> ModelAnswer:
        """Answer a request, after the preflight; a failure ends with a small request, which may be answered.

        Raises:
            EndpointError: The small request failed, too: the endpoint answers nothing.
            ModelError: Only this request failed.
        """
        if self._preflight:
            await self._wait_until_ready(endpoint, picture=has_picture(request), system=has_system(request))
        try:
            return await self._answer(endpoint, request, self.options.retries)
        except Failure as failure:
            alive = await self._is_alive(endpoint)
            raise self._make_error(failure, ModelError if alive else EndpointError) from failure

    async def _wait_until_ready(self, endpoint: Endpoint, *, picture: bool, system: bool) -> None:
        """Wait for the preflight, which the first request starts, and the first one with a picture again."""
        if True in self._preflights:
            picture = True
        check = self._preflights.get(picture)
        if check is None:
            check = self._preflights[picture] = asyncio.ensure_future(
                self._check(endpoint, picture=picture, system=system)
            )
            # a failure that nobody awaits any more is no news
            check.add_done_callback(lambda done: done.cancelled() or done.exception())
        await asyncio.shield(check)

    async def _check(self, endpoint: Endpoint, *, picture: bool, system: bool) -> None:
        """Check that the endpoint has the model, and that it answers a small request.

        Raises:
            PreflightError: It does not.
        """
        small, what = make_small_request(self.options, picture=picture, system=system), ""
        try:
            await self._check_name(endpoint)
            try:
                await self._answer(endpoint, small, SMALL_RETRIES, patient=True)
            except Failure as failure:
                if picture and not failure.again and await self._is_alive(endpoint):
                    what = "it answers without a picture, but not with one: "
                raise
        except Failure as failure:
            leave = "--no-preflight leaves this check out"
            leave = "start the server or correct its URL" if failure.unreachable else leave
            advice = "; ".join(filter(None, (failure.advice, leave)))
            failure.message, failure.advice = f"{what}{failure.message} ({advice})", ""
            raise self._make_error(failure, PreflightError) from failure

    async def _check_name(self, endpoint: Endpoint) -> None:
        """Look for the model in the server's list, if it has one, and read what the server tells of itself.

        Azure's list has base models, no deployments. The only model of a server is taken whatever its name,
        if somebody is told: llama.cpp lists its file, and takes any name.

        Raises:
            Failure: The list has others, or nothing can be reached at the server's address.
        """
        whole = min(self.options.timeout_s, SMALL_TIMEOUT_S)
        connect = min(whole, QUICK_CONNECT_S)
        reading = partial(endpoint.list_models, timeout_s=whole, connect_s=connect)
        try:
            content = await self._wait_while_loading(reading, patient=False)
        except Failure as failure:
            if failure.unreachable or failure.unready == "loading":
                raise
            return  # not every server has a list; the small request shows what is wrong
        if self.options.on_azure:
            return
        only = find_only_model(content, self.options.model)
        if only is not None and self._on_note:
            self._served_name = only
            self._note(describe_only_model(self.options, self._mask(only)))
        elif missing := find_missing_model(content, self.options.model):
            raise Failure(missing, again=False)
        facts = await read_server_facts(content, self._served_name or self.options.model, endpoint.read_path)
        self._facts = {name: self._mask(text) for name, text in facts.items()}
        if note := describe_small_context(self._facts, self.options):
            self._note(note)

    async def _is_alive(self, endpoint: Endpoint) -> bool:
        """Send the small request once, without a picture, and return whether it is answered."""
        small = make_small_request(self.options, picture=False)
        try:
            request = self._name_model(small)
            body, _ = await endpoint.complete(
                request, stream=self._streams, timeout_s=min(self.options.timeout_s, SMALL_TIMEOUT_S)
            )
        except Failure:
            return False
        return not read_answer(body, model=self.options.model, seconds=0, attempts=1).refusal

    async def _answer(
        self, endpoint: Endpoint, request: Mapping[str, Any], retries: int, *, patient: bool = False
    ) -> ModelAnswer:
        """Send a request until it is answered, with the key masked in the answer.

        Args:
            endpoint: Where to send it.
            request: JSON of the request.
            retries: How often a failed attempt is repeated.
            patient: Whether a status 503 without a reason is that of a server that still loads its model.

        Raises:
            Failure: No attempt brought an answer.
        """
        request = self._name_model(request)
        attempt = partial(self._attempt, endpoint, request)
        sending = partial(self._wait_while_loading, attempt, patient=patient)
        attempts, sent = await self._retrying.send(sending, retries)
        body, seconds, first_token_s = sent
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
        answer = self._mask.answer(answer)
        self._note_answer(answer, str(request["model"]))
        return answer

    async def _attempt(self, endpoint: Endpoint, request: Mapping[str, Any]) -> Sent:
        """Send one request; after one that took too long the answers are requested as streams.

        Raises:
            Failure: The attempt brought no answer.
        """
        if self._limit:
            await self._limit.turn()
        streamed = self._streams
        # some servers refuse it: then nobody counts the tokens
        if streamed and "stream_options" not in self.options.extra_body:
            request = {**request, "stream_options": WITH_USAGE}
        if streamed:
            request = {**request, "stream": True}
        begun = time.perf_counter()
        try:
            body, first = await endpoint.complete(request, stream=streamed, timeout_s=self.options.timeout_s)
        except Failure as failure:
            if failure.slow and not streamed:
                # a stream shows whether a slow model still writes: each token starts the time anew
                self._streams = True
            elif streamed and not self.options.stream and not failure.again and "stream" in failure.message:
                self._streams = False
                failure.advice = (
                    "a stream was requested because nothing whole had come within "
                    f"{self.options.timeout_s:g} s: give a longer --timeout"
                )
            raise
        return body, time.perf_counter() - begun, None if first is None else first - begun

    async def _wait_while_loading(self, sending: Callable[[], Awaitable[Result]], *, patient: bool) -> Result:
        """Send again and again while the server says that it still loads its model.

        Args:
            sending: Sends a request once.
            patient: Whether a status 503 without a reason says so, too.

        Raises:
            Failure: The request failed for another reason, or the server loads for too long.
        """
        begun = time.monotonic()
        wait_s = self._backoff_s
        while True:
            try:
                return await sending()
            except Failure as failure:
                if failure.unready != "loading" and not (patient and failure.unready):
                    raise
                if time.monotonic() - begun > LOADING_S:
                    failure.message += f"; so it was for {LOADING_S:.0f} s"
                    failure.again = False
                    raise
                self._note(
                    f"{self.options.endpoint} is not ready ({printable(self._mask(failure.message))}): "
                    f"waiting until it is, at most {LOADING_S:.0f} s"
                )
                wait_s = min(failure.wait_s or wait_s * 1.5, LONGEST_LOADING_WAIT_S)
            await asyncio.sleep(wait_s)

    def _name_model(self, request: Mapping[str, Any]) -> Mapping[str, Any]:
        """Put the name under which the server has the model into a request."""
        return {**request, "model": self._served_name} if self._served_name else request

    def _note_answer(self, answer: ModelAnswer, requested: str) -> None:
        """Report, once each, how an answer was found, and a model that is not the requested one."""
        for note in answer.notes:
            if note in self._usual_notes:
                continue
            self._note(f"{self.options.model} at {self.options.endpoint}: {note}")
        if not is_same_model(requested, answer.model) and not self.options.on_azure:
            self._note(describe_other_model(self.options, requested, answer.model))

    def _note(self, sentence: str) -> None:
        """Report a sentence that nobody has been told yet."""
        if self._on_note and sentence not in self._noted and len(self._noted) < MOST_NOTES:
            self._noted.add(sentence)
            self._on_note(sentence)

    def _notify_retry(self, failure: Failure, when: str) -> None:
        """Report a failed attempt and the next one."""
        if self._on_retry:
            words = printable(self._mask(failure.message))
            self._on_retry(f"asking {self.options.model} again {when}: {words}")

    def _make_error(self, failure: Failure, kind: type[ModelError] = ModelError) -> ModelError:
        """Make the error of a request, with its message in one line."""
        tried = f" after {failure.attempts} attempts" if failure.attempts > 1 else ""
        advice = f" ({failure.advice})" if failure.advice else ""
        return kind(
            f"{self.options.model} at {self.options.endpoint} did not answer: "
            f"{printable(self._mask(failure.message))}{tried}{advice}"
        )


def print_note(sentence: str) -> None:
    """Print a note of a client on standard error, for clients that agents open themselves."""
    sys.stderr.write(f"{sentence}\n")
