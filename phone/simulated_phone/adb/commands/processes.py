"""Processes and memory: ps, top, pidof, kill, free."""

from __future__ import annotations

import asyncio
import re
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from android_shell.command_call import CommandError
from android_shell.tools.tool_arguments import parse_number, parse_options
from simulated_phone.adb.commands.device_call import DeviceCall

if TYPE_CHECKING:
    from simulated_phone.adb.device_state import DeviceState
    from simulated_phone.phone import Phone

MEMORY_KB = 5_800_000
"""Size of the phone's memory, KiB."""

FREE_KB = 2_400_000
"""Unused memory, KiB."""

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
)
_COLUMNS = ("PID", "PPID", "NAME", "USER", "UID", "ARGS", "CMD", "CMDLINE", "RSS", "VSZ", "S", "%CPU")


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


def ps(call: DeviceCall) -> None:
    """`ps [-A] [-e] [-f] [-p PID,...] [-o FIELD,...]`; without -A only the shell's own processes."""
    flags, operands = parse_options(call, "AefaxlTwZMdnko:p:P:u:U:g:G:t:O:")
    own = [
        Process(user="shell", pid=4242, parent=720, name="sh"),
        Process(user="shell", pid=4243, parent=4242, name="ps"),
    ]
    shown = processes(call)
    if "-p" in flags or operands:
        wanted = set(re.split(r"[, ]+", flags.get("-p", ",".join(operands))))
        shown = [one for one in shown if str(one.pid) in wanted or one.name in wanted]
    elif {"-A", "-e"} & set(flags):
        shown += own
    else:
        shown = own
    if "-o" in flags:
        _print_columns(call, shown, flags["-o"])
    elif "-f" in flags:
        call.print("UID            PID  PPID C STIME TTY          TIME CMD\n")
        for one in shown:
            call.print(f"{one.user:<12} {one.pid:5} {one.parent:5} 0 08:30:00 ?     00:00:01 {one.name}\n")
    else:
        call.print("USER           PID  PPID     VSZ    RSS WCHAN            ADDR S NAME\n")
        for one in shown:
            call.print(
                f"{one.user:<12} {one.pid:5} {one.parent:5} 5000000  90000"
                f" 0                   0 S {one.name}\n"
            )


def _print_columns(call: DeviceCall, shown: list[Process], text: str) -> None:
    names = [name.partition("=")[0].upper() for name in re.split(r"[, ]+", text)]
    unknown = [name for name in names if name not in _COLUMNS]
    if unknown:
        raise CommandError(f"ps: bad -o {unknown[0]}")
    rows = [names, *([_cell(one, name) for name in names] for one in shown)]
    sizes = [max(len(row[column]) for row in rows) for column in range(len(names))]
    for row in rows:
        cells = [cell.ljust(size) for cell, size in zip(row, sizes, strict=True)]
        call.print(" ".join(cells).rstrip() + "\n")


def _cell(process: Process, column: str) -> str:
    cells = {
        "PID": str(process.pid),
        "PPID": str(process.parent),
        "USER": process.user,
        "UID": process.user,
        "RSS": "90000",
        "VSZ": "5000000",
        "S": "S",
        "%CPU": "0.0",
    }
    return cells.get(column, process.name)


def pidof(call: DeviceCall) -> None:
    """`pidof [-s] NAME ...`."""
    flags, names = parse_options(call, "so:x")
    pids = [str(one.pid) for name in names for one in processes(call) if one.name == name]
    call.code = 0 if pids else 1
    if pids:
        call.print(" ".join(pids[:1] if "-s" in flags else pids) + "\n")


def pgrep(call: DeviceCall) -> None:
    """`pgrep [-f] [-l] [-x] TEXT` and `pkill [-f] TEXT`; the text is contained in the name."""
    flags, names = parse_options(call, "flxnoc9v", ("signal=",))
    text = names[-1] if names else ""
    exact = "-x" in flags
    found = [one for one in processes(call) if text and (one.name == text if exact else text in one.name)]
    call.code = 0 if found else 1
    for one in found:
        if call.name == "pgrep":
            call.print(f"{one.pid} {one.name}\n" if "-l" in flags else f"{one.pid}\n")
        else:
            call.device.end_helper(one.name)


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


async def top(call: DeviceCall) -> None:
    """`top [-b] [-n COUNT] [-d SECONDS] [-m LINES]`; without -n until the host disconnects."""
    flags, _ = parse_options(call, "bHqn:d:m:o:s:k:p:O:u:")
    count = parse_number(call, flags["-n"]) if "-n" in flags else None
    limit = parse_number(call, flags.get("-m", "100"))
    done = 0
    while count is None or done < count:
        shown = processes(call)
        call.print(
            f"Tasks: {len(shown)} total,   1 running, {len(shown) - 1} sleeping,   0 stopped,   0 zombie\n"
            f"  Mem: {MEMORY_KB:8}K total, {MEMORY_KB - FREE_KB:8}K used, {FREE_KB:8}K free,"
            "    12000K buffers\n"
            " Swap:  2000000K total,   100000K used,  1900000K free,  1500000K cached\n"
            "800%cpu  10%user   0%nice   8%sys 782%idle   0%iow   0%irq   0%sirq   0%host\n"
            "  PID USER         PR  NI VIRT  RES  SHR S[%CPU] %MEM     TIME+ ARGS\n"
        )
        for one in shown[:limit]:
            call.print(
                f"{one.pid:5} {one.user:<12} 20   0  5.0G  90M  60M S  0.0   1.5   0:01.00 {one.name}\n"
            )
        done += 1
        await call.flush()
        if count is None or done < count:
            await asyncio.sleep(max(1, parse_number(call, flags.get("-d", "3").partition(".")[0])))


def free(call: DeviceCall) -> None:
    """`free [-b|-k|-m|-g]`."""
    flags, _ = parse_options(call, "bkmgth")
    unit = {"-k": 1024, "-m": 1 << 20, "-g": 1 << 30}.get(next(iter(flags), ""), 1)
    total, unused = MEMORY_KB * 1024 // unit, FREE_KB * 1024 // unit
    call.print(
        f"{'total':>16}{'used':>16}{'free':>16}{'shared':>16}{'buffers':>16}\n"
        f"Mem: {total:>16}{total - unused:>16}{unused:>16}{0:>16}{12_000 * 1024 // unit:>16}\n"
        f"-/+ buffers/cache: {total - unused:>13}{unused:>16}\nSwap:{2_000_000 * 1024 // unit:>16}"
        f"{100_000 * 1024 // unit:>16}{1_900_000 * 1024 // unit:>16}\n"
    )
