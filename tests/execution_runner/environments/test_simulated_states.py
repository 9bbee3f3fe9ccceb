"""The state of a simulated phone after each action: equal over adb and in process, observed or not."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from datetime import datetime
from types import SimpleNamespace
from typing import Any

import pytest

from execution_runner.devices.in_process_device import begin_in_process
from execution_runner.environments.phone_session import PhoneSession
from execution_runner.environments.simulated import SimulatedEnvironment
from fingertip_dataset.actions import (
    Action,
    Click,
    Finished,
    LongClick,
    PressBack,
    PressHome,
    PressRecent,
    Scroll,
    Type,
    Wait,
    format_action,
)
from fingertip_dataset.errors import DeviceError, DeviceLockedError
from fingertip_dataset.times import BEIJING
from simulated_phone import GoalInstance, Phone
from simulated_phone.machine.faults import (
    ADVERTISEMENT,
    PERMISSION_DIALOG,
    PIN_LOCK,
    SCREEN_OFF,
    SLOW_LOADING,
)
from simulated_phone.people.life import PhoneSetup
from simulated_phone.people.simulation import Simulation

SIZE = (270, 600)
TEXTS = ("", "7", "wifi 5", "晴天", "a&<b\n", "x\r\ny\rz", "🚇\x00", "it's $5 \\ %s", "好" * 30)
KEYS = (PressBack(), PressHome(), PressRecent(), Wait())
STARTS: Mapping[str, tuple[str, ...]] = {
    "awake": (),
    "dark": (SCREEN_OFF,),
    "overlays": (ADVERTISEMENT, PERMISSION_DIALOG),
    "slow": (SLOW_LOADING,),
}
"""Name -> faults of the task's own setup."""


def simulation(seed: int, faults: tuple[str, ...] = ()) -> Simulation:
    return Simulation(
        setup=PhoneSetup(
            seed=seed,
            moment=datetime(2025, 3, 12, 19, 5, tzinfo=BEIJING),
            recent=("com.android.deskclock", "com.simulated.bianqian"),
            faults=faults,
        ),
        goal_instance=GoalInstance(
            package="com.android.deskclock", goal="set_alarm", arguments={"time": "07:30"}
        ),
        size=SIZE,
    )


def phone() -> Phone:
    return Phone(size=SIZE)


def random_action(rng: random.Random, shown: Phone) -> Action:
    """An action on what is shown: mostly on a node, sometimes at the edge of the screen or outside it."""
    width, height = shown.size
    kind = rng.choices(["node", "hold", "scroll", "type", "key", "any"], [50, 6, 14, 16, 10, 4])[0]
    x, y = rng.randrange(-20, width + 20), rng.randrange(-20, height + 20)
    nodes = [node for node in shown.screen().nodes() if node.clickable]
    fields = [node for node in nodes if node.entry is not None]
    if kind in ("node", "hold") and nodes:
        x, y = rng.choice(fields or nodes).box.centre
    if kind == "scroll":
        return Scroll(x=x, y=y, direction=rng.choice(["up", "down", "left", "right"]))
    if kind == "type":
        return Type(text=rng.choice(TEXTS))
    if kind == "key":
        return rng.choice(KEYS)
    return LongClick(x=x, y=y) if kind == "hold" else Click(x=x + 0.4, y=y)


def drawn_actions(seed: int, count: int, begun: Simulation) -> tuple[Action, ...]:
    """Random actions that follow one another on the phone, with `finished()` at the end."""
    rng, shown = random.Random(seed), phone()  # noqa: S311 - test data
    session = begin_in_process(begun, shown)
    actions: list[Action] = []
    for _ in range(count):
        actions.append(random_action(rng, shown))
        try:
            session.step(actions[-1])
        except DeviceError:
            actions.pop()  # a text that does not arrive; over adb it is an error, too
            break
    return (*actions, Finished())


def states(session: PhoneSession, actions: tuple[Action, ...], *, observe: bool) -> list[str | None]:
    found = []
    for action in actions:
        if observe:
            session.observe()
        found.append(session.step(action).state_sha256)
    return found


@pytest.fixture(scope="module")
def environment(adb_port: int) -> Iterator[Any]:
    """A function: the session over adb for a simulation."""
    simulations: dict[str, Any] = {}
    environment = SimulatedEnvironment("simulated", simulations, server_port=adb_port)

    def begin(begun: Simulation) -> PhoneSession:
        simulations["task"] = begun.to_json()
        return environment.begin(SimpleNamespace(input=SimpleNamespace(task_id="task")))  # type: ignore[arg-type]

    yield begin
    environment.close()


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("seed", [1, *(pytest.param(n, marks=pytest.mark.soak) for n in range(2, 30))])
def test_the_same_actions_give_the_same_states_over_adb_and_in_process(
    environment: Any,  # noqa: ANN401 - the fixture's function
    start: str,
    seed: int,
) -> None:
    begun = simulation(seed, STARTS[start])
    actions = drawn_actions(seed, 12, begun)
    over_adb = states(environment(begun), actions, observe=True)
    in_process = states(begin_in_process(begun, phone()), actions, observe=False)
    # only text without a field that has the focus is not performed, and has no state
    assert all(
        isinstance(action, Type) for action, state in zip(actions, over_adb, strict=True) if state is None
    )
    assert len(set(over_adb)) > 2
    written = [format_action(action) for action in actions]
    assert list(zip(written, over_adb, strict=True)) == list(zip(written, in_process, strict=True))


def test_an_attempt_begins_in_the_same_state_whatever_was_done_before(environment: Any) -> None:  # noqa: ANN401
    begun = simulation(4)
    first = states(environment(begun), (Finished(),), observe=False)
    states(environment(simulation(5, (SCREEN_OFF,))), drawn_actions(5, 3, simulation(5)), observe=True)
    assert states(environment(begun), (Finished(),), observe=True) == first
    assert states(begin_in_process(begun, phone()), (Finished(),), observe=False) == first


def test_a_phone_with_a_pin_cannot_be_begun_in_process_either() -> None:
    with pytest.raises(DeviceLockedError):
        begin_in_process(simulation(1, (PIN_LOCK,)), phone())
