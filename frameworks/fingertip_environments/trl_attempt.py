"""An attempt of TRL's GRPOTrainer: the tools of a model share it, whether they show text or pictures."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from fingertip_dataset.actions import Action
from fingertip_dataset.errors import is_memory_shortage
from fingertip_environments.phone_core import CoreStep, PhoneCore
from fingertip_environments.phone_task import PhoneTask, find_task

OVER = "The episode is over."
_LOG = logging.getLogger(__name__)


@dataclass(slots=True)
class AttemptCounts:
    """Numbers of attempts of a training, over all of its phones.

    Attributes:
        attempts: Number of attempts that were scored.
        without_call: Number of those in which the model called no tool.
        interrupted: Number of those whose phone failed; they have no reward.
    """

    attempts: int = 0
    without_call: int = 0
    interrupted: int = 0

    def note_no_call(self, task_id: str, reward: float) -> None:
        """Count an attempt without a call; the 1st, 10th, 100th and so on is a line in the log."""
        self.without_call += 1
        if str(self.without_call).strip("0") == "1":
            _LOG.warning(
                "the model called no tool at %s: its reward is %g, by the rule (%d of %d attempts so far)",
                task_id, reward, self.without_call, self.attempts,
            )  # fmt: skip

    def note_interrupted(self, task_id: str, reason: str) -> None:
        """Count an attempt whose phone failed, with a line in the log."""
        self.interrupted += 1
        _LOG.warning("%s: the attempt at %s is interrupted and has no reward", reason, task_id)


class TrlAttempt:
    """The phone of an environment of GRPOTrainer, without tools: a subclass's public methods are those.

    Args:
        tasks: The tasks; a row of the training data names one under "task_id".
        core: The phone.
        counts: Where attempts are counted; None for numbers of this phone alone.
    """

    def __init__(self, tasks: Sequence[PhoneTask], core: PhoneCore, counts: AttemptCounts | None) -> None:
        self._tasks, self._core = tasks, core
        self._counts = AttemptCounts() if counts is None else counts
        self._reward: float | None = 0.0
        self._over = self._scored = True
        self._called = False

    def get_reward(self) -> float | None:
        """Return the reward of the episode; of one that is not over, as if the model did no more.

        TRL calls it once, after the model's last answer.

        Returns:
            The reward; None if the phone failed, which TRL leaves out of the group.
        """
        if not self._over:
            try:
                self._reward = self._core.score_stop()
            except Exception as error:
                self._interrupt(error)
        if not self._scored:
            self._scored = True
            self._counts.attempts += 1
            if not self._called and self._reward is not None:
                self._counts.note_no_call(self._core.task.task_id, self._reward)
        return self._reward

    def _begin(self, task_id: str) -> None:
        """Begin a task; errors as of `find_task` and `PhoneCore.reset`."""
        self._core.reset(find_task(self._tasks, task_id))
        self._reward, self._over, self._scored, self._called = 0.0, False, False, False

    def _carry_out(self, action: Action, written: str | None = None) -> CoreStep:
        """Carry out an action of an episode that is not over."""
        return self._note(self._core.step(action, written=written))

    def _interrupt(self, error: Exception) -> None:
        """End an episode whose phone failed when its screen was drawn or its rule was applied."""
        if is_memory_shortage(error):
            raise error
        self._note(self._core.interrupt(error))

    def _note(self, done: CoreStep) -> CoreStep:
        self._reward, self._over = done.reward, done.over
        if done.interrupted:
            self._reward = None
            self._counts.note_interrupted(self._core.task.task_id, done.note)
        return done
