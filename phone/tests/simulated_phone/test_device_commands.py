"""Commands of Android itself through the shell: intents, packages, content, display, status bar, helpers."""

from __future__ import annotations

import base64
import io
import json
import zipfile
from datetime import datetime
from pathlib import Path

import pytest

from phone.tests.simulated_phone.conftest import apk, run_line
from simulated_phone.adb.commands.activity.implicit_intents import (
    CATEGORY_APPS,
    SETTINGS_PAGES,
    find_destination,
)
from simulated_phone.adb.device_state import DeviceState
from simulated_phone.adb.helper_apps import HELPER_APPS, ApkError, ApkManifest, read_apk
from simulated_phone.adb.phone_device import make_device
from simulated_phone.device_servers.helper_servers import YOSEMITE_PORT, find_helper_server
from simulated_phone.goals.steps import Tap
from simulated_phone.machine.state import BEIJING
from simulated_phone.people.gestures import GesturePlayer
from simulated_phone.phone import Phone

CALENDAR, CLOCK, MAPS = "com.android.calendar", "com.android.deskclock", "com.simulated.ditu"


@pytest.fixture(scope="module")
def whole_phone() -> Phone:
    return Phone(size=(540, 1200), density=210)


@pytest.fixture
def device(whole_phone: Phone) -> DeviceState:
    whole_phone.reset()
    return make_device(whole_phone)


def output(device: DeviceState, line: str, data: bytes = b"") -> str:
    code, out, err = run_line(line, device, data)
    assert (code, err) == (0, ""), (line, code, out, err)
    return out


def text_on_screen(device: DeviceState, text: str) -> bool:
    return f'"{text}"' in device.phone.tree()


# ---- intents


def test_each_destination_is_a_page_of_an_app(whole_phone: Phone) -> None:
    settings = whole_phone.apps["com.android.settings"]
    assert set(SETTINGS_PAGES.values()) <= set(settings.pages)
    assert set(CATEGORY_APPS.values()) <= set(whole_phone.apps)
    for action in SETTINGS_PAGES:
        found = find_destination(f"android.settings.{action}", [], "", {})
        assert found is not None
        assert found.page in settings.pages


def test_an_alarm_is_set_by_an_intent(device: DeviceState) -> None:
    extra = "android.intent.extra.alarm."
    line = (
        f"am start -a android.intent.action.SET_ALARM --ei {extra}HOUR 6 --ei {extra}MINUTES 35 "
        f"--es {extra}MESSAGE 早起 --eia {extra}DAYS 2,7"
    )
    output(device, line)
    assert device.phone.foreground[0] == CLOCK
    assert text_on_screen(device, "06:35")
    assert all(alarm["label"] != "早起" for alarm in device.phone.state[CLOCK]["alarms"])
    output(device, line + f" --ez {extra}SKIP_UI true")
    alarm = device.phone.state[CLOCK]["alarms"][-1]
    assert (alarm["hour"], alarm["minute"], alarm["label"], alarm["days"]) == (6, 35, "早起", "05")
    output(
        device, f"am start -a android.intent.action.SET_TIMER --ei {extra}LENGTH 300 --ez {extra}SKIP_UI true"
    )
    assert device.phone.state[CLOCK]["timer"]["seconds"] == 300


def test_an_intent_fills_in_a_new_event(device: DeviceState) -> None:
    insert = "am start -a android.intent.action.INSERT -d content://com.android.calendar/events"
    begin = round(datetime(2025, 5, 6, 14, 30, tzinfo=BEIJING).timestamp() * 1000)
    output(device, f"{insert} --es title 家长会 --el beginTime {begin} --es eventLocation 学校")
    assert text_on_screen(device, "家长会")
    for gesture in GesturePlayer(device.phone).gestures([Tap("保存")]):
        gesture.perform(device.phone.finger)
    event = device.phone.state[CALENDAR]["events"][-1]
    values = {"title": "家长会", "day": "2025-05-06", "hour": 14, "minute": 30}
    assert {name: event[name] for name in values} == values
    # without extras, or with a time that is none, the page is as a person opens it
    for wrong in ("", "--es beginTime soon", f"--el beginTime {'9' * 40}"):
        output(device, f"{insert} {wrong}")
        draft = device.phone.shown().entry["arguments"]
        today = device.phone.now.date().isoformat()
        assert (draft["title"], draft["day"], draft["hour"], draft["minute"]) == ("", today, 9, 0)


