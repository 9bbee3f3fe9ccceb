"""Every switch of the phone, seen through the real adb."""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Iterator

import pytest
from PIL import Image

from simulated_phone.adb.phone_server import SimulatedPhoneServer
from simulated_phone.adb.services import DROP_EVERY
from simulated_phone.app_definition import App
from simulated_phone.apps.clock import CLOCK as CLOCK_APP
from simulated_phone.faults import FAULTS
from simulated_phone.phone import Phone
from simulated_phone.screens.pages import AppPage
from simulated_phone.screens.widgets import Text
from tests.simulated_phone.conftest import Adb, Rig
from tests.simulated_phone.test_tools import where

CLOCK = "com.android.deskclock"
SEEN_HERE = {
    "advertisement",
    "permission_dialog",
    "update_dialog",
    "slow_loading",
    "black_payment_screen",
    "dropped_connection",
    "truncated_screenshot",
    "unauthorized",
    "offline",
    "no_tree",
    "screen_off",
    "rotation",
    "pin_lock",
    "no_input_injection",
    "no_adb_keyboard",
}


def switch(rig: Rig, name: str, on: bool) -> None:
    rig.server.do(lambda phone: phone.set_fault(name, on))


@pytest.fixture
def loose_phone() -> Iterator[tuple[SimulatedPhoneServer, Phone]]:
    """A phone that nobody is connected to."""
    phone = Phone(size=(540, 1200), density=210, apps=[CLOCK_APP])
    with SimulatedPhoneServer(phone) as server:
        yield server, phone


def test_every_switch_is_tested_here() -> None:
    assert set(FAULTS) == SEEN_HERE


def test_a_dropped_connection_comes_back(rig: Rig) -> None:
    switch(rig, "dropped_connection", True)
    for _ in range(2):
        for number in range(DROP_EVERY - 1):
            assert rig.say(f"echo {number}") == f"{number}\n"
        done = rig.run("exec-out", "screencap", "-p")
        assert not done.stdout.endswith(b"IEND\xaeB`\x82")
        rig.adb.wait_for(rig.serial, "device")
    switch(rig, "dropped_connection", False)
    for _ in range(DROP_EVERY + 1):
        assert rig.say("echo steady") == "steady\n"


def test_a_dropped_connection_does_not_undo_the_command(rig: Rig) -> None:
    switch(rig, "dropped_connection", True)
    for _ in range(DROP_EVERY - 1):
        rig.say("true")
    assert rig.shell(f"am start {CLOCK}")[0] != 0
    assert rig.server.do(lambda phone: phone.foreground[0]) == CLOCK
    rig.adb.wait_for(rig.serial, "device")


