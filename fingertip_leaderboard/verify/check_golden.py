"""Remark runs whose answers are the targets: intents nearly as written, or actions to the pixel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rapidfuzz.fuzz import ratio

from fingertip_dataset.actions import canonical
from fingertip_leaderboard.bundle.read import ReadBundle
from fingertip_leaderboard.bundle.refusal import Refusals

ENOUGH = 2
"""Minimum number of tasks for a remark."""

SHARE = 0.9
"""Share of tasks with the target as the answer above which a run gets a remark."""

NEAR = 90.0
"""Minimum similarity of an intent to the true one without blanks, 0-100, by rapidfuzz's ratio."""


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


def remark_true_intents(read: ReadBundle, intents: Mapping[str, str], found: Refusals) -> None:
    """Add a remark if nearly every predicted intent is the true one, almost letter by letter.

    Such a run can be made from public targets; an agent that is nearly always right cannot be told from it,
    so that it is no reason to refuse the bundle.

    Args:
        read: A bundle of track 1.
        intents: Task id -> the true intent.
        found: Gets the remark.
    """
    equal = sum(
        ratio(_joined(one.record.predicted_intent), _joined(intents[one.record.task_id])) >= NEAR
        for one in read.suggestions
    )
    tasks = len(read.suggestions)
    if tasks >= ENOUGH and equal > SHARE * tasks:
        found.remark(
            f"{equal} of {tasks} predicted intents are the true ones almost letter by letter: "
            "such a run can be made from public targets without an agent"
        )


def _joined(text: str) -> str:
    return "".join(text.split()).casefold()
