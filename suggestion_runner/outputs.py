"""What a model wrote in a run of track 1, in counts: how it was read, how often it was asked, its cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fingertip_models.prices import Prices
from fingertip_runs.score_summary import total
from suggestion_runner.suggestion_records import HistoryUsage, Prediction


@dataclass(frozen=True, slots=True, kw_only=True)
class Outputs:
    """Of all tasks with a line.

    Attributes:
        outcomes: How outputs were read -> tasks.
        calls: Of a model, in all, those that a cache answered included.
        cached: Tasks that a cache answered.
        timed: Whether the seconds were measured: what comes in batch files has none.
        cost: In `currency`; None without prices, or where tokens are not known.
        currency: None without prices.
        history_calls: Of a history model, those that a cache answered included; not among `calls`.
        history_cost: Of the history model's tokens; None without its prices, or where tokens are not known.
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
        """In words; "" where no model was asked."""
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
    """What the model of a run wrote.

    Args:
        predictions: The lines of the run.
        prices: Of its record.
        history_prices: Of its record, for a history model.
    """
    history = [line.history_usage for line in predictions if line.history_usage is not None]
    either = prices or history_prices
    return Outputs(
        outcomes=dict(sorted(Counter(prediction.outcome for prediction in predictions).items())),
        calls=sum(prediction.calls for prediction in predictions),
        cached=sum(prediction.cached for prediction in predictions),
        timed=any(prediction.time_s for prediction in predictions),
        cost=_cost(predictions, prices),
        currency=either.currency if either else None,
        history_calls=len(history),
        history_cost=_cost(history, history_prices),
    )


def _cost(usages: Sequence[Prediction] | Sequence[HistoryUsage], prices: Prices | None) -> float | None:
    """None without prices, or where the tokens of any are not known."""
    read = total(usage.prompt_tokens for usage in usages)
    written = total(usage.completion_tokens for usage in usages)
    return None if prices is None or read is None or written is None else prices.cost(read, written)
