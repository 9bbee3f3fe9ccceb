"""Success labels: a rater's verdict on whether a task was done, and why; the latest line counts."""

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
    """A rater's label on an attempt.

    Attributes:
        task_id: The episode id.
        attempt: Number of the labelled attempt, from 1.
        rater: Name of the person, or of the judge: a model with its prompt's version.
        kind: Whether the rater is a person or a judge.
        success: Whether the task is done.
        rating: Answer to "Done my way?" (paper A.6.6), 1 (not at all) to 5 (just as I do it); None if not
            rated.
        why: The reason in words.
        seconds: Seconds that the rater looked at the attempt; None if not known.
        at: Time of the label, ISO 8601 with time zone.
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
    """The latest label of each rater on each task of a run; empty without a label file.

    Raises:
        RunError: A line is broken.
    """
    return counted_labels(_FILE.read(run))


def counted_labels(labels: Iterable[LabelRecord]) -> tuple[LabelRecord, ...]:
    """The last label of each rater on each task."""
    return tuple({(label.task_id, label.rater): label for label in labels}.values())


def open_labels(run: Path) -> LineLog[LabelRecord]:
    """The label file, open to append; this process holds it until it is closed.

    Raises:
        RunError: It cannot be written, or another process holds it.
    """
    return _FILE.open(run)
