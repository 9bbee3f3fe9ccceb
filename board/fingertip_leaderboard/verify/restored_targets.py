"""Restore a bundle's tasks from the dataset: their inputs and their targets."""

from __future__ import annotations

from execution_runner.execution_records import ExecutionRun
from execution_runner.run_plan import plan_tasks
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.tasks.task import ExecutionTask, SuggestionTask
from fingertip_leaderboard.verify.checks.samples import count_tasks, find_language, sample_problem
from suggestion_runner.suggestion_records import SuggestionRun
from suggestion_runner.suggestion_tasks import open_tasks


def restore_suggestion_targets(built: BuiltDataset, run: SuggestionRun) -> dict[str, SuggestionTask]:
    """Task id -> task without its screens, in the dataset's order; of an accepted part only its tasks.

    Args:
        built: The verifier's dataset.
        run: Run whose settings define the task inputs.
    """
    # a file that a submission names is never read: such a run is refused by `check_data`
    record = run.model_copy(update={"screenshots": 0, "inferred": None})
    if run.selection is None or sample_problem(run, built) is not None:
        tasks = count_tasks(built, run.split)
        record = record.model_copy(update={"tasks": tasks, "selection": None})
    return {task.input.task_id: task for task in open_tasks(built, record, ())}


def restore_execution_targets(built: BuiltDataset, run: ExecutionRun) -> dict[str, ExecutionTask]:
    """Task id -> task with golden actions and reference, in the dataset's order; of a part only its tasks.

    Args:
        built: The verifier's dataset.
        run: Run whose settings define the task inputs.
    """
    theirs = run.task_ids if find_language(run, built) is not None else None
    plan = plan_tasks(built, split=run.split, reference=run.reference, task_ids=theirs)
    return {task.task_id: task for task in plan.tasks}
