"""Runs of track 2: every task once, concurrent phones, distinct errors, and resuming after any end."""

from __future__ import annotations

import json
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

from execution_runner.environments.environment import Environment
from execution_runner.environments.open_environments import open_environments
from execution_runner.execution_log import read_attempts, read_run
from execution_runner.execution_records import MOST_ATTEMPTS
from execution_runner.execution_run import ExecutionOutcome, run_execution
from execution_runner.safety.gate import Gate, Rules
from fingertip_agents.execution_agent import ScreenInput
from fingertip_dataset.errors import (
    DeviceLockedError,
    DeviceOfflineError,
    DeviceUnauthorizedError,
    FingerTipError,
    ModelError,
    RunError,
    UsageError,
)
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_models.prices import Prices
from fingertip_runs.benchmark_versions import HARNESS
from fingertip_runs.targets import read_targets
from fingertip_runs.unreadable_answers import AnswerCounts
from simulated_phone.adb.services import DROP_EVERY
from simulated_phone.machine.faults import FAULTS
from simulated_phone.versions import CURRENT
from tests.execution_runner.players import Player, golden_ways, result

ROOT = Path(__file__).parents[2]
WaysByTask = dict[str, list[str]]
Play = Callable[..., ExecutionOutcome]
Phones = Callable[..., AbstractContextManager[Sequence[Environment]]]


@pytest.fixture(scope="module")
def ways(simulated_dataset: Path) -> WaysByTask:
    return golden_ways(simulated_dataset)


@pytest.fixture(scope="module")
def phones(built: BuiltDataset, adb_port: int) -> Phones:
    """Function that opens simulated phones; takes their number and arguments of `open_environments`."""
    return lambda count=1, **options: open_environments(
        ["simulated"] * count, built, server_port=adb_port, **options
    )


@pytest.fixture
def play(simulated_dataset: Path, ways: WaysByTask, phone: Sequence[Environment], tmp_path: Path) -> Play:
    """Function that runs an agent, by default one that repeats the persons' trajectories, in `run`."""

    def call(agent: object = None, environments: Sequence[Environment] = phone, **options: object) -> object:
        return run_execution(
            simulated_dataset, agent or Player(ways), environments, tmp_path / "run", **options
        )

    return call


@pytest.fixture(scope="module")
def whole(
    simulated_dataset: Path,
    ways: WaysByTask,
    phone: Sequence[Environment],
    tmp_path_factory: pytest.TempPathFactory,
) -> Path:
    """An uninterrupted run in which the persons' own trajectories are carried out."""
    run = tmp_path_factory.mktemp("whole") / "run"
    run_execution(simulated_dataset, Player(ways), phone, run)
    return run


def test_every_task_is_attempted_once(play: Play, ways: WaysByTask, tmp_path: Path) -> None:
    output: list[tuple[int, int]] = []
    outcome = play(on_progress=lambda done, tasks: output.append((done, tasks)))
    assert outcome == ExecutionOutcome(
        folder=tmp_path / "run",
        tasks=3,
        done_before=0,
        queried=3,
        outcomes={"terminated": 3},
        left_out=(),
        dropped=None,
        answers=AnswerCounts(answers=sum(map(len, ways.values()))),
    )
    assert output == [(0, 3), (1, 3), (2, 3), (3, 3)]
    attempts = read_attempts(tmp_path / "run")
    assert [attempt.end.task_id for attempt in attempts] == sorted(ways)
    assert all(attempt.end.success for attempt in attempts)
    targets = read_targets(tmp_path / "run")
    assert {name: target.user_id for name, target in targets.items()} == {
        name: name.partition("__")[0] for name in ways
    }


