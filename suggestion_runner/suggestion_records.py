"""Records of a run of track 1: run.json, and one line of predictions.jsonl a task."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from fingertip_dataset.tasks.history import HistoryProtocol
from fingertip_models.prices import Prices
from fingertip_runs.run_record import FrozenModel, OmitDefaults, RunRecord

HUMAN = "human"
"""The name of the agent whose answers are people's."""

HistoryLength = Literal["20", "relevant", "all", "none"]
"""How many earlier intents a task shows; "relevant": all, of which a model picks and sums up (A.6.3)."""

Hidden = Literal["profile", "time", "scenario"]
"""What of a task can be hidden."""


class Selection(FrozenModel):
    """Which tasks of the split a run asks, where it does not ask all of them.

    Attributes:
        kind: "first": the first ones, in the dataset's order; "sample": drawn at random.
        of: Number of tasks of the whole split.
        seed: Seed of the sample; None for the first ones.
    """

    kind: Literal["first", "sample"]
    of: int = Field(gt=0)
    seed: int | None = None

    def describe(self, tasks: int) -> str:
        """A phrase for notes on scores.

        >>> Selection(kind="sample", of=1000, seed=0).describe(400)
        'a sample of 400 of 1,000 tasks (seed 0)'
        """
        if self.kind == "first":
            return f"the first {tasks:,} of {self.of:,} tasks"
        return f"a sample of {tasks:,} of {self.of:,} tasks (seed {self.seed})"


class SuggestionRun(OmitDefaults, RunRecord):
    """run.json of track 1; the attributes of `RunRecord`, and how a task is told.

    Attributes:
        screenshots: First screens that a task shows, 0 to 3.
        history: Earlier intents that a task shows.
        protocol: Where they may come from: "online" or "strict".
        history_source: "previous_intents" (the dataset's own column) or "dataset rows" (found again among
            its episodes; intents of the index tables without an episode are not among them).
        without: What of each task is hidden, beside earlier intents.
        distribution: Whether several intents with their probabilities were asked for (A.6.5).
        prices: Of the model's tokens, if the user says.
        selection: Which tasks of the split are asked; None for all of them. `tasks` is their number.
        history_prices: Of the tokens of a history model, if the user says.
    """

    LATER: ClassVar[frozenset[str]] = frozenset(
        {"without", "distribution", "prices", "selection", "history_prices"}
    )

    version: Literal[1, 2] = 2
    track: Literal["suggestion"] = "suggestion"
    screenshots: int = Field(ge=0, le=3)
    history: HistoryLength
    protocol: HistoryProtocol
    history_source: Literal["previous_intents", "dataset rows"]
    without: tuple[Hidden, ...] = ()
    distribution: bool = False
    prices: Prices | None = None
    selection: Selection | None = None
    history_prices: Prices | None = None


class HistoryUsage(FrozenModel):
    """The call of a history model for one task (A.6.3): apart from those of the model that predicts.

    Attributes:
        time_s: Seconds it took.
        prompt_tokens: Tokens it read; None where the server does not say.
        completion_tokens: Tokens it wrote; None where the server does not say.
        cached: Whether a cache answered.
        finish_reason: Why it stopped, in the server's word: "length" when it was cut; None if unknown.
    """

    time_s: float = Field(ge=0, le=1_000_000)
    prompt_tokens: int | None = Field(ge=0, le=1_000_000_000)
    completion_tokens: int | None = Field(ge=0, le=1_000_000_000)
    cached: bool = False
    finish_reason: str | None = Field(default=None, max_length=100)


class Prediction(OmitDefaults):
    """A line of predictions.jsonl: the agent's answer to one task; its target stands in targets.jsonl.

    Attributes:
        task_id: The episode id.
        predicted_intent: The agent's; "" where it has none.
        time_s: Seconds the agent took: of a model from the request to the last byte of its answer, without
            attempts that failed and without waits of our own; see `Answer.seconds`.
        prompt_tokens: Tokens it read; None where it does not say.
        completion_tokens: Tokens it wrote; likewise.
        shown_intents: Earlier intents it was shown.
        shown_screenshots: Screens it was shown.
        output: What a model wrote as its final answer, as it came; the reasoning is not in it.
        reasoning: What it wrote before.
        outcome: How its output was read: "answered", or in a word what was special about it; "cut" where
            the limit of tokens ended it.
        calls: Of a model.
        cached: Whether a cache answered all of them.
        alternatives: Intents with their probabilities, the likeliest first, where a distribution was asked
            for.
        history_usage: Of the call of a history model; None without one, or without an earlier intent.
        finish_reason: Why the model stopped, in the server's word; None without a model, or unknown.
        first_token_s: Seconds until the first token of a streamed answer; None where it was not streamed.
    """

    LATER: ClassVar[frozenset[str]] = frozenset(
        {
            *("output", "reasoning", "outcome", "calls", "cached", "alternatives"),
            *("history_usage", "finish_reason", "first_token_s"),
        }
    )

    task_id: str
    predicted_intent: str
    time_s: float = Field(ge=0)
    prompt_tokens: int | None = Field(ge=0)
    completion_tokens: int | None = Field(ge=0)
    shown_intents: int = Field(ge=0)
    shown_screenshots: int = Field(ge=0)
    output: str = ""
    reasoning: str = ""
    outcome: str = "answered"
    calls: int = Field(default=0, ge=0)
    cached: bool = False
    alternatives: tuple[tuple[str, float], ...] = ()
    history_usage: HistoryUsage | None = None
    finish_reason: str | None = Field(default=None, max_length=100)
    first_token_s: float | None = Field(default=None, ge=0)
