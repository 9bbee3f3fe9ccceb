"""Ceiling of when to speak: the expected scores of the best decision of one who knows the odds.

At a moment let p be the probability that something is wanted and r the probability that the likeliest intent
is the right one, given that something is. To speak gains p r hits and costs 1 - p false triggers, each of
`penalty` hits; silence gains and costs nothing. So speaking is best exactly where p r > penalty (1 - p), and
no rule that sees the same or less has a higher expected utility. The confidence of the best answer is p: of
all confidences it has the lowest expected Brier score, mean p (1 - p), and no calibration error. Offers in
the order of p r have the lowest expected risk at every coverage.

These are expectations over what the people could have wanted. On one sample an agent may by luck score
higher, by little on many moments. Rates are quotients of expectations.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from fingertip_dataset.errors import MetricInputError, UsageError
from fingertip_metrics.aggregate import Interval, bootstrap_statistic
from fingertip_metrics.check_arguments import check_lengths, check_texts
from fingertip_metrics.confidence_scores import Floats, weigh_brier, weigh_expected_roc_area
from fingertip_metrics.moment_columns import MOMENT_SCORES, PENALTIES, Statistic, drop_nan
from fingertip_metrics.plain_values import make_plain
from fingertip_metrics.risk_coverage import RiskPoint, trace_risk, weigh_risk_area

NO_TEXT = "the odds do not say how near the likeliest intent's text comes to the right one"
NEVER_WORTH = "by the odds speaking is nowhere worth its risk"
NOT_DEFINED = "by the odds it has no denominator"
"""Reasons why a score has no ceiling."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MomentCeiling:
    """Expected scores of the best decision.

    Attributes:
        n: Number of moments.
        spoken: Number of moments at which speaking is best.
        scores: Name of `MOMENT_SCORES` -> expected value; None if undefined, always for "sim1".
        why_undefined: Name of an undefined score -> reason in words.
        intervals: Name of a score -> value with its interval over people; empty if people are not given.
        penalty: Penalty of a false trigger that the decision is best for, in hits.
        utility_curve: (penalty, highest expected utility); the decision is another for each penalty.
        risk_curve: Points of offers at all moments by their chance of a hit, with expected risks.
        speaks: Whether speaking is best at each moment, in input order.
    """

    n: int
    spoken: int
    scores: Mapping[str, float | None]
    why_undefined: Mapping[str, str]
    intervals: Mapping[str, Interval | None]
    penalty: float
    utility_curve: tuple[tuple[float, float], ...]
    risk_curve: tuple[RiskPoint, ...]
    speaks: tuple[bool, ...]

    def to_dict(self) -> dict[str, Any]:
        """The ceiling as JSON, without the decision at each moment and the points of risk."""
        return {
            "n": self.n,
            "spoken": self.spoken,
            **self.scores,
            "penalty": self.penalty,
            "why_undefined": dict(self.why_undefined),
            "utility_curve": [list(point) for point in self.utility_curve],
            **(
                {"intervals": {name: asdict(one) if one else None for name, one in self.intervals.items()}}
                if self.intervals
                else {}
            ),
        }


