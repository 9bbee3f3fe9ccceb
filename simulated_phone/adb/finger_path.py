"""A finger that a host puts down, moves and lifts in single events."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from simulated_phone.phone import Phone

LONG_PRESS_MS = 400
"""Minimum duration of a touch without movement to count as a long press, as in ViewConfiguration."""

_SWIPE_MS = 300


class FingerPath:
    """The path of one finger; the phone acts when it is lifted.

    Coordinates are pixels of the current rotation's frame.
    """

    def __init__(self) -> None:
        self._points: list[tuple[int, int]] = []
        self._since = 0.0

    def down(self, x: int, y: int) -> None:
        """Put the finger down."""
        self._points, self._since = [(x, y)], time.monotonic()

    def move(self, x: int, y: int) -> None:
        """Move the finger, if it is down."""
        if self._points:
            self._points.append((x, y))

    def cancel(self) -> None:
        """Lift the finger without an effect."""
        self._points = []

    def up(self, x: int, y: int, phone: Phone) -> None:
        """Lift the finger: a tap, a long press or a swipe, by where and how long it was down."""
        points, self._points = [*self._points, (x, y)], []
        ms = round((time.monotonic() - self._since) * 1000)
        touch(phone, points[0], points[-1], ms)


def touch(phone: Phone, start: tuple[int, int], end: tuple[int, int], ms: int) -> None:
    """Perform a tap, a long press or a swipe."""
    if start != end:
        phone.swipe(*start, *end, max(ms, _SWIPE_MS))
    elif ms >= LONG_PRESS_MS:
        phone.long_press(*start, ms)
    else:
        phone.tap(*start)
