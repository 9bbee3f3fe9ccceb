"""A bundle as a run again: its lines with the dataset's targets, for the very code that scores runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from pydantic import BaseModel

from execution_runner.execution_records import STEPS, EndRecord, StepRecord
from execution_runner.run_plan import PlannedTask
from execution_runner.scoring.success_labels import LABELS
from fingertip_leaderboard.bundle.read import ReadBundle
from fingertip_leaderboard.bundle.schema import ExecutionLine, StepLine, SuggestionLine
from fingertip_leaderboard.verify.restored_targets import BundleTarget
from fingertip_runs.run_folder import RUN, write_json
from fingertip_runs.targets import write_targets
from suggestion_runner.prediction_log import PREDICTIONS
from suggestion_runner.suggestion_records import Prediction

DEVICE = "not told"
"""A bundle does not say the serial of anybody's phone."""


def restore_suggestion(read: ReadBundle, targets: Mapping[str, BundleTarget], folder: Path) -> None:
    """Writes a run of track 1.

    Args:
        read: A bundle with a line for every task.
        targets: Task id -> what the dataset knows of it.
        folder: Empty.
    """
    _write(folder / PREDICTIONS, (_prediction(line.record) for line in read.suggestions))
    write_targets(folder, (target.target for target in targets.values()))
    write_json(folder / RUN, read.bundle.run.model_dump(mode="json"))


def restore_execution(read: ReadBundle, targets: Mapping[str, PlannedTask], folder: Path) -> None:
    """Writes a run of track 2; see `restore_suggestion`. There are no screens in it."""
    _write(
        folder / STEPS,
        (record for line in read.executions for record in _attempt(line.record)),
    )
    write_targets(folder, (planned.target for planned in targets.values()))
    _write(folder / LABELS, (label.record for label in read.labels))
    write_json(folder / RUN, read.bundle.run.model_dump(mode="json"))


def _prediction(line: SuggestionLine) -> Prediction:
    return Prediction.model_validate(dict(line))


def _attempt(line: ExecutionLine) -> Iterable[StepRecord | EndRecord]:
    for place, step in enumerate(line.steps, start=1):
        yield _step(line, place, step)
    yield EndRecord(
        task_id=line.task_id,
        attempt=line.attempt,
        device=DEVICE,
        outcome=line.outcome,
        reason=line.reason,
        final=True,
        steps=len(line.steps),
        success=line.success,
        success_by=None if line.success is None else "rule",
        final_screenshot=None,
        gaps=line.gaps,
        reference_id=line.reference_id,
        at=line.at,
    )


def _step(line: ExecutionLine, place: int, step: StepLine) -> StepRecord:
    return StepRecord.model_validate(
        {
            **dict(step),
            "task_id": line.task_id,
            "attempt": line.attempt,
            "step": place,
            "screenshot": None,
            "tree": None,
            "package": "",
            "seen_problems": (),
            "reason": "",
        }
    )


def _write(file: Path, records: Iterable[BaseModel]) -> None:
    with file.open("wb") as stream:
        for record in records:
            stream.write(record.model_dump_json().encode() + b"\n")
