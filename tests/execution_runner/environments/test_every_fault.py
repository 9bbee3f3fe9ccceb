"""Each fault of a phone, over the real adb: the shortest way leads to the goal, or a step says why not.

The way is written and read in each format of the registry, as by a model that makes no mistake.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial

import pytest

from execution_runner.devices.adb import AdbDevice
from execution_runner.devices.adb_client import AdbClient
from execution_runner.environments.simulated import ask, begin_simulated
from fingertip_agents.execution_agent import PastStep, ScreenInput
from fingertip_agents.registry import FORMATS, make_format
from fingertip_agents.touch_actions import convert_gesture
from fingertip_dataset.actions import Action, Finished, Type, Wait, format_action
from fingertip_dataset.episodes import UserProfile
from fingertip_dataset.errors import DeviceError
from fingertip_dataset.tasks.task import ExecutionInput
from fingertip_dataset.times import BEIJING
from simulated_phone import GoalInstance, Phone, SimulatedPhoneServer
from simulated_phone.machine.faults import FAULTS
from simulated_phone.people.life import PhoneSetup
from simulated_phone.people.shortest_path import find_shortest_path
from simulated_phone.people.simulation import Simulation

SIZE = (540, 1200)
CHAT, SHOP = "com.simulated.liaotian", "com.simulated.gouwu"
GOALS = {"send_text": CHAT, "buy": SHOP}
"""A goal with a text, and one with a page for paying."""

TASK = ExecutionInput(
    task_id="1", profile=UserProfile(), intent="给姐姐发消息", app="", time=None, scenario="", reference=None
)

SECONDS = {"moving_screen": "0.05", "wifi_outage": "1", "screen_timeout": "600"}
"""Seconds of faults that would otherwise take the tests' time."""

WHY = {
    "pin_lock": "unlock it by hand",
    "no_input_injection": "refuses input from a computer",
    "truncated_screenshot": "the screenshot is cut off",
    "unauthorized": "accepts this computer's key",
    "offline": "a phone that answers",
    "dropped_connection": "dropped during",
    "no_adb_keyboard": "needs the keyboard",
}
"""Fault -> words of the error with which an attempt ends that cannot reach its goal."""

AS_REAL = ("vendor_noise", "emoji_references", "lagging_tree", "second_display", "black_payment_screen")
"""Faults of what is read, which may all be on at once."""

Act = Callable[[ScreenInput, tuple[PastStep, ...]], Sequence[Action]]


def make_simulation(goal: str, *faults: str) -> Simulation:
    package = GOALS[goal]
    phone = Phone(seed=5, size=SIZE)
    cases = next(one for one in phone.apps[package].goals if one.name == goal).cases(5)
    moment = datetime(2025, 3, 10, 8, 15, tzinfo=BEIJING)
    return Simulation(
        setup=PhoneSetup(seed=5, moment=moment, faults=faults, front=package),
        goal_instance=GoalInstance(package=package, goal=goal, arguments=cases[0]),
        size=SIZE,
    )


def make_plan(simulation: Simulation) -> list[Action]:
    # on a phone that starts dark or locked nothing can be tried
    setup = simulation.setup
    lit = replace(
        setup, faults=tuple(name for name in setup.faults if name not in ("screen_off", "pin_lock"))
    )
    found = find_shortest_path(replace(simulation, setup=lit))
    ways = [Wait() if gesture is None else convert_gesture(gesture) for gesture in found.gestures]
    return [*ways, Finished(content=found.answer)]


class Writer:
    """A model that answers with the next action of a plan, in a format."""

    def __init__(self, name: str, plan: list[Action]) -> None:
        self._format, self._plan = make_format(name), plan

    def __call__(self, screen: ScreenInput, past: tuple[PastStep, ...]) -> Sequence[Action]:
        action, *further = self._plan[len(past) :]
        prepared = self._format.prepare(TASK, screen, past, "zh")
        # some have one call for a click on a field and its text
        pair = [action, *further[:1]] if further and isinstance(further[0], Type) else [action]
        written = prepared.write(pair) or prepared.write([action])
        assert written is not None, f"{action} cannot be written"
        reading = prepared.read(written.text)
        assert reading.problem is None
        return reading.actions


