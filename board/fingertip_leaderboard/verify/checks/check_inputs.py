"""Check the agent's inputs as far as a bundle records them: as in the dataset, and without the target.

A bundle has no prompts, so the full input of an agent cannot be checked. Its recorded parts are compared with
the dataset: the numbers of earlier intents and screens, the reference, and whether the agent's settings
(which may hold a prompt) or the submitter's description contain a target.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

from execution_runner.execution_log import Attempt
from execution_runner.execution_records import STEPS, ExecutionRun
from fingertip_dataset.tasks.task import ExecutionTask, SuggestionTask
from fingertip_leaderboard.bundle.bundle_files import BUNDLE
from fingertip_leaderboard.bundle.refusal import RefusalKind, Refusals
from fingertip_leaderboard.bundle.schema import Bundle
from fingertip_runs.device_kinds import DEVICE_KINDS
from suggestion_runner.prediction_log import PREDICTIONS
from suggestion_runner.suggestion_records import Prediction

LONG = 10
"""Minimum characters of an intent for a match to be unlikely by chance."""

DISTINCT = 2
"""Minimum number of actions with a point or a text for a match to be unlikely by chance."""


def check_suggestion_input(
    line: Prediction, number: int, task: SuggestionTask, screenshots: int, found: Refusals
) -> None:
    """Refuse another number of earlier intents than the task has, or more screens than the run's setting."""
    earlier = len(task.input.previous_intents)
    if line.shown_intents != earlier:
        reason = f"expected {earlier} earlier intents shown, got {line.shown_intents}"
        found.refuse(RefusalKind.IMPOSSIBLE_HISTORY, reason, PREDICTIONS, number)
    if line.shown_screenshots > screenshots:
        reason = f"expected at most {screenshots} screens shown, got {line.shown_screenshots}"
        found.refuse(RefusalKind.IMPOSSIBLE_HISTORY, reason, PREDICTIONS, number)


def check_execution_input(
    attempt: Attempt, number: int, task: ExecutionTask, run: ExecutionRun, found: Refusals
) -> None:
    """Refuse another reference than the run shows, and a reason, which may hold the person's action."""
    end, device = attempt.end, run.device
    reference = run.view.show_task(task.input).reference
    expected = reference.episode_id if reference else None
    if end.reference_id == end.task_id:
        reason = "the reference is the task's own episode"
        found.refuse(RefusalKind.TARGET_LEAKED, reason, STEPS, number)
    elif end.reference_id != expected:
        reason = f"expected the reference {expected}, got {end.reference_id!r}"
        found.refuse(RefusalKind.WRONG_REFERENCE, reason, STEPS, number)
    if end.reason and DEVICE_KINDS[device].recorded:
        reason = "an end on recordings has no reason: it would reveal the person's action"
        found.refuse(RefusalKind.TARGET_LEAKED, reason, STEPS, number)
    elif end.reason:
        reason = "an end has no reason in a bundle: it may hold a path or a serial"
        found.refuse(RefusalKind.SCHEMA, reason, STEPS, number)


def check_settings(
    bundle: Bundle, intents: Iterable[str], trajectories: Iterable[tuple[str, ...]], found: Refusals
) -> None:
    """Refuse agent settings or a description that contain a target.

    Args:
        bundle: Bundle with the agent's settings, which may hold a prompt.
        intents: True intents, on track 1.
        trajectories: Golden actions, on track 2.
        found: Collects the refusals.
    """
    words = chain(_list_strings(bundle.run.agent.settings), [bundle.card.description])
    text = "\n".join(words)
    for intent in intents:
        if len(intent) >= LONG and intent in text:
            reason = f"the settings contain an intent of the test: {intent!r}"
            found.refuse(RefusalKind.TARGET_LEAKED, reason, BUNDLE)
    for trajectory in trajectories:
        distinct = {action for action in trajectory if "'" in action or "," in action}
        if len(distinct) >= DISTINCT and all(action in text for action in distinct):
            reason = f"the settings contain all golden actions of a task: {sorted(distinct)[0]!r}, ..."
            found.refuse(RefusalKind.TARGET_LEAKED, reason, BUNDLE)


def _list_strings(value: object) -> Iterator[str]:
    """All strings in a JSON value, including names."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            yield name
            yield from _list_strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _list_strings(inner)
