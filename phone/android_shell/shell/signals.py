"""Signals and background commands of a shell: `kill`, `wait`."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from functools import partial
from types import MappingProxyType

from android_shell.shell.syntax import AndOr, FunctionDefinition
from android_shell.shell.variables import PROCESS_ID

SIGNALS: Mapping[str, int] = MappingProxyType(
    {"HUP": 1, "INT": 2, "QUIT": 3, "KILL": 9, "USR1": 10, "USR2": 12, "PIPE": 13, "ALRM": 14, "TERM": 15}
)
"""Signals by name."""

BY_SIGNAL = 128
"""Added to the number of the signal that ended a command, in its exit code."""

_log = logging.getLogger(__name__)
_NAMES = {str(number): name for name, number in SIGNALS.items()}


def read_signal(text: str) -> str | None:
    """Return the name of a signal given as "TERM", "SIGTERM" or "15"; None if there is no such signal."""
    name = _NAMES.get(text, text.upper().removeprefix("SIG"))
    return name if name in SIGNALS else None


class Jobs:
    """The background commands that a shell has started, by process id."""

    def __init__(self) -> None:
        self._tasks: dict[int, asyncio.Task[int]] = {}
        self._codes: dict[int, int] = {}
        self._waited: set[int] = set()
        self._last = PROCESS_ID

    def add(self, task: asyncio.Task[int], *, waited: bool) -> int:
        """Keep a command; `waited` if the shell waits for it before it ends. Return its process id."""
        self._last += 1
        number = self._last
        self._tasks[number] = task
        task.add_done_callback(partial(self._note, number))
        if waited:
            self._waited.add(number)
        return number

    def end(self, number: int, signal: str) -> bool:
        """End a command by a signal; return whether the shell has started it."""
        if number not in self._tasks:
            return number in self._codes
        if not self._tasks[number].done():
            self._codes[number] = BY_SIGNAL + SIGNALS[signal]
            self._tasks[number].cancel()
        return True

    async def wait(self, number: int) -> int:
        """Wait for a command; return its exit code, 127 for one that the shell has not started."""
        task = self._tasks.get(number)
        if task is None:
            return self._codes.get(number, 127)
        await asyncio.wait([task])
        if task.cancelled():
            return self._codes.get(number, BY_SIGNAL + SIGNALS["TERM"])
        return task.result()

    def _note(self, number: int, task: asyncio.Task[int]) -> None:
        # a loop may start any number of commands: of those that have ended only the code is kept
        if task.cancelled():
            return
        error = task.exception()
        if error is None:
            self._codes[number] = task.result()
            del self._tasks[number]
        elif number not in self._waited:
            _log.error("a background command failed", exc_info=error)

    async def finish(self) -> None:
        """Wait for those that write to the shell's output."""
        for number in sorted(self._waited):
            await self.wait(number)
        self._waited.clear()


def writes_elsewhere(item: AndOr) -> bool:
    """Whether the output of a background command goes to files, so that the shell need not wait for it."""
    for _, pipeline in item.pipelines:
        command = pipeline.commands[-1]
        redirections = () if isinstance(command, FunctionDefinition) else command.redirections
        if not {1, 2} <= {redirection.descriptor for redirection in redirections}:
            return False
    return True
