"""A page that loads is awaited after each action on a simulated phone, as on a person's phone."""

from __future__ import annotations

from datetime import datetime

import pytest

from execution_runner.devices.in_process_device import begin_in_process
from execution_runner.devices.settling import SETTLE_LIMIT_SECONDS
from fingertip_agents.touch_actions import convert_gesture
from fingertip_dataset.actions import Finished, Wait
from fingertip_dataset.times import BEIJING
from simulated_phone import GoalInstance, Phone
from simulated_phone.machine.machine import PAGE_SECONDS
from simulated_phone.people.life import PhoneSetup
from simulated_phone.people.shortest_path import find_shortest_path
from simulated_phone.people.simulation import Simulation

SIZE = (360, 800)
CLOCK = "com.android.deskclock"


def make_simulation(front: str, *faults: str) -> Simulation:
    goal = Phone(size=SIZE, density=140).apps[CLOCK].goals[0]
    moment = datetime(2025, 3, 10, 8, 15, tzinfo=BEIJING)
    return Simulation(
        setup=PhoneSetup(seed=5, moment=moment, faults=faults, front=front),
        goal_instance=GoalInstance(package=CLOCK, goal=goal.name, arguments=goal.cases(5)[0]),
        size=SIZE,
    )


def test_the_longest_wait_is_that_of_a_persons_phone() -> None:
    assert PAGE_SECONDS == SETTLE_LIMIT_SECONDS


@pytest.mark.parametrize("fault", ["slow_loading", "slow_splash"])
@pytest.mark.parametrize("front", [CLOCK, ""])
def test_each_step_ends_on_a_page_that_has_loaded_and_the_shortest_way_needs_no_waits(
    front: str, fault: str
) -> None:
    simulation = make_simulation(front, fault)
    phone = Phone(seed=5, size=SIZE)
    session = begin_in_process(simulation, phone)
    for gesture in find_shortest_path(simulation).gestures:
        assert gesture is not None
        assert phone.tasks.moving_ms == 0
        assert session.step(convert_gesture(gesture)).performed
    assert session.step(Finished()).end is not None
    assert session.evaluate().success is True
    assert (phone.now - simulation.setup.moment).total_seconds() > 5


def test_a_page_that_takes_longer_is_observed_while_it_loads() -> None:
    phone = Phone(seed=5, size=SIZE)
    session = begin_in_process(make_simulation(CLOCK, "slow_splash=9"), phone)
    for left in (3000, 1000, 0):
        assert 0 <= phone.tasks.moving_ms - left <= 400
        # a wait of the agent's own is no longer than it asks for
        session.step(Wait())


def test_on_a_phone_without_a_fault_no_time_passes_but_that_of_the_actions() -> None:
    phone = Phone(seed=5, size=SIZE)
    session = begin_in_process(make_simulation(CLOCK), phone)
    other = Phone(seed=5, size=SIZE)
    make_simulation(CLOCK).setup.apply(other)
    for gesture in find_shortest_path(make_simulation(CLOCK)).gestures:
        assert gesture is not None
        session.step(convert_gesture(gesture))
        gesture.perform(other.finger)
    assert abs((phone.now - other.now).total_seconds()) < 1
