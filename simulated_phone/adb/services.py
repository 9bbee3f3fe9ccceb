"""ADB services of the phone: `shell:`, `exec:`, `sync:`, `tcp:`, and refusals of some others."""

from __future__ import annotations

import struct
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING

from simulated_phone.adb.shell import Shell
from simulated_phone.adb.shell_session import ShellSession
from simulated_phone.adb.sync import SyncSession
from simulated_phone.faults import DROPPED_CONNECTION

if TYPE_CHECKING:
    from simulated_phone.adb.device_state import DeviceState
    from simulated_phone.adb.streams import Stream

Service = Callable[["Stream"], Awaitable[None]]

DROP_EVERY = 5
"""With the fault `dropped_connection`, every n-th shell output is cut in its middle."""

MAX_FRAME = 256 * 1024
"""Largest number of output bytes in one frame."""

_EXIT = 3
_REFUSALS = {
    "root": "adbd cannot run as root in production builds\n",
    "unroot": "adbd not running as root\n",
    "remount": 'Not running as root. Try "adb root" first.\n',
    "reboot": "the simulated phone does not reboot; reset it instead\n",
    "tcpip": "the simulated phone stays on its port\n",
    "usb": "the simulated phone stays on its port\n",
}


class ConnectionDropped(ConnectionError):
    """Raised to abort the connection without further output."""


def find_service(name: str, device: DeviceState) -> Service | None:
    """Find the service of a name; None if the phone has no such service.

    Args:
        name: Name as opened by the host, e.g. `shell,v2,raw:input tap 1 2`.
        device: The phone's shared state.
    """
    kind, _, argument = name.partition(":")
    base, *options = kind.split(",")
    if base == "shell":
        return partial(_shell, device, argument, framed="v2" in options, typed="pty" in options)
    if base == "exec":
        return partial(_shell, device, argument, framed=False, typed=False)
    if base == "sync":
        return lambda stream: SyncSession(device.files, stream).serve()
    if base == "tcp" and argument.isdecimal():
        return device.listeners.get(int(argument))
    if base in _REFUSALS:
        return partial(_refuse, _REFUSALS[base])
    return None


async def _refuse(message: str, stream: Stream) -> None:
    await stream.write(message.encode())


async def _shell(device: DeviceState, line: str, stream: Stream, *, framed: bool, typed: bool) -> None:
    """Run one line, or a session if it is empty; `framed` (shell v2) separates streams and exit code."""
    output = _ShellOutput(device, stream, framed=framed)
    if line:
        code = await Shell(device, output.write).run(line)
    else:
        code = await ShellSession(device, stream, output.write, framed=framed, typed=typed).run()
    await output.end(code)


class _ShellOutput:
    """Output of a shell to the host; implements the fault `dropped_connection`."""

    def __init__(self, device: DeviceState, stream: Stream, *, framed: bool) -> None:
        self._stream = stream
        self._framed = framed
        self._drops = False
        device.answers = device.answers + 1 if DROPPED_CONNECTION in device.phone.faults else 0
        if device.answers == DROP_EVERY:
            device.answers = 0
            self._drops = True

    async def write(self, kind: int, data: bytes) -> None:
        if not data:
            return
        if self._drops:
            await self._stream.write(self._frame(kind, data)[: len(data) // 2])
            raise ConnectionDropped(f"the fault {DROPPED_CONNECTION} is on")
        for start in range(0, len(data), MAX_FRAME):
            await self._stream.write(self._frame(kind, data[start : start + MAX_FRAME]))

    async def end(self, code: int) -> None:
        if self._drops:
            raise ConnectionDropped(f"the fault {DROPPED_CONNECTION} is on")
        if self._framed:
            await self._stream.write(self._frame(_EXIT, bytes([code & 0xFF])))

    def _frame(self, kind: int, data: bytes) -> bytes:
        return struct.pack("<BI", kind, len(data)) + data if self._framed else data
