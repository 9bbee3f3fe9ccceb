"""Functions of common tools that no task of `frameworks/` needs: adbutils, uiautomator2."""

from __future__ import annotations

import re
import warnings
from typing import Any

import adbutils
import pytest

from phone.tests.simulated_phone.conftest import Rig

CLOCK = "com.android.deskclock"


def test_other_functions_of_adbutils(rig: Rig) -> None:
    device = adbutils.AdbClient(port=rig.adb.port).device(rig.serial)
    assert device.rotation() == 0
    assert device.is_screen_on()
    device.switch_screen(False)
    assert not device.is_screen_on()
    device.switch_screen(True)
    device.swipe(0.5, 0.9, 0.5, 0.1, 0.3)
    assert device.screenshot(display_id=0).size == (540, 1200)
    assert device.prop.model == "Simulated Phone"
    info = device.app_info(CLOCK)
    assert info
    assert (info.version_name, info.version_code) == ("1.0.0", 1)
    assert device.battery().level == 80
    device.brightness_value = 99
    assert device.brightness_value == 99


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
    assert automator.dump_hierarchy() == rig.server.do(lambda phone: phone.tree("windows"))
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
