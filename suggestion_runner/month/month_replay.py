"""Moments of a finished or stopped month again, each as the agent was shown it, with its answer."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass
from pathlib import Path

from fingertip_dataset.errors import UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.path_arguments import accept_path_texts
from fingertip_dataset.tasks.task import SuggestionTask
from suggestion_runner.month.lived_month import LivedMonth, MonthPeople, read_moment_splits
from suggestion_runner.month.month_run import open_months
from suggestion_runner.prediction_log import read_predictions, read_run
from suggestion_runner.remembered import open_repeatable
from suggestion_runner.suggestion_records import Prediction


@dataclass(frozen=True, slots=True, kw_only=True)
class LivedMoment:
    """Moment of a month with its answer.

    Attributes:
        task: The task as the agent was shown it.
        split: Split of the moment, one of `MOMENT_SPLITS`.
        prediction: The agent's answer, with the person's.
    """

    task: SuggestionTask
    split: str
    prediction: Prediction


@accept_path_texts
def replay_month(
    run: Path, dataset: Path | None = None, *, only: Container[str] | None = None
) -> Iterator[LivedMoment]:
    """Go through a month again, without asking the agent; a person's moments come in the order of time.

    Args:
        run: Folder of the run.
        dataset: Folder of its dataset; None for the path in run.json.
        only: Ids of the moments that are wanted: what was shown at others is not recalled. None for all.

    Raises:
        RunError: The folder holds no run, or a broken one.
        UsageError: The run is no month, or its memory cannot recall the same again.
        DatasetError: The dataset is missing, broken, or not that of the run.
    """
    record = read_run(run)
    if record.month is None:
        raise UsageError("the run is no month in order: `fingertip suggest --month` makes one", file=run)
    built = BuiltDataset.open(dataset or Path(record.dataset.path))
    lines = {line.task_id: line for line in read_predictions(run)}
    splits = read_moment_splits(built)
    people = MonthPeople(built, record.protocol)
    keeper = open_repeatable(built, record, episodes=False)
    if keeper is None and record.memory is not None:
        raise UsageError(_explain_memory(record.memory.name), file=run)
    for user, tasks in open_months(built, record):
        month = LivedMonth(
            person=people.read_person(user),
            keeper=keeper,
            feedback=record.month.feedback,
            without=record.without,
        )
        for task in tasks:
            month.begin_moment(task)
            line = lines.get(task.input.task_id)
            if line is None:
                break
            if not line.failed and (only is None or line.task_id in only):
                yield LivedMoment(task=month.show(task), split=splits[task.input.task_id], prediction=line)
            month.repeat(task, line)


def _explain_memory(name: str) -> str:
    from fingertip_agents.memory.memory_registry import MEMORIES

    repeatable = ", ".join(known for known, memory in MEMORIES.items() if memory.repeatable)
    reason = "without its model" if name in MEMORIES else "for certain, as it is of another package"
    return f"the memory {name} cannot recall the same again {reason}: make the month with one of {repeatable}"
