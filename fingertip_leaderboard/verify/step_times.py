"""Track 2: check that the times of an attempt are in order."""

from __future__ import annotations

from execution_runner.execution_log import Attempt
from execution_runner.execution_records import STEPS
from fingertip_leaderboard.bundle.refusal import RefusalKind, Refusals
from fingertip_leaderboard.verify.moments import Clock


def check_step_times(attempt: Attempt, number: int, clock: Clock, found: Refusals) -> None:
    """Refuse times that are malformed, in the future, or before the previous step."""
    before = None
    for text in [*(step.at for step in attempt.steps), attempt.end.at]:
        moment = clock.read(text, STEPS, number)
        if before is not None and moment is not None and moment < before:
            reason = f"steps must be in the order of time, got {text} after {before.isoformat()}"
            found.refuse(RefusalKind.BAD_TIME, reason, STEPS, number)
        before = moment or before
