"""CPU time of short commands, as a ratio to an interpreter that does nothing."""

from __future__ import annotations

import resource
import subprocess
import sys
from collections.abc import Mapping, Sequence

ROUNDS = 9
"""Processes of each call, in turn with the others; the median counts."""

CALLS: Mapping[str, tuple[float, Sequence[str]]] = {
    "--help": (8, ("--help",)),
    "suggest --help": (20, ("suggest", "--help")),
    "agents": (16, ("agents",)),
    "devices": (16, ("devices",)),
}
"""Call -> most ratio that is wanted, and its words."""


def measure_cpu(words: Sequence[str]) -> float:
    """CPU seconds of a process, its own and the system's for it."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(words, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Print the CPU time of each call and its ratio to `python -c pass` in the same rounds."""
    bare = (sys.executable, "-c", "pass")
    calls = {name: (sys.executable, "-m", "fingertip_cli", *words) for name, (_, words) in CALLS.items()}
    seconds: dict[str, list[float]] = {"python -c pass": [], **{name: [] for name in calls}}
    for _ in range(ROUNDS):
        for name, words in {"python -c pass": bare, **calls}.items():
            seconds[name].append(measure_cpu(words))
    middle = {name: sorted(found)[ROUNDS // 2] for name, found in seconds.items()}
    base = middle["python -c pass"]
    print(f"{'call':20}{'CPU ms':>8}{'ratio':>7}{'goal':>6}")
    for name, found in middle.items():
        goal = f"{CALLS[name][0]:6.0f}" if name in CALLS else ""
        print(f"{name:20}{1000 * found:8.0f}{found / base:7.1f}{goal}")


if __name__ == "__main__":
    main()
