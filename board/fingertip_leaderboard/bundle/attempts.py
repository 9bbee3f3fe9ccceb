"""Group the lines of a bundle's steps.jsonl into attempts: one task after the other, each with its end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from execution_runner.execution_log import Attempt
from execution_runner.execution_records import SCREENS, STEPS, EndRecord, StepRecord
from fingertip_leaderboard.bundle.refusal import RefusalKind, Refusals


def group_attempts(
    lines: Iterable[tuple[int, StepRecord | EndRecord]], found: Refusals
) -> Iterator[tuple[int, Attempt]]:
    """Group records into attempts, each with the line number of its end, counted from 1.

    A run's log may hold attempts that were interrupted or retried, and interleaved lines of several tasks. A
    bundle holds only the final attempt of each task: its steps from 1 on, then its end.

    Args:
        lines: Records with their line numbers.
        found: Collects the refusals: lines in another order, and ends that contradict their steps.
    """
    steps: list[StepRecord] = []
    number = 0
    for number, line in lines:
        if isinstance(line, StepRecord):
            reason = _find_disorder(line, steps)
            if reason:
                found.refuse(RefusalKind.CONTRADICTION, reason, STEPS, number)
            steps.append(line)
            continue
        attempt = Attempt(end=line, steps=tuple(steps))
        steps = []
        for reason in _find_wrong_end(attempt):
            found.refuse(RefusalKind.CONTRADICTION, reason, STEPS, number)
        yield number, attempt
    if steps:
        reason = f"attempt {steps[-1].attempt} has no end"
        found.refuse(RefusalKind.CONTRADICTION, reason, STEPS, number)


def list_screens(attempt: Attempt) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The screens that an attempt names, each with its allowed names."""
    end = attempt.end
    folder = f"{SCREENS}/{end.task_id}/{end.attempt}"
    for step in attempt.steps:
        name = f"{folder}/{step.step:03}"
        if step.screenshot is not None:
            yield step.screenshot, _pictures(name)
        if step.tree is not None:
            yield step.tree, (f"{name}.xml",)
    if end.final_screenshot is not None:
        yield end.final_screenshot, _pictures(f"{folder}/final")


def check_screens(attempts: Iterable[tuple[int, Attempt]], files: Iterable[str], found: Refusals) -> None:
    """Refuse named screens of other steps, missing screens, and screens that no step names.

    Args:
        attempts: Attempts, each with the line number of its end.
        files: Names of the bundle's screens.
        found: Collects the refusals.
    """
    there, named = set(files), set()
    for line, attempt in attempts:
        for name, allowed in list_screens(attempt):
            named.add(name)
            if name not in allowed:
                reason = f"expected a step's own screen, {' or '.join(allowed)}, got {name!r}"
                found.refuse(RefusalKind.CONTRADICTION, reason, STEPS, line)
            elif name not in there:
                reason = f"the file {name} is missing"
                found.refuse(RefusalKind.MISSING_FILE, reason, STEPS, line)
    for name in sorted(there - named):
        found.refuse(RefusalKind.UNKNOWN_FILE, f"{STEPS} does not name this screen", name)


def _pictures(name: str) -> tuple[str, ...]:
    return f"{name}.png", f"{name}.jpg"


def _find_disorder(step: StepRecord, before: list[StepRecord]) -> str:
    if step.step != len(before) + 1:
        return f"expected step {len(before) + 1} of an attempt, got step {step.step}"
    if before and (step.task_id, step.attempt) != (before[0].task_id, before[0].attempt):
        return "a step of another attempt comes before the end of this one"
    return ""


def _find_wrong_end(attempt: Attempt) -> Iterator[str]:
    end, steps = attempt.end, attempt.steps
    if steps and (end.task_id, end.attempt) != (steps[0].task_id, steps[0].attempt):
        yield "the end is not that of the attempt whose steps come before it"
    if end.steps != len(steps):
        yield f"the end names {end.steps} steps, but there are {len(steps)}"
    if not end.final:
        yield "the attempt is not the final one: it was tried again"
    if (end.success_by == "rule") != (end.success is not None):
        yield "a rule of success is needed where success is known, and only there"
    if end.state is not None and end.success is None:
        yield "progress and side effects are of a rule of success: an end without one has none"
