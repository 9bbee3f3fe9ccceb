"""Replay: a recorded episode that shows the next recorded screen after the recorded action.

It is not the paper's online measure. An agent that takes another path to the same goal leaves the recording,
which has no screens for it: the step is marked, the attempt ends as off-trace, and its success is unknown.
"""

from __future__ import annotations

from typing import Literal

from execution_runner.environments.environment import AttemptEnd, StepResult
from execution_runner.environments.recorded_session import RecordedEnvironment, RecordedSession
from fingertip_agents.execution_agent import PastStep
from fingertip_dataset.actions import Action, Finished
from fingertip_metrics.action_matching import matches

REST_DONE = "the recording's last steps have no screen and are taken as done"


class ReplaySession(RecordedSession):
    """An `EnvironmentSession` in which only the recorded action shows the next recorded screen."""

    def step(self, action: Action) -> StepResult:
        """Moves to the next screen, or ends: by `finished()`, or by any action but the recorded one."""
        step = self._step
        same = matches(step.action, action, step.tree, step.observation.size).same
        if isinstance(action, Finished):
            early = f"the person went on with {step.action}"
            return StepResult(
                on_trace=same, end=AttemptEnd(outcome="terminated", reason="" if same else early)
            )
        if not same:
            reason = f"the recorded action is {step.action}"
            return StepResult(
                performed=False, on_trace=False, end=AttemptEnd(outcome="off_trace", reason=reason)
            )
        skipped = self._advance()
        return StepResult(on_trace=True, skipped=skipped, end=_end(skipped) if self._over else None)

    def last_screen(self) -> bytes | None:
        """The current recorded screen, the last one known."""
        return None if self._over else self._step.screenshot


class ReplayEnvironment(RecordedEnvironment):
    """An `Environment` in which an agent replays recorded episodes."""

    kind: Literal["replay"] = "replay"
    session = ReplaySession


def _end(skipped: tuple[PastStep, ...]) -> AttemptEnd:
    """The end after the last recorded screen."""
    if any(isinstance(step.action, Finished) for step in skipped):
        return AttemptEnd(outcome="terminated", reason=REST_DONE)
    return AttemptEnd(outcome="off_trace", reason="the recording ends here without finished()")
