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
    from fingertip_dataset.split_names import split_name
    from fingertip_dataset.tasks.task_list import check_users, write_tasks_call

    check_users(built, (split,), users)
    users_of = {task.task_id: task.target.user_id for task in plan_tasks(built, split=split).tasks}
    lacking = sorted(set(users) - set(users_of.values()))
    if lacking:
        listed = write_tasks_call(built.path, (split_name(split),))
        raise UsageError(
            f"{split} has no task of user {', '.join(lacking[:5])}: `{listed}` lists tasks and users"
        )
    return [task_id for task_id, user in users_of.items() if user in users]
