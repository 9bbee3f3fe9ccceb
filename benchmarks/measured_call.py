"""CPU time, wall time and memory of a call of a build's commands, of all its processes.

Memory is the largest sum over all processes at one moment, with shared pages divided among those that share
them (PSS), so that it is what the machine has less of.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.build import cpu_of_children, family
from benchmarks.report import WINGS

SAMPLING = 0.02
"""Seconds between two samples of the memory."""

MEGABYTE = 1 << 20
FINGERTIP = ("-P", "-c", "from fingertip_cli.main import main; main()")


@dataclass(frozen=True, slots=True, kw_only=True)
class Used:
    """Resources that a call used, of all its processes.

    Attributes:
        wall: Seconds.
        cpu: CPU seconds, user and kernel.
        memory: Largest proportional memory, bytes.
    """

    wall: float
    cpu: float
    memory: int


def measure_call(root: Path, call: Sequence[str | Path]) -> Used:
    """Run a call of Python with the build in a folder; `FINGERTIP` begins that of a command."""
    paths = os.pathsep.join(str(path) for path in (root, *(root / wing for wing in WINGS)))
    used, peak, began = cpu_of_children(), 0, time.monotonic()
    with subprocess.Popen(
        [sys.executable, *map(str, call)],
        cwd=root,
        env=os.environ | {"PYTHONPATH": paths},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        while process.poll() is None:
            peak = max(peak, sum(map(_measure_memory, family(process.pid))))
            time.sleep(SAMPLING)
        printed = process.stdout.read().decode() if process.stdout else ""
    if process.returncode:
        raise SystemExit(f"{root} ended with {process.returncode}: {printed[:500]}")
    return Used(wall=time.monotonic() - began, cpu=cpu_of_children() - used, memory=peak)


def _measure_memory(pid: int) -> int:
    """Bytes of a process, a page that several processes share divided among them; 0 if it has ended."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:")), 0)
