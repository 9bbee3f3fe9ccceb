"""Success labels: who says that a task was done, and why; of one rater the latest line counts."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field

from fingertip_runs.line_log import LineLog, read_lines, validated
from fingertip_runs.run_record import FrozenModel

LABELS = "labels.jsonl"


class LabelRecord(FrozenModel):
    """One rater's word on one attempt.

    Attributes:
        task_id: The episode id.
        attempt: The attempt that was looked at.
        rater: Name of the person, or of the judge: a model with its prompt's version.
        kind: Who it is.
        success: Whether the task is done.
        rating: "Done my way?", 1 (not at all) to 5 (just as I do it): the paper's A.6.6; None where not
            rated.
        why: In words.
        seconds: How long the rater looked; None where it is not known.
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


def read_labels(run: Path) -> tuple[LabelRecord, ...]:
    """The labels of a run that count: of each rater the last one for a task; empty where there are none.

    Raises:
        RunError: A line is broken.
    """
    file = run / LABELS
    if not file.exists():
        return ()
    latest = {(label.task_id, label.rater): label for label in read_lines(file, _read)}
    return tuple(latest.values())


def open_labels(run: Path) -> LineLog[LabelRecord]:
    """The file of labels, to add to; held by this process until it is closed.

    Raises:
        RunError: It cannot be written, or another process holds it.
    """
    return LineLog(run / LABELS, _read, sync=True)


def _read(text: bytes, file: Path, line: int) -> LabelRecord:
    return validated(LabelRecord, text, file, line)
