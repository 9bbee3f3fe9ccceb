"""Shortest path: it reaches the goal, and no strategy with any app opening is shorter."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import pytest

from simulated_phone import GoalInstance, Phone
from simulated_phone.machine.state import BEIJING
from simulated_phone.people.gestures import OPENINGS, GestureHabits, GesturePlayer, is_idle
from simulated_phone.people.life import PhoneSetup
from simulated_phone.people.shortest_path import find_shortest_path
from simulated_phone.people.simulation import Simulation
from simulated_phone.people.user_style import make_replayable_swipe
from simulated_phone.phone_errors import StrategyError

SIZE, DENSITY = (360, 800), 140
CLOCK = "com.android.deskclock"


def simulation_of(package: str, number: int, *faults: str, recent: tuple[str, ...] = ()) -> Simulation:
    """A simulation of the first case of an app's goal."""
    goal = Phone(size=SIZE, density=DENSITY).apps[package].goals[number]
    goal_instance = GoalInstance(package=package, goal=goal.name, arguments=goal.cases(5)[0])
    moment = datetime(2025, 3, 10, 8, 15, tzinfo=BEIJING)
    setup = PhoneSetup(seed=5, moment=moment, recent=recent, faults=faults)
    return Simulation(setup=setup, goal_instance=goal_instance, size=SIZE)


def exhaustive_minimum(simulation: Simulation) -> int:
    """Fewest gestures over all strategies and openings, each played to its end or to the goal."""
    phone, goal_instance, counts = Phone(seed=5, size=SIZE, density=DENSITY), simulation.goal_instance, []
    for strategy in phone.apps[goal_instance.package].goal(goal_instance.goal).strategies:
        for opening in OPENINGS:
            simulation.setup.apply(phone)
            player, count = GesturePlayer(phone, GestureHabits(opening=opening)), 0
            try:
                for gesture in player.gestures(strategy.steps(goal_instance.arguments)):
                    count += not is_idle(gesture, phone)
                    vertical = gesture.kind == "swipe" and gesture.text in ("up", "down")
                    (make_replayable_swipe(gesture, phone) if vertical else gesture).perform(phone.finger)
                    if phone.achieved(goal_instance):
                        counts.append(count)
                        break
            except StrategyError:
                continue
    return min(counts)


SOAK = pytest.mark.soak
PACKAGES = [app.package for app in Phone(size=SIZE, density=DENSITY).apps.values() if app.goals]


@pytest.mark.parametrize(
    "package", [*PACKAGES[::2], *(pytest.param(one, marks=SOAK) for one in PACKAGES[1::2])]
)
def test_the_path_reaches_the_goal_in_the_fewest_gestures(package: str) -> None:
    simulation = simulation_of(package, 0, recent=(package,))
    found = find_shortest_path(simulation)
    phone = Phone(seed=5, size=SIZE, density=DENSITY)
    simulation.setup.apply(phone)
    for gesture in found.gestures:
        assert gesture is not None
        assert not phone.achieved(simulation.goal_instance)
        gesture.perform(phone.finger)
    assert phone.achieved(simulation.goal_instance)
    assert len(found.gestures) == exhaustive_minimum(simulation)


def test_the_path_in_an_open_app_is_shorter_by_the_way_to_it() -> None:
    home = simulation_of(CLOCK, 0)
    in_app = replace(home, setup=replace(home.setup, front=CLOCK))
    found, longer = find_shortest_path(in_app), find_shortest_path(home)
    assert (found.opening, longer.opening) == ("", "launcher")
    assert found.gestures == longer.gestures[1:]
    assert len(found.gestures) == exhaustive_minimum(in_app)
    # what covers the opened app is closed by the path
    covered = replace(in_app, setup=replace(in_app.setup, faults=("update_dialog",)))
    assert len(find_shortest_path(covered).gestures) == len(found.gestures) + 1


def test_dialogs_add_gestures_and_loading_adds_none() -> None:
    plain = find_shortest_path(simulation_of(CLOCK, 0))
    assert (
        len(find_shortest_path(simulation_of(CLOCK, 0, "update_dialog")).gestures) == len(plain.gestures) + 1
    )
    for fault in ("slow_loading", "slow_splash"):
        slow = simulation_of(CLOCK, 0, fault)
        found = find_shortest_path(slow)
        assert [gesture and gesture.label for gesture in found.gestures] == [
            gesture and gesture.label for gesture in plain.gestures
        ]
        phone = Phone(seed=5, size=SIZE, density=DENSITY)
        slow.setup.apply(phone)
        for gesture in found.gestures:
            assert gesture is not None
            phone.wait_for_page()
            gesture.perform(phone.finger)
        assert phone.achieved(slow.goal_instance)


def test_unreachable_and_unknown_goals_raise_errors() -> None:
    simulation = simulation_of(CLOCK, 0)
    never = {"hour": 77, "minute": 77, "time": "77:77"}
    goal_instance = simulation.goal_instance
    unreachable = replace(simulation, goal_instance=replace(goal_instance, arguments=never))
    with pytest.raises(StrategyError, match=r"no strategy reaches the goal"):
        find_shortest_path(unreachable)
    with pytest.raises(LookupError):
        find_shortest_path(replace(simulation, goal_instance=replace(goal_instance, goal="fly")))
    with pytest.raises(LookupError):
        find_shortest_path(replace(simulation, goal_instance=replace(goal_instance, package="no.app")))
