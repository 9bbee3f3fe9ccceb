"""Task queue for several environments; the task of a lost environment is requeued."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from fingertip_dataset.errors import DeviceError

JOIN_SECONDS = 0.2
"""Timeout of each join in the main thread, seconds, so that Ctrl-C is noticed."""

AnyTask = TypeVar("AnyTask")


class Named(Protocol):
    """An environment: anything with a name."""

    @property
    def name(self) -> str:
        """Name for messages."""


AnyEnvironment = TypeVar("AnyEnvironment", bound=Named)


class TaskQueue(Generic[AnyTask]):
    """The open tasks of a run. Thread-safe.

    Args:
        tasks: The tasks, in the order in which `get` returns them.
    """

    def __init__(self, tasks: Iterable[AnyTask]) -> None:
        self._waiting = deque(tasks)
        self._running = 0
        self._stopped = False
        self._changed = threading.Condition()

    def get(self) -> AnyTask | None:
        """The next task, to be ended by `end_task` or `requeue`; None if none is left or the run stops.

        Waits while another worker may still requeue its task.
        """
        with self._changed:
            while not self._waiting and self._running and not self._stopped:
                self._changed.wait()
            if self._stopped or not self._waiting:
                return None
            self._running += 1
            return self._waiting.popleft()

    def end_task(self) -> None:
        """Marks one task that `get` returned as ended."""
        with self._changed:
            self._running -= 1
            self._changed.notify_all()

    def requeue(self, task: AnyTask) -> None:
        """Puts a task back at the front of the queue."""
        with self._changed:
            self._running -= 1
            self._waiting.appendleft(task)
            self._changed.notify_all()

    def stop(self) -> None:
        """Stops the run: `get` returns no more tasks."""
        with self._changed:
            self._stopped = True
            self._changed.notify_all()

    def stopped(self) -> bool:
        """Whether `stop` was called."""
        return self._stopped

    @property
    def left(self) -> int:
        """Number of tasks waiting in the queue."""
        return len(self._waiting)


def work_concurrently(
    queue: TaskQueue[AnyTask],
    environments: Sequence[AnyEnvironment],
    carry_out: Callable[[AnyTask, AnyEnvironment], DeviceError | None],
    *,
    advice: str,
) -> dict[str, DeviceError]:
    """Carries out every task of a queue: one environment in this thread, several in a thread each.

    Args:
        queue: The tasks.
        environments: The environments.
        carry_out: Carries out one task on one environment; returns an error if the environment is lost, so
            that the task is requeued.
        advice: End of the message if every environment is lost.

    Returns:
        Names of the environments that were lost on the way -> why.

    Raises:
        DeviceError: Every environment is lost and tasks are left.
    """
    workers = [_Worker(queue, environment, carry_out) for environment in environments]
    if len(workers) == 1:
        workers[0].work()
    else:
        _work_in_threads(queue.stop, workers)
    for worker in workers:
        if worker.failed is not None:
            raise worker.failed
    lost = {worker.environment.name: worker.lost for worker in workers if worker.lost is not None}
    if queue.left and not queue.stopped():
        raise _make_all_lost_error(lost, queue.left, advice)
    return lost


@dataclass
class _Worker(Generic[AnyTask, AnyEnvironment]):
    """Carries out tasks on one environment until it is lost, or no task is left."""

    queue: TaskQueue[AnyTask]
    environment: AnyEnvironment
    carry_out: Callable[[AnyTask, AnyEnvironment], DeviceError | None]
    lost: DeviceError | None = None
    failed: BaseException | None = None

    def work(self) -> None:
        try:
            while self.lost is None and (task := self.queue.get()) is not None:
                self.lost = self.carry_out(task, self.environment)
                if self.lost is None:
                    self.queue.end_task()
                else:
                    self.queue.requeue(task)
        # also KeyboardInterrupt: `work_concurrently` raises it once all workers have ended
        except BaseException as error:
            self.failed = error
            self.queue.stop()


def _work_in_threads(stop: Callable[[], None], workers: Sequence[_Worker[AnyTask, AnyEnvironment]]) -> None:
    """Runs workers in daemon threads: a second Ctrl-C ends the process even if a model does not answer."""
    threads = [
        threading.Thread(target=worker.work, name=worker.environment.name, daemon=True) for worker in workers
    ]
    for thread in threads:
        thread.start()
    try:
        _join(threads)
    except KeyboardInterrupt:
        # the workers end their current step, so that its line is written
        stop()
        _join(threads)
        raise


def _join(threads: Sequence[threading.Thread]) -> None:
    for thread in threads:
        while thread.is_alive():
            thread.join(JOIN_SECONDS)


def _make_all_lost_error(lost: Mapping[str, DeviceError], left: int, advice: str) -> DeviceError:
    kinds = {type(error) for error in lost.values()}
    # one cause for all devices keeps its own class of error
    kind = kinds.pop() if len(kinds) == 1 else DeviceError
    named: dict[str, list[str]] = {}
    for name, error in lost.items():
        named.setdefault(str(error), []).append(name)
    reasons = "; ".join(f"{', '.join(names)}: {reason}" for reason, names in named.items())
    tasks = "1 task" if left == 1 else f"{left} tasks"
    return kind(f"no device is left for {tasks}: {reasons}; {advice}")
