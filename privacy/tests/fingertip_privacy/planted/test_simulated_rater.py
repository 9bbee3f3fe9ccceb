"""The simulated rater: without errors a review is right wherever the page shows something."""

from __future__ import annotations

from fingertip_privacy import Find, FindKind, FindPlace
from fingertip_privacy.find_decisions import DecisionRule
from fingertip_privacy.finds import make_find
from fingertip_privacy.planted.known_secrets import KnownSecret
from fingertip_privacy.planted.simulated_rater import review_finds, simulate_decisions


def found(step: int | None, left: int) -> Find:
    return make_find(
        kind=FindKind.NAME, user="1", episode="1__a", step=step, place=FindPlace.SCREENSHOT,
        file=f"{step}.jpg", field="", start=None, end=None, box=(left, 10, left + 20, 30), text="王芳",
        confidence=0.9, why="a rule",
    )  # fmt: skip


def secret(step: int, place: FindPlace = FindPlace.SCREENSHOT) -> KnownSecret:
    return KnownSecret(
        kind=FindKind.PLATE, value="京A12345", user="1", episode="1__a", step=step, place=place,
        file=f"{step}.jpg", field="", box=(1, 2, 3, 4),
    )  # fmt: skip


RIGHT = [found(step, 10) for step in range(40)]
WRONG = [found(step, 50) for step in range(40)]
DOUBTFUL = [found(step, 90) for step in range(5)]
FINDS = [*RIGHT, *WRONG, *DOUBTFUL]
PRIVATE = {find.id: True for find in RIGHT} | {find.id: False for find in WRONG}
MISSED = [secret(step) for step in range(60)]


def stay(error_rate: float, raters: int = 1, rule: DecisionRule = "any") -> list[Find]:
    lines = [
        line
        for number in range(raters)
        for line in simulate_decisions(
            FINDS, PRIVATE, MISSED, rater=f"simulated {number}", error_rate=error_rate
        )
    ]
    return [*review_finds(FINDS, lines, rule)]


def test_a_faultless_review_leaves_nothing_harmless_and_adds_what_its_screens_show() -> None:
    left = stay(0)
    assert left[:45] == [*RIGHT, *DOUBTFUL]
    assert [(find.step, find.text, find.why) for find in left[45:]] == [
        (step, "京A12345", "added by simulated 0") for step in range(40)
    ]
    of_text = [secret(1, FindPlace.TREE)]
    lines = simulate_decisions(FINDS, PRIVATE, of_text, rater="a", error_rate=0)
    assert all(find.why == "a rule" for find in review_finds(FINDS, lines)), "the page adds boxes only"


def test_errors_cost_and_rules_of_several_raters_mend_one_kind_each() -> None:
    one, by_any, by_majority = stay(0.2), stay(0.2, 3), stay(0.2, 3, "majority")
    assert one == stay(0.2), "the errors follow from the seed and the name"
    assert len({*RIGHT} - {*one}) > 0
    assert {*DOUBTFUL} <= {*one}
    assert len({*RIGHT} & {*by_any}) > len({*RIGHT} & {*one})
    assert len({*WRONG} & {*by_majority}) < len({*WRONG} & {*by_any})
    assert len(stay(1.0)) == len(WRONG) + len(DOUBTFUL)
