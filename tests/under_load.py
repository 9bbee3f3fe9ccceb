"""Runs the suite on a busy machine: `python -m tests.under_load [--load 12] [--runs 2] [-- WORDS OF PYTEST]`.

Busy processes are started until they and the workers of pytest make the load; they end with this process. The
exit status is 0 if every run passed.
"""

from __future__ import annotations

import argparse
import multiprocessing
import subprocess
import sys
import time

from tests.test_architecture import ROOT

WORKERS = 3


def spin() -> None:
    """Use one core until this process is ended."""
    while True:
        sum(range(100_000))


def main() -> int:
    """Run the suite under load, and print the outcome of each run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--load", type=int, default=12)
    parser.add_argument("--runs", type=int, default=2)
    parser.add_argument("words", nargs="*", help="Arguments of pytest.")
    given = parser.parse_args()
    busy = [multiprocessing.Process(target=spin, daemon=True) for _ in range(max(0, given.load - WORKERS))]
    for process in busy:
        process.start()
    call = [
        sys.executable,
        "-m",
        "pytest",
        "-n",
        str(WORKERS),
        "--dist",
        "loadfile",
        "--no-loadscope-reorder",
    ]
    failed = 0
    for number in range(1, given.runs + 1):
        begun = time.monotonic()
        done = subprocess.run([*call, *given.words], cwd=ROOT, check=False)
        failed += done.returncode != 0
        minutes = (time.monotonic() - begun) / 60
        print(f"run {number} at load {given.load}: exit status {done.returncode}, {minutes:.1f} min")  # noqa: T201
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
