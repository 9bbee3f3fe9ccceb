"""The agent interface of track 1: a name, its settings, and one suggestion per task."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from fingertip_dataset.tasks.task import SuggestionInput
from fingertip_models.chat_answer import ModelAnswer

MOST_INTENTS = 5
"""Most intents of a suggestion with a distribution."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """One answer of an agent.

    Attributes:
        text: The intent it predicts; "" where it has none, which counts as unanswered.
        seconds: Duration, seconds.
        prompt_tokens: Prompt tokens of all calls; 0 without a model, None if the model does not report them.
        completion_tokens: Output tokens of all calls; 0 without a model, None if not reported.
        output: What a model wrote as its final answer, as it came: without reasoning, blanks around it and
            anything else left in; "" without a model.
        reasoning: What a thinking model wrote before its answer.
        outcome: How the output was read: "answered", or in a word what was special about it; "cut" where the
            limit of tokens ended it.
        calls: Number of model calls, cached ones included; 0 without a model.
        cached: Whether a cache answered all of them.
        alternatives: Intents with their probabilities, the likeliest first, where the agent answers with a
            distribution (A.6.5); they sum to 1.
        history_answer: What a second model answered that picked and summed up the earlier intents (A.6.3);
            its seconds, tokens and call are not among those above. None without such a model.
        finish_reason: Why the model stopped, in the server's word; None without a model, or unknown.
        first_token_s: Seconds until the first token of a streamed answer; None where it was not streamed.
    """

    text: str
    seconds: float
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    output: str = ""
    reasoning: str = ""
    outcome: str = "answered"
    calls: int = 1
    cached: bool = False
    alternatives: tuple[tuple[str, float], ...] = ()
    history_answer: ModelAnswer | None = None
    finish_reason: str | None = None
    first_token_s: float | None = None


class SuggestionAgent(Protocol):
    """An agent of track 1, proactive task suggestion."""

    @property
    def name(self) -> str:
        """Name of the agent in the run's record."""

    @property
    def settings(self) -> Mapping[str, object]:
        """Everything its answers depend on beside the task, JSON-serializable; kept in the run's record."""

    def suggest(self, task_input: SuggestionInput) -> Suggestion:
        """Predict what this person is about to want."""
