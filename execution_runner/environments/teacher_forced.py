"""Teacher-forced: the agent is queried once per recorded step, and the person's action is taken as done.

It measures the share of single steps that an agent gets right. It is not the paper's online measure: no
mistake has a consequence.
"""

from __future__ import annotations

from typing import Literal

from execution_runner.environments.environment import AttemptEnd, StepResult
from execution_runner.environments.recorded_session import RecordedEnvironment, RecordedSession, as_done
from fingertip_dataset.actions import Action
from fingertip_metrics.action_matching import matches

ALL_QUERIED = "the agent was queried once for each recorded step"


class TeacherForcedSession(RecordedSession):
    """An `EnvironmentSession` that continues with the recorded action, whatever the agent does.

    The second action of a decision belongs to the screen that the first one leads to: it counts as the answer
    to the next recorded step if the first was the recorded action, and is dropped otherwise.
    """

    def step(self, action: Action) -> StepResult:
        """Compares the action with the recorded one, and moves to the next recorded screen."""
        step = self._step
        same = matches(step.action, action, step.tree, step.observation.size).same
        skipped = self._advance()
        over = AttemptEnd(outcome="terminated", reason=ALL_QUERIED) if self._over else None
        return StepResult(
            performed=False,
            on_trace=same,
            past=(as_done(step),),
            skipped=skipped,
            end=over,
        )

    def last_screen(self) -> bytes | None:
        """None: nothing was carried out, so there is no screen after it."""
        return None


class TeacherForcedEnvironment(RecordedEnvironment):
    """An `Environment` in which each recorded step is queried once."""

    kind: Literal["teacher_forced"] = "teacher_forced"
    session = TeacherForcedSession
