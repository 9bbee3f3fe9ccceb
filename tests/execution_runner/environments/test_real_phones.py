"""Troubles of real people's phones, over the real adb: the runner gets through, or says what is wrong."""

from __future__ import annotations

import io
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from PIL import Image

from benchmarks.soak_typing import focus_a_field, in_field
from execution_runner.devices.adb import OBSERVE_SECONDS, AdbDevice
from execution_runner.devices.adb_keyboard import ADB_KEYBOARD
from execution_runner.devices.held_settings import RESTORE_FILE, restore_left_settings
from execution_runner.devices.settling import settle
from execution_runner.devices.tree_tries import TREE_FAILURES
from execution_runner.environments.adb_environment import AdbEnvironment
from execution_runner.environments.between_tasks import BetweenTasks
from execution_runner.environments.phone_session import PhoneSession
from execution_runner.run_plan import plan_tasks
from fingertip_dataset.actions import Click, LongClick, PressHome, Type
from fingertip_dataset.errors import DeviceError, NoFocusError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.tasks.task import ExecutionTask
from fingertip_dataset.ui_tree.accessibility import parse_tree
from simulated_phone import Phone, SimulatedPhoneServer
from simulated_phone.adb.commands.dump_faults import PLACES
from simulated_phone.adb.services import OUTAGE_EVERY
from tests.phone_bench import Bench, small_phone

Start = Callable[..., Bench]
CLOCK, MUSIC, LAUNCHER = "com.android.deskclock", "com.netease.cloudmusic", "com.android.launcher3"


def with_fault(rig: Bench, name: str) -> None:
    rig.server.do(lambda phone: phone.set_fault(name, True))


@pytest.fixture(scope="module")
def task(built: BuiltDataset) -> ExecutionTask:
    return plan_tasks(built).tasks[0]


@contextmanager
def held(
    rig: Bench, task: ExecutionTask, adb_port: int, between_tasks: BetweenTasks = "home", settle_s: float = 0
) -> Iterator[PhoneSession]:
    """The phone as the environment of a person's phone holds it, with the home screen shown."""
    environment = AdbEnvironment(
        rig.server.serial,
        server_port=adb_port,
        between_tasks=between_tasks,
        start="home",
        settle_s=settle_s,
    )
    try:
        yield environment.begin(task)
    finally:
        environment.close()


# ---- trees


def test_a_moving_screen_is_observed_without_a_tree_in_time(bench: Start, adb_port: int) -> None:
    rig = bench()
    device = AdbDevice.find(rig.server.serial, server_port=adb_port, observe_s=2)
    device.start_app(CLOCK)
    with_fault(rig, "moving_screen=600")
    (problem,) = device.observe().problems
    assert str(problem) == "expected an accessibility tree, got none within 1.6 s"


def test_while_trees_fail_screenshots_alone_are_taken_and_the_log_says_so(bench: Start) -> None:
    rig = bench(faults=["moving_screen=0.01"])
    rig.device.start_app(CLOCK)
    words = [str(problem) for _ in range(TREE_FAILURES + 2) for problem in rig.device.observe().problems]
    assert all("could not get idle state" in text for text in words[:TREE_FAILURES])
    assert all("no accessibility tree was tried, as the last 3 tries had none" in text for text in words[3:])
    assert len(words) == TREE_FAILURES + 2
    rig.device.press_key("KEYCODE_HOME")
    rig.device.observe()
    seen = rig.device.observe()
    assert (seen.package, seen.tree is not None, seen.problems) == (LAUNCHER, True, ())


def test_a_vendors_words_around_a_dump_do_not_matter(bench: Start) -> None:
    rig = bench(faults=["vendor_noise"])
    for _ in range(2 * len(PLACES)):
        seen = rig.device.observe()
        assert (seen.problems, seen.tree) == ((), rig.server.do(lambda phone: phone.tree()))


def test_a_tree_with_emoji_as_references_is_read(bench: Start) -> None:
    rig = bench(faults=["emoji_references"])
    seen = rig.device.observe()
    assert seen.problems == ()
    assert parse_tree(seen.tree or "").elements[0].description == "😀 \ufffd \ufffd\ufffd"


def test_a_tree_that_lags_behind_the_picture_is_taken_again(bench: Start, adb_port: int) -> None:
    rig = bench(faults=["lagging_tree"])
    device = AdbDevice.find(rig.server.serial, server_port=adb_port, observe_s=600)
    device.observe()
    for words in ("音乐", "每日推荐"):
        device.tap(*center_of(rig, words))
        assert device.observe().tree == rig.server.do(lambda phone: phone.tree())


def test_a_picture_that_changes_alone_is_observed_twice_and_kept(bench: Start, adb_port: int) -> None:
    rig = bench()
    device = AdbDevice.find(rig.server.serial, server_port=adb_port, observe_s=600)
    device.observe()
    rig.server.do(lambda phone: phone.show_toast("已保存"))
    seen = device.observe()
    assert seen.tree == rig.server.do(lambda phone: phone.tree())
    assert seen.screenshot == rig.server.do(lambda phone: phone.screenshot_png())