@pytest.fixture(scope="module")
def connected(adb_port: int) -> Iterator[tuple[SimulatedPhoneServer, AdbClient]]:
    """A phone, and adb's connection to it."""
    with SimulatedPhoneServer(Phone(size=SIZE)) as server:
        client = AdbClient.find(server.serial, server_port=adb_port, reconnect_s=10)
        yield server, client
        client.disconnect()


Connected = tuple[SimulatedPhoneServer, AdbClient]


def attempt(connected: Connected, simulation: Simulation, act: Act) -> bool | None:
    """Whether the goal is reached; a DeviceError goes through."""
    server, client = connected
    # a device of its own: what it remembers of trees that failed is not of this phone
    session = begin_simulated(simulation, AdbDevice(client, observe_s=60), partial(ask, server))
    past: tuple[PastStep, ...] = ()
    while len(past) < 30:
        for action in act(session.observe(), past):
            if session.step(action).end is not None:
                return session.evaluate().success
            written = format_action(action)
            past += (PastStep(action=action, written=written, output=written),)
    raise AssertionError("the attempt does not end")


def follow(connected: Connected, goal: str, fault: str) -> bool | None:
    simulation = make_simulation(goal, f"{fault}={SECONDS[fault]}" if fault in SECONDS else fault)
    plan = make_plan(simulation)
    return attempt(connected, simulation, lambda screen, past: plan[len(past) :][:1])


@pytest.mark.parametrize("goal", GOALS)
def test_the_shortest_way_leads_to_the_goal_although_all_that_is_read_is_as_from_a_real_phone(
    connected: Connected, goal: str
) -> None:
    simulation = make_simulation(goal, *AS_REAL)
    plan = make_plan(simulation)
    assert attempt(connected, simulation, lambda screen, past: plan[len(past) :][:1]) is True


@pytest.mark.parametrize("name", ["generalist", "appagent", "autodroid", "qwen2.5-vl"])
def test_a_model_reaches_the_goal_although_all_that_is_read_is_as_from_a_real_phone(
    connected: Connected, name: str
) -> None:
    simulation = make_simulation("send_text", *AS_REAL)
    assert attempt(connected, simulation, Writer(name, make_plan(simulation))) is True


@pytest.mark.soak
@pytest.mark.parametrize("fault", [name for name in FAULTS if name not in ("unauthorized", "offline")])
@pytest.mark.parametrize("goal", GOALS)
def test_the_shortest_way_leads_to_the_goal_or_a_step_says_why(
    connected: Connected, goal: str, fault: str
) -> None:
    why = WHY.get(fault)
    if why is None or (fault, goal) == ("no_adb_keyboard", "buy"):
        assert follow(connected, goal, fault) is True
        return
    with pytest.raises(DeviceError, match=why) as caught:
        follow(connected, goal, fault)
    assert "\n" not in str(caught.value)


@pytest.mark.soak
@pytest.mark.parametrize("fault", [name for name in FAULTS if name not in WHY])
@pytest.mark.parametrize("name", FORMATS)
def test_a_model_of_each_format_reaches_the_goal_under_each_fault(
    connected: Connected, name: str, fault: str
) -> None:
    simulation = make_simulation("send_text", f"{fault}={SECONDS[fault]}" if fault in SECONDS else fault)
    plan = make_plan(simulation)
    unnamed = ("no_tree", "moving_screen", "huge_tree", "notification")
    if name in ("appagent", "autodroid") and fault in unnamed:
        # they name elements, and there are none; a message over the app is in no tree of the app
        with pytest.raises(AssertionError, match="cannot be written"):
            attempt(connected, simulation, Writer(name, plan))
        return
    assert attempt(connected, simulation, Writer(name, plan)) is True
