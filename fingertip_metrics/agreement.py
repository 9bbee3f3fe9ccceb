"""Agreement of two raters beyond chance: Cohen's kappa (Cohen 1960) with a bootstrap interval.

Items are resampled, or people with all their items: those of one person are correlated.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from fingertip_metrics.aggregate import draw_users, percentile_interval
from fingertip_metrics.check_arguments import check_booleans, check_bootstrap, check_lengths

Item = TypeVar("Item")

SKEWED = 0.9
"""Share of one rater's answers that are equal from which a warning is given: chance agreement is then so high
that kappa is hard to interpret."""

DEFINED = 0.95
"""Minimum share of resamples with a defined kappa; below it no interval is given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kappa:
    """Agreement of two raters over the items that both have judged.

    Attributes:
        kappa: 1 for full agreement, 0 for chance agreement, negative below it; None if undefined, which is
            when both raters gave the same single answer to every item.
        agreement: Share of the items with the same answer, 0-1.
        matrix: Confusion matrix, 2 x 2 counts: rows are the first rater's no and yes, columns the second's.
        n: Number of items.
        low: Lower end of the 95 % interval; None without an interval.
        high: Upper end of the 95 % interval; None without an interval.
        why: Reason for a missing kappa or interval; None if both exist.
        warning: Reason why kappa is hard to interpret; None without one.
    """

    kappa: float | None
    agreement: float
    matrix: tuple[tuple[int, int], tuple[int, int]]
    n: int
    low: float | None
    high: float | None
    why: str | None
    warning: str | None


def cohen_kappa(
    one: Sequence[bool],
    other: Sequence[bool],
    *,
    clusters: Sequence[str] | None = None,
    seed: int = 0,
    resamples: int = 2000,
    confidence: float = 0.95,
) -> Kappa:
    """Cohen's kappa of two raters' yes/no answers, with a percentile interval by bootstrap.

    Resamples with an undefined kappa are left out of the interval. If more than 5 % of them are undefined,
    there is no interval, and `why` gives the reason.

    Args:
        one: The first rater's answers, one per item.
        other: The second rater's answers to the same items in the same order.
        clusters: User of each item: then users are resampled, with all their items. None resamples items.
        seed: Seed of the bootstrap.
        resamples: Number of resamples.
        confidence: Share of the resampled kappas inside the interval, 0-1.

    Raises:
        MetricInputError: No item, unequal lengths, or an answer that is neither True nor False.
        UsageError: `resamples` below 1, or `confidence` not between 0 and 1.

    >>> answer = cohen_kappa([True, True, False, False], [True, False, False, False])
    >>> answer.kappa, answer.agreement, answer.matrix
    (0.5, 0.75, ((2, 0), (1, 1)))
    """
    check_bootstrap(resamples, confidence)
    for name, answers in (("one", one), ("other", other)):
        check_booleans(name, answers)
    check_lengths(one=one, other=other, **({} if clusters is None else {"clusters": clusters}))
    places = [2 * bool(a) + bool(b) for a, b in zip(one, other, strict=True)]
    cells = np.bincount(places, minlength=4)
    n = len(one)
    value = float(_compute_kappas(cells[np.newaxis])[0])
    drawn = _draw_cells(places, clusters, seed, resamples)
    low, high, why = _estimate_interval(drawn, confidence)
    defined = not np.isnan(value)
    answer = "yes" if cells[3] else "no"
    return Kappa(
        kappa=value if defined else None,
        agreement=float(cells[0] + cells[3]) / n,
        matrix=((int(cells[0]), int(cells[1])), (int(cells[2]), int(cells[3]))),
        n=n,
        low=low if defined else None,
        high=high if defined else None,
        why=why if defined else f"both raters answer {answer} to all {n} items: kappa is undefined",
        warning=_warn_of_skew(cells) if defined else None,
    )


