"""Means over groups of episodes, with confidence intervals over users.

The method for an interval is the first of these that applies:

1. One user: no interval, because the variation between users is unknown.
2. The users' means differ: percentile bootstrap over users.
3. All users' means are equal, so every resample has the same mean and the bootstrap would return [x, x]:

   - for a share (SR_1, SR_2: each value is 0 or 1), a Wilson score interval with the number of *users* as n.
     Episodes of one person are correlated, so a user counts as one observation: 0 of 34 tasks of 9 users
     gives [0 %, 29.9 %] instead of [0 %, 0 %].
   - for any other mean, no interval: equal values say nothing about the next user.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist, fmean
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from fingertip_dataset.errors import MetricInputError, UsageError
from fingertip_metrics.check_arguments import check_bootstrap, check_lengths

ONE_USER = "only one user: the variation between users is unknown"
ALL_ALIKE = "every user has the same mean: a bootstrap over users gives no interval"
"""Reasons why there is no interval."""

SAME = 1e-9
"""Users' means that differ by less count as equal; this covers rounding from another summation order."""

Intervals = Callable[[Sequence[float | None], Sequence[str]], "Interval"]
"""Function (values, users) -> mean with interval, such as `bootstrap_mean`."""

IntervalMethod = Literal["bootstrap over users", "bootstrap over users and tries", "Wilson, n = users"]


def sum_known(counts: Sequence[int | None]) -> int | None:
    """Sum of the counts; None if any is unknown, because a partial sum would look complete.

    >>> sum_known([1, 2]), sum_known([1, None])
    (3, None)
    """
    known = [count for count in counts if count is not None]
    return sum(known) if len(known) == len(counts) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A mean with its confidence interval over users.

    Attributes:
        mean: Mean of the defined values.
        low: Lower end; None without an interval.
        high: Upper end; None without an interval.
        n: Number of values in the mean.
        undefined: Number of values that were None.
        clusters: Number of users with a value.
        confidence: Confidence level of the interval, 0-1.
        why_no_interval: Reason for a missing interval; None if the interval exists.
        method: Method of the interval; None without an interval.
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
        """Reason for a missing interval, short enough for a table cell; "" if the interval exists."""
        if self.low is not None:
            return ""
        return "one user" if self.clusters < 2 else "same for all users"


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupMean:
    """A row of a table by user, app or category.

    Attributes:
        group: Name of the group; None for the episodes whose group is unknown.
        mean: Mean of the defined values; None if all are undefined.
        n: Number of values in the mean.
        undefined: Number of values that were None.
        interval: Mean with its interval over users; None if not requested, or if all values are undefined.
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
    """Mean over episodes, with an interval over users by the rule of this module.

    Each bootstrap resample draws users with replacement, as many as there are, and takes the mean over all
    their episodes. Episodes of one person are correlated: resampling single episodes would give too narrow an
    interval.

    Args:
        values: One value per episode; None where the score is undefined.
        clusters: User of each episode.
        share: Whether the mean is a share: values are 0 or 1, or shares themselves.
        seed: Seed of the bootstrap.
        resamples: Number of resamples.
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
    check_bootstrap(resamples, confidence)
    known = _drop_undefined(values, clusters)
    if not known:
        raise MetricInputError(f"expected at least one defined value, got {len(values)} undefined ones")
    if share:
        _check_shares(values)
    # a resample needs only each user's sum and count, not the episodes
    owned = [str(cluster) for _, cluster in known]
    names = {name: place for place, name in enumerate(sorted(set(owned)))}
    owners = np.array([names[cluster] for cluster in owned])
    sums = np.bincount(owners, weights=[value for value, _ in known]).astype(np.float64)
    counts = np.bincount(owners)
    mean = fmean(value for value, _ in known)
    ends: tuple[float, float] | None = None
    method: IntervalMethod | None = None
    # equal user means would give an interval of width 0, which looks exact
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


def paired_difference(
    values: Sequence[float | None],
    others: Sequence[float | None],
    users: Sequence[str],
    *,
    seed: int = 0,
    resamples: int = 2000,
    confidence: float = 0.95,
) -> Interval:
    """Mean difference of two scores of the same episodes, with an interval by bootstrap over users.

    Each resample takes both scores of an episode or neither. The interval is therefore narrower than two
    separate ones suggest where both scores depend on the person.

    Args:
        values: One value per episode; None where the score is undefined.
        others: The other value per episode, which is subtracted; None where it is undefined.
        users: User of each episode.
        seed: Seed of the bootstrap.
        resamples: Number of resamples.
        confidence: Share of the resampled differences inside the interval, 0-1.

    Returns:
        The mean difference; an episode that lacks either value is undefined.

    Raises:
        MetricInputError: No episode with both values, unequal lengths, or a number that is not finite.
        UsageError: As in `bootstrap_mean`.

    >>> found = paired_difference([0.5, 0.7, 0.9], [0.4, 0.4, 0.9], ["1", "1", "5"])
    >>> round(found.mean, 3), round(found.low, 3), round(found.high, 3)
    (0.133, 0.0, 0.2)
    """
    check_lengths(values=values, others=others, users=users)
    differences = [
        None if value is None or other is None else value - other
        for value, other in zip(values, others, strict=True)
    ]
    return bootstrap_mean(differences, users, seed=seed, resamples=resamples, confidence=confidence)


CHUNK = 100
"""Number of resamples whose weights are held at once by `bootstrap_statistic`."""


