"""Query an agent and validate its decision; malformed output becomes a ModelError."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import isfinite
from typing import get_args

from fingertip_agents.agent_crash import describe_crash
from fingertip_agents.execution_agent import Decision, ExecutionAgent, PastStep, ScreenInput
from fingertip_dataset.actions import Action, canonical, format_action
from fingertip_dataset.errors import NO_MEMORY, ModelError, UsageError, is_memory_shortage
from fingertip_dataset.tasks.task import ExecutionInput

KINDS: tuple[type, ...] = get_args(Action)
"""Classes of actions."""


def query_agent(
    agent: ExecutionAgent, task_input: ExecutionInput, screen: ScreenInput, past: Sequence[PastStep]
) -> Decision:
    """The agent's decision, validate_json and encodable as UTF-8.

    Raises:
        ModelError: The agent fails, or returns something other than a valid decision.
        UsageError: The agent lacks something that it needs for every task, or the memory ran out.
    """
    try:
        decision = agent.act(task_input, screen, tuple(past))
        wrong = _find_fault(decision)
        if not wrong:
            return _make_writable(decision)
    # one line already, and a UsageError must end the run instead of the attempt
    except (ModelError, UsageError):
        raise
    except Exception as error:
        if is_memory_shortage(error):
            # the memory is shared with the phone: the attempt has no end, as after a crash
            raise UsageError(NO_MEMORY) from error
        raise ModelError(
            f"agent {agent.name} failed: {describe_crash(error)}",
            episode_id=task_input.task_id,
        ) from error
    raise ModelError(f"agent {agent.name} returned no valid decision: {wrong}", episode_id=task_input.task_id)


def _find_fault(decision: object) -> str:
    """Return the fault of an agent's return value; "" if it is valid."""
    # agents are third-party code: their return values are checked as input
    if not isinstance(decision, Decision):
        return type(decision).__name__
    actions: tuple[object, ...] = decision.actions
    for action in actions:
        if not isinstance(action, KINDS):
            return f"an action that is {type(action).__name__}"
    seconds = decision.seconds or 0.0
    if not (isfinite(seconds) and seconds >= 0):
        return f"{decision.seconds} seconds"
    if decision.raw and [canonical(raw) for raw in decision.raw] != [
        format_action(action) for action in decision.actions
    ]:
        return f"a raw text that is not its action: {decision.raw!r:.200}"
    notes: object = decision.notes
    if not isinstance(notes, tuple) or not all(isinstance(note, str) for note in notes):
        return f"notes that are no texts: {notes!r:.200}"
    counts: tuple[object, ...] = (
        decision.prompt_tokens or 0,
        decision.completion_tokens or 0,
        decision.queries or 0,
    )
    for count in counts:
        if not isinstance(count, int) or count < 0:
            return f"a count of {count!r}"
    return ""


def _make_writable(decision: Decision) -> Decision:
    """The decision without lone surrogates, which broken output may hold and UTF-8 cannot encode."""
    problem, actions, raw = decision.problem, decision.actions, decision.raw
    if any(not _is_utf8(text) for text in (*(format_action(action) for action in actions), *raw)):
        actions, raw, problem = (), (), "expected text that UTF-8 can hold, got half of a surrogate pair"
    if not actions and problem is None:
        problem = "expected an action, got none"
    return replace(
        decision,
        actions=actions,
        raw=raw,
        problem=None if problem is None else _clean(problem),
        output=_clean(decision.output),
        thought=_clean(decision.thought),
        notes=tuple(map(_clean, decision.notes)),
    )


def _is_utf8(text: str) -> bool:
    return _clean(text) == text


def _clean(text: str) -> str:
    return text.encode("utf-8", "replace").decode()
