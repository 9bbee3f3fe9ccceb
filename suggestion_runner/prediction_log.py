"""The log of a run of track 1: run.json, predictions.jsonl (one line per task), targets.jsonl.

The same call resumes an interrupted run, even a killed one: tasks with an answer are not queried again; a
truncated last line is dropped and its task is queried again. A task whose query failed is queried again by
the next call, `MOST_TRIES` times in all, and has a line for each; its last line counts. A run that stops
because no answer of its first tasks gave an intent takes their lines back by a second one each. A folder
holds one run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal

from fingertip_dataset.errors import RunError
from fingertip_dataset.path_arguments import accept_path_texts
from fingertip_dataset.tasks.task import TaskTarget
from fingertip_runs import run_folder
from fingertip_runs.line_log import ReadLine, read_lines, validate_json
from fingertip_runs.run_log import RunLog
from fingertip_runs.targets import without_targets
from suggestion_runner.suggestion_records import MOST_TRIES, Prediction, SuggestionRun

PREDICTIONS = "predictions.jsonl"


def open_log(
    folder: Path, record: SuggestionRun, targets: Iterable[TaskTarget], *, most_tries: int = MOST_TRIES
) -> RunLog[Prediction]:
    """The log of a run, open for writing by this process; arguments and errors are those of `RunLog`.

    A line is handed to the operating system at once, so that a killed run loses none of its lines. A task is
    done once it is answered, or has failed `most_tries` times.
    """
    failed: Counter[str] = Counter()

    def finished_task(prediction: Prediction) -> str | None:
        if prediction.taken_back:
            return None
        failed[prediction.task_id] += prediction.failed
        is_open = prediction.failed and failed[prediction.task_id] < most_tries
        return None if is_open else prediction.task_id

    return RunLog(
        folder,
        record,
        targets,
        file=PREDICTIONS,
        read=_make_line_reader(),
        finished_task=finished_task,
        reopened_task=lambda prediction: prediction.task_id if prediction.taken_back else None,
        is_result=lambda prediction: not prediction.failed and not prediction.taken_back,
    )


def read_run(folder: Path) -> SuggestionRun:
    """run.json of a run's folder.

    Raises:
        RunError: It is missing, broken, of the other track, or of a newer version.
    """
    return run_folder.read_run(folder, SuggestionRun)


@accept_path_texts
def read_predictions(folder: Path) -> tuple[Prediction, ...]:
    """The last prediction of each task in predictions.jsonl, in file order, without a truncated last line.

    Raises:
        RunError: The file cannot be read, a line is broken, or a task has two lines.
    """
    lines = read_lines(folder / PREDICTIONS, _make_line_reader())
    last = {prediction.task_id: prediction for prediction in lines}
    return tuple(
        prediction
        for prediction in lines
        if last[prediction.task_id] is prediction and not prediction.taken_back
    )


def check_finished(
    run: Path,
    record: SuggestionRun,
    predictions: Sequence[Prediction],
    *,
    partial: bool,
    unit: Literal["tasks", "moments"] = "tasks",
) -> None:
    """Refuse a run without an answer, and an unfinished one unless a part may be scored.

    Args:
        run: The run's folder.
        record: Its record.
        predictions: Its answers.
        partial: Whether a part may be scored.
        unit: What the run is of.

    Raises:
        RunError: It has too few answers.
    """
    done = len(predictions)
    if not done:
        raise RunError(f"the run has no answers yet (0 of {record.tasks} {unit})", file=run)
    if done < record.tasks and not partial:
        raise RunError(
            f"the run is not finished ({done} of {record.tasks} {unit}): the same `fingertip suggest` "
            f"resumes it, --partial scores the {unit} so far",
            file=run,
        )


def _make_line_reader() -> ReadLine[Prediction]:
    """Reads lines, and refuses a second one of a task unless the earlier ones are failures."""
    answered: set[str] = set()
    failed: Counter[str] = Counter()

    def read(text: bytes, file: Path, line: int) -> Prediction:
        prediction = validate_json(Prediction, without_targets(text), file, line)
        task_id = prediction.task_id
        if prediction.taken_back:
            answered.discard(task_id)
            return prediction
        if task_id in answered or failed[task_id] >= MOST_TRIES:
            raise RunError(
                "the file has two lines of this task: remove one of them",
                file=file,
                line=line,
                episode_id=task_id,
            )
        if prediction.failed:
            failed[task_id] += 1
        else:
            answered.add(task_id)
        return prediction

    return read
