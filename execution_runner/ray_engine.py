"""Attempts on Ray workers: each has a simulated phone or recordings, and an agent, of its own.

The log stays with the caller. An attempt is written there when it is complete, so a lost worker loses
nothing: its task goes to another one.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from execution_runner.attempt import end_without_steps, run_task
from execution_runner.environments.dialogue_session import MakeAnswerer
from execution_runner.environments.open_environments import open_environments
from execution_runner.execution_view import ExecutionView
from execution_runner.patient_agent import PatientAgent
from execution_runner.remote_attempt import CollectingLog, RemoteAttempt
from fingertip_agents.execution_agent import ExecutionAgent
from fingertip_agents.setup import AgentSetup
from fingertip_dataset.errors import AppStartError, DeviceError, EndpointError, FingerTipError, UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.parquet.engines import ray_cluster
from fingertip_dataset.split_names import TEST_EXECUTION
from fingertip_dataset.tasks.task import ExecutionTask
from fingertip_runs.device_kinds import DEVICE_KINDS, DeviceKindName, device_kind, expand_devices
from fingertip_runs.run_log import resume_advice
from simulated_phone.dialogue.vague_task import begin_at_home

CPUS = 0.25
"""CPUs that a worker asks the cluster for: mostly it waits for the model."""

START_SECONDS = 300.0
"""Longest wait for a worker to start, after which its tasks are left to the others."""

POLL_SECONDS = 0.5
"""Seconds between two looks whether the run is to stop."""

MakeAgent = Callable[[Mapping[str, Mapping[str, object]]], ExecutionAgent]
"""Makes a worker's agent, from the set-ups of the simulated phones by task id (empty for other devices)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerSetup:
    """The arguments that a worker needs to make attempts; they are sent to it.

    Attributes:
        dataset: Folder of the dataset, which every machine of the cluster must have at this path.
        split: Name of the split.
        device: Device of one worker, as on the command line.
        faults: Faults of simulated phones.
        dry_run: Whether nothing is carried out.
        resume: Whether the call continues a run.
        make_agent: Makes the agent.
        at_home: As of `open_environments`.
        answers: As of `open_environments`.
    """

    dataset: Path
    split: str
    device: str
    faults: tuple[str, ...]
    dry_run: bool
    resume: bool
    make_agent: MakeAgent
    at_home: bool = False
    answers: MakeAnswerer | None = None


class Worker:
    """Makes attempts in a Ray worker's process.

    Args:
        setup: What it needs.
    """

    def __init__(self, setup: WorkerSetup) -> None:
        self._setup = setup
        self._stack = ExitStack()

    def start(self) -> FingerTipError | None:
        """Opens the device and makes the agent; returns the error that prevents it, or None."""
        setup = self._setup
        try:
            built = BuiltDataset.open(setup.dataset)
            simulated = DEVICE_KINDS[device_kind([setup.device])].simulated
            simulations = built.simulations() if simulated else {}
            agent = setup.make_agent(begin_at_home(simulations) if setup.at_home else simulations)
            self._agent = PatientAgent(agent, resume_advice(resume=setup.resume))
            (self._environment,) = self._stack.enter_context(
                open_environments(
                    [setup.device],
                    built,
                    split=setup.split,
                    faults=setup.faults,
                    at_home=setup.at_home,
                    answers=setup.answers,
                )
            )
        except FingerTipError as error:
            return error
        return None

    def attempt(
        self, task: ExecutionTask, number: int, view: ExecutionView, name: str
    ) -> RemoteAttempt | FingerTipError:
        """Makes an attempt; returns an error that ends the worker or the run, as Ray wraps what is raised."""
        log = CollectingLog()
        try:
            session = self._environment.begin(task)
            end = run_task(
                task,
                session,
                self._agent,
                log,
                attempt=number,
                device=name,
                view=view,
                dry_run=self._setup.dry_run,
            )
        except AppStartError as error:
            end = end_without_steps(task, number, name, str(error))
            return RemoteAttempt(files=(), steps=(), end=end)
        except (DeviceError, EndpointError) as error:
            self._environment.restart()
            return error
        if end is None:  # pragma: no cover - nothing stops an attempt here
            return DeviceError("the attempt was stopped")
        if end.outcome == "device_error":
            self._environment.restart()
        return RemoteAttempt(files=tuple(log.files), steps=tuple(log.steps), end=end)


