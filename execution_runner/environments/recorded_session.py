"""Base of replay and teacher-forced environments: recorded episodes, and a position in one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from execution_runner.devices.device import Observation
from execution_runner.environments.environment import RuleResult, StepResult
from execution_runner.environments.recorded_episodes import RecordedEpisodes, RecordedStep
from fingertip_agents.execution_agent import PastStep
from fingertip_dataset.actions import Action, Wait, canonical, parse_action
from fingertip_dataset.errors import ActionSyntaxError, DeviceError
from fingertip_dataset.tasks.task import ExecutionTask


class RecordedSession(ABC):
    """Moves from one recorded screen to the next, and over the gaps of the recording.

    A gap is a step without a screenshot: no agent can be queried about it. The recorded action is taken as
    done and stands among the past steps; neither side is scored on it. A step that lacks only its tree is no
    gap: its screenshot is shown.

    Args:
        steps: Recorded steps of the episode.

    Attributes:
        gaps: Indices of the steps without a screenshot.
        start: None: the recording begins where the person began.
    """

    start: None = None

    inputs = b""

    def __init__(self, steps: Sequence[RecordedStep]) -> None:
        self._steps = steps
        self._at = 0
        self.gaps = tuple(index for index, step in enumerate(steps) if step.screenshot is None)
        self._before = self._pass_gaps()

    def before(self) -> tuple[PastStep, ...]:
        """The actions before the first recorded screen, taken as done."""
        return self._before

    def observe(self) -> Observation:
        """The recorded screen.

        Raises:
            DeviceError: The episode has no screenshot, or this one cannot be read.
        """
        if self._over:
            raise DeviceError("the episode has no recorded screenshot")
        return self._step.observation

    @abstractmethod
    def step(self, action: Action) -> StepResult:
        """Compares one action with the recorded one, and moves on as the kind of environment has it."""

    @abstractmethod
    def last_screen(self) -> bytes | None:
        """The screen after the last action, a PNG or JPEG file; None if there is none."""

    def evaluate(self) -> RuleResult:
        """Unknown: a recording has no rule of success."""
        return RuleResult()

    @property
    def _step(self) -> RecordedStep:
        return self._steps[self._at]

    @property
    def _over(self) -> bool:
        return self._at == len(self._steps)

    def _advance(self) -> tuple[PastStep, ...]:
        """Moves to the next recorded screen or the end; returns the skipped steps, taken as done."""
        self._at += 1
        return self._pass_gaps()

    def _pass_gaps(self) -> tuple[PastStep, ...]:
        start = self._at
        while not self._over and self._step.screenshot is None:
            self._at += 1
        return tuple(as_done(step) for step in self._steps[start : self._at])


class RecordedEnvironment:
    """An `Environment` of recorded episodes; a subclass sets its kind and its kind of session.

    Args:
        name: Name of the environment, in place of a phone's serial.
        recordings: Recorded episodes of the split.
    """

    faults: tuple[str, ...] = ()
    session: ClassVar[type[RecordedSession]]

    def __init__(self, name: str, recordings: RecordedEpisodes) -> None:
        self.name = name
        self._recordings = recordings

    def begin(self, task: ExecutionTask) -> RecordedSession:
        """A session at the first recorded screen.

        Raises:
            DatasetError: The dataset has no such episode.
        """
        return self.session(self._recordings.steps(task.input.task_id))

    def restart(self) -> None:
        """Does nothing: a recording holds no connection."""

    def close(self) -> None:
        """Does nothing: a recording holds nothing."""


def as_done(step: RecordedStep) -> PastStep:
    """The person's step as a past step; text that is not an action becomes a wait."""
    written = step.action
    try:
        action: Action = parse_action(written)
    except ActionSyntaxError:
        return PastStep(action=Wait(), written=written, output=written, screenshot=step.screenshot)
    spelled = canonical(written)
    return PastStep(action=action, written=spelled, output=spelled, recorded=True, screenshot=step.screenshot)
