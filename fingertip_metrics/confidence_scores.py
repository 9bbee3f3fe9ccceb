"""Scores of probabilities of an event: Brier score, calibration error, area under the ROC curve.

Each function takes weights, so that a bootstrap counts a person drawn twice twice. `weights` has the shape
(..., n): a score for each row of weights is returned, nan where it is undefined.

Sources: Brier (1950); expected calibration error with bins of equal width as Guo et al. (2017), section 2;
the area as the probability that an event has a higher confidence than a non-event, ties counting half, which
is the statistic of Mann and Whitney.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

BINS = 10
"""Number of bins of equal width of the calibration error and of the reliability picture."""

ROUNDING = 1e-12
"""Relative size below which a difference of sums counts as 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReliabilityBin:
    """A bin of confidences that is not empty.

    Attributes:
        low: Lower end of the bin, 0 to 1.
        high: Upper end of the bin; the last bin includes it.
        n: Number of confidences in the bin.
        confidence: Mean confidence.
        share: Share of them at which the event took place, 0 to 1.
    """

    low: float
    high: float
    n: int
    confidence: float
    share: float


def weigh_brier(confidences: Floats, events: Floats, weights: Floats) -> Floats:
    """Compute the Brier score: the mean squared difference of confidence and event, 0 at best.

    Args:
        confidences: (n,) probabilities of the event, 0 to 1.
        events: (n,) 1 where the event took place, 0 elsewhere; or its true probability.
        weights: (..., n) weights, 0 or more.

    >>> float(weigh_brier(np.array([0.8, 0.4]), np.array([1.0, 0.0]), np.ones(2)).round(3))
    0.1
    """
    # with a true probability p the expected square is (c - p)^2 + p (1 - p)
    squares = (confidences - events) ** 2 + events * (1 - events)
    return _divide(weights @ squares, weights.sum(axis=-1))


def weigh_calibration_error(confidences: Floats, events: Floats, weights: Floats) -> Floats:
    """Compute the expected calibration error: |confidence - share of events| of each bin, by its size.

    Args:
        confidences: (n,) probabilities of the event, 0 to 1.
        events: (n,) 1 where the event took place, 0 elsewhere.
        weights: (..., n) weights, 0 or more.

    >>> float(weigh_calibration_error(np.array([0.8, 0.8]), np.array([1.0, 0.0]), np.ones(2)).round(3))
    0.3
    """
    member = place_in_bins(confidences)[:, None] == np.arange(BINS)
    gaps = np.abs(weights @ np.where(member, (confidences - events)[:, None], 0.0)).sum(axis=-1)
    return _divide(gaps, weights.sum(axis=-1))


def weigh_roc_area(confidences: Floats, events: Floats, weights: Floats) -> Floats:
    """Compute the area under the ROC curve; nan for weights with events only, or with none.

    Args:
        confidences: (n,) confidences; only their order matters.
        events: (n,) 1 where the event took place, 0 elsewhere.
        weights: (..., n) weights, 0 or more.

    >>> float(weigh_roc_area(np.array([0.9, 0.5, 0.5]), np.array([1.0, 1.0, 0.0]), np.ones(3)))
    0.75
    """
    higher, pairs = _count_pairs(confidences, events, weights)
    return _divide(higher, pairs)


def weigh_expected_roc_area(confidences: Floats, odds: Floats, weights: Floats) -> Floats:
    """Compute the expected area under the ROC curve if events take place by the odds.

    It is the quotient of two expectations over all pairs of different moments: that the first has the event,
    the second has not, and the first the higher confidence; and the same whatever their confidences.

    Args:
        confidences: (n,) confidences; only their order matters.
        odds: (n,) probability of the event at each moment.
        weights: (..., n) counts of each moment.

    >>> float(weigh_expected_roc_area(np.array([1.0, 0.0]), np.array([1.0, 0.0]), np.ones(2)))
    1.0
    """
    higher, pairs = _count_pairs(confidences, odds, weights)
    # a moment is no pair with itself, nor with its copies in a resample
    itself = weights**2 @ (odds * (1 - odds))
    others = pairs - itself
    # of one moment alone nothing is left but rounding
    return _divide(higher - itself / 2, np.where(others > ROUNDING * pairs, others, 0.0))


def make_reliability_bins(confidences: Floats, events: Floats) -> tuple[ReliabilityBin, ...]:
    """Group confidences into bins, for a reliability picture; bins without a confidence are left out.

    Args:
        confidences: (n,) probabilities of the event, 0 to 1.
        events: (n,) 1 where the event took place, 0 elsewhere.
    """
    places = place_in_bins(confidences)
    return tuple(
        ReliabilityBin(
            low=number / BINS,
            high=(number + 1) / BINS,
            n=int(inside.sum()),
            confidence=float(confidences[inside].mean()),
            share=float(events[inside].mean()),
        )
        for number in range(BINS)
        if (inside := places == number).any()
    )


def place_in_bins(confidences: Floats) -> NDArray[np.int64]:
    """Return the bin of each confidence; a confidence on a border belongs to the upper bin, 1 to the last.

    >>> place_in_bins(np.array([0.0, 0.1, 0.3, 0.99, 1.0])).tolist()
    [0, 1, 3, 9, 9]
    """
    # borders as written in decimals: 0.3 * 10 is below 3 in binary, 0.3 >= 3 / 10 is not
    borders = np.arange(1, BINS) / BINS
    return np.searchsorted(borders, confidences, side="right")


def find_group_begins(values: Floats) -> NDArray[np.int64]:
    """Return where each group of equal values begins in a sorted array of at least one value.

    >>> find_group_begins(np.array([0.1, 0.1, 0.5])).tolist()
    [0, 2]
    """
    return np.flatnonzero(np.concatenate([[True], values[1:] != values[:-1]]))


def _count_pairs(confidences: Floats, events: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Weights of the pairs of an event and a non-event: those with the event higher, ties half, and all."""
    order = np.argsort(confidences, kind="stable")
    begins = find_group_begins(confidences[order])
    positive = np.add.reduceat((weights * events)[..., order], begins, axis=-1)
    negative = np.add.reduceat((weights * (1 - events))[..., order], begins, axis=-1)
    below = np.cumsum(negative, axis=-1) - negative
    higher = (positive * (below + negative / 2)).sum(axis=-1)
    return higher, positive.sum(axis=-1) * negative.sum(axis=-1)


def _divide(sums: Floats, counts: Floats) -> Floats:
    """Quotients, nan where the count is 0."""
    counts = np.asarray(counts, dtype=np.float64)
    return np.divide(sums, counts, out=np.full_like(counts, np.nan), where=counts > 0)
