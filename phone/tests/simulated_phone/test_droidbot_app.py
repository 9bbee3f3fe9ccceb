"""DroidBot's app: its accessibility service sends the screen's elements, its keyboard types."""

from __future__ import annotations

import json
import socket
import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from phone.tests.simulated_phone.conftest import Rig, apk
from simulated_phone.adb.helper_apps import DROIDBOT_KEYBOARD, HELPER_APPS
from simulated_phone.device_servers.droidbot_app import DROIDBOT, DROIDBOT_PORT
from simulated_phone.goals.steps import Tap
from simulated_phone.people.gestures import GesturePlayer
from simulated_phone.phone import Phone

SERVICE = HELPER_APPS[DROIDBOT].accessibility


@pytest.fixture
def installed(rig: Rig, tmp_path: Path) -> Rig:
    """The phone with DroidBot's app, which the reset before a test does not remove."""
    (tmp_path / "droidbotApp.apk").write_bytes(apk(DROIDBOT))
    assert b"Success" in rig.run("install", str(tmp_path / "droidbotApp.apk")).stdout
    return rig


@pytest.fixture
def events(installed: Rig) -> Iterator[Callable[[], dict[str, Any]]]:
    """Function that reads the next event."""
    installed.output(f"settings put secure enabled_accessibility_services null:{SERVICE}")
    port = int(installed.run("forward", "tcp:0", f"tcp:{DROIDBOT_PORT}").stdout)
    with (
        socket.create_connection(("127.0.0.1", port), timeout=60) as connection,
        connection.makefile("rb") as stream,
    ):

        def read() -> dict[str, Any]:
            _, _, length = struct.unpack(">BBI", stream.read(6))
            head, mark, body = stream.read(length).decode().partition("AccEvent >>> ")
            assert (head, mark) == ("", "AccEvent >>> ")
            return json.loads(body)  # type: ignore[no-any-return]

        yield read
    installed.run("forward", "--remove", f"tcp:{port}")


def texts(view: dict[str, Any]) -> list[str]:
    own = [view["text"] or view["content_description"] or ""]
    return own + [text for child in view["children"] for text in texts(child)]


def test_an_event_is_sent_at_first_and_after_each_change(
    installed: Rig, events: Callable[[], dict[str, Any]]
) -> None:
    first = events()["root_node"]
    assert first["package"] == "com.android.launcher3"
    assert first["bounds"][:3] == [0, 0, 540]
    installed.output("am start com.android.deskclock")
    while (root := events()["root_node"])["package"] != "com.android.deskclock":
        pass
    assert "添加闹钟" in texts(root)
    assert f"ServiceRecord{{5c0ffee u0 {SERVICE}}}" in installed.output("dumpsys activity services")


def test_nothing_listens_before_the_service_is_enabled(installed: Rig) -> None:
    port = int(installed.run("forward", "tcp:0", f"tcp:{DROIDBOT_PORT}").stdout)
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        assert connection.recv(1) == b""
    installed.run("forward", "--remove", f"tcp:{port}")


def test_its_keyboard_sets_and_appends_text(installed: Rig) -> None:
    installed.output(f"ime enable {DROIDBOT_KEYBOARD}; ime set {DROIDBOT_KEYBOARD}")
    installed.server.do(lambda phone: phone.start("com.android.deskclock"))
    installed.server.do(open_label_field)
    installed.output("am broadcast -a DROIDBOT_INPUT_TEXT --es text 早 --ei mode 0")
    installed.output("am broadcast -a DROIDBOT_INPUT_TEXT --es text 起 --ei mode 1")
    assert installed.server.do(lambda phone: phone.shown().focus.text) == "早起"  # type: ignore[union-attr]
    installed.output("am broadcast -a DROIDBOT_INPUT_TEXT --es text 晚 --ei mode 0")
    assert installed.server.do(lambda phone: phone.shown().focus.text) == "晚"  # type: ignore[union-attr]


def open_label_field(phone: Phone) -> None:
    """Opens a new alarm and puts the focus on its label."""
    player = GesturePlayer(phone)
    player.play([Tap("添加闹钟")])
    field = next(node for node in phone.screen().nodes() if node.entry is not None)
    phone.tap(*field.box.centre)
