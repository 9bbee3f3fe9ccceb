"""What a task is carried out on: a phone, a simulated phone, or a recorded episode; one task at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from pydantic import JsonValue

from execution_runner.devices.device import Observation
from execution_runner.execution_records import AttemptOutcome
from fingertip_agents.execution_agent import PastStep
from fingertip_dataset.actions import Action
from fingertip_dataset.tasks.task import ExecutionTask
from fingertip_runs.device_kinds import DeviceKindName


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptEnd:
    """How an attempt ends, and why in words."""

    outcome: AttemptOutcome
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepResult:
    """What came of an action.

    Attributes:
        performed: Whether it was carried out.
        on_trace: On a recording: whether it is the recorded one; None elsewhere.
        past: What the agent is told was done, where that is not its own action; empty where it is.
        skipped: On recordings: the recorded actions after it that have no screen, taken as done.
        end: Of the attempt; None where it goes on.
    """

    performed: bool = True
    on_trace: bool | None = None
    past: tuple[PastStep, ...] = ()
    skipped: tuple[PastStep, ...] = ()
    end: AttemptEnd | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleResult:
    """What a rule says at the end.

    Attributes:
        success: Whether the task is done; None where no rule can say so.
        facts: What was noted on the way, as JSON holds it.
    """

    success: bool | None = None
    facts: tuple[dict[str, JsonValue], ...] = ()


class EnvironmentSession(Protocol):
    """One attempt at one task: what is seen, and what can be done. Every method may raise a DeviceError."""

    @property
    def gaps(self) -> tuple[int, ...]:
        """On recordings: indices of the recorded actions that have no screen; empty on a phone."""

    def before(self) -> tuple[PastStep, ...]:
        """On recordings: the actions before the first recorded screen, taken as done; empty on a phone."""

    def observe(self) -> Observation:
        """The screen now. On a recording the screenshot is the recorded file, usually a JPEG."""

    def step(self, action: Action) -> StepResult:
        """Carries out one action, and says whether the attempt ends with it."""

    def last_screen(self) -> bytes | None:
        """The screen after the last action, a PNG or JPEG file; None where there is none."""

    def evaluate(self) -> RuleResult:
        """What a rule says of the state now."""


class Environment(Protocol):
    """Something that tasks are carried out on, one after the other.

    A DeviceError of `begin` means that the ground is not there: another task would fare no better. One that
    comes later is of the task.
    """

    @property
    def kind(self) -> DeviceKindName:
        """What sort it is; nothing is mixed within a run."""

    @property
    def name(self) -> str:
        """Serial of the phone, or what stands for it; one a run."""

    @property
    def faults(self) -> tuple[str, ...]:
        """Switches of a simulated phone that are on; empty for all else."""

    def begin(self, task: ExecutionTask) -> EnvironmentSession:
        """Makes ready for an attempt, from whatever state.

        Raises:
            DeviceError: It cannot be reached.
        """

    def restart(self) -> None:
        """Lets go of everything held, so that the next `begin` starts afresh; raises nothing of its own."""

    def close(self) -> None:
        """Lets go for good."""
