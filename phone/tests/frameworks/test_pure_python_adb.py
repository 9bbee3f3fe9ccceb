"""pure-python-adb (ppadb): a client of the adb server in Python."""

from __future__ import annotations

import base64
import io
import warnings
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from phone.tests.frameworks.conftest import CarryOut
from phone.tests.frameworks.scripted import Controller, ScriptedTask
from phone.tests.frameworks.tools import TOOLS
from phone.tests.simulated_phone.conftest import Rig

TOOL = TOOLS["pure-python-adb"]


class PpadbController(Controller):
    """Input by its own calls, the tree by a pulled dump."""

    def __init__(self, device: Any, folder: Path) -> None:  # noqa: ANN401 - it has no types
        self._device = device
        self._folder = folder

    def begin(self) -> None:
        self._device.shell("ime set com.android.adbkeyboard/.AdbIME")

    def observe(self) -> None:
        size = self._device.wm_size()
        picture = Image.open(io.BytesIO(self._device.screencap()))
        assert picture.size == (size.width, size.height)

    def open(self, package: str) -> None:
        self._device.shell(f"monkey -p {package} -c android.intent.category.LAUNCHER 1")
        assert self._device.get_top_activity().package == package

    def tree(self) -> str:
        self._device.shell("uiautomator dump /sdcard/dump.xml")
        file = self._folder / "dump.xml"
        self._device.pull("/sdcard/dump.xml", str(file))
        return file.read_text(encoding="utf-8")

    def tap(self, x: int, y: int) -> None:
        self._device.input_tap(x, y)

    def write(self, text: str) -> None:
        if text.isascii():
            self._device.input_text(text.replace(" ", "%s"))
        else:
            encoded = base64.b64encode(text.encode()).decode()
            self._device.shell(f"am broadcast -a ADB_INPUT_B64 --es msg {encoded}")


@pytest.fixture
def device(rig: Rig) -> Any:  # noqa: ANN401 - it has no types
    """The phone as ppadb's device."""
    with warnings.catch_warnings():
        # its patterns are no raw strings, of which Python warns when it compiles them
        warnings.simplefilter("ignore", DeprecationWarning)
        from ppadb.client import Client
    return Client(host="127.0.0.1", port=rig.adb.port).device(rig.serial)


@pytest.mark.parametrize("task", TOOL.cases())
def test_pure_python_adb_carries_a_task_out(
    carry_out: CarryOut,
    device: Any,  # noqa: ANN401 - it has no types
    tmp_path: Path,
    task: ScriptedTask,
) -> None:
    carry_out(TOOL.name, TOOL.version, task, PpadbController(device, tmp_path))
