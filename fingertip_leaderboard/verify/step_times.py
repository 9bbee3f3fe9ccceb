"""Track 2: moments of an attempt, one after the other."""

from __future__ import annotations

from fingertip_leaderboard.bundle.bundle_files import TASKS
from fingertip_leaderboard.bundle.refusal import RefusalKind, Refusals
from fingertip_leaderboard.bundle.schema import ExecutionLine
from fingertip_leaderboard.verify.moments import Clock


def check_step_times(line: ExecutionLine, number: int, clock: Clock, found: Refusals) -> None:
    """Refuses moments that are none, to come, or before the step before."""
    before = None
    for text in [*(step.at for step in line.steps), line.at]:
        moment = clock.read(text, TASKS, number)
        if before is not None and moment is not None and moment < before:
            reason = f"expected steps one after the other, got one of {text} after {before.isoformat()}"
            found.refuse(RefusalKind.BAD_TIME, reason, TASKS, number)
        before = moment or before
