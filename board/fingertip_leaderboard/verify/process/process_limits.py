"""Limits of time and memory for the verification of one bundle, set by the process that verifies."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

MB = 1 << 20

MOST_WRITTEN = 16 * MB
"""Maximum bytes of a file that a verifying process may write; it has no reason to write any."""

MOST_OPEN = 256
"""Maximum number of open files of a verifying process."""

STATUS = Path("/proc/self/status")
"""Where Linux tells what a process uses."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifyLimits:
    """Limits for one bundle.

    Attributes:
        seconds: Wall-clock time. Processor time is limited to as much on each core.
        megabytes: Memory beyond what the loaded programs and models take, in MiB; see `limits_memory`.
    """

    seconds: float = 300.0
    megabytes: int = 2048


def apply_limits(limits: VerifyLimits) -> None:
    """Limit this process from now on, counted from what it has used so far."""
    import resource

    processor = _read_processor_seconds() + limits.seconds * (os.cpu_count() or 1)
    soft = {
        resource.RLIMIT_CPU: int(processor) + 1,
        resource.RLIMIT_FSIZE: MOST_WRITTEN,
        resource.RLIMIT_NOFILE: MOST_OPEN,
        resource.RLIMIT_CORE: 0,
    }
    data = _read_data_bytes()
    if data is not None:
        # not RLIMIT_AS, which also counts libraries and reserved addresses
        soft[resource.RLIMIT_DATA] = data + limits.megabytes * MB
    for name, most in soft.items():
        _, hard = resource.getrlimit(name)
        unlimited = hard == resource.RLIM_INFINITY
        resource.setrlimit(name, (most if unlimited else min(most, hard), hard))


def limits_memory() -> bool:
    """Whether this system can limit the memory of a process: Linux with /proc can, macOS cannot."""
    return _read_data_bytes() is not None


def lift_limits() -> None:
    """Take back the limits of `apply_limits`, as far as the system's own go."""
    import resource

    for name in (resource.RLIMIT_CPU, resource.RLIMIT_FSIZE, resource.RLIMIT_NOFILE, resource.RLIMIT_DATA):
        _, hard = resource.getrlimit(name)
        resource.setrlimit(name, (hard, hard))


@contextmanager
def suspend_limits() -> Iterator[None]:
    """Lift the limits of `apply_limits` for this context; its time and memory do not count afterwards."""
    import resource

    kept = {name: resource.getrlimit(name)[0] for name in (resource.RLIMIT_FSIZE, resource.RLIMIT_NOFILE)}
    seconds, data = _read_processor_seconds(), _read_data_bytes() or 0
    growing = {name: resource.getrlimit(name)[0] for name in (resource.RLIMIT_CPU, resource.RLIMIT_DATA)}
    lift_limits()
    try:
        yield
    finally:
        grown = {
            resource.RLIMIT_CPU: math.ceil(_read_processor_seconds() - seconds),
            resource.RLIMIT_DATA: max(0, (_read_data_bytes() or 0) - data),
        }
        for name, soft in {**kept, **growing}.items():
            _, hard = resource.getrlimit(name)
            most = soft if soft == resource.RLIM_INFINITY else soft + grown.get(name, 0)
            unlimited = resource.RLIM_INFINITY in (hard, most)
            resource.setrlimit(name, (most if unlimited else min(most, hard), hard))


def _read_processor_seconds() -> float:
    import resource

    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def _read_data_bytes() -> int | None:
    """Bytes that RLIMIT_DATA counts for this process; None on a system without /proc."""
    try:
        status = STATUS.read_text(encoding="ascii")
    except OSError:
        return None
    found = next((line.split() for line in status.splitlines() if line.startswith("VmData:")), None)
    return int(found[1]) * 1024 if found else None
