"""Rate limit of requests per minute."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable

from fingertip_dataset.errors import UsageError

MINUTE_S = 60.0


class RateLimit:
    """Rate limit with evenly spaced turns, so that no interval of a minute has more than the limit.

    Any number of threads and event loops may share one.

    Args:
        per_minute: Number of turns per minute.
        clock: Monotonic clock in seconds.

    Raises:
        UsageError: The limit is below 1 per minute.

    >>> limit = RateLimit(120, clock=lambda: 10.0)
    >>> [limit.reserve() for _ in range(3)]
    [0.0, 0.5, 1.0]
    """

    def __init__(self, per_minute: int, *, clock: Callable[[], float] = time.monotonic) -> None:
        if per_minute < 1:
            raise UsageError(f"expected 1 or more requests a minute, got {per_minute}")
        self._apart_s = MINUTE_S / per_minute
        self._clock = clock
        self._lock = threading.Lock()
        self._next = float("-inf")

    def reserve(self) -> float:
        """Reserve the next turn.

        Returns:
            Seconds until the turn.
        """
        with self._lock:
            now = self._clock()
            turn = max(now, self._next)
            self._next = turn + self._apart_s
            return turn - now

    async def turn(self) -> None:
        """Reserve the next turn and wait for it."""
        if wait_s := self.reserve():
            await asyncio.sleep(wait_s)
