"""An attempt on a phone, real or simulated."""

from __future__ import annotations

import time
from collections.abc import Callable

from execution_runner.devices.device import Device, Observation
from execution_runner.devices.perform import perform
from execution_runner.environments.environment import AttemptEnd, RuleResult, StepResult
from execution_runner.execution_records import StartRecord
from fingertip_agents.execution_agent import PastStep
from fingertip_dataset.actions import Action, Ask, Finished, Wait
from fingertip_dataset.errors import ConnectionDroppedError, NoFocusError

NOBODY_ANSWERS = "nobody answers questions in this run: --answered-by says who does"


class PhoneSession:
    """An `EnvironmentSession` on a `Device`.

    Args:
        device: The phone, awake.
        pause: Waits that many seconds, for `wait()`.
        settle: Waits after an action until the screen stands still; by default not at all.
        goes_on: Whether the attempt goes on after a connection that dropped during an action, which counts
            as performed; nobody knows whether it was.
        start: Where the attempt begins; None if nobody says.

    Attributes:
        start: As given.
    """

    inputs = b""

    def __init__(
        self,
        device: Device,
        *,
        pause: Callable[[float], None] = time.sleep,
        settle: Callable[[], object] = lambda: None,
        goes_on: bool = False,
        start: StartRecord | None = None,
    ) -> None:
        self._device = device
        self.start = start
        self._pause = pause
        self._settle = settle
        self._goes_on = goes_on
        self._answer: str | None = None

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
        """Carries out one action; `finished()` ends the attempt.

        Text without a field that has the focus is not performed, and the attempt goes on.
        """
        if isinstance(action, Ask):
            return StepResult(performed=False, note=NOBODY_ANSWERS)
        if isinstance(action, Finished):
            self._answer = action.content
            return StepResult(end=AttemptEnd(outcome="terminated"))
        try:
            note = perform(self._device, action, pause=self._pause)
        except NoFocusError as error:
            return StepResult(performed=False, note=error.message)
        except ConnectionDroppedError as error:
            if not self._goes_on:
                raise
            # performed as far as anybody knows: the agent sees the next screen
            note = f"{error.message}: it may not have been carried out"
        if not isinstance(action, Wait):
            self._settle()
        return StepResult(note=note)

    def last_screen(self) -> bytes | None:
        """A screenshot."""
        return self._device.screenshot()

    def evaluate(self) -> RuleResult:
        """Unknown: a real phone has no rule of success."""
        return RuleResult()
