"""Risk and coverage: how often an offer is wrong if only the most confident offers are made.

Moments are ordered by confidence; the most confident k of n are covered. Coverage is k / n, the risk is the
share of the covered without a hit. A moment at which the agent stays silent has no offer that could be a hit,
so silent moments come last. The area is the mean risk over k = 1 ... n: 0 if every moment had a hit, 1 for an
agent that is always silent. Every moment counts, so agents that speak more or less often can be compared; no
agent reaches 0 on data where at some moments nothing is wanted. Within equal confidences every order is
equally likely: their expected risk counts, in closed form.

Source: El-Yaniv and Wiener (2010); the area as by Geifman, Uziel and El-Yaniv (2019).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fingertip_metrics.confidence_scores import Floats, find_group_begins


@dataclass(frozen=True, slots=True, kw_only=True)
class RiskPoint:
    """A point of the curve: all moments of at least this confidence are covered.

    Attributes:
        confidence: Lowest confidence among the covered.
        coverage: Share of all moments that are covered, above 0.
        risk: Share of the covered without a hit, 0 to 1.
    """

    confidence: float
    coverage: float
    risk: float


def weigh_risk_area(order_by: Floats, hits: Floats, weights: Floats) -> Floats:
    """Compute the area under the curve of risk and coverage, 0 at best.

    Args:
        order_by: (n,) values by which moments are covered, the highest first; silent ones have the lowest.
        hits: (n,) 1 for a hit, 0 else; or the probability of a hit.
        weights: (..., n) counts of each moment: whole numbers of 0 or more, not all 0 in a row.

    >>> order = np.array([0.9, 0.5, 0.5])
    >>> float(weigh_risk_area(order, np.array([1.0, 1.0, 0.0]), np.ones(3)).round(4))
    0.1944
    """
    order = np.argsort(-order_by, kind="stable")
    begins = find_group_begins(order_by[order])
    sizes = np.add.reduceat(weights[..., order], begins, axis=-1)
    found = np.add.reduceat((weights * hits)[..., order], begins, axis=-1)
    covered, before = np.cumsum(sizes, axis=-1), np.cumsum(found, axis=-1) - found
    # k = K + j covers a group of m with h hits up to its j-th: (H + j h/m) / (K + j) of them are hits,
    # which is h/m + (H - K h/m) / (K + j), and the sum over j has a difference of harmonic numbers
    share = np.divide(found, sizes, out=np.zeros_like(found), where=sizes > 0)
    harmonic = _sum_harmonic(int(covered.max(initial=0)))
    ends = np.rint(covered).astype(np.int64)
    sums = harmonic[ends] - harmonic[ends - np.rint(sizes).astype(np.int64)]
    right = found + (before - (covered - sizes) * share) * sums
    total = covered[..., -1]
    area: Floats = 1 - right.sum(axis=-1) / total
    return area


def trace_risk(confidences: Floats, spoken: NDArray[np.bool_], hits: Floats) -> tuple[RiskPoint, ...]:
    """Trace the curve of an agent's own offers, from its most confident to all of them.

    Args:
        confidences: (n,) confidences of all moments.
        spoken: (n,) whether the agent made an offer.
        hits: (n,) 1 for a hit, 0 else; or the probability of a hit.

    Returns:
        A point for each different confidence among the offers, the highest first; none without an offer.
    """
    if not spoken.any():
        return ()
    of_offers = confidences[spoken]
    order = np.argsort(-of_offers, kind="stable")
    begins = find_group_begins(of_offers[order])
    ends = np.append(begins[1:], len(order))
    found = np.cumsum(hits[spoken][order])
    return tuple(
        RiskPoint(
            confidence=float(of_offers[order[end - 1]]),
            coverage=float(end / len(confidences)),
            risk=float(1 - found[end - 1] / end),
        )
        for end in ends
    )


def _sum_harmonic(count: int) -> Floats:
    """Harmonic numbers from 0 to `count`: entry k is 1 + 1/2 + ... + 1/k."""
    return np.concatenate([[0.0], np.cumsum(1 / np.arange(1, count + 1, dtype=np.float64))])
