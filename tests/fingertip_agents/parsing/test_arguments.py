"""Calls whose texts are quoted but not escaped: where they begin, where they end, what is no call."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingertip_agents.parsing.arguments import Grammar, quote_text, read_calls
from fingertip_agents.parsing.parsed_call import BareWord, read_numbers
from fingertip_dataset.errors import ActionSyntaxError
from tests.vectors import read_vectors

VECTORS = read_vectors(__file__)


GRAMMAR = Grammar(
    calls=("type", "click", "wait", "keys", "combine"),
    arguments=("text", "box", "info", "actions"),
    bare=("wait",),
)


def only(text: str) -> dict[str, object]:
    (call,) = read_calls(text, GRAMMAR)
    return dict(call.named)


@pytest.mark.parametrize("text", VECTORS["a_text_that_is_not_escaped_is_read_whole"])
def test_a_text_that_is_not_escaped_is_read_whole(text: str) -> None:
    assert only(f"type(text='{text}')") == {"text": text}
    assert only(f"type(text='{text}', info='x')") == {"text": text, "info": "x"}


@given(text=st.text(max_size=60))
def test_a_text_that_is_escaped_is_read_back(text: str) -> None:
    calls = read_calls(f"type(text={quote_text(text)}, info='x')\nwait()", GRAMMAR)
    assert calls[0].named == {"text": text, "info": "x"}
    assert [call.name for call in calls] == ["type", "wait"]


@pytest.mark.parametrize(
    ("written", "unknown"),
    [
        ("type(text='hi', submit='true')", "submit='true'"),
        ("type(text='hi', submit=True)", "submit=True"),
        ("type(text='hi', delay=0.1) and so on", "delay=0.1"),
        ("type(text='hi', why='it's good')", "why='it's good'"),
        ("type(text='hi', why='')", "why=''"),
        ("type(why=\"a 'b' c\", text='hi')", "why=\"a 'b' c\""),
        ("type(text='hi', at=[1, [2]], info='x')", "at=[1, [2]]"),
        ("type(text='hi', at=(1, 2), other='')", "at=(1, 2)"),
    ],
)
def test_an_unknown_argument_is_left_out_with_a_note(written: str, unknown: str) -> None:
    (call,) = read_calls(written, GRAMMAR)
    assert call.text("text") == "hi"
    assert f"left_out: {unknown} in type" in call.notes


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("type(text='hi'", "hi"),
        ("type(text='a'b'", "a'b"),
        ("type(text='hi)", "hi"),
        ("type(text='it's (hi)'\n```", "it's (hi)"),
        ("type(text='hi'</action>", "hi"),
        ("click(box='(100,200)'", "(100,200)"),
        ("click(box='(100,200)", "(100,200)"),
        ("click(box='(100,200))", "(100,200)"),
        ("click(box='<point>1 2</point>", "<point>1 2</point>"),
        ("click(box='[[1,2,3,4]]", "[[1,2,3,4]]"),
        ("click(box=(1,2)", (1, 2)),
        ("click(box=[1,2]", (1, 2)),
    ],
)
def test_a_missing_last_quote_or_bracket_is_completed_with_a_note(written: str, value: object) -> None:
    (call,) = read_calls(written, GRAMMAR)
    assert call.value("text", "box") == value
    assert [note.partition(":")[0] for note in call.notes][:1] == ["completed"]


@pytest.mark.parametrize(("written", "text"), [("7", "7"), ("7.50", "7.50"), ("007", "007"), ("-3", "-3")])
def test_a_number_is_taken_for_the_text_that_it_is_written_as(written: str, text: str) -> None:
    (call,) = read_calls(f"type(text={written})", GRAMMAR)
    assert (call.text("text"), call.notes) == (text, [f"converted: the number {text} in type to a text"])


@given(text=st.text(max_size=60))
def test_without_its_last_character_a_text_is_the_same_or_refused(text: str) -> None:
    (call,) = read_calls(f"type(text={quote_text(text)}", GRAMMAR)
    assert call.text("text") == text


@pytest.mark.parametrize("opening", ['"', "‘", "“", "'''", '"""'])
def test_other_quotation_marks_are_accepted(opening: str) -> None:
    closing = {"‘": "’", "“": "”"}.get(opening, opening)
    assert only(f"type(text={opening}it is{closing})") == {"text": "it is"}


@pytest.mark.parametrize(
    "prose",
    ["please wait for it", "I say 'wait()'", "the click (blue)", "typed(text='a')", "a wait() of mine"],
)
def test_words_within_a_line_are_no_calls(prose: str) -> None:
    assert read_calls(prose, GRAMMAR) == ()


@pytest.mark.parametrize(
    "line", ["wait()", "wait", "  - wait() ", "`wait()`", "1. wait()", "wait。", "wait ( )"]
)
def test_a_line_that_begins_with_a_call_is_one(line: str) -> None:
    assert [call.name for call in read_calls(f"so:\n{line}\nthat is it", GRAMMAR)] == ["wait"]


