"""Records of a run of track 1: run.json, and one line of predictions.jsonl per task."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, ClassVar, Literal, Self

from pydantic import Field

from fingertip_agents.suggestion.suggestion_agent import SILENT
from fingertip_dataset.frozen_model import FrozenModel, OmitDefaults
from fingertip_dataset.release.problems import printable
from fingertip_dataset.split_names import is_moments
from fingertip_dataset.tasks.feedback import Feedback
from fingertip_dataset.tasks.history import HistoryProtocol
from fingertip_dataset.tasks.task import SuggestionInput
from fingertip_models.prices import Prices
from fingertip_runs.memory_record import MemoryRecord
from fingertip_runs.run_record import RunRecord
from fingertip_runs.usage import Usage
from suggestion_runner.inferred.inferred_file import InferredHistory

HUMAN = "human"
"""Name of the agent whose answers are given by people."""

HistoryLength = Literal["20", "relevant", "all", "none"]
"""Earlier intents in the task view; "relevant": all of them, a model selects and summarizes some (A.6.3)."""

Hidden = Literal["profile", "time", "scenario"]
"""Fields of a task that can be hidden."""


PAPERS_MEMORY = "last-20"
"""Memory that shows what the paper's agents see."""

SHOWN_USERS = 5
"""Most users that a phrase names."""


class Selection(OmitDefaults):
    """Selection of a part of the split's tasks.

    Attributes:
        kind: "first": the first tasks in the dataset's order; "sample": a random sample.
        of: Number of tasks of the whole split.
        seed: Seed of the sample; None for the first tasks.
        users: Ids of the users whose tasks it is taken from; empty for all users.
    """

    OMIT_DEFAULTS: ClassVar[frozenset[str]] = frozenset({"users"})

    kind: Literal["first", "sample"]
    of: int = Field(gt=0)
    seed: int | None = None
    users: tuple[str, ...] = ()

    def describe(self, tasks: int) -> str:
        """A phrase for notes on scores.

        >>> Selection(kind="sample", of=1000, seed=0).describe(400)
        'a sample of 400 of 1,000 tasks (seed 0)'
        >>> Selection(kind="first", of=1000, users=("7",)).describe(12)
        '12 of 1,000 tasks only of user 7'
        """
        first = self.kind == "first"
        if self.users:
            # of chosen users the first may be all: how many they have is not recorded
            some = f"{tasks:,} of {self.of:,} tasks only of {users_phrase(self.users)}"
            return some if first else f"a sample of {some} (seed {self.seed})"
        some = f"{tasks:,} of {self.of:,} tasks"
        return f"the first {some}" if first else f"a sample of {some} (seed {self.seed})"


def users_phrase(users: Collection[str]) -> str:
    """A phrase that names users, the first few of many.

    >>> users_phrase(["7"]), users_phrase(["8", "7", "7"]), users_phrase(map(str, range(9)))
    ('user 7', 'users 7, 8', 'users 0, 1, 2, 3, 4 and 4 more')
    """
    known = sorted(set(users))
    more = f" and {len(known) - SHOWN_USERS:,} more" if len(known) > SHOWN_USERS else ""
    shown = ", ".join(printable(user, 40) for user in known[:SHOWN_USERS])
    return f"user{'s' if len(known) > 1 else ''} {shown}{more}"


class MonthSettings(FrozenModel):
    """Settings of a run through people's months in order.

    Attributes:
        feedback: Whether the agent and its memory get the person's answers to earlier suggestions.
        person: Version of the rule by which the person answers.
    """

    feedback: bool
    person: str


