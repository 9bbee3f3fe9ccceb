"""Device specs, and the environments that they open."""

from __future__ import annotations

import threading
from contextlib import suppress
from pathlib import Path

import pytest

from execution_runner.environments.adb_environment import AdbEnvironment
from execution_runner.environments.open_environments import MAKERS, find_missing_apps, open_environments
from execution_runner.environments.simulated import SimulatedEnvironment
from execution_runner.execution_records import StartRecord
from execution_runner.run_plan import plan_tasks
from fingertip_dataset.actions import Finished, PressHome, parse_action
from fingertip_dataset.errors import DatasetError, DeviceTimeoutError, UsageError
from fingertip_dataset.parquet.build import build
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.release.settings import Start
from fingertip_dataset.tasks.task import ExecutionTask
from fingertip_runs.device_kinds import DEVICE_KINDS, device_kind, serial_of
from simulated_phone import Phone, PhoneHungError, SimulatedPhoneServer
from simulated_phone.adb import phone_server
from simulated_phone.apps.clock import CLOCK
from tests.fixtures.drawn_sample import sample_release
from tests.phone_bench import small_phone


@pytest.fixture(scope="module")
def planned(built: BuiltDataset) -> ExecutionTask:
    return plan_tasks(built).tasks[0]


def test_every_device_kind_has_an_environment() -> None:
    assert MAKERS.keys() == DEVICE_KINDS.keys()


@pytest.mark.parametrize(
    ("specs", "kind"),
    [
        (["adb:R58M123"], "adb"),
        (["R58M123", "adb:emulator-5554"], "adb"),
        (["192.168.1.7:5555"], "adb"),
        (["uiautomator2:R58M123"], "adb"),
        (["simulated", "simulated"], "simulated"),
        (["replay"], "replay"),
        (["teacher-forced"], "teacher_forced"),
        (["teacher_forced"], "teacher_forced"),
    ],
)
def test_a_device_spec_has_its_kind(specs: list[str], kind: str) -> None:
    assert device_kind(specs) == kind


@pytest.mark.parametrize(
    ("specs", "words"),
    [
        ([], "expected devices of one kind, got none"),
        (["simulated", "R58M123"], "expected devices of one kind, got adb and simulated"),
        (["replay", "teacher-forced"], "got replay and teacher_forced"),
        (["A", "adb:A"], "phone A is given 2 times"),
        (["adb:"], "expected a device: adb:SERIAL, simulated, replay or teacher-forced, got 'adb:'"),
        (["-s"], "got '-s'"),
        (["a b"], "got 'a b'"),
        (["A", "u2:A"], "phone A is given 2 times"),
        (
            ["hdc:A"],
            "no device kind drives HarmonyOS NEXT, got 'hdc:A': only phones behind adb, such as those with "
            "HarmonyOS 4 and earlier",
        ),
    ],
)
def test_an_invalid_device_raises_an_error_that_names_valid_ones(specs: list[str], words: str) -> None:
    with pytest.raises(UsageError) as caught:
        device_kind(specs)
    assert words in str(caught.value)


def test_a_serial_is_accepted_with_and_without_its_kind() -> None:
    assert serial_of("adb:127.0.0.1:5555") == serial_of("127.0.0.1:5555") == "127.0.0.1:5555"
    assert serial_of("uiautomator2:R58M123") == serial_of("u2:R58M123") == "R58M123"


def test_devices_of_one_kind_get_distinct_names(built: BuiltDataset) -> None:
    with open_environments(["replay"], built) as environments:
        assert [environment.name for environment in environments] == ["replay"]
    with open_environments(["simulated", "simulated"], built, server_port=1) as environments:
        assert [environment.name for environment in environments] == ["simulated-1", "simulated-2"]
    with open_environments(["A", "adb:B:5555"], built) as environments:
        assert [environment.name for environment in environments] == ["A", "B:5555"]


def test_simulated_phones_need_simulated_people(tmp_path: Path) -> None:
    sample = sample_release()
    build(sample / "raw", tmp_path / "dataset", tables=sample / "tables", workers=1)
    with (
        pytest.raises(UsageError, match=r"needs a dataset of simulated people .* this one is sample"),
        open_environments(["simulated"], BuiltDataset.open(tmp_path / "dataset")),
    ):
        pass


def test_faults_require_simulated_phones(built: BuiltDataset) -> None:
    with (
        pytest.raises(UsageError, match="only on simulated phones, not on replay"),
        open_environments(["replay"], built, faults=["no_tree"]),
    ):
        pass
    with (
        pytest.raises(UsageError, match=r"expected a fault of advertisement, .*, got 'flood'"),
        open_environments(["simulated"], built, faults=["flood"], server_port=1),
    ):
        pass


# ---- a phone on ADB


@pytest.mark.parametrize("start", ["app", "home"])
def test_a_phone_is_woken_and_shows_the_app_or_its_home_screen(
    planned: ExecutionTask, adb_port: int, start: Start
) -> None:
    phone = small_phone(faults=["screen_off"])
    phone.tasks.open("com.android.deskclock")
    with SimulatedPhoneServer(phone) as server:
        environment = AdbEnvironment(server.serial, server_port=adb_port, start=start, settle_s=0)
        session = environment.begin(planned)
        seen, app = session.observe(), planned.input.app
        assert (seen.package, seen.problems) == (app if start == "app" else "com.android.launcher3", ())
        found = {"at": "app", "app": app, "found": app} if start == "app" else {"at": "home"}
        assert session.start == StartRecord(**found)
        assert session.step(PressHome()).end is None
        assert session.evaluate().success is None
        end = session.step(Finished()).end
        assert end.outcome == "terminated"
        assert session.last_screen() == server.do(lambda phone: phone.screenshot_png())
        assert server.do(stay_on) == "7"
        environment.restart()
        assert server.do(stay_on) == "0"
        environment.begin(planned)
        environment.close()
        assert server.do(stay_on) == "0"