class RayEnvironment:
    """A `RemoteEnvironment` on one Ray worker.

    Args:
        name: Name of the environment.
        kind: Device kind of the worker.
        faults: Faults of simulated phones.
        worker: Handle of the actor.
    """

    def __init__(self, name: str, kind: DeviceKindName, faults: tuple[str, ...], worker: Any) -> None:  # noqa: ANN401 - Ray has no types
        self.name = name
        self.kind = kind
        self.faults = faults
        self._worker = worker
        self._started: Any = worker.start.remote()
        self._ready = False

    def attempt(
        self, task: ExecutionTask, number: int, view: ExecutionView, stopped: Callable[[], bool]
    ) -> RemoteAttempt | None:
        """Makes attempt `number` at a task on the worker; None if the run is to stop meanwhile.

        Raises:
            DeviceError: The worker is lost, or does not start; nothing of the attempt is kept.
            EndpointError: The endpoint of the agent's model is dead.
            FingerTipError: The worker cannot do its work, for example without the dataset.
        """
        if not self._ready:
            error = self._await_result(self._started, stopped, START_SECONDS)
            if isinstance(error, FingerTipError):
                raise error
            if stopped():
                return None
            self._ready = True
        made = self._await_result(self._worker.attempt.remote(task, number, view, self.name), stopped)
        if isinstance(made, FingerTipError):
            raise made
        assert made is None or isinstance(made, RemoteAttempt)  # noqa: S101 - what `Worker.attempt` returns
        return made

    def _await_result(
        self,
        running: Any,  # noqa: ANN401 - Ray has no types
        stopped: Callable[[], bool],
        limit_s: float = math.inf,
    ) -> object:
        """The result of a call of the worker; None if the run is to stop meanwhile."""
        import ray

        began = time.monotonic()
        try:
            while not ray.wait([running], timeout=POLL_SECONDS)[0]:
                if stopped():
                    return None
                if time.monotonic() - began > limit_s:
                    raise DeviceError(
                        f"the Ray worker {self.name} did not start within {limit_s:g} s: the cluster has no "
                        "free CPU for it"
                    )
            return ray.get(running)
        except ray.exceptions.RayTaskError as error:
            raise error.cause from error
        except ray.exceptions.RayError as error:
            raise DeviceError(f"the Ray worker {self.name} is lost: {type(error).__name__}") from error


def build_agent(
    name: str, setup: AgentSetup, simulations: Mapping[str, Mapping[str, object]]
) -> ExecutionAgent:
    """A worker's agent, by name; see `get_execution_agent`.

    Args:
        name: Name of the agent.
        setup: Its set-up, without the simulated phones.
        simulations: Task id -> set-up of its simulated phone.
    """
    from fingertip_agents.registry import get_execution_agent

    return get_execution_agent(name, replace(setup, simulations=simulations))


def check_ray_devices(specs: Sequence[str]) -> None:
    """Refuse real phones for Ray workers.

    Raises:
        UsageError: A real phone is named, which hangs on one machine.
    """
    if DEVICE_KINDS[device_kind(specs)].real_phone:
        raise UsageError(
            f"Ray workers have simulated phones or recordings, not a phone of this machine, got {specs[0]}: "
            "leave out --engine ray, or give --device simulated:8"
        )


@contextmanager
def make_ray_environments(
    specs: Sequence[str],
    dataset: Path,
    make_agent: MakeAgent,
    *,
    split: str = TEST_EXECUTION,
    faults: Collection[str] = (),
    dry_run: bool = False,
    resume: bool = False,
    at_home: bool = False,
    answers: MakeAnswerer | None = None,
) -> Iterator[tuple[RayEnvironment, ...]]:
    """Starts a Ray worker for each device, on the connected cluster, that of RAY_ADDRESS, or this machine.

    A worker takes a quarter of a CPU. One for which the cluster has none for `START_SECONDS` leaves its task
    to the others.

    Args:
        specs: Devices as on the command line, which are no real phones.
        dataset: Folder of the dataset, the same on every machine of the cluster.
        make_agent: Makes a worker's agent; it is sent there.
        split: Name of the split.
        faults: Faults of simulated phones.
        dry_run: Whether nothing is carried out.
        resume: Whether the call continues a run, for messages.
        at_home: As of `open_environments`.
        answers: As of `open_environments`; it is sent to the workers.

    Raises:
        UsageError: A real phone is named, which hangs on one machine.
        MissingExtraError: Ray is not installed.
    """
    names = expand_devices(specs)
    kind = device_kind(names)
    check_ray_devices(names)
    with ray_cluster():
        import ray

        actor = ray.remote(num_cpus=CPUS, scheduling_strategy="SPREAD")(Worker)
        setups = [
            WorkerSetup(
                dataset=dataset.absolute(),
                split=split,
                device=name,
                faults=tuple(faults),
                dry_run=dry_run,
                resume=resume,
                make_agent=make_agent,
                at_home=at_home,
                answers=answers,
            )
            for name in names
        ]
        workers = [actor.remote(setup) for setup in setups]
        try:
            yield tuple(
                RayEnvironment(f"ray-{number}", kind, tuple(sorted(set(faults))), worker)
                for number, worker in enumerate(workers, 1)
            )
        finally:
            for worker in workers:
                ray.kill(worker)
