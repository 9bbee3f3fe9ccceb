"""Several raters' labels: what they come to for a task, and how far each two of them agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeVar

from execution_runner.scoring.success_labels import LabelRecord
from fingertip_metrics.agreement import Kappa, cohen_kappa

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolved:
    """What the labels of one task come to.

    Attributes:
        success: Whether the task is done; None where nobody has said so, or where it is disputed.
        by: The raters that were counted, sorted.
        disputed: Whether there are labels, and no answer that more than half of the raters give.
    """

    success: bool | None
    by: tuple[str, ...]
    disputed: bool


def resolve(labels: Sequence[LabelRecord]) -> Resolved:
    """What the labels of one attempt come to: the answer of more than half of the persons.

    "unsure" counts as a person who gives no answer, so one yes and one unsure are no majority. Judges count
    only where no person has looked: no judge decides what persons could not. Of one rater the last label
    counts. Without any label the answer is None, and nothing is disputed.

    Args:
        labels: Of one attempt at one task.

    >>> resolve(()).success is None
    True
    """
    latest = {label.rater: label for label in labels}.values()
    persons = [label for label in latest if label.kind == "person"]
    counted = persons or list(latest)
    votes = [label.success for label in counted]
    yes, no = (2 * votes.count("yes") > len(votes)), (2 * votes.count("no") > len(votes))
    return Resolved(
        success=yes if yes or no else None,
        by=tuple(sorted(label.rater for label in counted)),
        disputed=bool(votes) and not yes and not no,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class PairAgreement:
    """Two raters over the attempts that both have looked at.

    Attributes:
        one: The first rater's name.
        other: The second one's.
        kappa: Over the attempts to which both say yes or no; None where there are none.
        unsure: Attempts left out because one of the two is unsure.
    """

    one: str
    other: str
    kappa: Kappa | None
    unsure: int


def agreements(answers: Mapping[str, Mapping[Item, bool | None]]) -> tuple[PairAgreement, ...]:
    """How far each two raters agree; the pairs without an attempt in common are left out.

    Args:
        answers: Rater -> attempt -> yes, no, or None for unsure.
    """
    return tuple(
        pair
        for one, other in combinations(sorted(answers), 2)
        if (pair := _pair(one, answers[one], other, answers[other])) is not None
    )


def _pair(
    one: str, ones: Mapping[Item, bool | None], other: str, others: Mapping[Item, bool | None]
) -> PairAgreement | None:
    common = [(answer, others[item]) for item, answer in ones.items() if item in others]
    if not common:
        return None
    known = [(a, b) for a, b in common if a is not None and b is not None]
    return PairAgreement(
        one=one,
        other=other,
        kappa=cohen_kappa([a for a, _ in known], [b for _, b in known]) if known else None,
        unsure=len(common) - len(known),
    )
