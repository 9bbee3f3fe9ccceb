"""The record of an attached agent's run, whose steps are what the phone saw of it."""

from __future__ import annotations

from collections.abc import Iterator

from execution_runner.execution_records import ExecutionRun
from fingertip_agents.registry import current_execution_name, execution_agent_names
from fingertip_runs.device_kinds import DEVICE_KINDS

REAL_CLOCK, STILL_CLOCK = {"clock": "real"}, {"clock": "still"}
CLOCKS = (REAL_CLOCK, STILL_CLOCK)
"""Settings that an attached agent can have: nothing else is known of it."""


def list_attached_contradictions(run: ExecutionRun) -> Iterator[str]:
    """Contradictions in the record of an attached agent's run."""
    if not run.attached:
        return
    if not DEVICE_KINDS[run.device].simulated:
        yield f"an attached agent drives the simulated phone, got {DEVICE_KINDS[run.device].command_title}"
    if current_execution_name(run.agent.name) in execution_agent_names():
        yield f"{run.agent.name} is an agent that `fingertip execute` runs, not an attached one"
    if dict(run.agent.settings) not in CLOCKS:
        yield "nothing but the phone's clock is known of an attached agent, got other settings"
    if run.retries:
        yield f"an attached agent has one attempt at a task, got {run.retries} retries"
