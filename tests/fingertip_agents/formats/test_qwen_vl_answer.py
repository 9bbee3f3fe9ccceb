"""What Qwen's mobile_use writes, for a phone of 1080x2400 unless output otherwise."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingertip_agents.formats.coordinates import ModelFrame
from fingertip_agents.formats.qwen_vl import conclusion, read_answer
from fingertip_dataset.actions import (
    Action,
    Click,
    Finished,
    LongClick,
    PressBack,
    PressHome,
    PressRecent,
    Scroll,
    Type,
    Wait,
)

FRAME = ModelFrame(size=(1092, 2408), screen=(1080, 2400))
CLICK = '{"name": "mobile_use", "arguments": {"action": "click", "coordinate": [935, 406]}}'


def actions(output: str, frame: ModelFrame = FRAME) -> tuple[Action, ...]:
    reading = read_answer(output, frame=frame)
    assert reading.problem is None, reading.problem
    return reading.actions


def shown_text(**arguments: object) -> str:
    return f"<tool_call>\n{json.dumps({'name': 'mobile_use', 'arguments': arguments})}\n</tool_call>"


def test_the_cookbooks_click_is_this_click() -> None:
    assert actions(f"<tool_call>\n{CLICK}\n</tool_call>") == (Click(x=925, y=405),)


def test_on_a_smaller_phone_it_is_another() -> None:
    frame = ModelFrame(size=(728, 1288), screen=(720, 1280))
    assert actions(shown_text(action="click", coordinate=[639, 1095]), frame) == (Click(x=632, y=1088),)


def test_qwen3_writes_points_of_its_grid() -> None:
    """The cookbook's example: its picture is 1440x3120 and the click (447, 81)."""
    frame = ModelFrame(size=(999, 999), screen=(1440, 3120), beyond=1)
    assert actions(shown_text(action="click", coordinate=[447, 81]), frame) == (Click(x=644, y=253),)
    assert actions(shown_text(action="click", coordinate=[1000, 999]), frame) == (Click(x=1439, y=3119),)
    assert read_answer(shown_text(action="click", coordinate=[1001, 999]), frame=frame).problem


def test_qwen3_repeats_a_step_as_its_sentence() -> None:
    output = f'Thought: the bar.\nAction: "I tapped on the search bar."\n{shown_text(action="wait")}'
    assert conclusion(output) == "I tapped on the search bar."
    assert conclusion(shown_text(action="wait")) == '{"action": "wait"}'
    assert conclusion("I am\nlost.") == "I am\nlost."


def test_a_finger_up_is_scroll_down() -> None:
    output = (
        '{"name": "mobile_use", "arguments": '
        '{"action": "swipe", "coordinate": [540,1800], "coordinate2": [540,600]}}'
    )
    assert actions(output) == (Scroll(x=534, y=1794, direction="down"),)


@pytest.mark.parametrize(
    ("arguments", "action"),
    [
        ({"action": "system_button", "button": "Menu"}, PressRecent()),
        ({"action": "system_button", "button": "Back"}, PressBack()),
        ({"action": "system_button", "button": "Home"}, PressHome()),
        ({"action": "key", "text": "KEYCODE_APP_SWITCH"}, PressRecent()),
        ({"action": "type", "text": "牛奶 </tool_call> {}"}, Type(text="牛奶 </tool_call> {}")),
        ({"action": "long_press", "coordinate": [540, 1200], "time": 2}, LongClick(x=534, y=1196)),
        ({"action": "click", "coordinate": "[540, 1200]"}, Click(x=534, y=1196)),
        ({"action": "click", "coordinate": [520, 1180, 560, 1220]}, Click(x=534, y=1196)),
        ({"action": "wait", "time": 5}, Wait()),
        ({"action": "system_button", "button": "Enter"}, Type(text="\n")),
        ({"action": "key", "text": "KEYCODE_ENTER"}, Type(text="\n")),
        ({"action": "type", "text": "牛奶\n"}, Type(text="牛奶\n")),
        ({"action": "open", "text": "微信"}, PressHome()),
        ({"action": "terminate", "status": "success"}, Finished()),
        ({"action": "terminate", "status": "failure"}, Finished()),
        ({"action": "answer", "text": "42"}, Finished(content="42")),
        ({"action": "answer", "text": " "}, Finished()),
        ({"action": "answer"}, Finished()),
    ],
)
def test_documented_calls_are_these_actions(arguments: dict[str, object], action: Action) -> None:
    assert actions(shown_text(**arguments)) == (action,)


