"""`ps` and `pidof`: running apps."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

from simulated_phone.adb.commands.command_call import CommandCall

if TYPE_CHECKING:
    from simulated_phone.phone import Phone

_FIRST_PID, _PIDS = 2000, 28_000


def pid_of(package: str) -> int:
    """Process id of an app, a function of its name."""
    return _FIRST_PID + zlib.crc32(package.encode()) % _PIDS


def running(phone: Phone) -> list[str]:
    """Packages of running apps: the launcher and the recent apps."""
    return sorted({phone.launcher.package, *(task["package"] for task in phone.data["tasks"])})


def ps(call: CommandCall) -> None:
    """`ps [-A]`: list the running apps."""
    call.print("USER           PID  PPID     VSZ    RSS WCHAN            ADDR S NAME\n")
    for package in running(call.phone):
        call.print(
            f"u0_a100      {pid_of(package):5}   600 5000000  90000 0                   0 S {package}\n"
        )


def pidof(call: CommandCall) -> None:
    """`pidof NAME ...`."""
    pids = [str(pid_of(name)) for name in call.args if name in running(call.phone)]
    call.code = 0 if pids else 1
    if pids:
        call.print(" ".join(pids) + "\n")
