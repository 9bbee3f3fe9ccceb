"""Faults of the phone as its host meets them: connections, commands, screenshots and trees."""

from __future__ import annotations

import asyncio
import io
import re
import time
from collections.abc import Callable, Iterator

import pytest
from PIL import Image

from phone.tests.simulated_phone.conftest import Adb, LocalPhone, Rig
from simulated_phone.adb import services
from simulated_phone.adb.phone_device import make_device
from simulated_phone.adb.phone_server import SimulatedPhoneServer
from simulated_phone.adb.services import DROP_EVERY, OUTAGE_EVERY
from simulated_phone.apps.clock import CLOCK as CLOCK_APP
from simulated_phone.device_servers.uiautomator2.uiautomator2_rpc import Uiautomator2Calls
from simulated_phone.phone import Phone
from simulated_phone.phone_errors import PhoneSetupError

CLOCK = "com.android.deskclock"


def set_fault(rig: Rig | LocalPhone, name: str, on: bool) -> None:
    rig.do(lambda phone: phone.set_fault(name, on))


@pytest.fixture
def unconnected_phone() -> Iterator[tuple[SimulatedPhoneServer, Phone]]:
    """A served phone without a connection."""
    phone = Phone(size=(540, 1200), density=210, apps=[CLOCK_APP])
    with SimulatedPhoneServer(phone) as server:
        yield server, phone


def test_a_host_reconnects_after_a_dropped_connection(rig: Rig) -> None:
    set_fault(rig, "dropped_connection", True)
    for number in range(DROP_EVERY - 1):
        assert rig.output(f"echo {number}") == f"{number}\n"
    result = rig.run("exec-out", "screencap", "-p")
    assert not result.stdout.endswith(b"IEND\xaeB`\x82")
    rig.adb.wait_for(rig.serial, "device")
    set_fault(rig, "dropped_connection", False)
    for _ in range(DROP_EVERY + 1):
        assert rig.output("echo steady") == "steady\n"


def test_an_agent_that_sends_as_many_commands_every_step_loses_inputs_too(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "DROP_EVERY", 2)
    set_fault(rig, "dropped_connection", True)
    lost = []
    for step in range(1, services.DROP_EVERY + 1):
        for _ in range(services.DROP_EVERY - 1):  # with the input, as many commands as the fault counts
            rig.shell("true")
            rig.adb.wait_for(rig.serial, "device")
        if rig.shell("input tap 1 1")[0]:
            lost.append(step)
        rig.adb.wait_for(rig.serial, "device")
    assert lost == [services.DROP_EVERY]


