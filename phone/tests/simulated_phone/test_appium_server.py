"""Appium's uiautomator2 server, answered by the phone: HTTP through adb, as Appium's driver sends it."""

from __future__ import annotations

import asyncio
import base64
import io
import json
import subprocess
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from phone.tests.simulated_phone.conftest import Rig, apk
from simulated_phone.adb.phone_device import make_device
from simulated_phone.apps.clock import CLOCK as CLOCK_APP
from simulated_phone.device_servers.appium.found_elements import Elements
from simulated_phone.device_servers.appium.locators import Locator
from simulated_phone.device_servers.appium.server import AppiumServer
from simulated_phone.device_servers.appium.webdriver_errors import WebDriverError
from simulated_phone.device_servers.appium.webdriver_session import WebDriverSession
from simulated_phone.device_servers.http_server import HttpRequest
from simulated_phone.device_servers.uiautomator2.uiautomator2_rpc import Uiautomator2Calls
from simulated_phone.phone import Phone
from tests.examples import examples

CLOCK, LABEL = "com.android.deskclock", "赶飞机"
SERVER = "io.appium.uiautomator2.server"
RUNNER = f"{SERVER}.test/androidx.test.runner.AndroidJUnitRunner"
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
UI_AUTOMATOR = "-android uiautomator"


@dataclass(kw_only=True)
class Driver:
    """Sends what Appium's driver sends to the forwarded port."""

    port: int
    session: str = ""

    def send(self, method: str, path: str, body: object = None) -> tuple[int, Any]:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=60)
        data = None if body is None else json.dumps(body).encode()
        connection.request(method, path, data, {"Content-Type": "application/json"})
        response = connection.getresponse()
        status, record = response.status, json.loads(response.read())
        connection.close()
        return status, record["value"]

    def ask(self, method: str, path: str, body: object = None) -> Any:  # noqa: ANN401 - JSON
        """The value of a command of the session, which succeeds."""
        status, value = self.send(method, f"/session/{self.session}{path}", body)
        assert status == 200, (path, value)
        return value

    def refuse(self, method: str, path: str, body: object = None) -> tuple[int, str]:
        """Status and error of a command of the session, which fails."""
        status, value = self.send(method, f"/session/{self.session}{path}", body)
        assert status >= 400, (path, value)
        assert value["message"]
        return status, value["error"]

    def find(self, strategy: str, selector: str, context: str = "") -> str:
        body = {"strategy": strategy, "selector": selector, "context": context, "multiple": False}
        return str(self.ask("POST", "/element", body)[ELEMENT])

    def find_all(self, strategy: str, selector: str) -> list[str]:
        body = {"strategy": strategy, "selector": selector, "context": "", "multiple": True}
        return [str(one[ELEMENT]) for one in self.ask("POST", "/elements", body)]

    def tap(self, strategy: str, selector: str) -> None:
        self.ask("POST", f"/element/{self.find(strategy, selector)}/click", {})


