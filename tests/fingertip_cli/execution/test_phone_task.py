"""`fingertip phone --task`: an agent of its own drives the phone, and the run is scored as any other."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

from execution_runner.attached import attached_environment
from execution_runner.devices.adb_client import AdbClient, find_adb
from fingertip_cli.main import main
from fingertip_dataset import BuiltDataset
from fingertip_dataset.parquet.simulations import SIMULATIONS
from simulated_phone.adb import phone_server
from simulated_phone.apps.clock import CLOCK
from simulated_phone.apps.health import HEALTH
from simulated_phone.watched_phone import WatchedPhone
from tests.command_line import fingertip
from tests.phone_bench import adb_port  # noqa: F401 - a fixture
from tests.shared_datasets import manifest_again

ROOT = Path(__file__).parents[3]
AGENT = str(ROOT / "tests" / "attached_agent.py")
MAIN = "from fingertip_cli.main import main; main()"
SPLIT = "test_execution"


@pytest.fixture(scope="module")
def task_ids(people: Path) -> tuple[str, ...]:
    return tuple(row["episode_id"] for row in BuiltDataset.open(people).rows(SPLIT, columns=("episode_id",)))


class Phone:
    """Calls `fingertip phone` with a private adb server."""

    def __init__(self, port: int, folder: Path) -> None:
        self.env = dict(os.environ, ANDROID_ADB_SERVER_PORT=str(port), PYTHONPATH=str(ROOT))
        self.run = folder / "run"

    def __call__(self, *words: object) -> CompletedProcess[str]:
        return fingertip("phone", *words, env=self.env)

    def lines(self, kind: str) -> list[dict[str, Any]]:
        text = (self.run / "steps.jsonl").read_text(encoding="utf-8")
        return [line for line in map(json.loads, text.splitlines()) if line["kind"] == kind]

    def record(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((self.run / "run.json").read_text(encoding="utf-8"))
        return found


@pytest.fixture
def phone(adb_port: int, tmp_path: Path) -> Phone:  # noqa: F811 - the fixture
    return Phone(adb_port, tmp_path)


def as_the_person(dataset: Path) -> tuple[str, ...]:
    return ("--", sys.executable, AGENT, str(dataset), SPLIT, "{task_id}")


def test_all_tasks_of_a_split_are_scored_without_our_runner(
    phone: Phone, people: Path, task_ids: tuple[str, ...]
) -> None:
    done = phone("--tasks", people, "--out", phone.run, "--agent-name", "mine", *as_the_person(people))
    assert done.returncode == 0, done.stderr
    for task_id in task_ids:
        assert f"{task_id}: done (by rule); " in done.stdout
    # the actions are the person's own
    assert done.stdout.count(" (S_I 1.000)\n") == len(task_ids)
    assert "1.00 x the person's" in done.stdout
    assert "the seconds, queries and tokens of the agent are unknown" in done.stdout
    steps = phone.lines("step")
    for step in steps:
        assert [step[name] for name in ("agent_s", "device_s", "prompt_tokens", "queries")] == [None] * 4
        assert (phone.run / step["screenshot"]).read_bytes().startswith(b"\x89PNG")
        assert (phone.run / step["tree"]).read_text(encoding="utf-8").startswith("<?xml")
    ends = phone.lines("end")
    assert [(end["outcome"], end["success"]) for end in ends] == [("terminated", True)] * len(task_ids)
    # what the phone saw is what the person did
    rows = {row["episode_id"]: row for row in BuiltDataset.open(people).rows(SPLIT)}
    for task_id in task_ids:
        golden = [action["raw"] for action in rows[task_id]["actions"]]
        assert [step["written"] for step in steps if step["task_id"] == task_id] == golden
    _scored_and_shown(phone, len(task_ids))


def test_several_phones_share_the_tasks(phone: Phone, people: Path, task_ids: tuple[str, ...]) -> None:
    # an agent ends only when another runs beside it
    agent = 'touch "$1.on"; until [ "$(ls ./*.on | wc -l)" -ge 2 ]; do sleep 0.1; done; shift; exec "$@"'
    words = as_the_person(people)[1:]
    call = ("--tasks", people, "--phones", 2, "--out", phone.run)
    place = phone.run.parent
    done = fingertip(
        "phone", *call, "--", "sh", "-c", agent, "sh", "{task_id}", *words, cwd=place, env=phone.env
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count(": done (by rule); ") == len(task_ids)
    assert {end["device"] for end in phone.lines("end")} == {"simulated", "simulated-2"}
    assert sorted(end["task_id"] for end in phone.lines("end")) == sorted(task_ids)


def _scored_and_shown(phone: Phone, tasks: int) -> None:
    scored = fingertip("score", phone.run, "--json")
    assert scored.returncode == 0, scored.stderr
    scores = json.loads((phone.run / "scores.json").read_text(encoding="utf-8"))
    assert scores["effort"]["agent_s"] is None
    assert scores["effort"]["queries"] is None
    assert "Attached agent: its steps are the inputs that the phone saw" in " ".join(scores["remarks"])
    assert scores["effort"]["tasks"] == tasks
    page = phone.run.parent / "report.html"
    shown = fingertip("report", phone.run, "--out", page)
    assert shown.returncode == 0, shown.stderr
    assert "0.00 s agent" not in page.read_text(encoding="utf-8")


def test_ctrl_c_ends_a_task_that_is_done_by_hand(
    phone: Phone,
    people: Path,
    task_ids: tuple[str, ...],
    adb_port: int,  # noqa: F811 - the fixture
) -> None:
    command = [sys.executable, "-c", MAIN, "phone", "--task", people, task_ids[0], "--out", phone.run]
    with subprocess.Popen(
        [*map(str, command), "--language", "en"], env=phone.env, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        shown = []
        while not shown or not shown[-1].startswith("  adb connect "):
            shown.append(process.stdout.readline())
            assert shown[-1]
        serial = shown[-1].split()[-1]
        client = AdbClient.find(serial, server_port=adb_port)
        client.shell("input", "keyevent", "HOME")
        client.shell("svc", "wifi", "disable")
        client.disconnect()
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=120)
    assert process.returncode == 0
    assert shown[0].startswith(f"task {task_ids[0]}: ")
    assert any("# Owner of the phone" in line for line in shown)
    assert f"{task_ids[0]}: not done (by rule); progress 0 %; 3 steps" in out
    assert '  side effect: 系统 global.wifi_on: "1" -> "0"' in out
    steps = phone.lines("step")
    assert [step["action"] for step in steps] == ["press_home()", "wait()", "finished()"]
    assert [step["problem"] for step in steps] == [None, "no action of table 2", None]
    assert steps[1]["output"] == "a command changed wifi_on"


def change_simulation(people: Path, folder: Path, task_id: str, fields: dict[str, object]) -> Path:
    """Copy the dataset with other fields of a task's simulation."""
    changed = Path(shutil.copytree(people, folder / "changed"))
    lines = [json.loads(line) for line in (changed / SIMULATIONS).read_text(encoding="utf-8").splitlines()]
    for line in lines:
        if line["episode_id"] == task_id:
            line["simulation"] |= fields
    (changed / SIMULATIONS).write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    manifest_again(changed)
    return changed


