"""Repeat the decisions of an attempt on its replayed screens, as far as they follow from what a bundle holds.

Our agents without a model decide again. For the formats of our prompts, the model's recorded outputs are
parsed again with the screens' trees.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from execution_runner.devices.device import Observation
from execution_runner.environments.environment import StepResult
from execution_runner.execution_records import ExecutionRun, StepRecord
from execution_runner.execution_view import ExecutionView
from fingertip_agents.execution_agent import Decision, ExecutionAgent, PastStep, ScreenInput
from fingertip_agents.model_agent import Format
from fingertip_agents.parsing.reading import choose_scored_text
from fingertip_agents.query_agent import query_agent
from fingertip_agents.registry import current_execution_name, get_execution_agent, list_repeatable_executors
from fingertip_agents.setup import AgentSetup
from fingertip_dataset.actions import Ask, Wait, format_action, parse_action
from fingertip_dataset.errors import UsageError
from fingertip_dataset.tasks.task import ExecutionInput
from fingertip_leaderboard.bundle.bundle_files import BUNDLE
from fingertip_leaderboard.bundle.refusal import RefusalKind, Refusals
from fingertip_leaderboard.verify.step_reading import blank_png
from fingertip_models.messages import Language


def make_deterministic_agent(
    run: ExecutionRun, simulations: Mapping[str, Mapping[str, Any]], found: Refusals
) -> ExecutionAgent | None:
    """The run's agent, if its decisions follow from the task and the screen's tree alone; else None.

    These are our own agents without a model, those that ask among them. Agents of installed packages are
    never run. The name of one of ours with settings that it does not have is refused, so that nobody's
    decisions bear it unchecked.

    Args:
        run: The run.
        simulations: Task id -> setup of its simulated phone; empty on recordings.
        found: Gets a refusal if our agent cannot have made the run: it cannot be constructed for the dataset,
            or its settings are others.
    """
    name = current_execution_name(run.agent.name)
    if name not in list_repeatable_executors():
        return None
    try:
        seed = AgentSetup.read_seed(run.agent.settings)
        agent = get_execution_agent(name, AgentSetup(simulations=simulations, seed=seed))
    except UsageError as error:
        reason = f"decisions of {name} cannot be repeated: {error.message}"
        found.refuse(RefusalKind.WRONG_READING, reason, BUNDLE)
        return None
    if dict(agent.settings) != dict(run.agent.settings):
        reason = (
            f"expected the settings of {name} in this version, got others: its decisions cannot be repeated; "
            "make the run again with this version, or give the agent another name"
        )
        found.refuse(RefusalKind.WRONG_READING, reason, BUNDLE)
        return None
    return agent


class DecisionCheck(Protocol):
    """Compares the steps of one attempt, in order, with decisions on its replayed screens."""

    def problem(self, step: StepRecord, seen: Observation) -> str:
        """Describe the problem of a step on this screen; "" for a right step."""

    def add(self, step: StepRecord, done: StepResult) -> None:
        """Add a step that was carried out."""


class ReparsedOutputs:
    """The recorded outputs of one attempt, parsed again with the tree of the screen that each was given for.

    Args:
        form: The run's output format.
        language: Language of the run's prompts.
        view: Parts that the agent got.
        task_input: The task.
    """

    def __init__(
        self, form: Format, language: Language, view: ExecutionView, task_input: ExecutionInput
    ) -> None:
        self._form = form
        self._language = language
        self._view = view
        self._task_input = view.show_task(task_input)
        self._past: list[PastStep] = []
        self._left: list[tuple[str, str]] = []

    def problem(self, step: StepRecord, seen: Observation) -> str:
        """Compare a step with its output, or with the rest of the output before; "" if they are equal.

        Raises:
            FingerTipError: The format does not support this screen.
        """
        if not self._left:
            screen = ScreenInput(
                screenshot=blank_png(seen.size), tree=seen.tree, size=seen.size, package=seen.package
            )
            past = tuple(self._view.show_past(self._past))
            prepared = self._form.prepare(
                self._task_input, self._view.show_screen(screen), past, self._language
            )
            reading = prepared.read(step.output)
            if not reading.actions:
                expected = (format_action(Wait()), choose_scored_text(step.output))
                same = (step.action, step.written) == expected and step.problem is not None
                return "" if same else f"the output cannot be parsed, got {step.action}"
            spelled = [format_action(action) for action in reading.actions]
            self._left = list(zip(spelled, reading.raw or spelled, strict=True))
        elif step.output != self._past[-1].output:
            return f"the output before also says {self._left[0][0]}, got another output"
        action, written = self._left.pop(0)
        if (step.action, step.written) == (action, written) and step.problem is None:
            return ""
        return f"the output says {written}, got {step.written!r:.200}"

    def add(self, step: StepRecord, done: StepResult) -> None:
        """Add a step to the past that the next prompt shows."""
        self._past.append(_past_step(step))
        self._task_input = _hear_reply(self._task_input, step, done)


class RepeatedAgent:
    """The decisions of an agent on the screens of one attempt.

    Args:
        agent: A deterministic agent, which gives one action per decision.
        view: Parts that the agent got.
        task_input: Its task.
        before: Steps that are taken as done before the first screen.
    """

    def __init__(
        self,
        agent: ExecutionAgent,
        view: ExecutionView,
        task_input: ExecutionInput,
        before: Sequence[PastStep] = (),
    ) -> None:
        self._agent = agent
        self._view = view
        self._task_input = view.show_task(task_input)
        self._past = list(before)

    def decide(self, seen: Observation) -> Decision:
        """The agent's decision on a screen, after the steps that were added.

        Raises:
            FingerTipError: The agent cannot decide on this screen.
        """
        screen, past = self._view.show_screen(seen), self._view.show_past(self._past)
        return query_agent(self._agent, self._task_input, screen, past)

    def problem(self, step: StepRecord, seen: Observation) -> str:
        """Compare a step with the agent's decision on the screen before it; "" if they are equal.

        Raises:
            FingerTipError: The agent cannot decide on this screen.
        """
        decision = self.decide(seen)
        action = format_action(decision.actions[0])
        written = decision.raw[0] if decision.raw else action
        if (step.action, step.written, step.output) == (action, written, decision.output):
            return ""
        return f"{self._agent.name} decides {decision.output!r:.200} here, got {step.output!r:.200}"

    def add(self, step: StepRecord, done: StepResult) -> None:
        """Add a step, or what an environment takes as done in its place, to the agent's past."""
        self._past += (*(done.past or (_past_step(step),)), *done.skipped)
        self._task_input = _hear_reply(self._task_input, step, done)


def _hear_reply(task_input: ExecutionInput, step: StepRecord, done: StepResult) -> ExecutionInput:
    """The task with a question and its reply, as the runner shows it from then on."""
    action = parse_action(step.action)
    if done.reply is None or not isinstance(action, Ask):
        return task_input
    return replace(task_input, dialogue=(*task_input.dialogue, (action.text, done.reply.text)))


def _past_step(step: StepRecord) -> PastStep:
    written = step.action if step.problem is None else step.output
    return PastStep(
        action=parse_action(step.action), written=written, output=step.output, thought=step.thought
    )
