"""Device controllers whose source alone is public: their commands, replayed, carry tasks out."""

from __future__ import annotations

from pathlib import Path

import pytest

from phone.tests.frameworks.conftest import CarryOut
from phone.tests.frameworks.replay import CommandList, ReplayedController, command_lists
from phone.tests.frameworks.scripted import TASKS, ScriptedTask
from phone.tests.frameworks.tools import cases
from phone.tests.simulated_phone.conftest import Rig

USED_BY_TASKS = {"begin", "observe", "open", "tap", "write", "swipe", "home", "end"}


@pytest.mark.parametrize(
    ("commands", "task"),
    [
        pytest.param(commands, *case.values, id=f"{commands.name}-{case.id}", marks=case.marks)
        for commands in command_lists().values()
        for case in cases(commands.tasks, commands.in_test)
    ],
)
def test_a_replayed_controller_carries_a_task_out(
    rig: Rig, carry_out: CarryOut, tmp_path: Path, commands: CommandList, task: ScriptedTask
) -> None:
    carry_out(commands.name, commands.commit, task, ReplayedController(commands, rig, tmp_path))


@pytest.mark.parametrize("commands", command_lists().values(), ids=lambda commands: commands.name)
def test_a_phone_answers_the_other_commands_of_a_controller(
    rig: Rig, carry_out: CarryOut, tmp_path: Path, commands: CommandList
) -> None:
    """Long presses, keys, and what is asked around tasks, which no task needs."""
    controller = ReplayedController(commands, rig, tmp_path)
    rig.server.do(lambda phone: phone.start(TASKS["alarm"].package))
    for operation in sorted(commands.operations.keys() - USED_BY_TASKS):
        controller.perform(operation, x=270, y=600, x2=270, y2=300, package=TASKS["alarm"].package)
