"""A recorded episode as the ground of a run: whoever does as the person did sees what the person saw.

It is not the paper's online measure: another way to the same end leaves the recording, and what would come
then is not made up. Such a step is marked, and the attempt ends as off-trace; whether the task would have
been done nobody knows.
"""

from __future__ import annotations

from typing import Literal

from execution_runner.environments.action_matching import matches
from execution_runner.environments.environment import AttemptEnd, StepResult
from execution_runner.environments.recorded_episodes import RecordedEpisodes
from execution_runner.environments.recorded_scene import RecordedScene
from fingertip_agents.execution_agent import PastStep
from fingertip_dataset.actions import Action, Finished
from fingertip_dataset.tasks.task import ExecutionTask

REST_DONE = "the recording's last steps have no screen and are taken as done"


class ReplayEnvironment:
    """A `Ground` of recorded episodes.

    Args:
        name: What stands for the serial of a phone.
        recordings: Of the split.
    """

    kind: Literal["replay"] = "replay"
    faults: tuple[str, ...] = ()

    def __init__(self, name: str, recordings: RecordedEpisodes) -> None:
        self.name = name
        self._recordings = recordings

    def begin(self, task: ExecutionTask) -> ReplaySession:
        """The first recorded screen.

        Raises:
            DatasetError: The dataset has no such episode.
        """
        return ReplaySession(self._recordings.steps(task.input.task_id))

    def restart(self) -> None:
        """There is nothing to let go of."""

    def close(self) -> None:
        """Likewise."""


class ReplaySession(RecordedScene):
    """A `Scene` in which the recorded action, and no other, shows the next recorded screen."""

    def step(self, action: Action) -> StepResult:
        """Goes on to the next screen, or ends: at any time by `finished()`, else where the trace is left."""
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
        skipped = self._go_on()
        return StepResult(on_trace=True, skipped=skipped, end=_end(skipped) if self._over else None)

    def last_screen(self) -> bytes | None:
        """The recorded screen, the last one that is known."""
        return None if self._over else self._step.screenshot


def _end(skipped: tuple[PastStep, ...]) -> AttemptEnd:
    """Behind the last recorded screen."""
    if any(isinstance(step.action, Finished) for step in skipped):
        return AttemptEnd(outcome="terminated", reason=REST_DONE)
    return AttemptEnd(outcome="off_trace", reason="the recording ends here without finished()")
