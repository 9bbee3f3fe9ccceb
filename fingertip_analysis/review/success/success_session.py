"""The session of success labels: attempts of several runs, and each rater's labels on them."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Literal

from pydantic import Field

from execution_runner.scoring.success_labels import LabelRecord, open_labels
from fingertip_analysis.review.trajectories import Trajectory, read_trajectories
from fingertip_dataset.errors import UsageError
from fingertip_dataset.frozen_model import FrozenModel
from fingertip_metrics.agreement import PairAgreement, agreements
from fingertip_runs.annotation import RULE, AnnotationSession, check_folders

_ANSWERS = {"yes": True, "no": False, "unsure": None}


class SuccessAnnotation(FrozenModel):
    """A rater's answer about one attempt; the fields are those of `LabelRecord`."""

    success: Literal["yes", "no", "unsure"]
    rating: int | None = Field(default=None, ge=1, le=5)
    why: str = Field(default="", max_length=2000)
    seconds: float | None = Field(default=None, ge=0)


class SuccessSession(AnnotationSession[Trajectory, SuccessAnnotation, LabelRecord]):
    """The attempts of several runs, mixed, and the labels on them. A context manager.

    Keys are random: they reveal neither run nor task.

    Args:
        runs: Folders of runs of track 2.

    Raises:
        RunError: A run is missing or broken, or another process writes its labels.
        UsageError: A run is given twice or its actions were not carried out, or no attempt can be labelled.
    """

    def __init__(self, runs: Sequence[Path]) -> None:
        check_folders(runs)
        attempts = [trajectory for run in runs for trajectory in read_trajectories(run)]
        if not attempts:
            raise UsageError("the agent ended no attempt: there is nothing to label")
        super().__init__(runs, open_labels)
        self._keys = {(one.run, one.target.task_id, one.attempt): secrets.token_hex(8) for one in attempts}
        self._begin(dict(zip(self._keys.values(), attempts, strict=True)))

    def agreements(self) -> tuple[PairAgreement, ...]:
        """Agreement of each two raters over the runs of this session; the rule counts as a rater."""
        answers: dict[str, dict[str, bool | None]] = {rater: {} for rater in self.raters()}
        for (key, rater), label in self._labels.items():
            answers[rater][key] = _ANSWERS[label.success]
        ruled: dict[str, bool | None] = {
            key: attempt.success_by_rule
            for key, attempt in self._items.items()
            if attempt.success_by_rule is not None
        }
        return agreements(answers | {RULE: ruled})

    def _folders(self, item: Trajectory) -> Sequence[Path]:
        return (item.run,)

    def _record(self, key: str, rater: str, annotation: SuccessAnnotation, at: datetime) -> LabelRecord:
        attempt = self._items[key]
        return LabelRecord(
            task_id=attempt.target.task_id,
            attempt=attempt.attempt,
            rater=rater,
            kind="person",
            at=at.isoformat(timespec="seconds"),
            **annotation.model_dump(),
        )

    def _find_labelled(self, folder: Path, label: LabelRecord) -> tuple[str, str] | None:
        """The attempt of a label; a label on an earlier attempt at the task says nothing about this one."""
        key = self._keys.get((folder, label.task_id, label.attempt))
        return None if key is None else (key, label.rater)

    def _identity(self, key: str) -> tuple[str, ...]:
        attempt = self._items[key]
        return attempt.target.task_id, attempt.started, attempt.run.resolve().name
