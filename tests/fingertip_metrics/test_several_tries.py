from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from statistics import fmean, quantiles
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingertip_dataset.errors import MetricInputError, UsageError
from fingertip_metrics import bootstrap_mean
from fingertip_metrics.several_tries import average_tries, pass_at_k, pass_hat_k, pass_rates


def slow_share(tries: list[bool], k: int, succeeds: Callable[[tuple[bool, ...]], bool]) -> Fraction:
    """Share of all choices of k of the tries that succeed, counted one by one."""
    chosen = list(combinations(tries, k))
    return Fraction(sum(map(succeeds, chosen)), len(chosen))


@given(st.lists(st.booleans(), min_size=1, max_size=7).flatmap(
    lambda tries: st.tuples(st.just(tries), st.integers(1, len(tries)))
))  # fmt: skip
def test_the_chances_are_shares_of_all_choices_of_k_tries(case: tuple[list[bool], int]) -> None:
    tries, k = case
    assert pass_at_k(len(tries), sum(tries), k) == pytest.approx(float(slow_share(tries, k, any)))
    assert pass_hat_k(len(tries), sum(tries), k) == pytest.approx(float(slow_share(tries, k, all)))


def test_the_means_are_those_of_the_golden_file(golden: Callable[[str], dict[str, Any]]) -> None:
    expected = golden("pass_rates")
    rates = pass_rates(expected["successes"], expected["users"])
    for name in ("at_least_one", "every"):
        means = [interval.mean for interval in getattr(rates, name)]
        assert means == pytest.approx([float(Fraction(share)) for share in expected[name]])
    assert {(one.n, one.clusters) for one in (*rates.at_least_one, *rates.every)} == {(5, 3)}


def drawn_tries(users: int, tries: int, seed: int) -> tuple[list[list[bool]], list[str]]:
    draw = random.Random(seed)  # noqa: S311 - made-up tasks, no secret
    successes: list[list[bool]] = []
    owners: list[str] = []
    for user in range(users):
        chance = draw.random()
        for _ in range(draw.randint(1, 4)):
            successes.append([draw.random() < chance for _ in range(tries)])
            owners.append(str(user))
    return successes, owners


def loop_ends(successes: list[list[bool]], users: list[str], k: int, resamples: int) -> tuple[float, float]:
    """The interval of pass^k by drawing one user, one task and one try at a time."""
    draw = random.Random(7)  # noqa: S311 - a bootstrap, no secret
    tries = len(successes[0])
    of_user = {
        user: [row for row, owner in zip(successes, users, strict=True) if owner == user] for user in users
    }
    names, means = sorted(of_user), []
    for _ in range(resamples):
        values = []
        for user in draw.choices(names, k=len(names)):
            for row in of_user[user]:
                count = sum(draw.choices(row, k=tries))
                shift = pass_hat_k(tries, sum(row), k) - (sum(row) / tries) ** k
                values.append(pass_hat_k(tries, count, k) + shift)
        means.append(fmean(values))
    cuts = quantiles(means, n=40, method="inclusive")
    return cuts[0], cuts[-1]


@pytest.mark.parametrize("k", [1, 2, 3])
def test_the_interval_is_that_of_a_loop_over_users_tasks_and_tries(k: int) -> None:
    successes, users = drawn_tries(users=12, tries=3, seed=4)
    interval = pass_rates(successes, users, resamples=1500).every[k - 1]
    low, high = loop_ends(successes, users, k, resamples=1500)
    assert interval.low == pytest.approx(low, abs=0.03)
    assert interval.high == pytest.approx(high, abs=0.03)
    assert interval.method == "bootstrap over users and tries"


def test_one_try_has_the_interval_of_a_run_without_tries() -> None:
    successes, users = drawn_tries(users=9, tries=1, seed=1)
    single = bootstrap_mean([float(row[0]) for row in successes], users, share=True, resamples=300)
    found = average_tries([[float(row[0])] for row in successes], users, share=True, resamples=300)
    assert (found.mean, found.n, found.clusters) == (single.mean, single.n, single.clusters)
    assert (found.low, found.high) == pytest.approx((single.low, single.high))
    assert pass_rates(successes, users, resamples=300).every[0].low == pytest.approx(single.low)


def test_more_tries_of_the_same_tasks_add_no_tasks_and_narrow_the_interval() -> None:
    users = [str(user) for user in range(30)]
    draw = random.Random(3)  # noqa: S311 - made-up tasks, no secret
    many = [[float(draw.random() < 0.5) for _ in range(16)] for _ in users]
    few, all_of_them = average_tries([row[:2] for row in many], users), average_tries(many, users)
    assert few.n == all_of_them.n == 30
    assert all_of_them.high - all_of_them.low < 0.7 * (few.high - few.low)


def test_means_that_are_equal_for_all_users_have_a_wilson_interval_or_none() -> None:
    never = pass_rates([[True, False], [False, True], [True, False]], ["1", "2", "3"])
    assert never.every[1].mean == 0
    assert never.every[1].method == "Wilson, n = users"
    assert never.every[1].high > 0.3
    assert average_tries([[0.4, 0.4], [0.4, 0.4]], ["1", "2"]).low is None
    one_user = average_tries([[0.4, 0.1], [0.2, 0.4]], ["1", "1"])
    assert (one_user.low, one_user.short_reason) == (None, "one user")


def test_undefined_tries_are_left_out_and_tasks_without_a_value_are_counted() -> None:
    found = average_tries([[1.0, None, 0.0], [None, None, 0.8], [None, None, None]], ["1", "2", "3"])
    assert found.mean == pytest.approx((0.5 + 0.8) / 2)
    assert (found.n, found.undefined, found.clusters) == (2, 1, 2)
    assert 0.0 <= found.low <= found.mean <= found.high <= 1.0


@pytest.mark.parametrize(
    ("values", "users", "words"),
    [
        ([], [], "at least one row"),
        ([[]], ["1"], "at least one try"),
        ([[0.1, 0.2], [0.3]], ["1", "2"], r"expected 2 tries in values\[1\], as in the first, got 1"),
        ([[0.1]], ["1", "2"], "as many users"),
        ([[None, None]], ["1"], "at least one defined value"),
        ([[0.1, float("nan")]], ["1"], "finite"),
    ],
)
def test_wrong_input_is_one_line(values: list[list[float | None]], users: list[str], words: str) -> None:
    with pytest.raises(MetricInputError, match=words):
        average_tries(values, users)


def test_a_success_is_true_or_false_and_k_is_at_most_the_tries() -> None:
    with pytest.raises(MetricInputError, match="true or false"):
        pass_rates([[0.5, 1]], ["1"])  # type: ignore[list-item]
    with pytest.raises(UsageError, match="expected k of 1 to the number of tries"):
        pass_at_k(3, 1, 4)
    with pytest.raises(UsageError, match="successes"):
        pass_hat_k(3, 4, 1)
