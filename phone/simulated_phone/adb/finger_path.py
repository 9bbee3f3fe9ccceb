"""A finger that a host puts down, moves and lifts in single events."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from simulated_phone.touch.fling import DRAG, TouchSample, Velocity, release_velocity

if TYPE_CHECKING:
    from simulated_phone.phone import Phone

LONG_PRESS_MS = 400
"""Minimum duration of a touch without movement to count as a long press, as in ViewConfiguration."""

_SWIPE_MS = 300


class FingerPath:
    """The path of one finger; the phone acts when it is lifted.

    Coordinates are pixels of the current rotation's frame. The velocity at release is by the phone's clock:
    while that stands still between actions the finger does, too, and nothing goes on.
    """

    def __init__(self) -> None:
        self._samples: list[TouchSample] = []
        self._since = 0.0

    def down(self, x: int, y: int, phone: Phone) -> None:
        """Put the finger down."""
        self._samples, self._since = [_sample(x, y, phone)], time.monotonic()

    def move(self, x: int, y: int, phone: Phone) -> None:
        """Move the finger, if it is down."""
        if self._samples:
            self._samples.append(_sample(x, y, phone))

    def cancel(self) -> None:
        """Lift the finger without an effect."""
        self._samples = []

    def up(self, x: int, y: int, phone: Phone) -> None:
        """Lift the finger: a tap, a long press or a swipe, by where and how long it was down."""
        lifted = _sample(x, y, phone)
        samples, self._samples = self._samples or [lifted], []
        ms = round((time.monotonic() - self._since) * 1000)
        start = round(samples[0].x), round(samples[0].y)
        touch_screen(phone, start, (x, y), ms, velocity=release_velocity(samples, lifted.ms))


def _sample(x: int, y: int, phone: Phone) -> TouchSample:
    return TouchSample(phone.uptime * 1000, x, y)


def touch_screen(
    phone: Phone,
    start: tuple[int, int],
    end: tuple[int, int],
    ms: int,
    *,
    velocity: Velocity = DRAG,
) -> None:
    """Perform a tap, a long press, or a swipe with a velocity at release, px/s; without one it is a drag."""
    if start != end:
        phone.swipe(*start, *end, max(ms, _SWIPE_MS), velocity=velocity)
    elif ms >= LONG_PRESS_MS:
        phone.long_press(*start, ms)
    else:
        phone.tap(*start)