@pytest.fixture(scope="module")
def apks(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("apks")
    paths = [folder / f"{name}.apk" for name in (SERVER, f"{SERVER}.test", "io.appium.settings")]
    for path in paths:
        path.write_bytes(apk(path.stem))
    return paths


@dataclass(frozen=True, kw_only=True)
class Started:
    """A driver with a session, and the process of its instrumentation."""

    driver: Driver
    process: subprocess.Popen[bytes]


@pytest.fixture
def started(rig: Rig, apks: list[Path]) -> Iterator[Started]:
    for path in apks:
        assert b"Success" in rig.run("install", "-r", str(path)).stdout
    assert RUNNER in rig.output("pm list instrumentation")
    port = int(rig.run("forward", "tcp:0", "tcp:6790").stdout)
    line = f"am instrument -w --no-window-animation -e disableAnalytics true {RUNNER}"
    process = rig.adb.open("-s", rig.serial, "shell", line)
    driver = Driver(port=port)
    deadline = time.monotonic() + 60
    while True:
        try:
            status, value = driver.send("GET", "/status")
            break
        except OSError:
            assert time.monotonic() < deadline, "expected the server to listen"
            time.sleep(0.05)
    assert (status, value["ready"]) == (200, True)
    capabilities = {"firstMatch": [{"platformName": "Android"}], "alwaysMatch": {}}
    driver.session = driver.send("POST", "/session", {"capabilities": capabilities})[1]["sessionId"]
    yield Started(driver=driver, process=process)
    rig.output(f"am force-stop {SERVER}")
    process.wait(60)
    assert process.stdout
    process.stdout.close()
    rig.run("forward", "--remove", f"tcp:{port}")


@pytest.fixture
def driver(started: Started) -> Driver:
    return started.driver


def alarms(rig: Rig) -> list[dict[str, Any]]:
    return rig.server.do(lambda phone: [dict(alarm) for alarm in phone.state[CLOCK]["alarms"]])


def open_new_alarm(rig: Rig, driver: Driver) -> None:
    rig.output(f"am start -n {CLOCK}/.DeskClock")
    driver.tap("accessibility id", "添加闹钟")


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "127.0.0.1:8200"}, 200), ({"Host": "localhost"}, 200), ({"Host": "phone:6790"}, 200),
        ({"Host": "[::1]:6790"}, 200), ({"Host": "evil.example"}, 403), ({"Host": "evil.example:6790"}, 403),
        ({"Origin": "http://evil.example"}, 403), ({"Origin": "null"}, 403), ({"Origin": "file://"}, 403),
        ({"Host": "127.0.0.1:80", "Origin": "http://127.0.0.1:80"}, 200),
    ],
)  # fmt: skip
def test_a_page_of_another_site_does_not_reach_the_phone(
    driver: Driver, headers: dict[str, str], status: int
) -> None:
    connection = HTTPConnection("127.0.0.1", driver.port, timeout=60)
    connection.request("GET", "/status", headers=headers)
    assert connection.getresponse().status == status
    connection.close()


def test_elements_tell_their_attributes(rig: Rig, driver: Driver) -> None:
    open_new_alarm(rig, driver)
    bar = driver.find("id", "title_bar")
    assert bar == driver.find("id", f"{CLOCK}:id/title_bar")
    back = driver.find("xpath", ".//android.widget.ImageButton", bar)
    assert driver.ask("GET", f"/element/{back}/attribute/className") == "android.widget.ImageButton"
    assert driver.ask("GET", f"/element/{back}/attribute/clickable") == "true"
    assert driver.ask("GET", f"/element/{back}/attribute/resourceId") == f"{CLOCK}:id/back"
    hour = driver.find("xpath", "//*[@text='07']")
    assert driver.ask("GET", f"/element/{hour}/attribute/contentDescription") is None
    assert driver.ask("GET", f"/element/{back}/name") == driver.ask(
        "GET", f"/element/{back}/attribute/content-desc"
    )
    box = driver.ask("GET", f"/element/{back}/rect")
    assert driver.ask("GET", f"/element/{back}/location") == {"x": box["x"], "y": box["y"]}
    assert driver.ask("GET", f"/element/{back}/size") == {"width": box["width"], "height": box["height"]}
    picture = Image.open(io.BytesIO(base64.b64decode(driver.ask("GET", f"/element/{back}/screenshot"))))
    assert picture.size == (box["width"], box["height"])
    screen = Image.open(io.BytesIO(base64.b64decode(driver.ask("GET", "/screenshot"))))
    corner = (box["x"], box["y"], box["x"] + box["width"], box["y"] + box["height"])
    assert screen.convert("RGB").crop(corner).tobytes() == picture.convert("RGB").tobytes()
    assert driver.refuse("GET", f"/element/{back}/attribute/colour") == (404, "unknown command")