def bootstrap_statistic(
    statistic: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    clusters: Sequence[str],
    *,
    seed: int = 0,
    resamples: int = 2000,
    confidence: float = 0.95,
) -> Interval | None:
    """Value of a statistic that is no mean, with an interval by percentile bootstrap over users.

    The users are drawn as in `bootstrap_mean`. Resamples for which the statistic is undefined are left out.

    Args:
        statistic: Function of weights, of shape (draws, n), that returns the value of each draw; nan where it
            is undefined. A weight is the number of times that an episode is drawn.
        clusters: User of each episode.
        seed: Seed of the bootstrap.
        resamples: Number of resamples.
        confidence: Share of the resampled values inside the interval, 0-1.

    Returns:
        The value over all episodes with its interval; None if it is undefined.

    Raises:
        MetricInputError: No episode.
        UsageError: `resamples` below 1, or `confidence` not between 0 and 1.

    >>> values = np.array([0.2, 0.4, 0.9])
    >>> found = bootstrap_statistic(lambda weights: weights @ values / weights.sum(axis=-1), ["1", "1", "5"])
    >>> round(found.mean, 3), round(found.low, 3), round(found.high, 3)
    (0.5, 0.3, 0.9)
    """
    check_bootstrap(resamples, confidence)
    check_lengths(clusters=clusters)
    names, owners = np.unique(np.asarray(clusters), return_inverse=True)
    value = float(statistic(np.ones((1, len(clusters))))[0])
    if math.isnan(value):
        return None
    ends: tuple[float, float] | None = None
    if len(names) > 1:
        counts = draw_users(len(names), seed, resamples).astype(np.float64)
        parts = [statistic(counts[at : at + CHUNK][:, owners]) for at in range(0, resamples, CHUNK)]
        drawn = np.concatenate(parts)
        drawn = drawn[~np.isnan(drawn)]
        # as in `bootstrap_mean`: an interval of width 0 would look exact
        if len(drawn) and float(np.ptp(drawn)) > SAME * max(1.0, abs(value)):
            ends = percentile_interval(drawn, confidence)
    low, high = ends or (None, None)
    return Interval(
        mean=value,
        low=low,
        high=high,
        n=len(clusters),
        undefined=0,
        clusters=len(names),
        confidence=confidence,
        why_no_interval=None if ends else ALL_ALIKE if len(names) > 1 else ONE_USER,
        method="bootstrap over users" if ends else None,
    )


def wilson(share: float, n: float, *, confidence: float = 0.95) -> tuple[float, float]:
    """Wilson score interval of a share (Wilson 1927); it has a positive width and stays within 0-1.

    Args:
        share: Observed share, 0-1.
        n: Number of observations; for clustered observations their effective number.
        confidence: Confidence level, 0-1.

    Raises:
        UsageError: A share or confidence outside 0-1, or `n` not above 0.

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
    # the observed share always lies inside; at 0 and 1 rounding could exclude it by the last digit
    return max(0.0, min(share, middle - half)), min(1.0, max(share, middle + half))


def _bootstrap(
    sums: NDArray[np.float64], counts: NDArray[np.int64], seed: int, resamples: int, confidence: float
) -> tuple[float, float]:
    draws = draw_users(len(counts), seed, resamples)
    return percentile_interval((draws @ sums) / (draws @ counts), confidence)


def percentile_interval(drawn: NDArray[np.float64], confidence: float) -> tuple[float, float]:
    """Return the ends of a bootstrap interval: percentiles of the resampled values.

    Args:
        drawn: Value of each resample, without nan.
        confidence: Share of the values inside the interval, 0-1.
    """
    tail = (1 - confidence) / 2
    low, high = np.quantile(drawn, [tail, 1 - tail])
    return float(low), float(high)


# the scores of a run have one interval over the same users for each group and metric
@lru_cache(maxsize=16)
def draw_users(users: int, seed: int, resamples: int) -> NDArray[np.int64]:
    """How often each user is drawn in each resample: as many draws as users, with replacement.

    Args:
        users: Number of users.
        seed: Seed of the draws.
        resamples: Number of resamples.

    Returns:
        (resamples, users) counts, read-only; each row sums to `users`.
    """
    drawn = np.random.default_rng(seed).multinomial(users, np.full(users, 1 / users), resamples)
    drawn.flags.writeable = False
    return drawn


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
    """Mean of each group, sorted by the group's name in `natural_order`.

    Args:
        values: One value per episode; None where the score is undefined.
        groups: Group of each episode: user id, app or category; None if unknown.
        users: User of each episode, for an interval over users in each group; None for no interval.
        interval: Function (values, users) -> the interval of a group.

    Raises:
        MetricInputError: No value, unequal lengths, or a number that is not finite.

    >>> [(row.group, row.mean, row.n) for row in by_group([1.0, 0.0, 0.5], ["30", "5", "30"])]
    [('5', 0.0, 1), ('30', 0.75, 2)]
    """
    _drop_undefined(values, groups)
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


def _drop_undefined(
    values: Sequence[float | None], groups: Sequence[str | None]
) -> list[tuple[float, str | None]]:
    check_lengths(values=values, groups=groups)
    for row, value in enumerate(values):
        if value is not None and not math.isfinite(value):
            raise MetricInputError(f"expected values[{row}] to be a finite number, got {value}")
    return [(value, group) for value, group in zip(values, groups, strict=True) if value is not None]


def natural_order(group: str | None) -> tuple[int, int, str]:
    """Sort key of groups: numbers by value, then words, the group None last.

    >>> sorted(["30", None, "5", "music"], key=natural_order)
    ['5', '30', 'music', None]
    """
    if group is None:
        return (2, 0, "")
    number = group.lstrip("0")
    # by length, then digits: int() refuses more than 4,300 digits
    return (0, len(number), number) if group.isascii() and group.isdigit() else (1, 0, group)
