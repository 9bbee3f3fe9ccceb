"""imitate: the reference again, element by element, and nothing but what it wrote to know where it stands."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fingertip_agents.execution_agent import Decision, ScreenInput
from fingertip_agents.imitate import MAX_CLOSED, Imitate
from fingertip_dataset.actions import format_action
from fingertip_dataset.tasks.task import ExecutionInput

MakeScreen = Callable[..., ScreenInput]

Follow = Callable[..., list[Decision]]
Make = Callable[..., ExecutionInput]

ALARM = '<node text="闹钟" clickable="true" bounds="[0,100][100,140]"/>'
SKIP = '<node text="跳过 5" clickable="true" bounds="[300,20][350,50]"/>'
FIELD = '<node text="搜索" focused="true" editable="true" clickable="true" bounds="[0,0][200,40]"/>'
CLICK = "click(coordinates=(10, 120), content='闹钟')"


def done(decisions: list[Decision]) -> list[str]:
    return [format_action(decision.actions[0]) for decision in decisions]


def test_the_whole_reference_and_then_finished(task: Make, screen: MakeScreen, followed: Follow) -> None:
    actions = (CLICK, "type(text='七点')", "scroll(coordinates=(5, 5), direction='down')", "press_back()")
    shown_text = task((*actions, "finished()"))
    decisions = followed(Imitate(), shown_text, [screen(ALARM, FIELD)] * 6)
    assert done(decisions) == [*actions, "finished()", "finished()"]
    assert [decision.output.partition(":")[0] for decision in decisions] == [
        *(f"reference {number}/4" for number in (1, 2, 3, 4)),
        *["end of the reference"] * 2,
    ]


def test_it_answers_with_what_was_recorded(task: Make, screen: MakeScreen, followed: Follow) -> None:
    answered = "finished(content='8,892 步')"
    shown_text = task(("press_home()", answered))
    assert done(followed(Imitate(), shown_text, [screen(ALARM)] * 3)) == ["press_home()", answered, answered]


def test_the_point_of_the_person_where_it_still_lies_on_the_element(
    task: Make, screen: MakeScreen, followed: Follow
) -> None:
    shown_text = task((CLICK, "long_click(coordinates=(10, 700), content='闹钟')"))
    assert done(followed(Imitate(), shown_text, [screen(ALARM)] * 2)) == [
        "click(coordinates=(10, 120), content='闹钟')",
        "long_click(coordinates=(50, 120), content='闹钟')",
    ]


def test_a_changed_label_becomes_the_content_of_the_click(
    task: Make, screen: MakeScreen, followed: Follow
) -> None:
    shown_text = task(("click(coordinates=(10, 700), content='添加闹钟')",))
    assert done(followed(Imitate(), shown_text, [screen(ALARM)])) == [
        "click(coordinates=(50, 120), content='闹钟')"
    ]


def test_without_content_or_without_a_tree_the_recorded_point(
    task: Make, screen: MakeScreen, followed: Follow
) -> None:
    bare = "click(coordinates=(5, 6))"
    assert done(followed(Imitate(), task((bare,)), [screen(ALARM)])) == [bare]
    for tree in (None, "<hierarchy><node"):
        blind = ScreenInput(screenshot=b"", tree=tree, size=(360, 800), package="")
        assert done(followed(Imitate(), task((CLICK,)), [blind])) == [CLICK]


def test_an_advertisement_is_closed_and_the_reference_goes_on(
    task: Make, screen: MakeScreen, followed: Follow
) -> None:
    shown = [screen(SKIP), screen(ALARM), screen(FIELD)]
    decisions = followed(Imitate(), task((CLICK, "press_home()")), shown)
    assert done(decisions) == ["click(coordinates=(325, 35), content='跳过 5')", CLICK, "press_home()"]
    assert decisions[0].output.startswith("before reference 1/2, closed: ")


def test_it_closes_before_it_types_into_nothing(task: Make, screen: MakeScreen, followed: Follow) -> None:
    shown = [screen(SKIP, ALARM), screen(SKIP, FIELD), screen(FIELD)]
    typed = "type(text='七点')"
    assert done(followed(Imitate(), task((typed,)), [shown[0], shown[1], shown[2]])) == [
        "click(coordinates=(325, 35), content='跳过 5')",
        typed,
        "finished()",
    ]


def test_closing_what_is_not_there_is_left_out(task: Make, screen: MakeScreen, followed: Follow) -> None:
    shown_text = task(("press_home()", "click(coordinates=(325, 35), content='跳过 3')", CLICK))
    decisions = followed(Imitate(), shown_text, [screen(ALARM)] * 3)
    assert done(decisions) == ["press_home()", CLICK, "finished()"]
    assert decisions[1].output.startswith("reference 3/3: ")


def test_an_element_that_is_gone_is_waited_for_once(task: Make, screen: MakeScreen, followed: Follow) -> None:
    shown_text = task((CLICK, CLICK))
    assert done(followed(Imitate(), shown_text, [screen(FIELD)] * 5)) == [
        "wait()",
        CLICK,
        "wait()",
        CLICK,
        "finished()",
    ]
    assert done(followed(Imitate(), shown_text, [screen(FIELD), screen(ALARM), screen(ALARM)])) == [
        "wait()",
        CLICK,
        CLICK,
    ]


def test_what_cannot_be_closed_is_not_closed_for_ever(
    task: Make, screen: MakeScreen, followed: Follow
) -> None:
    decisions = followed(Imitate(), task((CLICK,)), [screen(SKIP)] * (MAX_CLOSED + 3))
    closed = ["click(coordinates=(325, 35), content='跳过 5')"] * MAX_CLOSED
    assert done(decisions) == [*closed, "wait()", CLICK, "finished()"]


def test_without_a_reference_it_finishes_with_a_note(
    task: Make, screen: MakeScreen, followed: Follow
) -> None:
    (decision,) = followed(Imitate(), task(None), [screen(ALARM)])
    assert (decision.output, done([decision])) == ("no reference: finished()", ["finished()"])


@pytest.mark.parametrize("actions", [("finished()", CLICK), ("I tap the alarm", "finished()")])
def test_what_the_person_did_not_do_is_not_done(
    actions: tuple[str, ...], task: Make, screen: MakeScreen, followed: Follow
) -> None:
    assert done(followed(Imitate(), task(actions), [screen(ALARM)])) == ["finished()"]
