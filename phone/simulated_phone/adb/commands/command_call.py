"""One call of a shell command: arguments, phone and output."""

from __future__ import annotations

import posixpath
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from simulated_phone.adb.device_state import DeviceState
    from simulated_phone.adb.shell.pipes import Input
    from simulated_phone.phone import Phone


class CommandError(Exception):
    """Raised to end a command with an error message.

    Args:
        message: Text for its stderr, without the last newline.
        code: Exit code.
    """

    def __init__(self, message: str, code: int = 1) -> None:
        super().__init__(message)
        self.message = message
        self.code = code


@dataclass(slots=True, kw_only=True)
class CommandCall:
    """A call of a command.

    Args:
        device: The phone's shared state.
        name: The command's name.
        args: Its arguments, unquoted.
        write: Sends bytes to 1 (stdout) or 2 (stderr) immediately.
        input: Its standard input.
        folder: The working folder.
        environment: The exported variables.
        execute: Runs another command by its words, with an input of its own if one is given.
        run_script: Runs a text with these parameters in a new shell.
        code: Exit code.
    """

    device: DeviceState
    name: str
    args: list[str]
    write: Callable[[int, bytes], Awaitable[None]]
    input: Input
    folder: str
    environment: Mapping[str, str]
    execute: Callable[..., Awaitable[int]]
    run_script: Callable[[str, list[str]], Awaitable[int]]
    code: int = 0
    _printed: list[tuple[int, bytes]] = field(default_factory=list)

    @property
    def phone(self) -> Phone:
        """The phone."""
        return self.device.phone

    def path(self, name: str) -> str:
        """The absolute path of a file name."""
        return posixpath.join(self.folder, name)

    def print(self, text: str | bytes) -> None:
        """Append to stdout."""
        self._printed.append((1, text.encode() if isinstance(text, str) else text))

    def print_error(self, text: str) -> None:
        """Append to stderr."""
        self._printed.append((2, text.encode()))

    async def flush(self) -> None:
        """Send the collected output to the host."""
        output, self._printed = self._printed, []
        for stream, parts in groupby(output, key=itemgetter(0)):
            await self.write(stream, b"".join(data for _, data in parts))

    def pop_flag(self, *names: str) -> bool:
        """Remove the flags from the arguments; return whether there was one."""
        found = [arg for arg in self.args if arg in names]
        self.args = [arg for arg in self.args if arg not in names]
        return bool(found)

    def pop_option(self, *names: str) -> str | None:
        """Remove the first of the options and its value from the arguments; return the value.

        Raises:
            CommandError: The option is the last argument.
        """
        for index, arg in enumerate(self.args):
            if arg in names:
                if index + 1 == len(self.args):
                    raise self.java_error(
                        f'java.lang.IllegalArgumentException: Argument expected after "{arg}"'
                    )
                value = self.args[index + 1]
                del self.args[index : index + 2]
                return value
        return None

    def java_error(self, text: str) -> CommandError:
        """The error of a system service that threw a Java exception."""
        subcommand = self.args[0] if self.args else self.name
        return CommandError(f"\nException occurred while executing '{subcommand}':\n{text}", 255)


Run = Callable[[CommandCall], Awaitable[None] | None]
"""Implementation of a command: it prints to the call, or raises `CommandError`."""
