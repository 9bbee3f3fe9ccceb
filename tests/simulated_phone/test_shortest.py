"""The shortest way: it leads there, and no other way that a hand knows is shorter."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import pytest

from simulated_phone import GoalInstance, Phone
from simulated_phone.people.gestures import OPENINGS, GestureHabits, Hand, is_idle
from simulated_phone.people.life import PhoneSetup
from simulated_phone.people.shortest_path import WAIT_MS, shortest_path
from simulated_phone.people.simulation import Simulation
from simulated_phone.people.user_style import replayable
from simulated_phone.phone_errors import StrategyError
from simulated_phone.state import BEIJING

SIZE, DENSITY = (360, 800), 140
CLOCK = "com.android.deskclock"


def wanted(package: str, number: int, *faults: str, recent: tuple[str, ...] = ()) -> Simulation:
    """The first case of that goal of an app."""
    goal = Phone(size=SIZE, density=DENSITY).apps[package].goals[number]
    aim = GoalInstance(package=package, goal=goal.name, arguments=goal.cases(5)[0])
    moment = datetime(2025, 3, 10, 8, 15, tzinfo=BEIJING)
    return Simulation(
        start=PhoneSetup(seed=5, moment=moment, recent=recent, faults=faults), aim=aim, size=SIZE
    )


def by_hand(simulation: Simulation) -> int:
    """The fewest touches of any way with any opening, every one of them played to its end or to the goal."""
    phone, aim, counts = Phone(seed=5, size=SIZE, density=DENSITY), simulation.aim, []
    for way in phone.apps[aim.package].goal(aim.goal).ways:
        for opening in OPENINGS:
            simulation.start.put(phone)
            count = 0
            try:
                for touch in Hand(phone, GestureHabits(opening=opening)).touches(way.steps(aim.arguments)):
                    count += not is_idle(touch, phone)
                    vertical = touch.kind == "swipe" and touch.text in ("up", "down")
                    (replayable(touch, phone) if vertical else touch).perform(phone.finger)
                    if phone.achieved(aim):
                        counts.append(count)
                        break
            except StrategyError:
                continue
    return min(counts)


PACKAGES = [app.package for app in Phone(size=SIZE, density=DENSITY).apps.values() if app.goals]


@pytest.mark.parametrize("package", PACKAGES)
def test_it_leads_there_and_no_way_by_hand_is_shorter(package: str) -> None:
    simulation = wanted(package, 0, recent=(package,))
    found = shortest_path(simulation)
    phone = Phone(seed=5, size=SIZE, density=DENSITY)
    simulation.start.put(phone)
    for touch in found.touches:
        assert touch is not None
        assert not phone.achieved(simulation.aim)
        touch.perform(phone.finger)
    assert phone.achieved(simulation.aim)
    assert len(found.touches) == by_hand(simulation)


def test_what_is_in_the_way_costs_touches_and_what_loads_waits() -> None:
    plain = shortest_path(wanted(CLOCK, 0))
    assert len(shortest_path(wanted(CLOCK, 0, "update_dialog")).touches) == len(plain.touches) + 1
    slow = wanted(CLOCK, 0, "slow_loading")
    found = shortest_path(slow)
    assert None in found.touches
    phone = Phone(seed=5, size=SIZE, density=DENSITY)
    slow.start.put(phone)
    for touch in found.touches:
        if touch is None:
            phone.wait(WAIT_MS / 1000)
        else:
            touch.perform(phone.finger)
    assert phone.achieved(slow.aim)


def test_no_way_and_no_such_goal_are_said() -> None:
    simulation = wanted(CLOCK, 0)
    never = {"hour": 77, "minute": 77, "time": "77:77"}
    nowhere = replace(simulation, aim=replace(simulation.aim, arguments=never))
    with pytest.raises(StrategyError, match=r"expected a way to .* got none that leads there"):
        shortest_path(nowhere)
    with pytest.raises(LookupError):
        shortest_path(replace(simulation, aim=replace(simulation.aim, goal="fly")))
    with pytest.raises(LookupError):
        shortest_path(replace(simulation, aim=replace(simulation.aim, package="no.app")))
