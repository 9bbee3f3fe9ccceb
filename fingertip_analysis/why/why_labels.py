"""why.jsonl: reasons that a named judge gave for attempts that no rule explains."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field

from fingertip_dataset.frozen_model import FrozenModel
from fingertip_runs.annotation.label_file import LabelFile, label_reader
from fingertip_runs.line_log import LineLog

WHY_LABELS = "why.jsonl"

JudgedReason = Literal[
    "grounding_miss", "wrong_app", "off_way", "early_finish", "wrong_answer", "unexplained"
]
"""Reasons that a judge may give; all others are known by rule."""


class WhyLabel(FrozenModel):
    """A judge's reason for one attempt.

    Attributes:
        task_id: The episode id.
        attempt: Number of the attempt, from 1.
        rater: Name of the judge: a model with its prompt's version.
        reason: The reason.
        step: Step at which it begins, from 1; None if the judge names none.
        why: The judge's words.
        at: Time, ISO 8601 with time zone.
    """

    task_id: str
    attempt: int = Field(ge=1)
    rater: str = Field(min_length=1)
    reason: JudgedReason
    step: int | None = Field(default=None, ge=1)
    why: str = ""
    at: str


_FILE = LabelFile(WHY_LABELS, label_reader(WhyLabel))


def read_why_labels(run: Path) -> tuple[WhyLabel, ...]:
    """Every line of a run's why.jsonl, of several on an attempt the last one counts; empty without a file.

    Raises:
        RunError: A line is broken.
    """
    return _FILE.read(run)


def open_why_labels(run: Path) -> LineLog[WhyLabel]:
    """The file, open to append.

    Raises:
        RunError: It cannot be written, or another process holds it.
    """
    return _FILE.open(run)
