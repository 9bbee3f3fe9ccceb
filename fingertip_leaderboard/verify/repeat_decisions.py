"""Repeat the decisions of our deterministic agents, and compare them with an attempt's steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from execution_runner.devices.device import Observation
from execution_runner.environments.environment import StepResult
from execution_runner.execution_records import ExecutionRun, StepRecord
from fingertip_agents.execution_agent import ExecutionAgent, PastStep, ScreenInput
from fingertip_agents.query_agent import query_agent
from fingertip_agents.registry import baseline_names, get_execution_agent
from fingertip_agents.setup import AgentSetup
from fingertip_dataset.actions import format_action, parse_action
from fingertip_dataset.errors import UsageError
from fingertip_dataset.tasks.task import ExecutionInput
from fingertip_leaderboard.bundle.refusal import Refusals


def deterministic_agent(
    run: ExecutionRun, simulations: Mapping[str, Mapping[str, Any]], found: Refusals
) -> ExecutionAgent | None:
    """The run's agent, if its decisions follow from the task and the screen's tree alone; else None.

    These are our own agents without a model. Agents of installed packages are never run.

    Args:
        run: The run.
        simulations: Task id -> setup of its simulated phone; empty on recordings.
        found: Gets a remark if the agent's settings are not those of this version.
    """
    name = run.agent.name
    if name not in baseline_names("execution"):
        return None
    try:
        agent = get_execution_agent(name, AgentSetup(simulations=simulations))
    except UsageError as error:
        found.remark(f"decisions of {name} are not repeated: {error.message}")
        return None
    if dict(agent.settings) != dict(run.agent.settings):
        found.remark(f"settings of {name} are not those of this version: its decisions are not repeated")
        return None
    return agent


class RepeatedAgent:
    """The decisions of an agent on the screens of one attempt.

    Args:
        agent: A deterministic agent, which gives one action per decision.
        task_input: Its task.
        before: Steps that are taken as done before the first screen.
    """

    def __init__(
        self, agent: ExecutionAgent, task_input: ExecutionInput, before: Sequence[PastStep] = ()
    ) -> None:
        self._agent = agent
        self._task_input = task_input
        self._past = list(before)

    def problem(self, step: StepRecord, seen: Observation) -> str:
        """Compare a step with the agent's decision on the screen before it; "" if they are equal.

        Raises:
            FingerTipError: The agent cannot decide on this screen.
        """
        screen = ScreenInput(screenshot=seen.screenshot, tree=seen.tree, size=seen.size, package=seen.package)
        decision = query_agent(self._agent, self._task_input, screen, self._past)
        action = format_action(decision.actions[0])
        written = decision.raw[0] if decision.raw else action
        if (step.action, step.written, step.output) == (action, written, decision.output):
            return ""
        return f"{self._agent.name} decides {decision.output!r:.200} here, got {step.output!r:.200}"

    def add(self, step: StepRecord, done: StepResult) -> None:
        """Add a step, or what an environment takes as done in its place, to the agent's past."""
        own = PastStep(
            action=parse_action(step.action), written=step.action, output=step.output, thought=step.thought
        )
        self._past += (*(done.past or (own,)), *done.skipped)
