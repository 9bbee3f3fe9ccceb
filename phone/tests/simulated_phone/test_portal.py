"""DroidRun's portal on the phone: its HTTP server through adb forward, and its content provider."""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from phone.tests.simulated_phone.conftest import Rig, apk
from simulated_phone.adb.helper_apps import HELPER_APPS

CLOCK, LABEL, PORTAL = "com.android.deskclock", "赶飞机", "com.mobilerun.portal"
URI = f"content://{PORTAL}"


@dataclass(frozen=True, kw_only=True)
class Portal:
    """A client of the portal's HTTP server."""

    port: int
    token: str

    def send(
        self, method: str, path: str, body: bytes | None = None, *, signed: bool = True
    ) -> tuple[int, bytes]:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request(method, path, body, {"Authorization": f"Bearer {self.token}"} if signed else {})
        response = connection.getresponse()
        data = response.read()
        connection.close()
        return response.status, data

    def ask(self, method: str, path: str, values: Mapping[str, object] | None = None) -> dict[str, Any]:
        status, data = self.send(method, path, None if values is None else json.dumps(values).encode())
        assert status == 200
        record: dict[str, Any] = json.loads(data)
        return record

    def do(self, path: str, **values: object) -> object:
        """The result of an action that succeeds."""
        record = self.ask("POST", path, values)
        assert record["status"] == "success", record
        return record["result"]

    def centre(self, text: str) -> tuple[int, int]:
        """Centre of the first element with a text, description or class."""
        nodes = [self.ask("GET", "/state_full")["result"]["a11y_tree"]]
        while nodes:
            node = nodes.pop(0)
            if text in (node["text"], node["contentDescription"], node["className"]):
                box = node["boundsInScreen"]
                return (box["left"] + box["right"]) // 2, (box["top"] + box["bottom"]) // 2
            nodes += node["children"]
        raise AssertionError(f"expected {text!r} on the screen, got none")

    def tap(self, text: str) -> None:
        x, y = self.centre(text)
        self.do("/tap", x=x, y=y)


@pytest.fixture
def portal(rig: Rig, tmp_path: Path) -> Iterator[Portal]:
    path = tmp_path / "portal.apk"
    path.write_bytes(apk(PORTAL))
    assert b"Success" in rig.run("install", "-g", str(path)).stdout
    helper = HELPER_APPS[PORTAL]
    rig.output(f"settings put secure enabled_accessibility_services {helper.accessibility}")
    rig.output(f"ime enable {helper.keyboards[0]} && ime set {helper.keyboards[0]}")
    answer = rig.output(f"content query --uri {URI}/auth_token").removeprefix("Row: 0 result=")
    port = int(rig.run("forward", "tcp:0", "tcp:8080").stdout)
    yield Portal(port=port, token=json.loads(answer)["result"])
    rig.run("forward", "--remove", f"tcp:{port}")
    rig.run("uninstall", PORTAL)


@pytest.fixture
def server(rig: Rig, portal: Portal) -> Portal:
    """The portal with its HTTP server running."""
    rig.output(f"content insert --uri {URI}/toggle_socket_server --bind enabled:b:true")
    return portal


def test_the_server_listens_while_it_is_switched_on(rig: Rig, portal: Portal) -> None:
    with pytest.raises((OSError, HTTPException)):
        portal.send("GET", "/ping")
    rig.output(f"content insert --uri {URI}/toggle_socket_server --bind enabled:b:true")
    assert portal.send("GET", "/ping", signed=False)[0] == 200
    assert portal.send("GET", "/state", signed=False)[0] == 401
    rig.output(f"content insert --uri {URI}/socket_port --bind port:i:9090")
    with pytest.raises((OSError, HTTPException)):
        portal.send("GET", "/ping")
    rig.output(f"content insert --uri {URI}/toggle_socket_server --bind port:i:8080")
    assert portal.ask("GET", "/version")["result"] == HELPER_APPS[PORTAL].version
    rig.output(f"am force-stop {PORTAL}")
    with pytest.raises((OSError, HTTPException)):
        portal.send("GET", "/ping")


def test_an_alarm_is_set(rig: Rig, server: Portal) -> None:
    server.do("/app", package=CLOCK)
    server.tap("添加闹钟")
    server.tap("android.widget.EditText")
    server.do("/keyboard/input", base64_text=base64.b64encode(LABEL.encode()).decode(), clear=True)
    state = server.ask("GET", "/state_full")["result"]["phone_state"]
    assert (state["focusedElement"]["text"], state["isEditable"]) == (LABEL, True)
    server.do("/keyboard/key", key_code=66)
    server.tap("保存")
    alarms = rig.server.do(lambda phone: [alarm["label"] for alarm in phone.state[CLOCK]["alarms"]])
    assert LABEL in alarms


def test_a_screenshot_is_a_png(rig: Rig, server: Portal) -> None:
    status, data = server.send("GET", "/screenshot?hideOverlay=false")
    assert status == 200
    expected = rig.server.do(lambda phone: phone.screenshot().tobytes())
    assert Image.open(io.BytesIO(data)).convert("RGB").tobytes() == expected


def test_other_methods_act(rig: Rig, server: Portal) -> None:
    server.do("/action/app", packageName=CLOCK, stopBeforeLaunch=True)
    assert server.send("POST", "/tap", b"x=10&y=10")[0] == 200
    server.tap("世界时钟")
    server.tap("添加城市")
    before = server.ask("GET", "/a11y_tree")
    server.do("/swipe", startX=270, startY=900, endX=270, endY=300, duration=200)
    assert server.ask("GET", "/a11y_tree") != before
    server.do("/global", action=4)
    assert rig.server.do(lambda phone: phone.foreground[0]) == "com.android.systemui"
    server.do("/global", action=2)
    assert rig.server.do(lambda phone: phone.foreground[0]) == "com.android.launcher3"
    server.do("/app/stop", package=CLOCK)
    server.do("/clipboard/set", text_base64=base64.b64encode(LABEL.encode()).decode())
    assert server.ask("GET", "/clipboard/get")["result"] == LABEL
    assert server.do("/time") == rig.server.do(lambda phone: round(phone.now.timestamp() * 1000))
    assert server.do("/packages")
    server.do("/keyboard/clear")


@pytest.mark.parametrize(
    ("path", "values"),
    [
        ("/app", {"package": "com.example"}),
        ("/app/stop", {}),
        ("/global", {"action": 99}),
        ("/keyboard/input", {"base64_text": "?"}),
        ("/install", {}),
    ],
)
def test_what_cannot_be_done_is_an_error(server: Portal, path: str, values: dict[str, object]) -> None:
    record = server.ask("POST", path, values)
    assert (record["status"], bool(record["error"])) == ("error", True)


def test_what_is_no_request_is_an_error(rig: Rig, server: Portal) -> None:
    assert server.ask("GET", "/colour")["status"] == "error"
    assert server.ask("DELETE", "/state")["status"] == "error"
    assert json.loads(server.send("POST", "/tap", b"{")[1])["status"] == "error"
    rig.output("settings delete secure enabled_accessibility_services")
    assert server.ask("GET", "/state_full")["error"] == "Accessibility service not available"
    assert server.ask("POST", "/tap", {"x": 1})["error"] == "Accessibility service not available"
    rig.server.do(lambda phone: phone.set_fault("no_input_injection", True))
    rig.output(f"settings put secure enabled_accessibility_services {HELPER_APPS[PORTAL].accessibility}")
    assert server.ask("POST", "/tap", {"x": 1})["status"] == "error"
