"""Likeness of a run to one of our agents without a model: the share of tasks, the seeds, and the remark."""

from __future__ import annotations

from collections.abc import Sequence

from execution_runner.execution_records import ExecutionRun
from fingertip_agents.setup import AgentSetup
from fingertip_leaderboard.bundle.refusal import Refusals
from suggestion_runner.suggestion_records import SuggestionRun

SHARE = 0.5
"""Share of tasks with the answers of our agent above which a run gets a remark. Honest models reach 0.34."""


def remark_equal(name: str, same: int, of: int, found: Refusals, *, what: str = "tasks") -> None:
    """Add a remark if most tasks, or what else is compared, have the answers of one of our agents."""
    if same > SHARE * of:
        found.remark(f"equals our agent {name}, which needs no model, on {same} of {of} {what}")


def list_seeds_of_run(run: SuggestionRun | ExecutionRun) -> Sequence[int | None]:
    """Seeds that an agent that draws its answers may have had: none, the first, and the run's own."""
    return tuple(dict.fromkeys((None, 0, AgentSetup.read_seed(run.agent.settings))))
