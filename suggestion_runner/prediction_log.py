"""The log of a run of track 1: run.json, predictions.jsonl (one line per task), targets.jsonl.

The same call resumes an interrupted run, even a killed one: tasks with a line are not queried again; a
truncated last line is dropped and its task is queried again. A folder holds one run.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Self

from fingertip_dataset.errors import RunError
from fingertip_dataset.tasks.task import TaskTarget
from fingertip_runs import run_folder
from fingertip_runs.line_log import LineLog, ReadLine, read_lines, validated
from fingertip_runs.targets import without_targets, write_targets
from suggestion_runner.suggestion_records import Prediction, SuggestionRun

PREDICTIONS = "predictions.jsonl"


class RunLog:
    """A run's folder, open for writing by one process at a time. A context manager.

    Args:
        folder: Created if it is missing; otherwise empty, or of a run of the same identity.
        record: The run, with the session that starts now.
        targets: Target of every task; consumed only if targets.jsonl has to be written.

    Attributes:
        earlier: The lines that were in the log.
        done: Their task ids.
        dropped: Number, from 1, of a truncated last line that is dropped; None if it was whole.

    Raises:
        RunError: The folder holds something else, another run, or is being written by another process.
    """

    def __init__(self, folder: Path, record: SuggestionRun, targets: Iterable[TaskTarget]) -> None:
        run_folder.check_folder(folder, lines=PREDICTIONS)
        self._log = LineLog(folder / PREDICTIONS, _one_a_task())
        try:
            self.earlier = self._log.lines
            self.done = frozenset(prediction.task_id for prediction in self.earlier)
            self.dropped = self._log.dropped
            finished = len(self.done) >= record.tasks
            run_folder.start_run(folder, record, finished=finished)
            if not finished:
                write_targets(folder, targets)
        except BaseException:
            self._log.close()
            raise

    def append(self, prediction: Prediction) -> None:
        """Append a line and hand it to the operating system at once: a killed run loses none of its lines."""
        self._log.append(prediction)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._log.close()


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
            raise RunError(
                "expected one line a task, got two", file=file, line=line, episode_id=prediction.task_id
            )
        seen.add(prediction.task_id)
        return prediction

    return read
