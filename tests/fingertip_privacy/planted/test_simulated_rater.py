"""The simulated rater: without errors a review is right wherever the page shows something."""

from __future__ import annotations

from dataclasses import asdict

import pytest

from fingertip_privacy import Find, FindKind, FindPlace
from fingertip_privacy.finds import make_find
from fingertip_privacy.planted.known_secrets import KnownSecret
from fingertip_privacy.planted.simulated_rater import (
    ReviewOutcome,
    covers,
    outcome_of,
    reviewed_finds,
    simulated_decisions,
)

COMMON = {"kind": FindKind.NAME, "user": "1", "episode": "1__a"}
TEXTS = [
    KnownSecret(
        **COMMON, value="王芳", step=n, place=FindPlace.TREE, file=f"{n}.xml", field="0@text", start=2, end=4
    )
    for n in range(20)
]
BOXES = [
    KnownSecret(
        **COMMON,
        value="王芳",
        step=n,
        place=FindPlace.SCREENSHOT,
        file=f"{n}.jpg",
        field="",
        box=(10, y, 60, y + 20),
    )
    for n in range(20)
    for y in (10, 200)
]
SECRETS = [*TEXTS, *BOXES]


def found(secret: KnownSecret, **parts: object) -> Find:
    fields = {
        name: part for name, part in asdict(secret).items() if name not in ("value", "exact", "planted")
    }
    return make_find(**fields | {"text": secret.value, "confidence": 0.9, "why": "a rule"} | parts)


def scanned() -> list[Find]:
    """Every second text, every first box of the first ten screens, and as many harmless ones."""
    right = [found(secret) for secret in (*TEXTS[::2], *BOXES[0:20:2])]
    wrong = [found(secret, start=8, end=9) for secret in TEXTS[::2]]
    return [*right, *wrong, *(found(secret, box=(300, 300, 320, 320)) for secret in BOXES[0:20:2])]


def after(error_rate: float, raters: int = 1, rule: str = "any") -> ReviewOutcome:
    finds = scanned()
    lines = [
        line
        for number in range(raters)
        for line in simulated_decisions(finds, SECRETS, rater=f"simulated {number}", error_rate=error_rate)
    ]
    return outcome_of(reviewed_finds(finds, lines, rule), SECRETS)  # type: ignore[arg-type]


def test_a_find_covers_what_it_shows_at_least_in_part() -> None:
    text, box = TEXTS[0], BOXES[0]
    assert covers(found(text, start=3, end=9), text)
    assert covers(found(text, kind=FindKind.PHONE), text)
    assert not covers(found(text, start=4, end=6), text)
    assert not covers(found(text, field="1@text"), text)
    assert covers(found(box, box=(10, 10, 60, 29)), box)
    assert covers(found(box, box=(0, 0, 200, 200)), box)
    assert not covers(found(box, box=(50, 25, 200, 200)), box)
    assert not covers(found(box, box=None), box)
    with pytest.raises(ValueError, match="at least one known secret"):
        outcome_of([], [])


def test_a_faultless_review_leaves_nothing_harmless_and_adds_what_its_screens_show() -> None:
    automatic = outcome_of(scanned(), SECRETS)
    assert (automatic.recall, automatic.precision, automatic.finds) == (20 / 60, 0.5, 40)
    reviewed = after(0)
    assert (reviewed.recall, reviewed.precision, reviewed.finds) == (30 / 60, 1.0, 30)
    assert after(0) == reviewed


def test_errors_cost_and_several_raters_mend_them() -> None:
    one, by_any, by_majority = after(0.2), after(0.2, 3), after(0.2, 3, "majority")
    assert one.precision is not None
    assert by_any.precision is not None
    assert by_majority.precision is not None
    assert one.recall < after(0).recall
    assert 0.5 < one.precision < 1
    assert by_any.recall > one.recall, "any confirmation keeps a find"
    assert by_majority.precision > by_any.precision, "a majority drops more harmless ones"
