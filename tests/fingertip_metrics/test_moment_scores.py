"""Scores of moments: golden file, an independent slow count, undefined values, and what is refused."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingertip_dataset.errors import MetricInputError, ModelError, UsageError
from fingertip_metrics import bootstrap_mean, get_embedder, sim1
from fingertip_metrics.judges import LexicalJudge, Verdict
from fingertip_metrics.judges.verdicts import IntentPair
from fingertip_metrics.moment_columns import (
    ALWAYS_WANTED,
    MOMENT_SCORES,
    NEVER_SPOKE,
    NO_CONFIDENCE,
    NO_EMBEDDER,
    NO_HITS,
    NO_OFFER_WANTED,
    NOTHING_WANTED,
    PENALTIES,
)
from fingertip_metrics.moment_scores import MomentScores, moment_scores
from tests.vectors import read_vectors

VECTORS = read_vectors(__file__)
LEXICAL = get_embedder("lexical")


def test_golden(golden: Callable[[str], dict[str, Any]]) -> None:
    for case in golden("moments")["cases"]:
        name = case["name"]
        result = moment_scores(
            case["predictions"],
            case["references"],
            case["confidences"],
            hits=case["hits"],
            kinds=case["kinds"],
        )
        assert [item.outcome for item in result.per_item] == case["outcomes"], name
        for count, expected in case["counts"].items():
            assert getattr(result, count) == expected, (name, count)
        for score, parts in case["scores"].items():
            expected = None if parts is None else pytest.approx(parts[0] / parts[1])
            assert result.scores[score] == expected, (name, score)
        curve = dict(result.utility_curve)
        assert {at: curve[at] for at, _ in case["utilities"]} == {
            at: pytest.approx(top / bottom) for at, (top, bottom) in case["utilities"]
        }, name
        shares = {kind: pytest.approx(top / bottom) for kind, (top, bottom) in case["by_kind"].items()}
        assert {group.group: group.mean for group in result.by_kind} == shares, name


@dataclass(frozen=True)
class Moment:
    """A moment with an answer."""

    spoken: bool
    wanted: bool
    hit: bool | None
    confidence: float | None
    user: str


MOMENTS = st.lists(
    st.builds(
        Moment,
        spoken=st.booleans(),
        wanted=st.booleans(),
        hit=st.sampled_from([True, False, None]),
        confidence=st.sampled_from([None, 0.0, 0.25, 0.5, 1.0]),
        user=st.sampled_from("abc"),
    ),
    min_size=1,
    max_size=12,
)


def score(moments: Sequence[Moment], **more: Any) -> MomentScores:  # noqa: ANN401
    return moment_scores(
        ["an offer" if one.spoken else "" for one in moments],
        ["an intent" if one.wanted else "" for one in moments],
        [one.confidence for one in moments],
        hits=[one.hit if one.spoken and one.wanted else None for one in moments],
        **more,
    )


def slow_scores(moments: Sequence[Moment], penalty: Fraction) -> dict[str, Fraction | None]:
    """Scores by their definitions, one loop over the moments each."""

    def share(of: Callable[[Moment], bool], among: Callable[[Moment], bool]) -> Fraction | None:
        base = [one for one in moments if among(one)]
        return Fraction(sum(of(one) for one in base), len(base)) if base else None

    def is_hit(one: Moment) -> bool:
        return one.spoken and one.wanted and one.hit is True

    confident = any(one.confidence is not None for one in moments)
    taken = [Fraction(one.spoken if one.confidence is None else one.confidence) for one in moments]
    squares = [(value - one.wanted) ** 2 for value, one in zip(taken, moments, strict=True)]
    hits, false = sum(map(is_hit, moments)), sum(one.spoken and not one.wanted for one in moments)
    return {
        "false_trigger_rate": share(lambda one: one.spoken, lambda one: not one.wanted),
        "missed_rate": share(lambda one: not one.spoken, lambda one: one.wanted),
        "precision": share(lambda one: one.wanted, lambda one: one.spoken),
        "recall": share(lambda one: one.spoken, lambda one: one.wanted),
        "sr1": share(is_hit, lambda one: one.spoken and one.wanted),
        "hit_rate": share(is_hit, lambda one: one.wanted),
        "utility": (hits - penalty * false) / len(moments),
        "brier": sum(squares, Fraction(0)) / len(moments) if confident else None,
    }


@given(MOMENTS, st.sampled_from(PENALTIES))
def test_scores_are_those_of_a_slow_count(moments: list[Moment], penalty: float) -> None:
    result = score(moments, penalty=penalty)
    for name, expected in slow_scores(moments, Fraction(penalty)).items():
        found = result.scores[name]
        if expected is None:
            assert found is None, name
            assert result.why_undefined[name], name
        else:
            assert found is not None
            assert math.isclose(found, expected, abs_tol=1e-9), name
            assert name not in result.why_undefined
    outcomes = [item.outcome for item in result.per_item]
    assert result.n == len(moments) == result.with_intent + result.without_intent
    assert result.spoken == (
        (result.hits or 0) + (result.other_offers or 0) + result.unscored + result.false_triggers
    )
    assert result.missed == outcomes.count("missed")
    assert set(result.scores) == set(MOMENT_SCORES)
    assert dict(result.utility_curve)[penalty] == pytest.approx(result.scores["utility"])


@given(MOMENTS)
def test_intervals_are_of_the_same_values_and_hold_them(moments: list[Moment]) -> None:
    result = score(moments, users=[one.user for one in moments], resamples=200)
    assert list(result.intervals) == list(MOMENT_SCORES)
    for name, interval in result.intervals.items():
        assert (interval is None) == (result.scores[name] is None), name
        if interval is not None:
            assert interval.mean == pytest.approx(result.scores[name])
            if interval.low is not None and interval.high is not None:
                assert interval.low <= interval.high


def test_interval_of_a_rate_is_the_bootstrap_over_people_who_have_such_moments() -> None:
    spoken = [True, False, True, True, False, False, True, False]
    moments = [
        Moment(spoken=offer, wanted=number % 2 == 0, hit=True, confidence=0.5, user=f"{number % 3}")
        for number, offer in enumerate(spoken)
    ]
    users = [one.user for one in moments]
    found = score(moments, users=users).intervals["false_trigger_rate"]
    values = [None if one.wanted else float(one.spoken) for one in moments]
    assert found == bootstrap_mean(values, users, share=True)


@dataclass
class Given:
    """A judge with given verdicts, which keeps the pairs that it was asked about."""

    verdicts: Sequence[Verdict]
    pairs: Sequence[IntentPair] = ()
    name: str = "given"
    why_not_comparable: str | None = None
    remark: str | None = None

    @property
    def settings(self) -> dict[str, object]:
        return {"kind": "given"}

    def judge(self, pairs: Sequence[IntentPair]) -> tuple[Verdict, ...]:
        self.pairs = pairs
        return tuple(self.verdicts)


def test_judge_and_embedder_see_offers_where_something_is_wanted_alone() -> None:
    predictions, references = ["听歌", "打车", "", "看书"], ["听音乐", "", "点外卖", "看新闻"]
    judge = Given([Verdict(state="same", reason="因为"), Verdict(state="unscored", problem="failed")])
    result = moment_scores(predictions, references, judge=judge, embedder=LEXICAL)
    assert judge.pairs == [("听歌", "听音乐"), ("看书", "看新闻")]
    assert [item.outcome for item in result.per_item] == ["hit", "false_trigger", "missed", "unjudged_offer"]
    assert [item.reason for item in result.per_item] == ["因为", "", "", ""]
    assert (result.hits, result.unscored, result.scores["sr1"]) == (1, 1, 0.5)
    assert result.scores["hit_rate"] == pytest.approx(1 / 3)
    near = sim1(["听歌", "看书"], ["听音乐", "看新闻"], embedder=LEXICAL)
    assert result.near == near
    assert result.scores["sim1"] == near.sim1
    assert [item.sim1 for item in result.per_item] == [
        near.per_item[0].sim1,
        None,
        None,
        near.per_item[1].sim1,
    ]
    with pytest.raises(ModelError, match="expected 2 verdicts of judge given, got 1"):
        moment_scores(predictions, references, judge=Given([Verdict(state="same")]))


@pytest.mark.parametrize(
    ("predictions", "references", "more", "reasons"),
    [
        (["a"], ["a"], {}, {"sr1": NO_HITS, "utility": NO_HITS, "sim1": NO_EMBEDDER, "brier": NO_CONFIDENCE}),
        (["a"], ["a"], {"hits": [True]}, {"false_trigger_rate": ALWAYS_WANTED, "risk_area": NO_CONFIDENCE}),
        (
            [""],
            [""],
            {"hits": [None], "confidences": [0.1]},
            {
                "missed_rate": NOTHING_WANTED,
                "precision": NEVER_SPOKE,
                "sr1": NEVER_SPOKE,
                "auroc": NOTHING_WANTED,
            },
        ),
        (
            ["a", ""],
            ["", "b"],
            {"hits": [None, None], "embedder": LEXICAL},
            {"sr1": NO_OFFER_WANTED, "sim1": NO_OFFER_WANTED},
        ),
        (["a"], ["b"], {"hits": [None], "confidences": [1]}, {"auroc": ALWAYS_WANTED, "sim1": NO_EMBEDDER}),
    ],
)
def test_undefined_scores_are_none_with_the_reason(
    predictions: list[str], references: list[str], more: dict[str, Any], reasons: dict[str, str]
) -> None:
    result = moment_scores(predictions, references, **more)
    for name, reason in reasons.items():
        assert result.scores[name] is None
        assert result.why_undefined[name] == reason
    undefined = {name for name, value in result.scores.items() if value is None}
    assert undefined == set(result.why_undefined)


def test_an_answer_without_confidence_is_taken_at_its_word() -> None:
    result = moment_scores(["a", "", "b"], ["a", "b", ""], [None, None, 0.5], hits=[True, None, None])
    assert result.without_confidence == 2
    assert result.scores["brier"] == pytest.approx((0 + 1 + 0.25) / 3)
    assert [item.confidence for item in result.per_item] == [None, None, 0.5]


def test_columns_of_other_libraries_and_none_for_nothing() -> None:
    texts = (pd.Series(["a", ""]), pd.Series(["a", None], dtype=object))
    result = moment_scores(
        *texts, np.array([0.5, 0.25]), hits=np.array([True, False]), users=np.array(["1", "2"])
    )
    plain = moment_scores(["a", ""], ["a", ""], [0.5, 0.25], hits=[True, False], users=["1", "2"])
    assert result == plain
    with pytest.raises(MetricInputError, match=r"expected confidences\[1\] to be a number .* got nan"):
        moment_scores(["a", ""], ["a", ""], np.array([0.5, np.nan]))


@pytest.mark.parametrize(
    ("predictions", "references", "confidences", "more", "shown_text"), VECTORS["bad_input_is_refused"]
)
def test_bad_input_is_refused(
    predictions: Any,  # noqa: ANN401
    references: Any,  # noqa: ANN401
    confidences: Any,  # noqa: ANN401
    more: dict[str, Any],
    shown_text: str,
) -> None:
    with pytest.raises(MetricInputError, match=shown_text):
        moment_scores(predictions, references, confidences, **more)


def test_wrong_settings_are_refused() -> None:
    with pytest.raises(UsageError, match="expected hits or a judge, got both"):
        moment_scores(["a"], ["a"], hits=[True], judge=LexicalJudge())
    for penalty in (-1.0, math.inf, math.nan):
        with pytest.raises(UsageError, match="expected a penalty of 0 or more"):
            moment_scores(["a"], ["a"], hits=[True], penalty=penalty)
    with pytest.raises(UsageError, match="expected 1 resample or more"):
        moment_scores(["a"], ["a"], users=["1"], resamples=0)


def test_dict_has_every_score_and_no_number_for_what_is_undefined() -> None:
    result = moment_scores(["a", ""], ["a", "b"], [0.5, 0.5], hits=[True, None], users=["1", "2"])
    row = result.to_dict(per_item=True)
    assert {name: row[name] for name in MOMENT_SCORES} == result.scores
    assert row["false_trigger_rate"] is None
    assert row["intervals"]["missed_rate"]["mean"] == 0.5
    assert row["intervals"]["false_trigger_rate"] is None
    assert row["per_item"][1] == {"outcome": "missed", "confidence": 0.5, "sim1": None, "reason": ""}
    assert row["comparable"] is False
    assert "per_item" not in result.to_dict(per_item=False)
