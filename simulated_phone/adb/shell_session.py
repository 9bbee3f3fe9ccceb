"""`adb shell` without a command: lines typed by a person or piped in.

Ctrl-C does not interrupt a running command; ending `adb shell COMMAND` does.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from simulated_phone.adb.shell import OutputWriter, Shell

if TYPE_CHECKING:
    from simulated_phone.adb.device_state import DeviceState
    from simulated_phone.adb.streams import Stream

MAX_LINE = 64 * 1024
"""Largest length of a line, bytes; a longer one ends the session."""

_STDIN, _CLOSE_STDIN = 0, 4
_PROMPT = b"phone:/ $ "
_INTERRUPT, _END_OF_INPUT, _ERASE = b"\x03", b"\x04", (b"\x08", b"\x7f")


class ShellSession:
    """A shell that reads its commands from a stream.

    Args:
        device: The phone's shared state.
        stream: Source of the lines.
        write: Receiver of stdout and stderr.
        framed: Whether the input has the frames of shell v2.
        typed: Whether the peer is a terminal: input is echoed, and a prompt is shown.
    """

    def __init__(
        self, device: DeviceState, stream: Stream, write: OutputWriter, *, framed: bool, typed: bool
    ) -> None:
        self._stream = stream
        self._write = write
        self._framed = framed
        self._typed = typed or not framed
        self._shell = Shell(device, self._write_output)
        self._line = bytearray()
        self._status = 0

    async def run(self) -> int:
        """Run line after line until `exit` or the end of the input.

        Returns:
            The exit code of the last command.
        """
        await self._prompt()
        while data := await self._read():
            for sign in data.replace(b"\r\n", b"\n"):
                await self._feed(bytes([sign]))
                if self._shell.ended:
                    return self._status
        if self._line and not self._typed:
            await self._run_line()
        return self._status

    async def _read(self) -> bytes:
        if not self._framed:
            return await self._stream.read()
        while True:
            kind, length = struct.unpack("<BI", await self._stream.read_exactly(5))
            if length > MAX_LINE:
                return b""
            data = await self._stream.read_exactly(length)
            if kind == _CLOSE_STDIN:
                return b""
            if kind == _STDIN and data:
                return data

    async def _feed(self, sign: bytes) -> None:
        if sign in (b"\r", b"\n"):
            await self._echo(b"\r\n")
            await self._run_line()
        elif self._typed and sign == _INTERRUPT:
            self._line.clear()
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
        line = self._line.decode("utf-8", "replace").strip()
        self._line.clear()
        if line:
            self._status = await self._shell.run(line)
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
