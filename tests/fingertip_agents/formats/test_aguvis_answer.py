"""What Aguvis-7B writes, for a phone of 1080x2400."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingertip_agents.formats.aguvis import read_answer
from fingertip_agents.formats.coordinates import ModelFrame
from fingertip_dataset.actions import (
    Action,
    Click,
    Finished,
    LongClick,
    PressBack,
    PressHome,
    Scroll,
    Type,
    Wait,
)

FRAME = ModelFrame(size=(1, 1), screen=(1080, 2400))


def actions(output: str) -> tuple[Action, ...]:
    reading = read_answer(output, frame=FRAME)
    assert reading.problem is None, reading.problem
    return reading.actions


@pytest.mark.parametrize(
    ("output", "action"),
    [
        ("assistantos\npyautogui.click(x=0.863, y=0.390)", Click(x=932, y=936)),
        (
            "mobile.swipe(from_coord=[0.581, 0.898], to_coord=[0.601, 0.518])",
            Scroll(x=627, y=2155, direction="down"),
        ),
        ("pyautogui.write(message='bread buns')", Type(text="bread buns")),
        ("mobile.terminate(status='success')", Finished()),
        ("mobile.terminate(status='failure')", Finished()),
        ("mobile.home()", PressHome()),
        ("mobile.back()", PressBack()),
        ("mobile.wait(seconds=3)", Wait()),
        ("mobile.long_press(x=0.5, y=0.5)", LongClick(x=540, y=1200)),
        ("terminate(status='success')", Finished()),
        ("terminate", Finished()),
        ("answer('It is 7:00, (really)')", Finished(content="It is 7:00, (really)")),
        ("mobile.answer(answer='7:00')", Finished(content="7:00")),
        ("pyautogui.press(keys='back')", PressBack()),
        ("press(['home'])", PressHome()),
        ("pyautogui.press(keys='enter')", Type(text="\n")),
        ("pyautogui.write(message='bread\\n')", Type(text="bread\n")),
        ("mobile.open_app(app_name='drupe')", PressHome()),
        ("pyautogui.click(0.5, 0.25)", Click(x=540, y=600)),
        ("pyautogui.write('it's, so')", Type(text="it's, so")),
        (
            "pyautogui.dragTo(from_coord=[0.5, 0.5], to_coord=[0.9, 0.5])",
            Scroll(x=540, y=1200, direction="left"),
        ),
        ("pyautogui.hscroll(page=0.3)", Scroll(x=540, y=1200, direction="right")),
    ],
)
def test_documented_output_is_this_action(output: str, action: Action) -> None:
    assert actions(output) == (action,)


def test_the_stripped_tokens_are_neither_calls_nor_thought() -> None:
    reading = read_answer(
        "assistantall\nThought: The clock, then mobile.back().\nAction: Open the clock.\nassistantos\n"
        "pyautogui.click(x=0.863, y=0.390)\n<|diff_marker|>\nmobile.home()",
        frame=FRAME,
    )
    assert reading.actions == (Click(x=932, y=936),)
    assert reading.thought == "The clock, then mobile.back().\nAction: Open the clock."


@pytest.mark.parametrize("page", [-0.31, 0.31])
def test_the_sign_of_a_page_is_a_setting(page: float) -> None:
    output = f"pyautogui.scroll(page={page})"
    up, down = Scroll(x=540, y=1200, direction="up"), Scroll(x=540, y=1200, direction="down")
    assert actions(output) == ((up if page > 0 else down),)
    assert read_answer(output, frame=FRAME, positive_page="down").actions == ((down if page > 0 else up),)


def test_a_scroll_with_a_point_begins_there() -> None:
    assert actions("pyautogui.scroll(page=-1, x=0.25, y=0.25)") == (Scroll(x=270, y=600, direction="down"),)


def test_of_several_calls_all_are_done_in_order() -> None:
    output = (
        "```python\nmobile.wait(seconds=3)\nmobile.swipe(from_coord=[0.5, 0.9], to_coord=[0.5, 0.1])\n```"
    )
    assert actions(output) == (Wait(), Scroll(x=540, y=2160, direction="down"))


@pytest.mark.parametrize(
    ("output", "problem"),
    [
        ("pyautogui.hotkey(keys=['ctrl', 'c'])", "got pyautogui.hotkey"),
        ("pyautogui.press(keys='f1')", "got press of 'f1'"),
        ("pyautogui.doubleClick()", "got pyautogui.doubleClick"),
        ("pyautogui.click(x=863, y=390)", "expected a point on the screen of 1 x 1, got (863, 390)"),
        ("pyautogui.click(x=0.5)", "expected a point as y in pyautogui.click"),
        ("pyautogui.click()", "expected a point as x"),
        ("pyautogui.scroll(page=0)", "expected one number other than 0 as page"),
        ("pyautogui.scroll(page='down')", "expected the numbers"),
        ("mobile.swipe(from_coord=[0.5, 0.5])", "expected from_coord and to_coord in mobile.swipe, got 1"),
        (
            "mobile.swipe(from_coord=[0.5, 0.5], to_coord=[0.5, 0.5])",
            "expected a path of a finger that moves",
        ),
        ("pyautogui.write(message='')", "expected a text to type"),
        ("pyautogui.click(x=0.86", "expected a comma or the closing bracket"),
        ("assistantos", "got nothing"),
        ("I would call mobile.home() now", "expected a call such as"),
        ("__import__('os').system('x')", "expected a call such as"),
    ],
)
def test_anything_else_is_a_problem_in_words(output: str, problem: str) -> None:
    reading = read_answer(output, frame=FRAME)
    assert reading.actions == ()
    assert reading.problem is not None
    assert problem in reading.problem


PIECES = [
    "assistantall",
    "assistantos",
    "pyautogui.click(",
    "mobile.swipe(",
    "pyautogui.scroll(",
    "pyautogui.write(",
    "mobile.terminate",
    "press(",
    "answer(",
    "x=",
    "y=",
    "from_coord=",
    "to_coord=",
    "page=",
    "message=",
    "keys=",
    "'",
    '"',
    "(",
    ")",
    ",",
    "0.5",
    ".9",
    "-1",
    "[0.5,0.9]",
    "9e9",
    "[",
    "]",
    "牛奶",
]


@given(
    st.one_of(st.text(max_size=80), st.lists(st.sampled_from([*PIECES, "\n", " "]), max_size=30).map("".join))
)
def test_any_output_is_actions_on_the_screen_or_a_problem(output: str) -> None:
    reading = read_answer(output, frame=FRAME)
    assert bool(reading.actions) != bool(reading.problem)
    assert reading.problem is None or reading.problem.isprintable()
    for action in reading.actions:
        if isinstance(action, Click | LongClick | Scroll):
            assert 0 <= action.x < 1080
            assert 0 <= action.y < 2400
