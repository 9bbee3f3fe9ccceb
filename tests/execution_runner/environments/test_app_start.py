"""Start of attempts over the real adb: the app is launched as its icon does, or the attempt says why not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from execution_runner.devices.in_process_device import InProcessDevice, begin_in_process
from execution_runner.environments.adb_environment import AdbEnvironment
from execution_runner.environments.app_start import choose_start, find_home_reason, launch_app
from execution_runner.environments.environment import Environment
from execution_runner.environments.open_environments import open_environments
from execution_runner.execution_log import read_attempts, read_run
from execution_runner.execution_records import StartRecord
from execution_runner.execution_run import run_execution
from execution_runner.run_plan import plan_tasks
from execution_runner.safety.gate import Gate, Rules
from fingertip_dataset.actions import Finished
from fingertip_dataset.errors import AppStartError, UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.tasks.task import ExecutionTask
from simulated_phone import Phone
from simulated_phone.apps.clock import CLOCK
from simulated_phone.people.simulation import Simulation
from tests.execution_runner.players import Player
from tests.phone_bench import Bench

START = Callable[..., Bench]
MUSIC, LAUNCHER = "com.netease.cloudmusic", "com.android.launcher3"


def begin(rig: Bench, task: ExecutionTask, app: str, port: int) -> StartRecord | None:
    environment = AdbEnvironment(rig.server.serial, server_port=port, settle_s=0)
    try:
        return environment.begin(replace(task, input=replace(task.input, app=app))).start
    finally:
        environment.close()


@pytest.fixture(scope="module")
def task(built: BuiltDataset) -> ExecutionTask:
    return plan_tasks(built).tasks[0]


# ---- a person's phone


def test_an_app_is_launched_as_it_was_left(bench: START, task: ExecutionTask, adb_port: int) -> None:
    rig = bench()
    rig.server.do(lambda phone: phone.open_page(CLOCK.package, "timer", {}, {}))
    left = rig.server.do(lambda phone: phone.tree())
    # an activity of the release's `app` does not matter: it is the icon that is touched
    assert begin(rig, task, f"{CLOCK.package}/.AlarmsActivity", adb_port) == StartRecord(
        at="app", app=CLOCK.package, found=CLOCK.package
    )
    assert rig.server.do(lambda phone: phone.tree()) == left


def test_a_dialog_for_a_permission_is_the_app_that_came_up(
    bench: START, task: ExecutionTask, adb_port: int
) -> None:
    rig = bench(faults=["permission_dialog", "notification"])
    assert begin(rig, task, MUSIC, adb_port) == StartRecord(
        at="app", app=MUSIC, found="com.android.permissioncontroller"
    )


def test_an_app_that_is_not_installed_is_one_line(bench: START, task: ExecutionTask, adb_port: int) -> None:
    words = "com.nobody is not installed, or has no activity to start"
    with pytest.raises(AppStartError, match=words):
        begin(bench(), task, "com.nobody", adb_port)
    phone = Phone(seed=1, size=(360, 800))
    with pytest.raises(AppStartError, match=words):
        launch_app(InProcessDevice(phone), "com.nobody")


def test_an_app_behind_another_one_has_not_come_up(bench: START) -> None:
    class Stolen(InProcessDevice):
        """A phone on which another app comes up over each one that is started."""

        def start_app(self, package: str) -> None:
            super().start_app(package)
            self._phone.start(MUSIC)

    phone = Phone(seed=1, size=(360, 800))
    with pytest.raises(AppStartError) as caught:
        launch_app(Stolen(phone), CLOCK.package, limit_s=0)
    assert str(caught.value) == (
        f"{CLOCK.package} was launched and did not come up within 0 s: {MUSIC} is in front"
    )


def test_spaces_around_a_package_do_not_matter() -> None:
    phone = InProcessDevice(Phone(seed=1, size=(360, 800)))
    assert launch_app(phone, f" {CLOCK.package} /.Main ", limit_s=0) == StartRecord(
        at="app", app=CLOCK.package, found=CLOCK.package
    )


@pytest.mark.parametrize(
    ("app", "reason"),
    [
        ("com.miui.home", "the app is the home screen"),
        ("com.huawei.android.launcher/.unihome.UniHomeLauncher", "the app is the home screen"),
        ("com.sec.android.app.launcher", "the app is the home screen"),
        ("com.android.systemui", "the app is the system's own"),
        ("com.example.fingertip", "the app is the collector"),
        ("", "the task names no app"),
        (" ", "the task names no app"),
        (" com.miui.home\n", "the app is the home screen"),
        ("com.tencent.mm", ""),
    ],
)
def test_tasks_of_the_launcher_the_system_and_the_collector_begin_at_home(app: str, reason: str) -> None:
    assert find_home_reason(app) == reason
    assert choose_start("app", app) == (StartRecord(at="home", reason=reason) if reason else None)
    assert choose_start("home", app) == StartRecord(at="home")


def test_apps_that_do_not_come_up_are_errors_of_the_phone_and_the_run_goes_on(
    simulated_dataset: Path, bench: START, adb_port: int, tmp_path: Path
) -> None:
    # of the tasks' apps only the first one is installed
    tasks = plan_tasks(BuiltDataset.open(simulated_dataset)).tasks
    rig = bench()
    apps = [app for app in rig.phone.apps.values() if app.package in (tasks[0].input.app, LAUNCHER)]
    rig = bench(apps=apps)
    environment = AdbEnvironment(rig.server.serial, server_port=adb_port, settle_s=0)
    ends = {one.task_id: ["finished()"] for one in tasks}
    gate = Gate(Rules.default(), lambda *args, **kwargs: True)
    try:
        run_execution(simulated_dataset, Player(ends), [environment], tmp_path / "run", retries=1, gate=gate)
    finally:
        environment.close()
    assert read_run(tmp_path / "run").start == "app"
    first, *others = [attempt.end for attempt in read_attempts(tmp_path / "run")]
    assert (first.outcome, first.start and first.start.found) == ("terminated", tasks[0].input.app)
    for end, one in zip(others, tasks[1:], strict=True):
        if one.input.app == tasks[0].input.app:
            continue
        assert (end.outcome, end.attempt, end.steps, end.start) == ("device_error", 2, 0, None)
        assert end.reason == f"{one.input.app} is not installed, or has no activity to start"


# ---- simulated phones


def test_over_adb_and_in_process_an_attempt_begins_in_the_same_state(
    built: BuiltDataset, phone: Sequence[Environment]
) -> None:
    simulations = built.simulations()
    for one in plan_tasks(built).tasks:
        simulation = Simulation.from_json(simulations[one.task_id])
        session = phone[0].begin(one)
        own = Phone(size=simulation.size)
        in_process = begin_in_process(simulation, own)
        assert session.start == in_process.start
        assert session.start == StartRecord(at="app", app=one.input.app, found=in_process.observe().package)
        seen, same = session.observe(), in_process.observe()
        assert (seen.tree, seen.package) == (same.tree, same.package)
        shown = Phone(size=simulation.size)
        simulation.setup.apply(shown)
        assert (shown.state_sha256(), shown.now) == (own.state_sha256(), own.now)
        assert session.step(Finished()).state_sha256 == in_process.step(Finished()).state_sha256


def test_a_run_begins_where_its_dataset_does(built: BuiltDataset, adb_port: int, tmp_path: Path) -> None:
    words = (
        "expected the start of the dataset, whose episodes begin in their app, got home: add --start app, or "
        "make a dataset with --start home"
    )
    for device in ("simulated", "replay", "teacher-forced", "R58M"):
        opened = open_environments([device], built, start="home", server_port=adb_port)
        with pytest.raises(UsageError) as caught, opened:
            pass
        assert caught.value.message == words
    environment = AdbEnvironment("R58M", start="home", server_port=adb_port)
    gate = Gate(Rules.default(), lambda *args, **kwargs: True)
    with pytest.raises(UsageError, match="got home: add --start app"):
        run_execution(built.path, Player({}), [environment], tmp_path / "run", gate=gate)
    assert not (tmp_path / "run").exists()
