"""A whole task (setting an alarm) through each of the common tools: adb, adbutils, uiautomator2."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import adbutils
import pytest

from phone.tests.frameworks.scripted import centre_of
from phone.tests.simulated_phone.conftest import Rig
from simulated_phone.goals.app_definition import GoalInstance
from simulated_phone.phone import Phone

CLOCK = "com.android.deskclock"
LABEL = "赶飞机"
BOUNDS = re.compile(r"\[(\d+),(\d+)\]\[(\d+),(\d+)\]")


def new_alarm(phone: Phone) -> dict[str, Any]:
    """Hour and minute of an alarm that does not exist yet."""
    goal = next(goal for goal in phone.apps[CLOCK].goals if goal.name == "set_alarm")
    return next(dict(case) for case in goal.cases(phone.seed) if int(str(case["minute"])) % 5 == 0)


def is_set(rig: Rig, alarm_case: dict[str, Any]) -> bool:
    def check(phone: Phone) -> bool:
        labels = [alarm["label"] for alarm in phone.state[CLOCK]["alarms"]]
        return LABEL in labels and phone.achieved(
            GoalInstance(package=CLOCK, goal="set_alarm", arguments=alarm_case)
        )

    return rig.server.do(check)


def test_plain_adb_sets_an_alarm(rig: Rig) -> None:
    alarm_case = rig.do(new_alarm)

    def tap(label: str) -> None:
        rig.output("rm -f /sdcard/d.xml && uiautomator dump /sdcard/d.xml")
        x, y = centre_of(rig.output("cat /sdcard/d.xml"), label)
        rig.output(f"input tap {x} {y}")

    rig.output("ime set com.android.adbkeyboard/.AdbIME")
    rig.output(f"am start -n {CLOCK}/.DeskClock")
    tap("添加闹钟")
    texts = {"小时": str(alarm_case["hour"]), "分钟": str(alarm_case["minute"]), "闹钟名称": LABEL}
    for label, text in texts.items():
        tap(label)
        rig.output(f"am broadcast -a ADB_CLEAR_TEXT; am broadcast -a ADB_INPUT_TEXT --es msg '{text}'")
    tap("保存")
    assert is_set(rig, alarm_case)


def test_other_functions_of_adbutils(rig: Rig) -> None:
    device = adbutils.AdbClient(port=rig.adb.port).device(rig.serial)
    assert device.window_size() == (540, 1200)
    assert device.rotation() == 0
    assert device.is_screen_on()
    device.switch_screen(False)
    assert not device.is_screen_on()
    device.switch_screen(True)
    device.swipe(0.5, 0.9, 0.5, 0.1, 0.3)
    assert device.screenshot().size == device.screenshot(display_id=0).size == (540, 1200)
    assert device.prop.model == "Simulated Phone"
    assert CLOCK in device.list_packages()
    info = device.app_info(CLOCK)
    assert info
    assert (info.version_name, info.version_code) == ("1.0.0", 1)
    assert device.battery().level == 80
    device.brightness_value = 99
    assert device.brightness_value == 99
    assert device.get_features().split(",")[0] == "shell_v2"
    assert "not found" in device.shell("reboot")


@pytest.fixture
def automator(rig: Rig) -> Iterator[Any]:
    """uiautomator2's own client; the phone answers in place of the jar that it pushes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        import uiautomator2
    device = uiautomator2.connect(adbutils.AdbClient(port=rig.adb.port).device(rig.serial))
    device.settings["wait_timeout"] = 2
    yield device
    device.stop_uiautomator()


def assert_patterns_are_matched(automator: Any) -> None:  # noqa: ANN401
    """As a whole, and in linear time: backtracking would take 2 ** 60 steps on the first."""
    automator.send_keys("a" * 60)
    assert not automator(focused=True, textMatches="(a+)+b").exists
    assert automator(focused=True, textMatches="a{60}|b").exists
    assert not automator(focused=True, textMatches="a{59}|b").exists
    for pattern, why in (
        ("a)|(a", "Invalid regular expression: unexpected"),
        ("a(?=b)", "Invalid regular expression: invalid perl operator"),
        ("a" * 201, "expected a pattern of at most 200 characters, got 201"),
    ):
        with pytest.raises(Exception, match=re.escape(why)):
            automator(textMatches=pattern).count  # noqa: B018
    automator.clear_text()