def test_text_is_replaced_cleared_and_submitted(rig: Rig, driver: Driver) -> None:
    open_new_alarm(rig, driver)
    name = driver.find(UI_AUTOMATOR, f'new UiSelector().resourceId("{CLOCK}:id/label")')
    driver.ask("POST", f"/element/{name}/value", {"text": "一", "replace": False})
    driver.ask("POST", f"/element/{name}/value", {"text": "二", "replace": False})
    assert driver.ask("GET", f"/element/{name}/text") == "一二"
    active = driver.ask("GET", "/element/active")[ELEMENT]
    assert driver.ask("GET", f"/element/{active}/text") == "一二"
    driver.ask("POST", "/keys", {"value": ["三"]})
    assert driver.ask("GET", f"/element/{name}/text") == "一二三"
    driver.ask("POST", f"/element/{name}/value", {"text": "四", "replace": True})
    assert driver.ask("GET", f"/element/{name}/text") == "四"
    driver.ask("POST", f"/element/{name}/value", {"text": "五\\n"})
    assert rig.server.do(lambda phone: phone.shown().focus) is None
    driver.ask("POST", f"/element/{name}/clear", {})
    assert rig.server.do(lambda phone: phone.shown().entry["fields"]["label"]) == ""
    button = driver.find("xpath", "//*[@text='保存']")
    assert driver.refuse("POST", f"/element/{button}/value", {"text": "a"}) == (400, "invalid element state")
    driver.ask("POST", "/back", {})
    assert driver.refuse("POST", "/keys", {"text": "a"}) == (404, "no such element")


def test_text_reaches_a_field_that_is_focused_late(rig: Rig, driver: Driver) -> None:
    rig.server.do(lambda phone: phone.set_fault("unfocused_fields", True))
    open_new_alarm(rig, driver)
    name = driver.find(UI_AUTOMATOR, f'new UiSelector().resourceId("{CLOCK}:id/label")')
    driver.ask("POST", f"/element/{name}/value", {"text": "一"})
    assert driver.ask("GET", f"/element/{name}/text") == "一"


def test_an_element_that_is_gone_is_stale(rig: Rig, driver: Driver) -> None:
    open_new_alarm(rig, driver)
    save = driver.find("xpath", "//*[@text='保存']")
    driver.ask("POST", f"/element/{save}/click", {})
    assert driver.refuse("POST", f"/element/{save}/click", {}) == (404, "stale element reference")
    assert driver.refuse("GET", "/element/unknown/text") == (404, "no such element")


def test_what_is_wrong_is_named(rig: Rig, driver: Driver) -> None:
    def refused(strategy: str, selector: str) -> tuple[int, str]:
        return driver.refuse("POST", "/element", {"strategy": strategy, "selector": selector})

    assert refused("xpath", "//nothing") == (404, "no such element")
    assert driver.find_all("xpath", "//nothing") == []
    assert driver.find_all("xpath", "//*[.//*[.//*[@text='nothing']]]") == []
    for strategy, selector in (
        ("xpath", "//["),
        ("xpath", "//*[.//*[.//*[.//*[.//*]]]]"),
        ("xpath", "//*[count(//*[count(//*[count(//*)>0])>0])>0]"),
        ("xpath", "//*[following::*[following::*[preceding::*]]]"),
        ("xpath", "//*" + " | //*" * 400),
        ("css", "a"),
        (UI_AUTOMATOR, "new UiSelector().colour(1)"),
        (UI_AUTOMATOR, 'new UiScrollable(new UiSelector()).paint("red")'),
    ):
        assert refused(strategy, selector) == (400, "invalid selector"), selector
    assert driver.refuse("POST", "/element", {"strategy": "id"}) == (400, "invalid argument")
    assert driver.refuse("GET", "/colour") == (404, "unknown command")
    assert driver.refuse("POST", "/appium/gestures/wave", {}) == (404, "unknown command")
    assert driver.send("GET", "/session/other/source")[1]["error"] == "invalid session id"
    assert driver.send("POST", "/session", {})[1]["error"] == "session not created"
    rig.server.do(lambda phone: phone.set_fault("no_tree", True))
    assert driver.refuse("GET", "/source") == (500, "unknown error")
    rig.server.do(lambda phone: phone.set_fault("no_input_injection", True))
    assert driver.refuse("POST", "/back", {}) == (500, "unknown error")


