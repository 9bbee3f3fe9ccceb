"""Counts and cost of a track 1 run: queried and answered tasks, outcomes, tokens, cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from fingertip_models.prices import Prices
from suggestion_runner.suggestion_records import Prediction

CUT = "cut"
"""Outcome of an output truncated at the token limit."""

ANSWERED = "answered"
"""Outcome of an ordinary output."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOutcome:
    """Result of a call of `run_suggestions`.

    Attributes:
        folder: Folder of the run.
        tasks: Number of tasks of the run.
        answered_before: Number of tasks answered before this call.
        queried: Number of tasks queried in this call.
        unanswered: Number of tasks queried in this call whose answer is empty.
        dropped: Line number of the truncated last line that was dropped; its task is queried again.
        outcomes: Outcomes in this call other than ordinary ones: outcome -> number of tasks.
        cut: Number of tasks of the run whose answer was truncated at the token limit.
        cached: Number of tasks queried in this call that a cache answered.
        cost: Cost of the whole run's tokens, in the currency of the prices; None without prices.
        paid_before: Part of the cost for answers that came from a cache.
        uncounted: Number of tasks without a token count, which the cost does not include.
        history_calls: Number of tasks in this call for which a history model was queried.
        history_cached: Number of these tasks for which a cache answered in its place.
        history_cost: Cost of the whole run's tokens of the history model, in the same currency; None without
            its prices.
        history_paid_before: Part of that cost for answers that came from a cache.
        history_uncounted: Number of calls of the history model without a token count, not in its cost.
    """

    folder: Path
    tasks: int
    answered_before: int
    queried: int
    unanswered: int
    dropped: int | None
    outcomes: Mapping[str, int] = field(default_factory=dict)
    cached: int = 0
    cost: float | None = None
    paid_before: float = 0.0
    uncounted: int = 0
    history_calls: int = 0
    history_cached: int = 0
    history_cost: float | None = None
    history_paid_before: float = 0.0
    history_uncounted: int = 0
    cut: int = 0


class Bill:
    """Cost of the tokens of one model.

    Args:
        prices: Prices of the model's tokens; None if the user gives none.

    Attributes:
        cost: In the currency of the prices; None without them.
        paid_before: Part of the cost for answers that came from a cache.
        uncounted: Number of calls without a token count, which the cost does not include.
    """

    def __init__(self, prices: Prices | None) -> None:
        self._prices = prices
        self.cost = None if prices is None else 0.0
        self.paid_before = 0.0
        self.uncounted = 0

    def add(self, read: int | None, written: int | None, *, cached: bool) -> None:
        """Adds the tokens of one call, or of the calls of one task."""
        if self.cost is None or self._prices is None:
            return
        if read is None or written is None:
            self.uncounted += 1
            return
        cost = self._prices.cost(read, written)
        self.cost += cost
        self.paid_before += cost if cached else 0.0


class RunCounts:
    """Running counts and cost of a run.

    Args:
        prices: Prices of the model's tokens; None if the user gives none.
        before: Predictions of earlier calls.
        history_prices: Prices of the history model's tokens; None if the user gives none.
    """

    def __init__(
        self,
        prices: Prices | None,
        before: Iterable[Prediction] = (),
        *,
        history_prices: Prices | None = None,
    ) -> None:
        self.queried = self.unanswered = self.cached = self.cut = 0
        self.history_calls = self.history_cached = 0
        self.bill, self.history_bill = Bill(prices), Bill(history_prices)
        self.outcomes: Counter[str] = Counter()
        for prediction in before:
            self._take(prediction)

    @property
    def total_cost(self) -> float | None:
        """Cost of both models; None without any prices."""
        known = [bill.cost for bill in (self.bill, self.history_bill) if bill.cost is not None]
        return sum(known) if known else None

    def add(self, prediction: Prediction) -> None:
        """Count a new line."""
        self.queried += 1
        self.unanswered += not prediction.predicted_intent.strip()
        self.cached += prediction.cached
        if prediction.outcome != ANSWERED:
            self.outcomes[prediction.outcome] += 1
        if prediction.history_usage is not None:
            self.history_calls += 1
            self.history_cached += prediction.history_usage.cached
        self._take(prediction)

    def _take(self, prediction: Prediction) -> None:
        self.cut += prediction.outcome.partition(",")[0] == CUT
        self.bill.add(prediction.prompt_tokens, prediction.completion_tokens, cached=prediction.cached)
        history = prediction.history_usage
        if history is not None:
            self.history_bill.add(history.prompt_tokens, history.completion_tokens, cached=history.cached)

    def outcome(self, folder: Path, tasks: int, before: int, dropped: int | None) -> RunOutcome:
        """The result of the call."""
        return RunOutcome(
            folder=folder,
            tasks=tasks,
            answered_before=before,
            queried=self.queried,
            unanswered=self.unanswered,
            dropped=dropped,
            outcomes=dict(self.outcomes),
            cut=self.cut,
            cached=self.cached,
            cost=self.bill.cost,
            paid_before=self.bill.paid_before,
            uncounted=self.bill.uncounted,
            history_calls=self.history_calls,
            history_cached=self.history_cached,
            history_cost=self.history_bill.cost,
            history_paid_before=self.history_bill.paid_before,
            history_uncounted=self.history_bill.uncounted,
        )
