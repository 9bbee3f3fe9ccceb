"""Attempt at a task: observe, query the agent, check with the gate, act, log; repeated until it ends.

A step's line is written once its action is carried out, after its screenshot and tree. All are on the disk
before the next action; the next observation and query run meanwhile. A crash costs only the attempt: its task
starts again.

An attempt ends as truncated with the step that reaches beyond the step limit, whatever that step is;
an agent that says finished exactly at the limit has terminated. `fingertip_metrics.sr2` draws the same line.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Protocol

from execution_runner.devices.device import Observation
from execution_runner.environments.environment import AttemptEnd, EnvironmentSession, RuleResult, StepResult
from execution_runner.execution_records import SCREENS, EndRecord, StepRecord
from execution_runner.execution_view import EQUATION_2, ExecutionView
from execution_runner.safety.decision import GateDecision
from fingertip_agents.execution_agent import Decision, ExecutionAgent, PastStep
from fingertip_agents.parsing.reading import choose_scored_text
from fingertip_agents.query_agent import query_agent
from fingertip_dataset.actions import Action, Ask, Wait, format_action
from fingertip_dataset.errors import DeviceError, EndpointError, ModelError
from fingertip_dataset.tasks.task import ExecutionTask
from fingertip_dataset.times import now_text
from fingertip_runs.background_writer import BackgroundWriter
from fingertip_runs.input_lines import INPUTS

if TYPE_CHECKING:
    from execution_runner.safety.gate import Gate


class AttemptLog(Protocol):
    """A log that an attempt writes to; `ExecutionLog` is one."""

    def save(self, file: str, content: bytes) -> None:
        """Write a screenshot or a tree; called before the step that names it."""

    def step(self, line: StepRecord) -> None:
        """Write a step."""


DRY_RUN = "a dry run: nothing is carried out"

UNCHECKED = GateDecision(decision="allow", reason="")
"""The verdict without a gate."""


def run_task(
    task: ExecutionTask,
    session: EnvironmentSession,
    agent: ExecutionAgent,
    log: AttemptLog,
    *,
    attempt: int,
    device: str,
    view: ExecutionView = EQUATION_2,
    gate: Gate | None = None,
    dry_run: bool = False,
    stopped: Callable[[], bool] = lambda: False,
) -> EndRecord | None:
    """Makes one attempt at a task.

    Args:
        task: Task with the golden actions, which set the step limit.
        session: Session from `Environment.begin`.
        agent: Agent that decides.
        log: Log that gets a line a step.
        attempt: Number of the attempt, from `log.next_attempt`.
        device: Name of the environment, for the end's line.
        view: Parts of the task and the screens that the agent gets.
        gate: Safety gate, checked before each action; None on a simulated phone or a recording.
        dry_run: Whether one decision is logged and nothing carried out.
        stopped: Whether the run is to stop; called before each step.

    Returns:
        The line of its end, not logged yet, as of a task's final attempt; None if it was stopped.

    Raises:
        EndpointError: The endpoint of the agent's model is dead; the attempt has no end, as after a crash.
        RunError: The log cannot be written.
        UsageError: The agent lacks something that it needs for every attempt.
    """
    with BackgroundWriter() as writer:
        doing = _Attempt(task, session, agent, log, writer, attempt, device, view, gate, dry_run, stopped)
        try:
            end = doing.run()
        except EndpointError:
            doing.settle()
            raise
        except DeviceError as error:
            end = AttemptEnd(outcome="device_error", reason=str(error))
        except ModelError as error:
            end = AttemptEnd(outcome="agent_error", reason=str(error))
        doing.settle()
        return None if end is None else doing.make_end(end)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shown:
    """A screen, the seconds that it took, and its files: the screenshot, and the tree or None."""

    seen: Observation
    seconds: float
    screenshot: str
    tree: str | None


@dataclass(slots=True)
class _Attempt:
    """State of an attempt."""

    task: ExecutionTask
    session: EnvironmentSession
    agent: ExecutionAgent
    log: AttemptLog
    writer: BackgroundWriter
    number: int
    device: str
    view: ExecutionView
    gate: Gate | None
    dry_run: bool
    stopped: Callable[[], bool]
    past: list[PastStep] = field(init=False)
    steps: int = 0
    dialogue: list[tuple[str, str]] = field(default_factory=list)
    written: Future[None] | None = None

    def __post_init__(self) -> None:
        self.past = list(self.session.before())

    def run(self) -> AttemptEnd | None:
        while not self.stopped():
            shown = self._look()
            shown_input = self.view.show_task(self.task.input)
            if self.dialogue:
                shown_input = replace(shown_input, dialogue=tuple(self.dialogue))
            screen, past = self.view.show_screen(shown.seen), self.view.show_past(self.past)
            decision = query_agent(self.agent, shown_input, screen, past)
            end = self._carry_out(decision, shown)
            if end is not None:
                return end
        return None

    def _look(self) -> _Shown:
        """The current screen; its files are written in the background."""
        began = time.perf_counter()
        seen = self.session.observe()
        seconds = time.perf_counter() - began
        name = self._file(f"{self.steps + 1:03}")
        screenshot = name + _ending(seen.screenshot)
        tree = None if seen.tree is None else f"{name}.xml"
        self.writer.submit(self.log.save, screenshot, seen.screenshot)
        if tree is not None and seen.tree is not None:
            self.writer.submit(self.log.save, tree, seen.tree.encode("utf-8", "replace"))
        return _Shown(seen=seen, seconds=seconds, screenshot=screenshot, tree=tree)

    def _file(self, name: str) -> str:
        return f"{SCREENS}/{self.task.input.task_id}/{self.number}/{name}"

    def _carry_out(self, decision: Decision, shown: _Shown) -> AttemptEnd | None:
        """The actions of a decision; the gate needs a new observation before the second one."""
        # output without an action costs a step in which nothing is done
        for number, action in enumerate(decision.actions or (Wait(),)):
            if number:
                shown = self._look()
                # one query made all actions: only the first step has its time, tokens and notes
                decision = replace(
                    decision, seconds=0.0, prompt_tokens=0, completion_tokens=0, queries=0, notes=()
                )
            raw = decision.raw[number] if decision.raw else None
            done = self._step(decision, action, raw, shown)
            if done.end is not None:
                return done.end
            # the decision's next actions are for a screen that does not come
            if done.on_trace is False:
                return None
        return None

    def _step(self, decision: Decision, action: Action, raw: str | None, shown: _Shown) -> StepResult:
        """Check an action by the gate, carry it out, and log it."""
        spelled = format_action(action)
        written = (raw or spelled) if decision.actions else choose_scored_text(decision.output)
        self.steps += 1
        write = partial(self._write, decision, shown, spelled, written, at=_now())
        self.settle()
        verdict = UNCHECKED
        if self.gate is not None:
            task_input = self.task.input
            verdict = self.gate.check(action, shown.seen, task_input.app, intent=task_input.intent)
        if verdict.decision == "deny" or self.dry_run:
            write(verdict, StepResult(performed=False))
            denied = AttemptEnd(outcome="blocked", reason=verdict.reason)
            dry = AttemptEnd(outcome="truncated", reason=DRY_RUN)
            return StepResult(end=denied if verdict.decision == "deny" else dry)
        began = time.perf_counter()
        try:
            done = self.session.step(action)
        except DeviceError:
            # the step counts, though the phone may not have performed it
            write(verdict, StepResult(performed=False), seconds=time.perf_counter() - began)
            raise
        write(verdict, done, seconds=time.perf_counter() - began)
        own = PastStep(
            action=action,
            written=spelled if decision.actions else decision.output,
            output=decision.output,
            thought=decision.thought,
            screenshot=shown.seen.screenshot,
        )
        self.past += (*(done.past or (own,)), *done.skipped)
        if done.reply is not None and isinstance(action, Ask):
            self.dialogue.append((action.text, done.reply.text))
        if self.task.target.over_limit(self.steps - len(self.dialogue)):
            return replace(done, end=AttemptEnd(outcome="truncated"))
        return done

    def _write(
        self,
        decision: Decision,
        shown: _Shown,
        action: str,
        written: str,
        verdict: GateDecision,
        done: StepResult,
        *,
        seconds: float = 0.0,
        at: str,
    ) -> None:
        """Queue the line of a step behind the files that it names."""
        line = StepRecord(
            task_id=self.task.input.task_id,
            attempt=self.number,
            step=self.steps,
            action=action,
            written=written,
            output=decision.output,
            problem=decision.problem,
            thought=decision.thought,
            screenshot=shown.screenshot,
            tree=shown.tree,
            size=shown.seen.size,
            package=shown.seen.package,
            seen_problems=tuple(map(str, shown.seen.problems)),
            verdict=verdict.decision,
            reason=verdict.reason or done.note,
            performed=done.performed,
            on_trace=done.on_trace,
            state_sha256=done.state_sha256,
            agent_s=decision.seconds,
            # without a clock on the agent, waiting for it and the phone's own time cannot be separated
            device_s=None if decision.seconds is None else shown.seconds + seconds,
            prompt_tokens=decision.prompt_tokens,
            completion_tokens=decision.completion_tokens,
            queries=decision.queries,
            notes=decision.notes,
            reply=done.reply,
            at=at,
        )
        self.written = self.writer.submit(self.log.step, line)

    def settle(self) -> None:
        """Waits until every line is on the disk.

        Raises:
            RunError: A line or a screen could not be written (for example, disk full).
        """
        if self.written is not None:
            self.written.result()

    def make_end(self, end: AttemptEnd) -> EndRecord:
        """Final screen and rule result; after a device error the phone is not queried again."""
        rule, file = RuleResult(), None
        if end.outcome != "device_error":
            try:
                screen = self.session.last_screen()
                if end.outcome != "agent_error" and not self.dry_run:
                    rule = self.session.evaluate()
            except DeviceError:
                screen = None
            if screen is not None:
                file = self._file(f"final{_ending(screen)}")
                self.log.save(file, screen)
        if self.session.inputs:
            self.log.save(self._file(INPUTS), self.session.inputs)
        reference = self.view.show_task(self.task.input).reference
        return EndRecord(
            task_id=self.task.task_id,
            attempt=self.number,
            device=self.device,
            outcome=end.outcome,
            reason=end.reason,
            final=True,
            steps=self.steps,
            success=rule.success,
            success_by=None if rule.success is None else "rule",
            facts=rule.facts,
            state=rule.state,
            start=self.session.start,
            final_screenshot=file,
            gaps=self.session.gaps,
            reference_id=reference.episode_id if reference else None,
            dialogue=rule.dialogue,
            at=_now(),
        )


def end_without_steps(task: ExecutionTask, attempt: int, device: str, reason: str) -> EndRecord:
    """The end of an attempt whose agent was never asked, because of the phone, as of a final attempt."""
    return EndRecord(
        task_id=task.task_id,
        attempt=attempt,
        device=device,
        outcome="device_error",
        reason=reason,
        final=True,
        steps=0,
        success=None,
        success_by=None,
        final_screenshot=None,
        reference_id=None,
        at=_now(),
    )


def _ending(picture: bytes) -> str:
    return ".jpg" if picture.startswith(b"\xff\xd8") else ".png"


def _now() -> str:
    return now_text("milliseconds")
