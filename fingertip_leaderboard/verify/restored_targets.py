"""What the dataset knows of a bundle's tasks: what they show, what they are scored against."""

from __future__ import annotations

from dataclasses import dataclass

from execution_runner.execution_records import ExecutionRun
from execution_runner.run_plan import PlannedTask, plan_tasks
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.tasks.task import SuggestionInput
from fingertip_leaderboard.verify.samples import sample_problem
from fingertip_runs.targets import TaskTarget
from suggestion_runner.suggestion_records import SuggestionRun
from suggestion_runner.suggestion_tasks import open_tasks
from suggestion_runner.suggestion_tasks import suggestion_targets as targets_of_run


@dataclass(frozen=True, slots=True, kw_only=True)
class BundleTarget:
    """A task of track 1 as the dataset has it.

    Attributes:
        target: As in targets.jsonl of a run.
        task_input: What the run's settings show of the task, without its screens.
    """

    target: TaskTarget
    task_input: SuggestionInput


def suggestion_targets(built: BuiltDataset, run: SuggestionRun) -> dict[str, BundleTarget]:
    """Task id -> what the dataset knows of it, in the dataset's order; of people's sample its tasks.

    Args:
        built: The verifier's own.
        run: How the tasks were told.
    """
    record = run.model_copy(update={"screenshots": 0})
    if run.selection is None or sample_problem(run) is not None:
        tasks = built.manifest.splits[run.split].episodes
        record = record.model_copy(update={"tasks": tasks, "selection": None})
    inputs = {task.input.task_id: task.input for _, task in open_tasks(built, record, ())}
    return {
        target.task_id: BundleTarget(target=target, task_input=inputs[target.task_id])
        for target in targets_of_run(built, record)
    }


def execution_targets(built: BuiltDataset, run: ExecutionRun) -> dict[str, PlannedTask]:
    """Task id -> the task with its golden actions and the reference that it shows, in the dataset's order."""
    plan = plan_tasks(built, split=run.split, reference=run.reference)
    return {planned.task_id: planned for planned in plan.tasks}
