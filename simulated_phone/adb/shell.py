"""The phone's shell: runs the commands of a line in order and forwards their output."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from simulated_phone.adb.commands import COMMANDS
from simulated_phone.adb.commands.command_call import CommandCall, CommandError
from simulated_phone.adb.files import FileError
from simulated_phone.adb.shell_line import STATUS, Redirection, ShellCommand, ShellSyntaxError, parse_line
from simulated_phone.phone_errors import PhoneError

if TYPE_CHECKING:
    from simulated_phone.adb.device_state import DeviceState

OutputWriter = Callable[[int, bytes], Awaitable[None]]
"""Called with a stream number (1 stdout, 2 stderr) and bytes as they are produced."""

NOT_FOUND = 127
"""Exit code of an unknown command."""

_SHELL = "/system/bin/sh"


class ShellExit(Exception):
    """Raised by `exit`; `code` is the shell's exit code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Shell:
    """One shell of a phone.

    Args:
        device: The phone's shared state.
        write: Receiver of stdout and stderr.

    Attributes:
        ended: Whether `exit` was called.
    """

    def __init__(self, device: DeviceState, write: OutputWriter) -> None:
        self._device = device
        self._write = write
        self._status = 0
        self.ended = False

    async def run(self, line: str) -> int:
        """Run the commands of a line.

        Args:
            line: The line, as sent by the host.

        Returns:
            The exit code of the last command that ran.
        """
        self._device.keep_time()
        try:
            for command in parse_line(line):
                if _must_run(command.operator, self._status):
                    self._status = await self._run_command(command)
        except ShellSyntaxError as error:
            await self._write(2, f"{_SHELL}: {error}\n".encode())
            self._status = 1
        except ShellExit as end:
            self._status = end.code
            self.ended = True
        return self._status

    async def _run_command(self, command: ShellCommand) -> int:
        words = [word.replace(STATUS, str(self._status)) for word in command.words]
        name, args = words[0].removeprefix("/system/bin/"), words[1:]
        if name == "exit":
            raise ShellExit(_exit_code(args, self._status))
        try:
            output = _Output(self._device, self._write, command.redirections)
            code = await self._call(
                CommandCall(device=self._device, name=name, args=args, write=output.write)
            )
            output.close()
        except FileError as error:
            await self._write(2, f"{_SHELL}: can't write a file: {error}\n".encode())
            return 1
        return code

    async def _call(self, call: CommandCall) -> int:
        try:
            if call.name not in COMMANDS:
                raise CommandError(f"{_SHELL}: {call.name}: inaccessible or not found", NOT_FOUND)
            work = COMMANDS[call.name](call)
            if inspect.isawaitable(work):
                await work
        except CommandError as error:
            call.print_error(error.message + "\n")
            call.code = error.code
        except (FileError, PhoneError) as error:
            call.print_error(f"{call.name}: {error}\n")
            call.code = 1
        await call.flush()
        return call.code


def _must_run(operator: str, status: int) -> bool:
    # && needs success before it, || needs failure
    return operator == ";" or (status == 0) == (operator == "&&")


def _exit_code(args: list[str], status: int) -> int:
    if args and args[0].isdecimal():
        # exit codes have 8 bits
        return int(args[0]) & 0xFF
    return status


class _Output:
    """Output of one command, to the host or to files."""

    def __init__(
        self, device: DeviceState, write: OutputWriter, redirections: tuple[Redirection, ...]
    ) -> None:
        self._files = device.files
        self._write = write
        self._targets: dict[int, str | int] = {1: 1, 2: 2}
        self._file_contents: dict[str, bytearray] = {}
        for redirection in redirections:
            self._redirect(redirection)

    def _redirect(self, redirection: Redirection) -> None:
        target = redirection.target
        if isinstance(target, int):
            # where the other stream goes at this point: 2>&1 before > keeps the old place
            self._targets[redirection.source] = self._targets[target]
            return
        self._targets[redirection.source] = target
        if target in ("/dev/null", "/dev/tty"):
            return
        entry = self._files.get(target)
        self._file_contents[target] = bytearray(entry.data) if entry and redirection.append else bytearray()
        self._files.write(target, bytes(self._file_contents[target]))

    async def write(self, stream: int, data: bytes) -> None:
        target = self._targets[stream]
        if isinstance(target, int):
            await self._write(target, data)
        elif target == "/dev/tty":
            await self._write(1, data)
        elif target in self._file_contents:
            self._files.check_room(len(self._file_contents[target]) + len(data))
            self._file_contents[target] += data

    def close(self) -> None:
        for path, data in self._file_contents.items():
            self._files.write(path, data)
