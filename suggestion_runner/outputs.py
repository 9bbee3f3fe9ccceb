"""Counts of model outputs in a track 1 run: how they parsed, number of calls, cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fingertip_models.prices import Prices
from fingertip_runs.usage import Usage
from suggestion_runner.per_query import usage_of
from suggestion_runner.suggestion_records import Prediction


@dataclass(frozen=True, slots=True, kw_only=True)
class Outputs:
    """Counts over all tasks with a log line.

    Attributes:
        outcomes: Outcome of parsing -> number of tasks.
        calls: Number of model calls, including those answered by a cache.
        cached: Number of tasks answered by a cache.
        timed: Whether seconds were measured; answers from batch files have none.
        cost: In `currency`; None without prices, or if token counts are missing.
        currency: None without prices.
        history_calls: Calls of a history model, including those answered by a cache; not part of `calls`.
        history_cost: Cost of the history model's tokens; None without its prices or token counts.
    """

    outcomes: Mapping[str, int]
    calls: int
    cached: int
    timed: bool
    cost: float | None
    currency: str | None
    history_calls: int = 0
    history_cost: float | None = None

    def saying(self) -> str:
        """The counts as text; "" if no model was queried."""
        if not self.calls:
            return ""
        parts = [f"{self.calls:,} calls of a model", f"{self.cached:,} tasks answered by a cache"]
        parts += [f"{count:,} {name}" for name, count in self.outcomes.items() if name != "answered"]
        parts += [f"cost {self.cost:.4f} {self.currency}"] if self.cost is not None else []
        if self.history_calls:
            cost = f", cost {self.history_cost:.4f} {self.currency}" if self.history_cost is not None else ""
            parts.append(f"apart from these {self.history_calls:,} calls of a history model{cost}")
        parts += [] if self.timed else ["no time measured"]
        return "; ".join(parts)


def outputs_of(
    predictions: Sequence[Prediction], prices: Prices | None, history_prices: Prices | None = None
) -> Outputs:
    """Counts of the model outputs of a run.

    Args:
        predictions: Lines of the run.
        prices: Prices in its record.
        history_prices: Prices of the history model in its record.
    """
    history = [line.history_usage for line in predictions if line.history_usage is not None]
    either = prices or history_prices
    return Outputs(
        outcomes=dict(sorted(Counter(prediction.outcome for prediction in predictions).items())),
        calls=sum(prediction.calls for prediction in predictions),
        cached=sum(prediction.cached for prediction in predictions),
        timed=any(prediction.time_s for prediction in predictions),
        cost=usage_of(predictions).cost(prices),
        currency=either.currency if either else None,
        history_calls=len(history),
        history_cost=Usage.total(usage.usage for usage in history).cost(history_prices),
    )
