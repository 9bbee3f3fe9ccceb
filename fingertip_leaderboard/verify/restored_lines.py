"""The lines of a bundle as the records of a run's log, which the scorer of runs takes."""

from __future__ import annotations

from execution_runner.execution_log import Attempt
from execution_runner.execution_records import EndRecord, ExecutionRun, StepRecord
from fingertip_dataset.errors import RunError
from fingertip_leaderboard.bundle.read import ReadBundle
from fingertip_leaderboard.bundle.schema import ExecutionLine, StepLine
from suggestion_runner.suggestion_records import Prediction

DEVICE = "not told"
"""A bundle does not hold the serial of a phone."""


def restored_predictions(read: ReadBundle) -> tuple[Prediction, ...]:
    """The predictions of a bundle of track 1, in the order of its lines."""
    return tuple(Prediction.model_validate(dict(one.record)) for one in read.suggestions)


def restored_attempts(read: ReadBundle, run: ExecutionRun) -> tuple[Attempt, ...]:
    """The attempts of a bundle of track 2, in the order of the run's tasks; they name no screens.

    Raises:
        RunError: The run names a task that has no line.
    """
    lines = {one.record.task_id: one.record for one in read.executions}
    missing = [task_id for task_id in run.task_ids if task_id not in lines]
    if missing:
        raise RunError("expected a line for each task of the run, got none", episode_id=missing[0])
    return tuple(_attempt(lines[task_id]) for task_id in run.task_ids)


def _attempt(line: ExecutionLine) -> Attempt:
    end = EndRecord(
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
    return Attempt(end=end, steps=tuple(_step(line, place, step) for place, step in enumerate(line.steps, 1)))


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
