"""A phone as the scene of an attempt: it is looked at, and actions are carried out on it."""

from __future__ import annotations

import time
from collections.abc import Callable

from execution_runner.devices.device import Device, Observation
from execution_runner.devices.perform import perform
from execution_runner.environments.environment import AttemptEnd, RuleResult, StepResult
from fingertip_agents.execution_agent import PastStep
from fingertip_dataset.actions import Action, Finished, Wait


class PhoneSession:
    """A `Scene` on a `Device`.

    Args:
        device: The phone, ready.
        pause: Waits that many seconds, for `wait()`.
        settle_s: Seconds that a screen is given to change after an action.
        evaluate: Asks the rule of success; without it nobody knows.
    """

    def __init__(
        self,
        device: Device,
        *,
        pause: Callable[[float], None] = time.sleep,
        settle_s: float = 0.0,
        evaluate: Callable[[], RuleResult] = RuleResult,
    ) -> None:
        self._device = device
        self._pause = pause
        self._settle_s = settle_s
        self._finding = evaluate

    @property
    def gaps(self) -> tuple[int, ...]:
        """None: a phone always has a screen."""
        return ()

    def before(self) -> tuple[PastStep, ...]:
        """Nothing is done before the first screen."""
        return ()

    def observe(self) -> Observation:
        """The screen now."""
        return self._device.observe()

    def step(self, action: Action) -> StepResult:
        """Carries out one action; `finished()` ends the attempt."""
        if isinstance(action, Finished):
            return StepResult(end=AttemptEnd(outcome="terminated"))
        perform(self._device, action, pause=self._pause)
        if self._settle_s and not isinstance(action, Wait):
            self._pause(self._settle_s)
        return StepResult()

    def last_screen(self) -> bytes | None:
        """A screenshot."""
        return self._device.screenshot()

    def evaluate(self) -> RuleResult:
        """What the rule says, where there is one."""
        return self._finding()
