"""Fixtures: a simulated phone behind the real adb, and a task that a tool carries out on it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

import pytest

from phone.tests.frameworks.scripted import SEED, Controller, ScriptedTask
from phone.tests.simulated_phone.conftest import Rig, adb, automator, connected  # noqa: F401 - fixtures
from simulated_phone import Phone, SimulatedPhoneServer

RESULTS = "FINGERTIP_FRAMEWORKS_RESULTS"
"""Environment variable: the JSONL file of results, for `python -m docs.site.frameworks_page`."""


class CarryOut(Protocol):
    """Carries a task out with a tool's controller and evaluates the goal's rule."""

    def __call__(self, tool: str, version: str, task: ScriptedTask, controller: Controller) -> None:
        """Fails unless the state that the task asks for is reached, and was not at the start."""


@pytest.fixture(scope="module")
def rig(connected: Callable[[SimulatedPhoneServer, Phone], Rig]) -> Iterator[Rig]:  # noqa: F811
    """A phone with all apps, behind adb."""
    phone = Phone(seed=SEED, size=(540, 1200), density=210)
    with SimulatedPhoneServer(phone) as server:
        yield connected(server, phone)


@pytest.fixture
def carry_out(rig: Rig, caplog: pytest.LogCaptureFixture) -> CarryOut:
    """Function that plays a task on a phone just reset; a service that logs an error fails it, too."""
    rig.server.do(lambda phone: phone.reset(SEED))

    def play(tool: str, version: str, task: ScriptedTask, controller: Controller) -> None:
        def is_reached() -> bool:
            return rig.server.do(lambda phone: phone.achieved(task.goal))

        assert not is_reached()
        reached = False
        try:
            controller.play(task.steps, is_reached)
            reached = is_reached()
            assert reached, "\n".join(_texts(rig))
            assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == []
        finally:
            _record(tool=tool, version=version, task=task.name, reached=reached)

    return play


def _texts(rig: Rig) -> list[str]:
    return rig.server.do(lambda phone: [node.text for node in phone.screen().nodes() if node.text])


def _record(**result: str | bool) -> None:
    if path := os.environ.get(RESULTS):
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(json.dumps(result, ensure_ascii=False) + "\n")
