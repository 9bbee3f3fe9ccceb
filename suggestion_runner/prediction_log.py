"""The log of a run of track 1: run.json says what the run is, predictions.jsonl has a line a task.

A run that was stopped, however hard, goes on where it was: the tasks that have a line are not asked again,
and a last line that was cut off is dropped and asked again. Another run is never mixed into the same folder.
"""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Self

from fingertip_dataset.errors import RunError
from fingertip_runs import run_folder
from fingertip_runs.line_log import LineLog, ReadLine, read_lines, validated
from suggestion_runner.suggestion_records import Prediction, SuggestionRun

PREDICTIONS = "predictions.jsonl"


class RunLog:
    """A run's folder, open for writing by one process at a time. A context manager.

    Args:
        folder: Made where it is missing; else empty, or holding a run of the same identity.
        record: The run, with the session that starts now.

    Attributes:
        earlier: The lines that were there.
        done: Their task ids.
        dropped: Number of the last line, counted from 1, where it was cut off and is dropped; else None.

    Raises:
        RunError: The folder holds something else, another run, or is being written by another process.
    """

    def __init__(self, folder: Path, record: SuggestionRun) -> None:
        run_folder.check_folder(folder, lines=PREDICTIONS)
        self._log = LineLog(folder / PREDICTIONS, _one_a_task())
        try:
            self.earlier = self._log.lines
            self.done = frozenset(prediction.task_id for prediction in self.earlier)
            self.dropped = self._log.dropped
            run_folder.start_run(folder, record, finished=len(self.done) >= record.tasks)
        except BaseException:
            self._log.close()
            raise

    def append(self, prediction: Prediction) -> None:
        """Adds a line and hands it to the system at once: a killed run loses none of its lines."""
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
        RunError: There is none, or it is broken, or of a newer version.
    """
    return run_folder.read_run(folder, SuggestionRun)


def read_predictions(folder: Path) -> tuple[Prediction, ...]:
    """Every whole line of predictions.jsonl, in its order; a last line that was cut off is left out.

    Raises:
        RunError: The file cannot be read, a line is broken, or a task has two.
    """
    return read_lines(folder / PREDICTIONS, _one_a_task())


def _one_a_task() -> ReadLine[Prediction]:
    seen: set[str] = set()

    def read(text: bytes, file: Path, line: int) -> Prediction:
        prediction = validated(Prediction, text, file, line)
        if prediction.task_id in seen:
            raise RunError(
                "expected one line a task, got two", file=file, line=line, episode_id=prediction.task_id
            )
        seen.add(prediction.task_id)
        return prediction

    return read
