"""What UI-TARS writes, for a phone of 1080x2400, and what its own parser gets wrong."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingertip_agents.formats.coordinates import ModelFrame
from fingertip_agents.formats.ui_tars import read_answer
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

PHONE = (1080, 2400)
FRAME = ModelFrame(size=(1092, 2408), screen=PHONE)
THOUSANDTHS = ModelFrame(size=(1000, 1000), screen=PHONE)


def actions(output: str, frame: ModelFrame = FRAME) -> tuple[Action, ...]:
    reading = read_answer(output, frame=frame)
    assert reading.problem is None, reading.problem
    return reading.actions


@pytest.mark.parametrize(
    ("output", "action"),
    [
        ("Thought: xxx\nAction: click(start_box='(197,525)')", Click(x=195, y=523)),
        ("Action: click(start_box='(540,1200)')", Click(x=534, y=1196)),
        (
            "Action: scroll(point='<point>540 1200</point>', direction='down')",
            Scroll(x=534, y=1196, direction="down"),
        ),
        ("Action: scroll(start_box='(540,1200)', direction='left')", Scroll(x=534, y=1196, direction="left")),
        ("Action: long_press(point='<point>540 1200</point>')", LongClick(x=534, y=1196)),
        ("Action: long_press(start_box='(540,1200)', time='')", LongClick(x=534, y=1196)),
        ("Action: press_home()", PressHome()),
        ("Action: press_back()", PressBack()),
        ("Action: wait()", Wait()),
        ("Action: finished(content='done, wait()')", Finished(content="done, wait()")),
        ("Action: finished(content='')", Finished()),
        ("Action: finished()", Finished()),
    ],
)
def test_documented_output_is_this_action(output: str, action: Action) -> None:
    assert actions(output) == (action,)


@pytest.mark.parametrize(
    ("output", "text"),
    [
        ("type(content='你好\\n')", "你好\n"),
        ("type(content='你好\n')", "你好\n"),
        ("type(content='你好\\\\n')", "你好\n"),
        ("type(content='a\\nb\\n')", "a\nb\n"),
        ("type(content='\\n')", "\n"),
        ("hotkey(key='enter')", "\n"),
    ],
)
def test_a_new_line_at_the_end_submits(output: str, text: str) -> None:
    assert actions(f"Action: {output}") == (Type(text=text),)


def test_a_scroll_without_a_point_begins_at_the_centre() -> None:
    assert actions("Action: scroll(direction='down')") == (Scroll(x=540, y=1200, direction="down"),)
    assert actions("Action: scroll(direction='left')", THOUSANDTHS)[0] == Scroll(
        x=540, y=1200, direction="left"
    )


def test_an_app_that_is_opened_ends_the_plan() -> None:
    reading = read_answer("Action: open_app(app_name='微信')\n\nclick(start_box='(5,5)')", frame=FRAME)
    assert (reading.opens, reading.actions) == ("微信", (PressHome(),))
    reading = read_answer("Action: press_back()\n\nopen_app(app_name='微信')", frame=FRAME)
    assert (reading.opens, reading.actions) == ("", (PressBack(),))


def test_the_limit_of_pixels_changes_the_place() -> None:
    frame = ModelFrame(size=(588, 1316), screen=PHONE)
    assert actions("Action: click(start_box='(540,1200)')", frame) == (Click(x=992, y=2188),)


def test_the_first_version_writes_thousandths() -> None:
    assert actions("Action: click(start_box='(500,500)')", THOUSANDTHS) == (Click(x=540, y=1200),)


@pytest.mark.parametrize("verb", ["scroll", "drag"])
def test_two_ends_are_a_fingers_path(verb: str) -> None:
    output = f"Action: {verb}(start_box='(500,750)', end_box='(500,250)')"
    assert actions(output, THOUSANDTHS) == (Scroll(x=540, y=1800, direction="down"),)
    output = f"Action: {verb}(start_point='<point>250 500</point>', end_point='<point>750 510</point>')"
    assert actions(output, THOUSANDTHS) == (Scroll(x=270, y=1200, direction="left"),)


@pytest.mark.parametrize(
    "output",
    [
        "Action: click(start_box='<|box_start|>(540,1200)<|box_end|>')",
        "Action: click(start_box=<|box_start|>(540,1200)<|box_end|>)",
        "Action: click(point=<point>540 1200</point>)",
        "Action:click(start_box='(540,1200)')",
        'Action: click(start_box="(540,1200)")',
        "**Action**: click(start_box='[520, 1180, 560, 1220]')",
        "Action：click（start_box='（540，1200）'）",
        "Action: click(start_box=(540, 1200))",
        "```\nThought: a\nAction: click(start_box='(540,1200)')\n```",
        "Action: click(start_box='(540,1200)')<|im_end|>",
        "click(start_box='(540,1200)')",
    ],
)
def test_what_the_official_parser_cannot_read_is_the_same_click(output: str) -> None:
    assert actions(output) == (Click(x=534, y=1196),)


@pytest.mark.parametrize(
    "text", ['it\'s "so"', "Action: wait()", "a\nAction: wait()", "click(start_box='(1,1)')"]
)
def test_texts_in_either_quotes_are_typed_as_they_are(text: str) -> None:
    for quote in "'\"":
        escaped = text.replace(quote, "\\" + quote)
        assert actions(f"Thought: t\nAction: type(content={quote}{escaped}{quote})") == (Type(text=text),)


def test_all_that_follow_the_last_label_are_done_in_order() -> None:
    output = (
        "Thought: one\nAction: press_home()\nThought: no.\n"
        "Action: click(start_box='(540,1200)')\n\ntype(content='牛奶')"
    )
    reading = read_answer(output, frame=FRAME)
    assert reading.actions == (Click(x=534, y=1196), Type(text="牛奶"))
    assert reading.thought == "one\nAction: press_home()\nThought: no."


@pytest.mark.parametrize(
    ("output", "problem"),
    [
        ("Action: open_app(app_name='')", "expected a text to type, got an empty one"),
        ("Action: open_app()", "expected app_name='...' in open_app"),
        ("Action: hotkey(key='ctrl c')", "got hotkey"),
        ("Action: call_user()", "got call_user"),
        (
            "Action: click(start_box='(1200,525)')",
            "expected a point on the screen of 1092 x 2408, got (1200, 525)",
        ),
        ("Action: click()", "expected a point as start_box in click, got nothing"),
        ("Action: click(start_box='the plus')", "expected the numbers of a point or a box"),
        ("Action: scroll(point='<point>5 5</point>', direction='sideways')", "got 'sideways'"),
        ("Action: scroll(point='<point>5 5</point>')", "expected direction='...' in scroll"),
        ("Action: drag(start_box='(5,5)')", "expected two ends in drag, got one"),
        ("Action: type(content=)", "expected a text in quotes"),
        ("Action: type(content=5)", "expected content='...' in type"),
        ("Action: click(start_box='(540,1200)'", "expected a quote and a bracket behind the text"),
        ("Action: click(start_box=(540,1200)", "expected a comma or the closing bracket"),
        ("Action: tap(5)", "expected Action: and a call such as click(...) or finished(), got 'tap(5)'"),
        ("Thought: press_home() it is.\nAction: none", "got 'none'"),
        ("", "got nothing"),
    ],
)
def test_anything_else_is_a_problem_in_words(output: str, problem: str) -> None:
    reading = read_answer(output, frame=FRAME)
    assert reading.actions == ()
    assert reading.problem is not None
    assert problem in reading.problem


PIECES = [
    "Thought:",
    "Action:",
    "click(",
    "type(",
    "scroll(",
    "drag(",
    "finished()",
    "wait",
    "press_back()",
    "start_box=",
    "point=",
    "end_box=",
    "content=",
    "direction=",
    "'",
    '"',
    "(",
    ")",
    ",",
    "(540,1200)",
    "<point>540",
    "1200</point>",
    "<|box_start|>",
    "<|box_end|>",
    "down",
    "牛奶",
    "\\'",
    "\\n",
    "[",
    "]",
    "9",
    "1e9",
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