def test_pointers_tap_hold_and_drag(rig: Rig, driver: Driver) -> None:
    def actions(*items: Mapping[str, object]) -> dict[str, object]:
        finger = {
            "type": "pointer",
            "id": "a",
            "parameters": {"pointerType": "touch"},
            "actions": list(items),
        }
        return {
            "actions": [finger, {"type": "none", "id": "b", "actions": [{"type": "pause", "duration": 5}]}]
        }

    down, up = {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}
    rig.output(f"am start -n {CLOCK}/.DeskClock")
    add = driver.find("accessibility id", "添加闹钟")
    move = {"type": "pointerMove", "duration": 0, "origin": {ELEMENT: add}, "x": 0, "y": 0}
    driver.ask("POST", "/actions", actions(move, down, up))
    assert driver.find_all("xpath", "//*[@text='保存']")
    driver.ask("POST", "/back", {})
    driver.tap("xpath", "//*[@text='世界时钟']")
    driver.tap("accessibility id", "添加城市")
    before = driver.ask("GET", "/source")
    start = {"type": "pointerMove", "duration": 0, "x": 270, "y": 900}
    end = {"type": "pointerMove", "duration": 300, "origin": "pointer", "x": 0, "y": -500}
    driver.ask("POST", "/actions", actions(start, down, end, up))
    assert driver.ask("GET", "/source") != before
    outside = {"type": "pointerMove", "duration": 0, "x": 5000, "y": 0}
    assert driver.refuse("POST", "/actions", actions(outside)) == (500, "move target out of bounds")
    for wrong in (None, [3], [{"type": "wheel", "id": "w", "actions": []}], [{"type": "pointer"}]):
        assert driver.refuse("POST", "/actions", {"actions": wrong}) == (400, "invalid argument")


def test_keys_are_typed(rig: Rig, driver: Driver) -> None:
    open_new_alarm(rig, driver)
    driver.tap("class name", "android.widget.EditText")
    keys = [{"type": kind, "value": value} for value in "a\ue003b" for kind in ("keyDown", "keyUp")]
    driver.ask("POST", "/actions", {"actions": [{"type": "key", "id": "k", "actions": keys}]})
    assert driver.ask("GET", f"/element/{driver.find(UI_AUTOMATOR, 'focused(true)')}/text") == "b"
    driver.ask("POST", "/appium/device/press_keycode", {"keycode": 29})
    driver.ask("POST", "/appium/device/press_keycode", {"keycode": 66})
    assert rig.server.do(lambda phone: phone.shown().focus) is None
    assert driver.refuse("POST", "/appium/device/press_keycode", {"keycode": "x"}) == (
        400,
        "invalid argument",
    )


def test_lists_are_scrolled(rig: Rig, driver: Driver) -> None:
    rig.output(f"am start -n {CLOCK}/.DeskClock")
    driver.tap("xpath", "//*[@text='世界时钟']")
    driver.tap("accessibility id", "添加城市")
    container = driver.find(UI_AUTOMATOR, "new UiSelector().scrollable(true)")
    named = driver.find("xpath", ".//*[@text!='']", container)
    first = driver.ask("GET", f"/element/{named}/text")
    gesture = {"origin": {ELEMENT: container}, "direction": "down", "percent": 1.0}
    swipes = 0
    while driver.ask("POST", "/appium/gestures/scroll", gesture):
        swipes += 1
        assert swipes < 50
    assert swipes > 0
    assert driver.find_all(UI_AUTOMATOR, f'new UiSelector().text("{first}")') == []
    scrollable = "new UiScrollable(new UiSelector().scrollable(true))"
    found = driver.find(UI_AUTOMATOR, f'{scrollable}.scrollIntoView(new UiSelector().text("{first}"))')
    assert driver.ask("GET", f"/element/{found}/text") == first
    driver.ask("POST", "/appium/gestures/fling", {"origin": {ELEMENT: container}, "direction": "down"})
    driver.ask("POST", f"/appium/element/{container}/scroll_to/{found}", {})
    assert driver.ask("GET", f"/element/{found}/text") == first
    area = {"left": 0, "top": 200, "width": 540, "height": 800}
    driver.ask("POST", "/appium/gestures/swipe", {"area": area, "direction": "up", "percent": 0.9})
    target = {"strategy": UI_AUTOMATOR, "selector": f'new UiSelector().text("{first}")'}
    driver.ask("POST", "/gestures/scroll_to", {"params": target})
    driver.ask("POST", "/appium/gestures/pinch_open", {"area": area, "percent": 0.5})
    assert driver.refuse("POST", "/appium/gestures/scroll", {"direction": "up", "percent": 1})[0] == 400
    driver.ask("POST", "/appium/gestures/click", {"origin": {ELEMENT: found}})


