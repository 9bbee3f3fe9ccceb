"""Tasks that a line starts: subshells, stages of pipelines and background commands, up to a limit."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from android_shell.command_call import LineEndError, UnsupportedError
from android_shell.shell.variables import SHELL

if TYPE_CHECKING:
    from android_shell.shell_device import ShellDevice

MAX_PROCESSES = 512
"""Largest number of subshells, stages and background commands of a phone that run at the same time."""

MAX_DEPTH = 60
"""Largest nesting of subshells and function calls."""

OutputWriter = Callable[[int, bytes], Awaitable[None]]
"""Called with a stream number (1 stdout, 2 stderr) and bytes as they are produced."""


class LimitError(LineEndError):
    """A line needs more memory or processes than the phone has."""


class LineTasks:
    """Subshells, stages and background commands of a line, up to a limit.

    A line that was refused once starts nothing any more: otherwise one that starts itself twice would go
    on within the limit, for longer than anybody waits.

    Args:
        device: The device, which counts what runs on it.
    """

    def __init__(self, device: ShellDevice) -> None:
        self._device = device
        self._tasks: set[asyncio.Task[int]] = set()
        # shared with the background commands that outlive the line
        self._refusals: list[LineEndError] = []

    @property
    def refused(self) -> LineEndError | None:
        """The error that ends the line, once something was refused."""
        return self._refusals[0] if self._refusals else None

    def refuse(self, error: LineEndError) -> None:
        """Let the line end with an error, also where a background command raised it."""
        if error not in self._refusals:
            self._refusals.append(error)
            self._device.refusals += isinstance(error, UnsupportedError)

    def check(self) -> None:
        """Check that the line may go on.

        Raises:
            LineEndError: It was refused something before.
        """
        if self._refusals:
            raise self._refusals[0]

    def detach(self) -> LineTasks:
        """For a background command that goes on after the line; a refusal of one is one of both."""
        inner = LineTasks(self._device)
        inner._refusals = self._refusals
        return inner

    def check_depth(self, depth: int) -> None:
        """Check the nesting of a subshell or a function call.

        Raises:
            LimitError: It is too deep, or the line was refused something before.
        """
        if depth >= MAX_DEPTH:
            self.refuse(LimitError(f"{SHELL}: too many levels of nesting"))
        self.check()

    def start(self, run: Callable[[], Coroutine[Any, Any, int]]) -> asyncio.Task[int]:
        """Start a stage or a background command.

        Raises:
            LimitError: Too many run on the phone.
        """
        self._enter()
        task = asyncio.create_task(run())
        self._tasks.add(task)
        task.add_done_callback(self._end)
        return task

    @contextmanager
    def subshell(self) -> Iterator[None]:
        """Count a subshell that is waited for.

        Raises:
            LimitError: Too many run on the phone.
        """
        self._enter()
        try:
            yield
        finally:
            self._device.processes -= 1

    async def cancel(self) -> None:
        """End all of them but the caller, and wait for their ends."""
        tasks = tuple(self._tasks - {asyncio.current_task()})
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _enter(self) -> None:
        if self._device.processes >= MAX_PROCESSES:
            self.refuse(LimitError(f"{SHELL}: can't fork - try again"))
        self.check()
        self._device.processes += 1

    def _end(self, task: asyncio.Task[int]) -> None:
        self._device.processes -= 1
        self._tasks.discard(task)
