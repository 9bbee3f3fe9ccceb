"""Restore a bundle's tasks from the dataset: their inputs and their targets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from execution_runner.execution_records import ExecutionRun
from execution_runner.run_plan import plan_tasks
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.tasks.task import ExecutionTask, SuggestionTask
from fingertip_leaderboard.verify.checks.samples import (
    count_tasks,
    find_language,
    restore_instructions,
    sample_problem,
)
from fingertip_runs.instructed_tasks import InstructedTasks
from simulated_phone.dialogue.vague_task import begin_at_home
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


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoredExecution:
    """Tasks of a run of track 2, made again from the verifier's dataset.

    Attributes:
        tasks: Task id -> task with golden actions and reference, as the agent was shown it, in the dataset's
            order; of a part only its tasks.
        simulations: Episode id -> setup of its simulated phone, which begins where the run's do; empty for
            other data.
        instructed: The tasks under the run's instructions; None for what people wrote, without answers.
    """

    tasks: Mapping[str, ExecutionTask]
    simulations: Mapping[str, Mapping[str, Any]]
    instructed: InstructedTasks | None = None


def restore_execution(built: BuiltDataset, run: ExecutionRun) -> RestoredExecution:
    """Make the tasks of a run again; its instructions are written again from its level.

    Args:
        built: The verifier's dataset.
        run: Run whose settings define the task inputs.
    """
    instructed = restore_instructions(built, run)
    theirs = run.task_ids if find_language(run, built, instructed) is not None else None
    reference = run.reference
    if instructed is not None:
        theirs = instructed.choose(None) if theirs is None else instructed.keep(theirs)
        reference = instructed.choose_reference(reference)
    plan = plan_tasks(built, split=run.split, reference=reference, task_ids=theirs)
    simulations = built.simulations()
    tasks = plan.tasks
    if instructed is not None:
        targets = instructed.note_sources(task.target for task in plan.tasks)
        shown = instructed.shown(plan.tasks)
        tasks = tuple(replace(task, target=target) for task, target in zip(shown, targets, strict=True))
        simulations = begin_at_home(simulations) if instructed.at_home else simulations
    return RestoredExecution(
        tasks={task.task_id: task for task in tasks}, simulations=simulations, instructed=instructed
    )
