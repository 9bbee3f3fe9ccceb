"""Sandbox of a process on Linux without root: Landlock for files and processes, seccomp for system calls.

Landlock (Linux 5.13) refuses to open every file outside of the allowed folders, to mount, and to look into
processes outside of the sandbox (`/proc/PID/mem`, `environ`, `ptrace`). It has no rule for sockets by path,
for metadata of files, for memory and keys that outlive a process, for limits of other processes and, in early
versions, for `truncate`; a seccomp filter refuses those calls. A program or a process that is started inside
has the same limits, and none of them can be lifted again. It cannot leave its process group, so that who
started the sandbox can end all of it.

Only the standard library is imported here: a thread of a library that started before would not be limited.
"""

from __future__ import annotations

import ctypes
import os
import platform
import stat
import struct
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
"""System calls of Landlock, the same on every architecture."""

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR, _TRUNCATE = 1 << 0, 1 << 1, 1 << 2, 1 << 3, 1 << 14
_FILE_RIGHTS = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE
_READ = _EXECUTE | _READ_FILE | _READ_DIR

_SCOPES = 0b11
"""Abstract sockets and signals stay inside of the sandbox."""

_NO_NEW_PRIVILEGES, _SET_SECCOMP, _FILTER = 38, 22, 2
_CAPABILITIES_VERSION = 0x20080522


@dataclass(frozen=True, slots=True)
class _Machine:
    """Numbers of an architecture: of itself, of refused system calls, and of two refused by an argument."""

    audit: int
    refused: tuple[int, ...]
    prlimit: int
    ioctl: int


_ALL = (425, 452, 463, 466, 469)
"""io_uring_setup, which would make sockets past the filter, fchmodat2, setxattrat, removexattrat,
file_setattr."""

_MACHINES = {
    "x86_64": _Machine(
        0xC000003E,
        (
            *(41, 76),  # socket, truncate
            *(90, 91, 92, 93, 94, 260, 268),  # chmod, fchmod, chown, fchown, lchown, fchownat, fchmodat
            *(188, 189, 190, 197, 198, 199),  # setxattr and removexattr, each also of links and open files
            *(132, 235, 261, 280),  # utime, utimes, futimesat, utimensat
            *(
                29,
                64,
                68,
                240,
                248,
                249,
                250,
            ),  # shmget, semget, msgget, mq_open, add_key, request_key, keyctl
            *(109, 112),  # setpgid, setsid
            *(254, 300, 272, 308),  # inotify_add_watch, fanotify_init, unshare, setns
            *_ALL,
        ),
        prlimit=302,
        ioctl=16,
    ),
    # the same calls, of which this architecture has no older forms
    "aarch64": _Machine(
        0xC00000B7,
        (
            *(198, 45),
            *(52, 53, 54, 55),
            *(5, 6, 7, 14, 15, 16),
            88,
            *(194, 190, 186, 180, 217, 218, 219),
            *(154, 157),
            *(27, 262, 97, 268),
            *_ALL,
        ),
        prlimit=261,
        ioctl=29,
    ),
}

_SET_FLAGS = (0x40086602, 0x401C5820, 0x40087602, 0x40086604)
"""Controls of files that an owner may use through one opened for reading: FS_IOC_SETFLAGS, FS_IOC_FSSETXATTR,
FS_IOC_SETVERSION, and ext4's own."""

SYSTEM = (
    *("/usr", "/lib", "/lib64", "/bin", "/nix/store", "/etc/ld.so.cache", "/etc/localtime"),
    *("/dev/zero", "/dev/random", "/dev/urandom"),
    *("/proc/cpuinfo", "/proc/meminfo", "/sys/devices/system"),
)
"""Programs, libraries and facts of the machine that a process may read. No other part of /proc: it has the
arguments of every process."""

DEVICES = ("/dev/null", "/dev/nvidia*", "/dev/kfd", "/dev/dri")
"""Devices that it may also write: those of graphics processors compute."""


def why_no_sandbox() -> str | None:
    """Why this system has no sandbox; None if it has one."""
    if sys.platform != "linux" or platform.machine() not in _MACHINES or sys.maxsize < 1 << 32:
        return "a sandbox needs Linux on x86_64 or aarch64"
    if _version() < 1:
        return "a sandbox needs Linux 5.13 or newer with Landlock switched on"
    return None


