"""Calls as JSON: what is read beyond JSON, with its note, and what is refused."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingertip_agents.parsing.json_calls import JsonCall, find_json_calls, read_object, refuse_scattered
from fingertip_dataset.errors import ActionSyntaxError

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9999, 9999) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


def find(output: str) -> tuple[JsonCall, ...]:
    return find_json_calls(output, is_call=lambda fields: "action" in fields)


@pytest.mark.parametrize(
    ("written", "arguments", "kinds"),
    [
        ('{"action": "type", "text": "a\nb"}', {"action": "type", "text": "a\nb"}, []),
        ("{'action': 'wait', 'o': True, 'x': None}", {"action": "wait", "o": True, "x": None}, ["converted"]),
        ("{'action': 'wait', 'on': true}", {"action": "wait", "on": True}, ["converted"]),
        (r"""{"action": "type", "text": "it\'s"}""", {"action": "type", "text": "it's"}, ["converted"]),
        ('{"action": "wait", "at": [1, 2,],}', {"action": "wait", "at": [1, 2]}, ["converted"]),
        ('{"action": "type", "text": "hi"', {"action": "type", "text": "hi"}, ["completed"]),
        ('{"action": "type", "text": "hi}', {"action": "type", "text": "hi"}, ["completed"]),
        ('{"name": "f", "arguments": {"action": "go", "at": [1]', {"action": "go", "at": [1]}, ["completed"]),
        ('{"action": "type", "text": 007}', {"action": "type", "text": "007"}, ["converted"]),
        ('{"action": "type", "text": +8613}', {"action": "type", "text": "+8613"}, ["converted"]),
        ('{"action": "wait"}\n```\n</tool_call', {"action": "wait"}, []),
        ('{"function": {"name": "f", "arguments": "{\\"action\\": \\"wait\\"}"}}', {"action": "wait"}, []),
    ],
)  # fmt: skip
def test_what_leaves_no_doubt_is_read(written: str, arguments: dict[str, object], kinds: list[str]) -> None:
    (call,) = find(f"so {written}")
    assert call.arguments == arguments
    assert [note.partition(":")[0] for note in call.notes] == kinds


@pytest.mark.parametrize(
    "written",
    [
        '{"action": "tap", "at": [447, 8',
        '{"action": "tap", "at": 8',
        '{"action": "type", "text": "hel',
        '{"action": "type", "text": tr',
        '{"name": "f", "arguments": {"action": "type", "text": "hel}',
        "{action: wait}",
        '{"action"',
        "{'action': open('x')}",
        "{'action': [x for x in 'ab']}",
        "{" * 5000,
    ],
)
def test_half_a_call_is_none(written: str) -> None:
    assert find(written) == ()


def test_two_values_of_one_argument_are_refused() -> None:
    for written in ('{"action": "a", "action": "b"}', "{'action': 'a', 'action': 'b'}"):
        with pytest.raises(ActionSyntaxError, match="expected one action, got 'two'"):
            find(written)
    assert find('{"action": "a", "action": "a"}')[0].arguments == {"action": "a"}


@pytest.mark.parametrize("number", ["7", "7.50", "-3", "1e3"])
def test_a_number_is_taken_for_the_text_that_it_is_written_as(number: str) -> None:
    (call,) = find(f'{{"action": "answer", "text": {number}}}')
    assert (call.text("text"), call.notes) == (number, [f"converted: the number {number} to a text as text"])


@given(st.dictionaries(st.text(max_size=6), JSON, max_size=4))
def test_any_object_is_read_back_whole_or_without_its_last_character(fields: dict[str, object]) -> None:
    written = json.dumps(fields, ensure_ascii=False)
    found = read_object(written, 0)
    assert found is not None
    assert (found.fields, found.end, found.notes) == (fields, len(written), ())
    short = read_object(written[:-1], 0)
    assert short is None or short.fields == fields


@given(st.text(alphabet="{}[]'\":, a1\\\n", max_size=60))
def test_any_text_is_calls_or_the_parsers_own_error(text: str) -> None:
    try:
        calls = find(text)
    except ActionSyntaxError:
        return
    assert all("action" in call.arguments for call in calls)


@pytest.mark.parametrize(
    ("written", "actions"),
    [
        ('{"action": "a"}\n{"action": "b"}', ["a", "b"]),
        ('[{"action": "a"}, {"action": "b"}]', ["a", "b"]),
        ('I could {"action": "a"} here.\n{"action": "b"}', ["b"]),
        ('{"action": "a"}\nOr {"action": "b"} later.', ["a"]),
        ('Action: {"action": "a"}\nnot {"action": "b"}', ["a"]),
        ('Not <tool_call>\n{"action": "a"}\n</tool_call>, but\n<tool_call>\n{"action": "b"}', ["b"]),
        ('So I {"action": "a"} now, not {"action": "b"}.', ["a", "b"]),
    ],
)
def test_calls_within_sentences_are_left_out_where_others_have_lines(
    written: str, actions: list[str]
) -> None:
    calls = find(written)
    assert [call.arguments["action"] for call in calls] == actions
    left = "{" in written.replace(json.dumps({"action": actions[0]}), "", 1) and len(actions) == 1
    assert calls[0].notes == (["left_out: calls within sentences"] if left else [])


def test_different_calls_with_prose_between_them_are_refused() -> None:
    for between in ("\n", ",\n", "\n```\n```json\n", "\n2. "):
        written = f'{{"action": "a"}}{between}{{"action": "b"}}'
        refuse_scattered(written, find(written))
    same = '{"action": "a"}\nonce more:\n{"action": "a"}'
    refuse_scattered(same, find(same))
    other = '{"action": "a"}\nor else:\n{"action": "b"}'
    with pytest.raises(ActionSyntaxError, match="expected one call, got 'several with prose between them'"):
        refuse_scattered(other, find(other))
