"""What CogAgent-9B-20241220 writes, for a phone of 1080x2400, and what its own client gets wrong."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingertip_agents.formats.cogagent import read_answer
from fingertip_agents.formats.coordinates import ModelFrame
from fingertip_dataset.actions import Action, Click, Finished, Scroll, Type

FRAME = ModelFrame(size=(1000, 1000), screen=(1080, 2400))
CLICK = (
    "Grounded Operation: CLICK(box=[[219,186,311,207]], element_type='Clickable text', "
    "element_info='Mark all emails as read')"
)
MARKED = Click(x=286, y=472, content="Mark all emails as read")


def actions(output: str) -> tuple[Action, ...]:
    reading = read_answer(output, frame=FRAME)
    assert reading.problem is None, reading.problem
    return reading.actions


def test_the_documented_click_is_the_boxs_centre() -> None:
    assert actions(CLICK) == (MARKED,)


@pytest.mark.parametrize("sensitivity", ["<<一般操作>>", "<<敏感操作>>", "<<General Operation>>"])
def test_a_sensitivity_may_follow(sensitivity: str) -> None:
    assert actions(f"{CLICK}\n{sensitivity}") == (MARKED,)
    assert actions(f"{CLICK} {sensitivity}") == (MARKED,)


def test_type_is_a_click_and_then_a_typing() -> None:
    output = (
        "TYPE(box=[[387,249,727,317]], text='CogAgent', element_type='文本输入框', element_info='CogAgent')"
    )
    assert actions(output) == (Click(x=602, y=679, content="CogAgent"), Type(text="CogAgent"))


def test_numbers_with_leading_zeros_are_read() -> None:
    output = "SCROLL_DOWN(box=[[000,086,999,932]], element_type='滚动', element_info='滚动', step_count=5)"
    assert actions(output) == (Scroll(x=539, y=1222, direction="down"),)


@pytest.mark.parametrize("direction", ["up", "down", "left", "right"])
def test_whether_the_content_or_the_finger_moves_is_a_setting(direction: str) -> None:
    output = f"Grounded Operation: SCROLL_{direction.upper()}(box=[[000,000,999,999]], step_count=1)"
    other = {"up": "down", "down": "up", "left": "right", "right": "left"}[direction]
    (scroll,) = actions(output)
    (finger,) = read_answer(output, frame=FRAME, scroll_down="finger").actions
    assert isinstance(scroll, Scroll)
    assert isinstance(finger, Scroll)
    assert (scroll.direction, finger.direction) == (direction, other)


@pytest.mark.parametrize(
    "end", ["END()", "END", "Grounded Operation: END()", "Grounded Operation: END\n<<一般操作>>"]
)
def test_the_end_needs_no_brackets(end: str) -> None:
    assert actions(f"Action: 任务已完成。\n{end}") == (Finished(),)


@pytest.mark.parametrize(
    "text", ["hello, (world)", "it's", "a (b", "END()", "x', 'y", "Grounded Operation: END()"]
)
def test_a_text_is_not_cut_at_brackets_commas_or_quotes(text: str) -> None:
    output = f"Grounded Operation: TYPE(box=[[387,249,727,317]], text='{text}', element_info='{text}')"
    assert actions(output) == (Click(x=602, y=679, content=text), Type(text=text))


def test_the_operation_behind_the_first_label_is_the_only_one() -> None:
    reading = read_answer(
        f"Status: 收件箱[[0, 2, 998, 905]]\nPlan: 1. CLICK(...); 2. END()\nAction: 点击按钮\n{CLICK}\n"
        "Grounded Operation: END()",
        frame=FRAME,
    )
    assert reading.actions == (MARKED,)
    assert reading.thought.endswith("Action: 点击按钮")


@pytest.mark.parametrize(
    "name",
    [
        "DOUBLE_CLICK",
        "RIGHT_CLICK",
        "HOVER",
        "KEY_PRESS",
        "GESTURE",
        "LAUNCH",
        "QUOTE_TEXT",
        "QUOTE_CLIPBOARD",
        "LLM",
    ],
)
def test_what_a_phone_here_cannot_do_is_a_problem(name: str) -> None:
    reading = read_answer(
        f"Grounded Operation: {name}(app='None', box=[[1,1,2,2]], actions=[KEY_DOWN(key='L')])",
        frame=FRAME,
    )
    assert (
        reading.problem == f"expected an action that the benchmark has, too, got {name}: nothing is like it"
    )


@pytest.mark.parametrize(
    ("output", "problem"),
    [
        ("CLICK(element_info='x')", "expected a point as box in CLICK"),
        ("CLICK(box=[[1,2,3]])", "expected the two numbers of a point or the four of a box, got 3"),
        ("CLICK(box=[[1500,186,1600,207]])", "expected a point on the screen of 1000 x 1000"),
        ("TYPE(box=[[1,2,3,4]])", "expected text='...' in TYPE"),
        ("Grounded Operation: PRESS_BACK()", "got 'PRESS_BACK()'"),
        ("Grounded Operation: CLICK(box=[[1,2", "expected a comma or the closing bracket"),
        ("", "got nothing"),
    ],
)
def test_anything_else_is_a_problem_in_words(output: str, problem: str) -> None:
    reading = read_answer(output, frame=FRAME)
    assert reading.actions == ()
    assert reading.problem is not None
    assert problem in reading.problem


PIECES = [
    "Grounded",
    "Operation:",
    "CLICK(",
    "TYPE(",
    "SCROLL_UP(",
    "END",
    "END()",
    "LAUNCH(",
    "box=",
    "text=",
    "element_info=",
    "step_count=",
    "'",
    '"',
    "(",
    ")",
    ",",
    "[[000,086,999,932]]",
    "[[1,2]]",
    "[",
    "]",
    "5",
    "<<一般操作>>",
    "牛奶",
    "\\'",
    "\\n",
    "Action:",
]


@given(
    st.one_of(st.text(max_size=80), st.lists(st.sampled_from([*PIECES, "\n", " "]), max_size=30).map("".join))
)
def test_any_output_is_actions_on_the_screen_or_a_problem(output: str) -> None:
    reading = read_answer(output, frame=FRAME)
    assert bool(reading.actions) != bool(reading.problem)
    assert reading.problem is None or reading.problem.isprintable()
    for action in reading.actions:
        if isinstance(action, Click | Scroll):
            assert 0 <= action.x < 1080
            assert 0 <= action.y < 2400
