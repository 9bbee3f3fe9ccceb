"""Pairs with a known answer, and the warnings of a judge that does not tell them apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingertip_metrics.agreement import cohen_kappa
from fingertip_metrics.judges import Verdict, judge_agreement
from fingertip_metrics.judges.judge_check import (
    FEWEST_EQUAL,
    UNLIKE,
    check_judge,
    choose_sure_pairs,
    is_at_chance,
    list_judge_warnings,
)
from fingertip_metrics.similarity import text_similarity

INTENTS = {
    f"{verb}{noun}": noun
    for verb in ("打开", "搜索一下", "收藏", "删掉")
    for noun in ("天气", "音乐", "地图")
}
SAME, DIFFERENT, NONE = (Verdict(state=state) for state in ("same", "different", "unscored"))


@dataclass(frozen=True)
class RuleJudge:
    """A judge by a function of the two texts."""

    rule: Callable[[str, str], Verdict]
    name = "rule"
    settings: Any = None
    why_not_comparable = "a rule"
    remark = None

    def judge(self, pairs: Sequence[tuple[str, str]]) -> tuple[Verdict, ...]:
        return tuple(self.rule(*pair) for pair in pairs)


def test_sure_pairs_are_of_other_apps_and_the_same_each_time() -> None:
    pairs = choose_sure_pairs(INTENTS, 4)
    assert pairs == choose_sure_pairs(dict(reversed(INTENTS.items())), 4)
    assert [pair.same for pair in pairs] == [True] * 4 + [False] * 4
    assert all(pair.predicted == pair.intended for pair in pairs if pair.same)
    unlike = [pair for pair in pairs if not pair.same]
    assert all(INTENTS[pair.predicted] != INTENTS[pair.intended] for pair in unlike)
    assert all(text_similarity(*pair.texts) <= UNLIKE for pair in unlike)
    assert len({pair.predicted for pair in unlike}) == 4


@pytest.mark.parametrize("intents", [{}, {"": "a"}, {"听歌": "a"}, {"听歌": "a", "放歌": "a"}])
def test_few_intents_give_few_pairs(intents: dict[str, str]) -> None:
    pairs = choose_sure_pairs(intents, 10)
    assert len(pairs) == sum(bool(text) for text in intents)
    assert all(pair.same for pair in pairs)
    judge = RuleJudge(lambda predicted, intended: SAME)
    check = check_judge(judge, pairs)
    assert list_judge_warnings([], check=check, agreements={}) == []
    # pairs of one kind do not clear a judge that says the same of all
    (warning,) = list_judge_warnings(["same"] * FEWEST_EQUAL, check=check, agreements={})
    assert warning.startswith(f"the judge says same of all {FEWEST_EQUAL} answers, whatever they are")


@pytest.mark.parametrize(
    ("rule", "passed"),
    [
        (lambda predicted, intended: SAME if predicted == intended else DIFFERENT, True),
        (lambda predicted, intended: SAME, False),
        (lambda predicted, intended: DIFFERENT, False),
        (lambda predicted, intended: NONE, False),
        (lambda predicted, intended: SAME if predicted != intended else DIFFERENT, False),
        (lambda predicted, intended: SAME if len(predicted) % 2 else DIFFERENT, False),
        (lambda predicted, intended: SAME if predicted == intended else NONE, False),
    ],
    ids=["right", "yes", "no", "none", "wrong", "by length", "half"],
)
def test_a_judge_at_chance_is_found(rule: Callable[[str, str], Verdict], passed: bool) -> None:
    check = check_judge(RuleJudge(rule), choose_sure_pairs(INTENTS, 5))
    assert check is not None
    assert check.is_passed is passed
    warnings = list_judge_warnings([], check=check, agreements={})
    assert [warning.startswith("this judge cannot tell apart pairs") for warning in warnings] == (
        [] if passed else [True]
    )


def test_a_judge_without_pairs_is_not_asked() -> None:
    assert check_judge(RuleJudge(lambda predicted, intended: SAME), []) is None


def test_agreement_with_others_is_judged_by_its_interval() -> None:
    users = [str(number // 4) for number in range(40)]
    labels = [SAME, DIFFERENT] * 20
    random = [SAME, SAME, DIFFERENT, DIFFERENT] * 10
    weak = judge_agreement(random, labels, clusters=users)
    (warning,) = list_judge_warnings([], agreements={"people": weak, "nobody": None})
    assert warning.startswith("this judge hardly agrees with people: kappa 0.00")
    assert "includes chance" in warning
    few = judge_agreement(random[:8], labels[:8], clusters=users[:8])
    assert list_judge_warnings([], agreements={"people": few}) == []
    good = judge_agreement(labels, labels, clusters=users)
    assert list_judge_warnings([], agreements={"people": good}) == []


def test_verdicts_alone_can_warn() -> None:
    one = list_judge_warnings(["different"] * FEWEST_EQUAL, agreements={})
    assert one == [
        f"the judge says different of all {FEWEST_EQUAL} answers, whatever they are; "
        "--judge-check 10 asks it about pairs with a known answer"
    ]
    assert list_judge_warnings(["different"] * (FEWEST_EQUAL - 1), agreements={}) == []
    right = check_judge(
        RuleJudge(lambda predicted, intended: SAME if predicted == intended else DIFFERENT),
        choose_sure_pairs(INTENTS, 5),
    )
    assert list_judge_warnings(["different"] * FEWEST_EQUAL, check=right, agreements={}) == []
    (missing,) = list_judge_warnings(["same", "different", "unscored"], agreements={})
    assert missing.startswith("1 of the judge's 3 verdicts are missing")


@given(st.lists(st.tuples(st.booleans(), st.booleans(), st.sampled_from("abc")), min_size=4, max_size=30))
def test_kappa_over_users_has_the_value_of_kappa_over_items(rows: list[tuple[bool, bool, str]]) -> None:
    one, other, users = zip(*rows, strict=True)
    items = cohen_kappa(one, other, resamples=50)
    people = cohen_kappa(one, other, clusters=users, resamples=50)
    assert (people.kappa, people.agreement, people.matrix) == (items.kappa, items.agreement, items.matrix)
    if people.low is not None and people.high is not None:
        assert -1 <= people.low <= people.high <= 1
    if people.kappa is not None and people.kappa <= 0:
        assert is_at_chance(people)


def test_items_of_one_user_have_no_interval() -> None:
    found = cohen_kappa([True, False, True], [True, False, False], clusters=["a"] * 3)
    assert found.kappa == pytest.approx(0.4)
    assert (found.low, found.why) == (None, "no interval: all items are of one user")


def test_users_with_alike_items_widen_the_interval() -> None:
    one = [True, False] * 30
    other = one[:30] + [not answer for answer in one[30:]]
    users = [str(number // 15) for number in range(60)]
    items, people = cohen_kappa(one, other), cohen_kappa(one, other, clusters=users)
    ends = [end for found in (items, people) for end in (found.low, found.high)]
    low, high, wide_low, wide_high = (end for end in ends if end is not None)
    assert wide_high - wide_low > high - low
