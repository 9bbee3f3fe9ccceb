"""Track 2: check that the lines of an attempt follow the rules of the runner's loop, in the order of time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import floor

from execution_runner.execution_log import Attempt
from execution_runner.execution_records import ERRORS, STEPS, ExecutionRun, StepRecord
from execution_runner.scoring.task_scores import list_acts
from fingertip_dataset.actions import Ask, Type, is_finished, parse_action
from fingertip_dataset.errors import ActionSyntaxError
from fingertip_dataset.tasks.task import FINISHED
from fingertip_leaderboard.bundle.refusal import RefusalKind, Refusals
from fingertip_leaderboard.verify.checks.stated_moments import Clock
from fingertip_runs.device_kinds import DEVICE_KINDS, DeviceKindName
from simulated_phone.dialogue.person_answers import MOST_PATIENCE

UNPERFORMED = ("blocked", "device_error")
"""Outcomes of attempts on a phone whose last action may not have been performed."""

Problem = tuple[RefusalKind, str]
"""Kind and reason of a refusal."""


def check_attempt(attempt: Attempt, number: int, run: ExecutionRun, limit: float, found: Refusals) -> None:
    """Refuse an attempt that the runner's loop cannot have produced.

    Args:
        attempt: The attempt.
        number: Line number of its end.
        run: Its run: the kind of device, and the number of attempts that it allows.
        limit: Step limit, 2.5 x the golden steps.
        found: Collects the refusals.
    """
    device = run.device
    checks = (
        # the best of many attempts, and steps beyond those that everybody else has
        (RefusalKind.IMPOSSIBLE_STEPS, _check_number(attempt, run)),
        (RefusalKind.IMPOSSIBLE_STEPS, _check_number_of_steps(attempt, limit)),
        # an end that looks better than what its steps led to
        (RefusalKind.WRONG_OUTCOME, _check_ending(attempt, device, limit)),
        (RefusalKind.WRONG_OUTCOME, _check_each_step(attempt.steps, device)),
        # success by a rule where no rule decides
        (RefusalKind.WRONG_SUCCESS, _check_success_label(attempt, device)),
        # steps that would be left out of a score
        (RefusalKind.WRONG_OUTCOME, _check_gaps(attempt, device)),
        # steps that count in no limit because they are questions
        (RefusalKind.WRONG_REPLY, _check_conversation(attempt, run)),
    )
    for kind, reasons in checks:
        for reason in reasons:
            found.refuse(kind, reason, STEPS, number)


def check_step_times(attempt: Attempt, number: int, clock: Clock, found: Refusals) -> None:
    """Refuse times that are malformed, in the future, or before the previous step."""
    before = None
    for text in [*(step.at for step in attempt.steps), attempt.end.at]:
        moment = clock.read(text, STEPS, number)
        if before is not None and moment is not None and moment < before:
            reason = f"steps must be in the order of time, got {text} after {before.isoformat()}"
            found.refuse(RefusalKind.BAD_TIME, reason, STEPS, number)
        before = moment or before


def _check_number(attempt: Attempt, run: ExecutionRun) -> Iterator[str]:
    if attempt.end.attempt > run.most_attempts:
        starts = len(run.sessions)
        yield (
            f"expected at most {run.most_attempts} attempts at a task with {run.retries} retries and "
            f"{starts} start{'s' if starts > 1 else ''} of the run, got attempt {attempt.end.attempt}"
        )


def _check_conversation(attempt: Attempt, run: ExecutionRun) -> Iterator[str]:
    if run.answered_by:
        yield from _check_answered(attempt)
        return
    for place, step in enumerate(attempt.steps, start=1):
        if step.reply is not None:
            yield f"nobody answers the agent in this run, got a reply at step {place}"
    if attempt.end.dialogue is not None:
        yield "nobody answers the agent in this run, got the questions of an attempt"


def _check_answered(attempt: Attempt) -> Iterator[str]:
    """Contradictions of questions and replies among themselves; their content is replayed elsewhere."""
    end, steps = attempt.end, attempt.steps
    for place, step in enumerate(steps, start=1):
        asks = _is_question(step)
        if step.reply is not None and not asks:
            yield f"only a question has a reply, got one to {step.action:.100} at step {place}"
        if asks and step.performed and step.reply is None:
            yield f"the question at step {place} has no reply"
        if step.reply is not None and step.reply.kind == "out_of_patience" and place < len(steps):
            yield f"the attempt goes on after the person's patience ended at step {place}"
    last = steps[-1].reply.kind if steps and steps[-1].reply is not None else ""
    if (end.outcome == "out_of_patience") != (last == "out_of_patience"):
        yield f"out_of_patience is the end after such a reply, got {end.outcome} after {last or 'none'}"
    questions = sum(step.reply is not None for step in steps)
    if questions > MOST_PATIENCE + 1:
        yield f"a person answers at most {MOST_PATIENCE} questions, got {questions} replies"
    if (end.dialogue is None) != (end.outcome in ERRORS):
        expected, got = ("no", "some") if end.outcome in ERRORS else ("the", "none")
        yield f"expected {expected} questions of an attempt that ended as {end.outcome}, got {got}"


def _is_question(step: StepRecord) -> bool:
    try:
        return isinstance(parse_action(step.action), Ask)
    except ActionSyntaxError:
        return False


def _check_number_of_steps(attempt: Attempt, limit: float) -> Iterator[str]:
    most, steps = floor(limit) + 1, len(list_acts(attempt.steps))
    if steps > most:
        yield f"an agent is stopped after {most} steps, got {steps}"
    if not attempt.steps and attempt.end.outcome not in ERRORS:
        yield f"an attempt that ended as {attempt.end.outcome} must have steps, got 0"
    if attempt.end.outcome == "terminated" and steps > limit:
        yield f"an attempt of more than {limit:g} steps is truncated, got terminated after {steps}"
    if attempt.end.outcome == "truncated" and steps <= limit:
        yield f"only an attempt of more than {limit:g} steps is truncated, got truncated after {steps}"
    if attempt.end.outcome in ERRORS and steps > limit and _ended_by_its_action(attempt):
        yield f"expected truncated beyond {limit:g} steps, got {attempt.end.outcome} after {steps}"


def _ended_by_its_action(attempt: Attempt) -> bool:
    """Whether the last action of an attempt beyond the limit was carried out, which ends it as truncated."""
    return attempt.steps[-1].performed or attempt.end.outcome == "agent_error"


def _check_ending(attempt: Attempt, device: DeviceKindName, limit: float) -> Iterator[str]:
    outcome = attempt.end.outcome
    if attempt.end.wrong_app is not None and outcome != "blocked":
        yield f"only a blocked attempt was stopped in another app, got {outcome}"
    if not attempt.steps:
        return
    last = attempt.steps[-1]
    # a recording may also end after its last screen; `check_recorded` checks that case
    if outcome == "terminated" and not DEVICE_KINDS[device].recorded and not is_finished(last.action):
        yield f"a terminated attempt must end with {FINISHED}, got {last.action}"
    acts = len(list_acts(attempt.steps))
    finished = is_finished(last.action) and last.performed and acts <= limit
    if outcome != "terminated" and finished:
        yield f"expected terminated after {FINISHED}, got {outcome}"
    if (outcome == "blocked") != (last.verdict == "deny"):
        yield f"blocked means that the last action was denied: got {outcome}, {last.verdict}"
    may_fail = DEVICE_KINDS[device].recorded or may_be_unperformed(last)
    if not last.performed and not may_fail and outcome not in UNPERFORMED:
        yield f"the last action of an attempt that ended as {outcome} must be performed"
    if outcome == "off_trace" and not DEVICE_KINDS[device].ends_off_trace:
        yield f"off_trace occurs only on a replay, got it on {device}"


def _check_each_step(steps: Sequence[StepRecord], device: DeviceKindName) -> Iterator[str]:
    kind = DEVICE_KINDS[device]
    for place, step in enumerate(steps, start=1):
        if (step.on_trace is None) == kind.recorded and not (step.on_trace is None and not step.performed):
            yield f"on_trace occurs on recordings, and only there: got {step.on_trace} at step {place}"
        if step.state_sha256 is not None and not kind.simulated:
            yield f"only a simulated phone has states, got one at step {place}"
        if step.verdict == "deny" and step.performed:
            yield f"a denied action was performed at step {place}"
    for place, step in enumerate(steps[:-1], start=1):
        if is_finished(step.action) and kind.own_trajectory:
            yield f"{FINISHED} at step {place} is not the last step"
        if step.verdict == "deny":
            yield f"the denied action at step {place} is not the last step"
        if not kind.recorded and not step.performed and not may_be_unperformed(step):
            yield f"the action at step {place} was not performed"


def may_be_unperformed(step: StepRecord) -> bool:
    """Whether an attempt on a phone goes on after such a step although it was not performed.

    It does after text without a field that has the focus, and after a question that nobody answers.
    """
    try:
        return step.verdict != "deny" and isinstance(parse_action(step.action), Type | Ask)
    except ActionSyntaxError:
        return False


def _check_success_label(attempt: Attempt, device: DeviceKindName) -> Iterator[str]:
    if attempt.end.success is None:
        return
    if not DEVICE_KINDS[device].success_by_rule:
        yield f"a rule of success exists only on simulated phones, got one on {device}"
    if attempt.end.outcome in ERRORS:
        yield f"an attempt that ended as {attempt.end.outcome} has no success, got one"


def _check_gaps(attempt: Attempt, device: DeviceKindName) -> Iterator[str]:
    if attempt.end.gaps and not DEVICE_KINDS[device].recorded:
        yield "steps without a screen occur only on recordings, got some on a phone"
