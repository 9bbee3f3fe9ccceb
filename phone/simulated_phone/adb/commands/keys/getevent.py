"""`getevent`: raw events of the touch panel."""

from __future__ import annotations

import asyncio
from types import MappingProxyType
from typing import TYPE_CHECKING

from android_shell.command_call import CommandError
from simulated_phone.adb.commands.device_call import DeviceCall

if TYPE_CHECKING:
    from simulated_phone.touch.touch_stream import TouchEvent

MAX_REPORTS = 4096
"""Largest number of reports queued for a slow host; further ones are dropped, as by the kernel."""

_TYPES = MappingProxyType({0: "EV_SYN", 1: "EV_KEY", 3: "EV_ABS"})
_CODES = MappingProxyType(
    {
        (0, 0): "SYN_REPORT",
        (1, 0x14A): "BTN_TOUCH",
        (3, 0x2F): "ABS_MT_SLOT",
        (3, 0x35): "ABS_MT_POSITION_X",
        (3, 0x36): "ABS_MT_POSITION_Y",
        (3, 0x39): "ABS_MT_TRACKING_ID",
    }
)
_KEY_VALUES = MappingProxyType({0: "UP", 1: "DOWN", 2: "REPEAT"})


_USAGE = "Usage: getevent [-t] [-l] [-p] [-i] [-c COUNT] [DEVICE]"


async def getevent(call: DeviceCall) -> None:
    """`getevent [-l] [-t] [-p] [-c COUNT] [DEVICE]`, until the host disconnects or COUNT is reached."""
    count = call.pop_option("-c")
    flags = {sign for arg in call.args if arg.startswith("-") for sign in arg[1:]}
    unknown = "".join(sorted(flags - set("ltpi")))
    if unknown:
        raise CommandError(f"getevent: unknown option -- {unknown[0]}\n{_USAGE}")
    paths = [arg for arg in call.args if not arg.startswith("-")]
    panel = call.phone.finger.stream
    if paths and paths[0] != panel.device:
        raise CommandError(f"could not open {paths[0]}, No such file or directory")
    if count is not None and not count.isdecimal():
        raise CommandError(f"getevent: expected a count, got {count}")
    if not paths or flags & {"p", "i"}:
        call.print(f'add device 1: {panel.device}\n  name:     "{panel.name}"\n')
    if flags & {"p", "i"}:
        _print_abilities(call, labels="l" in flags)
        return
    prefix = "" if paths else f"{panel.device}: "
    await _follow(call, int(count) if count else None, prefix, timed="t" in flags, labels="l" in flags)


async def _follow(call: DeviceCall, count: int | None, prefix: str, *, timed: bool, labels: bool) -> None:
    reports: asyncio.Queue[tuple[TouchEvent, ...]] = asyncio.Queue()
    loop = asyncio.get_running_loop()

    def enqueue(report: tuple[TouchEvent, ...]) -> None:
        if reports.qsize() < MAX_REPORTS:
            loop.call_soon_threadsafe(reports.put_nowait, report)

    sent = 0
    unsubscribe = call.phone.finger.stream.subscribe(enqueue)
    try:
        await call.flush()
        while True:
            for event in await reports.get():
                stamp = f"[{event.time:15.6f}] " if timed else ""
                call.print(stamp + prefix + describe(event, labels=labels) + "\n")
                sent += 1
                if sent == count:
                    return
            await call.flush()
    finally:
        unsubscribe()


def describe(event: TouchEvent, *, labels: bool) -> str:
    """Format an event as getevent does: type, code and value, with `labels` by name where there is one."""
    if not labels:
        return f"{event.type:04x} {event.code:04x} {event.value & 0xFFFFFFFF:08x}"
    kind = _TYPES.get(event.type, f"{event.type:04x}")
    code = _CODES.get((event.type, event.code), f"{event.code:04x}")
    value = f"{event.value & 0xFFFFFFFF:08x}"
    if kind == "EV_KEY":
        value = _KEY_VALUES.get(event.value, value)
    return f"{kind:<12.12} {code:<20.20} {value:<20.20}"


def _print_abilities(call: DeviceCall, *, labels: bool) -> None:
    width, height = call.phone.natural_size
    axes = {0x2F: 9, 0x35: width - 1, 0x36: height - 1, 0x39: 65535}
    call.print("  events:\n    KEY (0001): " + (f"{'BTN_TOUCH':<21}" if labels else "014a ") + "\n")
    head = "    ABS (0003): "
    for code, maximum in axes.items():
        name = f"{_CODES[3, code]:<21}" if labels else f"{code:04x} "
        call.print(f"{head}{name} : value 0, min 0, max {maximum}, fuzz 0, flat 0, resolution 0\n")
        head = " " * len(head)
    call.print("  input props:\n    " + ("INPUT_PROP_DIRECT" if labels else "0001") + "\n")
