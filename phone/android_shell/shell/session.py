"""`adb shell` without a command: lines typed by a person or piped in.

Ctrl-C does not interrupt a running command; ending `adb shell COMMAND` does.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from android_shell.shell.line_tasks import OutputWriter
from android_shell.shell.parser import is_incomplete
from android_shell.shell.shell import Shell

if TYPE_CHECKING:
    from android_shell.shell_device import ShellDevice

MAX_LINE = 64 * 1024
"""Largest length of a line, bytes; a longer one ends the session."""

_PROMPT, _CONTINUED = b"phone:/ $ ", b"> "
_INTERRUPT, _END_OF_INPUT, _ERASE = b"\x03", b"\x04", (b"\x08", b"\x7f")


class ShellSession:
    """A shell that reads its commands from its input.

    Args:
        device: The device that it runs on.
        read: Gives the next bytes of the input; b"" at its end.
        write: Receiver of stdout and stderr.
        typed: Whether the peer is a terminal: input is echoed, and a prompt is shown.
    """

    def __init__(
        self,
        device: ShellDevice,
        read: Callable[[], Awaitable[bytes]],
        write: OutputWriter,
        *,
        typed: bool,
    ) -> None:
        self._read = read
        self._write = write
        self._typed = typed
        self._shell = Shell(device, self._write_output)
        self._line = bytearray()
        self._text = ""
        self._status = 0

    async def run(self) -> int:
        """Run line after line until `exit` or the end of the input.

        Returns:
            The exit code of the last command.
        """
        await self._prompt()
        while data := await self._read():
            for sign in data.replace(b"\r\n", b"\n"):
                await self._take_sign(bytes([sign]))
                if self._shell.ended:
                    return self._status
        rest = "" if self._typed else self._text + self._line.decode("utf-8", "replace")
        return await self._shell.run(rest)

    async def _take_sign(self, sign: bytes) -> None:
        if sign in (b"\r", b"\n"):
            await self._echo(b"\r\n")
            await self._run_line()
        elif self._typed and sign == _INTERRUPT:
            self._line.clear()
            self._text = ""
            await self._echo(b"^C\r\n")
            await self._prompt()
        elif self._typed and sign in _ERASE:
            await self._erase()
        elif (self._typed and sign == _END_OF_INPUT and not self._line) or len(self._line) >= MAX_LINE:
            self._shell.ended = True
        else:
            self._line += sign
            await self._echo(sign)

    async def _erase(self) -> None:
        if self._line:
            shortened = self._line.decode("utf-8", "replace")[:-1].encode()
            self._line = bytearray(shortened)
            await self._echo(b"\b \b")

    async def _run_line(self) -> None:
        self._text += self._line.decode("utf-8", "replace") + "\n"
        self._line.clear()
        if is_incomplete(self._text) and len(self._text) < MAX_LINE:
            if self._typed:
                await self._write(1, _CONTINUED)
            return
        text, self._text = self._text, ""
        if text.strip():
            self._status = await self._shell.run(text)
        if not self._shell.ended:
            await self._prompt()

    async def _write_output(self, kind: int, data: bytes) -> None:
        if self._typed:
            data = data.replace(b"\n", b"\r\n")
        await self._write(1 if self._typed else kind, data)

    async def _echo(self, data: bytes) -> None:
        if self._typed:
            await self._write(1, data)

    async def _prompt(self) -> None:
        if self._typed:
            await self._write(1, _PROMPT)
