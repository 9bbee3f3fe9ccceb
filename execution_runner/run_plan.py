"""The plan of a run of track 2: its tasks, and the reference that each shows."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from execution_runner.execution_records import ReferenceKind
from fingertip_dataset.errors import DatasetError, UnknownNameError, UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.release.settings import CHINESE
from fingertip_dataset.similar_names import find_similar_name
from fingertip_dataset.split_names import TEST_EXECUTION, split_name
from fingertip_dataset.tasks.references import Encode
from fingertip_dataset.tasks.task import TASK_COLUMNS, DatasetRow, ExecutionTask, execution_task
from fingertip_dataset.tasks.task_list import spread, write_tasks_call
from fingertip_metrics.judges.verdicts import Judge
from fingertip_runs.same_task import choose_references, task_intent

EXECUTION_COLUMNS = (*TASK_COLUMNS, "actions", "same_user_reference", "other_type_reference")
"""Columns of the dataset that a task needs."""

ID = ("episode_id",)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPlan:
    """The tasks of a run.

    Attributes:
        split: Name of the split.
        reference: Kind of the reference that a task shows.
        tasks: The tasks, in the order of the dataset.
        left_out: Ids of episodes without a recorded action, which cannot be scored.
    """

    split: str
    reference: ReferenceKind
    tasks: tuple[ExecutionTask, ...]
    left_out: tuple[str, ...]


def plan_tasks(
    built: BuiltDataset,
    *,
    split: str = TEST_EXECUTION,
    reference: ReferenceKind = "same_user",
    limit: int | None = None,
    task_ids: Collection[str] | None = None,
) -> RunPlan:
    """The planned tasks of a split.

    Args:
        built: The dataset.
        split: Name of the split, also in the paper's spelling, "test-execution".
        reference: Kind of the reference that a task shows; "not_same_task" is planned with the dataset's
            own, which `replace_by_judged_references` replaces.
        limit: Maximum number of tasks, spread evenly over the split.
        task_ids: Ids of the tasks to plan; None for all.

    Raises:
        UsageError: There is no such split, no such task, or no task with recorded actions.
        DatasetError: An episode id cannot name a folder.
    """
    name = split_name(split)
    if name not in built.manifest.split_names:
        raise UnknownNameError("a split", split, built.manifest.split_names)
    if limit is not None and limit < 1:
        raise UsageError(f"expected a limit of at least 1, got {limit}")
    rows = list(built.rows(name, columns=EXECUTION_COLUMNS))
    forms, settings = built.answer_forms(), built.manifest.settings
    found = [
        plan_task(row, reference, forms, language=settings.language_of(row["user_id"]))
        for row in rows
        if task_ids is None or row["episode_id"] in task_ids
    ]
    whole = tuple(task for task in found if task.target.golden_actions)
    _check(built, name, {row["episode_id"] for row in rows}, whole, task_ids)
    whole = whole if limit is None else tuple(spread(whole, limit))
    left_out = tuple(task.task_id for task in found if not task.target.golden_actions)
    return RunPlan(split=name, reference=reference, tasks=whole, left_out=left_out)


def replace_by_judged_references(
    folder: Path,
    built: BuiltDataset,
    tasks: Sequence[ExecutionTask],
    judge: Judge,
    *,
    encode: Encode | None = None,
) -> list[ExecutionTask]:
    """The tasks with references that are not the same task according to a judge (A.6.7).

    Arguments and errors are those of `choose_references`.
    """
    intents = [
        task_intent(task.target.user_id, task.task_id, task.target.intent, task.input.time) for task in tasks
    ]
    chosen = choose_references(folder, built, intents, judge, encode=encode)
    return [replace(task, input=replace(task.input, reference=chosen[task.task_id])) for task in tasks]


def plan_task(
    row: DatasetRow,
    reference: ReferenceKind,
    answer_forms: Mapping[str, str],
    *,
    language: str = CHINESE,
) -> ExecutionTask:
    """The task of a row with the columns `EXECUTION_COLUMNS`, which shows this kind of reference.

    Args:
        row: The row.
        reference: Kind of the reference.
        answer_forms: `BuiltDataset.answer_forms`.
        language: Language that the user writes, from `ReleaseSettings.language_of`.

    Raises:
        DatasetError: The episode id cannot name a folder.
    """
    task = execution_task(row, language=language)
    if not _is_folder_name(task.task_id):
        raise DatasetError(f"the episode id {task.task_id!r} cannot name a folder")
    if form := answer_forms.get(task.task_id, ""):
        task = replace(task, input=replace(task.input, answer_form=form))
    if reference in ("other_type", "none"):
        other = task.other_type_reference if reference == "other_type" else None
        task = replace(task, input=replace(task.input, reference=other))
    return task


def _is_folder_name(text: str) -> bool:
    return bool(text) and not text.startswith(".") and not set(text) & set("/\\\0") and len(text) < 200


def _check(
    built: BuiltDataset,
    split: str,
    known: Collection[str],
    tasks: Collection[ExecutionTask],
    task_ids: Collection[str] | None,
) -> None:
    if not known:
        raise UsageError(f"split {split} has no episodes", file=built.path)
    planned = {task.task_id for task in tasks}
    for task_id in task_ids or ():
        if task_id not in known:
            raise _refuse_unknown_task(built, split, known, task_id)
        if task_id not in planned:
            raise UsageError(
                "the person's actions in this task were not recorded, so it cannot be scored: choose "
                "another task",
                file=built.path,
                episode_id=task_id,
            )
    if not planned:
        raise UsageError(f"no task of {split} has recorded actions", file=built.path)


def _refuse_unknown_task(built: BuiltDataset, split: str, known: Collection[str], task_id: str) -> UsageError:
    """The error of an unknown task, with the split that has it, similar ids, and the call that lists all."""
    others = (name for name in built.manifest.split_names if name != split)
    other = next(
        (name for name in others if task_id in (row["episode_id"] for row in built.rows(name, columns=ID))),
        None,
    )
    listed = f"`{write_tasks_call(built.path, (other or split,))}` lists its tasks"
    if other is not None:
        return UsageError(f"{split} has no task {task_id!r}: it is of split {other}; {listed}")
    near = find_similar_name(task_id, known)
    meant = f"did you mean {near}? " if near else ""
    return UsageError(f"{split} has no task {task_id!r}: {meant}{listed}")
