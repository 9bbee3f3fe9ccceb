from __future__ import annotations

import math
import random
import re
import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fingertip_dataset.errors import MetricInputError, UsageError
from fingertip_metrics.agreement import agreements, cohen_kappa
from tests.examples import examples

answers = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=40)


def from_sklearn(one: list[bool], other: list[bool]) -> float:
    from sklearn.metrics import cohen_kappa_score

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # an undefined one is nan there, with a warning
        return float(cohen_kappa_score(one, other))


@settings(max_examples=examples(150), deadline=None)
@given(answers)
def test_kappa_is_that_of_sklearn(pairs: list[tuple[bool, bool]]) -> None:
    one, other = [a for a, _ in pairs], [b for _, b in pairs]
    got = cohen_kappa(one, other, resamples=20)
    expected = from_sklearn(one, other)
    if math.isnan(expected):
        assert (got.kappa, got.low, got.high, got.warning) == (None, None, None, None)
        assert got.why is not None
    else:
        assert got.kappa == pytest.approx(expected)
    assert got.agreement == pytest.approx(sum(a == b for a, b in pairs) / len(pairs))
    assert sum(map(sum, got.matrix)) == got.n == len(pairs)


@given(answers)
def test_swapping_raters_transposes_the_matrix(pairs: list[tuple[bool, bool]]) -> None:
    one, other = [a for a, _ in pairs], [b for _, b in pairs]
    there, back = cohen_kappa(one, other, resamples=5), cohen_kappa(other, one, resamples=5)
    assert (there.kappa, there.agreement) == (back.kappa, back.agreement)
    assert there.matrix == tuple(zip(*back.matrix, strict=True))


def loop_interval(pairs: list[tuple[bool, bool]], resamples: int) -> tuple[float, float]:
    """The same bootstrap, drawn one item at a time and scored by the textbook's fractions."""
    draw = random.Random(11)  # noqa: S311 - a bootstrap, no secret
    kappas = []
    for _ in range(resamples):
        taken = draw.choices(pairs, k=len(pairs))
        n = len(taken)
        observed = sum(a == b for a, b in taken) / n
        yes, other_yes = sum(a for a, _ in taken) / n, sum(b for _, b in taken) / n
        chance = yes * other_yes + (1 - yes) * (1 - other_yes)
        if chance < 1:
            kappas.append((observed - chance) / (1 - chance))
    kappas.sort()
    return kappas[int(0.025 * len(kappas))], kappas[int(0.975 * len(kappas))]


def test_the_interval_is_that_of_a_loop_over_items() -> None:
    pairs = [(True, True)] * 25 + [(False, False)] * 18 + [(True, False)] * 6 + [(False, True)] * 4
    got = cohen_kappa([a for a, _ in pairs], [b for _, b in pairs], resamples=4000)
    low, high = loop_interval(pairs, 4000)
    assert got.low == pytest.approx(low, abs=0.03)
    assert got.high == pytest.approx(high, abs=0.03)
    assert got.why is None
    assert got.warning is None


@pytest.mark.parametrize(("answer", "word"), [(True, "yes"), (False, "no")])
def test_constant_answers_have_no_kappa_but_a_reason(answer: bool, word: str) -> None:
    got = cohen_kappa([answer] * 7, [answer] * 7)
    assert (got.kappa, got.low, got.high, got.agreement) == (None, None, None, 1.0)
    assert got.why == f"both raters answer {word} to all 7 items: kappa is undefined"


def test_skewed_base_rates_are_reported_with_a_low_kappa() -> None:
    one, other = [True] * 96 + [False] * 4, [True] * 92 + [False] * 4 + [True] * 4
    got = cohen_kappa(one, other)
    assert got.agreement == 0.92
    assert got.kappa is not None
    assert got.kappa < 0
    assert got.warning == (
        "skewed: one rater answers yes to 96 % of the items; "
        "kappa is then low even if the raters mostly agree"
    )


def test_few_items_have_a_kappa_and_no_interval() -> None:
    got = cohen_kappa([True, False], [True, False])
    assert got.kappa == 1
    assert (got.low, got.high) == (None, None)
    assert re.fullmatch(r"no interval: kappa is undefined in [45]\d % of the resamples", got.why or "")


@pytest.mark.parametrize(
    ("one", "other"), [([], []), ([True], [True, False]), ([1, 0], [True, False]), (["yes"], ["yes"])]
)
def test_what_cannot_be_compared_is_refused(one: list[bool], other: list[bool]) -> None:
    with pytest.raises(MetricInputError, match="expected"):
        cohen_kappa(one, other)


@pytest.mark.parametrize("wrong", [{"resamples": 0}, {"confidence": 1.0}])
def test_a_wrong_call_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(UsageError, match="expected 1 resample"):
        cohen_kappa([True], [False], **wrong)  # type: ignore[arg-type]


def test_two_raters_are_compared_over_the_items_that_both_decide() -> None:
    found = agreements(
        {
            "ben": {"a": True, "b": False, "c": None, "e": True},
            "anna": {"a": True, "b": False, "c": True, "d": False},
            "cleo": {"z": True},
        }
    )
    (pair,) = found
    assert (pair.one, pair.other, pair.unsure) == ("anna", "ben", 1)
    assert pair.kappa is not None
    assert (pair.kappa.kappa, pair.kappa.n, pair.kappa.matrix) == (1.0, 2, ((1, 0), (0, 1)))


def test_raters_without_a_decided_item_in_common_have_no_kappa() -> None:
    (pair,) = agreements({"anna": {"a": None}, "ben": {"a": True}})
    assert (pair.kappa, pair.unsure) == (None, 1)


def test_three_raters_make_three_pairs_and_one_makes_none() -> None:
    same = {"a": True, "b": False}
    assert [(pair.one, pair.other) for pair in agreements({"c": same, "a": same, "b": same})] == [
        ("a", "b"),
        ("a", "c"),
        ("b", "c"),
    ]
    assert agreements({"anna": same}) == ()