def enter_sandbox(*, readable: Sequence[Path], listed: Sequence[Path], writable: Sequence[Path]) -> None:
    """Limit this process, and all that it starts, from now on.

    Args:
        readable: Files and folders that may be read, beside `SYSTEM`.
        listed: Folders in which names may be listed.
        writable: Folders in which files may be made, read, written and removed.

    Raises:
        OSError: The system refuses it; see `why_no_sandbox`.
        RuntimeError: The process has threads, which would not be limited.
    """
    if len(list(Path("/proc/self/task").iterdir())) != 1:
        raise RuntimeError("expected a process without other threads")
    _call_prctl(_NO_NEW_PRIVILEGES, 1)
    # root's capabilities; others have none
    header = struct.pack("Ii", _CAPABILITIES_VERSION, 0)
    _raise_failure(_libc().capset(header, bytes(24)))
    devices = [path for name in DEVICES for path in Path("/").glob(name.lstrip("/"))]
    rules = [
        *((path, _READ) for path in (*map(Path, SYSTEM), *readable)),
        *((path, _READ_DIR) for path in listed),
        *((path, _READ | _WRITE_FILE) for path in devices),
        *((path, _rights(_version())) for path in writable),
    ]
    _limit_files(rules)
    _limit_calls()


def _rights(version: int) -> int:
    """Every right to files that a version of Landlock knows, except that to control devices."""
    return (1 << {1: 13, 2: 14}.get(version, 15)) - 1


def _version() -> int:
    """Version of Landlock; below 1 if the system has none."""
    return int(_libc().syscall(_CREATE_RULESET, None, 0, 1))


def _limit_files(rules: Sequence[tuple[Path, int]]) -> None:
    version = _version()
    known = _rights(version)
    attributes = struct.pack("QQQ", known, 0, _SCOPES)
    size = 8 if version < 4 else 16 if version < 6 else 24
    ruleset = _raise_failure(_libc().syscall(_CREATE_RULESET, attributes, size, 0))
    for path, rights in rules:
        try:
            handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except OSError:
            continue  # not on this machine
        if not stat.S_ISDIR(os.fstat(handle).st_mode):
            rights &= _FILE_RIGHTS
        _raise_failure(_libc().syscall(_ADD_RULE, ruleset, 1, struct.pack("=Qi", rights & known, handle), 0))
        os.close(handle)
    _raise_failure(_libc().syscall(_RESTRICT_SELF, ruleset, 0))
    os.close(ruleset)


def _limit_calls() -> None:
    load, equal, at_least, give = 0x20, 0x15, 0x35, 0x06
    kill, refuse, allow = 0x80000000, 0x00050000 | 1, 0x7FFF0000
    machine = _MACHINES[platform.machine()]
    refused = machine.refused

    def by_argument(number: int, place: int, value: int, *, equal_is_right: bool) -> list[tuple[int, ...]]:
        """Refuse a call by the lower half of its argument at a place, counted from 0."""
        skips = (1, 0) if equal_is_right else (0, 1)
        argument, own = (load, 0, 0, 16 + 8 * place), (load, 0, 0, 0)
        return [(equal, 0, 3, number), argument, (equal, *skips, value), (give, 0, 0, refuse), own]

    # offsets of jumps count the instructions between
    program = [
        (load, 0, 0, 4),  # the architecture
        (equal, 1, 0, machine.audit),
        (give, 0, 0, kill),
        (load, 0, 0, 0),  # the number of the call
        # x32 calls, which have other numbers
        (at_least, 0, 1, 0x40000000),
        (give, 0, 0, refuse),
        # 0 is the process itself
        *by_argument(machine.prlimit, 0, 0, equal_is_right=True),
        *(
            line
            for flags in _SET_FLAGS
            for line in by_argument(machine.ioctl, 1, flags, equal_is_right=False)
        ),
        *((equal, len(refused) - place, 0, number) for place, number in enumerate(refused)),
        (give, 0, 0, allow),
        (give, 0, 0, refuse),
    ]
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *line) for line in program))
    whole = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(program), ctypes.addressof(code)))
    _call_prctl(_SET_SECCOMP, _FILTER, ctypes.addressof(whole))


def _call_prctl(option: int, *values: int) -> None:
    """Call prctl, whose unused arguments must be 0 in all bits."""
    four = (*values, 0, 0, 0, 0)[:4]
    _raise_failure(_libc().prctl(option, *map(ctypes.c_ulong, four)))


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _raise_failure(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"the sandbox: {os.strerror(number)}")
    return result