@pytest.mark.parametrize(
    "output",
    [
        CLICK,
        f"I click (the plus) {{so}}.\n```json\n{CLICK}\n```",
        f"<think>not {shown_text(action='wait')}</think>{CLICK}",
        f"<tool_call>{CLICK[:-1]}</tool_call>",
        f"<tool_call>{CLICK}}}</tool_call>",
        f"<tool_call>\n{CLICK}",
        '<tool_call>{"action": "click", "coordinate": [935, 406]}</tool_call>',
        '{"name": "mobile_use", "arguments": "{\\"action\\": \\"click\\", \\"coordinate\\": [935, 406]}"}',
        f"{shown_text(action='click', coordinate=[935, 406])}\n{shown_text(action='wait')}",
    ],
)
def test_with_or_without_tags_the_first_call_is_done(output: str) -> None:
    assert actions(output) == (Click(x=925, y=405),)


def test_what_stands_before_is_the_thought() -> None:
    reading = read_answer(f"The plus comes next.\n<tool_call>\n{CLICK}\n</tool_call>", frame=FRAME)
    assert reading.thought == "The plus comes next."


@pytest.mark.parametrize(
    ("output", "problem"),
    [
        (shown_text(action="system_button", button="Power"), "got the button 'Power'"),
        (shown_text(action="open"), "expected a text as text"),
        (shown_text(action="key", text="volume_up"), "got the key 'volume_up'"),
        (shown_text(action="click", coordinate=[1200, 5]), "expected a point on the screen of 1092 x 2408"),
        (shown_text(action="click", coordinate=[True, 5]), "expected the numbers of a point"),
        (shown_text(action="click", coordinate=[float("nan"), 5]), "expected a point on the screen"),
        (shown_text(action="click", coordinate=[10**300, 5]), "expected a point on the screen"),
        (shown_text(action="click"), "expected a coordinate in click, got none"),
        (shown_text(action="type", text=5), "expected a text as text"),
        (shown_text(action="type", text=""), "expected a text to type, got an empty one"),
        ('{"action": "type", "text": "\\ud800"}', "expected a text of whole characters"),
        (shown_text(action=["click"]), "expected a text as action"),
        (shown_text(), "expected the name of an action, got none"),
        ('{"name": "computer_use", "arguments": {"action": "wait"}}', "expected a call of mobile_use"),
        (f"<tool_call>{{broken</tool_call>{CLICK}", "expected the JSON of a mobile_use call"),
        ("I cannot do this", "expected the JSON of a mobile_use call, got 'I cannot do this'"),
        ("", "got nothing"),
        ('{"a":' * 20_000, "expected the JSON"),
        ("x" * 200_000, "expected at most"),
    ],
)
def test_anything_else_is_a_problem_in_words(output: str, problem: str) -> None:
    reading = read_answer(output, frame=FRAME)
    assert reading.actions == ()
    assert reading.problem is not None
    assert problem in reading.problem


PIECES = [
    "<tool_call>",
    "</tool_call>",
    '{"name":',
    '"mobile_use",',
    '"arguments":',
    "{",
    '{"action":',
    '"click"',
    '"swipe"',
    '"type"',
    '"coordinate":',
    '"coordinate2":',
    "[540,1200]",
    "[1,1]",
    '"text":',
    "}",
    ",",
    "NaN",
    "null",
    "1e999",
    '"\\ud83d"',
    "<think>",
    "</think>",
    '"system_button"',
    '"button":',
]


@given(
    st.one_of(st.text(max_size=80), st.lists(st.sampled_from([*PIECES, "\n", " "]), max_size=30).map("".join))
)
def test_any_output_is_actions_on_the_screen_or_a_problem(output: str) -> None:
    reading = read_answer(output, frame=FRAME)
    assert bool(reading.actions) != bool(reading.problem)
    assert reading.problem is None or reading.problem.isprintable()


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4),
    max_leaves=6,
)


@given(
    verb=st.sampled_from(["click", "swipe", "type", "system_button", "key", "long_press"]),
    values=st.dictionaries(st.sampled_from(["coordinate", "coordinate2", "text", "button"]), JSON),
)
def test_any_json_as_arguments_is_an_action_on_the_screen_or_a_problem(
    verb: str, values: dict[str, object]
) -> None:
    reading = read_answer(json.dumps({"action": verb, **values}), frame=FRAME)
    assert bool(reading.actions) != bool(reading.problem)
    for action in reading.actions:
        if isinstance(action, Click | LongClick | Scroll):
            assert 0 <= action.x < 1080
            assert 0 <= action.y < 2400