def test_a_huge_tree_is_refused_in_time(bench: Start, adb_port: int) -> None:
    rig = bench(faults=["huge_tree"])
    device = AdbDevice.find(rig.server.serial, server_port=adb_port, observe_s=OBSERVE_SECONDS)
    began = time.monotonic()
    (problem,) = device.observe().problems
    # 16 MB take longer than the limit on a busy machine
    assert re.fullmatch(
        "expected an accessibility tree, got (one of more than 16777216 bytes|none within 4 s)", str(problem)
    )
    assert time.monotonic() - began < 6 * OBSERVE_SECONDS


def test_a_splash_screen_is_of_its_app(bench: Start) -> None:
    rig = bench(faults=["slow_splash=60"])
    rig.device.start_app(MUSIC)
    assert rig.device.observe().package == MUSIC


# ---- typing


def test_text_that_a_pinyin_keyboard_changes_is_typed_by_another(bench: Start) -> None:
    rig = bench(faults=["pinyin_keyboard"])
    own = rig.phone.current_ime
    focus_a_field(rig.server, rig.device)
    assert rig.device.type_text("Paris 7") == ""
    assert rig.server.do(in_field) == "Paris 7"
    assert rig.device.type_text(" ok") == ""
    assert rig.server.do(in_field) == "Paris 7 ok"
    assert rig.phone.current_ime == own


def test_text_that_cannot_be_typed_otherwise_is_an_error(bench: Start) -> None:
    rig = bench(faults=["pinyin_keyboard", "no_adb_keyboard"])
    focus_a_field(rig.server, rig.device)
    words = f"the keyboard of the phone changes 'Paris', so typing it needs the keyboard {ADB_KEYBOARD}"
    with pytest.raises(DeviceError, match=words):
        rig.device.type_text("Paris")


def test_text_without_a_tree_is_typed_and_named_as_not_read_back(bench: Start) -> None:
    rig = bench()
    focus_a_field(rig.server, rig.device)
    with_fault(rig, "no_tree")
    assert rig.device.type_text("Paris") == "typed, but not read back: the phone gives no tree"
    assert rig.server.do(in_field) == "Paris"


def test_text_without_a_focused_field_is_not_performed(bench: Start) -> None:
    rig = bench()
    before = rig.server.do(lambda phone: phone.state_sha256())
    with pytest.raises(NoFocusError):
        rig.device.type_text("Paris")
    done = PhoneSession(rig.device).step(Type(text="Paris"))
    assert (done.performed, done.note, done.end) == (
        False,
        "no text field has the focus: nothing was typed",
        None,
    )
    assert rig.server.do(lambda phone: phone.state_sha256()) == before


# ---- the display


def test_the_display_stays_on_although_the_phone_is_not_charging(
    bench: Start, task: ExecutionTask, adb_port: int
) -> None:
    rig = bench(faults=["screen_timeout=0.2"])
    with held(rig, task, adb_port) as session:
        time.sleep(0.2)
        assert session.observe().problems == ()
        assert rig.server.do(lambda phone: phone.screen_on)
    assert rig.server.do(lambda phone: phone.settings["system"]["screen_off_timeout"]) == "200"


def test_a_display_that_went_off_before_an_action_is_turned_on_and_the_action_repeated(bench: Start) -> None:
    rig = bench()
    x, y = center_of(rig, "音乐")
    rig.device.observe()
    rig.server.do(lambda phone: phone.press_key("KEYCODE_POWER"))
    assert PhoneSession(rig.device).step(Click(x=x, y=y)).performed
    assert rig.server.do(lambda phone: phone.foreground[0]) == MUSIC
    rig.server.do(lambda phone: phone.press_key("KEYCODE_POWER"))
    assert rig.device.observe().package == MUSIC


def test_the_driven_display_is_observed_and_not_the_second_one(bench: Start) -> None:
    rig = bench(faults=["second_display"])
    for _ in range(2):
        seen = rig.device.observe()
        assert (seen.size, seen.package, seen.problems) == ((540, 1200), LAUNCHER, ())
    rig.server.do(lambda phone: phone.set_fault("second_display", False))
    assert rig.device.observe().size == (540, 1200)


def test_a_popup_is_of_its_app(bench: Start) -> None:
    rig = bench(faults=["popup_window"])
    rig.device.start_app(CLOCK)
    assert rig.device.observe().package == CLOCK


# ---- the connection


