"""Steps derived from touches and observations; most trees here lack the keyboard, as on real phones."""

from __future__ import annotations

from datetime import UTC, datetime

from execution_runner.devices.device import Observation
from fingertip_dataset.actions import Click, PressBack, Type
from fingertip_dataset.errors import NoTreeError
from fingertip_dataset.ui_tree.accessibility import Box
from fingertip_recorder.system_windows import SystemWindows
from fingertip_recorder.touches import NavigationKey, Panel, RecordedTouch
from fingertip_recorder.transcript import (
    DemonstratedStep,
    TimedObservation,
    TouchInput,
    Transcript,
    find_rotation,
)

SIZE = (1080, 2400)
TOUCH_INPUT = TouchInput(panel=Panel(path="", x=(0, 1079), y=(0, 2399)), keyboard="com.some.keyboard")
BAR = Box(left=0, top=2310, right=1080, bottom=2400)
SEND = '<node text="发送" class="android.widget.Button" bounds="[900,1300][1080,1400]" clickable="true" />'


def field(text: str, *, password: bool = False, top: int = 1300) -> str:
    attributes = f'text="{text}" focused="true" password="{str(password).lower()}" clickable="true"'
    return f'<node {attributes} class="android.widget.EditText" bounds="[0,{top}][900,1400]" />'


def observed(time: float, *nodes: str, typing: bool = True, tree: bool = True) -> TimedObservation:
    xml = f'<hierarchy rotation="0">{"".join(nodes)}<node bounds="[0,0][9,9]" /></hierarchy>'
    problems = () if tree else (NoTreeError("expected an accessibility tree, got nothing"),)
    observation = Observation(
        screenshot=b"", tree=xml if tree else None, size=SIZE, package="com.app", problems=problems
    )
    moment = datetime.fromtimestamp(time, UTC)
    windows = SystemWindows(navigation=BAR, typing=typing)
    return TimedObservation(
        begin=time, end=time + 0.1, moment=moment, observation=observation, windows=windows
    )


def tap(time: float, x: int, y: int) -> RecordedTouch:
    return RecordedTouch(points=((x, y),), ms=60, fingers=1, seen=(time, time + 0.1))


def letters(time: float, count: int) -> list[RecordedTouch]:
    return [tap(time + number / 5, 100 + 50 * number, 2000) for number in range(count)]


def actions(
    gestures: list[RecordedTouch | NavigationKey], observations: list[TimedObservation]
) -> list[object]:
    return [step.action for step in read(gestures, observations)]


def read(
    gestures: list[RecordedTouch | NavigationKey], observations: list[TimedObservation]
) -> tuple[DemonstratedStep, ...]:
    return Transcript(gestures, observations, TOUCH_INPUT).steps()


def test_letter_keys_become_the_text_of_the_field() -> None:
    observations = [
        observed(1, field("说点什么"), SEND),
        observed(5, field("晚安"), SEND),
        observed(7, SEND, typing=False),
    ]
    gestures: list[RecordedTouch | NavigationKey] = [*letters(2, 6), tap(6, 950, 1350)]
    assert actions(gestures, observations) == [Type(text="晚安"), Click(x=950, y=1350, content="发送")]


def test_only_the_added_text_is_recorded() -> None:
    observations = [observed(1, field("晚")), observed(5, field("晚安"))]
    assert actions([*letters(2, 3)], observations) == [Type(text="安")]


def test_a_key_that_closes_the_field_is_a_separate_step() -> None:
    gestures: list[RecordedTouch | NavigationKey] = [*letters(2, 4), tap(6, 1000, 2300)]
    observations = [observed(1, field("")), observed(4, field("天气")), observed(7, typing=False)]
    assert actions(gestures, observations) == [Type(text="天气"), Click(x=1000, y=2300)]


def test_unobserved_text_raises_a_doubt() -> None:
    (step,) = read([*letters(2, 2)], [observed(1, field("")), observed(5, typing=False)])[:1]
    assert step.action == Type(text="")
    assert "never seen" in step.doubts[0]


def test_a_password_is_not_kept() -> None:
    observations = [observed(1, field("", password=True)), observed(5, field("hunter2", password=True))]
    (step,) = read([*letters(2, 7)], observations)
    assert step.action == Type(text="")
    assert step.doubts == ("a password: it is not kept",)


def test_a_touch_above_the_keyboard_is_a_click_and_a_navigation_key_its_action() -> None:
    gestures: list[RecordedTouch | NavigationKey] = [
        tap(2, 100, 600),
        NavigationKey(name="back", seen=(4, 4)),
    ]
    observations = [observed(1, field("")), observed(3, field(""))]
    assert actions(gestures, observations) == [Click(x=100, y=600), PressBack()]


def test_a_missing_tree_raises_a_doubt() -> None:
    (step,) = read([tap(2, 100, 600)], [observed(1, tree=False, typing=False)])
    assert step.action == Click(x=100, y=600)
    assert step.doubts == ("expected an accessibility tree, got nothing",)


def test_touches_before_the_first_observation_are_left_out() -> None:
    assert actions([tap(1.05, 100, 600)], [observed(1)]) == []


def test_rotation_without_a_tree_follows_from_the_size() -> None:
    upright = observed(1, tree=False).observation
    assert find_rotation(upright) == 0
    rotated = Observation(screenshot=b"", tree=None, size=(2400, 1080), package="")
    assert find_rotation(rotated) == 1