def moment_ceiling(
    wanted: Sequence[float],
    right: Sequence[float],
    *,
    users: Sequence[str] | None = None,
    penalty: float = 1.0,
    seed: int = 0,
    resamples: int = 2000,
    confidence: float = 0.95,
) -> MomentCeiling:
    """Compute the expected scores of the best decision of one who knows the odds.

    Args:
        wanted: Probability, 0 to 1, that something is wanted at each moment.
        right: Probability, 0 to 1, that the likeliest intent is the right one, given that something is
            wanted.
        users: Person of each moment, for intervals over people.
        penalty: Penalty of a false trigger, in hits, 0 or more.
        seed: Seed of the bootstrap.
        resamples: Number of resamples.
        confidence: Confidence level of the intervals, 0-1.

    Raises:
        MetricInputError: No moment, unequal lengths, or a value that is no probability.
        UsageError: An invalid setting.

    >>> ceiling = moment_ceiling([0.9, 0.5], [0.8, 0.5])
    >>> round(ceiling.scores["utility"], 2), ceiling.speaks, round(ceiling.scores["precision"], 2)
    (0.31, (True, False), 0.9)
    """
    p, r = _check_odds("wanted", make_plain(wanted)), _check_odds("right", make_plain(right))
    check_lengths(wanted=p.tolist(), right=r.tolist())
    if not 0 <= penalty < math.inf:
        raise UsageError(f"expected a penalty of 0 or more, got {penalty}")
    speaks = decide(p, r, penalty)
    statistics = _list_statistics(p, r, speaks.astype(np.float64), penalty)
    ones = np.ones((1, len(p)))
    values = {name: float(statistic(ones)[0]) for name, statistic in statistics.items()}
    scores = {name: drop_nan(values.get(name, math.nan)) for name in MOMENT_SCORES}
    intervals: dict[str, Interval | None] = {}
    if users is not None:
        people = make_plain(users)
        check_texts("users", people)
        check_lengths(wanted=p.tolist(), users=people)
        settings: dict[str, Any] = {"seed": seed, "resamples": resamples, "confidence": confidence}
        intervals = {
            name: bootstrap_statistic(statistics[name], people, **settings) if name in statistics else None
            for name in MOMENT_SCORES
        }
    return MomentCeiling(
        n=len(p),
        spoken=int(speaks.sum()),
        scores=scores,
        why_undefined={
            name: _explain(name, any_spoken=bool(speaks.any()))
            for name, value in scores.items()
            if value is None
        },
        intervals=intervals,
        penalty=penalty,
        utility_curve=tuple((cost, float(_gain(p, r, cost).mean())) for cost in PENALTIES),
        risk_curve=trace_risk(p * r, np.ones(len(p), dtype=bool), p * r),
        speaks=tuple(speaks.tolist()),
    )


def decide(wanted: Floats, right: Floats, penalty: float) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Decide at which moments speaking has a higher expected utility than silence.

    Args:
        wanted: (n,) probability that something is wanted.
        right: (n,) probability that the likeliest intent is the right one, given that something is wanted.
        penalty: Penalty of a false trigger, in hits.

    >>> decide(np.array([0.5, 0.9]), np.array([0.5, 0.5]), 1.0).tolist()
    [False, True]
    """
    return wanted * right > penalty * (1 - wanted)


def _gain(wanted: Floats, right: Floats, penalty: float) -> Floats:
    """(n,) highest expected utility of each moment."""
    return np.maximum(0.0, wanted * right - penalty * (1 - wanted))


def _list_statistics(p: Floats, r: Floats, speaks: Floats, penalty: float) -> dict[str, Statistic]:
    """Functions of weights for the expected scores."""

    def quotient(part: Floats, whole: Floats) -> Statistic:
        def divide(weights: Floats) -> Floats:
            sums, counts = weights @ part, weights @ whole
            return np.divide(sums, counts, out=np.full_like(sums, np.nan), where=counts > 0)

        return divide

    one = np.ones_like(p)
    return {
        "false_trigger_rate": quotient(speaks * (1 - p), 1 - p),
        "missed_rate": quotient((1 - speaks) * p, p),
        "precision": quotient(speaks * p, speaks),
        "recall": quotient(speaks * p, p),
        "sr1": quotient(speaks * p * r, speaks * p),
        "hit_rate": quotient(speaks * p * r, p),
        "utility": quotient(_gain(p, r, penalty), one),
        "brier": lambda weights: weigh_brier(p, p, weights),
        "calibration_error": quotient(np.zeros_like(p), one),
        "auroc": lambda weights: weigh_expected_roc_area(p, p, weights),
        "risk_area": lambda weights: weigh_risk_area(p * r, p * r, weights),
    }


def _check_odds(name: str, values: object) -> Floats:
    """Check that values are probabilities, and return them as an array."""
    if not isinstance(values, Sequence) or isinstance(values, str | bytes):
        raise MetricInputError(f"expected {name} to be a list of numbers, got {type(values).__name__}")
    for row, value in enumerate(values):
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if not (number and 0 <= value <= 1):
            raise MetricInputError(f"expected {name}[{row}] to be a number from 0 to 1, got {value!r:.60}")
    return np.array(values, dtype=np.float64)


def _explain(name: str, *, any_spoken: bool) -> str:
    if name == "sim1":
        return NO_TEXT
    return NOT_DEFINED if any_spoken or name not in ("precision", "sr1") else NEVER_WORTH
