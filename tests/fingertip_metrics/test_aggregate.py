from __future__ import annotations

import random
from statistics import fmean, quantiles

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fingertip_dataset.errors import MetricInputError, UsageError
from fingertip_metrics import bootstrap_mean, by_group, paired_difference
from fingertip_metrics.aggregate import wilson
from tests.examples import examples


def loop_interval(values: list[float], clusters: list[str], seed: int, resamples: int) -> tuple[float, float]:
    """The same bootstrap, drawn one user at a time."""
    draw = random.Random(seed)  # noqa: S311 - a bootstrap, no secret
    users = sorted(set(clusters))
    means = []
    for _ in range(resamples):
        taken: list[float] = []
        for user in draw.choices(users, k=len(users)):
            taken += [value for value, cluster in zip(values, clusters, strict=True) if cluster == user]
        means.append(fmean(taken))
    cuts = quantiles(means, n=40, method="inclusive")
    return cuts[0], cuts[-1]


def made_up(users: int, seed: int, mean: float = 0.5) -> tuple[list[float], list[str]]:
    """Episodes of users who differ: some are better served than others, and give more episodes."""
    draw = np.random.default_rng(seed)
    values: list[float] = []
    clusters: list[str] = []
    for user in range(users):
        level = draw.normal(mean, 0.15)
        episodes = int(draw.integers(1, 12))
        values += [float(value) for value in draw.normal(level, 0.1, episodes)]
        clusters += [str(user)] * episodes
    return values, clusters


def test_the_interval_is_that_of_a_loop_over_users() -> None:
    values, clusters = made_up(users=12, seed=3)
    interval = bootstrap_mean(values, clusters, resamples=4000)
    low, high = loop_interval(values, clusters, seed=1, resamples=4000)
    assert interval.mean == pytest.approx(fmean(values))
    assert interval.low == pytest.approx(low, abs=0.01)
    assert interval.high == pytest.approx(high, abs=0.01)
    assert (interval.n, interval.clusters, interval.undefined) == (len(values), 12, 0)


def test_a_resample_is_the_mean_over_the_episodes_of_the_users_drawn() -> None:
    # two users: both drawn half of the time, and then three of four episodes are 1
    interval = bootstrap_mean([0.0, 1.0, 1.0, 1.0], ["1", "2", "2", "2"], confidence=0.2)
    assert (interval.low, interval.high) == (0.75, 0.75)
    interval = bootstrap_mean([0.0, 1.0, 1.0, 1.0], ["1", "2", "2", "2"], confidence=0.9)
    assert (interval.low, interval.high) == (0.0, 1.0)


def test_the_seed_determines_the_interval() -> None:
    values, clusters = made_up(users=9, seed=1)
    assert bootstrap_mean(values, clusters, seed=4) == bootstrap_mean(values, clusters, seed=4)
    assert bootstrap_mean(values, clusters, seed=4) != bootstrap_mean(values, clusters, seed=5)
    order = sorted(range(len(values)), key=lambda row: values[row])
    shuffled = bootstrap_mean([values[row] for row in order], [clusters[row] for row in order], seed=4)
    expected = bootstrap_mean(values, clusters, seed=4)
    assert (shuffled.low, shuffled.high) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_one_user_has_no_interval_but_a_reason() -> None:
    interval = bootstrap_mean([0.1, 0.3], ["7", "7"])
    assert interval.mean == pytest.approx(0.2)
    assert interval.low is None
    assert interval.high is None
    assert interval.why_no_interval == "only one user: the variation between users is unknown"


# share, n, low, high: the ends typed from the textbook's rule, solved by hand with z = 1.959964
WILSON = [
    (0.0, 9, 0.0, 0.299145),
    (1.0, 8, 0.675593, 1.0),
    (0.0, 34, 0.0, 0.101515),
    (0.5, 10, 0.236593, 0.763407),
    (0.1, 20, 0.027866, 0.301034),
]


def by_bisection(share: float, n: float, up: bool) -> float:
    """The true share at which the observed one lies exactly z standard errors away."""
    near, far = share, float(up)
    for _ in range(200):
        middle = (near + far) / 2
        apart = abs(share - middle) - 1.959963984540054 * (middle * (1 - middle) / n) ** 0.5
        near, far = (middle, far) if apart < 0 else (near, middle)
    return near


@pytest.mark.parametrize(("share", "n", "low", "high"), WILSON)
def test_wilson(share: float, n: int, low: float, high: float) -> None:
    assert wilson(share, n) == pytest.approx((low, high), abs=1e-6)
    assert wilson(share, n) == pytest.approx(
        (by_bisection(share, n, up=False), by_bisection(share, n, up=True)), abs=1e-9
    )


def test_a_share_of_0_or_100_percent_has_a_wide_interval() -> None:
    users = [str(number % 9) for number in range(34)]
    none_done = bootstrap_mean([0.0] * 34, users, share=True)
    assert (none_done.mean, none_done.low, none_done.clusters) == (0.0, 0.0, 9)
    assert none_done.high == pytest.approx(0.299145, abs=1e-6)
    assert none_done.method == "Wilson, n = users"
    all_done = bootstrap_mean([1.0] * 34, users, share=True)
    assert (all_done.low, all_done.high) == (pytest.approx(1 - 0.299145, abs=1e-6), 1.0)
    # a user counts once, however many tasks the user has
    assert bootstrap_mean([0.0] * 340, users * 10, share=True).high == none_done.high


