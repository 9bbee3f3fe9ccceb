"""Several grounds side by side: tasks are handed out one at a time, and handed back when a ground is lost."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Sequence

from execution_runner.environments.environment import Environment
from execution_runner.run_plan import PlannedTask
from fingertip_dataset.errors import DeviceError

JOIN_SECONDS = 0.2
"""How often the main thread looks up from waiting, so that Ctrl-C is heard."""


class TaskQueue:
    """The tasks that are still to be done; several threads may ask.

    Args:
        tasks: In the order in which they are handed out.
    """

    def __init__(self, tasks: Iterable[PlannedTask]) -> None:
        self._waiting = deque(tasks)
        self._out = 0
        self._stopped = False
        self._changed = threading.Condition()

    def get(self) -> PlannedTask | None:
        """The next task, to be ended by `done` or `give_back`; waits while one may still come back.

        None where there is none left, or the run stops.
        """
        with self._changed:
            while not self._waiting and self._out and not self._stopped:
                self._changed.wait()
            if self._stopped or not self._waiting:
                return None
            self._out += 1
            return self._waiting.popleft()

    def done(self) -> None:
        """A task that was taken is over."""
        with self._changed:
            self._out -= 1
            self._changed.notify_all()

    def requeue(self, planned: PlannedTask) -> None:
        """A task that was taken is for somebody else."""
        with self._changed:
            self._out -= 1
            self._waiting.appendleft(planned)
            self._changed.notify_all()

    def stop(self) -> None:
        """Nobody gets a task any more."""
        with self._changed:
            self._stopped = True
            self._changed.notify_all()

    def stopped(self) -> bool:
        """Whether the run stops."""
        return self._stopped

    @property
    def left(self) -> int:
        """Tasks that nobody has taken."""
        return len(self._waiting)


def work_side_by_side(
    queue: TaskQueue,
    environments: Sequence[Environment],
    carry_out: Callable[[PlannedTask, Environment], DeviceError | None],
) -> None:
    """Carries out every task of the desk; one ground works in this thread, more have a thread each.

    Args:
        queue: Where the tasks are.
        environments: What they are carried out on.
        carry_out: Brings one task to its end on one ground; returns an error where the ground is lost, and
            the task is somebody else's.

    Raises:
        DeviceError: Every ground is lost while there are tasks left.
    """
    workers = [_Worker(queue, environment, carry_out) for environment in environments]
    if len(workers) == 1:
        workers[0].work()
    else:
        _in_threads(queue, workers)
    for worker in workers:
        if worker.failed is not None:
            raise worker.failed
    lost = [worker for worker in workers if worker.lost is not None]
    if queue.left and not queue.stopped():
        raise _all_lost(lost, queue.left)


class _Worker:
    """One ground, and what became of it."""

    def __init__(
        self,
        queue: TaskQueue,
        environment: Environment,
        carry_out: Callable[[PlannedTask, Environment], DeviceError | None],
    ) -> None:
        self._queue = queue
        self.environment = environment
        self._carry_out = carry_out
        self.lost: DeviceError | None = None
        self.failed: BaseException | None = None

    def work(self) -> None:
        try:
            while self.lost is None and (planned := self._queue.get()) is not None:
                self.lost = self._carry_out(planned, self.environment)
                if self.lost is None:
                    self._queue.done()
                else:
                    self._queue.requeue(planned)
        except BaseException as error:
            self.failed = error
            self._queue.stop()


def _in_threads(queue: TaskQueue, workers: Sequence[_Worker]) -> None:
    """Daemons, so that a second Ctrl-C ends the process though a model does not answer."""
    threads = [
        threading.Thread(target=worker.work, name=worker.environment.name, daemon=True) for worker in workers
    ]
    for thread in threads:
        thread.start()
    try:
        _join(threads)
    except KeyboardInterrupt:
        queue.stop()
        _join(threads)
        raise


def _join(threads: Sequence[threading.Thread]) -> None:
    for thread in threads:
        while thread.is_alive():
            thread.join(JOIN_SECONDS)


def _all_lost(lost: Sequence[_Worker], left: int) -> DeviceError:
    errors = [worker.lost for worker in lost if worker.lost is not None]
    kinds = {type(error) for error in errors}
    kind = kinds.pop() if len(kinds) == 1 else DeviceError
    reasons = "; ".join(f"{worker.environment.name}: {worker.lost}" for worker in lost)
    return kind(
        f"expected a device to go on with, got none for {left} tasks: {reasons}; --resume goes on from here"
    )
