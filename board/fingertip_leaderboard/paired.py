"""Pairwise significance of systems: paired bootstrap over users with Holm's correction."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from fingertip_dataset.errors import MetricInputError

ALPHA = 0.05
"""Family-wise error rate over all comparisons of one table and score."""

LEAST_RESAMPLES, MOST_RESAMPLES, RESAMPLES_A_PAIR = 10_000, 400_000, 100
"""Number of resamples B: at least, at most, and per pair. The smallest p of B resamples is 2 / (B + 1) and
Holm's first threshold is ALPHA / pairs, so B has to grow with the number of pairs."""

CHUNK = 10_000
"""Resamples in memory at a time; intervals are quantiles of the first chunk."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Comparison of two systems on the tasks for which both have a value.

    Attributes:
        one: Index of the first system.
        other: Index of the second system.
        difference: Mean over tasks of the first minus the second.
        low: Lower end of the 95 % interval of the difference, over users.
        high: Upper end of that interval.
        p: Two-sided p-value of no difference, not corrected.
        adjusted: p-value corrected for all comparisons of the call.
        tasks: Number of tasks in the means.
        users: Number of users who have these tasks.
    """

    one: int
    other: int
    difference: float
    low: float
    high: float
    p: float
    adjusted: float
    tasks: int
    users: int

    @property
    def significant(self) -> bool:
        """Whether the corrected p is at most `ALPHA`."""
        return self.adjusted <= ALPHA

    @property
    def better(self) -> int | None:
        """Index of the system with the higher mean; None if the difference is not significant."""
        if not self.significant:
            return None
        return self.one if self.difference > 0 else self.other


@dataclass(frozen=True, slots=True, kw_only=True)
class _PairedSystems:
    """Differences of two systems, summed and counted per user."""

    one: int
    other: int
    users: int
    sums: NDArray[np.float64]
    counts: NDArray[np.float64]


