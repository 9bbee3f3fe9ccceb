"""What is rated in one session: each task with the person's own way and every agent's, shuffled."""

from __future__ import annotations

import hashlib
import secrets
import threading
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Self

from pydantic import Field

from execution_runner.execution_log import read_run
from execution_runner.review.ratings import RatingRecord, open_ratings
from execution_runner.review.trajectories import Trajectory, read_ways
from fingertip_dataset.episodes import BEIJING
from fingertip_dataset.errors import UsageError
from fingertip_runs.line_log import LineLog
from fingertip_runs.run_record import FrozenModel


class Rating(FrozenModel):
    """What a rater says of one way; the fields are those of `RatingRecord`."""

    rating: int = Field(ge=1, le=5)
    seconds: float | None = Field(default=None, ge=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedTask:
    """One task as a rater sees it.

    Attributes:
        task_id: The episode id.
        user_id: Of the person.
        intent: What was to be done.
        app: Package name.
        own_actions: The person's own way.
        ways: Key -> an agent's way, in the order of the runs.
    """

    task_id: str
    user_id: str
    intent: str
    app: str
    own_actions: tuple[str, ...]
    ways: Mapping[str, Trajectory]


class RatingSession:
    """The tasks of several runs, and the ratings on them. A context manager.

    It holds the runs' files of ratings, so that nobody else writes them meanwhile. Keys tell neither run nor
    agent. Tasks, and the ways of each task, have an order that is shuffled by the rater's name and the task,
    and always the same for both. Nobody is told of others' ratings.

    Args:
        runs: Folders of runs of track 2, of the same tasks.
        user_id: The user of the dataset that the raters are: their tasks alone are shown. None for raters who
            are somebody else, and for all tasks.

    Raises:
        RunError: A run is missing or broken, or its ratings are being written by another process.
        UsageError: A run is given twice, runs are of different data, or there is nothing to rate.
    """

    def __init__(self, runs: Sequence[Path], *, user_id: str | None = None) -> None:
        _check(runs)
        self.user_id = user_id
        self._tasks = _tasks([way for run in runs for way in read_ways(run)], user_id)
        self._ways = {key: task for task in self._tasks.values() for key in task.ways}
        self._turn = threading.Lock()
        self._ratings: dict[tuple[str, str], RatingRecord] = {}
        self._logs: dict[Path, LineLog[RatingRecord]] = {}
        with ExitStack() as stack:
            for run in runs:
                self._logs[run] = stack.enter_context(open_ratings(run))
            self._stack = stack.pop_all()
        self._read_ratings()

    def __getitem__(self, key: str) -> RatedTask:
        """The task of that key.

        Raises:
            KeyError: There is none.
        """
        return self._tasks[key]

    def __len__(self) -> int:
        return len(self._tasks)

    def way(self, key: str) -> Trajectory:
        """An agent's way.

        Raises:
            KeyError: There is none of that key.
        """
        return self._ways[key].ways[key]

    def order(self, rater: str) -> tuple[str, ...]:
        """Keys of all tasks, shuffled by the rater's name."""
        return tuple(sorted(self._tasks, key=lambda key: _place(rater, self._tasks[key].task_id)))

    def ways(self, key: str, rater: str) -> tuple[str, ...]:
        """Keys of a task's ways, shuffled by the rater's name and the task.

        Raises:
            KeyError: There is no task of that key.
        """
        task = self._tasks[key]

        def place(way: str) -> bytes:
            shown = task.ways[way]
            return _place(rater, task.task_id, shown.started, shown.run.resolve().name)

        return tuple(sorted(task.ways, key=place))

    def rating(self, way: str, rater: str) -> int | None:
        """What that rater said last of a way; None where they have said nothing."""
        found = self._ratings.get((way, rater))
        return found.rating if found else None

    def rate(self, way: str, rater: str, rating: Rating) -> None:
        """Adds a line to the run's ratings; it is on the disk when this returns.

        Raises:
            KeyError: There is no way of that key.
            RunError: There is no room for the line.
        """
        task = self._ways[way]
        shown = task.ways[way]
        key = next(key for key, other in self._tasks.items() if other is task)
        order = self.ways(key, rater)
        record = RatingRecord(
            task_id=task.task_id,
            attempt=shown.attempt,
            rater=rater,
            rater_user_id=self.user_id,
            place=order.index(way) + 1,
            ways=len(order),
            at=datetime.now(BEIJING).isoformat(timespec="seconds"),
            **rating.model_dump(),
        )
        with self._turn:
            self._logs[shown.run].append(record)
            self._ratings[way, rater] = record

    def rated(self, rater: str) -> int:
        """How many tasks the rater has rated all ways of."""
        return sum(all((way, rater) in self._ratings for way in task.ways) for task in self._tasks.values())

    def raters(self) -> tuple[str, ...]:
        """Everybody who has rated a way of this session, sorted."""
        return tuple(sorted({rater for _, rater in self._ratings}))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def _read_ratings(self) -> None:
        """Takes in what was said before; what was said of another attempt at a task is no answer here."""
        keys = {
            (way.run, way.task_id, way.attempt): key
            for task in self._tasks.values()
            for key, way in task.ways.items()
        }
        for run, log in self._logs.items():
            for line in log.lines:
                key = keys.get((run, line.task_id, line.attempt))
                if key is not None:
                    self._ratings[key, line.rater] = line


def _check(runs: Sequence[Path]) -> None:
    if len({run.resolve() for run in runs}) != len(runs):
        raise UsageError("expected each run once, got one twice")
    records = [read_run(run) for run in runs]
    for run, record in zip(runs, records, strict=True):
        if record.dataset.data_sha256 != records[0].dataset.data_sha256:
            raise UsageError("expected runs of the same data, got one of other data", file=run)


def _tasks(ways: Sequence[Trajectory], user_id: str | None) -> dict[str, RatedTask]:
    by_task: dict[str, list[Trajectory]] = {}
    for way in ways:
        if user_id is None or way.user_id == user_id:
            by_task.setdefault(way.task_id, []).append(way)
    if not by_task:
        whose = "" if user_id is None else f" of user {user_id}"
        raise UsageError(f"expected a task{whose} that came to its end, got none: there is nothing to rate")
    return {
        secrets.token_hex(8): RatedTask(
            task_id=task_id,
            user_id=own[0].user_id,
            intent=own[0].intent,
            app=own[0].app,
            own_actions=own[0].golden_actions,
            ways={secrets.token_hex(8): way for way in own},
        )
        for task_id, own in by_task.items()
    }


def _place(*parts: str) -> bytes:
    return hashlib.sha256("\0".join(parts).encode(errors="surrogateescape")).digest()