def test_a_goal_that_a_command_reached_is_done_and_says_so(
    phone: Phone, people: Path, task_ids: tuple[str, ...], tmp_path: Path
) -> None:
    task_id = task_ids[0]
    seed = BuiltDataset.open(people).simulations()[task_id]["seed"]
    # the clock's alarm, which an intent sets without a touch
    alarm = next(goal for goal in CLOCK.goals if goal.name == "set_alarm").cases(seed)[0]
    goal = {"package": CLOCK.package, "goal": "set_alarm", "arguments": dict(alarm)}
    changed = change_simulation(people, tmp_path, task_id, goal)
    extra = "android.intent.extra.alarm"
    time = f"--ei {extra}.HOUR {alarm['hour']} --ei {extra}.MINUTES {alarm['minute']}"
    line = f"am start -a android.intent.action.SET_ALARM {time} --ez {extra}.SKIP_UI true"
    words = ("--out", phone.run, "--", find_adb(), "-s", "{serial}", "shell", line)
    done = phone("--task", changed, task_id, *words)
    assert done.returncode == 0, done.stderr
    assert f"{task_id}: done (by rule; the goal was reached by a command, not by touches); " in done.stdout
    commands = [step["output"] for step in phone.lines("step") if step["problem"]]
    assert commands == ["open the page edit of com.android.deskclock", "action save"]
    assert "; 2 steps are no action of table 2; " in done.stdout
    (end,) = phone.lines("end")
    assert (end["success"], end["reason"]) == (True, "the goal was reached by a command, not by touches")
    scored = fingertip("score", phone.run)
    warning = "Warning: in 1 of the 1 done tasks the goal was reached by a command, not by touches"
    assert warning in scored.stdout


