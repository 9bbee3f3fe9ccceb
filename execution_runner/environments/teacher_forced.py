"""Recorded steps as the ground of a run: each is asked once, and the person's own action is taken as done.

What comes of it is the share of single steps that an agent gets right. It is not the paper's online measure:
no mistake has a consequence.
"""

from __future__ import annotations

from typing import Literal

from execution_runner.environments.action_matching import matches
from execution_runner.environments.environment import AttemptEnd, StepResult
from execution_runner.environments.recorded_episodes import RecordedEpisodes
from execution_runner.environments.recorded_scene import RecordedScene, as_done
from fingertip_dataset.actions import Action
from fingertip_dataset.tasks.task import ExecutionTask

ALL_ASKED = "each recorded step was asked once"


class TeacherForcedEnvironment:
    """A `Ground` of recorded steps.

    Args:
        name: What stands for the serial of a phone.
        recordings: Of the split.
    """

    kind: Literal["teacher_forced"] = "teacher_forced"
    faults: tuple[str, ...] = ()

    def __init__(self, name: str, recordings: RecordedEpisodes) -> None:
        self.name = name
        self._recordings = recordings

    def begin(self, task: ExecutionTask) -> TeacherForcedSession:
        """The first recorded step.

        Raises:
            DatasetError: The dataset has no such episode.
        """
        return TeacherForcedSession(self._recordings.steps(task.input.task_id))

    def restart(self) -> None:
        """There is nothing to let go of."""

    def close(self) -> None:
        """Likewise."""


class TeacherForcedSession(RecordedScene):
    """A `Scene` that goes on with the recorded action, whatever the agent says.

    A second action of one decision is for the screen that the first one leads to: it counts as the answer to
    the next recorded step where the first was as recorded, and is dropped otherwise.
    """

    def step(self, action: Action) -> StepResult:
        """Compares, and goes on to the next recorded screen."""
        step = self._step
        same = matches(step.action, action, step.tree, step.observation.size).same
        skipped = self._go_on()
        over = AttemptEnd(outcome="terminated", reason=ALL_ASKED) if self._over else None
        return StepResult(
            performed=False,
            on_trace=same,
            past=(as_done(step.action),),
            skipped=skipped,
            end=over,
        )

    def last_screen(self) -> bytes | None:
        """None: nothing was carried out, so there is no screen after it."""
        return None
