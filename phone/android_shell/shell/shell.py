"""A shell of a device: runs the lines that a host sends."""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING

from android_shell.command_call import LineEndError
from android_shell.shell.builtins.control import ShellExit
from android_shell.shell.descriptors import Descriptors, write_to
from android_shell.shell.interpreter import Interpreter
from android_shell.shell.line_tasks import LineTasks, OutputWriter
from android_shell.shell.pipes import Input, open_bytes
from android_shell.shell.variables import ShellVariables

if TYPE_CHECKING:
    from android_shell.shell_device import ShellDevice

_log = logging.getLogger(__name__)


class Shell:
    """A shell of a device.

    Args:
        device: The device that it runs on.
        write: Receiver of stdout and stderr.
        source: Standard input of its commands; None for an empty one.

    Attributes:
        ended: Whether `exit` was called.
    """

    def __init__(self, device: ShellDevice, write: OutputWriter, source: Input | None = None) -> None:
        self._device = device
        self._descriptors: Descriptors = {
            0: source or open_bytes(b""),
            1: partial(write, 1),
            2: partial(write, 2),
        }
        variables = ShellVariables(files=device.files, clock=lambda: device.now.timestamp())
        self._interpreter = Interpreter(device, variables, LineTasks(device))
        self.ended = False

    async def run(self, line: str) -> int:
        """Run the commands of a line; what it started ends with it, but for commands that write elsewhere.

        Args:
            line: The line, as sent by the host.

        Returns:
            The exit code of the last command that ran.
        """
        self._device.keep_time()
        _log.debug("shell line %r", line)
        tasks = self._interpreter.tasks = LineTasks(self._device)
        try:
            await self._run(line)
        except LineEndError as error:
            tasks.refuse(error)
        finally:
            await tasks.cancel()
        if tasks.refused:
            await self._end_line(tasks.refused)
        return self._interpreter.variables.status

    async def _end_line(self, error: LineEndError) -> None:
        # on the shell's own stderr: a redirection of the command must not hide that the line ended
        self._interpreter.variables.status = error.code
        await write_to(self._descriptors, 2, f"{error}\n".encode())

    async def _run(self, line: str) -> None:
        try:
            await self._interpreter.run_text(line, self._descriptors)
        except ShellExit as end:
            self._interpreter.variables.status = end.code
            self.ended = True
        await self._interpreter.jobs.finish()