def test_an_outage_of_the_wifi_is_waited_for(bench: Start, task: ExecutionTask, adb_port: int) -> None:
    rig = bench()
    with held(rig, task, adb_port) as session:
        with_fault(rig, "wifi_outage=4")
        for _ in range(OUTAGE_EVERY // 3 + 1):
            seen = session.observe()
            assert (seen.package, seen.size) == (LAUNCHER, (540, 1200))
        with_fault(rig, "wifi_outage=0.1")
        done = [session.step(PressHome()) for _ in range(OUTAGE_EVERY)]
    (lost,) = [result for result in done if result.note]
    assert lost.performed
    assert "dropped during" in lost.note
    assert lost.note.endswith("it may not have been carried out")


# ---- between actions and tasks


def test_a_splash_screen_is_waited_for(bench: Start, task: ExecutionTask, adb_port: int) -> None:
    phone = small_phone(faults=["slow_splash=2"])
    with SimulatedPhoneServer(phone, real_time=True) as server:
        rig = Bench(phone=phone, server=server, device=AdbDevice.find(server.serial, server_port=adb_port))
        x, y = center_of(rig, "音乐")
        with held(rig, task, adb_port, settle_s=1.2) as session:
            session.step(Click(x=x, y=y))
            assert server.do(lambda phone: phone.tasks.splash_seconds) == 0
            assert "秒后进入" not in (session.observe().tree or "")


def test_a_screen_is_settled_when_it_stands_still() -> None:
    def picture(shade: int) -> bytes:
        data = io.BytesIO()
        Image.new("L", (54, 120), shade).save(data, "PNG")
        return data.getvalue()

    shades = [160, 160, 160, 80, 0]
    assert settle(lambda: picture(shades.pop() if shades else 160), still_s=0.05, limit_s=600)
    assert len(shades) <= 1
    changing = iter(range(0, 250, 20))
    assert not settle(lambda: picture(next(changing)), still_s=0.1, limit_s=0.4)


def test_a_long_press_is_long_enough_for_slow_phones(
    bench: Start, task: ExecutionTask, adb_port: int
) -> None:
    rig = bench(faults=["slow_long_press"])
    x, y = rig.server.do(
        lambda phone: next(n for n in phone.screen().nodes() if n.hold is not None).box.centre
    )
    with held(rig, task, adb_port) as session:
        before = rig.server.do(lambda phone: phone.tree())
        session.step(LongClick(x=x, y=y))
        assert rig.server.do(lambda phone: phone.foreground[0]) == LAUNCHER
        assert rig.server.do(lambda phone: phone.tree()) != before


@pytest.mark.parametrize("how", ["home", "stop-app", "clear-recents"])
def test_what_an_earlier_task_left_open_is_closed_if_wanted(
    bench: Start, task: ExecutionTask, adb_port: int, how: BetweenTasks
) -> None:
    rig = bench(faults=["apps_left_open"])
    opened = rig.server.do(lambda phone: len(phone.data["tasks"]))
    with held(rig, task, adb_port, how) as session:
        assert session.observe().package == LAUNCHER
    now = rig.server.do(lambda phone: len(phone.data["tasks"]))
    assert opened - now == {"home": 0, "stop-app": 1, "clear-recents": opened}[how]


# ---- a killed run

HOLD = """
import sys, time
from execution_runner.devices.adb import AdbDevice
from execution_runner.devices.adb_keyboard import ADB_KEYBOARD
device = AdbDevice.find(sys.argv[1], server_port=int(sys.argv[2]))
with device.stay_awake():
    device.client.shell("ime", "set", ADB_KEYBOARD)
    print("held", flush=True)
    time.sleep(600)
"""


def test_settings_that_a_killed_run_left_are_restored_by_the_next_start(
    bench: Start, task: ExecutionTask, adb_port: int
) -> None:
    rig = bench()
    own = rig.server.do(settings)
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, rig.server.serial, str(adb_port)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout.readline() == "held\n"
        process.send_signal(signal.SIGKILL)
    changed = rig.server.do(settings)
    assert all(before != after for before, after in zip(own, changed, strict=True))
    with held(rig, task, adb_port):
        assert rig.server.do(lambda phone: phone.current_ime) == own[2]
    assert rig.server.do(settings) == own
    assert not restore_left_settings(rig.device.client)


def settings(phone: Phone) -> tuple[str, str, str]:
    values = phone.settings
    return (
        values["global"]["stay_on_while_plugged_in"],
        values["system"]["screen_off_timeout"],
        phone.current_ime,
    )


def test_a_broken_restore_file_changes_nothing(bench: Start) -> None:
    rig = bench()
    own = rig.server.do(settings)
    for broken in ("[not json", "[" * 4000, '{"system/screen_off_timeout": [1]}', "17"):
        rig.device.client.run("shell", f"echo '{broken}' > {RESTORE_FILE}")
        assert not restore_left_settings(rig.device.client)
    assert rig.server.do(settings) == own


def center_of(rig: Bench, words: str) -> tuple[int, int]:
    elements = parse_tree(rig.server.do(lambda phone: phone.tree())).elements
    found = next(element for element in elements if words in (element.text, element.description))
    return found.box.center