def test_intents_open_pages(device: DeviceState) -> None:
    output(device, "am start -a android.settings.WIFI_SETTINGS")
    assert device.phone.foreground[0] == "com.android.settings"
    assert text_on_screen(device, "WLAN")
    output(device, f"am start -a android.settings.APPLICATION_DETAILS_SETTINGS -d package:{CLOCK}")
    assert text_on_screen(device, CLOCK)
    output(device, "am start -a android.intent.action.VIEW -d 'geo:0,0?q=医院'")
    assert device.phone.foreground[0] == MAPS
    assert text_on_screen(device, "医院")
    output(device, "am start -a android.intent.action.MAIN -c android.intent.category.APP_CALENDAR")
    assert device.phone.foreground[0] == "com.android.calendar"
    output(device, "am start -a android.intent.action.MAIN -c android.intent.category.HOME")
    assert device.phone.foreground[0] == "com.android.launcher3"
    event = "am start -a android.intent.action.INSERT -t vnd.android.cursor.item/event"
    assert " typ=vnd.android.cursor.item/event " in output(device, event)
    assert device.phone.foreground[0] == "com.android.calendar"


@pytest.mark.parametrize(
    "intent",
    [
        "-a android.intent.action.VIEW -d https://example.com",
        "-a android.intent.action.DIAL -d tel:10086",
        "-a android.settings.NO_SUCH_SETTINGS",
        "-a android.intent.action.INSERT -t vnd.android.cursor.dir/contact",
        "-a android.media.action.IMAGE_CAPTURE",
    ],
)
def test_an_intent_that_no_app_takes_is_not_resolved(device: DeviceState, intent: str) -> None:
    code, out, err = run_line(f"am start {intent}", device)
    assert code == 1
    assert out.startswith("Starting: Intent {")
    assert err.startswith("Error: Activity not started, unable to resolve Intent {")


# ---- packages


def test_clearing_an_app_makes_it_fresh(device: DeviceState) -> None:
    before = json.dumps(device.phone.state[CLOCK], sort_keys=True)
    extra = "android.intent.extra.alarm."
    output(device, f"am start -a android.intent.action.SET_ALARM --ei {extra}HOUR 6 --ez {extra}SKIP_UI true")
    assert json.dumps(device.phone.state[CLOCK], sort_keys=True) != before
    assert output(device, f"pm clear {CLOCK}") == "Success\n"
    assert json.dumps(device.phone.state[CLOCK], sort_keys=True) == before
    assert device.phone.foreground[0] == "com.android.launcher3"
    assert run_line("pm clear a.b", device) == (1, "", "Failed\n")


def test_a_granted_app_asks_for_no_permission(device: DeviceState) -> None:
    device.phone.set_fault("permission_dialog", True)
    try:
        output(device, f"pm grant {CLOCK} android.permission.POST_NOTIFICATIONS; am start {CLOCK}")
        assert device.phone.foreground[0] == CLOCK
        output(device, f"pm revoke {CLOCK} android.permission.POST_NOTIFICATIONS; am force-stop {CLOCK}")
        output(device, f"am start {CLOCK}")
        assert device.phone.foreground[0] == "com.android.permissioncontroller"
    finally:
        device.phone.set_fault("permission_dialog", False)


def test_a_known_helper_is_installed_and_another_app_is_refused(device: DeviceState) -> None:
    device.files.write("/data/local/tmp/a.apk", apk("com.mobilerun.portal"))
    assert output(device, "pm install -r -t /data/local/tmp/a.apk") == "Success\n"
    assert "package:com.mobilerun.portal\n" in output(device, "pm list packages -3")
    assert "versionName=" in output(device, "dumpsys package com.mobilerun.portal")
    keyboard = HELPER_APPS["com.mobilerun.portal"].keyboards[0]
    output(device, f"ime enable {keyboard} && ime set {keyboard}")
    assert output(device, "settings get secure default_input_method") == f"{keyboard}\n"
    data = apk("com.github.uiautomator")
    assert output(device, f"cmd package install -S {len(data)}", data) == "Success\n"
    assert output(device, "pm uninstall com.github.uiautomator") == "Success\n"
    code, _, err = run_line(f"pm install -S {len(apk('com.example.game'))}", device, apk("com.example.game"))
    assert (code, err) == (1, "Failure [INSTALL_FAILED_USER_RESTRICTED: Install canceled by user]\n")
    code, _, err = run_line("pm install -S 3", device, b"abc")
    assert (code, err.split(":")[0]) == (1, "Failure [INSTALL_PARSE_FAILED_NOT_APK")


