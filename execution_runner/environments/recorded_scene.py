"""A place in a recorded episode: what replay and teacher-forced scenes have in common."""

from __future__ import annotations

from collections.abc import Sequence

from execution_runner.devices.device import Observation
from execution_runner.environments.environment import RuleResult
from execution_runner.environments.recorded_episodes import RecordedStep
from fingertip_agents.execution_agent import PastStep
from fingertip_dataset.actions import Action, Wait, canonical, parse_action
from fingertip_dataset.errors import ActionSyntaxError, DeviceError


class RecordedScene:
    """Goes from one recorded screen to the next, and passes over the gaps of the recording.

    A gap is a step without a screenshot: no agent can be asked what to do on it. The recorded action is taken
    as done and stands among the past steps; it is scored on neither side. A step that lacks a tree alone
    is no gap: its screenshot is shown.

    Args:
        steps: Of the episode.

    Attributes:
        gaps: Indices of the steps without a screenshot.
    """

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
            DeviceError: The episode has none, or it cannot be read.
        """
        if self._over:
            raise DeviceError("expected a recorded screenshot, got none in the whole episode")
        return self._step.observation

    def evaluate(self) -> RuleResult:
        """Nobody knows: the recording has no rule."""
        return RuleResult()

    @property
    def _step(self) -> RecordedStep:
        return self._steps[self._at]

    @property
    def _over(self) -> bool:
        return self._at == len(self._steps)

    def _go_on(self) -> tuple[PastStep, ...]:
        """To the next recorded screen, or the end; the steps that were passed over, as done."""
        self._at += 1
        return self._pass_gaps()

    def _pass_gaps(self) -> tuple[PastStep, ...]:
        start = self._at
        while not self._over and self._step.screenshot is None:
            self._at += 1
        return tuple(as_done(step.action) for step in self._steps[start : self._at])


def as_done(written: str) -> PastStep:
    """The person's step as one of the past; what is no action was a moment of waiting."""
    spelled = canonical(written)
    try:
        action: Action = parse_action(written)
    except ActionSyntaxError:
        action = Wait()
    return PastStep(action=action, written=spelled, output=spelled)