def test_the_display_and_the_device_are_told(rig: Rig, driver: Driver) -> None:
    assert driver.ask("GET", "/window/current/size") == {"width": 540, "height": 1200}
    assert driver.ask("GET", "/appium/device/pixel_ratio") == 210 / 160
    assert driver.ask("GET", "/appium/device/display_density") == 210
    assert driver.ask("GET", "/appium/device/system_bars") == {"statusBar": 42}
    info = driver.ask("GET", "/appium/device/info")
    assert (info["realDisplaySize"], info["platformVersion"]) == ("540x1200", "13")
    driver.ask("POST", "/orientation", {"orientation": "LANDSCAPE"})
    assert driver.ask("GET", "/orientation") == "LANDSCAPE"
    assert driver.ask("GET", "/window/current/size") == {"width": 1200, "height": 540}
    driver.ask("POST", "/rotation", {"x": 0, "y": 0, "z": 0})
    assert driver.ask("GET", "/rotation") == {"x": 0, "y": 0, "z": 0}
    assert driver.ask("POST", "/appium/settings", {"settings": {"waitForIdleTimeout": 0}})
    assert driver.ask("GET", "/appium/settings")["waitForIdleTimeout"] == 0
    # with that setting, a screen that moves is not waited for
    rig.server.do(lambda phone: phone.set_fault("moving_screen=600", True))
    rig.output(f"am start -n {CLOCK}/.DeskClock")
    assert "hierarchy" in driver.ask("GET", "/source")
    driver.ask("POST", "/appium/device/open_notifications", {})
    assert rig.server.do(lambda phone: phone.foreground[0]) == "com.android.systemui"
    assert driver.ask("POST", "/appium/list_windows", {})[0]["packageName"] == "com.android.systemui"
    assert driver.ask("POST", "/appium/list_displays", {})[0]["metrics"]["widthPixels"] == 540


def test_a_toast_is_an_element(rig: Rig, driver: Driver) -> None:
    rig.server.do(lambda phone: phone.show_toast("已保存"))
    toast = driver.find("xpath", "//android.widget.Toast")
    assert driver.ask("GET", f"/element/{toast}/text") == "已保存"


def test_a_permission_dialog_is_an_alert(rig: Rig, driver: Driver) -> None:
    assert driver.refuse("GET", "/alert/text") == (404, "no such alert")
    rig.server.do(lambda phone: phone.set_fault("permission_dialog", True))
    rig.output(f"am start -n {CLOCK}/.DeskClock")
    assert driver.ask("GET", "/alert/text")
    assert driver.refuse("POST", "/alert/accept", {"buttonLabel": "?"}) == (400, "invalid element state")
    driver.ask("POST", "/alert/dismiss", {})
    assert rig.server.do(lambda phone: phone.foreground[0]) == CLOCK


