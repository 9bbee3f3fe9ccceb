"""Rank correlation of two scores of the same items, with intervals by bootstrap over users.

Spearman's rho and Kendall's tau-b (corrected for ties) are both functions of the signs of all pairwise
differences. The signs are computed once; a resample only changes the weights of the items.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from fingertip_dataset.errors import MetricInputError
from fingertip_metrics.aggregate import ONE_USER, draw_users, percentile_interval
from fingertip_metrics.check_arguments import check_bootstrap, check_lengths

_Coefficients: TypeAlias = tuple[NDArray[np.float64], NDArray[np.float64]]
"""Spearman's and Kendall's coefficients, one of each per resample."""

BLOCK = 256
"""Number of resamples per block: at 2,000 items the weights of a block take 4 MB."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Correlation:
    """A correlation coefficient with its confidence interval over users.

    Attributes:
        value: Coefficient, -1 to 1; None if a score is the same for all items.
        low: Lower end; None without an interval.
        high: Upper end; None without an interval.
        n: Number of items.
        clusters: Number of users.
        undefined: Number of resamples left out because a score is the same for all drawn items, or because a
            group has no drawn item.
        why_none: Reason for a missing value or interval; None if both exist.
    """

    value: float | None
    low: float | None
    high: float | None
    n: int
    clusters: int
    undefined: int
    why_none: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RankCorrelations:
    """Both coefficients of the same items: Spearman's rho and Kendall's tau-b."""

    spearman: Correlation
    kendall: Correlation


def rank_correlations(
    xs: Sequence[float],
    ys: Sequence[float],
    clusters: Sequence[str],
    *,
    seed: int = 0,
    resamples: int = 2000,
    confidence: float = 0.95,
) -> RankCorrelations:
    """Spearman's rho and Kendall's tau-b, with percentile intervals by bootstrap over users.

    Each resample draws users with replacement, as many as there are, and takes all their items.

    Args:
        xs: First score of each item.
        ys: Second score of each item.
        clusters: User of each item.
        seed: Seed of the bootstrap.
        resamples: Number of resamples.
        confidence: Share of the resampled coefficients inside the interval, 0-1.

    Raises:
        MetricInputError: Fewer than two items, unequal lengths, or a number that is not finite.
        UsageError: `resamples` below 1, or `confidence` not between 0 and 1.

    >>> found = rank_correlations([1, 2, 3], [10, 20, 15], ["a", "b", "c"])
    >>> found.spearman.value, round(found.kendall.value, 3)
    (0.5, 0.333)
    """
    _check(xs, ys, clusters, resamples, confidence)
    signs = _compare_pairs(xs), _compare_pairs(ys)

    def coefficients(weights: NDArray[np.float64]) -> _Coefficients:
        return spearman(weights, *signs), kendall(weights, *signs)

    return _bootstrap(coefficients, len(xs), clusters, seed=seed, resamples=resamples, confidence=confidence)


def mean_correlations(
    xs: Sequence[float],
    ys: Sequence[float],
    groups: Sequence[str],
    clusters: Sequence[str],
    *,
    seed: int = 0,
    resamples: int = 2000,
    confidence: float = 0.95,
) -> RankCorrelations:
    """Rank correlations of group means (such as one mean per agent); intervals by bootstrap over users.

    Each resample draws users and takes each group's means over their items; a resample in which a group has
    no item is left out.

    Args:
        xs: First score of each item.
        ys: Second score of each item.
        groups: Group of each item.
        clusters: User of each item.
        seed: Seed of the bootstrap.
        resamples: Number of resamples.
        confidence: Share of the resampled coefficients inside the interval, 0-1.

    Raises:
        MetricInputError: Fewer than two groups, unequal lengths, or a number that is not finite.
        UsageError: `resamples` below 1, or `confidence` not between 0 and 1.

    >>> found = mean_correlations([1, 3, 2, 4, 9, 9], [1, 1, 2, 2, 3, 3], list("aabbcc"), list("uvuvuv"))
    >>> found.spearman.value, found.spearman.n
    (1.0, 3)
    """
    check_lengths(xs=xs, groups=groups)
    _check(xs, ys, clusters, resamples, confidence)
    names, members = np.unique(np.asarray(groups, dtype=object).astype(str), return_inverse=True)
    if len(names) < 2:
        raise MetricInputError("expected at least two groups to correlate, got one")

    def coefficients(weights: NDArray[np.float64]) -> _Coefficients:
        return _correlate_means(weights, np.eye(len(names))[members], xs, ys)

    return _bootstrap(
        coefficients, len(names), clusters, seed=seed, resamples=resamples, confidence=confidence
    )


def _bootstrap(
    coefficients: Callable[[NDArray[np.float64]], _Coefficients],
    n: int,
    clusters: Sequence[str],
    *,
    seed: int,
    resamples: int,
    confidence: float,
) -> RankCorrelations:
    """Both coefficients of all items, with percentile intervals over resampled users.

    Args:
        coefficients: Function from weights (r, items), the count of each item in each resample, to Spearman's
            and Kendall's coefficients, (r,) each.
        n: Value of `Correlation.n`: the number of items, or of groups of items.
        clusters: User of each item.
        seed: Seed of the draws.
        resamples: Number of resamples.
        confidence: Share of the resampled coefficients inside the interval, 0-1.
    """
    users, owners = np.unique(np.asarray(clusters, dtype=object).astype(str), return_inverse=True)
    ones = np.ones((1, len(clusters)))
    draws = draw_users(len(users), seed, resamples)[:, owners] if len(users) > 1 else ones[:0]
    found = [
        _summarize(value[0], drawn, confidence, n, len(users))
        for value, drawn in zip(coefficients(ones), coefficients(draws.astype(np.float64)), strict=True)
    ]
    return RankCorrelations(spearman=found[0], kendall=found[1])