def test_a_truncated_screenshot_has_no_end(rig: Rig) -> None:
    whole = rig.run("exec-out", "screencap", "-p").stdout
    switch(rig, "truncated_screenshot", True)
    done = rig.run("exec-out", "screencap", "-p")
    assert done.returncode == 0
    assert done.stdout == whole[: len(whole) // 2]
    assert len(rig.run("exec-out", "screencap").stdout) == (16 + 540 * 1200 * 4) // 2
    switch(rig, "truncated_screenshot", False)
    assert rig.run("exec-out", "screencap", "-p").stdout == whole


def test_an_unauthorized_host_waits_for_the_person(
    adb: Adb, loose_phone: tuple[SimulatedPhoneServer, Phone]
) -> None:
    server, _ = loose_phone
    server.do(lambda phone: phone.set_fault("unauthorized", True))
    assert b"failed to authenticate" in adb.run("connect", server.serial).stdout
    assert adb.state(server.serial) == "unauthorized"
    done = adb.run("-s", server.serial, "shell", "echo")
    assert done.returncode == 1
    assert b"device unauthorized" in done.stderr
    server.do(lambda phone: phone.set_fault("unauthorized", False))
    adb.wait_for(server.serial, "device")
    assert adb.run("-s", server.serial, "shell", "echo", "in").stdout == b"in\n"
    adb.run("disconnect", server.serial)


def test_an_offline_phone_does_not_answer(adb: Adb, loose_phone: tuple[SimulatedPhoneServer, Phone]) -> None:
    server, _ = loose_phone
    server.do(lambda phone: phone.set_fault("offline", True))
    connecting = adb.open("connect", server.serial)
    adb.wait_for(server.serial, "offline")
    assert b"device offline" in adb.run("-s", server.serial, "shell", "echo").stderr
    server.do(lambda phone: phone.set_fault("offline", False))
    adb.wait_for(server.serial, "device")
    assert connecting.communicate(timeout=120)[0].startswith(b"connected to")
    adb.run("disconnect", server.serial)


@pytest.mark.parametrize("name", ["offline", "unauthorized"])
def test_a_connected_phone_goes_away_and_comes_back(
    loose_phone: tuple[SimulatedPhoneServer, Phone],
    connected: Callable[[SimulatedPhoneServer, Phone], Rig],
    name: str,
) -> None:
    rig = connected(*loose_phone)
    switch(rig, name, True)
    assert rig.shell("echo lost")[0] != 0
    rig.adb.wait_for(rig.serial, name)
    switch(rig, name, False)
    rig.adb.wait_for(rig.serial, "device")
    assert rig.say("echo back") == "back\n"


def test_without_a_tree_the_dump_says_so_and_ends_well(rig: Rig) -> None:
    switch(rig, "no_tree", True)
    code, out, err = rig.shell("rm -f /sdcard/a.xml; uiautomator dump /sdcard/a.xml")
    assert (code, out, err) == (0, "", "ERROR: could not get idle state.\n")
    assert rig.shell("cat /sdcard/a.xml")[0] == 1
    switch(rig, "no_tree", False)
    assert "UI hierchary dumped to" in rig.say("uiautomator dump /sdcard/a.xml")


def is_black(rig: Rig) -> bool:
    picture = Image.open(io.BytesIO(rig.run("exec-out", "screencap", "-p").stdout))
    return picture.convert("RGB").getextrema() == ((0, 0), (0, 0), (0, 0))


def test_a_phone_with_its_screen_off(rig: Rig) -> None:
    switch(rig, "screen_off", True)
    assert "mWakefulness=Asleep" in rig.say("dumpsys power")
    assert is_black(rig)
    rig.say("input keyevent WAKEUP; wm dismiss-keyguard")
    assert "mWakefulness=Awake" in rig.say("dumpsys power")
    assert not is_black(rig)


def test_a_phone_on_its_side(rig: Rig) -> None:
    switch(rig, "rotation", True)
    picture = Image.open(io.BytesIO(rig.run("exec-out", "screencap", "-p").stdout))
    assert picture.size == (1200, 540)
    assert rig.say("wm size") == "Physical size: 540x1200\n"
    assert "mCurrentRotation=ROTATION_90" in rig.say("dumpsys window")
    assert (
        '<hierarchy rotation="1">' in rig.run("exec-out", "uiautomator", "dump", "/dev/tty").stdout.decode()
    )


def on_screen(rig: Rig) -> str:
    rig.say("uiautomator dump /sdcard/now.xml")
    return rig.say("cat /sdcard/now.xml")


@pytest.mark.parametrize(
    ("name", "words", "way_out"),
    [
        ("advertisement", "广告", "跳过 5"),
        ("permission_dialog", "要允许", "不允许"),
        ("update_dialog", "发现新版本", "以后再说"),
    ],
)
def test_what_gets_in_the_way_can_be_closed(rig: Rig, name: str, words: str, way_out: str) -> None:
    switch(rig, name, True)
    rig.say(f"am start {CLOCK}")
    assert words in on_screen(rig)
    x, y = where(on_screen(rig), way_out)
    rig.say(f"input tap {x} {y}")
    assert words not in on_screen(rig)
    assert rig.server.do(lambda phone: phone.foreground[0]) == CLOCK


def test_a_page_loads_for_a_while(rig: Rig) -> None:
    switch(rig, "slow_loading", True)
    rig.say(f"am start {CLOCK}")
    assert "加载中" in on_screen(rig)
    rig.server.do(lambda phone: phone.wait(3))
    assert "加载中" not in on_screen(rig)


def test_a_payment_is_black_in_screenshots_and_not_in_the_tree(
    connected: Callable[[SimulatedPhoneServer, Phone], Rig],
) -> None:
    shop = App(
        package="org.example.shop",
        activity=".Pay",
        label="店",
        english="Shop",
        glyph="bag",
        color="#aa3344",
        initial=lambda _: {},
        pages={"pay": lambda _: AppPage(title="安全支付", body=[Text("¥18.5")], secure=True)},
        home="pay",
    )
    phone = Phone(size=(540, 1200), density=210, apps=[shop])
    with SimulatedPhoneServer(phone) as server:
        rig = connected(server, phone)
        rig.say("am start org.example.shop")
        colours = [Image.open(io.BytesIO(rig.run("exec-out", "screencap", "-p").stdout)).getcolors(1 << 20)]
        switch(rig, "black_payment_screen", True)
        assert "¥18.5" in on_screen(rig)
        colours.append(
            Image.open(io.BytesIO(rig.run("exec-out", "screencap", "-p").stdout)).getcolors(1 << 20)
        )
    assert len(colours[0] or []) > 1
    assert colours[1] == [(540 * 1200, (0, 0, 0))]


def test_a_loading_page_is_there_when_real_time_has_passed(
    connected: Callable[[SimulatedPhoneServer, Phone], Rig],
) -> None:
    phone = Phone(size=(540, 1200), density=210, apps=[CLOCK_APP])
    with SimulatedPhoneServer(phone, real_time=True) as server:
        rig = connected(server, phone)
        begun, before = time.monotonic(), server.do(lambda phone: phone.now)
        time.sleep(0.3)
        rig.say("true")
        passed = (server.do(lambda phone: phone.now) - before).total_seconds()
        assert 0.3 <= passed < time.monotonic() - begun + 5


def test_a_pin_is_never_told_and_the_lock_screen_stays(rig: Rig) -> None:
    switch(rig, "pin_lock", True)
    rig.say("input keyevent KEYCODE_WAKEUP && wm dismiss-keyguard && input swipe 270 1000 270 200")
    assert "mShowingLockscreen=true" in rig.say("dumpsys window policy")
    assert "请输入 PIN 码" in on_screen(rig)
    switch(rig, "pin_lock", False)
    assert "mShowingLockscreen=false" in rig.say("dumpsys window policy")


def test_input_from_a_host_is_refused_until_the_maker_s_switch_is_on(rig: Rig) -> None:
    before = on_screen(rig)
    switch(rig, "no_input_injection", True)
    for command in ("tap 270 600", "swipe 270 900 270 100", "text a", "keyevent 4"):
        code, _, err = rig.shell(f"input {command}")
        assert code != 0
        assert "java.lang.SecurityException" in err
        assert "INJECT_EVENTS" in err
    assert on_screen(rig) == before
    switch(rig, "no_input_injection", False)
    rig.say("input tap 270 600")


def test_without_its_keyboard_a_broadcast_types_nothing(rig: Rig) -> None:
    switch(rig, "no_adb_keyboard", True)
    assert "adbkeyboard" not in rig.say("ime list -a -s")
    assert "adbkeyboard" not in rig.say("settings get secure enabled_input_methods")
    assert rig.shell("ime set com.android.adbkeyboard/.AdbIME")[0] != 0
    assert "adbkeyboard" not in rig.say("pm list packages")
    switch(rig, "no_adb_keyboard", False)
    assert "adbkeyboard" in rig.say("settings get secure enabled_input_methods")
    assert "adbkeyboard" in rig.say("pm list packages")
