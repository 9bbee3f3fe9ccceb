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


def judge_agreement(
    verdicts: Sequence[Verdict], labels: Sequence[Verdict], *, clusters: Sequence[str] | None = None
) -> JudgeAgreement:
    """Cohen's kappa between a judge and human raters, or another judge.

    Args:
        verdicts: The judge's verdicts.
        labels: Verdicts of `HumanJudge.judge` on the same pairs in the same order. A pair that lacks both
            answers counts as unlabelled.
        clusters: User of each pair, for an interval over users; None for one over pairs.

    Raises:
        MetricInputError: No pair, or unequal lengths.

    >>> same, different = Verdict(state="same"), Verdict(state="different")
    >>> found = judge_agreement([same, different, same], [same, different, Verdict(state="unscored")])
    >>> found.kappa.kappa, found.kappa.n, found.unlabelled
    (1.0, 2, 1)
    """
    check_lengths(verdicts=verdicts, labels=labels)
    users = clusters if clusters is not None else [""] * len(verdicts)
    both = list(zip(verdicts, labels, users, strict=True))
    labelled = [one for one in both if one[1].state != "unscored"]
    known = [one for one in labelled if one[0].state != "unscored"]
    kappa = None
    if known:
        kappa = cohen_kappa(
            [judge.state == "same" for judge, _, _ in known],
            [label.state == "same" for _, label, _ in known],
            clusters=None if clusters is None else [user for _, _, user in known],
        )
    return JudgeAgreement(
        kappa=kappa, unscored=len(labelled) - len(known), unlabelled=len(both) - len(labelled)
    )
