"""Repeats of a request whose attempts fail: which, how often, and after which waits."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from fingertip_models.chat.chat_failures import Failure

if TYPE_CHECKING:
    from tenacity import RetryCallState

Result = TypeVar("Result")

OnRetry = Callable[[Failure, str], None]
"""Called with a failure that is retried, and when and which attempt is next."""

LONGEST_BACKOFF_S = 60.0
"""Maximum wait before a retry in seconds."""


class RetryPolicy:
    """Sends a request until it is answered, is refused, or has no retries left.

    The wait before a retry is that which the server requests, else it doubles, with jitter.

    Args:
        backoff_s: First wait in seconds.
        on_retry: Callback of each failed attempt that is retried, before the wait.
        has_substitute: Whether another server could answer instead: then one that cannot be reached is not
            asked again. None without other servers.
    """

    def __init__(
        self, backoff_s: float, *, on_retry: OnRetry, has_substitute: Callable[[], bool] | None = None
    ) -> None:
        import tenacity

        self._backoff_s = backoff_s
        self._on_retry = on_retry
        self._has_substitute = has_substitute
        self._doubling = tenacity.wait_exponential(multiplier=backoff_s, max=LONGEST_BACKOFF_S)

    async def send(self, sending: Callable[[], Awaitable[Result]], retries: int) -> tuple[int, Result]:
        """Send a request until it is answered; return the number of attempts and what came.

        Args:
            sending: Sends the request once.
            retries: How often a failed attempt is repeated.

        Raises:
            Failure: No attempt brought an answer.
        """
        try:
            return 1, await sending()
        except Failure as failure:
            if not retries or not self._is_worth_retrying(failure):
                raise
            failed = failure
        # not within the handler: errors of later attempts would name this one as their cause
        return await self._retry(failed, sending, retries)

    async def _retry(
        self, failure: Failure, sending: Callable[[], Awaitable[Result]], retries: int
    ) -> tuple[int, Result]:
        """Repeat a request whose first attempt failed; return the number of attempts and what came.

        Raises:
            Failure: No attempt brought an answer.
        """
        from tenacity import AsyncRetrying, retry_if_exception, stop_after_attempt

        attempts = 0

        async def send() -> Result:
            nonlocal attempts
            attempts += 1
            if attempts == 1:  # it is known to have failed
                raise failure
            return await sending()

        retrying = AsyncRetrying(
            stop=stop_after_attempt(retries + 1),
            wait=self._wait,
            before_sleep=partial(self._notify, retries),
            retry=retry_if_exception(self._is_worth_retrying),
            reraise=True,
        )
        try:
            sent: Result = await retrying(send)
        except Failure as last:
            last.attempts = attempts
            raise
        return attempts, sent

    def _is_worth_retrying(self, error: BaseException) -> bool:
        """Whether a later attempt may succeed, and no other server could answer sooner."""
        if not isinstance(error, Failure) or not error.again:
            return False
        return not (error.unreachable and self._has_substitute is not None and self._has_substitute())

    def _wait(self, state: RetryCallState) -> float:
        """Return the seconds before the next attempt, with jitter to spread requests refused together."""
        failure = state.outcome.exception() if state.outcome else None
        wait_s = failure.wait_s if isinstance(failure, Failure) else None
        return (wait_s or self._doubling(state)) + random.uniform(0, self._backoff_s / 2)  # noqa: S311

    def _notify(self, retries: int, state: RetryCallState) -> None:
        """Report a failed attempt and the time of the next one."""
        failure = state.outcome.exception() if state.outcome else None
        if isinstance(failure, Failure):
            which = f"attempt {state.attempt_number + 1} of {retries + 1}"
            self._on_retry(failure, f"in {state.upcoming_sleep:.0f} s ({which})")
