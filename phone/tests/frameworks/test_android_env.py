"""android_env: the requests by which android_world and others drive a phone over adb."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from phone.tests.frameworks.conftest import CarryOut
from phone.tests.frameworks.scripted import Controller, ScriptedTask
from phone.tests.frameworks.tools import TOOLS
from phone.tests.simulated_phone.conftest import BUNDLED_ADB, Rig

TOOL = TOOLS["android_env"]
DUMP = "/sdcard/window_dump.xml"

Ask = Callable[..., Any]

pytestmark = pytest.mark.frameworks


@pytest.fixture
def ask(rig: Rig) -> Ask:
    """Function that sends a request, given as the name of its kind and its fields; returns the response."""
    from android_env.components.adb_call_parser import AdbCallParser
    from android_env.components.adb_controller import AdbController
    from android_env.components.config_classes import AdbControllerConfig
    from android_env.proto import adb_pb2

    config = AdbControllerConfig(
        adb_path=str(BUNDLED_ADB), adb_server_port=rig.adb.port, device_name=rig.serial
    )
    parser = AdbCallParser(AdbController(config))

    def send(kind: str, **fields: object) -> Any:  # noqa: ANN401 - of a generated class
        response = parser.parse(adb_pb2.AdbRequest(**{kind: fields}))
        assert response.status == adb_pb2.AdbResponse.Status.OK, response
        return response

    return send


class AndroidEnvController(Controller):
    """Requests; the tree by `uiautomator dump`, as android_world reads it without its helper app."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    def begin(self) -> None:
        self._ask("press_button", button=0)

    def observe(self) -> None:
        assert "/" in self._ask("get_current_activity").get_current_activity.full_activity

    def open(self, package: str) -> None:
        self._ask("generic", args=["shell", "monkey", "-p", package, "1"])

    def tree(self) -> str:
        self._ask("generic", args=["shell", "uiautomator", "dump", DUMP])
        return str(self._ask("pull", path=DUMP).pull.content.decode())

    def tap(self, x: int, y: int) -> None:
        self._ask("tap", x=x, y=y)

    def write(self, text: str) -> None:
        self._ask("input_text", text=text.replace(" ", "%s"))


@pytest.mark.parametrize("task", TOOL.cases())
def test_android_env_carries_a_task_out(carry_out: CarryOut, ask: Ask, task: ScriptedTask) -> None:
    carry_out(TOOL.name, TOOL.version, task, AndroidEnvController(ask))
