"""Track 2: check that the lines of an attempt follow the rules of the runner's loop."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import floor

from execution_runner.execution_log import Attempt
from execution_runner.execution_records import STEPS, StepRecord
from fingertip_dataset.tasks.task import FINISHED
from fingertip_leaderboard.bundle.refusal import RefusalKind, Refusals
from fingertip_runs.device_kinds import DEVICE_KINDS, DeviceKindName

ERRORS = ("device_error", "agent_error")

Problem = tuple[RefusalKind, str]
"""Kind and reason of a refusal."""


def check_attempt(
    attempt: Attempt, number: int, device: DeviceKindName, limit: float, found: Refusals
) -> None:
    """Refuse an attempt that the runner's loop cannot have produced.

    Args:
        attempt: The attempt.
        number: Line number of its end.
        device: Kind of device that ran it.
        limit: Step limit, 2.5 x the golden steps.
        found: Collects the refusals.
    """
    for kind, reason in [
        *_steps(attempt, limit),
        *_ending(attempt, device, limit),
        *_step_problems(attempt.steps, device),
        *_success(attempt, device),
        *_gaps(attempt, device),
    ]:
        found.refuse(kind, reason, STEPS, number)


def _steps(attempt: Attempt, limit: float) -> Iterator[Problem]:
    most, steps = floor(limit) + 1, len(attempt.steps)
    if steps > most:
        yield (
            RefusalKind.IMPOSSIBLE_STEPS,
            f"expected at most {most} steps, where an agent is stopped, got {steps}",
        )
    if steps == 0 and attempt.end.outcome not in ERRORS:
        yield (
            RefusalKind.IMPOSSIBLE_STEPS,
            f"expected steps of an attempt that ended as {attempt.end.outcome}, got 0",
        )
    if attempt.end.outcome == "terminated" and steps > limit:
        yield (
            RefusalKind.IMPOSSIBLE_STEPS,
            f"expected truncated beyond {limit:g} steps, got terminated after {steps}",
        )
    if attempt.end.outcome == "truncated" and steps <= limit:
        yield (
            RefusalKind.IMPOSSIBLE_STEPS,
            f"expected truncated beyond {limit:g} steps alone, got it after {steps}",
        )


def _ending(attempt: Attempt, device: DeviceKindName, limit: float) -> Iterator[Problem]:
    if not attempt.steps:
        return
    last, outcome = attempt.steps[-1], attempt.end.outcome
    # a recording may also end after its last screen; `check_recorded` checks that case
    if outcome == "terminated" and not DEVICE_KINDS[device].recorded and last.action != FINISHED:
        yield (
            RefusalKind.WRONG_OUTCOME,
            f"expected {FINISHED} at the end of a terminated attempt, got {last.action}",
        )
    if outcome != "terminated" and last.action == FINISHED and last.performed and len(attempt.steps) <= limit:
        yield RefusalKind.WRONG_OUTCOME, f"expected terminated after {FINISHED}, got {outcome}"
    if (outcome == "blocked") != (last.verdict == "deny"):
        yield (
            RefusalKind.WRONG_OUTCOME,
            f"expected blocked by a denied action alone, got {outcome}, {last.verdict}",
        )
    if outcome == "off_trace" and not DEVICE_KINDS[device].ends_off_trace:
        yield RefusalKind.WRONG_OUTCOME, f"expected off_trace on a replay alone, got it on {device}"


def _step_problems(steps: Sequence[StepRecord], device: DeviceKindName) -> Iterator[Problem]:
    kind = DEVICE_KINDS[device]
    for place, step in enumerate(steps, start=1):
        if (step.on_trace is None) == kind.recorded and not (step.on_trace is None and not step.performed):
            yield (
                RefusalKind.WRONG_OUTCOME,
                f"expected on_trace on recordings alone, got {step.on_trace} at step {place}",
            )
        if step.verdict == "deny" and step.performed:
            yield (
                RefusalKind.WRONG_OUTCOME,
                f"expected a denied action not performed, got it performed at step {place}",
            )
    for place, step in enumerate(steps[:-1], start=1):
        if step.action == FINISHED and kind.own_trajectory:
            yield RefusalKind.WRONG_OUTCOME, f"expected the end after {FINISHED}, got more at step {place}"
        if step.verdict == "deny":
            yield (
                RefusalKind.WRONG_OUTCOME,
                f"expected the end after a denied action, got more at step {place}",
            )
        if not kind.recorded and not step.performed:
            yield (
                RefusalKind.WRONG_OUTCOME,
                f"expected an action that was performed, got none at step {place}",
            )


def _success(attempt: Attempt, device: DeviceKindName) -> Iterator[Problem]:
    if attempt.end.success is None:
        return
    if not DEVICE_KINDS[device].success_by_rule:
        yield (
            RefusalKind.WRONG_SUCCESS,
            f"expected a rule of success on a simulated phone alone, got one on {device}",
        )
    if attempt.end.outcome in ERRORS:
        yield (
            RefusalKind.WRONG_SUCCESS,
            f"expected no success said of an attempt that ended as {attempt.end.outcome}, got it",
        )


def _gaps(attempt: Attempt, device: DeviceKindName) -> Iterator[Problem]:
    if attempt.end.gaps and not DEVICE_KINDS[device].recorded:
        yield (
            RefusalKind.WRONG_OUTCOME,
            "expected steps without a screen on recordings alone, got some on a phone",
        )
