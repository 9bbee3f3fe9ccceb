"""SR_2 of a run: one denominator, all its tasks.

A task without a decision counts as not done: one that nobody has labelled, that raters dispute, or that the
gate, the phone or the agent's model ended. The best case counts each of these as done. The paper does not say
how it counts such tasks; each SR_2 that it prints is a multiple of 0.5 %, as a denominator of all 200 tasks
gives.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from execution_runner.execution_records import ExecutionRun
from execution_runner.scoring.task_scores import TaskScore
from fingertip_metrics.aggregate import Interval
from fingertip_runs.device_kinds import DEVICE_KINDS
from fingertip_runs.score_summary import share_interval


@dataclass(frozen=True, slots=True, kw_only=True)
class SuccessRate:
    """SR_2 and the counts behind it.

    Attributes:
        sr2: Share of successes among all tasks, with its interval; None only if nothing was carried out.
        why_none: Why `sr2` is None, in words; None if `sr2` has a value.
        tasks: Number of tasks that have ended.
        counted: Number of tasks that the agent itself ended.
        decided: Number of counted tasks whose success is known.
        wrong_app: Number of tasks that the gate ended while the agent was in another app than the task's:
            they have failed.
        successes: Number of tasks that are done.
        disputed: Number of counted tasks whose raters disagree.
        decided_by: "rule", "step limit", "wrong app", "person" or "judge" -> number of tasks.
        raters: Names of the persons and judges whose labels decide, sorted.
        worst: Share of successes among all tasks if every open task failed: equal to the mean of `sr2`.
        best: Share of successes among all tasks if every open task succeeded: the undecided ones, and those
            that a phone, the agent's model or the gate ended.
    """

    sr2: Interval | None
    why_none: str | None
    tasks: int
    counted: int
    decided: int
    wrong_app: int
    successes: int
    disputed: int
    decided_by: Mapping[str, int]
    raters: tuple[str, ...]
    worst: float
    best: float

    @property
    def unlabelled(self) -> int:
        """Number of tasks that the agent ended and whose success nobody decided."""
        return self.counted - self.decided

    @property
    def cut(self) -> int:
        """Number of tasks that a phone, the agent's model or the gate ended, not in another app."""
        return self.tasks - self.counted - self.wrong_app


def success_rate(tasks: Sequence[TaskScore], record: ExecutionRun) -> SuccessRate:
    """SR_2 over all tasks: an undecided one counts as not done, and as done in the best case.

    Args:
        tasks: Scores of at least one task.
        record: Record of the run.
    """
    counted = [task for task in tasks if task.counted]
    decided = [task for task in counted if not task.undecided]
    successes = sum(task.success is True for task in tasks)
    undecided = sum(task.undecided for task in tasks)
    rated = [task for task in decided if task.decided in ("person", "judge")]
    sr2 = share_interval([done_value(task) for task in tasks], [task.user_id for task in tasks])
    return SuccessRate(
        sr2=sr2 if carries_out(record) else None,
        why_none=None if carries_out(record) else "not carried out",
        tasks=len(tasks),
        counted=len(counted),
        decided=len(decided),
        wrong_app=sum(task.decided == "wrong app" for task in tasks),
        successes=successes,
        disputed=sum(task.disputed for task in counted),
        decided_by=dict(sorted(Counter(task.decided for task in tasks if task.decided).items())),
        raters=tuple(sorted({rater for task in rated for rater in task.by})),
        worst=successes / len(tasks),
        best=(successes + undecided) / len(tasks),
    )


def done_value(task: TaskScore) -> float:
    """The value of a task in SR_2: 1 if it is done, 0 in any other case, the undecided one included."""
    return float(task.success is True)


def carries_out(record: ExecutionRun) -> bool:
    """Whether a run's actions were carried out: not in a dry run, nor on recorded episodes."""
    return not record.dry_run and not DEVICE_KINDS[record.device].recorded