def test_the_record_describes_the_run(
    simulated_dataset: Path, ways: WaysByTask, play: Play, tmp_path: Path
) -> None:
    play(
        Player(ways, settings={"t": 1}),
        split="test-execution",
        limit=2,
        reference="none",
        gate=Gate(Rules.default(), None),
        dry_run=True,
        prices=Prices(prompt=1, completion=2.5, currency="CNY"),
    )
    record = json.loads((tmp_path / "run" / "run.json").read_text(encoding="utf-8"))
    manifest = json.loads((simulated_dataset / "manifest.json").read_text(encoding="utf-8"))
    (session,) = record.pop("sessions")
    chosen = sorted(ways)[0], sorted(ways)[1]
    assert record == {
        "version": 2,
        "track": "execution",
        "agent": {"name": "player", "settings": {"t": 1}},
        "dataset": {
            "path": str(simulated_dataset),
            "data_sha256": manifest["data_sha256"],
            "provenance": "simulated",
            "split_method": "official tables",
            "seed": 0,
        },
        "split": "test_execution",
        "tasks": 2,
        "task_ids": list(chosen),
        "device": "simulated",
        "reference": "none",
        "reference_method": "text",
        "user_types": "by age: type 2 from 40 years; users of unknown age, without a type: 0",
        "history": "online",
        "step_limit_factor": 2.5,
        "more": [],
        "safety": Rules.default().sha256,
        "dry_run": True,
        "action_text": "as written",
        "faults": [],
        "retries": 2,
        "start": "app",
        "prices": {"prompt": 1.0, "completion": 2.5, "currency": "CNY"},
        "versions": {"harness": HARNESS, **CURRENT.to_json()},
    }
    assert session["started"].endswith("+08:00")
    assert {attempt.end.reference_id for attempt in read_attempts(tmp_path / "run")} == {None}


# ---- errors


class Moody:
    """Callable that raises in its first `times` calls, then returns the action."""

    def __init__(self, times: int, action: str, error: Exception) -> None:
        self.times = times
        self._action = action
        self._error = error

    def __call__(self, screen: ScreenInput) -> object:
        self.times -= 1
        return self._error if self.times >= 0 else self._action


@pytest.mark.parametrize(("times", "outcome"), [(2, "terminated"), (3, "agent_error")])
def test_an_agent_error_is_retried_and_then_reported(
    play: Play, ways: WaysByTask, tmp_path: Path, times: int, outcome: str
) -> None:
    first = min(ways)
    way = [*ways[first][:2], Moody(times, ways[first][2], ModelError("expected a model")), *ways[first][3:]]
    play(Player({first: way}), task_ids=[first])
    (attempt,) = read_attempts(tmp_path / "run")
    assert (attempt.end.outcome, attempt.end.attempt) == (outcome, 3)
    steps, ends = lines_of_kinds(tmp_path / "run")
    assert [(end["attempt"], end["final"]) for end in ends] == [(1, False), (2, False), (3, True)]
    assert len(steps) == 2 + 2 + len(attempt.steps)


def lines_of_kinds(run: Path) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The steps and the ends of a log."""
    lines = [json.loads(line) for line in (run / "steps.jsonl").read_text("utf-8").splitlines()]
    return [line for line in lines if line["kind"] == "step"], [
        line for line in lines if line["kind"] == "end"
    ]


DONE = "terminated, done"
LOST = "terminated, not done"
ENDS = {
    "advertisement": (LOST, ""),
    "permission_dialog": (LOST, ""),
    "update_dialog": (LOST, ""),
    "login": (LOST, ""),
    "notification": (DONE, ""),
    "slow_loading": (DONE, ""),
    "black_payment_screen": (DONE, ""),
    "rotation": (LOST, ""),
    "no_tree": (LOST, "expected an accessibility tree"),
    "screen_off": (DONE, ""),
    "pin_lock": (DeviceLockedError, "unlock it by hand"),
    "no_input_injection": ("device_error", "refuses input from a computer"),
    "no_adb_keyboard": ("device_error", "needs the keyboard"),
    "dropped_connection": ("device_error", "dropped during"),
    "truncated_screenshot": ("device_error", "the screenshot is cut off"),
    "unauthorized": (DeviceUnauthorizedError, "accepts this computer's key"),
    # adb itself waits ten seconds for such a phone; test_adb covers the resulting error
    "offline": (DeviceOfflineError, ""),
}
"""Fault -> outcome of the person's own trajectory; an error is that of a run without any phone."""


