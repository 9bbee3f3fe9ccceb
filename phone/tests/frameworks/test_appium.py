"""Appium: its server from npm, its uiautomator2 driver, and its Python client."""

from __future__ import annotations

import base64
import json
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from phone.tests.frameworks.conftest import CarryOut
from phone.tests.frameworks.scripted import Controller, Key, ScriptedTask
from phone.tests.frameworks.tools import TOOLS
from phone.tests.simulated_phone.conftest import BUNDLED_ADB, Rig, free_port
from tests.command_line import fingertip
from tests.shared_datasets import simulated_people

TOOL = TOOLS["Appium"]
CLOCK, SETTINGS = "com.android.deskclock", "com.android.settings"
MODULES = Path(__file__).parents[3] / ".venv-frameworks" / "node" / "node_modules"
"""Where `make frameworks` installs Appium."""

_KEYS: dict[Key, int] = {"back": 4, "home": 3, "recents": 187}


def version_of(package: str) -> str:
    """Version of an npm package that is installed."""
    record = json.loads((MODULES / package / "package.json").read_text(encoding="utf-8"))
    return str(record["version"])


@dataclass(frozen=True, slots=True, kw_only=True)
class AppiumServer:
    """A running Appium.

    Args:
        port: The port on which it listens.
        log: The file of its log.
    """

    port: int
    log: Path

    @property
    def url(self) -> str:
        """Address of the server."""
        return f"http://127.0.0.1:{self.port}"


@pytest.fixture(scope="module")
def appium(rig: Rig, tmp_path_factory: pytest.TempPathFactory) -> Iterator[AppiumServer]:
    folder, port = tmp_path_factory.mktemp("appium"), free_port()
    # an SDK with nothing but adb
    tools = folder / "sdk" / "platform-tools"
    tools.mkdir(parents=True)
    (tools / "adb").symlink_to(BUNDLED_ADB)
    env = dict(
        rig.adb.env, ANDROID_HOME=str(folder / "sdk"), APPIUM_HOME=str(MODULES.parent), TMPDIR=str(folder)
    )
    server = AppiumServer(port=port, log=folder / "appium.log")
    command = ["node", str(MODULES / "appium" / "index.js"), "server"]
    command += ["--address", "127.0.0.1", "--port", str(port), "--log-no-colors"]
    with server.log.open("wb") as log:
        process = subprocess.Popen(command, env=env, stdout=log, stderr=subprocess.STDOUT)
    try:
        _wait_for(server, process)
        yield server
    finally:
        process.terminate()
        process.wait(60)


def _wait_for(server: AppiumServer, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 300
    while True:
        assert process.poll() is None, server.log.read_text(encoding="utf-8")
        assert time.monotonic() < deadline, "expected Appium to listen"
        try:
            with socket.create_connection(("127.0.0.1", server.port), timeout=10):
                return
        except OSError:
            time.sleep(0.2)


@contextmanager
def session(rig: Rig, appium: AppiumServer, **capabilities: str | bool) -> Iterator[Any]:
    """A session of Appium's Python client on the phone."""
    from appium import webdriver
    from appium.options.android import UiAutomator2Options

    wanted = {
        "platformName": "Android",
        "appium:automationName": "UiAutomator2",
        "appium:udid": rig.serial,
        "appium:adbPort": rig.adb.port,
        "appium:systemPort": free_port(),
        **{f"appium:{name}": value for name, value in capabilities.items()},
    }
    driver = webdriver.Remote(appium.url, options=UiAutomator2Options().load_capabilities(wanted))
    try:
        yield driver
    finally:
        driver.quit()


@pytest.fixture
def driver(rig: Rig, appium: AppiumServer) -> Iterator[Any]:
    """A session without an app."""
    with session(rig, appium) as driver:
        yield driver


class AppiumController(Controller):
    """Locators and the active element, as people write it."""

    def __init__(self, driver: Any) -> None:  # noqa: ANN401 - it has no types that we could check
        self._driver = driver

    def observe(self) -> None:
        assert base64.b64decode(self._driver.get_screenshot_as_base64()).startswith(b"\x89PNG")

    def open(self, package: str) -> None:
        self._driver.activate_app(package)
        assert self._driver.current_package == package

    def tree(self) -> str:
        return str(self._driver.page_source)

    def tap(self, x: int, y: int) -> None:
        self._driver.tap([(x, y)])

    def write(self, text: str) -> None:
        field = self._driver.switch_to.active_element
        field.send_keys(text)
        assert field.text == text

    def press(self, key: Key) -> None:
        self._driver.press_keycode(_KEYS[key])

    def tap_label(self, label: str) -> None:
        shown = self._driver.find_elements("xpath", f"//*[@text='{label}' or @content-desc='{label}']")
        # after a search the word stands in the field, too
        found = [one for one in shown if not one.get_attribute("className").endswith("EditText")] or shown
        found[0].click()


@pytest.mark.parametrize("task", TOOL.cases())
def test_appium_carries_a_task_out(
    carry_out: CarryOut,
    driver: Any,  # noqa: ANN401
    task: ScriptedTask,
) -> None:
    version = f"{version_of('appium')}, driver {version_of('appium-uiautomator2-driver')}"
    carry_out(TOOL.name, version, task, AppiumController(driver))


@pytest.mark.frameworks
def test_the_agent_of_the_page_carries_a_personalized_task_out(
    rig: Rig, appium: AppiumServer, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    page = (Path(__file__).parents[3] / "docs" / "attach-your-agent.md").read_text(encoding="utf-8")
    name, text = re.findall(r"^```py (\S+)\n(.*?)^```$", page, flags=re.M | re.S)[0]
    (tmp_path / name).write_text(text, encoding="utf-8")
    people = simulated_people(tmp_path_factory, users=2, episodes=5, seed=466, size=(540, 1200))
    (tmp_path / "sim").symlink_to(people / "dataset")
    options = ["--task", "sim", "1002__20250328_132749", "--out", "runs/appium", "--agent", "appium"]
    agent = [sys.executable, name, "{serial}", appium.url]
    done = fingertip("phone", *options, "--", *agent, cwd=tmp_path, env=rig.adb.env)
    assert done.returncode == 0, done.stderr
    verdict = next(line for line in done.stdout.splitlines() if line.startswith("1002__"))
    # that of the page's uiautomator2 agent, whose decisions are the same
    assert verdict == re.findall(r"^1002__\S+: done \(by rule\).*$", page, flags=re.M)[0]
