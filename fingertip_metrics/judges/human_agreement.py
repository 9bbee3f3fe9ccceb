"""Agreement of a judge with human raters on the pairs that both have judged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fingertip_metrics.agreement import Kappa, cohen_kappa
from fingertip_metrics.check_arguments import check_lengths
from fingertip_metrics.judges.verdicts import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeAgreement:
    """Agreement of a judge with human raters.

    Attributes:
        kappa: Cohen's kappa with its interval, its matrix (rows are the judge's different and same, columns
            the raters') and a warning for skewed base rates; None if no pair has both answers.
        unscored: Number of pairs left out because the judge gave no verdict.
        unlabelled: Number of pairs left out because of the raters: no label, unsure, or no majority.
    """

    kappa: Kappa | None
    unscored: int
    unlabelled: int


def judge_agreement(verdicts: Sequence[Verdict], labels: Sequence[Verdict]) -> JudgeAgreement:
    """Cohen's kappa between a judge and human raters.

    Args:
        verdicts: The judge's verdicts.
        labels: Verdicts of `HumanJudge.judge` on the same pairs in the same order. A pair that lacks both
            answers counts as unlabelled.

    Raises:
        MetricInputError: No pair, or unequal lengths.

    >>> same, different = Verdict(state="same"), Verdict(state="different")
    >>> found = judge_agreement([same, different, same], [same, different, Verdict(state="unscored")])
    >>> found.kappa.kappa, found.kappa.n, found.unlabelled
    (1.0, 2, 1)
    """
    check_lengths(verdicts=verdicts, labels=labels)
    both = list(zip(verdicts, labels, strict=True))
    labelled = [(judge, label) for judge, label in both if label.state != "unscored"]
    known = [(judge, label) for judge, label in labelled if judge.state != "unscored"]
    kappa = None
    if known:
        kappa = cohen_kappa(
            [judge.state == "same" for judge, _ in known], [label.state == "same" for _, label in known]
        )
    return JudgeAgreement(
        kappa=kappa, unscored=len(labelled) - len(known), unlabelled=len(both) - len(labelled)
    )
