"""Outcome of a call that runs an agent of track 1: queried and answered tasks, outcomes, cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from fingertip_models.prices import Prices
from fingertip_runs.run_log import RunLog
from fingertip_runs.unreadable_answers import INTENT_ADVICE, AnswerCounter, AnswerCounts
from suggestion_runner.suggestion_records import MOST_TRIES, Prediction, SuggestionRun

ANSWERED = "answered"
"""Outcome of an ordinary output."""


@dataclass(slots=True)
class Bill:
    """Cost of the tokens of one model in a whole run.

    Attributes:
        prices: Prices of the model's tokens; None if the user gives none.
        cost: In the currency of the prices; 0 without them.
        paid_before: Part of the cost for answers that came from a cache.
        uncounted: Number of calls without a token count, which the cost does not include.
    """

    prices: Prices | None = None
    cost: float = 0.0
    paid_before: float = 0.0
    uncounted: int = 0

    def add(self, read: int | None, written: int | None, *, cached: bool) -> None:
        """Add the tokens of one call, or of the calls of one task."""
        if self.prices is None:
            return
        if read is None or written is None:
            self.uncounted += 1
            return
        cost = self.prices.cost(read, written)
        self.cost += cost
        self.paid_before += cost if cached else 0.0


@dataclass(slots=True, kw_only=True)
class RunOutcome:
    """Result of a call of `run_suggestions`; its counts grow with every answer until the call returns.

    Attributes:
        folder: Folder of the run.
        tasks: Number of tasks of the run.
        answered_before: Number of tasks answered before this call.
        failed_before: Number of tasks that failed before this call and are not queried again.
        dropped: Line number of the truncated last line that was dropped; its task is queried again.
        bill: Cost of the whole run's tokens.
        history_bill: Cost of the whole run's tokens of the history model.
        queried: Number of tasks queried in this call.
        unanswered: Number of tasks queried in this call whose answer is empty, or that failed; silence on a
            moment is an answer.
        failed: Task id -> why its last query failed, of the tasks of the run without an answer.
        outcomes: Outcomes in this call other than ordinary ones: outcome -> number of tasks.
        cached: Number of tasks queried in this call that a cache answered.
        history_calls: Number of tasks in this call for which a history model was queried.
        history_cached: Number of these tasks for which a cache answered in its place.
        cut: Number of tasks of the run whose answer was truncated at the token limit.
        most_tries: Maximum number of calls that query a task.
        failures: Task id -> number of calls in which its query failed.
        counter: Counter of a model's answers in this call.
        taken_back: Ids of the tasks whose answers earlier calls took back; they are asked past a cache.
    """

    folder: Path
    tasks: int
    answered_before: int
    dropped: int | None
    bill: Bill = field(default_factory=Bill)
    history_bill: Bill = field(default_factory=Bill)
    failed_before: int = 0
    queried: int = 0
    unanswered: int = 0
    failed: dict[str, str] = field(default_factory=dict)
    outcomes: Counter[str] = field(default_factory=Counter)
    cached: int = 0
    history_calls: int = 0
    history_cached: int = 0
    cut: int = 0
    most_tries: int = MOST_TRIES
    failures: Counter[str] = field(default_factory=Counter)
    counter: AnswerCounter = field(default_factory=AnswerCounter, compare=False)
    taken_back: frozenset[str] = frozenset()

    @classmethod
    def begin(
        cls,
        log: RunLog[Prediction],
        record: SuggestionRun,
        *,
        most_tries: int = MOST_TRIES,
        keep_going: bool = True,
    ) -> RunOutcome:
        """The outcome before the first answer of a call, with the cost of the lines that the log has."""
        standing = _find_standing(log.lines)
        answers = [line for line in standing.values() if line.is_answer]
        outcome = cls(
            folder=log.folder,
            tasks=record.tasks,
            answered_before=len(standing),
            cut=sum(line.cut for line in standing.values()),
            dropped=log.dropped,
            most_tries=most_tries,
            bill=Bill(record.prices),
            history_bill=Bill(record.history_prices),
            taken_back=frozenset(line.task_id for line in log.lines if line.taken_back),
            counter=AnswerCounter(
                keep_going=keep_going,
                readable_before=any(line.problem is None for line in answers),
                unreadable_before=[line.task_id for line in answers if line.problem is not None],
                advice=INTENT_ADVICE,
            ),
        )
        for prediction in log.lines:
            outcome._add_to_run(prediction)
        outcome.failed_before = len(log.done & outcome.failed.keys())
        return outcome

    @property
    def answered(self) -> int:
        """Number of tasks of the run that are answered, or failed."""
        return self.answered_before + self.failed_before + self.queried

    @property
    def queried_again(self) -> int:
        """Number of failed tasks that the next call queries again."""
        return sum(self.failures[task_id] < self.most_tries for task_id in self.failed)

    @property
    def all_failed(self) -> bool:
        """Whether this call queried tasks, and each of them failed."""
        return bool(self.queried) and len(self.failed) - self.failed_before == self.queried

    @property
    def refused_all(self) -> bool:
        """Whether this call queried tasks, and no task of the run has an answer."""
        return self.all_failed and not self.answered_before

    @property
    def answers(self) -> AnswerCounts:
        """Counts of a model's answers in this call: how many gave an intent, with which notes."""
        return self.counter.counts

    @property
    def total_cost(self) -> float | None:
        """Cost of both models; None without any prices."""
        known = [bill.cost for bill in (self.bill, self.history_bill) if bill.prices is not None]
        return sum(known) if known else None

    def add(self, prediction: Prediction) -> None:
        """Count a new line."""
        self.queried += 1
        self.cut += prediction.cut
        if prediction.is_answer:
            self.counter.add(prediction.task_id, problem=prediction.problem, notes=prediction.notes)
            self.counter.end_task(prediction.task_id)
        self.unanswered += not (prediction.predicted_intent.strip() or prediction.silent)
        self.cached += prediction.cached
        if prediction.outcome != ANSWERED:
            self.outcomes[prediction.outcome] += 1
        if prediction.history_usage is not None:
            self.history_calls += 1
            self.history_cached += prediction.history_usage.cached
        self._add_to_run(prediction)

    def _add_to_run(self, prediction: Prediction) -> None:
        if prediction.taken_back:
            # the tokens of the answer were counted with its own line
            return
        if prediction.failed:
            self.failed[prediction.task_id] = prediction.reason
            self.failures[prediction.task_id] += 1
        else:
            self.failed.pop(prediction.task_id, None)
        self.bill.add(prediction.prompt_tokens, prediction.completion_tokens, cached=prediction.cached)
        history = prediction.history_usage
        if history is not None:
            self.history_bill.add(history.prompt_tokens, history.completion_tokens, cached=history.cached)


def _find_standing(lines: Iterable[Prediction]) -> dict[str, Prediction]:
    """Task id -> its answer, of the tasks whose answer was not taken back."""
    standing: dict[str, Prediction] = {}
    for line in lines:
        if line.taken_back:
            standing.pop(line.task_id, None)
        elif not line.failed:
            standing[line.task_id] = line
    return standing
