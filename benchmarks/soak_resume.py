"""kill -9 at a hundred random moments: what the resumed runs come to equals what the unbroken one comes to.

`python -m benchmarks.soak_resume [KILLS]`; ends with 1 where a run came to something else.
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

from execution_runner.devices.adb_server import private_adb_server
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

TOLD_ONCE = {"at": "", "attempt": 1, "device": "", "device_s": 0, "agent_s": 0}
"""What may differ from one attempt to another."""


def make(folder: Path) -> tuple[Path, Path]:
    """A dataset of simulated people with small phones, and a script with each person's own trajectory."""
    write_sample(SampleOrder(out=folder / "sample", users=3, episodes=12, seed=3, size=(360, 800)))
    dataset, script = folder / "dataset", folder / "script.json"
    build(folder / "sample" / "raw", dataset, tables=folder / "sample" / "tables", workers=1)
    rows = BuiltDataset.open(dataset).rows("test_execution", columns=("episode_id", "actions"))
    trajectories = {row["episode_id"]: [step["raw"] for step in row["actions"]] for row in rows}
    script.write_text(json.dumps(trajectories, ensure_ascii=False), encoding="utf-8")
    return dataset, script


def start(*arguments: object) -> subprocess.Popen[str]:
    """A run in a process of its own, from the moment that it begins."""
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, *map(str, arguments)], stdout=subprocess.PIPE, text=True
    )
    if child.stdout is None or child.stdout.readline() != "go\n":
        raise SystemExit(f"expected a run to start, got exit code {child.wait()}")
    return child


def result(run: Path) -> list[object]:
    """Every attempt that counts: its lines, and the bytes of every screen and tree."""
    return [
        [_plain(run, record.model_dump()) for record in (attempt.end, *attempt.steps)]
        for attempt in read_attempts(run)
    ]


def _plain(run: Path, record: dict[str, object]) -> dict[str, object]:
    files = ("screenshot", "tree", "final_screenshot")
    seen = {name: (run / str(record[name])).read_bytes() for name in files if record.get(name)}
    return record | {name: value for name, value in TOLD_ONCE.items() if name in record} | seen


def main() -> None:
    """Prints how many runs it took, and whether all came to the same."""
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else KILLS
    dice = random.Random(SEED)  # noqa: S311 - chance, not a secret
    with tempfile.TemporaryDirectory() as name, private_adb_server() as port:
        folder = Path(name)
        dataset, script = make(folder)
        began = time.monotonic()
        child = start(dataset, folder / "whole", script, port, "simulated")
        child.wait()
        seconds, whole = time.monotonic() - began, result(folder / "whole")
        killed = runs = wrong = sessions = 0
        run = folder / "run"
        while killed < wanted:
            child = start(dataset, run, script, port, *["simulated"] * dice.choice([1, 2]))
            try:
                child.wait(dice.uniform(0, seconds / 2))
            except subprocess.TimeoutExpired:
                child.kill()
            killed += child.wait() != 0
            if child.returncode == 0:
                runs, sessions = runs + 1, sessions + len(read_run(run).sessions)
                wrong += result(run) != whole
                shutil.rmtree(run)
        print(f"{killed} kills, {runs} runs finished in {sessions} sessions, {wrong} came to something else")
    sys.exit(1 if wrong or not runs else 0)


if __name__ == "__main__":
    main()
