"""Runs every benchmark, one process each: `python -m benchmarks`."""

from __future__ import annotations

import subprocess
import sys

NAMES = (
    "command_start",
    "similarity",
    "embed",
    "references",
    "tree",
    "adb_endpoint",
    "step",
    "phones",
    "environments",
    "grpo_pictures",
    "answers",
    "chat",
    "suggest",
    "benchmark_command",
    "report",
    "screens",
    "verify",
    "export",
    "sim2_validation",
    "sample",
    "build",
)


def main() -> None:
    """Runs the benchmarks in sequence, each in its own process, so that peak memory is separate."""
    for name in NAMES:
        print(f"\n== {name}", flush=True)
        subprocess.run([sys.executable, "-m", f"benchmarks.{name}"], check=True)


if __name__ == "__main__":
    main()
