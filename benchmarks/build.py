"""Throughput of `fingertip build` relative to `cp -r` of the same release; memory at 1 x and 4 x the size.

Both read from a warm page cache and write to the same disk, alternately, each time to a new folder, and
neither syncs at its end. To start every run in the same state, the output of the previous run is synced and
dropped from the page cache, and one copy is made as a warm-up. Nothing is removed before the last run: ext4
creates files slowly for minutes after many were removed, which would favour the build. Memory is the sum of
the resident sizes of all processes of the build, so shared pages are counted several times.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from benchmarks.generate import generate

EPISODES = 1220
"""Default number of episodes, 2.1 GB in total."""

TIMES = 4
PAIRS = 3
WORKERS = 2
MEGABYTE = 1_000_000
SAMPLING = 0.01
"""Seconds between two samples of the memory."""

PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """Resources that a command used.

    Attributes:
        seconds: Wall-clock seconds.
        cpu: CPU seconds of all cores, user and kernel.
        memory: Peak resident bytes of all its processes together.
    """

    seconds: float
    cpu: float
    memory: int


def measure(call: list[str]) -> Run:
    """Runs a command and samples the resident size of its processes."""
    used = cpu_of_children()
    start = time.perf_counter()
    with subprocess.Popen(call, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        peak = 0
        while process.poll() is None:
            peak = max(peak, sum(map(resident, family(process.pid))))
            time.sleep(SAMPLING)
        seconds = time.perf_counter() - start
    if process.returncode:
        raise SystemExit(f"{call} ended with {process.returncode}")
    return Run(seconds=seconds, cpu=cpu_of_children() - used, memory=peak)


def cpu_of_children() -> float:
    """CPU seconds of all ended child processes."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def family(pid: int) -> list[int]:
    """A process and all its descendants."""
    try:
        listed = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii")
    except OSError:
        return []
    return [pid, *(member for child in listed.split() for member in family(int(child)))]


def resident(pid: int) -> int:
    """Resident bytes of a process; 0 if it has ended."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]) * PAGE
    except OSError:
        return 0


def settle(folder: Path) -> None:
    """Syncs a folder to the disk and drops it from the page cache."""
    os.sync()
    for file in folder.rglob("*"):
        if file.is_file():
            with file.open("rb") as data:
                os.posix_fadvise(data.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def build_call(release: Path, out: Path) -> list[str]:
    """The command line of a build."""
    command = [sys.executable, "-c", "from fingertip_cli.main import main; main()", "build"]
    options = {"--tables": release / "tables", "--out": out, "--workers": WORKERS}
    return [*command, str(release / "raw"), *(str(word) for option in options.items() for word in option)]


def speed(release: Path, size: int, folder: Path, pairs: int) -> None:
    """Prints the throughput of each pair and the median of the ratios."""
    print(f"\n{'':8}{'cp -r':>20}{'build':>20}{'ratio':>8}{'memory':>10}")
    ratios = []
    for pair in range(pairs + 1):
        copy, out = folder / f"copy-{pair}", folder / f"built-{pair}"
        copied = measure(["cp", "-r", str(release / "raw"), str(copy)])
        settle(copy)
        if pair == 0:
            continue
        built = measure(build_call(release, out))
        settle(out)
        ratios.append(copied.seconds / built.seconds)
        cells = [f"{size / MEGABYTE / run.seconds:.0f} MB/s {run.cpu:>4.1f} s cpu" for run in (copied, built)]
        memory = f"{built.memory / MEGABYTE:.0f} MB"
        print(f"pair {pair:<3}{cells[0]:>20}{cells[1]:>20}{ratios[-1]:>8.2f}{memory:>10}", flush=True)
    print(f"build / cp -r, median of {pairs}: {statistics.median(ratios):.2f} (goal: at least 0.8)")


def main() -> None:
    """Generates the releases in a temporary folder, measures, and removes the folder."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--episodes", type=int, default=EPISODES, help="number of episodes, 1.72 MB each")
    options.add_argument(
        "--times", type=int, default=TIMES, help="size of the second release as a multiple of the first"
    )
    options.add_argument("--pairs", type=int, default=PAIRS)
    options.add_argument(
        "--folder", type=Path, help="where to write; the default is the system's temporary folder"
    )
    chosen = options.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="fingertip-build-", dir=chosen.folder))
    try:
        size = generate(folder / "small", chosen.episodes)
        print(f"{size / MEGABYTE:,.0f} MB in {chosen.episodes} episodes, {WORKERS} workers, page cache warm")
        speed(folder / "small", size, folder, chosen.pairs)
        if chosen.times > 1:
            size = generate(folder / "large", chosen.episodes * chosen.times)
            large = measure(build_call(folder / "large", folder / "built-large"))
            rate, memory = size / MEGABYTE / large.seconds, large.memory / MEGABYTE
            print(f"{chosen.times} x, {size / MEGABYTE:,.0f} MB: {rate:.0f} MB/s, {memory:.0f} MB of memory")
            print("goal for memory: at most 500 MB at both sizes")
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
