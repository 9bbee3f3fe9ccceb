"""The tools and device controllers that carry tasks out on the simulated phone, and with which tasks."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import pytest
from _pytest.mark.structures import ParameterSet

from phone.tests.frameworks.scripted import TASKS

HERE = Path(__file__).parent
ALL = ("alarm", "search", "message")


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A tool of other people.

    Args:
        name: Name in docs/developers/frameworks.md.
        distribution: Name of its package in the registry.
        tasks: Names of the tasks that it carries out.
        in_test: Those of them that `make test` runs; the others need `make frameworks`.
        calls: Which of the tool's calls are used, for docs/developers/frameworks.md.
    """

    name: str
    distribution: str
    tasks: tuple[str, ...]
    in_test: tuple[str, ...] = ()
    calls: str

    @property
    def version(self) -> str:
        """Version that `make frameworks` installs, else that of the tested packages."""
        pins = "".join(file.read_text(encoding="utf-8") for file in sorted(HERE.glob("*.txt")))
        pinned = re.search(rf"(?m)^{re.escape(self.distribution)}==(\S+)$", pins)
        return pinned.group(1) if pinned else version(self.distribution)

    def cases(self) -> list[ParameterSet]:
        """The tasks as arguments of `pytest.mark.parametrize`."""
        return cases(self.tasks, self.in_test)


def cases(tasks: tuple[str, ...], in_test: tuple[str, ...]) -> list[ParameterSet]:
    """Tasks as arguments of `pytest.mark.parametrize`; those that `make test` leaves out are marked so."""
    return [
        pytest.param(TASKS[name], id=name, marks=() if name in in_test else pytest.mark.frameworks)
        for name in tasks
    ]


TOOLS = {
    tool.name: tool
    for tool in (
        Tool(
            name="Appium",
            distribution="Appium-Python-Client",
            tasks=ALL,
            calls="`activate_app`, locators, `click`, `send_keys`, screenshots",
        ),
        Tool(
            name="adbutils",
            distribution="adbutils",
            tasks=ALL,
            in_test=("alarm",),
            calls="`app_start`, `dump_hierarchy`, `click`, `send_keys`, `shell`",
        ),
        Tool(
            name="uiautomator2",
            distribution="uiautomator2",
            tasks=ALL,
            in_test=("message",),
            calls="`app_start`, selectors, `xpath`, `send_keys`, `screenshot`",
        ),
        Tool(
            name="adb-shell",
            distribution="adb-shell",
            tasks=ALL,
            calls="`AdbDeviceTcp`: `shell`, `exec_out`, `push`, `pull`, without an adb server",
        ),
        Tool(
            name="mobilerun",
            distribution="mobilerun",
            tasks=ALL,
            calls="`mobilerun run`: the whole agent (DroidRun), with a scripted model; its portal",
        ),
        Tool(
            name="pure-python-adb",
            distribution="pure-python-adb",
            tasks=ALL,
            calls="`shell`, `input_tap`, `input_text`, `pull`, `screencap`",
        ),
        Tool(
            name="android_env",
            distribution="android-env",
            tasks=("alarm", "search", "ascii-message"),
            calls="`AdbController`, `AdbCallParser`, through which android_world sends its commands",
        ),
        Tool(
            name="Airtest",
            distribution="airtest",
            tasks=ALL,
            calls="`start_app`, `touch(Template(...))`, `text` through its own keyboard app, `snapshot`",
        ),
    )
}