def test_other_functions_of_uiautomator2(rig: Rig, automator: Any) -> None:  # noqa: ANN401
    assert automator.info["displayWidth"] == 540
    assert automator.dump_hierarchy() == rig.server.do(lambda phone: phone.tree())
    assert automator.screenshot().size == (540, 1200)
    assert automator.window_size() == (540, 1200)
    automator(text="搜索应用").click()
    automator(className="android.widget.EditText").click()
    automator.send_keys("时钟")
    assert automator(focused=True).get_text() == "时钟"
    automator.clear_text()
    assert not automator(focused=True, text="时钟").exists
    assert_patterns_are_matched(automator)
    assert automator(className="android.widget.TextView").count > 1
    automator.press("home")
    automator.long_click(0.5, 0.5)
    automator.swipe(0.5, 0.8, 0.5, 0.2, duration=0.1)
    automator.screen_off()
    assert not automator.info["screenOn"]
    automator.screen_on()
    automator.unlock()
    with pytest.raises(Exception, match="does not answer noSuchMethod"):
        automator.jsonrpc.noSuchMethod()


def test_uiautomator2_turns_scrolls_and_drags(rig: Rig, automator: Any) -> None:  # noqa: ANN401
    automator.app_start(CLOCK, wait=True)
    automator.xpath("//*[@text='世界时钟']").click()
    automator(description="添加城市").click()
    first = automator(scrollable=True).child(className="android.widget.TextView").get_text()
    assert automator(scrollable=True).scroll.vert.toEnd()
    assert not automator(scrollable=True).scroll.vert.forward()
    assert not automator(text=first, scrollable=False).exists
    assert automator(scrollable=True).scroll.to(text=first)
    assert automator(scrollable=True).fling.forward()
    assert automator(scrollable=True).fling.toBeginning()
    automator(scrollable=True).pinch_in()
    automator(scrollable=True).gesture((0.1, 0.5), (0.9, 0.5), (0.4, 0.5), (0.6, 0.5))
    automator(text=first).drag_to(0.5, 0.5)
    automator(text=first).swipe("up")
    automator.orientation = "left"
    assert (automator.orientation, automator.window_size()) == ("left", (1200, 540))
    automator.orientation = "natural"
    automator.freeze_rotation(False)
    automator.open_notification()
    assert automator.app_current()["package"] == "com.android.systemui"
    automator.press("back")
    rig.server.do(lambda phone: phone.show_toast("已保存"))
    assert automator.last_toast == "已保存"
    automator.clear_toast()
    assert automator.last_toast is None


def test_uiautomator2_installs_its_keyboard(rig: Rig, automator: Any) -> None:  # noqa: ANN401
    automator(text="搜索应用").click()
    automator(className="android.widget.EditText").click()
    automator.set_input_ime(True)
    assert automator.current_ime() == "com.github.uiautomator/.AdbKeyboard"
    automator.send_keys("你好 a", clear=True)
    # it hides the keyboard after typing
    assert automator(className="android.widget.EditText").get_text() == "你好 a"
    assert rig.server.do(lambda phone: phone.shown().focus) is None
    automator.set_input_ime(False)


def test_adbutils_installs_forwards_and_clears(rig: Rig) -> None:
    device = adbutils.AdbClient(port=rig.adb.port).device(rig.serial)
    expected = rig.server.do(lambda phone: phone.screenshot().tobytes())
    with warnings.catch_warnings():
        # adbutils does not close the connection of a framebuffer
        warnings.simplefilter("ignore", ResourceWarning)
        assert device.framebuffer().convert("RGB").tobytes() == expected
    assert device.wlan_ip() == "192.168.1.23"
    device.reverse("tcp:9999", "tcp:8888")
    assert [(one.remote, one.local) for one in device.reverse_list()] == [("tcp:9999", "tcp:8888")]
    device.reverse_remove("tcp:9999")
    assert device.reverse_list() == []
    rig.server.do(lambda phone: phone.state[CLOCK]["alarms"].clear())
    device.app_clear(CLOCK)
    assert rig.server.do(lambda phone: len(phone.state[CLOCK]["alarms"])) > 0
    device.shell("log -t test hello")
    assert "test: hello" in device.shell("logcat -d")


def test_adb_installs_a_helper_app_and_no_other(rig: Rig) -> None:
    import uiautomator2

    path = Path(uiautomator2.__file__).parent / "assets" / "app-uiautomator.apk"
    assert b"Success" in rig.run("install", "-r", str(path)).stdout
    assert "com.github.uiautomator" in rig.output("pm list packages")
    assert b"Success" in rig.run("uninstall", "com.github.uiautomator").stdout
    assert rig.run("reverse", "tcp:7000", "tcp:7001").returncode == 0
    assert b"tcp:7000 tcp:7001" in rig.run("reverse", "--list").stdout


def test_text_is_piped_into_a_command_by_adb(rig: Rig) -> None:
    assert rig.run("shell", "tr a-z A-Z | rev", data=b"abc\n").stdout == b"CBA\n"
    session = rig.run("shell", data=b"X=5\nfor i in 1 2; do\necho $X$i\ndone\necho 'a\nb'\nexit 3\n")
    assert (session.returncode, session.stdout) == (3, b"51\n52\na\nb\n")
    assert rig.run("exec-out", "screencap -p | wc -c").stdout.strip().isdigit()