@pytest.mark.parametrize("right", [True, False])
def test_a_question_is_answered_by_a_broadcast(
    phone: Phone, people: Path, task_ids: tuple[str, ...], tmp_path: Path, right: bool
) -> None:
    task_id = task_ids[0]
    question = {"package": HEALTH.package, "goal": "ask_steps", "arguments": {}}
    changed = change_simulation(people, tmp_path, task_id, question | {"answer_form": "回答格式：数字"})
    steps = HEALTH.fresh(BuiltDataset.open(people).simulations()[task_id]["seed"])["steps"][-1]
    # the last answer counts
    say = "am broadcast -a com.fingertip.ANSWER --es text"
    line = f"{say} {steps if not right else 1}; {say} '{steps if right else 1} 步'"
    done = phone(
        "--task", changed, task_id, "--out", phone.run, "--", find_adb(), "-s", "{serial}", "shell", line
    )
    assert done.returncode == 0, done.stderr
    assert f"{task_id}: {'done' if right else 'not done'} (by rule)" in done.stdout
    assert [step["action"] for step in phone.lines("step")] == [
        f"finished(content='{steps if right else 1} 步')"
    ]
    (end,) = phone.lines("end")
    assert end["success"] is right


def test_an_attached_agent_asks_the_person_by_a_broadcast(
    phone: Phone, people: Path, task_ids: tuple[str, ...]
) -> None:
    given = ("--task", people, task_ids[0], "--instructions", "no-app", "--answered-by", "simulated")
    questions = "", "Which?", "x" * 10_000, *["Your password?"] * 9
    line = "; ".join(f"am broadcast -a com.fingertip.ASK --es text {one!r}" for one in questions)
    adb = (find_adb(), "-s", "{serial}", "shell", line)
    done = phone(*given, "--out", phone.run, "--", *adb)
    assert done.returncode == 0, done.stderr
    assert "instructions no-app: every task begins on the home screen" in done.stdout
    steps, (end,) = phone.lines("step"), phone.lines("end")
    assert [step["action"] for step in steps] == [f"ask(text={one!r})" for one in questions[: len(steps)]]
    # patience ends the attempt, however often it is asked
    assert 3 <= len(steps) <= 7
    assert steps[-1]["reply"]["kind"] == end["outcome"] == "out_of_patience"
    assert end["dialogue"]["questions"] == len(steps)


def test_an_agent_is_stopped_at_the_step_limit(phone: Phone, people: Path, task_ids: tuple[str, ...]) -> None:
    endless = "while adb -s $ANDROID_SERIAL shell input tap 3 3; do :; done"
    adb = phone.run.parent / "bin"
    adb.mkdir()
    (adb / "adb").symlink_to(find_adb())
    phone.env["PATH"] = f"{adb}{os.pathsep}{phone.env['PATH']}"
    done = phone("--task", people, task_ids[0], "--out", phone.run, "--", "sh", "-c", endless)
    assert done.returncode == 0, done.stderr
    (end,) = phone.lines("end")
    golden = len(json.loads((phone.run / "targets.jsonl").read_text(encoding="utf-8"))["golden_actions"])
    assert (end["outcome"], end["steps"]) == ("truncated", int(2.5 * golden) + 1)
    assert f"{task_ids[0]}: not done (by step limit)" in done.stdout


def test_an_agent_drives_no_task_but_its_own(phone: Phone, people: Path, task_ids: tuple[str, ...]) -> None:
    """The first task's agent leaves a process in a session of its own, which taps until the run is over."""
    done, log = phone.run.parent / "done", phone.run.parent / "log"
    tap = f"{find_adb()} -s $ANDROID_SERIAL shell input tap 77 99"
    left = f"setsid sh -c 'while [ ! -e {done} ]; do {tap}; echo >> {log}; done' > {done}.out 2>&1 &"
    # the first agent ends once its process taps: before that it is of the same session and ends with it
    tapping = f"while [ ! -s {log} ]; do sleep 0.1; done"
    # the second task's agent waits until the first one's has tried twice more
    lines = f"n=$(wc -l < {log}); while [ $(wc -l < {log}) -lt $((n + 2)) ]; do sleep 0.1; done"
    words = ("sh", "-c", f"if [ -e {log} ]; then {lines}; else touch {log}; {left} {tapping}; fi")
    try:
        ended = phone("--tasks", people, "--limit", "2", "--out", phone.run, "--", *words)
    finally:
        done.touch()
    assert ended.returncode == 0, ended.stderr
    first, second = (end["task_id"] for end in phone.lines("end"))
    assert [step["written"] for step in phone.lines("step") if step["task_id"] == second] == ["finished()"]
    assert first != second


