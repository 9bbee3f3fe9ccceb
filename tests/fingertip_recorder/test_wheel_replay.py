"""Times that people set on wheel pickers: the release's actions of their gestures set the same ones."""

from __future__ import annotations

import pytest

from execution_runner.devices.in_process_device import InProcessDevice
from execution_runner.devices.perform import perform
from fingertip_agents.touch_actions import convert_gesture
from simulated_phone import GoalInstance, Phone
from simulated_phone.machine.state import START
from simulated_phone.people.gestures import GestureHabits, GesturePlayer
from simulated_phone.people.life import PhoneSetup
from simulated_phone.people.shortest_path import find_shortest_path
from simulated_phone.people.simulation import Simulation
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


def test_the_shortest_path_sets_a_time_in_a_few_swipes() -> None:
    phone = Phone(seed=5, size=(540, 1200), density=210)
    case = next(one for one in phone.apps[CLOCK].goal("set_alarm").cases(5) if one["time"] == "19:45")
    goal = GoalInstance(package=CLOCK, goal="set_alarm", arguments=case)
    setup = PhoneSetup(seed=5, moment=START)
    found = find_shortest_path(Simulation(setup=setup, goal_instance=goal, size=(540, 1200)))
    setup.apply(phone)
    device = InProcessDevice(phone)
    for gesture in found.gestures:
        assert gesture is not None
        perform(device, convert_gesture(gesture))
    assert phone.achieved(goal)
    assert len(found.gestures) <= 9
