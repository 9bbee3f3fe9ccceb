"""Rank correlations against scipy, and their bootstrap against a slow one that draws users by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from fingertip_dataset.errors import MetricInputError, UsageError
from fingertip_metrics.correlation import mean_correlations, rank_correlations

VALUES = st.lists(
    st.tuples(st.integers(0, 6), st.integers(1, 5), st.sampled_from("abcd")), min_size=2, max_size=25
)


def oracle(xs: list[float], ys: list[float]) -> tuple[float | None, float | None]:
    if len(set(xs)) == 1 or len(set(ys)) == 1:
        return None, None
    return float(stats.spearmanr(xs, ys).statistic), float(stats.kendalltau(xs, ys).statistic)


@settings(deadline=None)
@given(VALUES)
def test_coefficients_with_ties_equal_scipys(items: list[tuple[int, int, str]]) -> None:
    xs, ys = [float(one[0]) for one in items], [float(one[1]) for one in items]
    users = [one[2] for one in items]
    found = rank_correlations(xs, ys, users, resamples=5)
    for ours, theirs in zip((found.spearman, found.kendall), oracle(xs, ys), strict=True):
        assert ours.n == len(items)
        if theirs is None:
            assert ours.value is None
            assert ours.why_none == "one of the two scores is the same for all items"
        else:
            assert ours.value == pytest.approx(theirs, abs=1e-9)


def test_the_interval_is_that_of_a_bootstrap_over_users() -> None:
    random = np.random.default_rng(7)
    users = [f"u{number % 7}" for number in range(40)]
    xs = random.normal(size=40).round(1)
    ys = np.clip((xs * 2 + random.normal(size=40) + 3).round(), 1, 5)
    found = rank_correlations(list(xs), list(ys), users, seed=3, resamples=300)
    draws = np.random.default_rng(3).multinomial(7, np.full(7, 1 / 7), 300)
    slow: tuple[list[float], list[float]] = ([], [])
    for draw in draws:
        items = [item for user, times in enumerate(draw) for _ in range(times) for item in range(user, 40, 7)]
        for kept, value in zip(slow, oracle(list(xs[items]), list(ys[items])), strict=True):
            assert value is not None
            kept.append(value)
    for ours, theirs in zip((found.spearman, found.kendall), slow, strict=True):
        assert (ours.low, ours.high) == pytest.approx(tuple(np.quantile(theirs, [0.025, 0.975])))
        assert (ours.clusters, ours.undefined) == (7, 0)


def test_means_of_agents_are_correlated_and_redrawn() -> None:
    random = np.random.default_rng(1)
    agents = [f"agent{number % 4}" for number in range(80)]
    users = [f"u{number // 16}" for number in range(80)]
    xs = random.normal(size=80) + np.arange(80) % 4 / 2
    ys = random.normal(size=80) + np.arange(80) % 4 / 3
    found = mean_correlations(list(xs), list(ys), agents, users, seed=5, resamples=200)

    def means(values: np.ndarray, items: list[int]) -> list[float]:
        return [float(np.mean([values[item] for item in items if item % 4 == agent])) for agent in range(4)]

    whole = oracle(means(xs, list(range(80))), means(ys, list(range(80))))
    assert (found.spearman.value, found.kendall.value) == pytest.approx(whole)
    slow: tuple[list[float], list[float]] = ([], [])
    for draw in np.random.default_rng(5).multinomial(5, np.full(5, 0.2), 200):
        drawn = [user for user, times in enumerate(draw) for _ in range(times)]
        items = [16 * user + item for user in drawn for item in range(16)]
        for kept, value in zip(slow, oracle(means(xs, items), means(ys, items)), strict=True):
            assert value is not None
            kept.append(value)
    for ours, theirs in zip((found.spearman, found.kendall), slow, strict=True):
        assert (ours.low, ours.high) == pytest.approx(tuple(np.quantile(theirs, [0.025, 0.975])))
        assert (ours.n, ours.clusters) == (4, 5)


def test_one_user_has_no_interval_and_wrong_input_is_named() -> None:
    alone = rank_correlations([1, 2, 3], [1, 2, 3], ["u"] * 3).kendall
    assert (alone.value, alone.low) == (1, None)
    assert alone.why_none == "only one user: the variation between users is unknown"
    with pytest.raises(MetricInputError, match="at least two items"):
        rank_correlations([1], [1], ["u"])
    with pytest.raises(MetricInputError, match="finite"):
        rank_correlations([1, math.nan], [1, 2], ["u", "v"])
    with pytest.raises(MetricInputError, match="two groups"):
        mean_correlations([1, 2], [1, 2], ["a", "a"], ["u", "v"])
    with pytest.raises(UsageError, match="resample"):
        rank_correlations([1, 2], [1, 2], ["u", "v"], resamples=0)
