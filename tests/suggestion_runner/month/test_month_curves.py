from __future__ import annotations

from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fingertip_dataset.errors import MetricInputError
from fingertip_dataset.split_names import MOMENT_SPLITS, TEST_MOMENTS, TRAIN_MOMENTS
from fingertip_metrics.moment_columns import MomentOutcome
from suggestion_runner.month.month_curves import (
    CURVE_SCORES,
    CurvePoint,
    ScoredMoment,
    measure_drift_days,
    trace_curves,
)

SILENT = ("missed", "silent")


@st.composite
def draw_moment(draw: st.DrawFn) -> ScoredMoment:
    outcome = draw(st.sampled_from([one for one in get_args(MomentOutcome) if one != "unjudged_offer"]))
    offered = outcome not in SILENT
    answers = ("accepted", "ignored") if outcome == "hit" else ("not_now", "never", "ignored")
    return ScoredMoment(
        user_id=draw(st.sampled_from(["1001", "1002", "1003"])),
        split=draw(st.sampled_from(MOMENT_SPLITS)),
        day=draw(st.integers(1, 28)),
        history=draw(st.integers(0, 60)),
        from_drift=draw(st.none() | st.integers(-20, 20)),
        outcome=outcome,
        feedback=draw(st.sampled_from(answers)) if offered else "",
        repeats=draw(st.sampled_from(["", "not_now", "never"])) if offered else "",
    )


def compute_slowly(moments: list[ScoredMoment], penalty: float) -> dict[str, float | None]:
    """Scores of a group, from their definitions, moment by moment."""
    hits = sum(one.outcome == "hit" for one in moments)
    false = sum(one.outcome == "false_trigger" for one in moments)
    missed = sum(one.outcome == "missed" for one in moments)
    offers = [one for one in moments if one.outcome not in SILENT]
    wanted = [one for one in moments if one.outcome in ("hit", "other_offer", "missed")]
    repeated = [one for one in offers if one.repeats and one.outcome != "hit"]

    def share(part: int, whole: int) -> float | None:
        return part / whole if whole else None

    return {
        "utility": (hits - penalty * false) / len(moments),
        "hit_rate": share(hits, len(wanted)),
        "false_trigger_rate": share(false, len(moments) - len(wanted)),
        "missed_rate": share(missed, len(wanted)),
        "precision": share(len(offers) - false, len(offers)),
        "repeat_rate": share(len(repeated), len(offers)),
        "accepted_rate": share(sum(one.feedback == "accepted" for one in offers), len(offers)),
    }


def check_point(point: CurvePoint, moments: list[ScoredMoment], penalty: float) -> None:
    expected = compute_slowly(moments, penalty)
    assert (point.moments, point.people) == (len(moments), len({one.user_id for one in moments}))
    for name in CURVE_SCORES:
        value = point.scores[name]
        assert (value and value.mean) == (None if expected[name] is None else pytest.approx(expected[name]))


@settings(max_examples=25, deadline=None)
@given(st.lists(draw_moment(), min_size=1, max_size=40), st.sampled_from([0.0, 1.0, 2.5]))
def test_curves_agree_with_their_definitions(moments: list[ScoredMoment], penalty: float) -> None:
    curves = trace_curves(moments, penalty=penalty, resamples=5)
    (whole,) = curves["all"]
    check_point(whole, moments, penalty)
    for point in curves["day"]:
        check_point(point, [one for one in moments if one.day == int(point.group)], penalty)
    for point in curves["part"]:
        check_point(point, [one for one in moments if one.split == point.group], penalty)
    for point in curves["new"]:
        check_point(point, [one for one in moments if (one.history < 5) == (point.group == "new")], penalty)
    ends = {"0": (0, 0), "1 to 4": (1, 4), "5 to 19": (5, 19), "20 and more": (20, 60)}
    for point in curves["history"]:
        low, high = ends[point.group]
        check_point(point, [one for one in moments if low <= one.history <= high], penalty)
    for name in ("day", "part", "week", "history", "new"):
        assert sum(point.moments for point in curves[name]) == len(moments)


def test_groups_come_in_their_own_order() -> None:
    one = ScoredMoment(user_id="1", split=TRAIN_MOMENTS, day=1, history=0, from_drift=None, outcome="silent")
    moments = [
        replace(one, day=28, history=25, split=TEST_MOMENTS, from_drift=4),
        replace(one, day=10, history=6, from_drift=0),
        replace(one, day=9, history=4, from_drift=-7),
        replace(one, day=2, history=1, from_drift=-8),
        one,
    ]
    curves = trace_curves(moments, resamples=5)
    names = {name: [point.group for point in points] for name, points in curves.items()}
    assert names == {
        "all": ["all"],
        "part": [TRAIN_MOMENTS, TEST_MOMENTS],
        "day": ["1", "2", "9", "10", "28"],
        "week": ["1 to 7", "8 to 14", "22 to 28"],
        "history": ["0", "1 to 4", "5 to 19", "20 and more"],
        "new": ["new", "known"],
        "drift": ["week before", "days 1 to 3", "days 4 to 10"],
    }


def test_scores_without_a_value_are_none_and_never_0() -> None:
    silent = ScoredMoment(
        user_id="1", split=TRAIN_MOMENTS, day=1, history=0, from_drift=None, outcome="silent"
    )
    (point,) = trace_curves([silent], resamples=5)["all"]
    assert {name for name, value in point.scores.items() if value is None} == {
        "hit_rate", "missed_rate", "precision", "repeat_rate", "accepted_rate",
    }  # fmt: skip
    assert trace_curves([silent], resamples=5)["drift"] == ()
    with pytest.raises(MetricInputError):
        trace_curves([])


def test_what_is_wanted_again_is_no_repeat() -> None:
    again = ScoredMoment(
        user_id="1", split=TRAIN_MOMENTS, day=1, history=0, from_drift=None, outcome="hit",
        feedback="accepted", repeats="not_now",
    )  # fmt: skip
    wrong = replace(again, outcome="false_trigger", feedback="ignored")
    (point,) = trace_curves([again, wrong], resamples=5)["all"]
    assert point.scores["repeat_rate"].mean == 0.5


def test_the_earlier_of_two_equally_near_changes_counts() -> None:
    assert measure_drift_days(12, [10, 14]) == 2
    assert measure_drift_days(13, [10, 14]) == -1
