"""Object that `suggest` and `execute` print with --json: the counts of a call, and what it cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from execution_runner.execution_run import ExecutionOutcome
    from fingertip_runs.unreadable_answers import AnswerCounts
    from suggestion_runner.run_batch import BatchOutcome
    from suggestion_runner.run_outcome import Bill, RunOutcome


def suggestion_object(outcome: RunOutcome, batch: BatchOutcome | None = None) -> dict[str, Any]:
    """The object of `fingertip suggest`.

    Args:
        outcome: Outcome of the run.
        batch: Outcome of a call with batch files; None for another backend.
    """
    return {
        "folder": str(outcome.folder),
        "tasks": outcome.tasks,
        "queried": outcome.queried,
        "answered_before": outcome.answered_before,
        "unanswered": outcome.unanswered,
        **_count_answers(outcome.answers),
        "outcomes": dict(outcome.outcomes),
        "failed": dict(outcome.failed),
        "cached": outcome.cached,
        "cut": outcome.cut,
        "cost": _cost(outcome.bill),
        "history_calls": outcome.history_calls,
        "history_cost": _cost(outcome.history_bill),
        "waiting": list(batch.waiting) if batch else [],
        "requests": [str(file) for file in batch.requests] if batch else [],
    }


def _cost(bill: Bill) -> dict[str, Any] | None:
    """A bill; None without prices."""
    if bill.prices is None:
        return None
    return {
        "all": bill.cost,
        "paid_before": bill.paid_before,
        "currency": bill.prices.currency,
        "uncounted": bill.uncounted,
    }


def _count_answers(counts: AnswerCounts) -> dict[str, Any]:
    """How many answers of the call could be read, and with which notes."""
    return {"answers": counts.answers, "unreadable": counts.unreadable, "notes": dict(counts.notes)}


def execution_object(outcome: ExecutionOutcome) -> dict[str, Any]:
    """The object of `fingertip execute`; "decisions" has the steps of a dry run."""
    return {
        "folder": str(outcome.folder),
        "tasks": outcome.tasks,
        "queried": outcome.queried,
        "done_before": outcome.done_before,
        "outcomes": dict(outcome.outcomes),
        "failed": dict(outcome.failed),
        "left_out": list(outcome.left_out),
        "lost_devices": dict(outcome.lost),
        **_count_answers(outcome.answers),
        "decisions": {
            target.task_id: [
                {"action": step.action, "verdict": step.verdict, "reason": step.reason} for step in steps
            ]
            for target, steps in outcome.decisions
        },
    }
