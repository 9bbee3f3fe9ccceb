"""adbutils, a client of the adb server in Python."""

from __future__ import annotations

import adbutils
import pytest

from phone.tests.frameworks.conftest import CarryOut
from phone.tests.frameworks.scripted import Controller, ScriptedTask
from phone.tests.frameworks.tools import TOOLS
from phone.tests.simulated_phone.conftest import Rig

TOOL = TOOLS["adbutils"]


class AdbutilsController(Controller):
    """Taps by the tree, as scripts with adbutils do."""

    def __init__(self, device: adbutils.AdbDevice) -> None:
        self._device = device

    def begin(self) -> None:
        self._device.shell(["ime", "set", "com.android.adbkeyboard/.AdbIME"])

    def observe(self) -> None:
        assert self._device.screenshot(error_ok=False).size == self._device.window_size()

    def open(self, package: str) -> None:
        self._device.app_start(package)
        assert self._device.app_current().package == package

    def tree(self) -> str:
        return self._device.dump_hierarchy()

    def tap(self, x: int, y: int) -> None:
        self._device.click(x, y)

    def write(self, text: str) -> None:
        if text.isascii():
            self._device.send_keys(text)
        else:
            self._device.shell(["am", "broadcast", "-a", "ADB_INPUT_TEXT", "--es", "msg", text])


@pytest.mark.parametrize("task", TOOL.cases())
def test_adbutils_carries_a_task_out(rig: Rig, carry_out: CarryOut, task: ScriptedTask) -> None:
    device = adbutils.AdbClient(port=rig.adb.port).device(rig.serial)
    carry_out(TOOL.name, TOOL.version, task, AdbutilsController(device))