def stay_on(phone: Phone) -> str:
    return phone.settings["global"]["stay_on_while_plugged_in"]


def test_trees_may_go_through_uiautomator2(
    built: BuiltDataset, planned: ExecutionTask, adb_port: int
) -> None:
    with (
        SimulatedPhoneServer(small_phone()) as server,
        open_environments([f"uiautomator2:{server.serial}"], built, server_port=adb_port) as (environment,),
    ):
        seen = environment.begin(planned).observe()
        assert (environment.kind, environment.name) == ("adb", server.serial)
        # its server is asked for the active window, as `uiautomator dump` gives it
        assert seen.tree == server.do(lambda phone: phone.tree("uiautomator"))


def test_apps_that_are_not_installed_are_named(built: BuiltDataset, adb_port: int) -> None:
    apps = {row["app"] for row in built.rows("test_execution", columns=("app",))}
    with SimulatedPhoneServer(small_phone(apps=[CLOCK])) as server:
        found = find_missing_apps([server.serial, "R58M"], built, server_port=adb_port)
    assert found == {server.serial: tuple(sorted(apps - {CLOCK.package}))}
    assert find_missing_apps(["simulated"], built) == {}


@pytest.mark.parametrize(
    ("device", "settle_s", "words"),
    [
        ("simulated", 0.5, "settle_s is for a person's phone, not for simulated"),
        ("replay", 0.0, "settle_s is for a person's phone, not for replay"),
        ("R58M", -1.0, "expected settle_s from 0 to less than 6 seconds"),
        ("R58M", 6.0, "expected settle_s from 0 to less than 6 seconds, the longest wait"),
        ("R58M", float("nan"), "got nan"),
    ],
)
def test_the_wait_for_a_still_screen_is_for_phones_and_has_limits(
    built: BuiltDataset, device: str, settle_s: float, words: str
) -> None:
    with pytest.raises(UsageError, match=words), open_environments([device], built, settle_s=settle_s):
        pass


# ---- a simulated phone


def test_a_simulated_phone_is_reset_for_each_task(built: BuiltDataset, adb_port: int) -> None:
    simulations = built.simulations()
    wide = {task: {**output, "size": [540, 1200]} for task, output in simulations.items()}
    first, second, _ = plan_tasks(built).tasks
    mixed = {first.task_id: simulations[first.task_id], second.task_id: wide[second.task_id]}
    environment = SimulatedEnvironment("simulated", mixed, server_port=adb_port)
    try:
        session = environment.begin(first)
        before = session.observe()
        for raw in first.target.golden_actions[:3]:
            session.step(parse_action(raw))
        assert not session.evaluate().success
        assert session.observe().screenshot != before.screenshot
        other = environment.begin(second)
        assert other.observe().size == (540, 1200)
        again = environment.begin(first)
        assert again.observe() == before
    finally:
        environment.close()


def test_a_simulated_phone_that_hangs_is_replaced(
    built: BuiltDataset, planned: ExecutionTask, adb_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment, released = (
        SimulatedEnvironment("s", built.simulations(), server_port=adb_port),
        threading.Event(),
    )
    try:
        session = environment.begin(planned)
        before = session.observe()
        with monkeypatch.context() as limits:
            limits.setattr(phone_server, "ANSWER_SECONDS", 0.1)
            with suppress(PhoneHungError):
                environment._server.do(lambda _: released.wait())
            with pytest.raises(DeviceTimeoutError, match="the simulated phone has not answered"):
                session.evaluate()
            environment.restart()
        assert environment.begin(planned).observe() == before
    finally:
        released.set()
        environment.close()


def test_missing_parts_of_a_dataset_are_reported(
    built: BuiltDataset, planned: ExecutionTask, adb_port: int
) -> None:
    output = dict(built.simulations()[planned.task_id])
    for wrong in ({}, {planned.task_id: {}}, {planned.task_id: output | {"moment": "yesterday"}}):
        with pytest.raises(DatasetError, match="the setup of the simulated phone cannot be read:"):
            SimulatedEnvironment("simulated", wrong, server_port=adb_port).begin(planned)
    with pytest.raises(DatasetError, match="expected an upright display"):
        SimulatedEnvironment(
            "s", {planned.task_id: output | {"size": [800, 360]}}, server_port=adb_port
        ).begin(planned)


def test_a_plan_shows_the_chosen_kind_of_reference(built: BuiltDataset) -> None:
    own = plan_tasks(built)
    other, none = plan_tasks(built, reference="other_type"), plan_tasks(built, reference="none")
    assert own.left_out == ()
    for one, two, three in zip(own.tasks, other.tasks, none.tasks, strict=True):
        assert one.target == two.target == three.target
        assert two.input.reference == one.other_type_reference
        assert three.input.reference is None
        user = one.target.user_id
        assert one.input.reference.episode_id.startswith(f"{user}__")
