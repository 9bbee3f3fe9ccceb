"""The log of a host's inputs, and its repetition on another phone."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from phone.tests.simulated_phone.conftest import run_line
from phone.tests.simulated_phone.random_use import random_actions
from simulated_phone.adb.phone_device import make_device
from simulated_phone.device_servers.appium.server import AppiumServer
from simulated_phone.device_servers.http_server import HttpRequest
from simulated_phone.device_servers.portal.portal_actions import ACTIONS
from simulated_phone.device_servers.uiautomator2.uiautomator2_http import _response
from simulated_phone.device_servers.uiautomator2.uiautomator2_rpc import Uiautomator2Calls
from simulated_phone.logged_input import LoggedInput
from simulated_phone.repeated_inputs import RepeatError, repeat_inputs
from simulated_phone.screens.nodes import action_ref
from simulated_phone.watched_phone import PhoneInput, WatchedPhone

CLOCK, SETTINGS = "com.android.deskclock", "com.android.settings"
KEYBOARD = "com.android.adbkeyboard/.AdbIME"


def make_phone() -> tuple[WatchedPhone, list[PhoneInput]]:
    phone, seen = WatchedPhone(size=(540, 1200), density=210), []
    phone.watch(seen.append)
    phone.start_log()
    return phone, seen


def check_repeated(phone: WatchedPhone, seen: list[PhoneInput]) -> list[LoggedInput]:
    """Repeat the phone's log on another one, which must report the same inputs and end in the same state."""
    phone.log_writes()
    phone.report_changes()
    log = list(phone.log or ())
    other, seen_there = make_phone()
    assert repeat_inputs(other, log) == len(log)
    other.wait((phone.log_ms - other.log_ms) / 1000)
    other.report_changes()
    assert other.state_sha256() == phone.state_sha256()
    assert (seen_there, other.answer) == (seen, phone.answer)
    return log


LINES = [
    ("input tap 270 600; input swipe 270 900 270 400 250; input draganddrop 100 600 300 600 900", "swipe"),
    ("input swipe 270 600 270 600 900", "hold"),
    ("input motionevent DOWN 90 900; input motionevent MOVE 90 500; input motionevent UP 90 300", "swipe"),
    ("input keyevent HOME APP_SWITCH BACK VOLUME_UP 26 WAKEUP", "key"),
    ("input tap 270 9999", "tap"),
    ("input text abc%sd; input keyevent 66 67", "keys"),
    (f"ime set {KEYBOARD}; am broadcast -a ADB_INPUT_TEXT --es msg 你好", "text"),
    (f"ime set {KEYBOARD}; am broadcast -a ADB_CLEAR_TEXT", "clear_text"),
    (f"am start -n {CLOCK}/.DeskClock; am force-stop {CLOCK}", "stop"),
    (f"monkey -p {SETTINGS} 1; monkey -p {CLOCK} 1; am kill-all", "write"),
    (
        "am start -a android.intent.action.SET_ALARM --ei android.intent.extra.alarm.HOUR 7 "
        "--ei android.intent.extra.alarm.MINUTES 5 --ez android.intent.extra.alarm.SKIP_UI true",
        "intent",
    ),
    ("am start -a android.settings.WIFI_SETTINGS", "intent"),
    ("am start -a android.intent.action.VIEW -d geo:0,0?q=咖啡", "intent"),
    ("settings put global wifi_on 0; settings delete system font_scale", "write"),
    ("svc wifi disable; cmd uimode night yes; svc data disable", "write"),
    ("content insert --uri content://settings/system --bind name:s:volume_ring --bind value:s:1", "write"),
    (f"pm grant {CLOCK} android.permission.CAMERA; pm clear {CLOCK}", "clear_app"),
    ("cmd notification post -t Title tag1 'some text'; cmd notification post -t T tag2 x", "write"),
    (
        "wm size 720x1440; wm size 2000x2000 2>/dev/null; input tap 300 300; wm density 240; "
        "wm user-rotation lock 1",
        "display",
    ),
    ("cmd statusbar expand-notifications; input tap 270 300; cmd statusbar collapse", "close_panel"),
    ("input keyevent 26 26; wm dismiss-keyguard", "unlock"),
    ("am broadcast -a com.fingertip.ANSWER --es text 07:30", "answer"),
    ("am broadcast -a com.fingertip.ASK --es text 几点", "question"),
]


