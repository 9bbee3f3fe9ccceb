"""Majority vote over several raters' success labels of a task."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from execution_runner.scoring.success_labels import LabelRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolved:
    """Result of the vote on one task.

    Attributes:
        success: Whether the task is done; None without labels, or if they are disputed.
        by: Names of the raters whose labels count, sorted.
        disputed: Whether there are labels, but no majority.
    """

    success: bool | None
    by: tuple[str, ...]
    disputed: bool


def resolve(labels: Sequence[LabelRecord]) -> Resolved:
    """Resolves the labels of one attempt by a majority of more than half of the persons.

    "unsure" counts as a vote for neither answer, so one yes and one unsure are no majority. Judges count only
    if no person has labelled, so a judge never decides what persons dispute. A rater's last label counts.
    Without labels, the result is None and undisputed.

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
