"""A simulated person uses a phone; what getevent tells becomes an episode that can be walked again."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from fingertip_dataset.actions import Click, LongClick, PressBack, PressHome, PressRecent, Scroll, Type
from fingertip_dataset.errors import DeviceOfflineError
from fingertip_recorder.demonstration import Demonstration, write_steps
from fingertip_recorder.episode_writer import EpisodeWriter
from fingertip_recorder.replay_check import recorded_trajectories, replay
from fingertip_recorder.transcript import DemonstratedStep
from simulated_phone import GoalInstance, Phone
from simulated_phone.people.gestures import Hand, HandTouch
from simulated_phone.people.life import PhoneSetup
from simulated_phone.people.simulation import Simulation
from simulated_phone.people.steps import Open, Press, Step, Tap, TypeText
from tests.phone_bench import Bench, drop_connections

SEED = 3
CLOCK = "com.android.deskclock"
SIZE = (540, 1200)
SWIPES = {"up": (0, -500), "down": (0, 500), "left": (-500, 0), "right": (500, 0)}


def like_the_authors(touch: HandTouch, phone: Phone) -> HandTouch:
    """A swipe of the length that `scroll` has when it is performed."""
    if touch.kind != "swipe":
        return touch
    (width, height), (across, down) = phone.size, SWIPES[touch.text]
    to = (min(max(touch.x + across, 0), width - 1), min(max(touch.y + down, 0), height - 1))
    return replace(touch, to=to)


def demonstrate(rig: Bench, steps: tuple[Step, ...]) -> Demonstration:
    """A person follows the steps and looks at the screen before each touch."""
    touches: Iterator[HandTouch] = Hand(rig.phone).touches(steps)

    def one(phone: Phone) -> bool:
        touch = next(touches, None)
        if touch is not None:
            like_the_authors(touch, phone).perform(phone.finger)
        return touch is not None

    demonstration = Demonstration(rig.device, settle=0.05)
    with demonstration:
        demonstration.wait_for_look(0)
        while rig.server.do(one):
            time.sleep(0.05)
            demonstration.wait_for_look(time.monotonic())
    assert demonstration.error is None
    return demonstration


def wait_for_touches(demonstration: Demonstration, count: int) -> None:
    deadline = time.monotonic() + 60
    while demonstration.touches < count:
        assert time.monotonic() < deadline
        time.sleep(0.01)


def keep(raw: Path, demonstration: Demonstration, aim: GoalInstance, start: PhoneSetup) -> Path:
    simulation = Simulation(start=start, aim=aim, size=SIZE)
    with EpisodeWriter(
        raw,
        user_id="1",
        moment=datetime.now(UTC),
        scenario="住所",
        app=aim.package,
        intent="试一试",
        provenance="simulated",
        survey={"simulation": simulation.to_json()},
    ) as writer:
        return write_steps(writer, demonstration.steps(), demonstration.last)


@pytest.mark.parametrize(
    ("goal", "way", "kinds"),
    [
        ("set_alarm", "typed", {Click, Type, PressBack}),
        ("delete_alarm", "held", {Click, LongClick}),
        ("start_timer", "voice", {Click, Type}),
        ("add_city", "browse", {Click, Scroll}),
    ],
)
def test_a_demonstration_becomes_an_episode_that_can_be_walked_again(
    bench: Callable[..., Bench], tmp_path: Path, goal: str, way: str, kinds: set[type]
) -> None:
    rig = bench(seed=SEED)
    found = rig.phone.apps[CLOCK].goal(goal)
    case = max(found.cases(SEED), key=lambda case: str(case).encode("gbk"))  # the last of the list
    aim = GoalInstance(package=CLOCK, goal=goal, arguments=case)
    start = PhoneSetup(seed=SEED, moment=rig.phone.now)
    rig.server.do(start.put)
    script = next(one for one in found.ways if one.name == way).steps(case)
    demonstration = demonstrate(rig, script)
    assert rig.phone.achieved(aim)
    assert [step.doubts for step in demonstration.steps() if step.doubts] == []
    assert kinds <= {type(step.action) for step in demonstration.steps()}
    keep(tmp_path, demonstration, aim, start)
    (recorded,) = recorded_trajectories(tmp_path)
    # the episode's times are this computer's, those of the phone are simulated
    recorded = replace(recorded, moments=(start.moment,) * len(recorded.moments))
    outcome = replay(recorded, rig.server, rig.device)
    assert outcome.reached, outcome


def actions(steps: tuple[DemonstratedStep, ...]) -> list[object]:
    return [type(step.action) for step in steps]


def test_keys_of_the_bar_the_keyboard_and_what_was_deleted(bench: Callable[..., Bench]) -> None:
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
    assert typed == ["东京x", "巴黎"]
    deleted = [step for step in steps if isinstance(step.action, Click) and step.action.content == "删除"]
    assert len(deleted) == 3
    assert actions(steps)[-3:] == [PressBack, PressHome, PressRecent]
    assert all(step.look.observation.screenshot and step.look.observation.tree for step in steps)


def test_who_touches_faster_than_screens_are_seen_is_told(bench: Callable[..., Bench]) -> None:
    rig = bench(seed=SEED)
    demonstration = Demonstration(rig.device, settle=2)
    with demonstration:
        demonstration.wait_for_look(0)
        assert demonstration.ready
        rig.server.do(lambda phone: phone.finger.swipe(400, 600, 50, 600))
        wait_for_touches(demonstration, 1)
        assert not demonstration.ready
        rig.server.do(lambda phone: phone.finger.swipe(50, 600, 400, 600))
    first, second = demonstration.steps()
    assert (first.doubts, len(second.doubts)) == ((), 1)
    assert "an older one" in second.doubts[0]


def test_a_dropped_connection_is_outlived(bench: Callable[..., Bench]) -> None:
    rig = bench(seed=SEED)
    demonstration = Demonstration(rig.device, settle=0.05)
    with demonstration:
        demonstration.wait_for_look(0)
        drop_connections(rig.server)
        time.sleep(1)
        demonstration.wait_for_look(time.monotonic())
        rig.server.do(lambda phone: phone.finger.tap(270, 1190))
        wait_for_touches(demonstration, 1)
    assert actions(demonstration.steps()) == [PressHome]


def test_what_was_done_on_a_phone_that_is_lost_is_kept(bench: Callable[..., Bench]) -> None:
    rig = bench(seed=SEED)
    demonstration = Demonstration(rig.device, settle=0.05)
    with demonstration:
        demonstration.wait_for_look(0)
        rig.server.do(lambda phone: phone.finger.tap(270, 1190))
        wait_for_touches(demonstration, 1)
        demonstration.wait_for_look(time.monotonic())
        rig.server.__exit__(None, None, None)
    assert isinstance(demonstration.error, DeviceOfflineError)
    assert actions(demonstration.steps()) == [PressHome]
    assert demonstration.last.observation.size == SIZE
    rig.server.__enter__()
