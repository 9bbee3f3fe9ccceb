"""A call of a shell command: arguments, device and output."""

from __future__ import annotations

import posixpath
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from android_shell.files import FileError

if TYPE_CHECKING:
    from android_shell.shell.pipes import Input
    from android_shell.shell_device import ShellDevice


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


class LineEndError(Exception):
    """Raised to end a whole line of a host with a message: nothing behind it runs on a wrong state.

    Args:
        message: Text for the shell's stderr, without the last newline.
        code: Exit code of the line.
    """

    def __init__(self, message: str, code: int = 1) -> None:
        super().__init__(message)
        self.message = message
        self.code = code


class UnsupportedError(LineEndError):
    """Raised for what a phone has and this one lacks: an option, a tool, a part of the shell's language.

    The line ends as if the phone did not have it, and the device counts it (`ShellDevice.refusals`). What a
    phone itself does not have is a `CommandError`, after which the line goes on.
    """


@dataclass(slots=True, kw_only=True)
class CommandCall:
    """A call of a command.

    Args:
        device: The device that it runs on.
        name: The command's name.
        args: Its arguments, unquoted.
        write: Sends bytes to 1 (stdout) or 2 (stderr) immediately.
        input: Its standard input.
        folder: The working folder.
        environment: The exported variables.
        umask: Bits that the mode of a new file does not get.
        execute: Runs another command by its words, with an input and variables of its own if they are given.
        run_script: Runs a text with these parameters in a new shell.
        code: Exit code.
        failure: Exit code of an error.
    """

    device: ShellDevice
    name: str
    args: list[str]
    write: Callable[[int, bytes], Awaitable[None]]
    input: Input
    folder: str
    environment: Mapping[str, str]
    umask: int = 0
    execute: Callable[..., Awaitable[int]]
    run_script: Callable[..., Awaitable[int]]
    code: int = 0
    failure: int = 1
    _printed: list[tuple[int, bytes]] = field(default_factory=list)

    def path(self, name: str) -> str:
        """The absolute path of a file name."""
        # an empty name leads nowhere, not to the folder
        return posixpath.join(self.folder, name) if name else ""

    def print(self, text: str | bytes) -> None:
        """Append to stdout."""
        self._printed.append((1, _encode(text) if isinstance(text, str) else text))

    def print_error(self, text: str) -> None:
        """Append to stderr."""
        self._printed.append((2, _encode(text)))

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

    def report(self, name: str, error: FileError) -> None:
        """Print a file's error; the exit code becomes that of an error."""
        self.print_error(f"{self.name}: {name}: {error}\n")
        self.code = self.failure

    @contextmanager
    def reporting(self, name: str) -> Iterator[None]:
        """Print an error of the file of this name, so that the command goes on with the next one."""
        try:
            yield
        except FileError as error:
            self.report(name, error)

    def error(self, text: str, code: int | None = None) -> CommandError:
        """Return the error with the command's name before the text."""
        return CommandError(f"{self.name}: {text}", self.failure if code is None else code)

    def usage_error(self, text: str, code: int | None = None) -> CommandError:
        """Return the error of wrong arguments, which names the command's help, as toybox does."""
        return self.error(f'{text} (see "{self.name} --help")', code)

    def refuse_option(self, option: str) -> UnsupportedError:
        """Return the error of an option that a phone's tool has and this one lacks; it ends the line."""
        return UnsupportedError(self.usage_error(f"Unknown option '{option}'").message)


def _encode(text: str) -> bytes:
    # names of files may have bytes that are no UTF-8
    return text.encode("utf-8", "surrogateescape")
