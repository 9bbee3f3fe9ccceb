"""The files of running processes: /proc/PID with its threads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from simulated_phone.adb.commands.processes import COMMAND_LENGTH, Process, list_processes

if TYPE_CHECKING:
    from simulated_phone.adb.device_state import DeviceState

_THREADS = ("", "HeapTaskDaemon", "RenderThread")
"""Names of a process's threads; the first one has the process's name."""


def make_process_files(device: DeviceState) -> dict[str, str]:
    """The files of all running processes: path -> content."""
    files: dict[str, str] = {}
    program = device.program or ("sh",)
    own = {4242: ("sh",), 4243: program}
    for one in [*list_processes(device), *(_make_own(pid, words[0]) for pid, words in own.items())]:
        name, folder = one.name[-COMMAND_LENGTH:], f"/proc/{one.pid}"
        files |= {
            f"{folder}/cmdline": "\0".join(own.get(one.pid, (one.name,))) + "\0",
            f"{folder}/comm": name + "\n",
            f"{folder}/stat": _format_stat(one, one.pid, name),
            f"{folder}/status": _format_status(one, name),
        }
        for number, thread in enumerate(_THREADS):
            task = f"{folder}/task/{one.pid + number}"
            files |= {
                f"{task}/comm": (thread or name) + "\n",
                f"{task}/stat": _format_stat(one, one.pid + number, thread or name),
            }
    return files


def _make_own(pid: int, name: str) -> Process:
    """The shell, or the program that it runs."""
    return Process(user="shell", pid=pid, parent=720 if pid == 4242 else 4242, name=name)


def _format_stat(process: Process, thread: int, name: str) -> str:
    """The 52 fields of `stat`: fields 14 and 15 are the ticks used in user and kernel mode."""
    head = f"{thread} ({name}) S {process.parent} {process.parent} 0 0 -1 1077952832 9000 0 0 0 60 40 0 0 10"
    return f"{head} -10 {len(_THREADS)} 0 1000 5120000000 22500" + " 0" * 28 + "\n"


def _format_status(process: Process, name: str) -> str:
    lines = {
        "Name": name,
        "State": "S (sleeping)",
        "Tgid": process.pid,
        "Pid": process.pid,
        "PPid": process.parent,
        "TracerPid": 0,
        "VmSize": " 5000000 kB",
        "VmRSS": "   90000 kB",
        "Threads": len(_THREADS),
    }
    return "".join(f"{key}:\t{value}\n" for key, value in lines.items())
