"""Attempts at tasks: made here on an environment, or made elsewhere and written to the log here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Protocol

from execution_runner.attempt import AttemptLog, end_without_steps, run_task
from execution_runner.environments.environment import Environment, EnvironmentSession
from execution_runner.execution_records import EndRecord
from execution_runner.execution_view import ExecutionView
from execution_runner.remote_attempt import RemoteEnvironment
from fingertip_dataset.errors import AppStartError, DeviceError
from fingertip_dataset.tasks.task import ExecutionTask

if TYPE_CHECKING:
    from execution_runner.safety.gate import Gate
    from fingertip_agents.execution_agent import ExecutionAgent

AnyEnvironment = Environment | RemoteEnvironment
"""What carries tasks out: a phone, a simulated phone or recordings here, or a worker elsewhere."""


class AttemptMaker(Protocol):
    """Makes the attempts of one environment."""

    def attempt(self, task: ExecutionTask, number: int) -> EndRecord | None:
        """Makes and logs attempt `number`, but not its end; None if the run is to stop meanwhile.

        Raises:
            DeviceError: The environment is lost.
        """

    def recover(self, task: ExecutionTask, *, again: bool) -> DeviceError | None:
        """Prepares for another attempt after an error of the phone; the error if the phone is lost.

        Args:
            task: The task.
            again: Whether it is this task that is tried again; a lost phone is else noticed by the next one.
        """


class LocalAttempts:
    """Attempts on an environment of this process.

    Args:
        environment: The environment.
        run: `run_task` with all but the task, the session, and the attempt's number and device.
    """

    def __init__(self, environment: Environment, run: Callable[..., EndRecord | None]) -> None:
        self._environment, self._run = environment, run
        self._reached = False

    def attempt(self, task: ExecutionTask, number: int) -> EndRecord | None:
        """Makes the attempt with this process's agent."""
        name = self._environment.name
        try:
            session = self._begin(task)
        except AppStartError as error:
            return end_without_steps(task, number, name, str(error))
        return self._run(task, session, attempt=number, device=name)

    def recover(self, task: ExecutionTask, *, again: bool) -> DeviceError | None:
        """Restarts the environment, and tries to begin a session if the task is tried again."""
        self._environment.restart()
        if not again:
            return None
        try:
            self._begin(task)
        except AppStartError:
            # the phone is there
            return None
        except DeviceError as error:
            return error
        return None

    def _begin(self, task: ExecutionTask) -> EnvironmentSession:
        """Begins a session; restarts the environment once if it was reachable before."""
        try:
            session = self._environment.begin(task)
        except AppStartError:
            self._reached = True
            raise
        except DeviceError:
            self._environment.restart()
            # a phone that never answered is not there: no second try
            if not self._reached:
                raise
            session = self._environment.begin(task)
        self._reached = True
        return session


class RemoteAttempts:
    """Attempts that a worker elsewhere makes with an agent of its own.

    Args:
        environment: The worker.
        log: Log of the run.
        view: Parts of a task that the agent gets.
        stopped: Whether the run is to stop.
    """

    def __init__(
        self,
        environment: RemoteEnvironment,
        log: AttemptLog,
        view: ExecutionView,
        stopped: Callable[[], bool],
    ) -> None:
        self._environment, self._log, self._view, self._stopped = environment, log, view, stopped

    def attempt(self, task: ExecutionTask, number: int) -> EndRecord | None:
        """Waits for the worker's attempt, and writes its steps."""
        made = self._environment.attempt(task, number, self._view, self._stopped)
        if made is None:
            return None
        made.write(self._log)
        return made.end

    def recover(self, task: ExecutionTask, *, again: bool) -> DeviceError | None:
        """Nothing: the worker recovers by itself."""
        return None


def make_attempt_makers(
    environments: Sequence[AnyEnvironment],
    agent: ExecutionAgent,
    log: AttemptLog,
    view: ExecutionView,
    gate: Gate | None,
    dry_run: bool,
    stopped: Callable[[], bool],
) -> dict[str, AttemptMaker]:
    """Name of each environment -> its maker; arguments as of `run_task`."""
    run = partial(run_task, agent=agent, log=log, view=view, gate=gate, dry_run=dry_run, stopped=stopped)
    return {
        one.name: RemoteAttempts(one, log, view, stopped)
        if isinstance(one, RemoteEnvironment)
        else LocalAttempts(one, run)
        for one in environments
    }
