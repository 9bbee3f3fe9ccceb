"""Processes and memory: top, pidof, kill, free."""

from __future__ import annotations

import asyncio
import re
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from android_shell.shell.signals import read_signal
from android_shell.tools.patterns import PatternError, TextPattern
from android_shell.tools.tool_arguments import parse_number
from android_shell.tools.tool_options import Options
from simulated_phone.adb.commands.device_call import DeviceCall

if TYPE_CHECKING:
    from simulated_phone.adb.device_state import DeviceState
    from simulated_phone.phone import Phone

MEMORY_KB = 5_800_000
"""Size of the phone's memory, KiB."""

FREE_KB = 2_400_000
"""Unused memory, KiB."""

COMMAND_LENGTH = 15
"""Largest number of characters of the name of a process, the last ones of its command line."""

_FIRST_PID, _PIDS, _FIRST_UID = 2000, 28_000, 10_100
_SYSTEM = (
    ("root", 1, 0, "init"),
    ("root", 310, 1, "ueventd"),
    ("logd", 420, 1, "logd"),
    ("system", 431, 1, "servicemanager"),
    ("system", 560, 1, "surfaceflinger"),
    ("root", 600, 1, "zygote64"),
    ("shell", 720, 1, "adbd"),
    ("system", 1100, 600, "system_server"),
    ("u0_a50", 1500, 600, "com.android.systemui"),
    ("radio", 1620, 600, "com.android.phone"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Process:
    """A process of the phone."""

    user: str
    pid: int
    parent: int
    name: str


def pid_of(package: str) -> int:
    """Process id of an app, a function of its name."""
    return _FIRST_PID + zlib.crc32(package.encode()) % _PIDS


def uid_of(package: str) -> int:
    """User id of an app, a function of its name."""
    return _FIRST_UID + zlib.crc32(package.encode()) % 800


def user_of(package: str) -> str:
    """Name of an app's user."""
    return f"u0_a{uid_of(package) - 10_000}"


def running(phone: Phone) -> list[str]:
    """Packages of running apps: the launcher and the recent apps."""
    return sorted({phone.launcher.package, *(task["package"] for task in phone.data["tasks"])})


def processes(call: DeviceCall) -> list[Process]:
    """The running processes of the command's phone."""
    return list_processes(call.device)


def list_processes(device: DeviceState) -> list[Process]:
    """The running processes: the system's, the apps', and those of started helpers."""
    found = [Process(user=user, pid=pid, parent=parent, name=name) for user, pid, parent, name in _SYSTEM]
    names = [*running(device.phone), *sorted(device.helpers), device.phone.current_ime.partition("/")[0]]
    found += [
        Process(user=user_of(name), pid=pid_of(name), parent=600, name=name) for name in dict.fromkeys(names)
    ]
    return sorted(found, key=lambda one: one.pid)


def split_words(texts: list[str]) -> set[str]:
    """Words of lists, between commas or spaces."""
    return {word for text in texts for word in re.split(r"[, ]+", text) if word}


def number_of(user: str) -> int:
    """Number of a user, by name or as it is."""
    if user.isdecimal():
        return int(user)
    if user.startswith("u0_a"):
        return int(user.removeprefix("u0_a")) + 10_000
    return {"root": 0, "system": 1000, "logd": 1036, "shell": 2000}.get(user, 0)


def pidof(call: DeviceCall, options: Options, names: list[str]) -> None:
    """`pidof [-s] [-o PID,...] NAME ...`."""
    left_out = split_words(options.list_values("o"))
    pids = [str(one.pid) for name in names for one in processes(call) if one.name == name]
    pids = [pid for pid in pids if pid not in left_out]
    call.code = 0 if pids else 1
    if pids:
        call.print(" ".join(pids[:1] if "s" in options else pids) + "\n")


def pgrep(call: DeviceCall, options: Options, words: list[str]) -> None:
    """`pgrep [-cflnovx] [-d TEXT] [PATTERN]`: processes whose name has a match."""
    found = _find_processes(call, options, words)
    call.code = 0 if found else 1
    if "c" in options:
        call.print(f"{len(found)}\n")
        return
    end = options.get("d", "\n")
    lines = [f"{one.pid} {one.name}" if "l" in options else str(one.pid) for one in found]
    call.print(end.join(lines) + "\n" if lines else "")


def pkill(call: DeviceCall, options: Options, words: list[str]) -> None:
    """`pkill [-SIGNAL] [-l SIGNAL] [-fnovx] [PATTERN]`: helpers end; others belong to another user."""
    signals = [word for word in words if word.startswith("-")]
    words = [word for word in words if not word.startswith("-")]
    for signal in [*(word[1:] for word in signals), *options.list_values("l")]:
        if read_signal(signal) is None:
            raise call.error(f"bad -l '{signal}'")
    found = _find_processes(call, options, words)
    call.code = 0 if found else 1
    for one in found:
        call.device.end_helper(one.name)


def _find_processes(call: DeviceCall, options: Options, words: list[str]) -> list[Process]:
    if len(words) > 1:
        raise call.usage_error("Max 1 argument")
    if not words:
        raise call.usage_error("No PATTERN")
    try:
        pattern = TextPattern(words[0], extended=True, line="x" in options)
    except PatternError as error:
        raise call.error(f"bad REGEX: {error}") from None
    shown = processes(call)
    # a process is called by the end of its name where its command line is not asked for
    matched = pattern.matches([one.name if "f" in options else one.name[-COMMAND_LENGTH:] for one in shown])
    found = [one for one, hit in zip(shown, matched, strict=True) if hit != ("v" in options)]
    if options.has("no"):
        found = found[-1:] if "n" in options else found[:1]
    return found


def kill(call: DeviceCall) -> None:
    """`kill [-SIGNAL] PID ...`: helpers end; processes of other users may not be ended."""
    pids = [arg for arg in call.args if arg.isdecimal()]
    if "-l" in call.args:
        call.print("HUP INT QUIT KILL TERM\n")
        return
    by_pid = {str(one.pid): one for one in processes(call)}
    for pid in pids:
        process = by_pid.get(pid)
        if process is None:
            call.print_error(f"/system/bin/sh: kill: {pid}: No such process\n")
            call.code = 1
        elif process.name in call.device.helpers:
            call.device.end_helper(process.name)
        else:
            call.print_error(f"/system/bin/sh: kill: {pid}: Operation not permitted\n")
            call.code = 1


async def top(call: DeviceCall, options: Options, _words: list[str]) -> None:
    """`top [-bq] [-n COUNT] [-d SECONDS] [-m LINES]`; without -n until the host disconnects."""
    count = parse_number(call, options.get("n")) if "n" in options else None
    limit = parse_number(call, options.get("m", "100"))
    pause = max(1, parse_number(call, options.get("d", "3").partition(".")[0] or "0"))
    # b: nothing but text is printed over adb anyway
    # in a terminal it would draw its page anew
    page = "" if "b" in options or "q" in options else "\n"
    done = 0
    while count is None or done < count:
        shown = processes(call)
        head = (
            f"Tasks: {len(shown)} total,   1 running, {len(shown) - 1} sleeping,   0 stopped,   0 zombie\n"
            f"  Mem: {MEMORY_KB:8}K total, {MEMORY_KB - FREE_KB:8}K used, {FREE_KB:8}K free,"
            "    12000K buffers\n"
            " Swap:  2000000K total,   100000K used,  1900000K free,  1500000K cached\n"
            "800%cpu  10%user   0%nice   8%sys 782%idle   0%iow   0%irq   0%sirq   0%host\n"
            "  PID USER         PR  NI VIRT  RES  SHR S[%CPU] %MEM     TIME+ ARGS\n"
        )
        call.print("" if "q" in options else (page if done else "") + head)
        for one in shown[:limit]:
            call.print(
                f"{one.pid:5} {one.user:<12} 20   0  5.0G  90M  60M S  0.0   1.5   0:01.00 {one.name}\n"
            )
        done += 1
        await call.flush()
        if count is None or done < count:
            await asyncio.sleep(pause)


def free(call: DeviceCall, options: Options, _words: list[str]) -> None:
    """`free [-b|-k|-m|-g]`."""
    unit = 1024 if "k" in options else 1 << 20 if "m" in options else 1 << 30 if "g" in options else 1
    unit = 1 if "b" in options else unit
    total, unused = MEMORY_KB * 1024 // unit, FREE_KB * 1024 // unit
    call.print(
        f"{'total':>16}{'used':>16}{'free':>16}{'shared':>16}{'buffers':>16}\n"
        f"Mem: {total:>16}{total - unused:>16}{unused:>16}{0:>16}{12_000 * 1024 // unit:>16}\n"
        f"-/+ buffers/cache: {total - unused:>13}{unused:>16}\nSwap:{2_000_000 * 1024 // unit:>16}"
        f"{100_000 * 1024 // unit:>16}{1_900_000 * 1024 // unit:>16}\n"
    )
