"""adb-shell: the ADB protocol in Python, without an adb server."""

from __future__ import annotations

import io
import shlex
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from phone.tests.frameworks.conftest import CarryOut
from phone.tests.frameworks.scripted import Controller, ScriptedTask
from phone.tests.frameworks.tools import TOOLS
from phone.tests.simulated_phone.conftest import Rig

TOOL = TOOLS["adb-shell"]
DUMP = "/sdcard/window_dump.xml"


class AdbShellController(Controller):
    """Shell lines, files by sync, screenshots by exec."""

    def __init__(self, device: Any, folder: Path) -> None:  # noqa: ANN401 - it has no types
        self._device = device
        self._folder = folder

    def _shell(self, line: str) -> str:
        return str(self._device.shell(line))

    def begin(self) -> None:
        assert "selected" in self._shell("ime set com.android.adbkeyboard/.AdbIME")

    def observe(self) -> None:
        png = self._device.exec_out("screencap -p", decode=False)
        assert Image.open(io.BytesIO(png)).size == (540, 1200)

    def open(self, package: str) -> None:
        component = self._shell(f"cmd package resolve-activity --brief {package} | tail -n 1").strip()
        assert self._shell(f"am start -n {component}").startswith("Starting: Intent")

    def tree(self) -> str:
        assert "UI hierchary dumped to" in self._shell(f"rm -f {DUMP}; uiautomator dump {DUMP}")
        file = self._folder / "dump.xml"
        self._device.pull(DUMP, str(file))
        return file.read_text(encoding="utf-8")

    def tap(self, x: int, y: int) -> None:
        assert self._shell(f"input tap {x} {y}") == ""

    def write(self, text: str) -> None:
        script = self._folder / "type.sh"
        script.write_text(f"am broadcast -a ADB_INPUT_TEXT --es msg {shlex.quote(text)}\n", encoding="utf-8")
        self._device.push(str(script), "/data/local/tmp/type.sh")
        assert "result=0" in self._shell("sh /data/local/tmp/type.sh")


@pytest.mark.parametrize("task", TOOL.cases())
def test_adb_shell_carries_a_task_out(
    rig: Rig, carry_out: CarryOut, tmp_path: Path, task: ScriptedTask
) -> None:
    from adb_shell.adb_device import AdbDeviceTcp

    host, _, port = rig.serial.partition(":")
    device = AdbDeviceTcp(host, int(port), default_transport_timeout_s=60)
    assert device.connect(read_timeout_s=60)
    try:
        carry_out(TOOL.name, TOOL.version, task, AdbShellController(device, tmp_path))
    finally:
        device.close()
