"""The interface of environments: phones, simulated phones or recorded episodes, one task at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from pydantic import JsonValue

from execution_runner.devices.device import Observation
from execution_runner.execution_records import (
    AttemptOutcome,
    DialogueRecord,
    ReplyRecord,
    StartRecord,
    StateRecord,
)
from fingertip_agents.execution_agent import PastStep
from fingertip_dataset.actions import Action
from fingertip_dataset.tasks.task import ExecutionTask
from fingertip_runs.device_kinds import DeviceKindName


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptEnd:
    """How an attempt ends, with the reason in words."""

    outcome: AttemptOutcome
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepResult:
    """The result of an action.

    Attributes:
        performed: Whether the action was carried out.
        note: Why it was not, or what could not be checked about it, in words.
        on_trace: On a recording, whether it is the recorded action; None on a phone.
        past: Steps that stand in the agent's past instead of its own action; empty for its own action.
        skipped: On a recording, the following recorded actions without a screen, taken as done.
        end: The attempt's end; None if it continues.
        state_sha256: On a simulated phone, the hash of its state after the action; None elsewhere.
        reply: Reply to a question; None for an action.
    """

    performed: bool = True
    note: str = ""
    on_trace: bool | None = None
    past: tuple[PastStep, ...] = ()
    skipped: tuple[PastStep, ...] = ()
    end: AttemptEnd | None = None
    state_sha256: str | None = None
    reply: ReplyRecord | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleResult:
    """The result of a task's rule of success.

    Attributes:
        success: Whether the task is done; None without a rule.
        facts: What the simulated phone noted during the attempt, as JSON.
        state: What the attempt did to the state of a simulated phone; None elsewhere.
        dialogue: Questions and consent, where somebody answers; None elsewhere.
    """

    success: bool | None = None
    facts: tuple[dict[str, JsonValue], ...] = ()
    state: StateRecord | None = None
    dialogue: DialogueRecord | None = None


class EnvironmentSession(Protocol):
    """An attempt at a task: observations and steps. Every method may raise a DeviceError."""

    @property
    def start(self) -> StartRecord | None:
        """Where the attempt began; None on a recording, which begins at its first screen."""

    @property
    def gaps(self) -> tuple[int, ...]:
        """Indices of the recorded actions without a screen; empty on a phone."""

    @property
    def inputs(self) -> bytes:
        """Log of the inputs that an attached agent sent to the phone; empty elsewhere."""

    def before(self) -> tuple[PastStep, ...]:
        """The recorded actions before the first recorded screen, taken as done; empty on a phone."""

    def observe(self) -> Observation:
        """The current screen. On a recording the screenshot is the recorded file, usually a JPEG."""

    def step(self, action: Action) -> StepResult:
        """Carries out one action; the result says whether the attempt ends with it."""

    def last_screen(self) -> bytes | None:
        """The screen after the last action as a PNG or JPEG file; None on a recording without it."""

    def evaluate(self) -> RuleResult:
        """Applies the rule of success to the current state."""


class Environment(Protocol):
    """Carries out tasks, one after the other.

    A DeviceError of `begin` means that the environment is lost, whatever the task; only an AppStartError
    belongs to the task, as a later DeviceError does.
    """

    @property
    def kind(self) -> DeviceKindName:
        """The device kind; a run has only one."""

    @property
    def name(self) -> str:
        """Serial of the phone, or a name in its place; unique in a run."""

    @property
    def faults(self) -> tuple[str, ...]:
        """Faults that are switched on; empty unless it is a simulated phone."""

    def begin(self, task: ExecutionTask) -> EnvironmentSession:
        """Prepares for an attempt, from any state: launches the task's app, or shows the home screen.

        Raises:
            AppStartError: The app does not come up; the environment can carry out other tasks.
            DeviceError: It cannot be reached.
        """

    def restart(self) -> None:
        """Releases everything, so that the next `begin` starts afresh; raises no DeviceError."""

    def close(self) -> None:
        """Releases everything for good."""