def test_the_settings_app_copies_and_types(rig: Rig, driver: Driver) -> None:
    encoded = base64.b64encode(LABEL.encode()).decode()
    driver.ask("POST", "/appium/device/set_clipboard", {"content": encoded, "contentType": "plaintext"})
    assert driver.ask("POST", "/appium/device/get_clipboard", {}) == encoded
    broadcast = rig.output(
        "am broadcast -n io.appium.settings/.receivers.ClipboardReceiver -a io.appium.settings.clipboard.get"
    )
    assert f'result=-1, data="{encoded}"' in broadcast
    rig.output("am start-activity -n io.appium.settings/.Settings -a android.intent.action.MAIN")
    assert "isForeground=true" in rig.output("dumpsys activity services io.appium.settings")
    open_new_alarm(rig, driver)
    driver.tap("class name", "android.widget.EditText")
    rig.output("ime enable io.appium.settings/.UnicodeIME && ime set io.appium.settings/.UnicodeIME")
    rig.output("input text '&jXaY3mc6-'")
    assert driver.ask("GET", f"/element/{driver.find(UI_AUTOMATOR, 'focused(true)')}/text") == LABEL
    rig.output("ime set io.appium.settings/.AppiumIME && input text /done/")
    assert rig.server.do(lambda phone: phone.shown().focus) is None


def test_the_clipboard_is_that_of_all_tools() -> None:
    device = make_device(small_phone())
    asyncio.run(Uiautomator2Calls(device).call("setClipboard", ["label", LABEL]))
    session = WebDriverSession(device, "a", {})
    encoded = session.commands["POST", "appium/device/get_clipboard"]({})
    assert base64.b64decode(encoded).decode() == LABEL


def test_a_deleted_session_ends_the_server(rig: Rig, started: Started) -> None:
    driver = started.driver
    assert SERVER in rig.output("ps -A -o NAME")
    assert driver.ask("DELETE", "") is None
    assert started.process.wait(60) == 0
    assert SERVER + "\n" not in rig.output("ps -A -o NAME")
    code, _, error = rig.shell("am instrument -w com.example.test/androidx.test.runner.AndroidJUnitRunner")
    assert (code, "Unable to find instrumentation info" in error) == (1, True)


@cache
def small_phone() -> Phone:
    """A phone with one app, which any request may change."""
    return Phone(size=(540, 1200), density=210, apps=[CLOCK_APP])


REQUESTS = st.builds(
    HttpRequest,
    method=st.sampled_from(["GET", "POST", "DELETE", "PUT"]),
    path=st.lists(
        st.sampled_from(["session", "a", "element", "elements", "click", "value", "actions", "appium", "x"])
        | st.text(max_size=5),
        max_size=6,
    ).map(lambda parts: "/" + "/".join(parts)),
    body=st.binary(max_size=30)
    | st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(max_size=9),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    ["strategy", "selector", "actions", "text", "origin", "area", "settings", "z"]
                ),
                inner,
                max_size=4,
            )
        ),
    ).map(lambda value: json.dumps(value).encode()),
)


@given(request=REQUESTS)
@settings(max_examples=examples(100), deadline=None)
def test_any_request_is_answered(request: HttpRequest) -> None:
    server = AppiumServer(make_device(small_phone()), "1.0", lambda: None)
    begin = HttpRequest(method="POST", path="/session", body=b'{"capabilities": {}}')

    async def answers() -> tuple[int, dict[str, Any]]:
        _, record = await server.answer(begin)
        path = request.path.replace("/a", f"/{record['sessionId']}")
        return await server.answer(replace(request, path=path))

    status, record = asyncio.run(answers())
    assert status in (200, 400, 404, 500)
    assert status == 200 or record["value"]["error"]
    json.dumps(record)


@pytest.mark.parametrize("strategy", ["xpath", "id", "class name", "accessibility id", UI_AUTOMATOR])
@given(value=st.text(alphabet="abcé点/*[]()@='\".,;\\0 1UiSelctornewx", max_size=40))
@settings(max_examples=examples(40), deadline=None)
def test_any_locator_is_taken_or_refused(strategy: str, value: str) -> None:
    elements = Elements(small_phone(), CLOCK)
    refusal = ""
    try:
        elements.find(Locator(strategy=strategy, value=value))
    except WebDriverError as error:
        refusal = error.error
    assert refusal in ("", "invalid selector", "no such element")