def test_a_truncated_screenshot_is_half_the_file(rig: Rig) -> None:
    whole = rig.run("exec-out", "screencap", "-p").stdout
    set_fault(rig, "truncated_screenshot", True)
    result = rig.run("exec-out", "screencap", "-p")
    assert result.returncode == 0
    assert result.stdout == whole[: len(whole) // 2]
    assert len(rig.run("exec-out", "screencap").stdout) == (16 + 540 * 1200 * 4) // 2
    set_fault(rig, "truncated_screenshot", False)
    assert rig.run("exec-out", "screencap", "-p").stdout == whole


def test_an_unauthorized_host_connects_once_it_is_authorized(
    adb: Adb, unconnected_phone: tuple[SimulatedPhoneServer, Phone]
) -> None:
    server, _ = unconnected_phone
    server.do(lambda phone: phone.set_fault("unauthorized", True))
    assert b"failed to authenticate" in adb.run("connect", server.serial).stdout
    assert adb.state(server.serial) == "unauthorized"
    result = adb.run("-s", server.serial, "shell", "echo")
    assert result.returncode == 1
    assert b"device unauthorized" in result.stderr
    server.do(lambda phone: phone.set_fault("unauthorized", False))
    adb.wait_for(server.serial, "device")
    assert adb.run("-s", server.serial, "shell", "echo", "in").stdout == b"in\n"
    adb.run("disconnect", server.serial)


@pytest.mark.parametrize("name", ["offline", "unauthorized"])
def test_a_connected_phone_becomes_unavailable_and_available_again(
    unconnected_phone: tuple[SimulatedPhoneServer, Phone],
    connected: Callable[[SimulatedPhoneServer, Phone], Rig],
    name: str,
) -> None:
    rig = connected(*unconnected_phone)
    set_fault(rig, name, True)
    assert rig.shell("echo lost")[0] != 0
    rig.adb.wait_for(rig.serial, name)
    set_fault(rig, name, False)
    rig.adb.wait_for(rig.serial, "device")
    assert rig.output("echo back") == "back\n"


def test_a_dump_without_a_tree_prints_an_error_with_exit_code_0(local: LocalPhone) -> None:
    set_fault(local, "no_tree", True)
    code, out, err = local.shell("rm -f /sdcard/a.xml; uiautomator dump /sdcard/a.xml")
    assert (code, out, err) == (0, "", "ERROR: could not get idle state.\n")
    assert local.shell("cat /sdcard/a.xml")[0] == 1
    set_fault(local, "no_tree", False)
    assert "UI hierchary dumped to" in local.output("uiautomator dump /sdcard/a.xml")


def screen_tree(local: LocalPhone) -> str:
    local.output("uiautomator dump /sdcard/now.xml")
    return local.output("cat /sdcard/now.xml")


def test_the_clock_of_a_real_time_phone_follows_real_time(
    connected: Callable[[SimulatedPhoneServer, Phone], Rig],
) -> None:
    phone = Phone(size=(540, 1200), density=210, apps=[CLOCK_APP])
    with SimulatedPhoneServer(phone, real_time=True) as server:
        rig = connected(server, phone)
        begun, before = time.monotonic(), server.do(lambda phone: phone.now)
        time.sleep(0.3)
        rig.output("true")
        passed = (server.do(lambda phone: phone.now) - before).total_seconds()
        assert 0.3 <= passed < time.monotonic() - begun + 5


def test_a_pin_lock_cannot_be_dismissed(local: LocalPhone) -> None:
    set_fault(local, "pin_lock", True)
    local.output("input keyevent KEYCODE_WAKEUP && wm dismiss-keyguard && input swipe 270 1000 270 200")
    assert "mShowingLockscreen=true" in local.output("dumpsys window policy")
    assert "请输入 PIN 码" in screen_tree(local)
    set_fault(local, "pin_lock", False)
    assert "mShowingLockscreen=false" in local.output("dumpsys window policy")


def test_without_input_injection_input_commands_fail(local: LocalPhone) -> None:
    before = screen_tree(local)
    set_fault(local, "no_input_injection", True)
    for command in ("tap 270 600", "swipe 270 900 270 100", "text a", "keyevent 4"):
        code, _, err = local.shell(f"input {command}")
        assert code != 0
        assert "java.lang.SecurityException" in err
        assert "INJECT_EVENTS" in err
    assert screen_tree(local) == before
    set_fault(local, "no_input_injection", False)
    local.output("input tap 270 600")


def test_without_the_adb_keyboard_it_is_not_listed(local: LocalPhone) -> None:
    set_fault(local, "no_adb_keyboard", True)
    assert "adbkeyboard" not in local.output("ime list -a -s")
    assert "adbkeyboard" not in local.output("settings get secure enabled_input_methods")
    assert local.shell("ime set com.android.adbkeyboard/.AdbIME")[0] != 0
    assert "adbkeyboard" not in local.output("pm list packages")
    set_fault(local, "no_adb_keyboard", False)
    assert "adbkeyboard" in local.output("settings get secure enabled_input_methods")
    assert "adbkeyboard" in local.output("pm list packages")


def test_a_tree_of_a_moving_screen_waits_and_fails(local: LocalPhone) -> None:
    set_fault(local, "moving_screen=0.2", True)
    assert "UI hierchary dumped to" in local.output("uiautomator dump")
    local.output(f"am start {CLOCK}")
    began = time.monotonic()
    assert local.shell("uiautomator dump") == (0, "", "ERROR: could not get idle state.\n")
    assert time.monotonic() - began >= 0.2


def test_a_pinyin_keyboard_takes_letters_until_another_keyboard_is_set(local: LocalPhone) -> None:
    set_fault(local, "pinyin_keyboard", True)
    field = open_search(local)
    local.output("input text Paris%s7,")
    typed = field()
    assert re.fullmatch("[\u4e00-\u9fff]+7，", typed)
    local.output("input keyevent KEYCODE_B KEYCODE_A")
    assert field() == typed
    local.output("ime set com.android.adbkeyboard/.AdbIME")
    local.output("input text ok")
    assert field() == f"{typed}ok"


def open_search(local: LocalPhone) -> Callable[[], str]:
    """Opens the clock's search for a city; returns a function that gives its text."""

    def start(phone: Phone) -> None:
        phone.start(CLOCK)
        phone.tasks.push("add_city", {})

    local.do(start)
    tap_field(local)
    return lambda: local.do(lambda phone: next(n for n in phone.screen().nodes() if n.entry).text)


def tap_field(local: LocalPhone) -> None:
    x, y = local.do(lambda phone: next(n for n in phone.screen().nodes() if n.entry is not None).box.centre)
    local.output(f"input tap {x} {y}")


def test_the_first_tap_on_a_field_does_not_give_it_the_focus(local: LocalPhone) -> None:
    set_fault(local, "unfocused_fields", True)
    field = open_search(local)
    local.output("input text a")
    assert field() == ""
    assert "mInputShown=false" in local.output("dumpsys input_method")
    tap_field(local)
    local.output("input text a")
    assert field() == "a"


def test_the_screen_goes_off_some_time_after_a_touch(local: LocalPhone) -> None:
    assert "USB powered: true" in local.output("dumpsys battery")
    local.output("input keyevent WAKEUP")
    set_fault(local, "screen_timeout=0.3", True)
    assert "USB powered: false" in local.output("dumpsys battery")
    local.output("svc power stayon true")
    time.sleep(0.3)
    assert "mWakefulness=Asleep" in local.output("dumpsys power")
    local.output("settings put system screen_off_timeout 600000")
    local.output("input keyevent WAKEUP")
    time.sleep(0.3)
    assert "mWakefulness=Awake" in local.output("dumpsys power")


def test_a_screenshot_shows_the_second_display_unless_one_is_named(rig: Rig) -> None:
    set_fault(rig, "second_display", True)
    output = rig.run("exec-out", "screencap", "-p").stdout
    assert output.startswith(b"[Warning] Multiple displays were found")
    assert Image.open(io.BytesIO(output[output.index(b"\x89PNG") :])).size == (800, 480)
    ids = [line.split()[1] for line in rig.output("dumpsys SurfaceFlinger --display-id").splitlines()]
    sizes = [
        Image.open(io.BytesIO(rig.run("exec-out", "screencap", "-p", "-d", each).stdout)).size for each in ids
    ]
    assert sizes == [(540, 1200), (800, 480)]
    assert rig.output("dumpsys window displays").count("mCurrentFocus=") == 2


def test_a_popup_has_the_focus_of_its_app(local: LocalPhone) -> None:
    set_fault(local, "popup_window", True)
    local.output(f"am start {CLOCK}")
    window = local.output("dumpsys window")
    assert "mCurrentFocus=Window{3f5d1c u0 PopupWindow:5d2a1f}" in window
    assert f"package={CLOCK} " in window


def test_the_phone_refuses_connections_during_an_outage_and_then_accepts_them(rig: Rig) -> None:
    set_fault(rig, "wifi_outage=0.5", True)
    for _ in range(OUTAGE_EVERY - 1):
        rig.output("true")
    assert rig.shell("echo lost")[0] != 0
    rig.adb.run("disconnect", rig.serial)
    deadline = time.monotonic() + 120
    while not rig.adb.run("connect", rig.serial).stdout.startswith(b"connected to"):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert rig.output("echo back") == "back\n"


def test_the_clipboard_is_refused() -> None:
    phone = Phone(size=(540, 1200), density=210, apps=[CLOCK_APP], faults=["no_clipboard"])
    calls = Uiautomator2Calls(make_device(phone))
    asyncio.run(calls.call("setClipboard", ["label", "text"]))
    assert asyncio.run(calls.call("getClipboard", [])) is None
    phone.set_fault("no_clipboard", False)
    assert asyncio.run(calls.call("getClipboard", [])) == ""


def test_an_app_shows_a_splash_screen_that_moves(rig: Rig) -> None:
    set_fault(rig, "slow_splash=2", True)
    rig.output(f"am start {CLOCK}")
    frames = [rig.run("exec-out", "screencap", "-p").stdout]
    for _ in range(2):
        rig.do(lambda phone: phone.wait(1))
        frames.append(rig.run("exec-out", "screencap", "-p").stdout)
    assert len(set(frames)) == 3
    rig.output("input keyevent HOME")
    rig.output(f"am start {CLOCK}")
    assert rig.run("exec-out", "screencap", "-p").stdout == frames[-1]  # it is still open


def test_apps_are_left_open(local: LocalPhone) -> None:
    set_fault(local, "apps_left_open", True)
    assert local.do(lambda phone: phone.foreground[0]) == CLOCK
    local.output("input keyevent APP_SWITCH")
    assert "全部清除" in local.output("uiautomator dump /dev/tty")


def test_a_long_press_has_to_be_held_longer() -> None:
    phone = Phone(size=(540, 1200), density=210, faults=["slow_long_press"])
    icon = next(node for node in phone.screen().nodes() if node.hold is not None)
    before = phone.tree()
    phone.long_press(*icon.box.centre, 799)
    assert phone.foreground[0] != phone.launcher.package or phone.tree() == before
    phone.reset()
    phone.long_press(*icon.box.centre, 800)
    assert phone.foreground[0] == phone.launcher.package


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("nothing", "expected a fault of"),
        ("no_tree=1", "the fault no_tree takes no seconds"),
        ("wifi_outage=0", "expected wifi_outage=SECONDS"),
        ("wifi_outage=long", "expected wifi_outage=SECONDS"),
        ("wifi_outage=nan", "expected wifi_outage=SECONDS"),
    ],
)
def test_a_wrong_fault_is_refused_in_one_line(text: str, words: str) -> None:
    with pytest.raises(PhoneSetupError, match=words) as caught:
        Phone(faults=[text])
    assert "\n" not in str(caught.value)