def compare_all(
    values: Sequence[Sequence[float | None]], users: Sequence[str], *, seed: int = 0
) -> tuple[Comparison, ...]:
    """Compare every pair of systems, in the order (0, 1), (0, 2), ..., (1, 2), ...

    A resample draws as many users as a pair has, with replacement, and takes the mean difference over all
    their tasks; both systems are always compared on the same tasks. p is twice the share of resamples on the
    far side of zero, where zero itself counts as far and one resample is added. It is never below
    2^(1 - users), the smallest p-value of an exact test that swaps the systems per user, because a bootstrap
    of few users underestimates the uncertainty. The correction is Holm's over all pairs, which makes no
    assumption on their dependence.

    A pair is left out if the two systems share no task, or only tasks of one user: the variation between
    users is then unknown.

    Args:
        values: One row per system with its value for each task; None where undefined.
        users: The user of each task.
        seed: Seed of the bootstrap; the same seed gives the same result.

    Raises:
        MetricInputError: Rows of unequal lengths, or a number that is not finite.

    >>> users = [str(user) for user in range(12)]
    >>> far = compare_all([[0.9] * 12, [0.1] * 12, [0.1] * 12], users)
    >>> [(pair.one, pair.other, pair.better, round(pair.adjusted, 4)) for pair in far]
    [(0, 1, 0, 0.0015), (0, 2, 0, 0.0015), (1, 2, None, 1.0)]
    """
    table = _make_array(values, users)
    # users, not tasks, are resampled: tasks of one person are correlated
    _, owners = np.unique(np.asarray(users), return_inverse=True)
    pairs = [
        pair
        for one, other in combinations(range(len(table)), 2)
        if (pair := _pair(one, other, table[one] - table[other], owners)) is not None
    ]
    resamples = min(MOST_RESAMPLES, max(LEAST_RESAMPLES, RESAMPLES_A_PAIR * len(pairs)))
    # rounded up to whole chunks
    resamples = -(-resamples // CHUNK) * CHUNK
    alike: dict[int, list[_PairedSystems]] = defaultdict(list)
    for pair in pairs:
        alike[pair.users].append(pair)
    found = [done for count, group in alike.items() for done in _compare_alike(group, count, resamples, seed)]
    found.sort(key=lambda done: (done.one, done.other))
    adjusted = holm([done.p for done in found])
    return tuple(replace(done, adjusted=p) for done, p in zip(found, adjusted, strict=True))


def holm(p_values: Sequence[float]) -> list[float]:
    """p-values corrected by Holm's step-down method, in the given order; compare them with alpha itself.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    # a corrected p is never smaller than that of a smaller p
    adjusted, highest = [0.0] * len(p_values), 0.0
    order = sorted(range(len(p_values)), key=lambda index: p_values[index])
    for rank, index in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[index]))
        adjusted[index] = highest
    return adjusted


def better_than(comparisons: Sequence[Comparison]) -> Mapping[int, tuple[int, ...]]:
    """System -> systems that it is significantly better than; systems without any are left out."""
    found: dict[int, tuple[int, ...]] = {}
    for pair in comparisons:
        if pair.better is not None:
            worse = pair.other if pair.better == pair.one else pair.one
            found[pair.better] = (*found.get(pair.better, ()), worse)
    return found


def _make_array(values: Sequence[Sequence[float | None]], users: Sequence[str]) -> NDArray[np.float64]:
    """Array (systems, tasks) of the values, nan where undefined."""
    for row, line in enumerate(values):
        if len(line) != len(users):
            raise MetricInputError(f"expected {len(users)} values in row {row}, got {len(line)}")
    known = np.array([[value is not None for value in line] for line in values], dtype=bool)
    table = np.array([[np.nan if value is None else value for value in line] for line in values], dtype=float)
    if known.size and not np.isfinite(table[known]).all():
        raise MetricInputError("expected finite numbers and None, got another")
    return table.reshape(len(values), len(users))


def _pair(
    one: int, other: int, differences: NDArray[np.float64], owners: NDArray[np.intp]
) -> _PairedSystems | None:
    both = ~np.isnan(differences)
    counts = np.bincount(owners[both], minlength=1).astype(float)
    sums = np.bincount(owners[both], weights=differences[both], minlength=1).astype(float)
    there = counts > 0
    # one user has no variation to resample
    if there.sum() < 2:
        return None
    return _PairedSystems(
        one=one, other=other, users=int(there.sum()), sums=sums[there], counts=counts[there]
    )


def _compare_alike(
    group: Sequence[_PairedSystems], users: int, resamples: int, seed: int
) -> list[Comparison]:
    """Compare pairs that all have the same number of users, with the same draws."""
    sums = np.column_stack([pair.sums for pair in group])
    counts = np.column_stack([pair.counts for pair in group])
    below, above = np.zeros(len(group)), np.zeros(len(group))
    ends = np.zeros((2, len(group)))
    generator = np.random.default_rng(seed)
    for start in range(0, resamples, CHUNK):
        draws = generator.multinomial(users, np.full(users, 1 / users), CHUNK).astype(float)
        means = (draws @ sums) / (draws @ counts)
        # differences that cancel may leave a rounding error instead of an exact zero
        means[np.abs(means) < 1e-12] = 0.0
        # zeros count on both sides, so that equal systems get a p of 1
        below += (means <= 0).sum(axis=0)
        above += (means >= 0).sum(axis=0)
        if start == 0:
            ends = np.quantile(means, [0.025, 0.975], axis=0)
    # the observed data count as one resample, so p is never 0
    tails = (np.minimum(below, above) + 1) / (resamples + 1)
    # sign flips of n users have 2^n outcomes: no two-sided p can be smaller than 2 / 2^n
    least = 2.0 ** (1 - users)
    return [
        Comparison(
            one=pair.one,
            other=pair.other,
            difference=float(pair.sums.sum() / pair.counts.sum()),
            low=float(ends[0, column]),
            high=float(ends[1, column]),
            p=float(min(1.0, max(2 * tails[column], least))),
            adjusted=1.0,
            tasks=int(pair.counts.sum()),
            users=users,
        )
        for column, pair in enumerate(group)
    ]
