"""One whole task, an alarm set, by each of the tools that people drive phones with."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable, Iterator
from typing import Any
from xml.etree import ElementTree

import adbutils
import pytest
from PIL import Image

from simulated_phone.app_definition import GoalInstance
from simulated_phone.phone import Phone
from tests.simulated_phone.conftest import Rig

CLOCK = "com.android.deskclock"
LABEL = "赶飞机"
BOUNDS = re.compile(r"\[(\d+),(\d+)\]\[(\d+),(\d+)\]")


def an_alarm(phone: Phone) -> dict[str, Any]:
    """Hour and minute of an alarm that is not there yet."""
    goal = next(goal for goal in phone.apps[CLOCK].goals if goal.name == "set_alarm")
    return next(dict(case) for case in goal.cases(phone.seed) if int(str(case["minute"])) % 5 == 0)


def is_set(rig: Rig, wanted: dict[str, Any]) -> bool:
    def check(phone: Phone) -> bool:
        labels = [alarm["label"] for alarm in phone.state[CLOCK]["alarms"]]
        return LABEL in labels and phone.achieved(
            GoalInstance(package=CLOCK, goal="set_alarm", arguments=wanted)
        )

    return rig.server.do(check)


def where(tree: str, words: str) -> tuple[int, int]:
    """The middle of the first node that says or is called `words`."""
    for node in ElementTree.fromstring(tree).iter("node"):  # noqa: S314
        if words in (node.get("text"), node.get("content-desc"), node.get("class")):
            box = BOUNDS.fullmatch(node.get("bounds", ""))
            assert box
            left, top, right, bottom = map(int, box.groups())
            return (left + right) // 2, (top + bottom) // 2
    raise AssertionError(f"expected {words!r} on the screen, got none")


def set_the_alarm(tap: Callable[[str], None], write: Callable[[str], None], wanted: dict[str, Any]) -> None:
    tap("添加闹钟")
    tap(f"{wanted['hour']}时")
    tap(f"{int(wanted['minute']):02d}分")
    tap("android.widget.EditText")
    write(LABEL)
    tap("保存")


def test_plain_adb_sets_an_alarm(rig: Rig) -> None:
    wanted = rig.server.do(an_alarm)

    def tap(words: str) -> None:
        rig.say("rm -f /sdcard/d.xml && uiautomator dump /sdcard/d.xml")
        x, y = where(rig.say("cat /sdcard/d.xml"), words)
        rig.say(f"input tap {x} {y}")

    def write(text: str) -> None:
        rig.say("am broadcast -a ADB_CLEAR_TEXT")
        rig.say(f"am broadcast -a ADB_INPUT_TEXT --es msg '{text}'")

    rig.say("ime set com.android.adbkeyboard/.AdbIME")
    rig.say(f"am start -n {CLOCK}/.DeskClock")
    set_the_alarm(tap, write, wanted)
    assert is_set(rig, wanted)


def test_adbutils_sets_an_alarm(rig: Rig) -> None:
    device = adbutils.AdbClient(port=rig.adb.port).device(rig.serial)
    wanted = rig.server.do(an_alarm)

    def write(text: str) -> None:
        device.shell(["am", "broadcast", "-a", "ADB_CLEAR_TEXT"])
        device.shell(["am", "broadcast", "-a", "ADB_INPUT_TEXT", "--es", "msg", text])

    device.shell(["ime", "set", "com.android.adbkeyboard/.AdbIME"])
    device.app_start(CLOCK)
    assert device.app_current().package == CLOCK
    set_the_alarm(lambda words: device.click(*where(device.dump_hierarchy(), words)), write, wanted)
    assert is_set(rig, wanted)
    device.app_stop(CLOCK)
    assert device.app_current().package == "com.android.launcher3"


def test_the_rest_of_adbutils(rig: Rig) -> None:
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
    """uiautomator2's own client; the jar that it pushes is Android code, so the phone answers for it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        import uiautomator2
    device = uiautomator2.connect(adbutils.AdbClient(port=rig.adb.port).device(rig.serial))
    device.settings["wait_timeout"] = 2
    yield device
    device.stop_uiautomator()


def test_uiautomator2_sets_an_alarm(rig: Rig, automator: Any) -> None:  # noqa: ANN401
    wanted = rig.server.do(an_alarm)
    automator.app_start(CLOCK, wait=True)
    assert automator.app_current()["package"] == CLOCK
    automator(description="添加闹钟").click()
    automator.xpath(f"//*[@text='{wanted['hour']}时']").click()
    automator(textMatches=f"{int(wanted['minute']):02d}分").click()
    automator(className="android.widget.EditText").set_text(LABEL)
    assert automator(text=LABEL).exists
    automator(text="保存", clickable=True).click()
    assert automator(text="保存").wait_gone()
    assert is_set(rig, wanted)


def test_the_rest_of_uiautomator2(rig: Rig, automator: Any) -> None:  # noqa: ANN401
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
    assert automator(className="android.widget.TextView").count > 1
    automator.press("home")
    automator.long_click(0.5, 0.5)
    automator.swipe(0.5, 0.8, 0.5, 0.2, duration=0.1)
    automator.screen_off()
    assert not automator.info["screenOn"]
    automator.screen_on()
    automator.unlock()
    with pytest.raises(Exception, match="does not answer getLastToast"):
        automator.last_toast  # noqa: B018


def test_a_screenshot_is_a_picture_for_every_tool(rig: Rig) -> None:
    png = rig.run("exec-out", "screencap", "-p").stdout
    ours = Image.open(io.BytesIO(png)).convert("RGB")
    device = adbutils.AdbClient(port=rig.adb.port).device(rig.serial)
    assert device.screenshot(error_ok=False).tobytes() == ours.tobytes()
