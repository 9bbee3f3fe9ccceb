"""What a host can open on the phone: `shell:`, `exec:`, `sync:`, `tcp:`, and the refusals of the rest."""

from __future__ import annotations

import struct
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING

from simulated_phone.adb.shell import Shell
from simulated_phone.adb.shell_session import ShellSession
from simulated_phone.adb.sync import SyncSession

if TYPE_CHECKING:
    from simulated_phone.adb.device_state import DeviceState
    from simulated_phone.adb.streams import Stream

Service = Callable[["Stream"], Awaitable[None]]

DROP_EVERY = 5
"""With the switch `dropped_connection`, each answer of that number is cut in its middle."""

PIECE = 256 * 1024
"""Bytes of output in one frame at most."""

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
    """The connection is to be cut now, with nothing more said."""


def find_service(name: str, device: DeviceState) -> Service | None:
    """What answers a service name as a host opens it; None where the phone refuses.

    Args:
        name: Such as `shell,v2,raw:input tap 1 2`.
        device: The phone, its files and its ports.
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


async def _refuse(words: str, stream: Stream) -> None:
    await stream.write(words.encode())


async def _shell(device: DeviceState, line: str, stream: Stream, *, framed: bool, typed: bool) -> None:
    """One line, or a session where none is given; `framed` is shell v2: streams and exit code apart."""
    answer = _Answer(device, stream, framed=framed)
    if line:
        code = await Shell(device, answer.write).run(line)
    else:
        code = await ShellSession(device, stream, answer.write, framed=framed, typed=typed).run()
    await answer.end(code)


class _Answer:
    """What a shell says, on its way to the host; here the connection drops when it is to."""

    def __init__(self, device: DeviceState, stream: Stream, *, framed: bool) -> None:
        self._stream = stream
        self._framed = framed
        self._dropped = False
        device.answers = device.answers + 1 if "dropped_connection" in device.phone.faults else 0
        if device.answers == DROP_EVERY:
            device.answers = 0
            self._dropped = True

    async def write(self, kind: int, data: bytes) -> None:
        if not data:
            return
        if self._dropped:
            await self._stream.write(self._frame(kind, data)[: len(data) // 2])
            raise ConnectionDropped("the switch dropped_connection is on")
        for start in range(0, len(data), PIECE):
            await self._stream.write(self._frame(kind, data[start : start + PIECE]))

    async def end(self, code: int) -> None:
        if self._dropped:
            raise ConnectionDropped("the switch dropped_connection is on")
        if self._framed:
            await self._stream.write(self._frame(_EXIT, bytes([code & 0xFF])))

    def _frame(self, kind: int, data: bytes) -> bytes:
        return struct.pack("<BI", kind, len(data)) + data if self._framed else data
