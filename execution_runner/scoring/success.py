"""SR_2 of a run, over the tasks that the agent itself ended; None until each one's success is decided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from execution_runner.execution_records import ExecutionRun
from execution_runner.scoring.task_scores import TaskScore
from fingertip_metrics.aggregate import Interval
from fingertip_runs.device_kinds import DEVICE_KINDS
from fingertip_runs.score_summary import user_interval


@dataclass(frozen=True, slots=True, kw_only=True)
class SuccessRate:
    """SR_2 and the counts behind it.

    Attributes:
        sr2: Share of successes among the counted tasks, with its interval; None while undecided.
        why_none: Why `sr2` is None, in words; None if `sr2` has a value.
        tasks: Number of tasks that have ended.
        counted: Number of tasks that the agent itself ended.
        decided: Number of counted tasks whose success is known.
        successes: Number of counted tasks that are done.
        disputed: Number of counted tasks whose raters disagree.
        decided_by: "rule", "step limit", "person" or "judge" -> number of tasks.
        raters: Names of the persons and judges whose labels decide, sorted.
        worst: Share of successes among all tasks if every open task failed: the undecided ones, and those
            that a phone, the agent's model or the gate ended.
        best: Share of successes among all tasks if every open task succeeded.
    """

    sr2: Interval | None
    why_none: str | None
    tasks: int
    counted: int
    decided: int
    successes: int
    disputed: int
    decided_by: Mapping[str, int]
    raters: tuple[str, ...]
    worst: float
    best: float


def success_rate(tasks: Sequence[TaskScore], record: ExecutionRun) -> SuccessRate:
    """SR_2 of tasks; None if a counted task is undecided, since undecided is not failed.

    Args:
        tasks: Scores of at least one task.
        record: Record of the run.
    """
    counted = [task for task in tasks if task.counted]
    decided = [task for task in counted if task.success is not None]
    successes = sum(task.success is True for task in decided)
    reason = _why_none(len(counted), len(decided), record)
    undecided = len(tasks) - len(decided)
    rated = [task for task in decided if task.decided in ("person", "judge")]
    values = [float(task.success is True) for task in counted]
    return SuccessRate(
        sr2=None if reason else user_interval(values, [task.user_id for task in counted], share=True),
        why_none=reason,
        tasks=len(tasks),
        counted=len(counted),
        decided=len(decided),
        successes=successes,
        disputed=sum(task.disputed for task in counted),
        decided_by=dict(sorted(Counter(task.decided for task in decided if task.decided).items())),
        raters=tuple(sorted({rater for task in rated for rater in task.by})),
        worst=successes / len(tasks),
        best=(successes + undecided) / len(tasks),
    )


def carries_out(record: ExecutionRun) -> bool:
    """Whether a run's actions were carried out: not in a dry run, nor on recorded episodes."""
    return not record.dry_run and not DEVICE_KINDS[record.device].recorded


def _why_none(counted: int, decided: int, record: ExecutionRun) -> str | None:
    if not carries_out(record):
        return "not carried out"
    if not counted:
        return "no task counted"
    return None if decided == counted else f"{decided} of {counted} labelled"
