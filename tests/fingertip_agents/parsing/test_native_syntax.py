"""The similar task in an agent's own grammar, and what an agent wrote before, once for each answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import pytest

from fingertip_agents.execution_agent import PastStep
from fingertip_agents.parsing.native_syntax import (
    ENTER,
    PastAnswer,
    drop_points,
    list_past_answers,
    make_refusal,
    read_key,
    rewrite_action,
    rewrite_reference,
)
from fingertip_agents.parsing.reading import Reading, WrittenAnswer
from fingertip_agents.screens.coordinates import ModelFrame
from fingertip_dataset.actions import (
    Action,
    Click,
    Finished,
    PressBack,
    PressHome,
    PressRecent,
    Type,
    Wait,
    format_action,
)
from fingertip_dataset.errors import ActionSyntaxError
from fingertip_dataset.tasks.task import ExecutionInput


def tap(action: Action) -> str | None:
    return f"tap({action.x},{action.y})" if isinstance(action, Click) else None


def step(output: str, action: Action) -> PastStep:
    return PastStep(action=action, written=output or "wait()", output=output)


def read(output: str) -> Reading:
    both = (Click(x=1, y=2), Type(text="a"))
    return Reading(actions=both) if output == "both" else Reading(problem="none")


def test_only_what_the_grammar_has_is_rewritten_and_no_name_is_lost(alarm_task: ExecutionInput) -> None:
    assert alarm_task.reference is not None
    actions = (
        "click(coordinates=(5, 6), content='闹钟')",
        "click(coordinates=(5, 6))",
        "press_recent()",
        "long_click(coordinates=(40, 60), content='(40, 60)')",
        "click(coordinates=(5, 6), content=",
        "I am lost",
    )
    rewrite = partial(rewrite_action, write=tap, spell=halve)
    shown_text = rewrite_reference(
        replace(alarm_task, reference=replace(alarm_task.reference, actions=actions)), rewrite
    )
    assert shown_text.reference is not None
    assert shown_text.reference.actions == (
        "tap(5,6)  # 闹钟",
        "tap(5,6)",
        "press_recent()",
        "long_click(coordinates=(20, 30), content='(40, 60)')",
        "click(content=",
        "I am lost",
    )
    without = replace(alarm_task, reference=None)
    assert rewrite_reference(without, rewrite) == without


@pytest.mark.parametrize(
    ("written", "without_point"),
    [
        ("scroll(coordinates=(300, 900), direction='down')", "scroll(direction='down')"),
        ("click(coordinates=(5,6))", "click()"),
        ("type(text='coordinates=(1, 2)')", "type(text='coordinates=(1, 2)')"),
        ("press_home()", "press_home()"),
    ],
)
def test_an_action_is_written_without_its_point(written: str, without_point: str) -> None:
    assert drop_points(written) == without_point


def halve(action: Action) -> str:
    """Spell an action in a frame of half the screen."""
    return ModelFrame(size=(50, 50), screen=(100, 100)).spell(action)


def nothing(actions: Sequence[Action]) -> None:
    """Writer of a grammar without any action."""


def test_steps_of_a_recording_are_written_as_the_agent_would() -> None:
    def pairs(actions: Sequence[Action]) -> WrittenAnswer | None:
        both = len(actions) > 1 and isinstance(actions[1], Type)
        return WrittenAnswer(text="both", actions=2) if both else None

    click, typing = (replace(step("as recorded", action), recorded=True) for action in read("both").actions)
    click = replace(click, screenshot=b"first")
    assert list_past_answers((click, typing, click, step("both", Wait())), read, pairs, halve) == (
        PastAnswer(text="both", screenshot=b"first"),
        PastAnswer(text=click.written, screenshot=b"first"),
        PastAnswer(text="both"),
    )


def test_a_recorded_step_without_an_equivalent_is_in_the_agents_frame() -> None:
    action = Click(x=40, y=60)
    recorded = replace(step("", action), written=format_action(action), recorded=True)
    (answer,) = list_past_answers((recorded,), read, nothing, halve)
    assert answer.text == "click(coordinates=(20, 30))"


def test_an_answer_of_several_steps_is_listed_once() -> None:
    click, typing = (step("both", action) for action in read("both").actions)
    past = (click, typing, click, typing, step("lost", Wait()), step("lost", Wait()), click)
    answers = list_past_answers(past, read, nothing, halve)
    assert [answer.text for answer in answers] == ["both", "both", "lost", "lost", "both"]
    assert list_past_answers((), read, nothing, halve) == ()


def test_a_step_without_an_output_is_listed_as_written() -> None:
    answers = list_past_answers((step("", Wait()), step("", Finished())), read, nothing, halve)
    assert [answer.text for answer in answers] == ["wait()", "wait()"]


def test_a_problem_is_one_line_that_a_terminal_can_show() -> None:
    reading = make_refusal(ActionSyntaxError("expected x,\ngot \x1b[2J" + "y" * 900), "why")
    assert reading.problem is not None
    assert reading.problem.isprintable()
    assert len(reading.problem) < 420
    assert (reading.thought, reading.actions) == ("why", ())


@pytest.mark.parametrize(
    ("names", "action"),
    [
        (["enter", "Enter", "RETURN", "KEYCODE_ENTER", "Enter key", "\n"], ENTER),
        (["back", "KEYCODE_BACK", "Back key", "go_back"], PressBack()),
        (["home", "Home key", "KEYCODE_HOME"], PressHome()),
        (["app_switch", "Recent apps", "KEYCODE_APP_SWITCH", "recents"], PressRecent()),
    ],
)
def test_a_key_is_read_in_any_spelling(names: list[str], action: Action) -> None:
    assert [read_key(name) for name in names] == [action] * len(names)


@pytest.mark.parametrize("name", ["f1", "", "ctrl c", "volume_up", "backspace", "key", "menu"])
def test_a_key_that_nothing_is_like_is_refused_by_name(name: str) -> None:
    with pytest.raises(ActionSyntaxError, match=f"the key {name!r}"):
        read_key(name)
