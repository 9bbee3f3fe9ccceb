"""The session of style ratings: each task with every agent's trajectory, in shuffled order."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from pydantic import Field

from execution_runner.execution_log import read_run
from fingertip_analysis.review.ratings import RATING_FILE, RatingRecord
from fingertip_analysis.review.trajectories import Trajectory, read_rated_trajectories
from fingertip_dataset.errors import UsageError
from fingertip_dataset.frozen_model import FrozenModel
from fingertip_dataset.tasks.task import TaskTarget
from fingertip_runs.annotation import AnnotationSession, check_folders, shuffle_place


class Rating(FrozenModel):
    """A rater's rating of one trajectory; the fields are those of `RatingRecord`."""

    rating: int = Field(ge=1, le=5)
    seconds: float | None = Field(default=None, ge=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedTask:
    """A task on the rating page.

    Attributes:
        key: Random; tells nothing of the task.
        target: The task: its intent and app, and the user's own trajectory.
        trajectories: Keys of the agents' trajectories.
    """

    key: str
    target: TaskTarget
    trajectories: tuple[str, ...]


class RatingSession(AnnotationSession[Trajectory, Rating, RatingRecord]):
    """The agents' trajectories of several runs, by task, and the ratings on them. A context manager.

    Its items are trajectories. Keys reveal neither run nor agent. The order of the tasks, and of the
    trajectories of a task, is shuffled by the rater's name and the task.

    Args:
        runs: Folders of runs of track 2, of the same tasks.
        user_id: The user of the dataset that the raters are: only this user's tasks are shown. None for
            other raters, and for all tasks.

    Attributes:
        user_id: The user that the raters are; None for other raters.
        tasks: By their keys.

    Raises:
        RunError: A run is missing or broken, or another process writes its ratings.
        UsageError: A run is given twice, runs are of different data, or there is nothing to rate.
    """

    def __init__(self, runs: Sequence[Path], *, user_id: str | None = None) -> None:
        _check_runs(runs)
        found = [one for run in runs for one in read_rated_trajectories(run)]
        trajectories = {secrets.token_hex(8): one for one in found if user_id in (None, one.target.user_id)}
        if not trajectories:
            whose = "" if user_id is None else f" of user {user_id}"
            raise UsageError(f"the agent ended no task{whose}: there is nothing to rate")
        super().__init__(runs, RATING_FILE.open)
        self.user_id = user_id
        self.tasks = {task.key: task for task in _group_tasks(trajectories)}
        self._task_of = {key: task for task in self.tasks.values() for key in task.trajectories}
        self._keys = {(one.run, one.target.task_id, one.attempt): key for key, one in trajectories.items()}
        self._begin(trajectories)

    def task_order(self, rater: str) -> tuple[str, ...]:
        """Keys of all tasks, shuffled by the rater's name."""
        return tuple(sorted(self.tasks, key=lambda key: shuffle_place(rater, self.tasks[key].target.task_id)))

    def trajectory_order(self, task_key: str, rater: str) -> tuple[str, ...]:
        """Keys of a task's trajectories, shuffled by the rater's name and the task.

        Raises:
            KeyError: There is no task of that key.
        """
        keys = self.tasks[task_key].trajectories
        return tuple(sorted(keys, key=lambda key: shuffle_place(rater, *self._identity(key))))

    def rating(self, key: str, rater: str) -> int | None:
        """That rater's latest rating of a trajectory; None if they have not rated it."""
        found = self.label(key, rater)
        return found.rating if found else None

    def rated(self, rater: str) -> int:
        """Number of tasks of which the rater has rated every trajectory."""
        return sum(self.is_rated(key, rater) for key in self.tasks)

    def is_rated(self, task_key: str, rater: str) -> bool:
        """Whether the rater has rated every trajectory of a task."""
        return all(self.label(key, rater) is not None for key in self.tasks[task_key].trajectories)

    def _folders(self, item: Trajectory) -> Sequence[Path]:
        return (item.run,)

    def _record(self, key: str, rater: str, annotation: Rating, at: datetime) -> RatingRecord:
        trajectory = self._items[key]
        order = self.trajectory_order(self._task_of[key].key, rater)
        return RatingRecord(
            task_id=trajectory.target.task_id,
            attempt=trajectory.attempt,
            rater=rater,
            rater_user_id=self.user_id,
            place=order.index(key) + 1,
            ways=len(order),
            at=at.isoformat(timespec="seconds"),
            **annotation.model_dump(),
        )

    def _find_labelled(self, folder: Path, label: RatingRecord) -> tuple[str, str] | None:
        """The trajectory of a rating; a rating of an earlier attempt says nothing about this one."""
        key = self._keys.get((folder, label.task_id, label.attempt))
        return None if key is None else (key, label.rater)

    def _identity(self, key: str) -> tuple[str, ...]:
        trajectory = self._items[key]
        return trajectory.target.task_id, trajectory.started, trajectory.run.resolve().name


def _check_runs(runs: Sequence[Path]) -> None:
    check_folders(runs)
    records = [read_run(run) for run in runs]
    for run, record in zip(runs, records, strict=True):
        if record.dataset.data_sha256 != records[0].dataset.data_sha256:
            raise UsageError("the runs are not of the same dataset: review them apart", file=run)


def _group_tasks(trajectories: dict[str, Trajectory]) -> Iterable[RatedTask]:
    by_task: dict[str, list[str]] = {}
    for key, one in trajectories.items():
        by_task.setdefault(one.target.task_id, []).append(key)
    for keys in by_task.values():
        target = trajectories[keys[0]].target
        yield RatedTask(key=secrets.token_hex(8), target=target, trajectories=tuple(keys))
