"""Means with intervals of a run of track 2, over all tasks and by group."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from execution_runner.execution_records import ExecutionRun
from execution_runner.scoring.success import SuccessRate, success_rate
from execution_runner.scoring.task_scores import TaskScore
from fingertip_metrics.aggregate import Interval, natural_order
from fingertip_metrics.difficulty import DIFFICULTIES
from fingertip_runs.score_summary import user_interval
from fingertip_runs.task_facts import FACTS, TaskFacts

OWN: Mapping[str, Callable[[TaskScore], str | None]] = MappingProxyType(
    {
        "difficulty": lambda task: task.difficulty,
        "user": lambda task: task.user_id,
        "app": lambda task: task.app,
        "category": lambda task: task.intent_category,
    }
)
"""Groupings that need only the run folder: name -> a task's group."""

KNOWN_FROM = "known-from"
"""Grouping by where the arguments are known from; only runs under instructions of some level have it."""

GROUPINGS = (*OWN, KNOWN_FROM, *FACTS)
"""All groupings; those of `FACTS` need the run's dataset."""

MEANS: Mapping[str, Callable[[TaskScore], float | None]] = MappingProxyType(
    {
        "sim2": lambda task: task.sim2.sim2,
        "identification": lambda task: task.identified,
        "s_i": lambda task: task.sim2.s_i,
        "s_ii": lambda task: task.sim2.s_ii,
        "action_similarity": lambda task: task.sim2.action_similarity,
        "step_ratio": lambda task: task.step_ratio if task.success else None,
        "step_ratio_all": lambda task: task.step_ratio,
        "progress": lambda task: task.progress,
        "false_completion": lambda task: _share(task.false_completion),
        "side_effects": lambda task: None if task.side_effects is None else float(bool(task.side_effects)),
        "without_looking": lambda task: _share(task.without_looking),
        "questions": lambda task: None if task.dialogue is None else float(task.dialogue.questions),
        "needless": lambda task: None if task.dialogue is None else float(task.dialogue.needless),
        "unasked": lambda task: None if task.dialogue is None else float(bool(task.dialogue.unasked)),
        "after_no": lambda task: None if task.dialogue is None else float(bool(task.dialogue.after_no)),
    }
)
"""Means other than SR_2: name -> value of a task, None if undefined. `step_ratio` is over successful tasks
(paper 5.1), all others over all tasks; `sim2` and `s_ii` can lack a value only for a task for which the
dataset has no sequence of a person of another type, and `identification` for one that is in no group of
people with similar intents. Shares are `progress` of a goal's conditions, the tasks with a false completion
or with at least one side effect, and, of answered questions, those whose answer no screen had shown. The
last four are of runs in which somebody answers: questions and needless ones a task, and the shares of tasks
with a risky act without a yes, and with one after a no."""

SHARES = (
    "identification",
    "progress",
    "false_completion",
    "side_effects",
    "without_looking",
    "unasked",
    "after_no",
)
"""Names from `MEANS` of shares: their intervals never have zero width."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupScores:
    """A row of a breakdown.

    Attributes:
        group: Name of the group; None for tasks whose group is unknown.
        success: SR_2 and its counts.
        means: Name from `MEANS` -> mean; None if undefined for all tasks.
    """

    group: str | None
    success: SuccessRate
    means: Mapping[str, Interval | None]


def means_of(tasks: Sequence[TaskScore]) -> dict[str, Interval | None]:
    """Each of `MEANS` over the tasks for which it is defined; None if it is defined for none."""
    users = [task.user_id for task in tasks]
    found: dict[str, Interval | None] = {}
    for name, value_of in MEANS.items():
        values = [value_of(task) for task in tasks]
        defined = any(value is not None for value in values)
        found[name] = user_interval(values, users, share=name in SHARES) if defined else None
    return found


def _share(value: bool | None) -> float | None:
    return None if value is None else float(value)


def breakdowns_of(
    tasks: Sequence[TaskScore], record: ExecutionRun, facts: TaskFacts
) -> dict[str, tuple[GroupScores, ...]]:
    """Grouping -> its rows; without the groupings of `FACTS` if the dataset is missing.

    Args:
        tasks: Scores of at least one task.
        record: Record of the run.
        facts: Facts of the tasks from the dataset.
    """
    groups = {by: [group_of(task) for task in tasks] for by, group_of in OWN.items()}
    if any(task.known_from for task in tasks):
        groups[KNOWN_FROM] = [task.known_from or None for task in tasks]
    if facts.why_none is None:
        task_ids = [task.task_id for task in tasks]
        groups |= {fact: facts.groups(fact, task_ids) for fact in FACTS}
    return {by: _rows(tasks, record, of_tasks, by) for by, of_tasks in groups.items()}


def _rows(
    tasks: Sequence[TaskScore], record: ExecutionRun, groups: Sequence[str | None], by: str
) -> tuple[GroupScores, ...]:
    """A row per group: difficulties from easy to hard, other groups in natural order."""
    members: dict[str | None, list[TaskScore]] = {}
    for task, group in zip(tasks, groups, strict=True):
        members.setdefault(group, []).append(task)
    order = DIFFICULTIES if by == "difficulty" else sorted(members, key=natural_order)
    return tuple(
        GroupScores(
            group=group,
            success=success_rate(members[group], record),
            means=means_of(members[group]),
        )
        for group in order
        if group in members
    )
