"""A simulated person uses a phone; what getevent tells becomes an episode that can be replayed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from fingertip_dataset.actions import Click, LongClick, PressBack, PressHome, PressRecent, Scroll, Type
from fingertip_dataset.errors import DeviceOfflineError
from fingertip_recorder.demonstration import Demonstration, write_steps
from fingertip_recorder.episode_writer import EpisodeWriter
from fingertip_recorder.replay_check import read_trajectories, replay
from fingertip_recorder.transcript import DemonstratedStep
from simulated_phone import GoalInstance, Phone
from simulated_phone.goals.steps import Open, Press, Step, Tap, TypeText
from simulated_phone.people.gestures import Gesture, GesturePlayer
from simulated_phone.people.life import PhoneSetup
from simulated_phone.people.simulation import Simulation
from tests.phone_bench import Bench, drop_connections

SEED = 3
CLOCK = "com.android.deskclock"
SIZE = (540, 1200)
SWIPES = {"up": (0, -500), "down": (0, 500), "left": (-500, 0), "right": (500, 0)}


def with_scroll_length(gesture: Gesture, phone: Phone) -> Gesture:
    """The gesture; a swipe gets the length that the release's `scroll` has when it is performed."""
    if gesture.kind != "swipe":
        return gesture
    (width, height), (across, down) = phone.size, SWIPES[gesture.text]
    to = (min(max(gesture.x + across, 0), width - 1), min(max(gesture.y + down, 0), height - 1))
    return replace(gesture, to=to)


def demonstrate(rig: Bench, steps: tuple[Step, ...]) -> Demonstration:
    """Perform the steps on the phone, with a recorded observation before each gesture."""
    gestures: Iterator[Gesture] = GesturePlayer(rig.phone).gestures(steps)

    def perform_next(phone: Phone) -> bool:
        gesture = next(gestures, None)
        if gesture is not None:
            with_scroll_length(gesture, phone).perform(phone.finger)
        return gesture is not None

    demonstration = Demonstration(rig.device, settle=0.05)
    with demonstration:
        demonstration.wait_for_observation(0)
        while rig.server.do(perform_next):
            time.sleep(0.05)
            demonstration.wait_for_observation(time.monotonic())
    assert demonstration.error is None
    return demonstration


def wait_for_touches(demonstration: Demonstration, count: int) -> None:
    deadline = time.monotonic() + 60
    while demonstration.touches < count:
        assert time.monotonic() < deadline
        time.sleep(0.01)


def write_episode(
    raw: Path, demonstration: Demonstration, goal_instance: GoalInstance, setup: PhoneSetup
) -> Path:
    simulation = Simulation(setup=setup, goal_instance=goal_instance, size=SIZE)
    with EpisodeWriter(
        raw,
        user_id="1",
        moment=datetime.now(UTC),
        scenario="住所",
        app=goal_instance.package,
        intent="试一试",
        provenance="simulated",
        survey={"simulation": simulation.to_json()},
    ) as writer:
        return write_steps(writer, demonstration.steps(), demonstration.last)


@pytest.mark.parametrize(
    ("goal_name", "strategy", "kinds"),
    [
        ("set_alarm", "typed", {Click, Type, PressBack}),
        ("delete_alarm", "held", {Click, LongClick}),
        pytest.param("start_timer", "voice", {Click, Type}, marks=pytest.mark.soak),
        ("add_city", "browse", {Click, Scroll}),
    ],
)
def test_a_demonstration_becomes_an_episode_that_can_be_replayed(
    bench: Callable[..., Bench], tmp_path: Path, goal_name: str, strategy: str, kinds: set[type]
) -> None:
    rig = bench(seed=SEED)
    goal = rig.phone.apps[CLOCK].goal(goal_name)
    case = max(goal.cases(SEED), key=lambda case: str(case).encode("gbk"))  # the last of the list
    goal_instance = GoalInstance(package=CLOCK, goal=goal_name, arguments=case)
    setup = PhoneSetup(seed=SEED, moment=rig.phone.now)
    rig.server.do(setup.apply)
    script = next(one for one in goal.strategies if one.name == strategy).steps(case)
    demonstration = demonstrate(rig, script)
    assert rig.phone.achieved(goal_instance)
    assert [step.doubts for step in demonstration.steps() if step.doubts] == []
    assert kinds <= {type(step.action) for step in demonstration.steps()}
    write_episode(tmp_path, demonstration, goal_instance, setup)
    (recorded,) = read_trajectories(tmp_path)
    # the clock of the phone, which was set to the moment of the setup
    assert all(timedelta(0) <= moment - setup.moment < timedelta(minutes=5) for moment in recorded.moments)
    outcome = replay(recorded, rig.server, rig.device)
    assert outcome.reached, outcome


