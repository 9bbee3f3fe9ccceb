"""The ceiling against every possible outcome by its probability, and against every other decision."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingertip_dataset.errors import MetricInputError, UsageError
from fingertip_metrics.moment_ceiling import NEVER_WORTH, NO_TEXT, NOT_DEFINED, moment_ceiling
from fingertip_metrics.moment_columns import MOMENT_SCORES, PENALTIES
from fingertip_metrics.moment_scores import moment_scores

Odds = list[tuple[int, int]]
"""Quarters: probability that something is wanted, and that the likeliest intent is the right one."""

ODDS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=4)


def expect_utility(odds: Odds, speaks: tuple[bool, ...], penalty: float) -> float:
    """Mean utility of a decision over all outcomes of all moments, by their probability."""
    total = 0.0
    for outcome in product((0, 1, 2), repeat=len(odds)):
        # 0: nothing wanted, 1: something else than the likeliest intent, 2: that intent
        probability, utility = 1.0, 0.0
        for (p, r), found, spoken in zip(odds, outcome, speaks, strict=True):
            wanted, right = p / 4, r / 4
            probability *= (1 - wanted, wanted * (1 - right), wanted * right)[found]
            utility += spoken * ((found == 2) - penalty * (found == 0))
        total += probability * utility / len(odds)
    return total


@given(ODDS, st.sampled_from(PENALTIES))
def test_no_decision_has_a_higher_expected_utility(odds: Odds, penalty: float) -> None:
    wanted, right = [p / 4 for p, _ in odds], [r / 4 for _, r in odds]
    ceiling = moment_ceiling(wanted, right, penalty=penalty)
    best = max(expect_utility(odds, speaks, penalty) for speaks in product((False, True), repeat=len(odds)))
    assert ceiling.scores["utility"] == pytest.approx(best, abs=1e-9)
    assert expect_utility(odds, ceiling.speaks, penalty) == pytest.approx(best, abs=1e-9)
    assert dict(ceiling.utility_curve)[penalty] == pytest.approx(best, abs=1e-9)


def draw_scores(wanted: np.ndarray, right: np.ndarray, speaks: list[bool], draws: int) -> dict[str, float]:
    """Mean scores of the best decision over drawn outcomes; of a rate the quotient of the means."""
    random = np.random.default_rng(5)
    sums: dict[str, float] = {}
    for _ in range(draws):
        events = random.random(len(wanted)) < wanted
        hits = random.random(len(wanted)) < right
        result = moment_scores(
            ["offer" if offer else "" for offer in speaks],
            ["intent" if event else "" for event in events],
            wanted.tolist(),
            hits=[
                bool(hit) if offer and event else None
                for offer, event, hit in zip(speaks, events, hits, strict=True)
            ],
        )
        for name, value in (
            ("without", result.without_intent),
            ("with", result.with_intent),
            ("false", result.false_triggers),
            ("missed", result.missed),
            ("hits", result.hits or 0),
            ("utility", result.scores["utility"] or 0.0),
            ("brier", result.scores["brier"] or 0.0),
            ("auroc", result.scores["auroc"] or 0.0),
        ):
            sums[name] = sums.get(name, 0.0) + value / draws
    spoken = sum(speaks)
    return {
        "false_trigger_rate": sums["false"] / sums["without"],
        "missed_rate": sums["missed"] / sums["with"],
        "precision": (spoken - sums["false"]) / spoken,
        "recall": 1 - sums["missed"] / sums["with"],
        "sr1": sums["hits"] / (spoken - sums["false"]),
        "hit_rate": sums["hits"] / sums["with"],
        **{name: sums[name] for name in ("utility", "brier", "auroc")},
    }


def test_expected_scores_are_the_means_of_drawn_outcomes() -> None:
    random = np.random.default_rng(3)
    wanted, right = random.beta(0.8, 0.8, 300), random.beta(2, 1, 300)
    ceiling = moment_ceiling(wanted.tolist(), right.tolist())
    drawn = draw_scores(wanted, right, list(ceiling.speaks), 60)
    for name, value in drawn.items():
        assert ceiling.scores[name] == pytest.approx(value, abs=0.01), name


def test_area_is_that_of_offers_in_the_order_of_their_chance_of_a_hit() -> None:
    # chances of a hit 0.9, 0.4, 0.1: risks 0.1, 0.35, 1.6 / 3
    ceiling = moment_ceiling([0.5, 0.9, 1.0], [0.8, 1 / 9, 0.9])
    assert ceiling.scores["risk_area"] == pytest.approx((0.1 + 0.35 + 1.6 / 3) / 3)
    assert ceiling.scores["calibration_error"] == 0
    assert [point.risk for point in ceiling.risk_curve] == pytest.approx([0.1, 0.35, 1.6 / 3])


def test_undefined_scores_have_reasons() -> None:
    certain = moment_ceiling([1.0, 1.0], [0.5, 0.5], users=["1", "2"])
    assert certain.scores["false_trigger_rate"] is None
    assert certain.why_undefined == {
        "false_trigger_rate": NOT_DEFINED, "auroc": NOT_DEFINED, "sim1": NO_TEXT,
    }  # fmt: skip
    assert [name for name, found in certain.intervals.items() if found is None] == [
        name for name in MOMENT_SCORES if name in certain.why_undefined
    ]
    never = moment_ceiling([0.1], [0.5])
    assert (never.spoken, never.why_undefined["precision"]) == (0, NEVER_WORTH)
    assert never.scores["auroc"] is None, "one moment makes no pair"
    assert never.to_dict()["utility_curve"][0] == [0.0, pytest.approx(0.05)]


def test_interval_is_over_people() -> None:
    found = moment_ceiling([0.9, 0.9, 0.2, 0.2], [1.0] * 4, users=["1", "1", "2", "2"]).intervals
    utility = found["utility"]
    assert utility is not None
    assert (utility.mean, utility.low, utility.high) == (pytest.approx(0.4), 0.0, pytest.approx(0.8))
    assert utility.clusters == 2


@pytest.mark.parametrize(
    ("wanted", "right", "more", "shown_text"),
    [
        ([], [], {}, "expected at least one row in wanted, got none"),
        ([0.5], [0.5, 0.5], {}, r"expected as many right as wanted \(1\), got 2"),
        ([1.5], [0.5], {}, r"expected wanted\[0\] to be a number from 0 to 1, got 1.5"),
        ([0.5], [math.nan], {}, r"expected right\[0\] to be a number from 0 to 1, got nan"),
        ([0.5], [None], {}, r"expected right\[0\] to be a number from 0 to 1, got None"),
        (0.5, [0.5], {}, "expected wanted to be a list of numbers, got float"),
        ([0.5], [0.5], {"users": ["1", "2"]}, r"expected as many users as wanted \(1\), got 2"),
    ],
)
def test_bad_input_is_refused(wanted: Any, right: Any, more: dict[str, Any], shown_text: str) -> None:  # noqa: ANN401
    with pytest.raises(MetricInputError, match=shown_text):
        moment_ceiling(wanted, right, **more)


def test_a_wrong_penalty_is_refused() -> None:
    with pytest.raises(UsageError, match="expected a penalty of 0 or more, got -1"):
        moment_ceiling([0.5], [0.5], penalty=-1)
