"""Scores of probabilities against slow oracles: plain loops over moments, pairs and bins, in fractions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fingertip_metrics.confidence_scores import (
    make_reliability_bins,
    weigh_brier,
    weigh_calibration_error,
    weigh_expected_roc_area,
    weigh_roc_area,
)

Cases = list[tuple[int, bool, int]]
"""Confidence in twentieths, whether the event took place, and how often the moment is drawn."""

CASES = st.lists(st.tuples(st.integers(0, 20), st.booleans(), st.integers(0, 3)), min_size=1, max_size=8)


def list_drawn(cases: Cases) -> list[tuple[Fraction, Fraction]]:
    """(confidence, event) of each moment as often as it is drawn."""
    return [
        (Fraction(twentieths, 20), Fraction(event))
        for twentieths, event, times in cases
        for _ in range(times)
    ]


def make_arrays(cases: Cases) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    confidences = np.array([twentieths / 20 for twentieths, _, _ in cases])
    events = np.array([float(event) for _, event, _ in cases])
    # two rows of weights: each draw has a score of its own
    weights = np.array([[1.0] * len(cases), [float(times) for _, _, times in cases]])
    return confidences, events, weights


def check_both_draws(found: np.ndarray, cases: Cases, oracle: object) -> None:
    """Compare the score of all moments and of a draw with the oracle's."""
    all_once = [(twentieths, event, 1) for twentieths, event, _ in cases]
    for value, drawn in zip(found, (all_once, cases), strict=True):
        expected = oracle(list_drawn(drawn))  # type: ignore[operator]
        if expected is None:
            assert math.isnan(value)
        else:
            assert math.isclose(value, expected, abs_tol=1e-9)


def slow_brier(drawn: Sequence[tuple[Fraction, Fraction]]) -> Fraction | None:
    return sum(((c - e) ** 2 for c, e in drawn), Fraction(0)) / len(drawn) if drawn else None


def slow_calibration_error(drawn: Sequence[tuple[Fraction, Fraction]]) -> Fraction | None:
    """Each bin by its borders in fractions; the last includes 1."""
    if not drawn:
        return None
    total = Fraction(0)
    for number in range(10):
        low, high = Fraction(number, 10), Fraction(number + 1, 10)
        inside = [(c, e) for c, e in drawn if low <= c < high or (number == 9 and c == 1)]
        if inside:
            gap = abs(sum(c for c, _ in inside) / len(inside) - sum(e for _, e in inside) / len(inside))
            total += gap * len(inside) / len(drawn)
    return total


def slow_roc_area(drawn: Sequence[tuple[Fraction, Fraction]]) -> Fraction | None:
    """Share of the pairs of an event and a non-event in which the event has the higher confidence."""
    pairs = [(c, d) for c, event in drawn if event for d, other in drawn if not other]
    if not pairs:
        return None
    return sum(Fraction(c > d) + Fraction(c == d, 2) for c, d in pairs) / len(pairs)


@given(CASES)
def test_brier_score_is_the_mean_of_squares(cases: Cases) -> None:
    check_both_draws(weigh_brier(*make_arrays(cases)), cases, slow_brier)


@given(CASES)
def test_calibration_error_is_that_of_a_loop_over_bins(cases: Cases) -> None:
    confidences, events, weights = make_arrays(cases)
    check_both_draws(weigh_calibration_error(confidences, events, weights), cases, slow_calibration_error)
    bins = make_reliability_bins(confidences, events)
    assert sum(one.n for one in bins) == len(cases)
    assert all(one.low <= one.confidence <= one.high for one in bins)
    from_bins = sum(one.n * abs(one.confidence - one.share) for one in bins) / len(cases)
    assert math.isclose(from_bins, weigh_calibration_error(confidences, events, weights)[0], abs_tol=1e-9)


@given(CASES)
def test_roc_area_is_the_share_of_pairs_in_order(cases: Cases) -> None:
    check_both_draws(weigh_roc_area(*make_arrays(cases)), cases, slow_roc_area)


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=6))
def test_expected_scores_are_those_of_all_outcomes_by_their_probability(odds: list[tuple[int, int]]) -> None:
    confidences = np.array([confidence / 4 for confidence, _ in odds])
    chances = np.array([chance / 4 for _, chance in odds])
    ones = np.ones(len(odds))
    brier, higher, pairs = 0.0, 0.0, 0.0
    for number in range(2 ** len(odds)):
        events = np.array([float(number >> place & 1) for place in range(len(odds))])
        probability = float(np.prod(np.where(events > 0, chances, 1 - chances)))
        brier += probability * float(weigh_brier(confidences, events, ones))
        drawn = [
            (Fraction(c).limit_denominator(), Fraction(int(e)))
            for c, e in zip(confidences, events, strict=True)
        ]
        of_pairs = int(events.sum() * (len(odds) - events.sum()))
        pairs += probability * of_pairs
        higher += probability * of_pairs * float(slow_roc_area(drawn) or 0)
    assert math.isclose(weigh_brier(confidences, chances, ones), brier, abs_tol=1e-9)
    area = float(weigh_expected_roc_area(confidences, chances, ones))
    assert math.isnan(area) if pairs == 0 else math.isclose(area, higher / pairs, abs_tol=1e-9)