def test_a_mean_of_equal_values_has_no_interval_but_a_reason() -> None:
    interval = bootstrap_mean([0.1, 0.1, 0.1, 0.1, 0.1], ["1", "1", "1", "2", "3"])
    assert (interval.low, interval.high, interval.method) == (None, None, None)
    assert interval.why_no_interval == (
        "every user has the same mean: a bootstrap over users gives no interval"
    )
    assert (interval.short_reason, bootstrap_mean([0.3], ["1"]).short_reason) == (
        "same for all users",
        "one user",
    )


@settings(deadline=None, max_examples=examples(150))
@given(
    rows=st.lists(st.tuples(st.booleans(), st.sampled_from("abcdef")), min_size=1, max_size=40),
    seed=st.integers(0, 3),
)
def test_the_interval_of_a_share_never_collapses(rows: list[tuple[bool, str]], seed: int) -> None:
    interval = bootstrap_mean(
        [float(done) for done, _ in rows], [user for _, user in rows], share=True, seed=seed
    )
    if interval.clusters == 1:
        assert interval.low is None
        return
    assert interval.low is not None
    assert interval.high is not None
    assert 0 <= interval.low <= interval.mean <= interval.high <= 1
    assert interval.high - interval.low > 0.01


def test_undefined_values_are_counted_and_not_averaged() -> None:
    interval = bootstrap_mean([1.0, None, 0.0, None], ["1", "1", "2", "3"])
    assert (interval.mean, interval.n, interval.undefined, interval.clusters) == (0.5, 2, 2, 2)
    rows = by_group([1.0, None, None], ["a", "a", "b"])
    assert [(row.group, row.mean, row.n, row.undefined) for row in rows] == [
        ("a", 1.0, 1, 1),
        ("b", None, 0, 1),
    ]


def test_groups_are_in_the_order_one_looks_for_them() -> None:
    rows = by_group([0.0] * 6, ["10", "9", None, "com.b", "com.a", "2"])
    assert [row.group for row in rows] == ["2", "9", "10", "com.a", "com.b", None]


@settings(deadline=None, max_examples=examples(100))
@given(
    rows=st.lists(
        st.tuples(st.floats(-1, 1) | st.none(), st.sampled_from(["1", "2", "30"]) | st.none()), min_size=1
    )
)
def test_group_means_against_a_loop(rows: list[tuple[float | None, str | None]]) -> None:
    table = by_group([value for value, _ in rows], [group for _, group in rows])
    assert sum(row.n + row.undefined for row in table) == len(rows)
    for row in table:
        values = [value for value, group in rows if group == row.group and value is not None]
        assert row.mean == (pytest.approx(sum(values) / len(values), abs=1e-12) if values else None)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_non_finite_values_are_refused(value: float) -> None:
    with pytest.raises(MetricInputError, match=r"expected values\[1\] to be a finite number"):
        bootstrap_mean([0.5, value], ["1", "2"])
    with pytest.raises(MetricInputError, match=r"expected values\[0\] to be a finite number"):
        by_group([value], ["a"])


def test_bad_input() -> None:
    with pytest.raises(MetricInputError, match="at least one row in values"):
        bootstrap_mean([], [])
    with pytest.raises(MetricInputError, match="at least one defined value, got 2 undefined ones"):
        bootstrap_mean([None, None], ["1", "2"])
    with pytest.raises(MetricInputError, match=r"as many groups as values \(1\), got 2"):
        by_group([0.5], ["1", "2"])
    with pytest.raises(UsageError, match="confidence between 0 and 1, got 2000 and 95"):
        bootstrap_mean([0.5], ["1"], confidence=95)
    with pytest.raises(MetricInputError, match=r"values\[0\] of a share to lie in 0-1, got 1\.2"):
        bootstrap_mean([1.2], ["1"], share=True)
    with pytest.raises(UsageError, match=r"n above 0, got 0\.5, 0\.95, 0"):
        wilson(0.5, 0)
    with pytest.raises(UsageError, match="1 resample or more"):
        bootstrap_mean([0.5], ["1"], resamples=0)


def test_a_paired_difference_is_that_of_a_loop_over_users() -> None:
    ours, users = made_up(9, seed=4)
    noise = np.random.default_rng(5).normal(0, 0.02, len(ours))
    theirs = [value - 0.05 + float(shift) for value, shift in zip(ours, noise, strict=True)]
    found = paired_difference(ours, theirs, users, seed=3, resamples=4000)
    low, high = loop_interval([a - b for a, b in zip(ours, theirs, strict=True)], users, 11, 4000)
    assert found.mean == pytest.approx(sum(ours) / len(ours) - sum(theirs) / len(theirs))
    assert (found.low, found.high) == (pytest.approx(low, abs=2e-3), pytest.approx(high, abs=2e-3))
    apart = bootstrap_mean(ours, users, seed=3)
    assert (found.high or 0) - (found.low or 0) < (apart.high or 0) - (apart.low or 0)


def test_a_paired_difference_leaves_out_what_lacks_a_value_and_turns_its_sign() -> None:
    ours, theirs, users = [1.0, None, 0.5, 0.0], [0.5, 0.3, None, 0.5], ["1", "1", "2", "3"]
    one, other = (paired_difference(*pair, users) for pair in ((ours, theirs), (theirs, ours)))
    assert (one.mean, one.n, one.undefined, one.clusters) == (0.0, 2, 2, 2)
    assert (one.low, one.high) == (-0.5, 0.5)
    assert other.mean == -one.mean
    alike = paired_difference(theirs, theirs, users)
    assert (alike.mean, alike.low, alike.short_reason) == (0.0, None, "same for all users")
    with pytest.raises(MetricInputError, match="others"):
        paired_difference(ours, theirs[:2], users)