def _compute_kappas(cells: npt.NDArray[np.integer]) -> npt.NDArray[np.float64]:
    """Kappa of each row of counts (no-no, no-yes, yes-no, yes-yes); nan where it is undefined."""
    no_no, no_yes, yes_no, yes_yes = cells.T.astype(float)
    n = no_no + no_yes + yes_no + yes_yes
    # all multiplied by n squared: sums of whole numbers are exact, so "undefined" is no matter of rounding
    observed = (no_no + yes_yes) * n
    chance = (yes_no + yes_yes) * (no_yes + yes_yes) + (no_no + no_yes) * (no_no + yes_no)
    beyond_chance = n * n - chance
    kappas = np.full(len(beyond_chance), np.nan)
    np.divide(observed - chance, beyond_chance, out=kappas, where=beyond_chance > 0)
    return kappas


def _draw_cells(
    places: Sequence[int], clusters: Sequence[str] | None, seed: int, resamples: int
) -> npt.NDArray[np.integer]:
    """Counts of the four cells in each resample, (resamples, 4), or (0, 4) of a single user.

    Args:
        places: Cell of each item.
        clusters: User of each item; None to resample items.
        seed: Seed of the draws.
        resamples: Number of resamples.
    """
    if clusters is None:
        cells, n = np.bincount(places, minlength=4), len(places)
        # drawing n items with replacement equals drawing the cells' counts from a multinomial distribution
        return np.random.default_rng(seed).multinomial(n, cells / n, resamples)
    users, owners = np.unique(np.asarray(clusters, dtype=object).astype(str), return_inverse=True)
    of_users = np.zeros((len(users), 4), dtype=np.int64)
    np.add.at(of_users, (owners, np.asarray(places)), 1)
    draws = draw_users(len(users), seed, resamples)
    return draws @ of_users if len(users) > 1 else of_users[:0]


def _estimate_interval(
    cells: npt.NDArray[np.integer], confidence: float
) -> tuple[float | None, float | None, str | None]:
    """Low and high end of the interval of resampled cells, or None, None and the reason."""
    if not len(cells):
        return None, None, "no interval: all items are of one user"
    drawn = _compute_kappas(cells)
    resamples = len(cells)
    known = drawn[~np.isnan(drawn)]
    if len(known) < DEFINED * resamples:
        share = 100 * (1 - len(known) / resamples)
        return None, None, f"no interval: kappa is undefined in {share:.0f} % of the resamples"
    return *percentile_interval(known, confidence), None


def _warn_of_skew(cells: npt.NDArray[np.integer]) -> str | None:
    n = int(cells.sum())
    yes = max((int(cells[2] + cells[3]), int(cells[1] + cells[3])), key=lambda count: abs(2 * count - n))
    share = max(yes, n - yes) / n
    if share < SKEWED:
        return None
    answer = "yes" if 2 * yes > n else "no"
    return (
        f"skewed: one rater answers {answer} to {100 * share:.0f} % of the items; kappa is then low even if "
        "the raters mostly agree"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class PairAgreement:
    """Agreement of two raters over the items that both have labelled.

    Attributes:
        one: Name of the first rater.
        other: Name of the second rater.
        kappa: Kappa over the items that both answer with yes or no; None without such an item.
        unsure: Number of items left out because one of the two is unsure.
    """

    one: str
    other: str
    kappa: Kappa | None
    unsure: int


def agreements(answers: Mapping[str, Mapping[Item, bool | None]]) -> tuple[PairAgreement, ...]:
    """Agreement of each pair of raters; pairs without a common item are left out.

    Args:
        answers: Rater -> item -> True for yes, False for no, None for unsure.
    """
    return tuple(
        pair
        for one, other in combinations(sorted(answers), 2)
        if (pair := _compare_pair(one, answers[one], other, answers[other])) is not None
    )


def _compare_pair(
    one: str, ones: Mapping[Item, bool | None], other: str, others: Mapping[Item, bool | None]
) -> PairAgreement | None:
    common = [(answer, others[item]) for item, answer in ones.items() if item in others]
    if not common:
        return None
    known = [(a, b) for a, b in common if a is not None and b is not None]
    return PairAgreement(
        one=one,
        other=other,
        kappa=cohen_kappa([a for a, _ in known], [b for _, b in known]) if known else None,
        unsure=len(common) - len(known),
    )
