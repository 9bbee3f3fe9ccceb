"""The order of the reasons of failed suggestions."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from suggestion_runner.why.intent_reasons import (
    INTENT_REASONS,
    INTENT_TITLES,
    WITHOUT_RULE,
    IntentReason,
    sort_reasons,
)


def test_every_reason_has_a_title() -> None:
    assert tuple(INTENT_TITLES) == INTENT_REASONS


@given(st.lists(st.sampled_from(INTENT_REASONS), min_size=1, unique=True), st.randoms())
def test_the_order_of_the_rules_does_not_matter(names: list[str], rng: random.Random) -> None:
    reasons = [IntentReason(name=name) for name in INTENT_REASONS if name in names]
    mixed = rng.sample(reasons, len(reasons))
    found = sort_reasons(mixed)
    assert found == sort_reasons(reasons)
    known = [reason for reason in reasons if reason.name not in WITHOUT_RULE]
    assert found == tuple(known or reasons)
