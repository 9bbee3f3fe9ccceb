"""How a model's answer becomes an intent; the vectors stand in vectors/intents.toml."""

from __future__ import annotations

import json
import tomllib
import unicodedata
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fingertip_agents.suggestion import intent_answer
from fingertip_agents.suggestion.intent_answer import MAX_INTENT, MAX_READ, AnswerOutcome, read_intent
from tests.examples import examples

WANTED = "打开QQ音乐，播放晴天"
VECTORS = tomllib.loads((Path(__file__).parent / "vectors" / "intents.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", VECTORS["vectors"])
def test_an_answer_is_this_intent_with_this_outcome(case: dict[str, Any]) -> None:
    answer = read_intent(case["answer"])
    assert (answer.intent, answer.outcome) == (case.get("intent", case["answer"]), case["outcome"])
    assert answer.notes == tuple(case.get("notes", answer.notes))
    assert read_intent(f"\n {case['answer']}\r\n\n") == answer


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("今天天气很好。\n小鸟在唱歌。\n" * 100, ("今天天气很好。小鸟在唱歌。" * 100)[:MAX_INTENT].strip()),
        ("听" * 900, "听" * MAX_INTENT),
    ],
)
def test_a_long_answer_is_cut(text: str, intent: str) -> None:
    assert (read_intent(text).intent, read_intent(text).outcome) == (intent, "long")


def test_emphasis_within_a_sentence_is_taken_off() -> None:
    assert read_intent("打开**QQ音乐**，播放~~晴天~~").intent == WANTED


@pytest.mark.parametrize(
    "text",
    [
        "打开\x00QQ音乐，播放\x07晴天",
        f"\x1b[2J\x1b[31m{WANTED}\x1b[0m",
        f"\ufeff\u202e{WANTED}",
        f"{WANTED}\ud800",
    ],
)
def test_control_characters_are_taken_out(text: str) -> None:
    assert (read_intent(text).intent, read_intent(text).outcome) == (WANTED, "control")
    escaped = read_intent(json.dumps({"intent": text}))
    assert (escaped.intent, escaped.outcome) == (WANTED, "wrapped")


def test_tabs_and_other_ends_of_lines_are_blanks_and_lines() -> None:
    assert read_intent("打开音乐\t听歌\x85").intent == "打开音乐 听歌"
    assert read_intent("主人在家\u2028打开音乐").outcome == "long"


MARKS = (*"\"'“”{}[]:：\n。 \\", "```", "**", "- ", "1. ", ", ")
WORDS = ("意图", "Intent", "intent", "打开", "抱歉", "json", "null", "x", "1", "<a>", "</a>", "\x1b[", "\x00")
tokens = st.sampled_from((*MARKS, *WORDS))
decorated = st.lists(tokens, max_size=25).map("".join)


@given(st.one_of(st.text(), decorated))
@settings(max_examples=examples(400))
def test_any_answer_is_read_as_one_printable_line(output: str) -> None:
    answer = read_intent(output)
    assert len(answer.intent) <= MAX_INTENT
    assert len(answer.intent.splitlines()) <= 1
    assert answer.intent == answer.intent.strip()
    assert not [char for char in answer.intent if unicodedata.category(char) in ("Cc", "Cs")]
    assert any(char.isalnum() for char in answer.intent) is (
        answer.outcome not in ("nothing", "refused", "unclear")
    )


words = st.text(st.sampled_from("打开音乐听歌看新闻点餐，abcXYZ 0 《》（）"), min_size=1, max_size=60).map(
    lambda text: f"打开{text.strip()}"
)


@given(words, st.sampled_from(["", "。", "！"]))
def test_a_clean_sentence_is_left_as_it_is(text: str, stop: str) -> None:
    once = read_intent(text + stop)
    assert (once.intent, once.outcome) == (text + stop, "answered")
    assert read_intent(once.intent) == once


@pytest.mark.parametrize(
    "text", [*MARKS, *WORDS, "{" * 20, '{"', "a. ", "意图：", "（1）", "**a**", "“”", "1、a\n"]
)
def test_only_the_beginning_of_an_endless_answer_is_read(text: str) -> None:
    endless = text * MAX_READ
    assert read_intent(endless) == read_intent(endless[:MAX_READ])


def test_outcomes_match_the_docstring() -> None:
    assert all(f'- "{outcome}":' in (intent_answer.__doc__ or "") for outcome in get_args(AnswerOutcome))
