"""An attempt on a phone, real or simulated."""

from __future__ import annotations

import time
from collections.abc import Callable

from execution_runner.devices.device import Device, Observation
from execution_runner.devices.perform import perform
from execution_runner.environments.environment import AttemptEnd, RuleResult, StepResult
from fingertip_agents.execution_agent import PastStep
from fingertip_dataset.actions import Action, Finished, Wait


class PhoneSession:
    """An `EnvironmentSession` on a `Device`.

    Args:
        device: The phone, awake.
        pause: Waits that many seconds, for `wait()`.
        settle_s: Seconds to wait after an action for the screen to change.
        evaluate: Applies the rule of success; by default there is none.
        state_sha256: Gives the hash of a simulated phone's state; by default None.
    """

    def __init__(
        self,
        device: Device,
        *,
        pause: Callable[[float], None] = time.sleep,
        settle_s: float = 0.0,
        evaluate: Callable[[], RuleResult] = RuleResult,
        state_sha256: Callable[[], str | None] = lambda: None,
    ) -> None:
        self._device = device
        self._pause = pause
        self._settle_s = settle_s
        self._evaluate = evaluate
        self._state_sha256 = state_sha256

    @property
    def gaps(self) -> tuple[int, ...]:
        """Empty: a phone always has a screen."""
        return ()

    def before(self) -> tuple[PastStep, ...]:
        """Empty: nothing is done before the first screen."""
        return ()

    def observe(self) -> Observation:
        """The current screen."""
        return self._device.observe()

    def step(self, action: Action) -> StepResult:
        """Carries out one action; `finished()` ends the attempt."""
        if isinstance(action, Finished):
            return StepResult(end=AttemptEnd(outcome="terminated"), state_sha256=self._state_sha256())
        perform(self._device, action, pause=self._pause)
        if self._settle_s and not isinstance(action, Wait):
            self._pause(self._settle_s)
        return StepResult(state_sha256=self._state_sha256())

    def last_screen(self) -> bytes | None:
        """A screenshot."""
        return self._device.screenshot()

    def evaluate(self) -> RuleResult:
        """Applies the rule of success, if there is one."""
        return self._evaluate()
