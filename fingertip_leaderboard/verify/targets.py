"""What the dataset knows of a bundle's tasks: what they show, what they are scored against."""

from __future__ import annotations

from dataclasses import dataclass

from execution_runner.execution_records import ExecutionRun
from execution_runner.run_plan import PlannedTask, plan_tasks
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.tasks.task import SuggestionInput
from fingertip_dataset.times import in_beijing
from fingertip_leaderboard.verify.samples import sample_problem
from suggestion_runner.suggestion_records import SuggestionRun
from suggestion_runner.suggestion_tasks import open_tasks

"""The split of each track that a leaderboard is about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BundleTarget:
    """A task of track 1; the attributes are those of `Prediction` that a bundle does not hold.

    Attributes:
        task_input: What the run's settings show of the task, without its screens.
    """

    user_id: str
    app: str
    intent_category: str | None
    time: str
    original_intent: str
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
    return {
        row["episode_id"]: BundleTarget(
            user_id=row["user_id"],
            app=row["app"],
            intent_category=row["intent_category"],
            time=in_beijing(row["time"]).isoformat(),
            original_intent=row["intent"],
            task_input=task.input,
        )
        for row, task in open_tasks(built, record, ())
    }


def execution_targets(built: BuiltDataset, run: ExecutionRun) -> dict[str, PlannedTask]:
    """Task id -> the task with its golden actions and the reference that it shows, in the dataset's order."""
    plan = plan_tasks(built, split=run.split, reference=run.reference)
    return {planned.task_id: planned for planned in plan.tasks}