REAL_PHONES = {
    "moving_screen",
    "pinyin_keyboard",
    "screen_timeout",
    "second_display",
    "popup_window",
    "wifi_outage",
    "no_clipboard",
    "slow_splash",
    "unfocused_fields",
    "apps_left_open",
    "slow_long_press",
    "vendor_noise",
    "emoji_references",
    "lagging_tree",
    "huge_tree",
}
"""Faults that `test_real_phones.py` has as a person's phone has them."""


def test_every_fault_has_an_expected_outcome() -> None:
    assert ENDS.keys() | REAL_PHONES == FAULTS.keys()


@pytest.mark.parametrize("fault", [fault for fault in ENDS if fault != "offline"])
def test_a_phone_fault_ends_with_its_own_outcome(
    simulated_dataset: Path, play: Play, ways: WaysByTask, phones: Phones, tmp_path: Path, fault: str
) -> None:
    end, words = ENDS[fault]
    split = "test_execution"
    if fault == "no_adb_keyboard":  # of the few tasks of the test split none may need a text
        split, ways = "train", golden_ways(simulated_dataset, "train")
        ways = {task: way for task, way in ways.items() if any(raw.startswith("type(") for raw in way)}
    first, run = min(ways), tmp_path / "run"
    # short: each tree is tried three times
    way = ways[first][:2] if fault == "no_tree" else ways[first]
    # every fifth action is dropped
    agent = Player({first: ["press_home()"] * DROP_EVERY if fault == "dropped_connection" else way})
    options = {"split": split, "task_ids": [first], "retries": 0}
    with phones(split=split, faults=[fault]) as environments:
        if not isinstance(end, str):
            with pytest.raises(end, match=words):
                play(agent, environments, **options)
            assert read_attempts(run) == ()
            return
        play(agent, environments, **options)
    (attempt,) = read_attempts(run)
    output = {True: DONE, False: LOST, None: attempt.end.outcome}[attempt.end.success]
    assert output == end
    seen = " ".join(problem for step in attempt.steps for problem in step.seen_problems)
    assert words in seen + attempt.end.reason
    assert (attempt.end.final_screenshot is None) == (end == "device_error")
    if fault in ("no_input_injection", "no_adb_keyboard"):
        assert [step.performed for step in attempt.steps].index(False) == len(attempt.steps) - 1
    assert read_run(run).faults == (fault,)


@pytest.mark.parametrize(
    # `fingertip phone` and `experiment` have no --resume: their own call goes on
    ("resume", "advice"),
    [(False, "with resume=True it goes on from here"), (True, "the same call resumes from here")],
)
def test_an_absent_phone_loses_no_task(
    play: Play, phones: Phones, tmp_path: Path, resume: bool, advice: str
) -> None:
    with (
        phones(faults=["unauthorized"]) as environments,
        pytest.raises(DeviceUnauthorizedError) as caught,
    ):
        play(None, environments, resume=resume)
    words = str(caught.value)
    assert words.startswith("no device is left for 3 tasks: simulated: expected a phone")
    assert words.endswith(f"; {advice}")
    assert read_attempts(tmp_path / "run") == ()


def test_an_internal_error_on_one_phone_stops_all(
    play: Play, ways: WaysByTask, phones: Phones, tmp_path: Path
) -> None:
    first, *others = sorted(ways)
    broken = {first: [UsageError("expected --script FILE, got none")]} | {name: ways[name] for name in others}
    with phones(2) as environments:
        with pytest.raises(UsageError, match="expected --script FILE"):
            play(Player(broken), environments)
        play(None, environments, resume=True)
    assert len(read_attempts(tmp_path / "run")) == 3


# ---- resuming

CHILD = """
import sys
from pathlib import Path
from execution_runner.environments.open_environments import open_environments
from execution_runner.execution_run import run_execution
from fingertip_dataset.parquet.built import BuiltDataset
from tests.execution_runner.players import Player, golden_ways

dataset, run, port, devices = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), sys.argv[4:]
with open_environments(devices, BuiltDataset.open(dataset), server_port=port) as environments:
    run_execution(dataset, Player(golden_ways(dataset)), environments, run, resume=True)
"""


