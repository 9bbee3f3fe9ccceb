"""Kills runs with SIGKILL at a hundred random moments: resumed runs must equal an uninterrupted run.

`python -m benchmarks.soak_resume [KILLS]`; exits with 1 if a resumed run differs.
"""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from execution_runner.devices.adb_server import run_private_adb_server
from execution_runner.execution_log import read_attempts, read_run
from fingertip_dataset.parquet.build import build
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_recorder.simulated_life import SampleOrder, write_sample

KILLS, SEED = 100, 11

CHILD = """
import sys
from pathlib import Path
from execution_runner.environments.open_environments import open_environments
from execution_runner.execution_run import run_execution
from fingertip_agents.scripted import Scripted
from fingertip_dataset.parquet.built import BuiltDataset

dataset, run, script = map(Path, sys.argv[1:4])
built = BuiltDataset.open(dataset)
with open_environments(sys.argv[5:], built, server_port=int(sys.argv[4])) as environments:
    print("go", flush=True)
    run_execution(dataset, Scripted(script), environments, run, resume=True)
"""

VARYING_FIELDS = {"at": "", "attempt": 1, "device": "", "device_s": 0, "agent_s": 0}
"""Fields that may differ between attempts, with the values that replace them."""


def make(folder: Path) -> tuple[Path, Path]:
    """Builds a dataset of simulated people on small phones, and a script of each person's trajectory."""
    write_sample(SampleOrder(out=folder / "sample", users=3, episodes=12, seed=3, size=(360, 800)))
    dataset, script = folder / "dataset", folder / "script.json"
    build(folder / "sample" / "raw", dataset, tables=folder / "sample" / "tables", workers=1)
    rows = BuiltDataset.open(dataset).rows("test_execution", columns=("episode_id", "actions"))
    trajectories = {row["episode_id"]: [step["raw"] for step in row["actions"]] for row in rows}
    script.write_text(json.dumps(trajectories, ensure_ascii=False), encoding="utf-8")
    return dataset, script


def start(*arguments: object) -> subprocess.Popen[str]:
    """Starts a run in a child process; returns when the run begins."""
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, *map(str, arguments)], stdout=subprocess.PIPE, text=True
    )
    if child.stdout is None or child.stdout.readline() != "go\n":
        raise SystemExit(f"expected a run to start, got exit code {child.wait()}")
    return child


def result(run: Path) -> list[object]:
    """Records of every final attempt, with the bytes of all screens and trees."""
    return [
        [_plain(run, record.model_dump()) for record in (attempt.end, *attempt.steps)]
        for attempt in read_attempts(run)
    ]


def _plain(run: Path, record: dict[str, object]) -> dict[str, object]:
    files = ("screenshot", "tree", "final_screenshot")
    contents = {name: (run / str(record[name])).read_bytes() for name in files if record.get(name)}
    return record | {name: value for name, value in VARYING_FIELDS.items() if name in record} | contents


def main() -> None:
    """Prints the number of kills and runs, and how many runs differ from the uninterrupted one."""
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else KILLS
    rng = random.Random(SEED)  # noqa: S311 - no secret
    with tempfile.TemporaryDirectory() as name, run_private_adb_server() as port:
        folder = Path(name)
        dataset, script = make(folder)
        began = time.monotonic()
        child = start(dataset, folder / "whole", script, port, "simulated")
        child.wait()
        seconds, whole = time.monotonic() - began, result(folder / "whole")
        killed = runs = wrong = sessions = 0
        run = folder / "run"
        while killed < wanted:
            child = start(dataset, run, script, port, *["simulated"] * rng.choice([1, 2]))
            try:
                child.wait(rng.uniform(0, seconds / 2))
            except subprocess.TimeoutExpired:
                child.kill()
            killed += child.wait() != 0
            if child.returncode == 0:
                runs, sessions = runs + 1, sessions + len(read_run(run).sessions)
                wrong += result(run) != whole
                shutil.rmtree(run)
        print(f"{killed} kills, {runs} runs finished in {sessions} sessions, {wrong} differ")
    sys.exit(1 if wrong or not runs else 0)


if __name__ == "__main__":
    main()
