"""Flings: how far content goes on after the finger is lifted, and how fast the finger was then.

The constants are those of Android 13's ViewConfiguration, SplineOverScroller, VelocityTracker, ViewPager and
NumberPicker. Velocities are px/s, positive to the right and down; times are ms.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

SCROLL_FRICTION = 0.015
INFLEXION = 0.35
"""Share of the distance at which the curve of a fling turns from linear to decelerating."""
DECELERATION = math.log(0.78) / math.log(0.9)
GRAVITY, INCHES_PER_METRE, LOOK_AND_FEEL = 9.80665, 39.37, 0.84

LEAST_DP, MOST_DP = 50, 8000
"""Smallest velocity of a fling and the one that faster ones count as, dp/s."""
WHEEL_MOST_DP = MOST_DP / 8
"""The most of a wheel picker, dp/s."""
PAGER_LEAST_DP, PAGER_TRAVEL_DP, PAGER_SHARE = 400, 25, 0.6
"""What turns a page: this velocity over this travel, or a slow drag over this share of the page."""

HORIZON_MS, STOPPED_MS, MOST_SAMPLES = 100, 40, 20
"""Age of the touch samples that decide the velocity, the age of the last one from which on the finger stands
still, and their largest number."""

Velocity: TypeAlias = tuple[float, float]
"""Velocity across and down, px/s."""
DRAG: Velocity = (0.0, 0.0)
"""The velocity at which a finger is lifted that stood still before."""


class TouchSample(NamedTuple):
    """A finger's position, px, at a time, ms."""

    ms: float
    x: float
    y: float


def fling_px(velocity: float, density: int, most_dp: float = MOST_DP) -> int:
    """Distance that content goes on, px, in the direction of the velocity.

    Args:
        velocity: Velocity at release, px/s.
        density: Dots per inch.
        most_dp: The velocity that faster ones count as, dp/s.

    >>> fling_px(-1667, 420), fling_px(1667, 420), fling_px(100, 420)
    (-231, 231, 0)
    """
    speed = _limit_velocity(velocity, density, most_dp)
    if not speed:
        return 0
    friction = _friction(density)
    power = DECELERATION / (DECELERATION - 1)
    distance = friction * math.exp(power * math.log(INFLEXION * speed / friction))
    return int(math.copysign(distance, velocity))


def fling_ms(velocity: float, density: int, most_dp: float = MOST_DP) -> int:
    """Time that content goes on, ms; arguments as of `fling_px`.

    >>> fling_ms(1667, 420), fling_ms(100, 420)
    (397, 0)
    """
    speed = _limit_velocity(velocity, density, most_dp)
    if not speed:
        return 0
    return int(1000 * math.exp(math.log(INFLEXION * speed / _friction(density)) / (DECELERATION - 1)))


def _limit_velocity(velocity: float, density: int, most_dp: float) -> float:
    speed, dp = abs(velocity), density / 160
    return min(speed, most_dp * dp) if speed > LEAST_DP * dp else 0.0


def _friction(density: int) -> float:
    return SCROLL_FRICTION * GRAVITY * INCHES_PER_METRE * density * LOOK_AND_FEEL


def straight_velocity(x1: int, y1: int, x2: int, y2: int, ms: int) -> Velocity:
    """The velocity across and down of a straight, even swipe; (0, 0) for one without a duration.

    >>> straight_velocity(0, 900, 0, 600, 300)
    (0.0, -1000.0)
    """
    return ((x2 - x1) * 1000 / ms, (y2 - y1) * 1000 / ms) if ms > 0 else DRAG


def find_swipe_length(travel: int, ms: int, density: int) -> int:
    """The length, px, of the longest even swipe that moves content by at most a travel, px.

    Args:
        travel: How far the content moves, with what it goes on, px.
        ms: Duration of the swipe.
        density: Dots per inch.

    >>> find_swipe_length(700, 300, 210), find_swipe_length(700, 1500, 210)
    (418, 662)
    """
    low, high = 0, max(0, travel)
    while low < high:
        middle = (low + high + 1) // 2
        if middle + fling_px(middle * 1000 / ms, density) <= travel:
            low = middle
        else:
            high = middle - 1
    return low


def release_velocity(samples: Sequence[TouchSample], lifted_ms: float) -> Velocity:
    """The velocity across and down at which a finger is lifted.

    A parabola is fitted to the samples of the last 100 ms by least squares (a line through two); its slope at
    the last one is the velocity. It is 0 for a finger that has stood still for more than 40 ms.

    Args:
        samples: Where the finger was, the earliest first.
        lifted_ms: When it was lifted.

    >>> release_velocity([TouchSample(ms, 0, -2 * ms) for ms in range(0, 200, 10)], 195)
    (0.0, -2000.0)
    """
    if not samples or lifted_ms - samples[-1].ms > STOPPED_MS:
        return DRAG
    last = samples[-1]
    near = [one for one in samples[-MOST_SAMPLES:] if last.ms - one.ms <= HORIZON_MS]
    times = [(one.ms - last.ms) / 1000 for one in near]
    return _fit_slope(times, [one.x for one in near]), _fit_slope(times, [one.y for one in near])


def _fit_slope(times: Sequence[float], places: Sequence[float]) -> float:
    """The slope at time 0 of the parabola through the points, of a line where no parabola is determined."""
    count = len(times)
    mean_t, mean_p = sum(times) / count, sum(places) / count
    squares = [time * time for time in times]
    mean_s = sum(squares) / count
    tt = sum((time - mean_t) ** 2 for time in times)
    if tt < 1e-12:
        return 0.0
    ss = sum((square - mean_s) ** 2 for square in squares)
    ts = sum((time - mean_t) * (square - mean_s) for time, square in zip(times, squares, strict=True))
    tp = sum((time - mean_t) * (place - mean_p) for time, place in zip(times, places, strict=True))
    sp = sum((square - mean_s) * (place - mean_p) for square, place in zip(squares, places, strict=True))
    determinant = tt * ss - ts * ts
    slope = tp / tt if determinant < 1e-9 * tt * ss else (tp * ss - sp * ts) / determinant
    return round(slope, 6) + 0.0


def is_page_turn(travel: int, velocity: float, width: int, density: int) -> bool:
    """Whether a horizontal swipe turns the page of a pager; one swipe never turns two.

    Args:
        travel: The finger's way, px, with its sign.
        velocity: Velocity at release, px/s, with its sign.
        width: Width of the page, px.
        density: Dots per inch.

    >>> [is_page_turn(travel, speed, 1080, 420) for travel, speed in ((-200, -2000), (-500, -200), (-700, 0))]
    [True, False, True]
    """
    dp = density / 160
    if abs(travel) > PAGER_TRAVEL_DP * dp and abs(velocity) > PAGER_LEAST_DP * dp:
        return travel * velocity > 0
    return abs(travel) >= PAGER_SHARE * width
