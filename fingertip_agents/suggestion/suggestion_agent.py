"""The agent interface of track 1: a name, its settings, and one suggestion per task."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from fingertip_dataset.tasks.task import SuggestionInput
from fingertip_models.chat.chat_answer import ModelAnswer

MOST_INTENTS = 5
"""Most intents of a suggestion with a distribution."""

SILENT = "silent"
"""Outcome of an answer that suggests nothing, as the person is thought to want nothing; only on moments."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """Answer of an agent.

    Attributes:
        text: Predicted intent; "" for none, which counts as unanswered, but on moments is silence: a good
            answer wherever the person wants nothing.
        seconds: Duration, seconds.
        prompt_tokens: Prompt tokens of all calls; 0 without a model, None if the model does not report them.
        completion_tokens: Output tokens of all calls; 0 without a model, None if not reported.
        output: Raw final answer of a model, without its reasoning but otherwise unchanged; "" without a
            model.
        reasoning: Reasoning of a thinking model before its answer.
        outcome: Outcome of parsing: "answered", or another outcome of `intent_answer` or
            `distribution_answer`; "cut" if the token limit ended the answer.
        calls: Number of model calls, cached ones included; 0 without a model. None: not counted, which is
            one call if there is an output or a token, else none.
        cached: Whether a cache answered all of them.
        alternatives: Intents with probabilities that sum to 1, the most probable first, if the agent answers
            with a distribution (A.6.5).
        history_answer: Answer of a second model that selected and summarized the earlier intents (A.6.3);
            its seconds, tokens and call are not included above. None without such a model.
        finish_reason: The server's finish reason; None without a model, or if unknown.
        first_token_s: Seconds until the first token of a streamed answer; None if it was not streamed.
        notes: What of the output was left out, completed or converted, and what the server did to it, each
            beginning with its kind: "left_out: ...", "server: ...".
        confidence: On moments: the agent's probability, 0 to 1, that the person wants something at this
            moment, given for silence as well; None if the agent gives none.
    """

    text: str
    seconds: float
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    output: str = ""
    reasoning: str = ""
    outcome: str = "answered"
    calls: int | None = None
    cached: bool = False
    alternatives: tuple[tuple[str, float], ...] = ()
    history_answer: ModelAnswer | None = None
    finish_reason: str | None = None
    first_token_s: float | None = None
    notes: tuple[str, ...] = ()
    confidence: float | None = None


class SuggestionAgent(Protocol):
    """An agent of track 1, proactive task suggestion."""

    @property
    def name(self) -> str:
        """Name of the agent in the run's record."""

    @property
    def settings(self) -> Mapping[str, object]:
        """All that its answers depend on besides the task, JSON-serializable; stored in the run record."""

    def suggest(self, task_input: SuggestionInput) -> Suggestion:
        """Predict what this person is about to want."""
