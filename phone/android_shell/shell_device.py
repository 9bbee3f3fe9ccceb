"""The interface to the device that a shell runs on."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, ClassVar

from android_shell.files import FileError, FileSystem

Run = Callable[[Any], Awaitable[None] | None]
"""Implementation of a command: it takes a call of the device's type; it prints, or raises `CommandError`."""


@dataclass(slots=True, kw_only=True)
class ShellDevice:
    """A device with a shell; a device of its own kind is a subclass, and hands in its commands.

    Args:
        files: Its storage.
        commands: Command name -> implementation.
        call_type: Makes the call of a command; its class is what the implementations take.
        processes: Number of subshells, stages of pipelines and background commands that run.
        refusals: Number of lines that ended early, since they need what a phone has and this one lacks.
    """

    errors: ClassVar[tuple[type[Exception], ...]] = (FileError,)
    """Exceptions that end a command with their text as its message."""

    files: FileSystem = field(default_factory=FileSystem)
    commands: Mapping[str, Run]
    call_type: Callable[..., Any]
    processes: int = 0
    refusals: int = 0
    _jobs: set[asyncio.Task[int]] = field(default_factory=set)

    @property
    def now(self) -> datetime:
        """The device's clock."""
        return datetime.now(UTC)

    def wait(self, seconds: float) -> None:
        """Note that a command has waited so long."""

    def keep_time(self) -> None:
        """Note that a line of a host begins."""

    def end_command(self, name: str) -> None:
        """Note that a command has ended."""

    def keep_job(self, job: asyncio.Task[int]) -> None:
        """Let a background command go on after the shell that started it."""
        self._jobs.add(job)
        job.add_done_callback(self._jobs.discard)

    def end_jobs(self) -> None:
        """End the background commands."""
        for job in tuple(self._jobs):
            job.cancel()
