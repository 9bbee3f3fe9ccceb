"""Airtest: finds pictures on the screen and touches them; types with its own keyboard app."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from phone.tests.frameworks.conftest import CarryOut
from phone.tests.frameworks.scripted import Controller, ScriptedTask, bounds_of
from phone.tests.frameworks.tools import TOOLS
from phone.tests.simulated_phone.conftest import BUNDLED_ADB, Rig

TOOL = TOOLS["Airtest"]
ROOT = Path(__file__).parents[3]
PYTHON = ROOT / ".venv-airtest" / "bin" / "python"

pytestmark = pytest.mark.frameworks


class Airtest:
    """Calls Airtest in its own process."""

    def __init__(self, rig: Rig) -> None:
        assert PYTHON.exists(), (
            "expected Airtest in .venv-airtest, got none: make .venv-airtest/airtest.stamp"
        )
        # an adb of another version would end the server
        env = rig.adb.env | {"PATH": f"{BUNDLED_ADB.parent}{os.pathsep}{os.environ['PATH']}"}
        env.pop("PYTHONPATH", None)
        self._process = subprocess.Popen(
            [PYTHON, Path(__file__).with_name("airtest_child.py"), rig.serial, str(rig.adb.port)],
            env=env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def call(self, name: str, *arguments: object) -> Any:  # noqa: ANN401 - JSON
        """The result of a call.

        Raises:
            AssertionError: Airtest raised an error.
        """
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps({"call": name, "arguments": arguments}) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        assert "error" not in answer, answer["error"]
        return answer["result"]

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


class AirtestController(Controller):
    """Touches what looks like the element: a cut-out of an earlier screen, as a script's author makes it."""

    def __init__(self, airtest: Airtest, rig: Rig, folder: Path) -> None:
        self._airtest = airtest
        self._rig = rig
        self._folder = folder

    def observe(self) -> None:
        assert self._airtest.call("snapshot") == [1200, 540]

    def open(self, package: str) -> None:
        self._airtest.call("start_app", package)
        assert self._airtest.call("top").startswith(f"{package}/")

    def tree(self) -> str:
        return self._rig.server.do(lambda phone: phone.tree())

    def tap(self, x: int, y: int) -> None:
        raise NotImplementedError("Airtest touches pictures")

    def tap_label(self, label: str) -> None:
        box = bounds_of(self.tree(), label)
        file = self._folder / "cut-out.png"
        self._rig.server.do(lambda phone: phone.screenshot().crop(box).save(file))
        self._airtest.call("touch", str(file))

    def write(self, text: str) -> None:
        self._airtest.call("text", text)


@pytest.fixture
def airtest(rig: Rig) -> Iterator[Airtest]:
    """Airtest connected to the phone."""
    process = Airtest(rig)
    yield process
    process.close()


@pytest.mark.parametrize("task", TOOL.cases())
def test_airtest_carries_a_task_out(
    rig: Rig, carry_out: CarryOut, airtest: Airtest, tmp_path: Path, task: ScriptedTask
) -> None:
    carry_out(TOOL.name, TOOL.version, task, AirtestController(airtest, rig, tmp_path))