def test_calls_may_stand_behind_one_another() -> None:
    calls = read_calls("wait(); click(box=[[000,086,999,932]]) wait()\nwait()", GRAMMAR)
    assert [call.name for call in calls] == ["wait", "click", "wait", "wait"]
    assert read_numbers(calls[1].named["box"]) == (0, 86, 999, 932)


def test_lists_words_and_calls_within_a_call_are_read() -> None:
    (call,) = read_calls("combine(actions=[keys(text='L'), True], 5)", GRAMMAR)
    assert call.named == {"actions": (BareWord("keys"), BareWord("True"))}
    assert call.plain == (5,)


@pytest.mark.parametrize(
    "text",
    [
        *VECTORS["half_a_call_is_refused"],
        "click(" + "[" * 5000,
        "type(text='" + "x" * 100_000 + "')",
    ],
)
def test_half_a_call_is_refused(text: str) -> None:
    with pytest.raises(ActionSyntaxError, match=r"^expected .*, got ") as caught:
        read_calls(text, GRAMMAR)
    assert len(str(caught.value)) < 200


@given(st.text(alphabet="wait()'\"[],=click text\\\n-`1", max_size=200))
def test_no_text_ends_in_anything_but_the_parsers_own_error(text: str) -> None:
    try:
        calls = read_calls(text, GRAMMAR)
    except ActionSyntaxError:
        return
    assert all(text[call.start : call.end].startswith(call.name) for call in calls)


@pytest.mark.parametrize(
    "text",
    [
        "click(" * 16_000,
        "type(text='(" * 8_000,
        "type(text='" + "'x" * 45_000,
        "- " * 49_000,
        "wait() " * 14_000,
    ],
    ids=["calls", "quotes", "ends", "bullets", "many"],
)
def test_adversarial_input_is_parsed_in_linear_time(text: str) -> None:
    # a parser that goes over the text again for each call runs into the suite's timeout
    if text.startswith(("-", "wait")):
        assert {call.name for call in read_calls(text, GRAMMAR)} <= {"wait"}
    else:
        with pytest.raises(ActionSyntaxError, match=r"^expected"):
            read_calls(text, GRAMMAR)


@pytest.mark.parametrize(("value", "expected"), VECTORS["a_point_or_box_is_read_however_it_is_written"])
def test_a_point_or_box_is_read_however_it_is_written(value: object, expected: tuple[float, ...]) -> None:
    assert read_numbers(value) == tuple(expected)


@pytest.mark.parametrize(
    "value", ["the middle", "", "5%", True, None, {}, [], [1, [2, [None]]], "1" * 300, [1] * 5]
)
def test_what_is_no_point_is_refused(value: object) -> None:
    with pytest.raises(ActionSyntaxError, match="expected the numbers of a point or a box"):
        read_numbers(value)


def test_an_unknown_argument_swallows_no_other() -> None:
    (call,) = read_calls("type(why='so, \"yes\"', 'hi')", GRAMMAR)
    assert (call.plain, call.notes) == (("hi",), ["left_out: why='so, \"yes\"' in type"])


@pytest.mark.parametrize("value", ["2s", "press enter", "07:30", "https://a.cn/b", "True", "50%"])
def test_an_unknown_argument_needs_no_quotes(value: str) -> None:
    for written in (f"type(text='hi', why={value})", f"type(why={value}, text='hi')"):
        (call,) = read_calls(written, GRAMMAR)
        assert (call.named, call.notes) == ({"text": "hi"}, [f"left_out: why={value} in type"])


@pytest.mark.parametrize("written", ["type(text=1,234)", "type(text=hi, there)", "type(text=a, 'b')"])
def test_a_text_without_quotes_that_may_go_on_is_refused(written: str) -> None:
    (call,) = read_calls(written, GRAMMAR)
    with pytest.raises(ActionSyntaxError, match=r"expected text='\.\.\.' in type"):
        call.text("text")


@pytest.mark.parametrize(
    "value", ["{'a': 1}", "now()", "'''x'''", "<button>", "red|blue", "#5", "`x`", '{"a": {}}', "[{'b': 2}]"]
)
def test_an_unknown_argument_of_any_kind_is_left_out(value: str) -> None:
    for written in (f"type(text='hi', other={value})", f"type(other={value}, text='hi')"):
        (call,) = read_calls(written, GRAMMAR)
        assert call.text("text") == "hi"
        assert [note for note in call.notes if note.startswith("left_out: other=")] == call.notes


@pytest.mark.parametrize("name", ["answer", "message", "result"])
def test_the_last_answer_may_have_another_name(name: str) -> None:
    (call,) = read_calls(f"type({name}='7:30', status='done')", GRAMMAR)
    assert call.answer("info") == "7:30"
    assert f"converted: {name} in type to its answer" in call.notes
