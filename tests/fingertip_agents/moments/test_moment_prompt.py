"""The prompt for moments, and what a model that answers it is recorded with."""

from __future__ import annotations

from collections.abc import Callable
from typing import get_args

import pytest

from fingertip_agents.moments.moment_prompt import VERSION
from fingertip_agents.suggestion.model_suggester import ModelSuggester, read_suggestion
from fingertip_agents.suggestion.suggestion_prompt import make_suggestion_messages
from fingertip_dataset.errors import UsageError
from fingertip_dataset.tasks.task import SuggestionInput
from fingertip_models.chat.chat_answer import ModelAnswer
from fingertip_models.messages import Language, Message


@pytest.mark.parametrize("language", get_args(Language))
def test_the_prompt_asks_for_an_intent_or_nothing(
    language: Language,
    morning: SuggestionInput,
    matches_golden: Callable[[str, str, tuple[Message, ...]], None],
) -> None:
    messages = make_suggestion_messages(morning, language, moments=True)
    matches_golden(f"moment_{language}", VERSION, messages)
    plain = make_suggestion_messages(morning, language)
    known = messages[1].text.rpartition("\n\n")[0]
    assert known == plain[1].text.rpartition("\n\n")[0]
    assert "{" not in messages[0].text.replace('{"intent": "...", "wanted": 0.0}', "")


def test_silence_has_an_outcome_and_a_confidence() -> None:
    answer = ModelAnswer(
        text='{"intent": "", "wanted": 0.2}', reasoning="", seconds=1.0, prompt_tokens=5, completion_tokens=3,
        model="m", attempts=1, finish_reason="stop",
    )  # fmt: skip
    found = read_suggestion([answer], moments=True)
    assert (found.text, found.outcome, found.confidence) == ("", "silent", 0.2)
    assert read_suggestion([answer]).confidence is None


def test_moments_take_no_distribution() -> None:
    with pytest.raises(
        UsageError, match="moments have one answer, an intent or nothing: leave out --distrib"
    ):
        ModelSuggester(None, "en", moments=True, distribution=True)  # type: ignore[arg-type]
