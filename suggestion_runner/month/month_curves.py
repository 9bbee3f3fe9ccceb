"""Curves of a month in order: scores by part, day, length of history and distance from a change of habit.

Every score is a mean over moments with an interval over people; the means of a group are those of its moments
alone. Besides scores of `moment_scores` there are two of the person's answers:

| score | |
|---|---|
| repeat_rate | offers of what the person rejected before and does not want now / offers |
| accepted_rate | accepted offers / offers |

An offer repeats an earlier one if it states the same thing; see `OfferReading.is_same`. What the person
answered "never" to is repeated by any later offer of it, what they answered "not now" to by another one on
the same day.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Literal

from fingertip_dataset.split_names import MOMENT_SPLITS
from fingertip_dataset.tasks.feedback import Feedback
from fingertip_metrics.aggregate import Interval, bootstrap_mean
from fingertip_metrics.check_arguments import check_lengths
from fingertip_metrics.moment_columns import MomentColumns, MomentItem, MomentOutcome

CURVE_SCORES = (
    "utility",
    "hit_rate",
    "false_trigger_rate",
    "missed_rate",
    "precision",
    "repeat_rate",
    "accepted_rate",
)
"""Names of the scores of each group."""

SHARES = frozenset(CURVE_SCORES) - {"utility"}

HISTORY_GROUPS = ((0, "0"), (1, "1 to 4"), (5, "5 to 19"), (20, "20 and more"))
"""(least number of earlier intents, name) of each group by length of history."""

NEW_BELOW = 5
"""Number of earlier intents below which a person is new."""

DRIFT_GROUPS = ((-7, -1, "week before"), (0, 2, "days 1 to 3"), (3, 9, "days 4 to 10"))
"""(first day, last day, name) of each group around a change of habit; day 0 is the first of the new habit."""

Repeats = Literal["", "not_now", "never"]

Grouping = Literal["all", "part", "day", "week", "history", "new", "drift"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredMoment:
    """Moment of a month with the agent's answer and the person's.

    Attributes:
        user_id: The person.
        split: Split of the moment, one of `MOMENT_SPLITS`.
        day: Day of the person's month, from 1.
        history: Number of the person's intents before the moment.
        from_drift: Days since the nearest change of a habit of the person, negative before it; None without
            one.
        outcome: Outcome of the moment.
        confidence: The agent's confidence that something is wanted; None if not given.
        feedback: The person's answer; "" where nothing was suggested.
        repeats: Answer by which the person rejected the same suggestion before; "" if they did not.
    """

    user_id: str
    split: str
    day: int
    history: int
    from_drift: int | None
    outcome: MomentOutcome
    confidence: float | None = None
    feedback: Feedback | Literal[""] = ""
    repeats: Repeats = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CurvePoint:
    """Scores of a group of moments.

    Attributes:
        group: Name of the group.
        moments: Number of its moments.
        people: Number of people with such a moment.
        offers: Number of offers.
        scores: Name of `CURVE_SCORES` -> mean with its interval; None if it has no value.
    """

    group: str
    moments: int
    people: int
    offers: int
    scores: Mapping[str, Interval | None]


def trace_curves(
    moments: Sequence[ScoredMoment],
    *,
    penalty: float = 1.0,
    seed: int = 0,
    resamples: int = 2000,
    confidence: float = 0.95,
) -> dict[Grouping, tuple[CurvePoint, ...]]:
    """Compute the curves of a month; a group without a moment has no point.

    Args:
        moments: The moments, in any order.
        penalty: Penalty of a false trigger in "utility", in hits.
        seed: Seed of the bootstrap.
        resamples: Number of resamples.
        confidence: Confidence level of the intervals, 0-1.

    Raises:
        MetricInputError: No moment.
        UsageError: `resamples` below 1, or `confidence` not between 0 and 1.
    """
    check_lengths(moments=moments)
    values = list_month_values(moments, penalty)
    interval = partial(bootstrap_mean, seed=seed, resamples=resamples, confidence=confidence)
    curves: dict[Grouping, tuple[CurvePoint, ...]] = {}
    for grouping, choose in GROUPINGS.items():
        members: dict[tuple[int, str], list[int]] = {}
        for row, moment in enumerate(moments):
            if (group := choose(moment)) is not None:
                members.setdefault(group, []).append(row)
        curves[grouping] = tuple(
            _make_point(name, rows, moments, values, interval) for (_, name), rows in sorted(members.items())
        )
    return curves


def list_month_values(moments: Sequence[ScoredMoment], penalty: float) -> dict[str, list[float | None]]:
    """Values per moment of `CURVE_SCORES`; None where a moment does not count.

    Args:
        moments: The moments.
        penalty: Penalty of a false trigger in "utility", in hits.
    """
    items = [
        MomentItem(outcome=moment.outcome, confidence=moment.confidence, sim1=None, reason="")
        for moment in moments
    ]
    found = MomentColumns.of_items(items, hits_known=True).list_values(penalty)
    values = {name: found[name] for name in CURVE_SCORES if name in found}
    values["repeat_rate"] = [
        float(bool(moment.repeats) and moment.outcome != "hit") if moment.feedback else None
        for moment in moments
    ]
    values["accepted_rate"] = [
        float(moment.feedback == "accepted") if moment.feedback else None for moment in moments
    ]
    return values


def _make_point(
    name: str,
    rows: Sequence[int],
    moments: Sequence[ScoredMoment],
    values: Mapping[str, Sequence[float | None]],
    interval: Callable[..., Interval],
) -> CurvePoint:
    users = [moments[row].user_id for row in rows]
    scores: dict[str, Interval | None] = {}
    for score in CURVE_SCORES:
        of_group = [values[score][row] for row in rows]
        if all(value is None for value in of_group):
            scores[score] = None
        else:
            scores[score] = interval(of_group, users, share=score in SHARES)
    return CurvePoint(
        group=name,
        moments=len(rows),
        people=len(set(users)),
        offers=sum(bool(moments[row].feedback) for row in rows),
        scores=scores,
    )


def _name_day(moment: ScoredMoment) -> tuple[int, str]:
    return moment.day, str(moment.day)


def _name_week(moment: ScoredMoment) -> tuple[int, str]:
    week = (moment.day - 1) // 7
    return week, f"{7 * week + 1} to {7 * week + 7}"


def _name_history(moment: ScoredMoment) -> tuple[int, str]:
    return max(group for group in HISTORY_GROUPS if group[0] <= moment.history)


def _name_newness(moment: ScoredMoment) -> tuple[int, str]:
    return (0, "new") if moment.history < NEW_BELOW else (1, "known")


def _name_drift(moment: ScoredMoment) -> tuple[int, str] | None:
    days = moment.from_drift
    if days is None:
        return None
    return next(((first, name) for first, last, name in DRIFT_GROUPS if first <= days <= last), None)


def _name_part(moment: ScoredMoment) -> tuple[int, str]:
    return MOMENT_SPLITS.index(moment.split), moment.split


GROUPINGS: Mapping[Grouping, Callable[[ScoredMoment], tuple[int, str] | None]] = MappingProxyType(
    {
        "all": lambda moment: (0, "all"),
        "part": _name_part,
        "day": _name_day,
        "week": _name_week,
        "history": _name_history,
        "new": _name_newness,
        "drift": _name_drift,
    }
)
"""Name of a grouping -> function that returns (order, name) of a moment's group; None outside all groups."""


def measure_drift_days(day: int, drifts: Sequence[int]) -> int | None:
    """Return the days since the nearest change of a habit; of two equally near ones the earlier change.

    Args:
        day: Day of the month.
        drifts: First day of each new habit.

    >>> measure_drift_days(10, [9, 20]), measure_drift_days(18, [9, 20]), measure_drift_days(3, [])
    (1, -2, None)
    """
    return min((day - drift for drift in drifts), key=lambda days: (abs(days), -days), default=None)