def _correlate_means(
    weights: NDArray[np.float64], members: NDArray[np.float64], xs: Sequence[float], ys: Sequence[float]
) -> _Coefficients:
    """Spearman's and Kendall's coefficient of the groups' means in each resample, (r,) each.

    Args:
        weights: (r, n) count of each item in each resample.
        members: (n, k) group membership, 1 if the item belongs to the group.
        xs: (n,) first score.
        ys: (n,) second score.
    """
    counts = weights @ members
    # a group without an item has no mean, so the resample has no rank
    whole = (counts > 0).all(axis=1)
    x_means, y_means = (
        (weights[whole] @ (members * np.asarray(values)[:, None])) / counts[whole] for values in (xs, ys)
    )
    # rounded, because sums of the same items in another order differ in the last digits
    x_signs, y_signs = (
        np.sign(np.round(means[:, :, None] - means[:, None, :], 9)) for means in (x_means, y_means)
    )
    found = np.full((2, len(weights)), np.nan)
    for row, axes, x_parts, y_parts in (
        (0, 1, x_signs.sum(axis=2), y_signs.sum(axis=2)),
        (1, (1, 2), x_signs, y_signs),
    ):
        spread = (x_parts**2).sum(axis=axes) * (y_parts**2).sum(axis=axes)
        found[row, whole] = _divide((x_parts * y_parts).sum(axis=axes), spread)
    return found[0], found[1]


def spearman(
    weights: NDArray[np.float64], x_signs: NDArray[np.float64], y_signs: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Spearman's rho of weighted items: Pearson's coefficient of their average ranks.

    Args:
        weights: (r, n) count of each item in each resample.
        x_signs: (n, n) signs of the pairwise differences of the first score, row minus column.
        y_signs: (n, n) signs of the pairwise differences of the second score.

    Returns:
        (r,) coefficients, nan where a score is the same for all items drawn.
    """
    found = np.full(len(weights), np.nan)
    for start in range(0, len(weights), BLOCK):
        block = weights[start : start + BLOCK]
        # items below minus items above, which is twice the centred average rank
        x_ranks, y_ranks = block @ x_signs.T, block @ y_signs.T
        both = (block * x_ranks * y_ranks).sum(axis=1)
        spread = (block * x_ranks**2).sum(axis=1) * (block * y_ranks**2).sum(axis=1)
        found[start : start + BLOCK] = _divide(both, spread)
    return found


def kendall(
    weights: NDArray[np.float64], x_signs: NDArray[np.float64], y_signs: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Kendall's tau-b of weighted items; same arguments and result as `spearman`."""
    found = np.full(len(weights), np.nan)
    for start in range(0, len(weights), BLOCK):
        block = weights[start : start + BLOCK]
        both, x_apart, y_apart = (
            ((block @ signs) * block).sum(axis=1)
            for signs in (x_signs * y_signs, np.abs(x_signs), np.abs(y_signs))
        )
        found[start : start + BLOCK] = _divide(both, x_apart * y_apart)
    return found


def _divide(both: NDArray[np.float64], spread: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return `both` / sqrt(`spread`); nan where `spread` is 0, which is exact: sums of integers."""
    # a constant score has no rank correlation
    quotients = np.full(len(spread), np.nan)
    np.divide(both, np.sqrt(spread), out=quotients, where=spread > 0)
    return quotients


def _compare_pairs(values: Sequence[float]) -> NDArray[np.float64]:
    array = np.asarray(values, dtype=np.float64)
    return np.sign(array[:, None] - array[None, :])


def _summarize(
    value: float, drawn: NDArray[np.float64], confidence: float, n: int, users: int
) -> Correlation:
    known = drawn[~np.isnan(drawn)]
    low = high = why = None
    if math.isnan(value):
        why = "one of the two scores is the same for all items"
    elif users == 1:
        why = ONE_USER
    elif not len(known):
        why = "one of the two scores is the same for all items in every resample"
    else:
        low, high = percentile_interval(known, confidence)
    return Correlation(
        value=None if math.isnan(value) else float(value),
        low=low,
        high=high,
        n=n,
        clusters=users,
        undefined=len(drawn) - len(known),
        why_none=why,
    )


def _check(
    xs: Sequence[float], ys: Sequence[float], clusters: Sequence[str], resamples: int, confidence: float
) -> None:
    check_lengths(xs=xs, ys=ys, clusters=clusters)
    if len(xs) < 2:
        raise MetricInputError(f"expected at least two items to correlate, got {len(xs)}")
    for name, values in (("xs", xs), ("ys", ys)):
        for row, value in enumerate(values):
            if not math.isfinite(value):
                raise MetricInputError(f"expected {name}[{row}] to be a finite number, got {value}")
    check_bootstrap(resamples, confidence)
