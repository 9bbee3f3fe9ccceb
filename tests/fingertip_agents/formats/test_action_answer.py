"""Which action a free answer gives."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fingertip_agents.formats import action_answer
from fingertip_agents.formats.generalist import read_answer
from fingertip_agents.formats.scale import Scale
from fingertip_dataset.actions import (
    Action,
    Click,
    Direction,
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

CLICK = Click(x=336, y=1267, content="蓝色加号按钮")
TEXTS = st.text() | st.text(alphabet="'\"()（）‘’“”,，= \n\t,.click天wait")
PLACES = st.integers(-3000, 30000) | st.floats(-1e6, 1e6, allow_nan=False)
DIRECTIONS: st.SearchStrategy[Direction] = st.sampled_from(("up", "down", "left", "right"))
ACTIONS: st.SearchStrategy[Action] = st.one_of(
    st.builds(Click, x=PLACES, y=PLACES, content=st.none() | TEXTS),
    st.builds(LongClick, x=PLACES, y=PLACES, content=st.none() | TEXTS),
    st.builds(Scroll, x=PLACES, y=PLACES, direction=DIRECTIONS),
    st.builds(Type, text=TEXTS),
    st.sampled_from((PressBack(), PressHome(), PressRecent(), Wait(), Finished(), Finished(content="7:30"))),
)


def only(output: str) -> Action:
    reading = action_answer.read(output)
    assert reading.problem is None
    (action,) = reading.actions
    return action


@pytest.mark.parametrize(
    ("output", "action"),
    [
        ("click(coordinates=(336,1267), content='蓝色加号按钮')", CLICK),
        ("finished()", Finished()),
        ("finish()", Finished()),
        ("It starts then.\nfinished(content='7:30')", Finished(content="7:30")),
        ("click(coordinates=(1, 2), content='finished')", Click(x=1, y=2, content="finished")),
        ("type(text='please wait')", Type(text="please wait")),
        ("type(text='wait() or finished()')", Type(text="wait() or finished()")),
        ("click(coordinates=(10.5, 20.25))", Click(x=10.5, y=20.25)),
        ("click（coordinates＝（336，1267），content＝‘蓝色加号按钮’）", CLICK),
        ("long_click(coordinates=(1, 2))", LongClick(x=1, y=2)),
    ],
)
def test_the_vectors_of_the_release(output: str, action: Action) -> None:
    assert only(output) == action


@pytest.mark.parametrize(
    "output",
    [
        "I see the plus button, so I tap it.\n\nclick(coordinates=(336,1267), content='蓝色加号按钮')",
        "Action: click(coordinates=(336,1267), content='蓝色加号按钮')",
        "**Action:** `click(coordinates=(336,1267), content='蓝色加号按钮')`",
        "动作：click(coordinates=(336,1267), content='蓝色加号按钮')。",
        "Thought: not finished() yet.\nAction:click(coordinates=(336,1267), content='蓝色加号按钮')",
        "```\nclick(coordinates=(336,1267), content='蓝色加号按钮')\n```",
        "```python\nclick(coordinates=(336,1267), content='蓝色加号按钮')\n```\nSo it opens (see 'note').",
        "<think>wait() or press_back()?\nclick(coordinates=(1,1))</think>\n\n"
        "click(coordinates=(336,1267), content='蓝色加号按钮')",
        "我选择click(coordinates=(336,1267), content='蓝色加号按钮')，因为它能新建。",
        "1. click(coordinates=(336,1267), content='蓝色加号按钮')",
    ],
)
def test_thought_prose_fences_and_labels_stand_around_a_call(output: str) -> None:
    assert only(output) == CLICK


def test_a_call_in_quotes_is_no_call() -> None:
    assert only('The button says "wait()" and “finished()”.\nclick(coordinates=(1, 2))') == Click(x=1, y=2)
    reading = action_answer.read('The button says "finished()".')
    assert not reading.actions
    assert reading.problem is not None


def test_of_a_plan_the_first_step_is_taken_for_the_others_are_for_screens_not_seen() -> None:
    plan = "click(coordinates=(1, 2), content='搜索')\ntype(text='牛奶')\nfinished()"
    assert only(plan) == Click(x=1, y=2, content="搜索")
    assert only("1. click(coordinates=(1, 2), content='a')\n2. finished()") == Click(x=1, y=2, content="a")
    assert only("click(coordinates=(1, 2), content='a'), click(coordinates=(3, 4), content='b')") == Click(
        x=1, y=2, content="a"
    )


def test_of_calls_that_are_weighed_the_last_is_taken() -> None:
    weighed = "I could wait() here.\nclick(coordinates=(1, 2))\nBut that leads nowhere, so:\npress_back()"
    assert only(weighed) == PressBack()


def test_a_line_of_its_own_counts_more_than_a_sentence() -> None:
    assert only("press_back()\nThen we would have to wait() for it.") == PressBack()


def test_a_text_may_hold_quotes_brackets_and_calls() -> None:
    assert only("I type: type(text='买(大)杯, it's (fine)')\nThat is all.") == Type(
        text="买(大)杯, it's (fine)"
    )
    assert only("Action: click(coordinates=(1, 2), content=':)')") == Click(x=1, y=2, content=":)")
    assert only("Action: click(coordinates=(1, 2), content='(')") == Click(x=1, y=2, content="(")


def test_prose_with_a_word_and_a_bracket_is_no_call() -> None:
    assert only("I wait (for the page) and type (slowly).\npress_home()") == PressHome()


@pytest.mark.parametrize(
    ("output", "words"),
    [
        ("", "expected a call such as click(...) or finished(), got nothing"),
        ("I am done.", "got 'I am done.'"),
        ("<think>what now", "expected an action behind the thought"),
        ("Action: click(336, 1267)", "expected coordinates=(x, y)"),
        ("wait().\nAction: click(coordinates=(a, 2))", "expected a number as coordinate, got 'a'"),
        ("click(coordinates=(1, 2), content='蓝", "expected a closing bracket"),
        ("Action: scroll(coordinates=(1, 2), direction='sideways')", "expected direction up, down, left"),
        ("x" * 200_000, "expected at most 100000 characters"),
        ("wait() then I " * 100, "expected one action, got more than 64"),
    ],
)
def test_an_unreadable_output_has_a_problem_and_no_action(output: str, words: str) -> None:
    reading = action_answer.read(output)
    assert reading.actions == ()
    assert reading.problem is not None
    assert words in reading.problem
    assert "\n" not in reading.problem


def test_the_thought_is_the_text_before_the_action() -> None:
    output = "<think>hm</think>Thought: 先点加号\n```\nclick(coordinates=(1, 2))\n```"
    assert action_answer.read(output).thought == "hm\n先点加号"


@given(ACTIONS)
@example(Type(text="</think>"))
def test_what_is_written_in_the_releases_spelling_reads_as_the_same_action(action: Action) -> None:
    screen = Scale(device=(1080, 2400), shown=(1080, 2400))
    assert read_answer(format_action(action), scale=screen).actions == (action,)


def test_the_one_text_that_does_not_come_back_is_the_end_of_a_call_and_another_call() -> None:
    assert only(format_action(Type(text="a')\nclick(coordinates=(1, 2), content='b"))) == Type(text="a")


PIECES = st.sampled_from(
    [
        "click(coordinates=(", "1, 2)", ", content='", "')", "type(text='", "wait()", "finished(", "Action: ",
        "```", "\n", "<think>", "</think>", '"', "“", "（", "）", " ", "Thought: ", "1.", "天",
        "press_back()", "scroll(coordinates=(3,4), direction='down')",
    ]
)  # fmt: skip


@given(st.text() | st.lists(PIECES, max_size=30).map("".join))
def test_any_output_is_one_action_or_a_problem(output: str) -> None:
    reading = read_answer(output, scale=Scale(device=(1080, 2400), shown=(540, 1200)))
    assert (len(reading.actions) == 1) == (reading.problem is None)


@pytest.mark.parametrize(
    "piece", ["')", "(", "wait( ", "type(text='", "' ) ", '"wait()', "Action: ", " ", "-\n"]
)
def test_a_long_answer_of_one_piece_is_read_soon(piece: str) -> None:
    # the suite's timeout is the judge
    assert not action_answer.read(piece * (90_000 // len(piece)) + "x").actions
