"""`logcat` and `log`: events of the phone in the format of the log, and lines that a host added."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta

from android_shell.command_call import CommandError
from android_shell.tools.patterns import PatternError, TextPattern
from android_shell.tools.tool_arguments import parse_number, parse_options
from simulated_phone.adb.commands.device_call import DeviceCall
from simulated_phone.adb.commands.processes import pid_of

MAX_LINES = 2000
"""Largest number of lines that `log` keeps."""

_POLL_SECONDS = 0.05
_BATTERY_TAG = "BatteryService"
_PRIORITIES = "VDIWEFS"
_BUFFERS = frozenset({"all", "crash", "default", "events", "kernel", "main", "radio", "security", "system"})


async def logcat(call: DeviceCall) -> None:
    """`logcat [-dcgs] [-t|-T|-m COUNT] [-v FORMAT] [-b BUFFER] [-e PATTERN] [--pid PID] [TAG:PRIORITY ...]`.

    Without -d or -t it goes on until the host disconnects.
    """
    flags, filters = parse_options(call, "dcgsv:b:t:T:m:e:", ("pid=", "regex=", "clear", "max-count="))
    if {"-c", "--clear"} & set(flags):
        call.device.log_start = len(call.phone.facts)
        call.device.log_lines.clear()
        call.device.log_cleared = True
        return
    if "-g" in flags:
        call.print(
            "main: ring buffer is 256 KiB (4 KiB consumed), max entry is 5120 B, max payload is 4068 B\n"
        )
        return
    unknown = set(flags.get("-b", "main").split(",")) - _BUFFERS
    if unknown:
        raise CommandError(f"logcat: Unknown buffer '{min(unknown)}' listed in -b")
    shown, count = 0, flags.get("-t", flags.get("-T", ""))
    first = parse_number(call, count) if count.isdecimal() else None
    most = flags.get("-m", flags.get("--max-count"))
    left = parse_number(call, most) if most is not None else MAX_LINES
    begun = False
    while True:
        lines = _list_lines(call, flags, filters)
        new = lines[shown:] if first is None else lines[-first:] if first else []
        if new[:left] and not begun:
            # a buffer without lines has no beginning
            call.print("--------- beginning of main\n")
            begun = True
        call.print("".join(f"{line}\n" for line in new[:left]))
        shown, first = len(lines), None
        left -= len(new) if most is not None else 0
        await call.flush()
        if {"-d", "-t"} & set(flags) or left <= 0:
            return
        await asyncio.sleep(_POLL_SECONDS)
        _log_battery(call)


def _log_battery(call: DeviceCall) -> None:
    """Add a line each second while a host follows the log: some wait for the next line before they end."""
    call.device.keep_time()
    lines = call.device.log_lines
    last = max((line[0] for line in lines if line[3] == _BATTERY_TAG), default=None)
    due = last is None or (call.phone.now - last).total_seconds() >= 1
    if call.device.real_time and due and len(lines) < MAX_LINES:
        lines.append((call.phone.now, 1100, "D", _BATTERY_TAG, "level:80, scale:100, status:2"))


def _list_lines(call: DeviceCall, flags: dict[str, str], filters: list[str]) -> list[str]:
    entries = [
        (fact.time, pid_of(fact.app), "I", _tag(fact.app), f"{fact.name} {dict(fact.arguments)}")
        for fact in call.phone.facts[call.device.log_start :]
    ]
    if not call.device.log_cleared:
        boot = call.phone.now - timedelta(seconds=call.phone.uptime)
        entries.append((boot, 1100, "I", "ActivityManager", "System now ready"))
    entries += call.device.log_lines
    entries.sort(key=lambda entry: entry[0])
    if "--pid" in flags:
        entries = [entry for entry in entries if str(entry[1]) == flags["--pid"]]
    entries = [entry for entry in entries if _is_wanted(entry[3], entry[2], filters, silent="-s" in flags)]
    pattern = flags.get("-e", flags.get("--regex"))
    if pattern is not None:
        try:
            found = TextPattern(pattern, extended=True).matches([entry[4] for entry in entries])
        except PatternError as error:
            raise CommandError(f"logcat: {error}") from None
        entries = [entry for entry, hit in zip(entries, found, strict=True) if hit]
    form = flags.get("-v", "threadtime")
    return [_format(form, *entry) for entry in entries]


def _tag(app: str) -> str:
    return "ActivityTaskManager" if app == "android" else app.rpartition(".")[2]


def _is_wanted(tag: str, priority: str, filters: list[str], *, silent: bool) -> bool:
    levels = dict(text.partition(":")[::2] for text in filters)
    default = levels.get("*", "S" if silent else "V")
    level = levels[tag] or "V" if tag in levels else default
    return _PRIORITIES.find(priority) >= max(0, _PRIORITIES.find(level[:1].upper()))


def _format(form: str, moment: datetime, pid: int, priority: str, tag: str, text: str) -> str:
    if form == "brief":
        return f"{priority}/{tag}({pid:5}): {text}"
    if form == "raw":
        return text
    if form == "tag":
        return f"{priority}/{tag}: {text}"
    stamp = f"{moment:%m-%d %H:%M:%S}.{moment.microsecond // 1000:03}"
    if form == "time":
        return f"{stamp} {priority}/{tag}({pid:5}): {text}"
    return f"{stamp} {pid:5} {pid:5} {priority} {tag}: {text}"


def log(call: DeviceCall) -> None:
    """`log [-p PRIORITY] [-t TAG] TEXT ...`: add a line to the log."""
    flags, words = parse_options(call, "p:t:")
    if not words:
        raise CommandError("USAGE: log [-p priorityChar] [-t tag] message")
    lines = call.device.log_lines
    moment = call.phone.now + timedelta(microseconds=len(lines))
    lines.append((moment, 4242, flags.get("-p", "I").upper()[:1], flags.get("-t", "log"), " ".join(words)))
    del lines[:-MAX_LINES]
