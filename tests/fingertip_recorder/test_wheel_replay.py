"""Times that people set on wheel pickers: the release's actions of their gestures set the same ones."""

from __future__ import annotations

import pytest

from execution_runner.devices.in_process_device import InProcessDevice
from execution_runner.devices.perform import perform
from fingertip_agents.touch_actions import convert_gesture
from simulated_phone import GoalInstance, Phone
from simulated_phone.people.gestures import GestureHabits, GesturePlayer
from simulated_phone.people.wheel_turns import TurningHabit

CLOCK = "com.android.deskclock"
SIZES = (((540, 1200), 210), ((1080, 2400), 420))


@pytest.mark.parametrize(("size", "density"), SIZES, ids=["540", "1080"])
@pytest.mark.parametrize("locale", ["zh", "en"])
@pytest.mark.parametrize("turning", ["swipes", "taps"])
def test_recorded_swipes_and_taps_set_the_same_time(
    size: tuple[int, int], density: int, locale: str, turning: TurningHabit
) -> None:
    phone = Phone(seed=5, size=size, density=density, locale=locale)
    twin = Phone(seed=5, size=size, density=density, locale=locale)
    goal = phone.apps[CLOCK].goal("set_alarm")
    case = goal.cases(5)[-9]
    device = InProcessDevice(twin)
    steps = next(one for one in goal.strategies if one.name == "picked").steps(case)
    for gesture in GesturePlayer(phone, GestureHabits(turning=turning)).gestures(steps):
        action = convert_gesture(gesture)
        gesture.perform(phone.finger)
        perform(device, action)
        assert twin.state[CLOCK] == phone.state[CLOCK]
        assert twin.shown().entry["arguments"] == phone.shown().entry["arguments"]
    assert twin.achieved(GoalInstance(package=CLOCK, goal="set_alarm", arguments=case))
