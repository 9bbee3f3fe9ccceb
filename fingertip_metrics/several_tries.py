"""Several independent tries of each task: pass@k, pass^k, and means over tries, with intervals.

The tries of a task give one value, and a score is the mean of these over the tasks (macro). So n is the
number of tasks, however many tries each has.

- pass@k is the chance that at least one of k tries succeeds, 1 - C(n - c, k) / C(n, k) for c successes in
  n tries: the unbiased estimator of Chen et al. (2021), section 2.1.
- pass^k is the chance that all of k tries succeed, C(c, k) / C(n, k): Yao et al. (2024), tau-bench.

Intervals are by a nested bootstrap. Each resample draws users with replacement, as in `bootstrap_mean`, and
of every task of a drawn user as many of its tries as it has, with replacement. So it knows of people and of
tries, and is a little wider than an interval over users alone of the tasks' means, which vary by the tries,
too. Tries drawn twice would raise pass^k and lower pass@k: each task's value is shifted so that its mean over
all draws is its estimate. Where all users have the same share, as where no task succeeds in all tries, it has
a Wilson interval with the users as n; any other mean whose resamples are all alike has no interval.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from fingertip_dataset.errors import MetricInputError, UsageError
from fingertip_metrics.aggregate import (
    ALL_ALIKE,
    ONE_USER,
    SAME,
    Interval,
    IntervalMethod,
    by_group,
    draw_users,
    percentile_interval,
    wilson,
)
from fingertip_metrics.check_arguments import check_bootstrap, check_lengths

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class PassRates:
    """Chances of success in k tries, for every k up to the number of tries.

    Attributes:
        tries: Number of tries of each task.
        at_least_one: pass@1, pass@2, ...: chance that at least one of k tries succeeds.
        every: pass^1, pass^2, ...: chance that all of k tries succeed. The first is that of `at_least_one`.
    """

    tries: int
    at_least_one: tuple[Interval, ...]
    every: tuple[Interval, ...]


def pass_at_k(tries: int, successes: int, k: int) -> float:
    """Estimate the chance that at least one of k tries succeeds, without bias (Chen et al. 2021).

    Args:
        tries: Number of tries that were made.
        successes: Number of them that succeeded.
        k: Number of tries that the chance is of, 1 to `tries`.

    Raises:
        UsageError: A number is out of its range.

    >>> pass_at_k(4, 1, 1), pass_at_k(4, 1, 2), pass_at_k(4, 1, 4)
    (0.25, 0.5, 1.0)
    """
    _check_counts(tries, successes, k)
    return 1 - math.comb(tries - successes, k) / math.comb(tries, k)


def pass_hat_k(tries: int, successes: int, k: int) -> float:
    """Estimate the chance that all of k tries succeed, pass^k, without bias (Yao et al. 2024).

    Args:
        tries: Number of tries that were made.
        successes: Number of them that succeeded.
        k: Number of tries that the chance is of, 1 to `tries`.

    Raises:
        UsageError: A number is out of its range.

    >>> pass_hat_k(4, 3, 1), pass_hat_k(4, 3, 2), pass_hat_k(4, 3, 4)
    (0.75, 0.5, 0.0)
    """
    _check_counts(tries, successes, k)
    return math.comb(successes, k) / math.comb(tries, k)


def pass_rates(
    successes: Sequence[Sequence[bool]],
    users: Sequence[str],
    *,
    seed: int = 0,
    resamples: int = 2000,
    confidence: float = 0.95,
) -> PassRates:
    """Mean pass@k and pass^k over tasks for every k, with intervals over users and tries.

    Args:
        successes: For each task whether each of its tries succeeded; as many tries for every task.
        users: User of each task.
        seed: Seed of the bootstrap.
        resamples: Number of resamples.
        confidence: Share of the resampled means inside the interval, 0-1.

    Raises:
        MetricInputError: No task, no try, unequal lengths, or a value that is not true or false.
        UsageError: `resamples` below 1, or `confidence` not between 0 and 1.

    >>> rates = pass_rates([[True, False], [True, True], [False, False]], ["1", "5", "5"])
    >>> [round(rate.mean, 3) for rate in rates.at_least_one], [round(rate.mean, 3) for rate in rates.every]
    ([0.5, 0.667], [0.5, 0.333])
    """
    check_bootstrap(resamples, confidence)
    tries = _check_tries(successes, users)
    for row, of_task in enumerate(successes):
        for value in of_task:
            if value not in (0, 1):
                raise MetricInputError(f"expected successes[{row}] to be true or false, got {value!r:.60}")
    counts = [int(sum(of_task)) for of_task in successes]
    of_count = np.array(
        [
            [estimate(tries, count, k) for count in range(tries + 1)]
            for estimate in (pass_at_k, pass_hat_k)
            for k in range(1, tries + 1)
        ]
    )
    estimates = of_count[:, counts]
    draws = _draw_nested(
        np.array(successes, dtype=np.float64),
        np.full(len(counts), tries),
        users,
        lambda drawn, _: of_count[:, drawn.sum(axis=1).astype(np.int64)],
        estimates - _expected(np.array(counts) / tries, tries),
        seed,
        resamples,
    )
    found = [
        _interval(of_tasks, row, users, undefined=0, share=True, confidence=confidence)
        for of_tasks, row in zip(estimates.tolist(), draws, strict=True)
    ]
    return PassRates(tries=tries, at_least_one=tuple(found[:tries]), every=tuple(found[tries:]))


def average_tries(
    values: Sequence[Sequence[float | None]],
    users: Sequence[str],
    *,
    share: bool = False,
    seed: int = 0,
    resamples: int = 2000,
    confidence: float = 0.95,
) -> Interval:
    """Mean over tasks of the mean over each task's tries, with an interval over users and tries.

    Args:
        values: For each task one value per try; None where the score is undefined. A task whose tries are all
            undefined is undefined.
        users: User of each task.
        share: Whether the mean is a share: values are 0 or 1, or shares themselves.
        seed: Seed of the bootstrap.
        resamples: Number of resamples.
        confidence: Share of the resampled means inside the interval, 0-1.

    Raises:
        MetricInputError: No value, no try, unequal lengths, a number that is not finite, or a share outside
            0-1.
        UsageError: `resamples` below 1, or `confidence` not between 0 and 1.

    >>> found = average_tries([[0.2, 0.4], [0.5, None], [None, None]], ["1", "5", "5"])
    >>> round(found.mean, 3), found.n, found.undefined, found.clusters
    (0.4, 2, 1, 2)
    """
    check_bootstrap(resamples, confidence)
    _check_tries(values, users)
    known = [_list_known(row, of_task, share) for row, of_task in enumerate(values)]
    tasks = [row for row, of_task in enumerate(known) if of_task]
    if not tasks:
        raise MetricInputError(f"expected at least one defined value, got none in {len(values)} tasks")
    counts = np.array([len(known[row]) for row in tasks])
    table = np.zeros((len(tasks), int(counts.max())))
    for place, row in enumerate(tasks):
        table[place, : counts[place]] = known[row]
    weights = (np.arange(table.shape[1]) < counts[:, None]) / counts[:, None]
    owners = [users[row] for row in tasks]
    (draws,) = _draw_nested(
        table,
        counts,
        owners,
        lambda drawn, rows: (drawn * weights[rows]).sum(axis=1)[None, :],
        np.zeros((1, len(tasks))),
        seed,
        resamples,
    )
    estimates = [fmean(known[row]) for row in tasks]
    undefined = len(values) - len(tasks)
    return _interval(estimates, draws, owners, undefined=undefined, share=share, confidence=confidence)


def _draw_nested(
    values: Floats,
    tries: NDArray[np.int64],
    users: Sequence[str],
    score: Callable[[Floats, NDArray[np.int64]], Floats],
    shifts: Floats,
    seed: int,
    resamples: int,
) -> Floats:
    """Resample users, and the tries of their tasks; a user drawn twice has other tries each time.

    Args:
        values: (tasks, tries) values of each try.
        tries: Number of tries of each task that have a value; they come first in its row.
        users: User of each task.
        score: Function (drawn values, their tasks) -> (scores, tasks) of these tasks.
        shifts: (scores, tasks) constants to add.
        seed: Seed of the draws.
        resamples: Number of resamples.

    Returns:
        (scores, resamples) means over the tasks of each resample; no column with one user.
    """
    names, owners = np.unique(np.asarray(users), return_inverse=True)
    if len(names) < 2:
        return np.empty((len(shifts), 0))
    # the same users are drawn as in the intervals of single runs
    counts = draw_users(len(names), seed, resamples)
    chosen = np.random.default_rng((seed, 1))
    every, width = np.arange(len(values)), values.shape[1]
    draws = np.empty((len(shifts), resamples))
    for number, of_users in enumerate(counts):
        tasks = np.repeat(every, of_users[owners])
        places = (chosen.random((len(tasks), width)) * tries[tasks][:, None]).astype(np.int64)
        drawn = values[tasks[:, None], places]
        draws[:, number] = (score(drawn, tasks) + shifts[:, tasks]).mean(axis=1)
    return draws


def _expected(shares: Floats, tries: int) -> Floats:
    """Mean of pass@k and pass^k over all draws of tries with replacement, by share of successes and k."""
    k = np.arange(1, tries + 1)[:, None]
    return np.concatenate([1 - (1 - shares) ** k, shares**k])


def _interval(
    estimates: Sequence[float],
    draws: Floats,
    users: Sequence[str],
    *,
    undefined: int,
    share: bool,
    confidence: float,
) -> Interval:
    """The mean of the tasks' estimates, with its interval by the rule of this module."""
    mean = fmean(estimates)
    of_users = by_group(estimates, users)
    same = SAME * max(1.0, abs(mean))
    alike = float(np.ptp([user.mean or 0.0 for user in of_users])) <= same
    ends: tuple[float, float] | None = None
    method: IntervalMethod | None = None
    if len(of_users) > 1 and share and alike:
        share_of = min(1.0, max(0.0, mean))
        ends, method = wilson(share_of, len(of_users), confidence=confidence), "Wilson, n = users"
    elif len(of_users) > 1 and float(np.ptp(draws)) > same:
        low, high = percentile_interval(draws, confidence)
        # a shifted share may leave its range
        ends = (max(0.0, low), min(1.0, high)) if share else (low, high)
        method = "bootstrap over users and tries"
    low_end, high_end = ends or (None, None)
    return Interval(
        mean=mean,
        low=low_end,
        high=high_end,
        n=len(estimates),
        undefined=undefined,
        clusters=len(of_users),
        confidence=confidence,
        why_no_interval=None if ends else ALL_ALIKE if len(of_users) > 1 else ONE_USER,
        method=method,
    )


def _check_counts(tries: int, successes: int, k: int) -> None:
    if not (1 <= k <= tries and 0 <= successes <= tries):
        raise UsageError(
            f"expected k of 1 to the number of tries and at most as many successes, got k {k} with "
            f"{successes} successes in {tries} tries"
        )


def _check_tries(values: Sequence[Sequence[object]], users: Sequence[str]) -> int:
    """Check that every task has as many tries, and return their number."""
    check_lengths(values=values, users=users)
    tries = len(values[0])
    for row, of_task in enumerate(values):
        if len(of_task) != tries:
            raise MetricInputError(
                f"expected {tries} tries in values[{row}], as in the first, got {len(of_task)}"
            )
    if not tries:
        raise MetricInputError("expected at least one try of each task, got none")
    return tries


def _list_known(row: int, values: Sequence[float | None], share: bool) -> list[float]:
    """The defined values of a task's tries."""
    known = [value for value in values if value is not None]
    for value in known:
        if not math.isfinite(value):
            raise MetricInputError(f"expected values[{row}] to hold finite numbers, got {value}")
        if share and not 0 <= value <= 1:
            raise MetricInputError(f"expected values[{row}] of a share to lie in 0-1, got {value}")
    return known
