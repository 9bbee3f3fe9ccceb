"""The log of a run of track 1: run.json, predictions.jsonl (one line per task), targets.jsonl.

The same call resumes an interrupted run, even a killed one: tasks with a line are not queried again; a
truncated last line is dropped and its task is queried again. A folder holds one run.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from fingertip_dataset.errors import RunError
from fingertip_dataset.tasks.task import TaskTarget
from fingertip_runs import run_folder
from fingertip_runs.line_log import ReadLine, read_lines, validated
from fingertip_runs.run_log import RunLog
from fingertip_runs.targets import without_targets
from suggestion_runner.suggestion_records import Prediction, SuggestionRun

PREDICTIONS = "predictions.jsonl"


def open_log(folder: Path, record: SuggestionRun, targets: Iterable[TaskTarget]) -> RunLog[Prediction]:
    """The log of a run, open for writing by this process; arguments and errors are those of `RunLog`.

    A line is handed to the operating system at once, so that a killed run loses none of its lines.
    """
    return RunLog(
        folder,
        record,
        targets,
        file=PREDICTIONS,
        read=_one_a_task(),
        finished_task=lambda prediction: prediction.task_id,
    )


def read_run(folder: Path) -> SuggestionRun:
    """run.json of a run's folder.

    Raises:
        RunError: It is missing, broken, of the other track, or of a newer version.
    """
    return run_folder.read_run(folder, SuggestionRun)


def read_predictions(folder: Path) -> tuple[Prediction, ...]:
    """The predictions of predictions.jsonl, in file order; a truncated last line is left out.

    Raises:
        RunError: The file cannot be read, a line is broken, or a task has two lines.
    """
    return read_lines(folder / PREDICTIONS, _one_a_task())


def _one_a_task() -> ReadLine[Prediction]:
    seen: set[str] = set()

    def read(text: bytes, file: Path, line: int) -> Prediction:
        prediction = validated(Prediction, without_targets(text), file, line)
        if prediction.task_id in seen:
            raise RunError("the task has two lines", file=file, line=line, episode_id=prediction.task_id)
        seen.add(prediction.task_id)
        return prediction

    return read
