"""What the dataset knows of a bundle's tasks: what they show, what they are scored against."""

from __future__ import annotations

from execution_runner.execution_records import ExecutionRun
from execution_runner.run_plan import plan_tasks
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.tasks.task import ExecutionTask, SuggestionTask
from fingertip_leaderboard.verify.samples import sample_problem
from suggestion_runner.suggestion_records import SuggestionRun
from suggestion_runner.suggestion_tasks import open_tasks


def suggestion_targets(built: BuiltDataset, run: SuggestionRun) -> dict[str, SuggestionTask]:
    """Task id -> the task without its screens, in the dataset's order; of people's sample its tasks.

    Args:
        built: The verifier's own.
        run: Its settings say what a task shows.
    """
    record = run.model_copy(update={"screenshots": 0})
    if run.selection is None or sample_problem(run) is not None:
        tasks = built.manifest.splits[run.split].episodes
        record = record.model_copy(update={"tasks": tasks, "selection": None})
    return {task.input.task_id: task for task in open_tasks(built, record, ())}


def execution_targets(built: BuiltDataset, run: ExecutionRun) -> dict[str, ExecutionTask]:
    """Task id -> the task with its golden actions and the reference that it shows, in the dataset's order."""
    plan = plan_tasks(built, split=run.split, reference=run.reference)
    return {task.task_id: task for task in plan.tasks}