@pytest.mark.parametrize(("line", "call"), LINES, ids=[line[:30] for line, _ in LINES])
def test_a_line_of_a_host_is_logged_and_leads_another_phone_to_the_same_state(line: str, call: str) -> None:
    phone, seen = make_phone()
    phone.wait(1.234)
    device = make_device(phone)
    code, _, error = run_line(line, device)
    assert (code, error) == (0, "")
    phone.wait(5)
    log = check_repeated(phone, seen)
    assert call in {one.call for one in log}


def test_what_only_looks_at_the_phone_is_not_logged() -> None:
    phone, _ = make_phone()
    run_line(
        "dumpsys window; settings get global wifi_on; pm list packages; ls /sdcard",
        make_device(phone),
    )
    phone.hash_screen()
    assert phone.log == []


@pytest.mark.parametrize("seed", range(2))
def test_random_use_with_random_pauses_is_repeated(seed: int) -> None:
    phone, seen = make_phone()
    rng = random.Random(seed)  # noqa: S311 - a test
    for _ in random_actions(phone, rng, 20):
        phone.wait(rng.choice([0, 0.017, 0.9, 2.6, 70]))
        if rng.random() < 0.15:
            phone.settings["global"]["wifi_on"] = rng.choice("01")
    assert len(check_repeated(phone, seen)) >= 20


def test_calls_of_uiautomator2_are_repeated() -> None:
    phone, seen = make_phone()
    calls = Uiautomator2Calls(make_device(phone))
    for method, parameters in [
        ("click", [332.5, 577.5]),
        ("swipe", [270.9, 900.5, 270.5, 400.9, 20]),
        ("swipePoints", [[270.9, 900.5, 270.5, 400.9, 100.1, 400.2], 20]),
        ("drag", [270.9, 900.5, 270.5, 400.9, 20]),
        ("freezeRotation", [True]),
        ("openNotification", []),
        ("pressKey", ["back"]),
        ("clearLastToast", []),
    ]:
        body = json.dumps({"method": method, "params": parameters}).encode()
        asyncio.run(_response(calls, HttpRequest(method="POST", path="/jsonrpc/0", body=body)))
    assert len(check_repeated(phone, seen)) >= 7


def test_calls_of_appium_are_repeated() -> None:
    phone, seen = make_phone()
    server = AppiumServer(make_device(phone), "1.0", lambda: None)

    async def ask(method: str, path: str, **body: object) -> Any:  # noqa: ANN401 - JSON
        content = json.dumps(body).encode()
        _, record = await server.answer(HttpRequest(method=method, path=path, body=content))
        return record["value"]

    async def drive() -> None:
        session = "/session/" + (await ask("POST", "/session", capabilities={}))["sessionId"]
        found = await ask(
            "POST",
            f"{session}/element",
            strategy="xpath",
            selector="//*[@text='天气']",
            context="",
            multiple=False,
        )
        await ask("POST", f"{session}/element/{next(iter(found.values()))}/click")
        finger = [
            {"type": "pointerMove", "duration": 0, "x": 270, "y": 900},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerMove", "duration": 400, "x": 270, "y": 300},
            {"type": "pointerUp", "button": 0},
        ]
        await ask("POST", f"{session}/actions", actions=[{"type": "pointer", "id": "a", "actions": finger}])
        await ask("POST", f"{session}/orientation", orientation="LANDSCAPE")
        await ask("POST", f"{session}/back")
        await ask("POST", f"{session}/appium/device/open_notifications")

    asyncio.run(drive())
    calls = [one.call for one in check_repeated(phone, seen)]
    assert calls == ["tap", "swipe", "write", "key", "open_panel"]


def test_actions_of_the_portal_are_repeated() -> None:
    phone, seen = make_phone()
    device = make_device(phone)
    for action, values in [
        ("app", {"package": CLOCK, "stopBeforeLaunch": "true"}),
        ("tap", {"x": 270, "y": 300}),
        ("swipe", {"startX": 270, "startY": 900, "endX": 270, "endY": 300}),
        ("keyboard/input", {"base64_text": "5L2g5aW9"}),
        ("keyboard/clear", {}),
        ("keyboard/key", {"key_code": 66}),
        ("global", {"action": 2}),
        ("app/stop", {"package": CLOCK}),
    ]:
        assert ACTIONS[action](device, values)["status"] == "success"
    assert len(check_repeated(phone, seen)) == 10


