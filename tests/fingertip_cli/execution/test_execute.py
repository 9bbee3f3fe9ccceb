"""`fingertip execute` as a user calls it: exit codes, one-line errors, what is printed, what comes next."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from execution_runner.devices.adb_server import run_private_adb_server
from fingertip_dataset.parquet.built import BuiltDataset
from simulated_phone import SimulatedPhoneServer
from simulated_phone.apps import APPS
from simulated_phone.apps.clock import CLOCK
from tests.command_line import fingertip, list_ends
from tests.phone_bench import small_phone


def execute(*arguments: object) -> subprocess.CompletedProcess[str]:
    return fingertip("execute", *arguments)


@pytest.fixture(scope="module")
def tasks(people: Path) -> dict[str, list[str]]:
    rows = BuiltDataset.open(people).rows("test_execution", columns=("episode_id", "actions"))
    return {row["episode_id"]: [step["raw"] for step in row["actions"]] for row in rows}


@pytest.fixture(scope="module")
def script(people: Path, tasks: dict[str, list[str]]) -> Path:
    file = people.parent / "script.json"
    file.write_text(json.dumps(tasks), encoding="utf-8")
    return file


def test_imitate_on_simulated_phones(
    people: Path, tasks: dict[str, list[str]], script: Path, tmp_path: Path
) -> None:
    run = tmp_path / "run"
    call = (people, "--agent", "scripted", "--script", script, "--out", run)
    done = execute(*call, "--device", "simulated", "--device", "simulated")
    count = len(tasks)
    assert (done.returncode, done.stdout) == (
        0,
        f"{run}: {count} of {count} tasks carried out\n"
        f"  terminated    {count}  ended by the agent\n"
        "on a simulated phone: not comparable with the paper's online numbers\n"
        f"next: fingertip score {run}\n",
    )
    assert list_ends(done.stderr) == [f"tasks finished 0/{count}", f"tasks finished {count}/{count}"]
    ends = [json.loads(line) for line in (run / "steps.jsonl").read_text("utf-8").splitlines()]
    assert all(line["success"] for line in ends if line["kind"] == "end")
    other = execute(*call, "--device", "replay")
    assert (other.returncode, other.stderr.count("\n")) == (2, 1)
    assert "differs in --device: simulated in the folder, replay in this call" in other.stderr


def test_a_run_without_references_says_why(people: Path, tmp_path: Path) -> None:
    rows = list(BuiltDataset.open(people).rows("train", columns=("episode_id", "same_user_reference")))
    shown = next(row["episode_id"] for row in rows if row["same_user_reference"])
    first = next(row["episode_id"] for row in rows if not row["same_user_reference"])
    call = ("--agent", "imitate", "--device", "teacher-forced", "--split", "train")
    with_one = execute(people, *call, "--task", shown, "--out", tmp_path / "shown")
    assert (with_one.returncode, "no task showed" in with_one.stdout) == (0, False)
    without = execute(people, *call, "--task", first, "--out", tmp_path / "first")
    assert "no task showed a reference: the dataset has none for these tasks\n" in without.stdout
    both = execute(people, *call, "--task", first, "--task", shown, "--out", tmp_path / "both")
    assert "  no reference  1: the person has no earlier task to show\n" in both.stdout
    none = execute(people, *call, "--task", first, "--reference", "none", "--out", tmp_path / "none")
    assert "no task showed" not in none.stdout
    assert "no reference" not in none.stdout
    old = Path(shutil.copytree(people, tmp_path / "old"))
    manifest = json.loads((old / "manifest.json").read_text(encoding="utf-8"))
    (old / "manifest.json").write_text(json.dumps(manifest | {"schema_version": 2}), encoding="utf-8")
    before = execute(old, *call, "--task", first, "--out", tmp_path / "before")
    assert (
        "no task showed a reference: the dataset was built before references were on all splits: "
        "build it again with `fingertip build`\n"
    ) in before.stdout


def test_a_dry_run_prints_first_decisions(
    people: Path, tasks: dict[str, list[str]], script: Path, tmp_path: Path
) -> None:
    rules = Path(__file__).parents[3] / "fingertip_runs" / "app_rules.toml"
    done = execute(
        people, "--agent", "scripted", "--script", script, "--device", "simulated", "--dry-run",
        "--rules", rules, "--limit", 1, "--out", tmp_path / "run",
    )  # fmt: skip
    assert done.returncode == 0
    first = min(tasks)
    shown = done.stdout.splitlines()[-2:]
    assert shown[0].startswith(f"{first} ")
    assert shown[1].startswith(f"  {tasks[first][0]}  [")
    assert "next:" not in done.stdout


def test_a_device_that_is_no_phone_is_refused_before_the_run(people: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    call = ("execute", people, "--agent", "imitate", "--device", "simulatd", "--out", run)
    with run_private_adb_server() as port:
        done = fingertip(*call, env=dict(os.environ, ANDROID_ADB_SERVER_PORT=str(port)))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "fingertip: no phone simulatd is connected (`adb devices` lists the connected ones); "
        "other devices: simulated, replay, teacher-forced: did you mean simulated?\n"
    )
    assert not run.exists()


def test_settings_of_a_persons_phone_are_recorded(
    people: Path, script: Path, tasks: dict[str, list[str]], tmp_path: Path
) -> None:
    """A simulated phone behind adb, as a person's phone would be; it has the clock and the task's app."""
    run, task = tmp_path / "run", min(tasks)
    rows = BuiltDataset.open(people).rows("test_execution", columns=("episode_id", "app"))
    apps = {row["episode_id"]: row["app"] for row in rows}
    installed = [app for app in APPS if app.package in (CLOCK.package, apps[task])]
    finish = tmp_path / "finish.json"
    finish.write_text(json.dumps({task: ["finished()"]}), encoding="utf-8")
    with run_private_adb_server() as port, SimulatedPhoneServer(small_phone(apps=installed)) as server:
        call = ("execute", people, "--agent", "scripted", "--script", finish, "--task", task, "--out", run)
        own = ("--device", server.serial, "--set", "settle_s=0.25", "--between-tasks", "stop-app")
        env = dict(os.environ, ANDROID_ADB_SERVER_PORT=str(port))
        done = fingertip(*call, *own, env=env)
        again = fingertip(*call, "--device", server.serial, "--resume", env=env)
    assert done.returncode == 0, done.stderr
    missing = sorted(set(apps.values()) - {app.package for app in installed})
    assert (
        f"{server.serial} lacks {len(missing)} of the apps of this split's tasks: {', '.join(missing)}"
        in done.stderr
    )
    record = json.loads((run / "run.json").read_text("utf-8"))
    assert (record["settle_s"], record["between_tasks"]) == (0.25, "stop-app")
    assert again.returncode == 2
    assert "--set settle_s: 0.25 in the folder, 1.0 in this call" in again.stderr
    assert "--between-tasks: stop-app in the folder, home in this call" in again.stderr
    assert record["start"] == "app"


def test_an_app_that_is_not_installed_is_one_line_and_an_error_of_the_phone(
    people: Path, script: Path, tasks: dict[str, list[str]], tmp_path: Path
) -> None:
    task = min(tasks)
    with run_private_adb_server() as port, SimulatedPhoneServer(small_phone(apps=[CLOCK])) as server:
        call = (
            "execute",
            people,
            "--agent",
            "scripted",
            "--script",
            script,
            "--task",
            task,
            "--retries",
            "0",
        )
        env = dict(os.environ, ANDROID_ADB_SERVER_PORT=str(port))
        done = fingertip(*call, "--device", server.serial, "--out", tmp_path / "run", env=env)
    assert done.returncode == 1
    assert "device_error  1" in done.stdout
    (line,) = (line for line in done.stderr.splitlines() if line.startswith("fingertip: "))
    assert "is not installed, or has no activity to start" in line


IMITATE = ("--agent", "imitate", "--device")
REPLAY = (*IMITATE, "replay")
SIMULATED = (*IMITATE, "simulated")
SERVED = ("--model", "m", "--base-url", "http://127.0.0.1:1/v1")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((*IMITATE, "hdc:A"), "only phones behind adb, such as"),
        ((*IMITATE, "A", "--device", "adb:A"), "phone A is given 2 times"),
        ((*SIMULATED, "--start", "home"), "whose episodes begin in their app, got home: add --start app"),
        ((*REPLAY, "--start", "home"), "whose episodes begin in their app, got home: add --start app"),
        ((*SIMULATED, "--set", "settle_s=1"), "settle_s is for a person's phone, not for simulated"),
        (
            (*IMITATE, "A", "--set", "settle_s=soon"),
            "the setting settle_s is a number of seconds, got 'soon'",
        ),
        (
            (*REPLAY, "--engine", "ray", "--between-tasks", "stop-app"),
            "Ray workers have no person's phones: leave out --between-tasks\n",
        ),
        (
            (*REPLAY, "--system-prompt-file", "empty.txt", "--set", "speed=1"),
            "the agent imitate takes no --system-prompt-file, --set speed: prompt and settings are of",
        ),
        (
            ("--agent", "aguvis", "--device", "replay", *SERVED, "--prompt-file", "empty.txt"),
            "empty.txt: the prompt has no placeholder for the task: put {task} where it belongs",
        ),
        (("--device", "simulated"), "Missing option '--agent'"),
        (("--agent", "nobody", "--device", "simulated"), "expected an agent, one of "),
        (("--agent", "habit", "--device", "simulated"), "the agent habit is of track 1; track 2 has "),
        (("--agent", "generic", "--device", "replay", "--script", "x"), "--script is for the agent scripted"),
        ((*SIMULATED, "--device", "replay"), "devices of one kind"),
        ((*IMITATE, "R58M", "--no-gate"), "a real phone needs a safety gate"),
        ((*REPLAY, "--fault", "no_tree"), "faults work only on simulated phones"),
        ((*SIMULATED, "--fault", "x"), "expected a fault of "),
        ((*REPLAY, "--trees", "rough"), "rough trees can be had only from simulated phones, not from replay"),
        ((*REPLAY, "--dry-run"), "a dry run needs a phone"),
        ((*REPLAY, "--with", "tine"), "expected some of time,place,reference-intent,package, got 'tine'"),
        ((*REPLAY, "--without", "time"), "expected some of profile,reference,tree,past, got 'time'"),
        (
            (*REPLAY, "--with", "reference-intent", "--without", "reference"),
            "the intent of a hidden reference cannot be shown: leave out one of the two",
        ),
        (("--agent", "scripted", "--device", "replay"), "the agent scripted needs a file of actions"),
        (
            (*REPLAY, "--screen-description", "authors"),
            "--screen-description authors is for the agent generalist; the agent imitate",
        ),
        (("--agent", "generalist", "--device", "replay", *SERVED[2:]), "needs --model"),
        (
            ("--agent", "generalist", "--device", "replay", *SERVED, "--price-prompt", "1"),
            "--price-completion go together: give both",
        ),
        ((*REPLAY, "--price-prompt", "1"), "takes no --price-prompt"),
        ((*REPLAY, "--seed", "1"), "the agent imitate takes no --seed: it uses no model"),
        ((*REPLAY, "--split", "test"), "expected a split"),
        ((*REPLAY, "--task", "x"), "test_execution has no task"),
        ((*SIMULATED, "--rules", "none.toml"), "the safety rules cannot be read"),
    ],
)
def test_a_wrong_call_prints_one_line(
    people: Path, tmp_path: Path, arguments: tuple[str, ...], words: str
) -> None:
    (tmp_path / "empty.txt").write_text("Do it.\n", encoding="utf-8")
    done = fingertip("execute", people, "--out", tmp_path / "run", *arguments, cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert words in done.stderr
    assert not (tmp_path / "run").exists()