def actions(steps: tuple[DemonstratedStep, ...]) -> list[object]:
    return [type(step.action) for step in steps]


def test_navigation_keys_and_typing_are_recorded(bench: Callable[..., Bench]) -> None:
    rig = bench(seed=SEED)
    script = (
        Open(CLOCK),
        Tap("世界时钟"),
        Tap("添加城市"),
        TypeText("东京x", into="搜索城市"),
        TypeText("巴黎", into="搜索城市", clear=True),
        Press("back"),
        Press("home"),
        Press("recents"),
    )
    steps = demonstrate(rig, script).steps()
    typed = [step.action.text for step in steps if isinstance(step.action, Type)]
    # no dump shows the keys of a keyboard: what was deleted again is no part of the text
    assert typed == ["巴黎"]
    assert actions(steps)[-3:] == [PressBack, PressHome, PressRecent]
    assert all(step.before.observation.screenshot and step.before.observation.tree for step in steps)


def test_a_touch_before_a_fresh_observation_raises_a_doubt(bench: Callable[..., Bench]) -> None:
    rig = bench(seed=SEED)
    demonstration = Demonstration(rig.device, settle=2)
    with demonstration:
        demonstration.wait_for_observation(0)
        assert demonstration.ready
        rig.server.do(lambda phone: phone.finger.swipe(400, 600, 50, 600))
        wait_for_touches(demonstration, 1)
        assert not demonstration.ready
        rig.server.do(lambda phone: phone.finger.swipe(50, 600, 400, 600))
    first, second = demonstration.steps()
    assert (first.doubts, len(second.doubts)) == ((), 1)
    assert "an older one" in second.doubts[0]


def test_recording_continues_after_a_dropped_connection(bench: Callable[..., Bench]) -> None:
    rig = bench(seed=SEED)
    demonstration = Demonstration(rig.device, settle=0.05)
    with demonstration:
        demonstration.wait_for_observation(0)
        drop_connections(rig.server)
        time.sleep(1)
        demonstration.wait_for_observation(time.monotonic())
        rig.server.do(lambda phone: phone.finger.tap(270, 1190))
        wait_for_touches(demonstration, 1)
    (step,) = demonstration.steps()
    assert isinstance(step.action, PressHome)
    (gap,) = demonstration.gaps
    assert step.doubts == (
        f"before this the connection was lost for {gap.seconds} s: touches in that time are missing",
    )
    assert not demonstration.lost


def test_steps_recorded_before_the_phone_is_lost_are_kept(bench: Callable[..., Bench]) -> None:
    rig = bench(seed=SEED, reconnect_s=0.3)
    demonstration = Demonstration(rig.device, settle=0.05)
    with demonstration:
        demonstration.wait_for_observation(0)
        rig.server.do(lambda phone: phone.finger.tap(270, 1190))
        wait_for_touches(demonstration, 1)
        demonstration.wait_for_observation(time.monotonic())
        rig.server.__exit__(None, None, None)
    assert isinstance(demonstration.error, DeviceOfflineError)
    assert actions(demonstration.steps()) == [PressHome]
    assert demonstration.last.observation.size == SIZE
    rig.server.__enter__()
