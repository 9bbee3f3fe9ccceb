from __future__ import annotations

import asyncio
import json
from collections.abc import Callable

import pytest

from simulated_phone import GesturePlayer, GoalInstance, Press, Tap
from simulated_phone.adb.finger_path import touch_screen
from simulated_phone.adb.phone_device import make_device
from simulated_phone.device_servers.http_server import HttpRequest
from simulated_phone.device_servers.uiautomator2.uiautomator2_http import _response
from simulated_phone.device_servers.uiautomator2.uiautomator2_rpc import Uiautomator2Calls
from simulated_phone.watched_phone import PhoneInput, WatchedPhone

CLOCK, SETTINGS, WEATHER = "com.android.deskclock", "com.android.settings", "com.wangyun.weather"


def watched() -> tuple[WatchedPhone, list[PhoneInput]]:
    phone, seen = WatchedPhone(size=(540, 1200), density=210), []
    phone.watch(seen.append)
    return phone, seen


def words(seen: list[PhoneInput]) -> list[str]:
    return [one.words for one in seen]


@pytest.mark.parametrize(
    ("act", "expected"),
    [
        (lambda phone: phone.tap(5, 9), ["tap 5 9"]),
        (lambda phone: phone.long_press(5, 9, 900), ["hold 5 9"]),
        (lambda phone: phone.swipe(270, 900, 270, 400), ["swipe 270 900 270 400"]),
        (lambda phone: phone.swipe(270, 900, 272, 901, 900), ["hold 270 900"]),
        (lambda phone: touch_screen(phone, (5, 9), (5, 9), 700), ["hold 5 9"]),
        (lambda phone: phone.press_key("KEYCODE_BACK"), ["key KEYCODE_BACK"]),
        (lambda phone: phone.press_key("KEYCODE_VOLUME_UP"), ["key KEYCODE_VOLUME_UP"]),
        (lambda phone: phone.press_key("KEYCODE_WAKEUP"), []),
        (lambda phone: phone.press_key("KEYCODE_DEL"), []),
        (lambda phone: phone.type_text("a\nb"), ["text 'a\\nb'"]),
        (lambda phone: phone.open_panel(), ["swipe 270 2 270 600"]),
        (lambda phone: phone.wait(60), []),
        (lambda phone: phone.start("no.such.app"), []),
        (lambda phone: phone.stop(CLOCK), []),
    ],
)
def test_an_input_is_reported_once_and_what_it_consists_of_is_not(
    act: Callable[[WatchedPhone], object], expected: list[str]
) -> None:
    phone, seen = watched()
    act(phone)
    assert words(seen) == expected


@pytest.mark.parametrize(
    ("method", "parameters", "expected"),
    [
        ("click", [332, 577.5], "tap 332 577"),
        ("swipe", [270.9, 900.5, 270.5, 400.9, 20], "swipe 270 900 270 400"),
        ("swipePoints", [[270.9, 900.5, 270.5, 400.9], 20], "swipe 270 900 270 400"),
    ],
)
def test_the_server_of_uiautomator2_cuts_off_fractions_of_pixels(
    method: str, parameters: list[object], expected: str
) -> None:
    phone, seen = watched()
    body = json.dumps({"method": method, "params": parameters}).encode()
    request = HttpRequest(method="POST", path="/jsonrpc/0", body=body)
    asyncio.run(_response(Uiautomator2Calls(make_device(phone)), request))
    assert words(seen) == [expected]


def test_what_tools_set_up_for_themselves_is_no_input() -> None:
    phone, seen = watched()
    # Appium's driver, and DroidRun's portal
    phone.settings["global"]["hidden_api_policy"] = "1"
    phone.settings["secure"]["enabled_accessibility_services"] = "com.mobilerun.portal/.Service"
    phone.report_changes()
    assert seen == []
    phone.settings["global"]["wifi_on"] = "0"
    phone.report_changes()
    assert words(seen) == ["a command changed wifi_on"]


def test_text_needs_a_field_with_the_focus() -> None:
    phone, seen = watched()
    phone.type_text("abc")
    assert [one.effective for one in seen] == [False]


def test_a_touch_has_the_label_of_what_it_touches() -> None:
    phone, seen = watched()
    icon = next(node for node in phone.screen().nodes() if node.clickable and node.label() == "天气")
    phone.tap(*icon.box.centre)
    (gesture,) = seen[0].gestures
    assert (gesture.kind, gesture.label) == ("tap", "天气")
    assert phone.foreground[0] == WEATHER


def test_a_started_app_is_what_a_person_does_instead() -> None:
    phone, seen = watched()
    phone.start(WEATHER)
    phone.start(CLOCK)
    phone.start(CLOCK)
    assert words(seen) == [f"start {WEATHER}", f"start {CLOCK}"]
    first, second = (one.gestures for one in seen)
    assert [one.text or one.label for one in first] == ["天气"]
    # the clock's icon is on the launcher's second page
    assert [one.text or one.label for one in second] == ["home", "left", "时钟"]
    # performed on another phone, the gestures open the app
    other = WatchedPhone(size=(540, 1200), density=210)
    for gesture in (*first, *second):
        gesture.perform(other.finger)
    assert other.foreground[0] == CLOCK


def test_what_a_command_changed_is_reported_before_the_next_input() -> None:
    phone, seen = watched()
    phone.settings["global"]["wifi_on"] = "0"
    phone.clear_app(CLOCK)
    phone.settings["global"]["stay_on_while_plugged_in"] = "7"
    phone.data["apps"][CLOCK]["alarms"] = []
    phone.tap(5, 9)
    assert words(seen) == [f"a command changed {CLOCK}, wifi_on", "tap 5 9"]
    phone.report_changes()
    assert len(seen) == 2


def goal(name: str, **arguments: str) -> GoalInstance:
    return GoalInstance(package=SETTINGS, goal=name, arguments=arguments)


ROTATION_ON = goal("flip_switch", switch="自动旋转", state="打开")
SAVER_ON = goal("flip_switch", switch="省电模式", state="打开")


def test_auto_rotation_is_a_step_only_where_it_decides_the_goal() -> None:
    phone, seen = watched()
    for given, expected in (
        (None, []),
        (SAVER_ON, []),
        (ROTATION_ON, ["a command changed accelerometer_rotation"]),
    ):
        seen.clear()
        phone.watch(seen.append, given)
        phone.settings["system"]["accelerometer_rotation"] = "1"
        phone.command_ended()
        assert words(seen) == expected
        phone.settings["system"]["accelerometer_rotation"] = "0"


def test_who_reached_the_goal_last_is_known() -> None:
    phone, seen = watched()
    phone.watch(seen.append, SAVER_ON)

    def put(value: str) -> None:
        phone.settings["global"]["low_power"] = value
        phone.command_ended()

    assert not phone.reached_by_command
    put("1")
    assert phone.reached_by_command
    put("0")
    assert not phone.reached_by_command
    for gesture in GesturePlayer(phone).gestures([Press("quick"), Tap("省电模式")]):
        gesture.perform(phone.finger)
    assert phone.achieved(SAVER_ON)
    assert not phone.reached_by_command
    # a second command that changes nothing about it
    phone.settings["global"]["wifi_on"] = "0"
    phone.command_ended()
    assert not phone.reached_by_command
    phone.watch(None)
    put("0")
    put("1")
    assert not phone.reached_by_command
