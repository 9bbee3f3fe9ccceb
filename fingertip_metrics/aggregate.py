"""Means over groups of episodes, and intervals over users.

The rule for an interval, in this order:

1. One user: there is none, for nothing says how much users differ.
2. The users' means differ: percentile bootstrap over users.
3. All users' means are equal, so that every resample gives the same mean and the bootstrap would say [x, x]:

   - of a share (SR_1, SR_2: each value is 0 or 1), a Wilson score interval with the number of *users* as n.
     Episodes of one person are alike, so a user counts as one observation: 0 of 34 tasks of 9 users is
     [0 %, 29.9 %] and no certainty.
   - of any other mean, none: equal values say nothing about the next user's.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import NormalDist, fmean
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from fingertip_dataset.errors import MetricInputError, UsageError
from fingertip_metrics.check_arguments import check_lengths

ONE_USER = "one user: nothing says how much users differ"
ALL_ALIKE = "every user has the same mean: a bootstrap over users cannot say how far it would move"
"""Why there is no interval."""

SAME = 1e-9
"""Users' means that differ by less are equal; sums in another order differ by less."""

Intervals = Callable[[Sequence[float | None], Sequence[str]], "Interval"]
"""(values, users) -> their mean with its interval, as `bootstrap_mean`."""

IntervalMethod = Literal["bootstrap over users", "Wilson, n = users"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A mean and how far it would move with other users.

    Attributes:
        mean: Over the values.
        low: Lower end; None without an interval.
        high: Upper end; None without an interval.
        n: Values in the mean.
        undefined: Values that were None.
        clusters: Users with a value.
        confidence: Confidence level of the interval, 0-1.
        why_no_interval: The reason in words; None where there is one.
        method: How the ends were found; None where there are none.
    """

    mean: float
    low: float | None
    high: float | None
    n: int
    undefined: int
    clusters: int
    confidence: float
    why_no_interval: str | None
    method: IntervalMethod | None

    @property
    def short_reason(self) -> str:
        """Why there is no interval, as short as a table's cell; "" where there is one."""
        if self.low is not None:
            return ""
        return "one user" if self.clusters < 2 else "users alike"


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupMean:
    """One row of a table by user, app or category.

    Attributes:
        group: Its name; None for the episodes of which no table says it.
        mean: Over the values; None where all are undefined.
        n: Values in the mean.
        undefined: Values that were None.
        interval: The mean with its interval over users; None where none was asked for, or all are undefined.
    """

    group: str | None
    mean: float | None
    n: int
    undefined: int
    interval: Interval | None = None


def bootstrap_mean(
    values: Sequence[float | None],
    clusters: Sequence[str],
    *,
    share: bool = False,
    seed: int = 0,
    resamples: int = 2000,
    confidence: float = 0.95,
) -> Interval:
    """The mean over episodes, with an interval over users by the rule of this module.

    A resample of the bootstrap draws as many users as there are, with replacement, and takes the mean over
    all their episodes: episodes of one person are alike, so drawing single episodes would give too narrow
    an interval.

    Args:
        values: One an episode; None where a score is undefined.
        clusters: The user of each.
        share: Whether the mean is a share: values are 0 or 1, or shares themselves.
        seed: The same seed gives the same interval.
        resamples: How many are drawn.
        confidence: Share of the resampled means inside the interval, 0-1.

    Raises:
        MetricInputError: No value, unequal lengths, a number that is not finite, or a share outside 0-1.
        UsageError: `resamples` below 1, or `confidence` not between 0 and 1.

    >>> interval = bootstrap_mean([0.2, 0.4, 0.9], ["1", "1", "5"])
    >>> interval.mean, round(interval.low, 3), round(interval.high, 3), interval.clusters
    (0.5, 0.3, 0.9, 2)
    >>> none_of_three = bootstrap_mean([0.0, 0.0, 0.0], ["1", "1", "5"], share=True)
    >>> none_of_three.low, round(none_of_three.high, 3), none_of_three.method
    (0.0, 0.658, 'Wilson, n = users')
    """
    if resamples < 1 or not 0 < confidence < 1:
        raise UsageError(
            f"expected 1 resample or more and a confidence between 0 and 1, got {resamples} and {confidence}"
        )
    known = _known(values, clusters)
    if not known:
        raise MetricInputError(f"expected at least one defined value, got {len(values)} undefined ones")
    if share:
        _check_shares(values)
    names, owners = np.unique([cluster for _, cluster in known], return_inverse=True)
    sums = np.bincount(owners, weights=[value for value, _ in known]).astype(np.float64)
    counts = np.bincount(owners)
    mean = fmean(value for value, _ in known)
    ends: tuple[float, float] | None = None
    method: IntervalMethod | None = None
    if len(names) > 1 and float(np.ptp(sums / counts)) > SAME * max(1.0, abs(mean)):
        ends, method = _bootstrap(sums, counts, seed, resamples, confidence), "bootstrap over users"
    elif len(names) > 1 and share:
        ends, method = wilson(mean, len(names), confidence=confidence), "Wilson, n = users"
    low, high = ends or (None, None)
    return Interval(
        mean=mean,
        low=low,
        high=high,
        n=len(known),
        undefined=len(values) - len(known),
        clusters=len(names),
        confidence=confidence,
        why_no_interval=None if ends else ALL_ALIKE if len(names) > 1 else ONE_USER,
        method=method,
    )


def wilson(share: float, n: float, *, confidence: float = 0.95) -> tuple[float, float]:
    """The Wilson score interval of a share (Wilson 1927), which neither collapses nor leaves 0-1.

    Args:
        share: Observed, 0-1.
        n: Observations; for clustered ones their effective number.
        confidence: 0-1.

    Raises:
        UsageError: A share or confidence outside 0-1, or no observation.

    >>> [round(end, 3) for end in wilson(0.0, 9)], [round(end, 3) for end in wilson(0.5, 10)]
    ([0.0, 0.299], [0.237, 0.763])
    """
    if not 0 <= share <= 1 or n <= 0 or not 0 < confidence < 1:
        raise UsageError(
            f"expected a share and a confidence between 0 and 1 and n above 0, got {share}, {confidence}, {n}"
        )
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    # the observed share lies inside; at 0 and 1 rounding would leave it out by a last digit
    return max(0.0, min(share, middle - half)), min(1.0, max(share, middle + half))


def _bootstrap(
    sums: NDArray[np.float64], counts: NDArray[np.int64], seed: int, resamples: int, confidence: float
) -> tuple[float, float]:
    users = len(counts)
    draws = np.random.default_rng(seed).multinomial(users, np.full(users, 1 / users), resamples)
    tail = (1 - confidence) / 2
    low, high = np.quantile((draws @ sums) / (draws @ counts), [tail, 1 - tail])
    return float(low), float(high)


def _check_shares(values: Sequence[float | None]) -> None:
    for row, value in enumerate(values):
        if value is not None and not 0 <= value <= 1:
            raise MetricInputError(f"expected values[{row}] of a share to lie in 0-1, got {value}")


def by_group(
    values: Sequence[float | None],
    groups: Sequence[str | None],
    *,
    users: Sequence[str] | None = None,
    interval: Intervals = bootstrap_mean,
) -> tuple[GroupMean, ...]:
    """The mean of each group, sorted by its name: numbers by size, before words, the group None last.

    Args:
        values: One an episode; None where a score is undefined.
        groups: The group of each: user id, app, category; None where it is not known.
        users: The user of each, for an interval over users in each group; None for no interval.
        interval: (values, users) -> the interval of a group.

    Raises:
        MetricInputError: No value, unequal lengths, or a number that is not finite.

    >>> [(row.group, row.mean, row.n) for row in by_group([1.0, 0.0, 0.5], ["30", "5", "30"])]
    [('5', 0.0, 1), ('30', 0.75, 2)]
    """
    _known(values, groups)
    if users is not None:
        check_lengths(values=values, users=users)
    members: dict[str | None, list[int]] = {}
    for row, group in enumerate(groups):
        members.setdefault(group, []).append(row)
    found = []
    for group in sorted(members, key=natural_order):
        of_group = [values[row] for row in members[group]]
        known = [value for value in of_group if value is not None]
        found.append(
            GroupMean(
                group=group,
                mean=fmean(known) if known else None,
                n=len(known),
                undefined=len(of_group) - len(known),
                interval=interval(of_group, [users[row] for row in members[group]])
                if users is not None and known
                else None,
            )
        )
    return tuple(found)


def _known(values: Sequence[float | None], groups: Sequence[str | None]) -> list[tuple[float, str | None]]:
    check_lengths(values=values, groups=groups)
    for row, value in enumerate(values):
        if value is not None and not math.isfinite(value):
            raise MetricInputError(f"expected values[{row}] to be a finite number, got {value}")
    return [(value, group) for value, group in zip(values, groups, strict=True) if value is not None]


def natural_order(group: str | None) -> tuple[int, int, str]:
    """Sorts groups: numbers by size, before words, the group None last.

    >>> sorted(["30", None, "5", "music"], key=natural_order)
    ['5', '30', 'music', None]
    """
    if group is None:
        return (2, 0, "")
    number = group.lstrip("0")
    return (0, len(number), number) if group.isascii() and group.isdigit() else (1, 0, group)