def test_a_phone_that_hangs_ends_its_task_with_one_line(
    phone: Phone,
    people: Path,
    task_ids: tuple[str, ...],
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    released = threading.Event()

    def never_ends(_: WatchedPhone) -> None:
        # the next task's phone answers within it on a loaded machine, too
        monkeypatch.setattr(phone_server, "ANSWER_SECONDS", 4)
        released.wait()

    # a page whose handler does not end; nothing else of the phone is changed
    monkeypatch.setattr(WatchedPhone, "open_panel", never_ends)
    monkeypatch.setattr(attached_environment, "CHECK_SECONDS", 0.1)
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", phone.env["ANDROID_ADB_SERVER_PORT"])
    shell = f"{find_adb()} -s $ANDROID_SERIAL shell"
    acts = f"{shell} input tap 3 3; {shell} cmd statusbar expand-settings"
    agent = f"if [ {task_ids[0]} = {{task_id}} ]; then {acts}; fi"
    words = ["--tasks", str(people), "--limit", "2", "--out", str(phone.run), "--", "sh", "-c", agent]
    monkeypatch.setattr(sys, "argv", ["fingertip", "phone", *words])
    with pytest.raises(SystemExit) as stop:
        main()
    released.set()
    out, err = capfd.readouterr()
    assert stop.value.code == 2
    hung, other = phone.lines("end")
    assert err == f"fingertip: the phone failed in a task, which counts as not done: {hung['task_id']}\n"
    assert f"{hung['task_id']}: not done (the simulated phone has not answered for 4 s: a command or" in out
    assert [end["outcome"] for end in (hung, other)] == ["device_error", "terminated"]
    assert [step["action"] for step in phone.lines("step")] == ["click(coordinates=(3, 3))", "finished()"]
    assert fingertip("score", phone.run).returncode == 0


def test_a_command_that_fails_is_no_attempt_of_the_agent(
    phone: Phone, people: Path, task_ids: tuple[str, ...]
) -> None:
    first, second = task_ids[:2]
    call = ("--out", phone.run, "--", "sh", "-c", "exit 3")
    done = phone("--task", people, first, *call)
    reason = "the agent's command ended with exit code 3"
    assert (done.returncode, done.stderr) == (
        1,
        "fingertip: every task of this call failed: 1 task of the run failed and counts as not done: "
        f"{reason} (episode {first})\n",
    )
    assert f"{first}: not done ({reason})" in done.stdout
    (end,) = phone.lines("end")
    assert (end["outcome"], end["success"]) == ("agent_error", None)
    # nothing is carried out again, and a call with another task is no failure
    again = phone("--task", people, first, *call)
    warning = f"warning: 1 task of the run failed and counts as not done: {reason} (episode {first})\n"
    assert (again.returncode, again.stderr) == (0, warning)
    other = phone("--task", people, second, "--out", phone.run, "--", "true")
    assert (other.returncode, other.stderr) == (0, warning)


def test_what_is_known_of_the_task_is_filled_in(
    phone: Phone, people: Path, task_ids: tuple[str, ...], tmp_path: Path
) -> None:
    file = tmp_path / "words.json"
    program = "import json, sys; json.dump(sys.argv[1:], open(sys.argv[1], 'w'))"
    words = (str(file), "{intent}|{serial}", "{task}", "{unknown}")
    phone("--task", people, task_ids[0], "--out", phone.run, "--", sys.executable, "-c", program, *words)
    intent = next(row for row in BuiltDataset.open(people).rows(SPLIT) if row["episode_id"] == task_ids[0])
    _, first, task, unknown = json.loads(file.read_text(encoding="utf-8"))
    assert first.startswith(f"{intent['intent']}|127.0.0.1:")
    assert intent["intent"] in task
    assert unknown == "{unknown}"
    shown = ("--with", "time,reference-intent", "--without", "profile")
    call = ("--task", people, task_ids[0], "--out", tmp_path / "more", *shown)
    phone(*call, "--", sys.executable, "-c", program, str(file), "{task}", "{time}")
    _, more, moment = json.loads(file.read_text(encoding="utf-8"))
    assert moment == f"{intent['time']:%Y-%m-%d %H:%M:%S} {moment.rpartition(' ')[2]}"
    assert moment in more
    assert moment not in task
    assert "# 手机主人" in task
    assert "# 手机主人" not in more


def refused(done: CompletedProcess[str]) -> str:
    assert done.returncode == 2, done.stdout
    assert done.stderr.startswith("fingertip: ")
    assert done.stderr.count("\n") == 1
    return done.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--out", "run"), "--out needs --task DATASET TASK_ID or --tasks DATASET"),
        (("--split", "train", "--agent", "a"), "--split, --agent-name needs --task"),
        (("--", "python"), "a command needs --task or --tasks, got 'python'"),
        (("--task", "ds", "1"), "a task needs --out"),
        (("--task", "ds", "--out", "run"), "--task needs DATASET and TASK_ID, got '--out'"),
        (("--task", "ds", "1", "--tasks", "ds"), "give --task or --tasks, not both"),
        (("--task", "ds", "1", "--limit", "1", "--out", "run"), "--limit is for --tasks"),
        (("--task", "ds", "1", "--seed", "1", "--out", "run"), "--seed cannot be chosen with a task"),
        (("--task", "ds", "1", "--phones", "2", "--out", "run"), "--phones is for --tasks without --port"),
        (
            ("--tasks", "ds", "--phones", "2", "--port", "1", "--out", "run"),
            "--phones is for --tasks without",
        ),
        (("--phones", "2"), "--phones needs --task DATASET TASK_ID or --tasks DATASET"),
        (("--tasks", "ds", "--out", "run"), "--tasks needs your agent's command after --"),
        (("--task", "ds", "1", "--out", "run"), "no built dataset"),
        (
            ("--task", "ds", "1", "--out", "run", "--with", "package"),
            "--with package has no effect on an agent that reads the phone by itself",
        ),
        (
            ("--task", "ds", "1", "--out", "run", "--without", "past"),
            "--without past has no effect on an agent that keeps its own past actions",
        ),
        (("--without", "profile"), "--without needs --task DATASET TASK_ID or --tasks DATASET"),
        (
            ("--task", "ds", "1", "--out", "run", "--agent", "imitate"),
            "imitate is an agent that `fingertip execute` runs",
        ),
    ],
)
def test_a_wrong_call_prints_one_line(words: Sequence[str], message: str) -> None:
    assert message in refused(fingertip("phone", *words))


