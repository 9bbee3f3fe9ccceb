"""Failed tasks in a row: tells a task that a server refuses from a server that refuses every task."""

from __future__ import annotations

import threading

from fingertip_dataset.errors import EndpointError, ModelError, PreflightError

MOST_FAILED_IN_A_ROW = 10
"""Number of different tasks in a row that may fail before a run stops. Tasks of one person come one after
another and share earlier intents, so a content filter may refuse several in a row."""


class FailureStreak:
    """Counts the tasks that failed since the last answer. Thread-safe.

    Attributes:
        answered: Whether any task had an answer.

    >>> streak = FailureStreak()
    >>> for number in range(9):
    ...     streak.add(f"task {number}", ModelError("status 400: no"), advice="call again")
    >>> streak.reset()
    >>> streak.answered
    True
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._tasks: set[object] = set()
        self.answered = False

    def reset(self) -> None:
        """Note an answer."""
        with self._lock:
            self._tasks.clear()
            self.answered = True

    def add(self, task: object, error: ModelError, *, advice: str) -> None:
        """Note a failed task.

        Args:
            task: Id of the task; several failures of one task count once.
            error: Why it failed.
            advice: End of the message if the run stops.

        Raises:
            PreflightError: It is one before any answer, and the same call would fail again.
            EndpointError: It is another `EndpointError`, or too many tasks in a row failed.
        """
        # later it is a server that has died, and that may come back
        if isinstance(error, PreflightError) and not self.answered:
            raise error
        if isinstance(error, EndpointError):
            raise EndpointError(f"{error.message}; {advice}", episode_id=error.episode_id) from error
        with self._lock:
            self._tasks.add(task)
            failed = len(self._tasks)
        if failed >= MOST_FAILED_IN_A_ROW:
            # concurrent tasks may have failed meanwhile: the message is the same for each of them
            raise EndpointError(
                f"{error.message}; so ended {MOST_FAILED_IN_A_ROW} tasks in a row, and the run stops: "
                f"{advice}",
                episode_id=error.episode_id,
            ) from error
