"""`ps` and `pidof`: which apps are running."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

from simulated_phone.adb.commands.command_call import CommandCall

if TYPE_CHECKING:
    from simulated_phone.phone import Phone

_FIRST_PID, _PIDS = 2000, 28_000


def pid_of(package: str) -> int:
    """The process id that an app of that name has, always the same."""
    return _FIRST_PID + zlib.crc32(package.encode()) % _PIDS


def running(phone: Phone) -> list[str]:
    """The packages that run: the launcher, and what is among the recent apps."""
    return sorted({phone.launcher.package, *(task["package"] for task in phone.data["tasks"])})


def ps(call: CommandCall) -> None:
    """`ps [-A]`: every app that runs."""
    call.say("USER           PID  PPID     VSZ    RSS WCHAN            ADDR S NAME\n")
    for package in running(call.phone):
        call.say(f"u0_a100      {pid_of(package):5}   600 5000000  90000 0                   0 S {package}\n")


def pidof(call: CommandCall) -> None:
    """`pidof NAME ...`."""
    found = [str(pid_of(name)) for name in call.args if name in running(call.phone)]
    call.code = 0 if found else 1
    if found:
        call.say(" ".join(found) + "\n")
