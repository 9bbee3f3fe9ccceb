"""SR_1: golden file, an independent count, and what is refused."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingertip_dataset.errors import MetricInputError, ModelError
from fingertip_metrics import result_dict
from fingertip_metrics.judges import HumanJudge, LexicalJudge, PairLabel, Verdict
from fingertip_metrics.judges.verdicts import IntentPair
from fingertip_metrics.sr1_score import EMPTY, count_sr1, sr1
from tests.vectors import read_vectors

VECTORS = read_vectors(__file__)


@dataclass
class Given:
    """A judge whose verdicts are given."""

    verdicts: Sequence[Verdict]
    name: str = "given"
    why_not_comparable: str | None = None
    remark: str | None = "a remark"

    @property
    def settings(self) -> dict[str, object]:
        return {"kind": "given"}

    def judge(self, pairs: Sequence[IntentPair]) -> tuple[Verdict, ...]:
        return tuple(self.verdicts)


def test_golden(golden: Callable[[str], dict[str, Any]]) -> None:
    for case in golden("sr1")["cases"]:
        pairs = list(zip(case["predictions"], case["references"], strict=True))
        labels = [
            PairLabel(predicted=pairs[row][0], intended=pairs[row][1], rater=rater, same=same)
            for row, rater, same in case["labels"]
        ]
        result = sr1(case["predictions"], case["references"], judge=HumanJudge(labels))
        assert [item.state for item in result.per_item] == case["states"], case["name"]
        assert result.n == len(pairs)
        for name in ("sr1", "unscored", "worst", "best", "empty"):
            assert getattr(result, name) == case[name], (case["name"], name)


STATES = st.lists(st.sampled_from(["same", "different", "unscored"]), min_size=1)


@given(STATES)
def test_the_shares_are_those_of_a_slow_count(states: list[Any]) -> None:
    result = count_sr1([Verdict(state=state, prompt_tokens=2) for state in states], Given([]))
    outcomes = [[state == "same"] if state != "unscored" else [True, False] for state in states]
    lowest = Fraction(sum(min(outcome) for outcome in outcomes), len(states))
    highest = Fraction(sum(max(outcome) for outcome in outcomes), len(states))
    assert (result.worst, result.best) == (float(lowest), float(highest))
    assert result.sr1 == result.worst
    assert (result.n, result.prompt_tokens) == (len(states), 2 * len(states))


def test_unscored_and_empty_episodes_are_counted() -> None:
    verdicts = [
        Verdict(state="same", reason="因为", output="{}", votes=("same",), prompt_tokens=7),
        Verdict(state="unscored", problem="unparsable", prompt_tokens=8),
        Verdict(state="unscored", problem="failed", prompt_tokens=9),
    ]
    result = sr1(["a", "b", "", "c"], ["a", "b", "c", "d"], judge=Given(verdicts))
    assert [item.state for item in result.per_item] == ["same", "unscored", "different", "unscored"]
    assert [item.empty for item in result.per_item] == [False, False, True, False]
    assert (result.unscored, result.unparsable, result.empty) == (2, 1, 1)
    assert (result.prompt_tokens, result.completion_tokens) == (24, None)
    assert (result.judge, result.comparable, result.remark) == ("given", True, "a remark")
    assert result_dict(result, per_item=True)["per_item"][0] == {
        "state": "same", "reason": "因为", "problem": "", "output": "{}", "votes": ("same",), "empty": False,
    }  # fmt: skip
    assert "per_item" not in result_dict(result, per_item=False)
    lexical = sr1(["a"], ["a"], judge=LexicalJudge())
    assert (lexical.comparable, lexical.why_not_comparable) == (False, LexicalJudge().why_not_comparable)


def test_empty_predictions_are_not_queried() -> None:
    result = sr1(["", " \n"], ["a", "b"], judge=Given([EMPTY] * 5))
    assert (result.sr1, result.empty, result.n, result.prompt_tokens) == (0.0, 2, 2, 0)


@pytest.mark.parametrize(
    ("predictions", "references", "shown_text"), VECTORS["what_cannot_be_scored_is_refused"]
)
def test_what_cannot_be_scored_is_refused(predictions: Any, references: Any, shown_text: str) -> None:  # noqa: ANN401
    with pytest.raises(MetricInputError, match=shown_text):
        sr1(predictions, references, judge=LexicalJudge())


def test_a_judge_that_loses_verdicts_is_refused() -> None:
    with pytest.raises(ModelError, match="expected 2 verdicts of judge given, got 1"):
        sr1(["a", "b"], ["a", "b"], judge=Given([EMPTY]))
    with pytest.raises(MetricInputError, match="expected at least one row in verdicts, got none"):
        count_sr1([], LexicalJudge())
