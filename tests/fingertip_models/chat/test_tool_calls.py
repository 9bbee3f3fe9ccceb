"""Tool calls in fields of an answer and as XML in its text, as one text that formats of agents read."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingertip_agents.formats.qwen_vl import Qwen3VL
from fingertip_agents.screens.coordinates import ModelFrame
from fingertip_dataset.actions import Action, Click, Finished, PressRecent, Type
from fingertip_models import ModelAnswer
from fingertip_models.chat import chat_answer
from fingertip_models.chat.chat_answer import read_answer
from fingertip_models.chat.tool_calls import ToolCall, convert_xml_calls, read_call_fields
from tests.vectors import read_vectors

VECTORS = read_vectors(__file__)
FRAME = ModelFrame(size=(1000, 1000), screen=(1080, 2400))


def read(message: object, finish: str = "stop") -> ModelAnswer:
    body = {"choices": [{"message": message, "finish_reason": finish}]}
    return read_answer(body, model="m", seconds=0, attempts=1)


def perform(message: object) -> tuple[Action, ...]:
    return Qwen3VL().read(read(message).text, frame=FRAME).actions


def xml(**parameters: str) -> str:
    lines = "".join(f"<parameter={name}>\n{value}\n</parameter>\n" for name, value in parameters.items())
    return f"<tool_call>\n<function=mobile_use>\n{lines}</function>\n</tool_call>"


@pytest.mark.parametrize(("text", "calls"), VECTORS["calls"])
def test_calls_as_xml_are_read(text: str, calls: list[tuple[str, dict[str, object]]]) -> None:
    expected = [ToolCall(name=name, arguments=arguments).text for name, arguments in calls]
    written, count = convert_xml_calls(text)
    assert count == len(calls)
    assert [part for part in expected if part not in written] == []
    assert "<function" not in written
    assert "<arg_key>" not in written


@pytest.mark.parametrize("text", VECTORS["texts"])
def test_what_is_no_whole_call_stays(text: str) -> None:
    assert convert_xml_calls(text) == (text, 0)


@pytest.mark.parametrize(
    ("message", "action"),
    [
        ({"content": xml(action="click", coordinate="[447, 81]")}, Click(x=483, y=194)),
        ({"content": f"Tap.\n{xml(action='answer', text='7')}"}, Finished(content="7")),
        ({"content": xml(action="type", text="a <b>\n[1]")}, Type(text="a <b>\n[1]")),
        ({"content": f"想</think>\n\n{xml(action='system_button', button='Menu')}"}, PressRecent()),
        ({"content": None, "reasoning_content": f"想\n{xml(action='type', text='好')}"}, Type(text="好")),
    ],
)
def test_the_format_performs_a_call_as_xml(message: dict[str, object], action: Action) -> None:
    assert perform(message) == (action,)


CLICK = {"action": "click", "coordinate": [447, 81]}
FUNCTION = {"name": "mobile_use", "arguments": json.dumps(CLICK)}
TOOL_USE = {"type": "tool_use", "name": "mobile_use", "input": CLICK}


@pytest.mark.parametrize(
    "message",
    [
        {"tool_calls": [{"id": "1", "type": "function", "function": FUNCTION}]},
        {"tool_calls": [{"function": {**FUNCTION, "arguments": CLICK}}], "content": ""},
        {"tool_calls": [{"function": {**FUNCTION, "arguments": json.dumps(json.dumps(CLICK))}}]},
        {"tool_calls": {"name": "mobile_use", "arguments": CLICK}},
        {"function_call": FUNCTION, "content": None},
        {"content": [{"type": "text", "text": "Tap it."}, TOOL_USE]},
        {"tool_calls": [{"type": "custom", "custom": {"name": "mobile_use", "input": json.dumps(CLICK)}}]},
    ],
)
def test_the_format_performs_a_call_in_a_field_and_the_option_is_named(message: dict[str, Any]) -> None:
    assert perform(message) == (Click(x=483, y=194),)
    assert read(message).notes == (chat_answer.CALLS_IN_FIELD,)
    assert "--tool-call-parser" in chat_answer.CALLS_IN_FIELD


def test_a_thought_stands_before_its_calls() -> None:
    calls = [{"function": {"name": name, "arguments": "{}"}} for name in "ab"]
    first, second = (ToolCall(name=name, arguments={}).text for name in "ab")
    assert read({"content": "Two.\n", "tool_calls": calls}).text == f"Two.\n{first}\n{second}"


def test_arguments_that_break_off_are_no_other_call() -> None:
    cut = {"function": {"name": "mobile_use", "arguments": '{"action": "type", "text": "hel'}}
    assert perform({"content": None, "tool_calls": [cut]}) == ()


@pytest.mark.parametrize("calls", [None, 7, "x", [], [None], [{"function": 7}], [{"function": {"name": ""}}]])
def test_a_field_without_a_call_is_none(calls: object) -> None:
    assert read_call_fields({"tool_calls": calls}) == ()
    assert read({"content": "好", "tool_calls": calls}).notes == ()


def test_an_answer_in_the_reasoning_is_not_performed_but_named() -> None:
    draft = f"{xml(action='wait')} or not?"
    answer = read({"content": None, "reasoning_content": draft})
    assert (answer.text, answer.reasoning) == ("", draft)
    assert answer.notes == (chat_answer.ALL_IN_REASONING,)
    assert "--reasoning-parser" in chat_answer.ALL_IN_REASONING
    assert read({"content": "", "reasoning": draft}, "length").notes == ()
    assert read({"content": "<think>想", "reasoning": "先"}).notes == ()


VALUES = st.text(st.characters(exclude_characters="\r", exclude_categories=["Cs"]), max_size=40).filter(
    lambda text: "<" not in text
)


@given(VALUES, VALUES)
def test_any_text_of_a_call_arrives(before: str, text: str) -> None:
    written, count = convert_xml_calls(f"{before}{xml(action='type', text=text)}")
    expected = ToolCall(name="mobile_use", arguments={"action": "type", "text": text}).text
    assert (written, count) == (before + expected, 1)


@given(VALUES, st.integers(0, 200))
def test_a_call_cut_anywhere_is_the_same_call_or_none(text: str, end: int) -> None:
    whole = xml(action="type", text=text)
    cut, count = convert_xml_calls(whole[:end])
    expected = ToolCall(name="mobile_use", arguments={"action": "type", "text": text}).text
    assert (cut == expected and count == 1) or (cut == whole[:end] and count == 0)


@given(
    st.text(alphabet='<>/=" \nafu', max_size=300),
    st.sampled_from(["<function=f>", "<parameter=p>", "<arg_key>"]),
)
def test_any_text_is_read(text: str, tag: str) -> None:
    convert_xml_calls(f"{tag}{text}{tag}")
    convert_xml_calls(tag * 200 + text)
