"""Remark runs of track 2 whose actions are the person's own, coordinates included."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fingertip_dataset.actions import canonical
from fingertip_leaderboard.bundle.read import ReadBundle
from fingertip_leaderboard.bundle.refusal import Refusals

ENOUGH = 2
"""Minimum number of tasks for a remark."""

SHARE = 0.9
"""Share of tasks with exactly the person's actions above which a run gets a remark."""


def remark_golden(read: ReadBundle, golden: Mapping[str, Sequence[str]], found: Refusals) -> None:
    """Add a remark if nearly every task was done with the person's own actions, to the pixel.

    Where targets are public, such a run can be made from them without an agent. A replay cannot tell it from
    a real one, so that it is no reason to refuse the bundle.

    Args:
        read: A bundle of track 2.
        golden: Task id -> the person's actions.
        found: Gets the remark.
    """
    equal = sum(
        [canonical(step.written) for step in one.record.steps]
        == [canonical(action) for action in golden[one.record.end.task_id]]
        for one in read.executions
    )
    tasks = len(read.executions)
    if tasks >= ENOUGH and equal > SHARE * tasks:
        found.remark(
            f"{equal} of {tasks} tasks were done with exactly the person's actions, coordinates included: "
            "such a run can be made from public targets without an agent"
        )
