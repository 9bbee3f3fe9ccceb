"""A phone as the scene of an attempt: it is looked at, and actions are carried out on it."""

from __future__ import annotations

import time
from collections.abc import Callable

from execution_runner.devices.device import Device, Observation
from execution_runner.devices.perform import perform
from execution_runner.grounds.ground import Done, End, Finding
from fingertip_agents.execution import PastStep
from fingertip_dataset.actions import Action, Finished, Wait


class PhoneScene:
    """A `Scene` on a `Device`.

    Args:
        device: The phone, ready.
        pause: Waits that many seconds, for `wait()`.
        settle_s: Seconds that a screen is given to change after an action.
        finding: Asks the rule of success; without it nobody knows.
    """

    def __init__(
        self,
        device: Device,
        *,
        pause: Callable[[float], None] = time.sleep,
        settle_s: float = 0.0,
        finding: Callable[[], Finding] = Finding,
    ) -> None:
        self._device = device
        self._pause = pause
        self._settle_s = settle_s
        self._finding = finding

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

    def do(self, action: Action) -> Done:
        """Carries out one action; `finished()` ends the attempt."""
        if isinstance(action, Finished):
            return Done(end=End(outcome="terminated"))
        perform(self._device, action, pause=self._pause)
        if self._settle_s and not isinstance(action, Wait):
            self._pause(self._settle_s)
        return Done()

    def last_screen(self) -> bytes | None:
        """A screenshot."""
        return self._device.screenshot()

    def finding(self) -> Finding:
        """What the rule says, where there is one."""
        return self._finding()
