"""Tasks of track 2 of some people only."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from fingertip_dataset.errors import UsageError

if TYPE_CHECKING:
    from fingertip_dataset.parquet.built import BuiltDataset


def list_tasks_of(built: BuiltDataset, split: str, users: Collection[str]) -> list[str]:
    """Ids of the tasks of some people that have recorded actions, in the order of the dataset.

    Args:
        built: The dataset.
        split: Name of the split, also in the paper's spelling.
        users: Ids of the people.

    Raises:
        UsageError: There is no such split, or one of the people has no task in it.
    """
    from execution_runner.run_plan import plan_tasks

    users_of = {task.task_id: task.target.user_id for task in plan_tasks(built, split=split).tasks}
    lacking = sorted(set(users) - set(users_of.values()))
    if lacking:
        raise UsageError(
            f"no task of the split {split} is of {', '.join(lacking[:5])}: --only-users takes ids"
        )
    return [task_id for task_id, user in users_of.items() if user in users]