def test_an_apk_is_installed_in_a_session(device: DeviceState) -> None:
    data = apk("io.appium.settings")
    assert output(device, "pm install-create -r").startswith("Success: created install session [1000001]")
    output(device, f"pm install-write -S {len(data)} 1000001 base.apk -", data)
    assert output(device, "pm install-commit 1000001") == "Success\n"
    assert "io.appium.settings" in device.installed


def test_the_package_of_a_real_apk_is_read() -> None:
    import uiautomator2

    path = Path(uiautomator2.__file__).parent / "assets" / "app-uiautomator.apk"
    assert read_apk(path.read_bytes()) == ApkManifest(
        package="com.github.uiautomator", version="2.4.0", version_code=2004001
    )


@pytest.mark.parametrize("cut", [0, 10, 60, 120])
def test_a_broken_apk_is_an_error(cut: int) -> None:
    archive = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(apk("a.b"))) as whole:
        manifest = whole.read("AndroidManifest.xml")
    with zipfile.ZipFile(archive, "w") as files:
        files.writestr("AndroidManifest.xml", manifest[:cut])
    with pytest.raises(ApkError):
        read_apk(archive.getvalue())
    with pytest.raises(ApkError):
        read_apk(apk("a.b")[:cut])


# ---- content, keyboards, display


def install_portal(device: DeviceState) -> None:
    helper = device.installed["com.droidrun.portal"] = HELPER_APPS["com.droidrun.portal"]
    assert "Accessibility service not available" in output(
        device, "content query --uri content://com.droidrun.portal/ping"
    )
    output(device, f"settings put secure enabled_accessibility_services {helper.accessibility}")


def test_keyboards_act_on_broadcasts(device: DeviceState) -> None:
    device.installed["com.github.uiautomator"] = HELPER_APPS["com.github.uiautomator"]
    install_portal(device)
    device.phone.open_page(MAPS, "search", {}, {})
    device.phone.tasks.stack[-1]["focus"] = "query"

    def typed() -> str:
        focus = device.phone.shown().focus
        return focus.text if focus else ""

    output(
        device,
        "ime set com.android.adbkeyboard/.AdbIME; am broadcast -a ADB_INPUT_CHARS --eia chars '20320,22909'",
    )
    assert typed() == "你好"
    output(device, "am broadcast -a ADB_INPUT_CODE --ei code 67")
    assert typed() == "你"
    output(
        device, "input keycombination 113 29; input keyevent 67; input text a; input keycombination 113 29"
    )
    output(device, "input text bc")
    assert typed() == "bc"
    encoded = base64.b64encode("时间".encode()).decode()
    line = f"am broadcast -a ADB_KEYBOARD_INPUT_TEXT --es text {encoded}"
    assert "result=0" in output(device, line)
    assert typed() == "bc"
    output(device, "ime set com.github.uiautomator/.AdbKeyboard")
    assert 'result=-1, data="success"' in output(device, line)
    assert typed() == "bc时间"
    uri = "content://com.droidrun.portal/keyboard/input"
    output(device, f"content insert --uri {uri} --bind base64_text:s:{encoded} --bind clear:b:true")
    assert typed() == "时间"
    output(device, "am broadcast -a ADB_KEYBOARD_HIDE")
    assert device.phone.shown().focus is None


def test_settings_are_rows_of_a_content_provider(device: DeviceState) -> None:
    output(device, "content insert --uri content://settings/system --bind name:s:a --bind value:s:'b:c d'")
    assert output(device, "settings get system a") == "b:c d\n"
    assert (
        output(device, "content query --uri content://settings/system/a")
        == "Row: 0 _id=0, name=a, value=b:c d\n"
    )
    output(device, "content delete --uri content://settings/system --where \"name='a'\"")
    assert output(device, "content query --uri content://settings/system/a") == "No result found.\n"
    assert output(device, "content query --uri content://sms/inbox") == "No result found.\n"
    assert "Could not find provider: a.b" in run_line("content query --uri content://a.b/c", device)[2]


