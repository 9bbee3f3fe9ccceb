"""How an answer is read out of whatever JSON a server sends."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingertip_models.chat.chat_answer import ModelAnswer, count, read_answer, whole
from tests.vectors import read_vectors

VECTORS = read_vectors(__file__)


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


def completion(content: object, **fields: object) -> dict[str, Any]:
    return {"choices": [{"message": {"content": content, **fields}, "finish_reason": "stop"}]}


def read(body: dict[str, Any]) -> ModelAnswer:
    return read_answer(body, model="asked", seconds=1.5, attempts=2)


PLAIN = ModelAnswer(
    text="好", reasoning="", seconds=1.5, prompt_tokens=None, completion_tokens=None, model="asked",
    attempts=2, finish_reason="stop",
)  # fmt: skip


@pytest.mark.parametrize(
    ("body", "answer"),
    [
        (completion("好"), PLAIN),
        ({**completion("好"), "model": "gpt-4.1-2025-04-14"}, replace(PLAIN, model="gpt-4.1-2025-04-14")),
        ({"choices": []}, replace(PLAIN, text="", finish_reason=None)),
        ({"choices": None}, replace(PLAIN, text="", finish_reason=None)),
        ({"choices": ["x"]}, replace(PLAIN, text="", finish_reason=None)),
        (completion(None), replace(PLAIN, text="")),
        (completion(None, refusal="I cannot"), replace(PLAIN, text="I cannot")),
        (completion("好", reasoning_content="想"), replace(PLAIN, reasoning="想")),
        (completion("好", reasoning="想", reasoning_content="想"), replace(PLAIN, reasoning="想")),
        (completion("好", reasoning=7), PLAIN),
        (completion("好", thinking="想"), replace(PLAIN, reasoning="想")),
        ({"choices": [{"text": "好", "finish_reason": "stop"}]}, PLAIN),
        ({"choices": [{"message": "好", "finish_reason": "stop"}]}, PLAIN),
        (completion("<think>\n\n</think>\n\n好"), PLAIN),
        (completion("\n<think>想</think>好"), replace(PLAIN, reasoning="想")),
        (completion("想\n</think>\n好"), replace(PLAIN, reasoning="想")),
        (completion("<think>想", reasoning="先"), replace(PLAIN, text="", reasoning="先\n想")),
        (completion([{"type": "text", "text": "好"}]), PLAIN),
        (
            completion([{"type": "thinking", "thinking": [{"text": "想"}]}, {"type": "text", "text": "好"}]),
            replace(PLAIN, reasoning="想"),
        ),
        (completion({"app": "微信"}), replace(PLAIN, text='{"app": "微信"}')),
        (completion("\ud800好\x1b[2J"), replace(PLAIN, text="\ufffd好\x1b[2J")),
    ],
)
def test_an_answer_is_read(body: dict[str, Any], answer: ModelAnswer) -> None:
    assert read(body) == answer


@pytest.mark.parametrize(("usage", "prompt", "completion_tokens"), VECTORS["an_implausible_count_is_none"])
def test_an_implausible_count_is_none(
    usage: object, prompt: int | None, completion_tokens: int | None
) -> None:
    answer = read({**completion("好"), "usage": usage})
    assert (answer.prompt_tokens, answer.completion_tokens) == (prompt, completion_tokens)


def test_zero_tokens_for_an_empty_answer_are_plausible() -> None:
    assert read({"choices": [], "usage": {"completion_tokens": 0}}).completion_tokens == 0


def test_reasoning_tokens_are_counted_separately() -> None:
    usage = {"completion_tokens": 90, "completion_tokens_details": {"reasoning_tokens": 70}}
    assert read({**completion("好"), "usage": usage}).reasoning_tokens == 70


@given(anything, anything, anything, anything)
def test_any_json_is_accepted(content: object, message: object, choices: object, usage: object) -> None:
    output = {"message": {"content": content, "reasoning": message}, "finish_reason": message}
    for body in ({"choices": choices}, {"choices": [choices]}, {"choices": [{"message": message}]}):
        assert isinstance(read({**body, "usage": usage, "model": message}).text, str)
    answer = read({"choices": [output], "usage": {"prompt_tokens": usage, "completion_tokens": choices}})
    json.dumps([answer.text, answer.reasoning, answer.model], ensure_ascii=False).encode()
    assert answer.prompt_tokens is None or answer.prompt_tokens > 0


@given(st.text(st.characters(exclude_categories=[])))
def test_whole_text_can_be_encoded(text: str) -> None:
    assert len(whole(text).encode()) >= 0
    if not any("\ud800" <= letter <= "\udfff" for letter in text):
        assert whole(text) == text


@given(st.integers())
def test_a_count_is_itself_or_none(value: int) -> None:
    assert count(value) == (value if 0 <= value <= 10_000_000 else None)
