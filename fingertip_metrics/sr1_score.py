"""SR_1 of track 1, proactive task suggestion: the share of predicted intents that match the person's.

Every episode counts: one without a verdict counts as not done, so that no episode drops out of the mean. The
paper does not say how it counts episodes without a verdict.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fingertip_dataset.errors import ModelError
from fingertip_metrics.aggregate import sum_known
from fingertip_metrics.check_arguments import check_intents, check_lengths
from fingertip_metrics.judges.verdicts import Judge, JudgeProblem, State, Verdict
from fingertip_metrics.plain_values import make_plain

EMPTY = Verdict(state="different", reason="no prediction", prompt_tokens=0, completion_tokens=0)
"""Verdict on an empty prediction; the judge is not queried."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sr1Item:
    """Verdict of one episode; attributes as in `Verdict`."""

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
        sr1: Share of "same" among all episodes, 0-1; an episode without a verdict counts as different.
        n: Number of episodes.
        unscored: Number of episodes without a verdict.
        unparsable: Number of unscored episodes for which the judge's answer could not be parsed.
        worst: SR_1 if all unscored episodes were different, 0-1: equal to `sr1`.
        best: SR_1 if all unscored episodes were the same, 0-1.
        empty: Number of episodes with an empty prediction, which count as different without a query.
        judge: Name of the judge.
        judge_settings: Settings that the judge's verdicts depend on.
        prompt_tokens: The judge's prompt tokens of all episodes; None if not reported.
        completion_tokens: The judge's output tokens of all episodes; None if not reported.
        comparable: Whether it is computed as the paper's is, whatever data and agent it is of.
        why_not_comparable: Reason why it is not; None if it is.
        remark: Caveat about the judge that applies even to comparable scores; None without one.
        per_item: Verdicts, in input order.
    """

    sr1: float
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

    @property
    def lacks_verdicts(self) -> bool:
        """Whether the judge gave no verdict at all: SR_1 then says nothing about the predictions."""
        return 0 < self.unscored == self.n - self.empty


def sr1(predictions: Sequence[str], references: Sequence[str], *, judge: Judge) -> Sr1:
    """SR_1: the share of predictions that a judge considers the same as the person's intent.

    Args:
        predictions: The agent's intents; an empty one counts as different without a query.
        references: The people's intents.
        judge: Judge, from `fingertip_metrics.judges`.

    Raises:
        MetricInputError: No episode, unequal lengths, or a row that is no string.
        ModelError: The judge does not answer, or returns a wrong number of verdicts.

    >>> from fingertip_metrics.judges import LexicalJudge
    >>> result = sr1(["用微信发消息", "听歌", ""], ["用微信发消息。", "打车", "打车"], judge=LexicalJudge())
    >>> round(result.sr1, 3), result.n, result.unscored, result.empty
    (0.333, 3, 0, 1)
    """
    predictions, references = make_plain(predictions), make_plain(references)
    check_intents(predictions, references)
    pairs = [
        (prediction, reference)
        for prediction, reference in zip(predictions, references, strict=True)
        if prediction.strip()
    ]
    given = judge.judge(pairs) if pairs else ()
    if len(given) != len(pairs):
        raise ModelError(f"expected {len(pairs)} verdicts of judge {judge.name}, got {len(given)}")
    verdicts = iter(given)
    return count_sr1([next(verdicts) if prediction.strip() else EMPTY for prediction in predictions], judge)


def count_sr1(verdicts: Sequence[Verdict], judge: Judge) -> Sr1:
    """SR_1 from existing verdicts.

    Args:
        verdicts: One verdict per episode; `EMPTY` for an empty prediction.
        judge: The judge of the verdicts; it is not queried.

    Raises:
        MetricInputError: No verdict.
    """
    check_lengths(verdicts=verdicts)
    n = len(verdicts)
    states = [verdict.state for verdict in verdicts]
    same, unscored = states.count("same"), states.count("unscored")
    return Sr1(
        sr1=same / n,
        n=n,
        unscored=unscored,
        unparsable=sum(verdict.problem == "unparsable" for verdict in verdicts),
        worst=same / n,
        best=(same + unscored) / n,
        empty=sum(verdict is EMPTY for verdict in verdicts),
        judge=judge.name,
        judge_settings=judge.settings,
        prompt_tokens=sum_known([verdict.prompt_tokens for verdict in verdicts]),
        completion_tokens=sum_known([verdict.completion_tokens for verdict in verdicts]),
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
