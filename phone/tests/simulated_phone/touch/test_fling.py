"""Flings: the formula against other computations of it, and every way in which a finger gets in."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal, getcontext

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phone.tests.simulated_phone.conftest import run_line
from simulated_phone.adb.finger_path import FingerPath
from simulated_phone.adb.phone_device import make_device
from simulated_phone.device_servers.appium.input_actions import InputActions
from simulated_phone.device_servers.appium.mobile_gestures import MobileGestures
from simulated_phone.device_servers.uiautomator2.uiautomator2_rpc import Uiautomator2Calls
from simulated_phone.phone import Phone
from simulated_phone.touch.fling import (
    TouchSample,
    find_swipe_length,
    fling_ms,
    fling_px,
    is_page_turn,
    release_velocity,
)

DENSITY = 210
CALENDAR, LIST = "com.android.calendar", "content"


@pytest.fixture
def phone() -> Phone:
    """A phone that shows the five months of the calendar, a long list."""
    phone = Phone(seed=4, size=(540, 1200), density=DENSITY)
    phone.start(CALENDAR)
    return phone


def offset(phone: Phone) -> int:
    return next(n.scroll.offset for n in phone.screen().nodes() if n.scroll and n.scroll.name == LIST)


def distance(speed: float, density: int) -> Decimal:
    """Distance of a fling, px, as a power of the speed, in decimals."""
    getcontext().prec = 40
    rate = (Decimal("0.78").ln() / Decimal("0.9").ln()).normalize()
    coefficient = Decimal("0.015") * Decimal("9.80665") * Decimal("39.37") * density * Decimal("0.84")
    return coefficient * (Decimal("0.35") * Decimal(speed) / coefficient) ** (rate / (rate - 1))


@pytest.mark.parametrize("density", [140, 210, 420, 560])
@pytest.mark.parametrize("dp", [51, 100, 635, 1270, 4000, 8000])
def test_the_distance_is_that_of_the_formula(density: int, dp: int) -> None:
    speed = dp * density / 160
    wanted = distance(speed, density)
    assert fling_px(speed, density) == -fling_px(-speed, density) == int(wanted)
    # the curve of a fling begins with the finger's velocity, which is the mean one divided by the inflexion
    assert math.isclose(
        float(wanted), 0.35 * speed * fling_ms(speed, density) / 1000, rel_tol=0.02, abs_tol=1
    )


def test_slow_and_very_fast_fingers() -> None:
    assert fling_px(50 * DENSITY / 160, DENSITY) == fling_ms(0, DENSITY) == fling_px(0, DENSITY) == 0
    assert fling_px(1e6, DENSITY) == fling_px(8000 * DENSITY / 160, DENSITY)


@given(
    st.lists(st.tuples(st.integers(1, 30), st.integers(-300, 300)), min_size=3, max_size=19),
    st.integers(0, 40),
)
@settings(max_examples=50)
def test_the_velocity_is_the_slope_of_a_parabola(moves: list[tuple[int, int]], lifted: int) -> None:
    samples = [TouchSample(0, 0, 0)]
    for ms, down in moves:
        samples.append(TouchSample(samples[-1].ms + ms, 0, samples[-1].y + down))
    last = samples[-1]
    near = [one for one in samples if last.ms - one.ms <= 100]
    times = np.array([(one.ms - last.ms) / 1000 for one in near])
    degree = min(2, len(near) - 1)
    wanted = np.polyfit(times, np.array([one.y for one in near]), degree)[-2]
    assert release_velocity(samples, last.ms + lifted) == pytest.approx((0, wanted), rel=1e-4, abs=1)
    assert release_velocity(samples, last.ms + 41) == (0, 0)


@given(st.integers(0, 3000), st.integers(50, 2000))
@settings(max_examples=50)
def test_a_swipe_of_that_length_moves_no_further(travel: int, ms: int) -> None:
    length = find_swipe_length(travel, ms, DENSITY)
    assert length + fling_px(length * 1000 / ms, DENSITY) <= travel
    assert length + 1 + fling_px((length + 1) * 1000 / ms, DENSITY) > travel or length == travel


@pytest.mark.parametrize("ms", [100, 300, 1000])
def test_a_swipe_goes_on_and_a_drag_moves_exactly(phone: Phone, ms: int) -> None:
    phone.swipe(270, 900, 270, 700, ms)
    assert offset(phone) == 200 + int(distance(200_000 / ms, DENSITY))
    before = offset(phone)
    phone.swipe(270, 700, 270, 800, 4000)
    assert offset(phone) == before - 100
    # what goes on has come to rest: the next touch is a tap
    touched = next(n for n in phone.screen().nodes() if n.tap and n.description.endswith("日"))
    phone.tap(*touched.box.centre)
    assert phone.shown().entry["page"] == "day"


def _uiautomator2(phone: Phone, **points: int) -> None:
    rpc = Uiautomator2Calls(make_device(phone))
    rpc._swipe(270, 900, 270, 700, 40)


def _appium(phone: Phone) -> None:
    move = {"type": "pointerMove", "x": 270, "y": 900}
    finger = [
        move,
        {"type": "pointerDown"},
        {**move, "y": 700, "duration": 200},
        {"type": "pointerUp"},
    ]
    InputActions(phone, lambda _: (0, 0)).perform([{"type": "pointer", "id": "a", "actions": finger}])


def _appium_gesture(phone: Phone) -> None:
    area = {"left": 0, "top": 500, "width": 540, "height": 401}
    values = {"area": area, "direction": "up", "percent": 200 / 401, "speed": 1000}
    MobileGestures(phone, lambda _: (0, 0, 0, 0)).calls["swipe"](values)


def _events(phone: Phone) -> None:
    finger = FingerPath()
    finger.down(270, 900, phone)
    for y in range(880, 699, -20):
        phone.wait(0.02)
        finger.move(270, y, phone)
    finger.up(270, 700, phone)


SWIPES: dict[str, Callable[[Phone], object]] = {
    "finger": lambda phone: phone.finger.swipe(270, 900, 270, 700, 200),
    "input": lambda phone: run_line("input swipe 270 900 270 700 200", make_device(phone)),
    "uiautomator2": _uiautomator2,
    "appium": _appium,
    "appium_gesture": _appium_gesture,
    "events": _events,
}


@pytest.mark.parametrize("way", SWIPES)
def test_every_way_in_has_the_same_rule(phone: Phone, way: str) -> None:
    SWIPES[way](phone)
    assert offset(phone) == 200 + fling_px(1000, DENSITY) > 300


DRAGS: dict[str, Callable[[Phone], object]] = {
    "drag": lambda phone: run_line("input draganddrop 270 900 270 700 100", make_device(phone)),
    "still_clock": lambda phone: run_line(
        "input motionevent DOWN 270 900; input motionevent MOVE 270 750; input motionevent UP 270 700",
        make_device(phone),
    ),
}


@pytest.mark.parametrize("way", DRAGS)
def test_a_finger_that_stands_still_before_it_is_lifted_moves_exactly(phone: Phone, way: str) -> None:
    DRAGS[way](phone)
    assert offset(phone) == 200


def test_a_fast_swipe_turns_one_page_and_a_slow_short_one_none() -> None:
    phone = Phone(seed=4, size=(540, 1200), density=DENSITY)

    def page() -> object:
        return phone.shown().entry["arguments"].get("number", 0)

    first = page()
    phone.swipe(400, 700, 250, 700, 1500)
    assert page() == first
    phone.swipe(530, 700, 20, 700, 20)
    second = page()
    assert second != first
    phone.swipe(20, 700, 500, 700, 4000)
    assert page() == first
    assert not is_page_turn(300, -2000, 1080, 420)
