"""Remark runs whose answers are the targets: intents nearly as written, or the person's own actions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from execution_runner.execution_records import ERRORS
from fingertip_dataset.actions import Action, Click, Finished, LongClick, Scroll, Type, Wait, parse_action
from fingertip_dataset.errors import ActionSyntaxError
from fingertip_leaderboard.bundle.read import ReadBundle
from fingertip_leaderboard.bundle.refusal import Refusals
from fingertip_leaderboard.verify.near_texts import holds_text, is_near

ENOUGH = 2
"""Minimum number of tasks for a remark."""

SHARE = 0.9
"""Share of tasks with the target as the answer above which a run gets a remark."""

ENOUGH_INTENTS, SHARE_OF_INTENTS = 4, 0.5
"""Track 1: minimum number of tasks for a remark on a smaller share of them, and this share."""

POINT = 0.02
"""Maximum distance of two points along each axis, as a share of the screen's width or height."""

COMMON = 0.9
"""Minimum share of two action sequences that is common to both in order."""

LONG = 2
"""Minimum actions of a person for them to be found among others."""


def remark_golden(read: ReadBundle, golden: Mapping[str, Sequence[str]], found: Refusals) -> None:
    """Add a remark if nearly every task was done with the person's own actions, or nearly.

    Points may differ by `POINT`, waits and the end are left out, labels do not count, and `COMMON` of both
    sequences has to be common, or of the person's own if other actions stand between them. Where targets are
    public, such a run can be made from them without an agent. A replay cannot tell it from a real one, so
    that it is no reason to refuse the bundle.

    Args:
        read: A bundle of track 2.
        golden: Task id -> the person's actions.
        found: Gets the remark.
    """
    near = 0
    for one in read.executions:
        done = [(_action(step.written), step.size) for step in one.record.steps]
        person = [_action(written) for written in golden[one.record.end.task_id]]
        near += _holds_actions(
            [(action, size) for action, size in done if not isinstance(action, Wait | Finished)],
            [action for action in person if not isinstance(action, Wait | Finished)],
        )
    tasks = len(read.executions)
    if tasks >= ENOUGH and near > SHARE * tasks:
        found.remark(
            f"{near} of {tasks} tasks were done with the person's own actions, or nearly: "
            "such a run can be made from public targets without an agent"
        )


def remark_true_intents(read: ReadBundle, intents: Mapping[str, str], found: Refusals) -> None:
    """Add a remark if many predicted intents are the true ones, almost letter by letter, or hold them.

    Words before or after a true intent, and a true intent that is cut, count as well; see `holds_text`.

    Such a run can be made from public targets; an agent that is often right cannot be distinguished from
    it, so that it is no reason to refuse the bundle.

    Args:
        read: A bundle of track 1.
        intents: Task id -> the true intent; "" at a moment without one, which does not count.
        found: Gets the remark.
    """
    answers = [one.record for one in read.suggestions if intents[one.record.task_id]]
    equal = sum(holds_text(one.predicted_intent, intents[one.task_id]) for one in answers)
    tasks = len(answers)
    share = SHARE_OF_INTENTS if tasks >= ENOUGH_INTENTS else SHARE
    if tasks >= ENOUGH and equal > share * tasks:
        found.remark(
            f"{equal} of {tasks} predicted intents are the true ones almost letter by letter, or hold them: "
            "such a run can be made from public targets without an agent"
        )


def remark_errors(read: ReadBundle, found: Refusals) -> None:
    """Add a remark with the number of attempts with actions that an error ended.

    Sim_2 is that of the actions made, and without a last action that everybody does it can be higher.

    Args:
        read: A bundle of track 2.
        found: Gets the remark.
    """
    ended = sum(one.record.end.outcome in ERRORS and bool(one.record.steps) for one in read.executions)
    if ended:
        found.remark(
            f"{ended} of {len(read.executions)} attempts were ended by an error, not by the agent: their "
            "Sim_2 is that of the actions before it, and can be higher than that of the whole attempt"
        )


def _holds_actions(
    done: Sequence[tuple[Action | str, tuple[int, int]]], person: Sequence[Action | str]
) -> bool:
    """Whether the longest common subsequence is `COMMON` of both sequences, or of a long own way."""
    if not done or not person:
        return False
    common = [0] * (len(person) + 1)
    for action, size in done:
        before = common[:]
        for place, other in enumerate(person):
            same = before[place] + 1 if _is_alike(action, other, size) else 0
            common[place + 1] = max(same, before[place + 1], common[place])
    equal = 2 * common[-1] >= COMMON * (len(done) + len(person))
    return equal or (len(person) >= LONG and common[-1] >= COMMON * len(person))


def _is_alike(one: Action | str, other: Action | str, size: tuple[int, int]) -> bool:
    if type(one) is not type(other):
        return False
    if isinstance(one, Type) and isinstance(other, Type):
        return is_near(one.text, other.text)
    if isinstance(one, Scroll) and isinstance(other, Scroll) and one.direction != other.direction:
        return False
    if isinstance(one, Click | LongClick | Scroll) and isinstance(other, Click | LongClick | Scroll):
        width, height = size
        return abs(one.x - other.x) <= POINT * width and abs(one.y - other.y) <= POINT * height
    return one == other


def _action(written: str) -> Action | str:
    """The action, or the text that is none."""
    try:
        return parse_action(written)
    except ActionSyntaxError:
        return written
