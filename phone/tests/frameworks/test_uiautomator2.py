"""uiautomator2: selectors, through the server that it pushes and the phone answers."""

from __future__ import annotations

from typing import Any

import pytest

from phone.tests.frameworks.conftest import CarryOut
from phone.tests.frameworks.scripted import Controller, ScriptedTask
from phone.tests.frameworks.tools import TOOLS

TOOL = TOOLS["uiautomator2"]


class Uiautomator2Controller(Controller):
    """Taps by selectors of uiautomator2; the tree is read only for what no selector finds."""

    def __init__(self, device: Any) -> None:  # noqa: ANN401 - it has no types
        self._device = device

    def observe(self) -> None:
        assert self._device.screenshot().size == self._device.window_size()

    def open(self, package: str) -> None:
        self._device.app_start(package, wait=True)
        assert self._device.app_current()["package"] == package

    def tree(self) -> str:
        return str(self._device.dump_hierarchy())

    def tap(self, x: int, y: int) -> None:
        self._device.click(x, y)

    def write(self, text: str) -> None:
        self._device.send_keys(text)
        assert self._device(focused=True).get_text() == text

    def tap_label(self, label: str) -> None:
        shown = self._device.xpath(f"//*[@text='{label}' or @content-desc='{label}']").all()
        # after a search the word stands in the field, too
        found = [element for element in shown if not element.info["className"].endswith("EditText")] or shown
        found[0].click()


@pytest.mark.parametrize("task", TOOL.cases())
def test_uiautomator2_carries_a_task_out(
    carry_out: CarryOut,
    automator: Any,  # noqa: ANN401 - it has no types
    task: ScriptedTask,
) -> None:
    carry_out(TOOL.name, TOOL.version, task, Uiautomator2Controller(automator))