def test_the_displays_size_can_be_overridden(device: DeviceState) -> None:
    output(device, "wm size 720x1560 && wm density 280")
    assert output(device, "wm size; wm density") == (
        "Physical size: 540x1200\nOverride size: 720x1560\nPhysical density: 210\nOverride density: 280\n"
    )
    assert device.phone.screenshot().size == (720, 1560)
    output(device, "wm density reset; wm size reset")
    assert device.phone.screenshot().size == (540, 1200)
    code, _, err = run_line("wm size 100x100", device)
    assert (code, "expected an upright display" in err) == (255, True)


def test_the_status_bar_opens_and_closes_its_panel(device: DeviceState) -> None:
    for line in ("expand-notifications", "expand-settings", "expand-settings"):
        output(device, f"cmd statusbar {line}")
        assert device.phone.foreground[0] == "com.android.systemui"
    output(device, "cmd statusbar collapse")
    assert device.phone.foreground[0] == "com.android.launcher3"


@pytest.mark.parametrize(
    ("line", "front"),
    [
        ("am force-stop com.android.deskclock", "com.android.launcher3"),
        ("pm clear com.android.deskclock", "com.android.launcher3"),
        ("am kill com.android.deskclock", "com.android.deskclock"),
        ("am kill-all", "com.android.deskclock"),
    ],
)
def test_an_app_under_the_lock_screen_is_stopped_like_any_other(
    device: DeviceState, line: str, front: str
) -> None:
    output(device, "am start -n com.android.deskclock/.DeskClock > /dev/null; input keyevent POWER WAKEUP")
    assert device.phone.locked
    run_line(line, device)
    # what comes next still works
    output(device, "input keyevent DEL; input text x; input swipe 270 1000 270 200")
    assert not device.phone.locked
    assert device.phone.foreground[0] == front


def test_a_finger_is_moved_event_by_event(device: DeviceState) -> None:
    output(device, "input keyevent POWER; input keyevent WAKEUP")
    assert device.phone.locked
    output(
        device,
        "input motionevent DOWN 270 1000; input motionevent MOVE 270 500; input motionevent UP 270 200",
    )
    assert not device.phone.locked
    assert run_line("input motionevent HOVER 1 1", device)[0] == 255


# ---- what frameworks start with app_process


def test_scrcpy_is_told_in_words_that_there_is_no_video(device: DeviceState) -> None:
    line = "CLASSPATH=/data/local/tmp/scrcpy-server.jar app_process / com.genymobile.scrcpy.Server 3.3 scid=1"
    code, out, err = run_line(line, device)
    assert (code, out) == (1, "")
    assert err.startswith("[server] ERROR: a simulated phone encodes no video, so scrcpy cannot mirror it: ")
    assert err.count("\n") == 1


def test_a_class_that_no_helper_brings_is_not_found(device: DeviceState) -> None:
    for main in ("a.b.Main", "com.netease.nie.yosemite.control.Control --DEVICE_OP clipboard_get"):
        assert run_line(f"app_process / {main}", device) == (
            1,
            "",
            "Error: could not find or load the main class\n",
        )


def test_airtests_app_keeps_a_clipboard_and_types(device: DeviceState) -> None:
    device.files.write("/sdcard/y.apk", apk("com.netease.nie.yosemite"))
    output(device, "pm install -t -r /sdcard/y.apk")
    control = "app_process / com.netease.nie.yosemite.control.Control --DEVICE_OP"
    assert output(device, f"{control} clipboard --TEXT a b; {control} clipboard_get") == "a b\n"
    assert run_line(f"{control} fly", device)[0] == 1
    assert find_helper_server(device, YOSEMITE_PORT) is None
    output(device, "ime enable com.netease.nie.yosemite/.ime.ImeService")
    output(device, "ime set com.netease.nie.yosemite/.ime.ImeService")
    assert find_helper_server(device, YOSEMITE_PORT) is not None
    search_music(device)
    output(
        device, "am broadcast -a ADB_INPUT_TEXT --es msg 稻香; am broadcast -a ADB_EDITOR_CODE --ei code 3"
    )
    assert text_on_screen(device, "稻香")
    assert device.phone.shown().focus is None


def search_music(device: DeviceState) -> None:
    """Puts the focus on the search field of the music app."""
    device.phone.start("com.netease.cloudmusic")
    GesturePlayer(device.phone).play([Tap("搜索歌曲、歌手、歌单"), Tap("搜索歌曲、歌手")])
