"""The primary reason of an attempt: the first lasting one, by a fixed order at one step."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fingertip_analysis.why.reasons import (
    AT_END,
    ERRORS,
    REASONS,
    TITLES,
    Reason,
    RuleHit,
    explain_hits,
    primary_of,
)

HITS = st.lists(
    st.builds(
        RuleHit,
        name=st.sampled_from(REASONS),
        steps=st.lists(st.integers(1, 9), min_size=1, max_size=4, unique=True).map(sorted).map(tuple),
        words=st.just(("",)),
        recovered=st.booleans(),
    ),
    min_size=1,
    unique_by=lambda hit: hit.name,
)


def test_each_reason_has_words() -> None:
    assert tuple(TITLES) == REASONS


@given(HITS, st.integers(0, 9))
def test_one_reason_is_primary_and_all_are_kept(hits: list[RuleHit], progress: int) -> None:
    reasons = explain_hits(hits, progress_step=progress)
    assert [reason.name for reason in reasons] == sorted(
        (reason.name for reason in reasons), key=REASONS.index
    )
    primary = primary_of(reasons)
    chosen = next(reason for reason in reasons if reason.name == primary)
    known = {hit.name for hit in hits}
    if known & ERRORS:
        assert primary in ERRORS
    elif any(not reason.recovered for reason in reasons):
        assert not chosen.recovered
    for reason in reasons:
        assert reason.name not in ERRORS | AT_END or not reason.recovered


def test_what_the_agent_recovered_from_is_not_primary() -> None:
    hits = [
        RuleHit(name="grounding_miss", steps=(2,), words=("beside",)),
        RuleHit(name="loop", steps=(3, 6, 7), words=("a", "b", "c")),
        RuleHit(name="over_limit", steps=(9,)),
    ]
    miss, loop, limit = explain_hits(hits, progress_step=5)
    assert (miss.recovered, miss.step) == (True, 2)
    assert (loop.recovered, loop.step, loop.words, loop.times) == (False, 6, "b", 3)
    assert primary_of((miss, loop, limit)) == "loop"
    assert primary_of(explain_hits(hits, progress_step=0)) == "grounding_miss"


def test_reasons_of_one_step_go_by_their_order() -> None:
    same = [Reason(name=name, step=4) for name in ("off_way", "wrong_app", "grounding_miss")]
    assert primary_of(same) == "grounding_miss"
    assert primary_of(same[:2]) == "wrong_app"


def test_an_attempt_that_no_rule_explains_is_said_to_be_so() -> None:
    (reason,) = explain_hits([RuleHit(name="unexplained", steps=())], progress_step=0)
    assert (reason.name, reason.step) == ("unexplained", None)
    both = [RuleHit(name="unexplained", steps=()), RuleHit(name="loop", steps=(3,))]
    assert [one.name for one in explain_hits(both, progress_step=0)] == ["loop"]