def lines_of(run: Path) -> int:
    file = run / "steps.jsonl"
    return file.read_bytes().count(b"\n") if file.exists() else 0


def start_child(dataset: Path, run: Path, port: int, *devices: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", CHILD, dataset, run, str(port), *devices], cwd=ROOT)


@pytest.mark.soak
def test_a_run_killed_repeatedly_has_the_same_result(
    simulated_dataset: Path, whole: Path, adb_port: int, tmp_path: Path
) -> None:
    dice, run, killed = random.Random(7), tmp_path / "run", 0  # noqa: S311 - chance, not a secret
    for devices in (["simulated"], ["simulated", "simulated"]):
        child = start_child(simulated_dataset, run, adb_port, *devices)
        aim = lines_of(run) + dice.randint(1, 8)
        while child.poll() is None and lines_of(run) < aim:
            time.sleep(0.002)
        child.kill()
        killed += child.wait() == -signal.SIGKILL
    assert killed
    torn = dice.choice([b"", b'{"kind": "st', b"{}"])
    with (run / "steps.jsonl").open("ab") as file:
        file.write(torn)
    assert start_child(simulated_dataset, run, adb_port, "simulated").wait() == 0
    assert result(read_attempts(run), run) == result(read_attempts(whole), whole)
    assert len(read_run(run).sessions) >= 2


def test_a_run_resumes_after_ctrl_c(
    play: Play, ways: WaysByTask, phones: Phones, whole: Path, tmp_path: Path
) -> None:
    def interrupt(number: int) -> None:
        if number == 5:
            signal.raise_signal(signal.SIGINT)

    run = tmp_path / "run"
    for count in (1, 2):
        with phones(count) as environments, pytest.raises(KeyboardInterrupt):
            play(Player(ways, on_call=interrupt), environments, resume=True)
    play(resume=True)
    assert result(read_attempts(run), run) == result(read_attempts(whole), whole)


def test_errors_of_all_sessions_count_as_retries(play: Play, ways: WaysByTask, tmp_path: Path) -> None:
    """Stopped and resumed, a run has no more attempts at a task than its retries and starts allow."""
    first, run = min(ways), tmp_path / "run"

    def fail_and_stop(number: int) -> None:
        if number == 2:
            signal.raise_signal(signal.SIGINT)

    failing = [Moody(9, ways[first][0], ModelError("expected a model")), *ways[first][1:]]
    options = {"task_ids": [first], "retries": 3, "resume": True}
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            play(Player({first: failing}, on_call=fail_and_stop), **options)
    play(Player({first: failing}), **options)
    (attempt,) = read_attempts(run)
    record = read_run(run)
    assert (record.retries, len(record.sessions)) == (3, 3)
    assert attempt.end.outcome == "agent_error"
    _, ends = lines_of_kinds(run)
    assert [end["final"] for end in ends] == [False] * 3 + [True], "four errors in all"
    assert attempt.end.attempt <= record.most_attempts == 6


def test_a_task_that_is_interrupted_again_and_again_is_given_up(
    play: Play, ways: WaysByTask, tmp_path: Path
) -> None:
    first, run = min(ways), tmp_path / "run"

    def stop(number: int) -> None:
        if number == 2:
            signal.raise_signal(signal.SIGINT)

    for _ in range(9):
        with pytest.raises(KeyboardInterrupt):
            play(Player(ways, on_call=stop), task_ids=[first], resume=True)
    play(task_ids=[first], resume=True)
    (attempt,) = read_attempts(run)
    assert (attempt.end.outcome, attempt.end.attempt, attempt.steps) == ("device_error", MOST_ATTEMPTS, ())
    assert attempt.end.reason == "not done in 9 attempts, interrupted ones included"
    assert attempt.end.attempt <= read_run(run).most_attempts


def test_a_finished_run_is_not_changed(play: Play, whole: Path, tmp_path: Path) -> None:
    run = shutil.copytree(whole, tmp_path / "run")
    before = {path: path.read_bytes() for path in run.rglob("*") if path.is_file()}
    outcome = play(resume=True)
    assert (outcome.queried, outcome.done_before, outcome.outcomes) == (0, 3, {"terminated": 3})
    assert {path: path.read_bytes() for path in run.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"resume": False}, "the folder already holds a run: resume=True continues it"),
        ({"limit": 2}, "tasks: 3 in the folder, 2 in this call"),
        ({"reference": "none"}, "--reference: same_user in the folder, none in this call"),
        ({"agent": Player({}, settings={"t": 1})}, "agent.settings.t: none in the folder, 1 in this call"),
        ({"gate": Gate(Rules.default(), None)}, "safety: off in the folder, "),
        ({"dry_run": True}, "--dry-run: False in the folder, True in this call"),
        (
            {"prices": Prices(prompt=1, completion=1, currency="USD")},
            "prices.prompt: None in the folder, 1.0 in this call",
        ),
    ],
)
def test_another_run_is_refused(
    simulated_dataset: Path, phone: Sequence[Environment], whole: Path, change: dict[str, object], words: str
) -> None:
    before = (whole / "run.json").read_bytes(), (whole / "steps.jsonl").read_bytes()
    call = {"agent": Player({}), "environments": phone, "resume": True} | change
    with pytest.raises(RunError) as caught:
        run_execution(simulated_dataset, out=whole, **call)  # type: ignore[arg-type]
    assert words in str(caught.value)
    assert ((whole / "run.json").read_bytes(), (whole / "steps.jsonl").read_bytes()) == before


