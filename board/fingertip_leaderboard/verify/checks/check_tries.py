"""Check that the tries of a bundle are tries of one run, whose seeds follow one another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fingertip_agents.setup import AgentSetup
from fingertip_leaderboard.bundle.bundle_files import BUNDLE
from fingertip_leaderboard.bundle.read import ReadBundle
from fingertip_leaderboard.bundle.refusal import RefusalKind, Refusals
from fingertip_runs.repeat_scores import ALIKE
from fingertip_runs.run_record import RunRecord


def check_same_run(read: ReadBundle, found: Refusals) -> None:
    """Refuse tries that differ from the first in more than the seed, or whose seed is not the next one.

    Args:
        read: Records of the bundle.
        found: Collects the refusals.
    """
    first = read.bundle.run
    if reason := find_missing_tries([first, *(one.run for one in read.bundle.tries)]):
        found.refuse(RefusalKind.CONTRADICTION, reason, BUNDLE)
    seed = AgentSetup.read_seed(first.agent.settings)
    for number, one in enumerate(read.bundle.tries, start=1):
        ours, theirs = _list_fields(first), _list_fields(one.run)
        if names := [name for name in {**ours, **theirs} if ours.get(name) != theirs.get(name)]:
            reason = f"{one.name} is of another run than the first try: they differ in {', '.join(names[:3])}"
            found.refuse(RefusalKind.CONTRADICTION, reason, BUNDLE)
        expected = None if seed is None else seed + number
        got = AgentSetup.read_seed(one.run.agent.settings)
        if got != expected:
            reason = f"expected seed {expected} in {one.name}, got {got}"
            found.refuse(RefusalKind.CONTRADICTION, reason, BUNDLE)


def find_missing_tries(tries: Sequence[RunRecord]) -> str:
    """Return that tries are missing of those that a call was to make, in words; "" if none is.

    Each try records when it starts how many there will be, so that bad ones cannot be left out afterwards.
    """
    declared = max((session.repeats for one in tries for session in one.sessions), default=1)
    if len(tries) >= declared:
        return ""
    return f"the run began with --repeats {declared}, got {len(tries)} of its tries: a board takes them all"


def remark_equal_tries(read: ReadBundle, found: Refusals) -> None:
    """Add a remark if a model drew its answers, and all tries have the same ones all the same."""
    if not read.tries or read.bundle.run.agent.settings.get("temperature", 0) == 0:
        return
    first, *others = map(_list_outputs, (read, *read.tries))
    if all(one == first for one in others):
        found.remark(ALIKE)


def _list_outputs(read: ReadBundle) -> dict[str, tuple[str, ...]]:
    """Task id -> the agent's raw outputs."""
    outputs = {one.record.task_id: (one.record.output,) for one in read.suggestions}
    return outputs | {
        one.record.end.task_id: tuple(step.output for step in one.record.steps) for one in read.executions
    }


def _list_fields(run: RunRecord) -> dict[str, Any]:
    """Fields by which two tries are of one run: those of its identity without the seeds of the agent.

    The seed of a sample of tasks stays: other tasks are not another try.
    """
    return {
        name: _drop_seeds(value) if name.startswith("agent.") else value
        for name, value in run.identity().items()
    }


def _drop_seeds(value: object) -> object:
    """A setting without the seeds in it, at any depth: a history model has one as well."""
    if isinstance(value, dict):
        return {name: _drop_seeds(part) for name, part in value.items() if name != "seed"}
    return value
