from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from suggestion_runner.month.person_rule import answer_offer, is_rejection


@pytest.mark.parametrize(
    ("wanted", "own", "rejected", "answer"),
    [
        (True, True, 0, "accepted"),
        (False, True, 0, "not_now"),
        (False, False, 1, "never"),
        (False, False, 2, "ignored"),
        (True, True, 2, "ignored"),
        (True, True, 3, "ignored"),
    ],
)
def test_the_rule(wanted: bool, own: bool, rejected: int, answer: str) -> None:
    assert answer_offer(wanted=wanted, own=own, patience=2, rejected_today=rejected) == answer


@given(st.lists(st.tuples(st.booleans(), st.booleans())), st.integers(0, 5))
def test_no_more_are_rejected_on_a_day_than_patience_allows(
    offers: list[tuple[bool, bool]], patience: int
) -> None:
    answers: list[str] = []
    for wanted, own in offers:
        rejected = sum(map(is_rejection, answers))
        answers.append(answer_offer(wanted=wanted, own=own, patience=patience, rejected_today=rejected))
    assert sum(map(is_rejection, answers)) <= patience
    for (wanted, _), answer in zip(offers, answers, strict=True):
        assert answer != "accepted" or wanted
        assert not is_rejection(answer) or not wanted
    if "ignored" in answers:
        first = answers.index("ignored")
        assert sum(map(is_rejection, answers[:first])) == patience
        assert set(answers[first:]) == {"ignored"}


@pytest.mark.parametrize("counts", [(-1, 0), (0, -1)])
def test_counts_are_not_negative(counts: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="expected counts of 0 or more"):
        answer_offer(wanted=True, own=True, patience=counts[0], rejected_today=counts[1])