def test_wrong_arguments_raise_errors_that_name_valid_ones(
    simulated_dataset: Path, ways: WaysByTask, phone: Sequence[Environment], tmp_path: Path
) -> None:
    def wrong(words: str, **change: object) -> None:
        call = {"dataset": simulated_dataset, "agent": Player(ways), "environments": phone} | change
        with pytest.raises(FingerTipError, match=words) as caught:
            run_execution(out=tmp_path / "r", **call)  # type: ignore[arg-type]
        assert "\n" not in str(caught.value)

    wrong("one of train, vali, test_suggestion, test_execution, got 'test'", split="test")
    wrong("test_execution has no task 'nobody'", task_ids=["nobody"])
    wrong("expected a limit of at least 1, got 0", limit=0)
    wrong("0 to 8 retries, got -1", retries=-1)
    wrong("0 to 8 retries, got 9", retries=9)
    wrong("expected devices of one kind, got none", environments=[])
    wrong("device simulated is given 2 times", environments=[*phone, *phone])
    wrong("settings of agent player are not JSON", agent=Player(ways, settings={"path": Path()}))
    wrong("no built dataset: `fingertip build` makes one", dataset=tmp_path / "nowhere")
    assert not (tmp_path / "r").exists()


def test_two_processes_do_not_write_one_run(play: Play, ways: WaysByTask) -> None:
    refused = []

    def again(number: int) -> None:
        if number == 1:
            with pytest.raises(RunError, match="is writing this run"):
                play(resume=True)
            refused.append(number)

    play(Player(ways, on_call=again), limit=1)
    assert refused == [1]


def test_an_unwritable_screen_is_reported_and_the_run_resumes_later(
    play: Play, ways: WaysByTask, whole: Path, tmp_path: Path
) -> None:
    def interrupt(number: int) -> None:
        raise KeyboardInterrupt

    run = tmp_path / "run"
    with pytest.raises(KeyboardInterrupt):
        play(Player(ways, on_call=interrupt))
    in_the_way = run / "screens" / sorted(ways)[1]
    in_the_way.write_text("a file where a folder has to be")
    with pytest.raises(RunError, match=r"the screen could not be written: .*the same call resumes from here"):
        play(resume=True)
    in_the_way.unlink()
    assert len(read_attempts(run)) == 1
    play(resume=True)
    assert result(read_attempts(run), run) == result(read_attempts(whole), whole)
