"""Which earlier intents a model picks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingertip_agents.suggestion.relevant import MOST_RELEVANT, VERSION, make_relevant_messages, read_relevant
from fingertip_dataset.episodes import Intent
from fingertip_dataset.tasks.task import SuggestionInput
from fingertip_models.messages import Language, Message
from tests.vectors import read_vectors

VECTORS = read_vectors(__file__)


MANY = tuple(
    Intent(user_id="1", time=f"202503{day:02}_080000", scenario="", app="", text=str(day))
    for day in range(1, 31)
)


def picked(output: str) -> list[int]:
    found = read_relevant(output, MANY)
    assert found.readable
    return [int(intent.text) for intent in found.intents]


@pytest.mark.parametrize("language", get_args(Language))
def test_the_prompt(
    language: Language,
    morning: SuggestionInput,
    matches_golden: Callable[[str, str, tuple[Message, ...]], None],
) -> None:
    messages = make_relevant_messages(morning, language)
    matches_golden(f"relevant_{language}", VERSION, messages)
    assert not any(message.images for message in messages)


def test_the_summary_is_asked_in_the_persons_language(morning: SuggestionInput) -> None:
    for language, written, phrase in (
        ("en", "en", "Then sum up in English, in at most"),
        ("en", "fr", "Then sum up in French, in at most"),
        ("zh", "en", "再用英语概括，最多三句话"),
    ):
        system = make_relevant_messages(replace(morning, language=written), language)[0].text
        assert phrase in system
        assert "Chinese" not in system


@pytest.mark.parametrize("output", VECTORS["the_picked_ones_keep_their_order_in_time"])
def test_the_picked_ones_keep_their_order_in_time(output: str) -> None:
    assert picked(output) == [1, 3, 7]
    assert read_relevant(output, MANY).summary.split() in (["早上听歌"], ["早上", "听歌"])


def test_of_too_many_the_first_named_are_picked() -> None:
    assert picked(f'{{"numbers": {list(range(30, 0, -1))}}}') == list(range(11, 31))
    assert read_relevant('{"numbers": [5]}', MANY).summary == ""


@pytest.mark.parametrize(
    "output",
    [
        *VECTORS["without_a_number_that_names_one_the_latest_are_taken"],
        "[" * 9999,
    ],
)
def test_without_a_number_that_names_one_the_latest_are_taken(output: str) -> None:
    found = read_relevant(output, MANY)
    assert (found.intents, found.summary, found.readable) == (MANY[-MOST_RELEVANT:], "", False)


@given(st.text(), st.lists(st.integers()))
def test_any_answer_picks_some_of_what_there_is(words: str, numbers: list[int]) -> None:
    for output in (words, f'{words}{{"numbers": {numbers}, "summary": "{words}"}}'):
        found = read_relevant(output, MANY)
        assert 1 <= len(found.intents) <= MOST_RELEVANT
        assert list(found.intents) == [intent for intent in MANY if intent in found.intents]
        assert "\n" not in found.summary
