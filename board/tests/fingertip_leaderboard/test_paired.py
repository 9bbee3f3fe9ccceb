from __future__ import annotations

import math
import random
from collections.abc import Sequence
from itertools import chain, combinations, product

import pytest

from fingertip_dataset.errors import MetricInputError
from fingertip_leaderboard.paired import better_than, compare_all, holm

Values = list[float | None]


def exact_p(one: Values, other: Values, users: Sequence[str]) -> float:
    """Exact p over all resamples of users, with equal weights, without random numbers or numpy."""
    both = [
        (user, a - b) for user, a, b in zip(users, one, other, strict=True) if a is not None and b is not None
    ]
    people = sorted({user for user, _ in both})
    below = above = 0
    for drawn in product(people, repeat=len(people)):
        differences = [difference for person in drawn for user, difference in both if user == person]
        mean = math.fsum(differences) / len(differences)
        below += mean <= 1e-12
        above += mean >= -1e-12
    return min(1.0, max(2 * min(below, above) / len(people) ** len(people), 2.0 ** (1 - len(people))))


def closed_test(p_values: Sequence[float]) -> list[float]:
    """Holm as a closed test: a hypothesis is rejected if Bonferroni rejects every set that contains it."""
    places = range(len(p_values))
    subsets = list(chain.from_iterable(combinations(places, size) for size in range(1, len(p_values) + 1)))
    return [
        max(min(1.0, len(some) * min(p_values[place] for place in some)) for some in subsets if mine in some)
        for mine in places
    ]


def drawn(seed: int, users: int, tasks: int, lift: float) -> tuple[Values, Values, list[str]]:
    dice = random.Random(seed)  # noqa: S311 - no secret
    owners = [str(number) for number in range(users)] + [
        str(dice.randrange(users)) for _ in range(tasks - users)
    ]
    one: Values = [round(dice.random() + lift, 2) if dice.random() > 0.1 else None for _ in owners]
    other: Values = [round(dice.random(), 2) if dice.random() > 0.1 else None for _ in owners]
    return one, other, owners


@pytest.mark.parametrize("seed", range(8))
def test_p_is_that_of_all_resamples(seed: int) -> None:
    one, other, users = drawn(seed, 5, 14, lift=0.1 * (seed % 4))
    pair = compare_all([one, other], users)[0]
    assert pair.p == pytest.approx(exact_p(one, other, users), abs=0.03)
    assert pair.adjusted == pair.p
    known = [(a, b) for a, b in zip(one, other, strict=True) if a is not None and b is not None]
    assert pair.tasks == len(known)
    assert pair.difference == pytest.approx(sum(a - b for a, b in known) / len(known))
    assert pair.low <= pair.difference <= pair.high


@pytest.mark.parametrize("seed", range(6))
def test_holm_is_the_closed_test(seed: int) -> None:
    dice = random.Random(seed)  # noqa: S311 - no secret
    p_values = [round(dice.random() ** 3, 3) for _ in range(1 + seed)]
    assert holm(p_values) == pytest.approx(closed_test(p_values))


def test_known_comparisons() -> None:
    users = [str(number) for number in range(10) for _ in range(2)]
    good, fair, same = [0.8] * 20, [0.6, 0.7] * 10, [0.7, 0.6] * 10
    pairs = compare_all([good, fair, same], users)
    assert [(pair.one, pair.other, pair.better) for pair in pairs] == [(0, 1, 0), (0, 2, 0), (1, 2, None)]
    assert [round(pair.p, 6) for pair in pairs] == [0.001953, 0.001953, 1.0]
    assert [round(pair.adjusted, 6) for pair in pairs] == [0.005859, 0.005859, 1.0]
    assert [round(pair.difference, 6) for pair in pairs] == [0.15, 0.15, 0.0]
    assert better_than(pairs) == {0: (1, 2)}


def test_swapping_two_systems_negates_their_difference() -> None:
    one, other, users = drawn(3, 8, 40, lift=0.3)
    there, back = compare_all([one, other], users)[0], compare_all([other, one], users)[0]
    assert (back.difference, back.low, back.high) == pytest.approx(
        (-there.difference, -there.high, -there.low)
    )
    assert (back.p, back.better) == (
        pytest.approx(there.p),
        1 - there.better if there.better is not None else None,
    )


def test_few_users_give_no_significant_difference() -> None:
    users = ["1", "2", "3", "4"] * 50
    pair = compare_all([[1.0] * 200, [0.0] * 200], users)[0]
    assert (pair.p, pair.better) == (0.125, None)


def test_many_equal_systems_give_no_significant_difference() -> None:
    dice = random.Random(0)  # noqa: S311 - no secret
    users = [str(task % 25) for task in range(200)]
    values = [[dice.random() for _ in users] for _ in range(12)]
    pairs = compare_all(values, users)
    assert len(pairs) == 66
    assert better_than(pairs) == {}
    assert any(pair.p < 0.05 for pair in pairs), "without the correction there would be marks"


def test_pairs_that_cannot_be_compared_are_left_out() -> None:
    users = ["1", "1", "2"]
    assert compare_all([[1.0, 1.0, None], [0.0, 0.0, 0.0]], users) == ()
    assert compare_all([[None] * 3, [None] * 3], users) == ()
    assert compare_all([[1.0, 0.0, 1.0]], users) == ()
    assert compare_all([], users) == ()


def test_invalid_values_are_refused() -> None:
    with pytest.raises(MetricInputError, match="expected 2 values in row 1, got 1"):
        compare_all([[0.1, 0.2], [0.1]], ["1", "2"])
    with pytest.raises(MetricInputError, match="expected finite numbers"):
        compare_all([[0.1, math.nan], [0.1, 0.2]], ["1", "2"])
