"""Style ratings: how much an agent did a task in the user's own way, 1 to 5 (A.6.6).

If a rater rates a task several times, the latest rating counts.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field

from execution_runner.scoring.success_labels import read_labels
from fingertip_dataset.frozen_model import FrozenModel
from fingertip_runs.annotation import LabelFile, label_reader


class RatingRecord(FrozenModel):
    """The rating of an attempt by a rater, given on a page that shows every agent's trajectory of the task.

    Attributes:
        task_id: The episode id.
        attempt: The attempt that was rated.
        rater: Name of the person.
        rater_user_id: The user of the dataset that the rater is; None for anybody else.
        rating: 1 (not at all this person's way) to 5 (just this person's way), whether or not it succeeded.
        place: Position of this trajectory on the page, from 1; None if it was shown alone, after its success
            was labelled.
        ways: Number of trajectories shown; None if it was shown alone.
        seconds: Seconds for which the task was in view; None if not known.
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


RATINGS = "ratings.jsonl"
"""In the folder of each run whose attempts were rated."""

RATING_FILE = LabelFile(RATINGS, label_reader(RatingRecord))


def read_ratings(run: Path) -> tuple[RatingRecord, ...]:
    """The ratings of a run that count: of each rater the latest one for a task.

    A rating in labels.jsonl, given beside a success label, counts if the same rater has given no other.

    Raises:
        RunError: A line of either file is broken.
    """
    beside_labels = {
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
    latest = {(line.task_id, line.rater): line for line in RATING_FILE.read(run)}
    return tuple((beside_labels | latest).values())
