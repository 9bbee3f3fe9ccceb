"""An attempt that another machine makes: what it logs is collected there and written to the log here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from execution_runner.attempt import AttemptLog
from execution_runner.execution_records import EndRecord, StepRecord
from execution_runner.execution_view import ExecutionView
from fingertip_dataset.tasks.task import ExecutionTask
from fingertip_runs.device_kinds import DeviceKindName


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoteAttempt:
    """The lines and files of one attempt.

    Attributes:
        files: Screenshots and trees: path relative to the run's folder, and content.
        steps: The steps.
        end: Its end, as of a task's final attempt.
    """

    files: tuple[tuple[str, bytes], ...]
    steps: tuple[StepRecord, ...]
    end: EndRecord

    def write(self, log: AttemptLog) -> None:
        """Writes files and steps to a run's log, but not the end.

        Raises:
            RunError: They could not be written (for example, disk full).
        """
        for name, content in self.files:
            log.save(name, content)
        for step in self.steps:
            log.step(step)


class CollectingLog:
    """An `AttemptLog` that keeps files and steps in memory."""

    def __init__(self) -> None:
        self.files: list[tuple[str, bytes]] = []
        self.steps: list[StepRecord] = []

    def save(self, file: str, content: bytes) -> None:
        """Keep a screenshot or a tree."""
        self.files.append((file, content))

    def step(self, line: StepRecord) -> None:
        """Keep a step."""
        self.steps.append(line)


@runtime_checkable
class RemoteEnvironment(Protocol):
    """An environment that makes whole attempts elsewhere, with an agent of its own."""

    @property
    def kind(self) -> DeviceKindName:
        """The device kind."""

    @property
    def name(self) -> str:
        """Name, unique in a run."""

    @property
    def faults(self) -> tuple[str, ...]:
        """Faults that are switched on."""

    def attempt(
        self, task: ExecutionTask, number: int, view: ExecutionView, stopped: Callable[[], bool]
    ) -> RemoteAttempt | None:
        """Makes attempt `number` at a task; None if the run is to stop meanwhile.

        Raises:
            DeviceError: The other machine, or its phone, is lost; nothing of the attempt is kept.
            EndpointError: The endpoint of the agent's model is dead.
        """
