"""Success labels: whether a rater says that a task was done, and why; a rater's latest line counts."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from pydantic import Field

from fingertip_dataset.frozen_model import FrozenModel
from fingertip_runs.annotation.label_file import LabelFile, label_reader
from fingertip_runs.line_log import LineLog

LABELS = "labels.jsonl"


class LabelRecord(FrozenModel):
    """One rater's label on one attempt.

    Attributes:
        task_id: The episode id.
        attempt: The attempt that was labelled.
        rater: Name of the person, or of the judge: a model with its prompt's version.
        kind: Whether the rater is a person or a judge.
        success: Whether the task is done.
        rating: "Done my way?", 1 (not at all) to 5 (just as I do it): the paper's A.6.6; None if not rated.
        why: The reason in words.
        seconds: Seconds that the rater looked; None if not known.
        at: When, in ISO 8601 with its zone.
    """

    task_id: str
    attempt: int = Field(ge=1)
    rater: str = Field(min_length=1)
    kind: Literal["person", "judge"]
    success: Literal["yes", "no", "unsure"]
    rating: int | None = Field(default=None, ge=1, le=5)
    why: str = ""
    seconds: float | None = Field(default=None, ge=0)
    at: str


_FILE = LabelFile(LABELS, label_reader(LabelRecord))


def read_labels(run: Path) -> tuple[LabelRecord, ...]:
    """The labels of a run that count: of each rater the latest one for a task; empty without a label file.

    Raises:
        RunError: A line is broken.
    """
    return counted_labels(_FILE.read(run))


def counted_labels(labels: Iterable[LabelRecord]) -> tuple[LabelRecord, ...]:
    """The labels that count: of each rater the last one for a task."""
    return tuple({(label.task_id, label.rater): label for label in labels}.values())


def open_labels(run: Path) -> LineLog[LabelRecord]:
    """The label file, open to append; this process holds it until it is closed.

    Raises:
        RunError: It cannot be written, or another process holds it.
    """
    return _FILE.open(run)
