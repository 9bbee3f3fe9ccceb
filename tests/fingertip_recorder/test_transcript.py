"""Typing on phones whose tree does not show the keyboard, as most real ones: read off the field alone."""

from __future__ import annotations

from datetime import UTC, datetime

from execution_runner.devices.device import Observation
from fingertip_dataset.actions import Click, PressBack, Type
from fingertip_dataset.errors import NoTreeError
from fingertip_recorder.touches import NavigationKey, Panel, RecordedTouch
from fingertip_recorder.transcript import (
    DemonstratedStep,
    TimedObservation,
    TouchInput,
    Transcript,
    rotation_of,
)

SIZE = (1080, 2400)
TOUCH_INPUT = TouchInput(panel=Panel(path="", x=(0, 1079), y=(0, 2399)), keyboard="com.some.keyboard")
SEND = '<node text="发送" class="android.widget.Button" bounds="[900,1300][1080,1400]" clickable="true" />'


def field(text: str, *, password: bool = False, top: int = 1300) -> str:
    words = f'text="{text}" focused="true" password="{str(password).lower()}" clickable="true"'
    return f'<node {words} class="android.widget.EditText" bounds="[0,{top}][900,1400]" />'


def look(time: float, *nodes: str, typing: bool = True, tree: bool = True) -> TimedObservation:
    xml = f'<hierarchy rotation="0">{"".join(nodes)}<node bounds="[0,0][9,9]" /></hierarchy>'
    problems = () if tree else (NoTreeError("expected an accessibility tree, got nothing"),)
    seen = Observation(
        screenshot=b"", tree=xml if tree else None, size=SIZE, package="com.app", problems=problems
    )
    moment = datetime.fromtimestamp(time, UTC)
    return TimedObservation(begin=time, end=time + 0.1, moment=moment, observation=seen, typing=typing)


def tap(time: float, x: int, y: int) -> RecordedTouch:
    return RecordedTouch(points=((x, y),), ms=60, fingers=1, seen=(time, time + 0.1))


def letters(time: float, count: int) -> list[RecordedTouch]:
    return [tap(time + number / 5, 100 + 50 * number, 2000) for number in range(count)]


def steps(gestures: list[RecordedTouch | NavigationKey], looks: list[TimedObservation]) -> list[object]:
    return [step.action for step in read(gestures, looks)]


def read(
    gestures: list[RecordedTouch | NavigationKey], looks: list[TimedObservation]
) -> tuple[DemonstratedStep, ...]:
    return Transcript(gestures, looks, TOUCH_INPUT).steps()


def test_letters_become_the_text_that_they_left_in_the_field() -> None:
    looks = [look(1, field("说点什么"), SEND), look(5, field("晚安"), SEND), look(7, SEND, typing=False)]
    gestures: list[RecordedTouch | NavigationKey] = [*letters(2, 6), tap(6, 950, 1350)]
    assert steps(gestures, looks) == [Type(text="晚安"), Click(x=950, y=1350, content="发送")]


def test_text_is_added_to_what_was_there() -> None:
    looks = [look(1, field("晚")), look(5, field("晚安"))]
    assert steps([*letters(2, 3)], looks) == [Type(text="安")]


def test_a_key_that_closes_the_field_is_a_step_of_its_own() -> None:
    gestures: list[RecordedTouch | NavigationKey] = [*letters(2, 4), tap(6, 1000, 2300)]
    looks = [look(1, field("")), look(4, field("天气")), look(7, typing=False)]
    assert steps(gestures, looks) == [Type(text="天气"), Click(x=1000, y=2300)]


def test_text_that_was_never_seen_is_doubted() -> None:
    (step,) = read([*letters(2, 2)], [look(1, field("")), look(5, typing=False)])[:1]
    assert step.action == Type(text="")
    assert "never seen" in step.doubts[0]


def test_a_password_is_not_kept() -> None:
    looks = [look(1, field("", password=True)), look(5, field("hunter2", password=True))]
    (step,) = read([*letters(2, 7)], looks)
    assert step.action == Type(text="")
    assert step.doubts == ("a password: it is not kept",)


def test_a_touch_above_the_keyboard_is_a_click_and_a_key_a_key() -> None:
    gestures: list[RecordedTouch | NavigationKey] = [
        tap(2, 100, 600),
        NavigationKey(name="back", seen=(4, 4)),
    ]
    looks = [look(1, field("")), look(3, field(""))]
    assert steps(gestures, looks) == [Click(x=100, y=600), PressBack()]


def test_without_a_tree_it_says_so() -> None:
    (step,) = read([tap(2, 100, 600)], [look(1, tree=False, typing=False)])
    assert step.action == Click(x=100, y=600)
    assert step.doubts == ("expected an accessibility tree, got nothing",)


def test_what_was_touched_before_anything_was_seen_is_left_out() -> None:
    assert steps([tap(1.05, 100, 600)], [look(1)]) == []


def test_rotation_without_a_tree_follows_from_the_size() -> None:
    seen = look(1, tree=False).observation
    assert rotation_of(seen) == 0
    turned = Observation(screenshot=b"", tree=None, size=(2400, 1080), package="")
    assert rotation_of(turned) == 1