def test_an_unknown_task_is_named_with_what_is_near(
    phone: Phone, people: Path, task_ids: tuple[str, ...]
) -> None:
    def message(task_id: str) -> str:
        return refused(phone("--task", people, task_id, "--out", phone.run))

    assert f"has no task 'x': `fingertip tasks {people} --split test_execution` lists" in message("x")
    assert f"did you mean {task_ids[0]}" in message(task_ids[0][:-1])
    train = next(
        row["episode_id"] for row in BuiltDataset.open(people).rows("train", columns=("episode_id",))
    )
    assert "it is of split train" in message(train)


def test_what_cannot_be_started_is_said(
    phone: Phone, people: Path, task_ids: tuple[str, ...], tmp_path: Path
) -> None:
    task = ("--task", people, task_ids[0], "--out", phone.run)
    missing = refused(phone(*task, "--", "no-such-agent"))
    assert "the agent's command could not be started: no such program" in missing
    assert not phone.run.exists()
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert f"port {port} is in use" in refused(phone(*task, "--port", port))
    shutil.rmtree(phone.run)
    ours = fingertip(
        "execute", people, "--agent", "scripted", "--script", _script(tmp_path), "--device", "replay",
        "--task", task_ids[0], "--out", phone.run,
    )  # fmt: skip
    assert ours.returncode == 0, ours.stderr
    assert "a run of `fingertip execute` takes no attached agent" in refused(phone(*task, "--", "true"))


def _script(folder: Path) -> Path:
    file = folder / "script.txt"
    file.write_text("finished()\n", encoding="utf-8")
    return file
