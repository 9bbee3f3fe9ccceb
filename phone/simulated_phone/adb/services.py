"""ADB services of the phone: `shell:`, `exec:`, `sync:`, `tcp:`, `framebuffer:`, `reverse:`, and refusals."""

from __future__ import annotations

import struct
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING

from android_shell.shell.pipes import Input
from android_shell.shell.session import ShellSession
from android_shell.shell.shell import Shell
from simulated_phone.adb.host_input import HostInput
from simulated_phone.adb.sync import SyncSession
from simulated_phone.device_servers.helper_servers import find_helper_server
from simulated_phone.machine.faults import DROPPED_CONNECTION, WIFI_OUTAGE

if TYPE_CHECKING:
    from simulated_phone.adb.device_state import DeviceState
    from simulated_phone.adb.streams import Stream

Service = Callable[["Stream"], Awaitable[None]]

DROP_EVERY = 5
"""With the fault `dropped_connection`, every n-th shell output is cut in its middle.

Commands with an input are counted apart from the others: in step with an agent that sends as many commands
every step, one count would cut the same of them each time.
"""

OUTAGE_EVERY = 25
"""With the fault `wifi_outage`, every n-th shell output is cut, and the phone refuses connections."""

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
        return partial(_serve_shell, device, argument, framed="v2" in options, typed="pty" in options)
    if base == "exec":
        return partial(_serve_shell, device, argument, framed=False, typed=False)
    if base == "sync":
        return lambda stream: SyncSession(device.files, stream).serve()
    if base == "tcp" and argument.isdecimal():
        return device.listeners.get(int(argument)) or find_helper_server(device, int(argument))
    if base == "framebuffer":
        return partial(_send_framebuffer, device)
    if base == "reverse":
        return partial(_reverse, device, argument)
    if base in _REFUSALS:
        return partial(_refuse, _REFUSALS[base])
    return None


async def _refuse(message: str, stream: Stream) -> None:
    await stream.write(message.encode())


async def _send_framebuffer(device: DeviceState, stream: Stream) -> None:
    """The display's pixels, RGBA, after a header of version 1: depth, size, sides, place of each colour."""
    picture = device.phone.screenshot().convert("RGBA")
    pixels = picture.tobytes()
    channels = (0, 8, 16, 8, 8, 8, 24, 8)  # offset and length of red, blue, green and alpha, bits
    head = struct.pack("<13I", 1, 32, len(pixels), picture.width, picture.height, *channels)
    await stream.write(head + pixels)


async def _reverse(device: DeviceState, request: str, stream: Stream) -> None:
    """`reverse:forward|killforward|killforward-all|list-forward`: kept, but nothing connects to one."""
    action, _, argument = request.partition(":")
    if action == "list-forward":
        listing = "".join(f"UsbFfs {remote} {local}\n" for remote, local in device.reverses.items())
        await stream.write(f"{len(listing.encode()):04x}{listing}".encode())
        return
    remote, separator, local = argument.removeprefix("norebind:").partition(";")
    if action == "forward" and separator:
        if argument.startswith("norebind:") and remote in device.reverses:
            await _fail(stream, f"cannot rebind existing socket: {remote}")
            return
        device.reverses[remote] = local
    elif action == "forward":
        await _fail(stream, f"bad forward: {argument}")
        return
    elif action == "killforward-all":
        device.reverses.clear()
    elif action != "killforward" or device.reverses.pop(argument, None) is None:
        await _fail(stream, f"listener '{argument}' not found")
        return
    await stream.write(b"OKAY")


async def _fail(stream: Stream, text: str) -> None:
    await stream.write(f"FAIL{len(text.encode()):04x}{text}".encode())


async def _serve_shell(device: DeviceState, line: str, stream: Stream, *, framed: bool, typed: bool) -> None:
    """Run one line, or a session if it is empty; `framed` (shell v2) separates streams and exit code."""
    output = _ShellOutput(device, stream, line, framed=framed)
    read = HostInput(stream, framed=framed).read
    if line:
        code = await Shell(device, output.write, Input(read)).run(line)
    else:
        code = await ShellSession(device, read, output.write, typed=typed or not framed).run()
    await output.end(code)


class _ShellOutput:
    """Output of a shell to the host; implements the faults `dropped_connection` and `wifi_outage`."""

    def __init__(self, device: DeviceState, stream: Stream, line: str, *, framed: bool) -> None:
        self._stream = stream
        self._framed = framed
        self._drops = False
        self._outage = WIFI_OUTAGE in device.phone.faults
        self._device = device
        every = OUTAGE_EVERY if self._outage else DROP_EVERY
        drops = self._outage or DROPPED_CONNECTION in device.phone.faults
        if not drops:
            device.answers.clear()
            return
        injects = "input " in line
        device.answers[injects] += 1
        if device.answers[injects] == every:
            device.answers[injects] = 0
            self._drops = True

    async def write(self, kind: int, data: bytes) -> None:
        if not data:
            return
        if self._drops:
            await self._stream.write(self._frame(kind, data)[: len(data) // 2])
            raise self._drop()
        for start in range(0, len(data), MAX_FRAME):
            await self._stream.write(self._frame(kind, data[start : start + MAX_FRAME]))

    async def end(self, code: int) -> None:
        if self._drops:
            raise self._drop()
        if self._framed:
            await self._stream.write(self._frame(_EXIT, bytes([code & 0xFF])))

    def _drop(self) -> ConnectionDropped:
        if self._outage:
            self._device.refuse(self._device.phone.fault_seconds(WIFI_OUTAGE))
        return ConnectionDropped("a fault drops connections")

    def _frame(self, kind: int, data: bytes) -> bytes:
        return struct.pack("<BI", kind, len(data)) + data if self._framed else data
