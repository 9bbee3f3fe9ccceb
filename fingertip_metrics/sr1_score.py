"""Track 1, proactive task suggestion: is the predicted intent the person's own?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fingertip_dataset.errors import ModelError
from fingertip_metrics.check_arguments import check_lengths, check_texts
from fingertip_metrics.judges.verdicts import Judge, JudgeProblem, State, Verdict

EMPTY = Verdict(state="different", reason="no prediction", prompt_tokens=0, completion_tokens=0)
"""Verdict on an empty prediction; the judge is not queried."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sr1Item:
    """One episode; the attributes are those of `Verdict`."""

    state: State
    reason: str
    problem: JudgeProblem
    output: str
    votes: tuple[State, ...]
    empty: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Sr1:
    """SR_1 of the paper's section 5.1, over episodes.

    Attributes:
        sr1: Share of the episodes with a verdict whose prediction is the same as the person's intent, 0-1;
            None where there is no verdict at all.
        n: Episodes.
        unscored: Those without a verdict.
        unparsable: Unscored episodes whose judge's answer could not be read.
        worst: SR_1 if all that are unscored were different, 0-1.
        best: SR_1 if all that are unscored were the same, 0-1.
        empty: Episodes with an empty prediction: counted as different without a query.
        judge: Its name.
        judge_settings: What its verdicts depend on.
        prompt_tokens: The judge's prompt tokens of all episodes; None if not reported.
        completion_tokens: The judge's output tokens of all episodes; None if not reported.
        comparable: Whether the number can stand next to the paper's.
        why_not_comparable: The reason in words; None where it can.
        remark: What is to be known of the judge all the same; None where nothing is.
        per_item: The verdicts, in the order given.
    """

    sr1: float | None
    n: int
    unscored: int
    unparsable: int
    worst: float
    best: float
    empty: int
    judge: str
    judge_settings: Mapping[str, Any]
    prompt_tokens: int | None
    completion_tokens: int | None
    comparable: bool
    why_not_comparable: str | None
    remark: str | None
    per_item: tuple[Sr1Item, ...]


def sr1(predictions: Sequence[str], references: Sequence[str], *, judge: Judge) -> Sr1:
    """SR_1: the share of predictions that a judge takes for the person's own intent.

    Args:
        predictions: The agent's intents; an empty one counts as different without a query.
        references: The people's.
        judge: From `fingertip_metrics.judges`.

    Raises:
        MetricInputError: Nothing to score, unequal lengths, or something that is no string.
        ModelError: The judge does not answer, or gives another number of verdicts.

    >>> from fingertip_metrics.judges import LexicalJudge
    >>> result = sr1(["用微信发消息", "听歌", ""], ["用微信发消息。", "打车", "打车"], judge=LexicalJudge())
    >>> round(result.sr1, 3), result.n, result.unscored, result.empty
    (0.333, 3, 0, 1)
    """
    check_texts("predictions", predictions)
    check_texts("references", references)
    check_lengths(predictions=predictions, references=references)
    pairs = [
        (prediction, reference)
        for prediction, reference in zip(predictions, references, strict=True)
        if prediction.strip()
    ]
    given = judge.judge(pairs) if pairs else ()
    if len(given) != len(pairs):
        raise ModelError(f"expected {len(pairs)} verdicts of judge {judge.name}, got {len(given)}")
    verdicts = iter(given)
    return sr1_of([next(verdicts) if prediction.strip() else EMPTY for prediction in predictions], judge)


def sr1_of(verdicts: Sequence[Verdict], judge: Judge) -> Sr1:
    """SR_1 of verdicts that are there.

    Args:
        verdicts: One an episode; `EMPTY` where the prediction is.
        judge: The judge that gave them; it is not queried.

    Raises:
        MetricInputError: There is none.
    """
    check_lengths(verdicts=verdicts)
    n = len(verdicts)
    states = [verdict.state for verdict in verdicts]
    same, unscored = states.count("same"), states.count("unscored")
    return Sr1(
        sr1=same / (n - unscored) if n > unscored else None,
        n=n,
        unscored=unscored,
        unparsable=sum(verdict.problem == "unparsable" for verdict in verdicts),
        worst=same / n,
        best=(same + unscored) / n,
        empty=sum(verdict is EMPTY for verdict in verdicts),
        judge=judge.name,
        judge_settings=judge.settings,
        prompt_tokens=_total([verdict.prompt_tokens for verdict in verdicts]),
        completion_tokens=_total([verdict.completion_tokens for verdict in verdicts]),
        comparable=judge.why_not_comparable is None,
        why_not_comparable=judge.why_not_comparable,
        remark=judge.remark,
        per_item=tuple(_item(verdict) for verdict in verdicts),
    )


def _item(verdict: Verdict) -> Sr1Item:
    return Sr1Item(
        state=verdict.state,
        reason=verdict.reason,
        problem=verdict.problem,
        output=verdict.output,
        votes=verdict.votes,
        empty=verdict is EMPTY,
    )


def _total(counts: Sequence[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if len(known) == len(counts) else None