@cache
def log_of_a_task() -> tuple[LoggedInput, ...]:
    phone, _ = make_phone()
    phone.wait(1)
    phone.start(SETTINGS)
    phone.wait(2)
    phone.tap(270, 300)
    phone.wait(2)
    phone.swipe(270, 900, 270, 400)
    phone.settings["global"]["wifi_on"] = "0"
    phone.command_ended()
    phone.press_key("KEYCODE_HOME")
    return tuple(phone.log or ())


def test_the_log_of_a_task_is_repeated() -> None:
    other, _ = make_phone()
    assert repeat_inputs(other, log_of_a_task()) == 5


def drop(log: list[LoggedInput]) -> None:
    del log[1]


def add(log: list[LoggedInput]) -> None:
    log.insert(1, replace(log[1], at_ms=log[0].at_ms + 400))


def swap(log: list[LoggedInput]) -> None:
    log[1], log[2] = replace(log[2], at_ms=log[1].at_ms), replace(log[1], at_ms=log[2].at_ms)


def change(log: list[LoggedInput], place: int, **fields: object) -> None:
    log[place] = replace(log[place], **fields)  # type: ignore[arg-type]


FORGERIES: dict[str, tuple[Callable[[list[LoggedInput]], None], int, str]] = {
    "an input dropped": (drop, 2, "leads to state|came on another screen"),
    "an input added": (add, 2, "leads to state|came on another screen"),
    "two inputs in another order": (swap, 2, "leads to state|came on another screen"),
    "a later time": (lambda log: change(log, 1, at_ms=log[1].at_ms + 1), 2, "leads to state"),
    "a time before the last input's end": (lambda log: change(log, 1, at_ms=log[0].at_ms + 1), 2, "ends at"),
    "another point": (lambda log: change(log, 1, numbers=(270, 700)), 2, "leads to state"),
    "a point off the screen": (lambda log: change(log, 1, numbers=(9999, 9999)), 2, "leads to state"),
    "another value": (lambda log: change(log, 3, writes=(("put", "global", "wifi_on", "1"),)), 4, "logged"),
    "too few numbers": (lambda log: change(log, 1, numbers=(5,)), 2, "not possible"),
    "a namespace of settings that there is not": (
        lambda log: change(log, 3, writes=(("put", "apps", "wifi_on", "1"),)),
        4,
        "not possible",
    ),
    "an app that is signed in to by a write": (
        lambda log: change(log, 3, writes=(("grant", f"signed_in:{CLOCK}"),)),
        4,
        "expected the mark of a permission",
    ),
    "an intent that leads nowhere": (
        lambda log: change(log, 1, call="intent", numbers=(), words=("start", "-a", "no.such.ACTION")),
        2,
        "it leads nowhere",
    ),
    "an app that there is not": (lambda log: change(log, 0, words=("no.such.app",)), 1, "leads to state"),
    "another hash of a screen": (lambda log: change(log, 1, screen_sha256="0" * 64), 2, "another screen"),
}


@pytest.mark.parametrize(("forge", "number", "reason"), FORGERIES.values(), ids=FORGERIES)
def test_a_forged_log_is_refused_with_the_number_of_its_input(
    forge: Callable[[list[LoggedInput]], None], number: int, reason: str
) -> None:
    log = list(log_of_a_task())
    forge(log)
    other, _ = make_phone()
    with pytest.raises(RepeatError, match=rf"^input {number}: .*({reason})") as refused:
        repeat_inputs(other, log)
    assert refused.value.number == number


def test_the_log_of_another_phone_is_refused_at_its_first_input() -> None:
    other = WatchedPhone(size=(540, 1200), density=210, seed=2)
    other.start_log()
    with pytest.raises(RepeatError, match=r"^input 1: start"):
        repeat_inputs(other, log_of_a_task())


def test_nothing_reaches_an_app_without_an_input_while_a_phone_is_logged() -> None:
    phone, _ = make_phone()
    with pytest.raises(RuntimeError, match="without an intent"):
        phone.act(action_ref("back"))
