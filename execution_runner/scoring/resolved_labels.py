"""Several raters' success labels of a task, resolved to one answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from execution_runner.scoring.success_labels import LabelRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolved:
    """The answer of one task's labels.

    Attributes:
        success: Whether the task is done; None without labels, or if they are disputed.
        by: The raters that were counted, sorted.
        disputed: Whether there are labels, but no answer by more than half of the raters.
    """

    success: bool | None
    by: tuple[str, ...]
    disputed: bool


def resolve(labels: Sequence[LabelRecord]) -> Resolved:
    """Resolves the labels of one attempt: the answer of more than half of the persons.

    "unsure" counts as a person without an answer, so one yes and one unsure are no majority. Judges count
    only if no person has labelled: a judge does not decide what persons dispute. A rater's last label counts.
    Without labels, the answer is None and nothing is disputed.

    Args:
        labels: Labels of one attempt at one task.

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
