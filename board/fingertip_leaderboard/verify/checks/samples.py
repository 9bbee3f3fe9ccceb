"""Parts of the test that the board accepts: the people of one language, and people's answers to a sample."""

from __future__ import annotations

from collections.abc import Collection

from execution_runner.execution_records import ExecutionRun
from execution_runner.run_plan import plan_tasks
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_runs.instructed_tasks import InstructedTasks, instruct_tasks
from suggestion_runner.suggestion_records import HUMAN, SuggestionRun

SAMPLE_SEED = 0
"""Seed of the only accepted sample, so that nobody can submit the best of several samples. Our choice."""

LEAST_SHARE = 0.4
"""Smallest accepted share of the test in a human sample: 400 of 1,000 episodes in the paper (5.2)."""


def count_tasks(built: BuiltDataset, split: str) -> int | None:
    """Number of episodes or moments of a split; None for one that the dataset does not have."""
    moments = built.manifest.moments
    if moments is not None and split in moments.splits:
        return moments.splits[split].moments
    found = built.manifest.splits.get(split)
    return found.episodes if found else None


def sample_problem(run: SuggestionRun, built: BuiltDataset) -> str | None:
    """Reason to refuse a run of a part of the test; None if it is accepted, or is a run of the whole test."""
    selection = run.selection
    if selection is None or find_language(run, built) is not None:
        return None
    least = LEAST_SHARE * selection.of
    if (
        run.agent.name == HUMAN
        and selection.kind == "sample"
        and selection.seed == SAMPLE_SEED
        and not selection.users
        and least <= run.tasks < selection.of
    ):
        return None
    return (
        "expected all tasks of the test, all those of the people who write one language, or people's answers "
        f"(--agent {HUMAN}) to {LEAST_SHARE:.0%} of it or more, drawn with --seed {SAMPLE_SEED}, got "
        f"{selection.describe(run.tasks)} by {run.agent.name}"
    )


def restore_instructions(built: BuiltDataset, run: ExecutionRun) -> InstructedTasks | None:
    """The tasks of a run under its instructions, written again; None for what people wrote without answers.

    Args:
        built: The verifier's dataset.
        run: A run on it, on simulated phones.
    """
    if not run.of_dialogue:
        return None
    return instruct_tasks(built, run.split, run.instructions, run.answered_by)


def find_language(
    run: SuggestionRun | ExecutionRun, built: BuiltDataset, instructed: InstructedTasks | None = None
) -> str | None:
    """Language of a run of all tasks of all people of a dataset who write it; None for any other part.

    A model that knows one language is ranked among its people. They are given by the dataset, so that nobody
    can choose those on whom an agent does well.

    Args:
        run: The run.
        built: Its dataset.
        instructed: Tasks under the run's instructions, if they are known already.
    """
    if isinstance(run, ExecutionRun):
        return _find_language_of_execution(run, built, instructed)
    selection = run.selection
    if selection is None or selection.kind != "first" or not selection.users:
        return None
    split = run.split
    if count_tasks(built, split) is None:
        return None
    users = [row["user_id"] for row in built.rows(split, columns=("user_id",))]
    language = _find_one_language(selection.users, users, built)
    theirs = [user for user in users if _read_language(user, built) == language]
    whole = set(theirs) == set(selection.users) and run.tasks == len(theirs) < len(users)
    return language if whole else None


def _find_language_of_execution(
    run: ExecutionRun, built: BuiltDataset, instructed: InstructedTasks | None
) -> str | None:
    """As `find_language`; a run of track 2 names its tasks, which are those with recorded actions."""
    split = run.split
    if split not in built.manifest.splits or run.tasks >= built.manifest.splits[split].episodes:
        return None
    users = {task.task_id: task.target.user_id for task in plan_tasks(built, split=split).tasks}
    chosen = [users[task_id] for task_id in run.task_ids if task_id in users]
    language = _find_one_language(chosen, users.values(), built)
    if language is None:
        return None
    if instructed := instructed or restore_instructions(built, run):
        # of these people some tasks are left out
        users = {task_id: users[task_id] for task_id in instructed.keep(users)}
    theirs = {task_id for task_id, user in users.items() if _read_language(user, built) == language}
    whole = theirs == set(run.task_ids) and run.tasks == len(theirs) < len(users)
    return language if whole else None


def _find_one_language(chosen: Collection[str], users: Collection[str], built: BuiltDataset) -> str | None:
    """Language that all of the chosen people write; None if they write several, or one of them is unknown."""
    known = set(users)
    spoken = {_read_language(user, built) if user in known else None for user in chosen}
    return spoken.pop() if len(spoken) == 1 else None


def _read_language(user: str, built: BuiltDataset) -> str:
    """Language of a person without its region: en and en-GB can be answered by the same models."""
    return built.manifest.settings.language_of(user).partition("-")[0]