class SuggestionRun(OmitDefaults, RunRecord):
    """run.json of track 1: the attributes of `RunRecord`, and the task view.

    Attributes:
        screenshots: Number of first screens in the task view, 0 to 3.
        history: Earlier intents in the task view.
        protocol: Episodes that earlier intents may come from: "online" or "strict".
        history_source: "previous_intents" (the dataset's own column) or "dataset rows" (looked up among its
            episodes, without intents of the index tables that have no episode).
        without: Hidden fields of each task, apart from earlier intents.
        distribution: Whether the agent is queried for several intents with probabilities (A.6.5).
        prices: Prices of the model's tokens; None if the user gives none.
        selection: Selected tasks of the split, `tasks` in number; None for all of them.
        history_prices: Prices of the history model's tokens; None if the user gives none.
        inferred: Inferred intents that are shown as earlier ones; None for those that users declared.
        memory: Memory that chooses what is shown of a person's past; None for the intents of `history`.
        month: Settings of a run through people's months in order; None for tasks on their own.
    """

    OMIT_DEFAULTS: ClassVar[frozenset[str]] = frozenset(
        {
            *("without", "distribution", "prices", "selection", "history_prices", "inferred", "memory"),
            *("versions", "month"),
        }
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
    inferred: InferredHistory | None = None
    memory: MemoryRecord | None = None
    month: MonthSettings | None = None

    @property
    def of_moments(self) -> bool:
        """Whether the tasks are moments, at which the person may want nothing."""
        return is_moments(self.split)

    @property
    def has_own_memory(self) -> bool:
        """Whether a memory shows anything else than the latest 20 earlier intents, as in the paper."""
        memory = self.memory
        return memory is not None and not (memory.name == PAPERS_MEMORY and memory.budget is None)

    def identity(self) -> dict[str, Any]:
        """As of `RunRecord`; the place of the file of inferred intents is no part of it."""
        fields = super().identity()
        fields.pop("inferred.file", None)
        return fields


CUT = "cut"
"""Outcome of an answer that was truncated at the output limit; the selection's outcome may follow a comma."""

FAILED = "failed"
"""Outcome of a task whose query failed while the agent's server answers others; it counts as not done."""

TAKEN_BACK = "taken back"
"""Outcome of a line that takes the earlier line of its task back: the run stopped because no answer of its
first tasks gave an intent, and asks these tasks again."""

MOST_QUOTED = 80
"""Maximum number of characters of an output that a problem quotes."""

MOST_TRIES = 3
"""Maximum number of calls of a run that query a task; a task that failed in each of them stays failed."""


class HistoryUsage(FrozenModel):
    """Usage of the history model for one task (A.6.3), separate from that of the predicting model.

    Attributes:
        time_s: Duration of the call, seconds.
        prompt_tokens: Number of prompt tokens; None if the server does not report it.
        completion_tokens: Number of completion tokens; None if the server does not report it.
        cached: Whether a cache answered.
        finish_reason: The server's finish reason, "length" for a truncated output; None if unknown.
    """

    time_s: float = Field(ge=0, le=1_000_000)
    prompt_tokens: int | None = Field(ge=0, le=1_000_000_000)
    completion_tokens: int | None = Field(ge=0, le=1_000_000_000)
    cached: bool = False
    finish_reason: str | None = Field(default=None, max_length=100)

    @property
    def usage(self) -> Usage:
        """The usage of this one call."""
        return Usage(
            agent_s=self.time_s,
            queries=1,
            prompt_tokens=self.prompt_tokens,
            completion_tokens=self.completion_tokens,
        )


class Prediction(OmitDefaults):
    """A line of predictions.jsonl: the agent's answer to one task; its target is in targets.jsonl.

    Attributes:
        task_id: The episode id.
        predicted_intent: The agent's prediction; "" if it has none.
        time_s: Seconds that the agent took; for a model from the request to the last byte of its answer,
            without failed attempts and client-side waits; see `Answer.seconds`.
        prompt_tokens: Number of prompt tokens; None if unknown.
        completion_tokens: Number of completion tokens; None if unknown.
        shown_intents: Number of earlier intents in the task view.
        shown_screenshots: Number of screens in the task view.
        output: The model's final answer, verbatim, without the reasoning.
        reasoning: The model's reasoning before the answer.
        outcome: Outcome of parsing the output: "answered", or a word for anything else; "cut" for an output
            truncated at the token limit, "failed" for a task whose query failed.
        calls: Number of model calls.
        cached: Whether a cache answered all of them.
        alternatives: Intents with their probabilities, the likeliest first; empty unless the run has
            distributions.
        history_usage: Usage of the history model; None without one, or without an earlier intent.
        finish_reason: The server's finish reason; None without a model, or if unknown.
        first_token_s: Seconds until the first token of a streamed answer; None if it was not streamed.
        reason: Why the query failed; "" for an answer. A failed query has no seconds, calls and tokens.
        notes: Notes on how the output was read; see `Suggestion.notes`.
        confidence: On moments: the agent's probability that the person wants something; None if not given.
        feedback: In a month in order: the person's answer to the suggestion; "" where nothing was suggested.
        repeats: In a month in order: the answer by which the person rejected the same suggestion before; ""
            if they did not.
    """

    OMIT_DEFAULTS: ClassVar[frozenset[str]] = frozenset(
        {
            *("output", "reasoning", "outcome", "calls", "cached", "alternatives"),
            *("history_usage", "finish_reason", "first_token_s", "reason", "notes", "confidence"),
            *("feedback", "repeats"),
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
    reason: str = ""
    notes: tuple[str, ...] = ()
    confidence: float | None = Field(default=None, ge=0, le=1, strict=True)
    feedback: Feedback | Literal[""] = ""
    repeats: Literal["", "not_now", "never"] = ""

    @classmethod
    def of_failure(cls, task: SuggestionInput, reason: str) -> Self:
        """The line of a task whose query failed."""
        return cls(
            task_id=task.task_id,
            predicted_intent="",
            time_s=0,
            prompt_tokens=0,
            completion_tokens=0,
            shown_intents=len(task.previous_intents),
            shown_screenshots=len(task.screenshots),
            outcome=FAILED,
            reason=reason,
        )

    def take_back(self) -> Self:
        """Return the line that takes this one, whose answer gave no intent, back: its task is asked again."""
        return type(self)(
            task_id=self.task_id,
            predicted_intent="",
            time_s=0,
            prompt_tokens=0,
            completion_tokens=0,
            shown_intents=self.shown_intents,
            shown_screenshots=self.shown_screenshots,
            outcome=TAKEN_BACK,
        )

    @property
    def taken_back(self) -> bool:
        """Whether the line takes an earlier one of its task back."""
        return self.outcome == TAKEN_BACK

    @property
    def is_answer(self) -> bool:
        """Whether the line is an answer of a model; agents without one have no calls."""
        return self.calls > 0

    @property
    def problem(self) -> str | None:
        """Why a model's answer gives no intent; None if it gives one, or is silent on purpose."""
        if self.predicted_intent.strip() or self.silent:
            return None
        if self.cut:
            return "the answer was cut at the limit of tokens"
        output = printable(self.output, MOST_QUOTED)
        return f"expected an intent, got {output!r}" if output.strip() else "expected an intent, got no text"

    @property
    def failed(self) -> bool:
        """Whether the query failed, so that there is no answer."""
        return self.outcome == FAILED

    @property
    def silent(self) -> bool:
        """Whether the agent chose to suggest nothing, as it may on moments."""
        return self.outcome.partition(",")[0] == SILENT

    @property
    def offer(self) -> str:
        """The suggestion of an answer to a moment; "" for silence, a failed query and a truncated output."""
        return "" if self.cut or self.failed or self.silent else self.predicted_intent.strip()

    @property
    def cut(self) -> bool:
        """Whether the output was truncated at the token limit, so that it is no answer."""
        return self.outcome.partition(",")[0] == CUT
