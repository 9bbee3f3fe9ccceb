"""Ratings: how much an agent did a task in the person's own way, 1 to 5 (A.6.6).

Of one rater the latest counts.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field

from execution_runner.scoring.success_labels import read_labels
from fingertip_runs.line_log import LineLog, read_lines, validated
from fingertip_runs.run_record import FrozenModel

RATINGS = "ratings.jsonl"
"""In the folder of each run whose attempts were rated."""


class RatingRecord(FrozenModel):
    """One rater's word on one attempt, given on a page that shows every agent's way of the task.

    Attributes:
        task_id: The episode id.
        attempt: The attempt that was looked at.
        rater: Name of the person.
        rater_user_id: The user of the dataset that the rater is; None for somebody else.
        rating: 1 (not at all this person's way) to 5 (just this person's way), whether or not it succeeded.
        place: Of this way among those that were shown, from 1; None where it was shown alone, after success
            was judged.
        ways: How many agents' ways were shown; None likewise.
        seconds: How long the rater had looked at the task; None where it is not known.
        at: When, in ISO 8601 with its zone.
    """

    version: Literal[1] = 1
    task_id: str
    attempt: int = Field(ge=1)
    rater: str = Field(min_length=1)
    rater_user_id: str | None = None
    rating: int = Field(ge=1, le=5)
    place: int | None = Field(default=None, ge=1)
    ways: int | None = Field(default=None, ge=1)
    seconds: float | None = Field(default=None, ge=0)
    at: str


def read_ratings(run: Path) -> tuple[RatingRecord, ...]:
    """The ratings of a run that count, of each rater the last one for a task.

    Those of labels.jsonl, given beside a label of success, count where the same rater has given no other.

    Raises:
        RunError: A line of either file is broken.
    """
    file = run / RATINGS
    found = {
        (label.task_id, label.rater): RatingRecord(
            task_id=label.task_id,
            attempt=label.attempt,
            rater=label.rater,
            rating=label.rating,
            seconds=label.seconds,
            at=label.at,
        )
        for label in read_labels(run)
        if label.rating is not None and label.kind == "person"
    }
    lines = read_lines(file, _read) if file.exists() else ()
    return tuple((found | {(line.task_id, line.rater): line for line in lines}).values())


def open_ratings(run: Path) -> LineLog[RatingRecord]:
    """The file of ratings, to add to; held by this process until it is closed.

    Raises:
        RunError: It cannot be written, or another process holds it.
    """
    return LineLog(run / RATINGS, _read, sync=True)


def _read(text: bytes, file: Path, line: int) -> RatingRecord:
    return validated(RatingRecord, text, file, line)
