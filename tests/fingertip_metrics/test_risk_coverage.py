"""Risk and coverage against a slow oracle: the mean over every order of equally confident moments."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import permutations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fingertip_metrics.risk_coverage import trace_risk, weigh_risk_area

Cases = list[tuple[int, bool, int]]
"""Value of the order, whether it is a hit, and how often the moment is drawn."""

CASES = st.lists(
    st.tuples(st.integers(0, 2), st.booleans(), st.integers(0, 2)), min_size=1, max_size=4
).filter(lambda cases: 0 < sum(times for _, _, times in cases) <= 6)


def slow_area(drawn: list[tuple[int, bool]]) -> Fraction:
    """Mean risk over all coverages, averaged over all permutations that are in order."""
    areas = []
    for order in permutations(drawn):
        values = [value for value, _ in order]
        if values != sorted(values, reverse=True):
            continue
        risks = [
            1 - Fraction(sum(hit for _, hit in order[:covered]), covered)
            for covered in range(1, len(order) + 1)
        ]
        areas.append(sum(risks, Fraction(0)) / len(risks))
    return sum(areas, Fraction(0)) / len(areas)


@given(CASES)
def test_area_is_the_mean_over_all_orders(cases: Cases) -> None:
    order_by = np.array([float(value) for value, _, _ in cases])
    hits = np.array([float(hit) for _, hit, _ in cases])
    weights = np.array([[1.0] * len(cases), [float(times) for _, _, times in cases]])
    found = weigh_risk_area(order_by, hits, weights)
    once = [(value, hit) for value, hit, _ in cases]
    drawn = [(value, hit) for value, hit, times in cases for _ in range(times)]
    assert math.isclose(found[0], slow_area(once), abs_tol=1e-9)
    assert math.isclose(found[1], slow_area(drawn), abs_tol=1e-9)


@given(st.lists(st.tuples(st.integers(0, 4), st.booleans(), st.booleans()), min_size=1, max_size=12))
def test_curve_has_a_point_for_each_confidence_of_an_offer(moments: list[tuple[int, bool, bool]]) -> None:
    confidences = np.array([value / 4 for value, _, _ in moments])
    spoken = np.array([offer for _, offer, _ in moments])
    hits = np.array([float(offer and hit) for _, offer, hit in moments])
    expected = []
    for lowest in sorted({value / 4 for value, offer, _ in moments if offer}, reverse=True):
        covered = [hit for value, offer, hit in moments if offer and value / 4 >= lowest]
        expected.append((lowest, len(covered) / len(moments), 1 - sum(covered) / len(covered)))
    found = [
        (point.confidence, point.coverage, point.risk) for point in trace_risk(confidences, spoken, hits)
    ]
    assert np.allclose(found, expected) if expected else found == []


def test_area_of_perfect_silent_and_perfectly_wrong_agents() -> None:
    ones = np.ones(4)
    assert weigh_risk_area(np.full(4, 0.9), ones, ones) == 0
    assert weigh_risk_area(np.full(4, -1.0), np.zeros(4), ones) == 1
    # two hits before two silent moments: risks 0, 0, 1/3, 1/2
    order_by, hits = np.array([0.9, -1.0, 0.8, -1.0]), np.array([1.0, 0.0, 1.0, 0.0])
    assert math.isclose(weigh_risk_area(order_by, hits, ones), (1 / 3 + 1 / 2) / 4)
