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
    {
        "HUP": 1,
        "INT": 2,
        "QUIT": 3,
        "ILL": 4,
        "TRAP": 5,
        "ABRT": 6,
        "BUS": 7,
        "FPE": 8,
        "KILL": 9,
        "USR1": 10,
        "SEGV": 11,
        "USR2": 12,
        "PIPE": 13,
        "ALRM": 14,
        "TERM": 15,
    }
)
"""Signals that end a command, by name."""

_OTHERS = {16: "STKFLT", 17: "CHLD", 18: "CONT", 19: "STOP", 20: "TSTP", 21: "TTIN", 22: "TTOU", 23: "URG"}

BY_SIGNAL = 128
"""Added to the number of the signal that ended a command, in its exit code."""

_log = logging.getLogger(__name__)
_NAMES = {str(number): name for name, number in SIGNALS.items()}


def read_signal(text: str) -> str | None:
    """Return the name of a signal given as "TERM", "SIGTERM" or "15", "0" for none; None if it is unknown."""
    if text == "0":
        return text
    name = _NAMES.get(text, text.upper().removeprefix("SIG"))
    return name if name in SIGNALS else None


def describe_signal(code: int) -> str:
    """Return the name of the signal with a number, or that ended a command with an exit code."""
    number = code - BY_SIGNAL if code > BY_SIGNAL else code
    return _NAMES.get(str(number)) or _OTHERS.get(number) or str(code)


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

    def is_running(self, number: int) -> bool:
        """Whether a command of this process id runs."""
        return number in self._tasks and not self._tasks[number].done()

    def forget(self, number: int) -> None:
        """Forget a command that was waited for: its process id is unknown then."""
        self._codes.pop(number, None)
        self._waited.discard(number)
        if number in self._tasks and self._tasks[number].done():
            del self._tasks[number]

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

    async def wait_for_all(self) -> None:
        """Wait for all that run, also for those that write elsewhere."""
        if self._tasks:
            await asyncio.wait(list(self._tasks.values()))
        await self.finish()

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
