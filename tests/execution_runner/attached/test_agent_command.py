"""Values in the command of an attached agent."""

from __future__ import annotations

import pytest

from execution_runner.attached.agent_command import COMMAND_VALUES, check_values, fill_values
from execution_runner.attached.attached_environment import AttachedEnvironment
from fingertip_agents.formats.prompt_wording import make_task_values
from fingertip_dataset.episodes import UserProfile
from fingertip_dataset.errors import UsageError
from fingertip_dataset.tasks.task import ExecutionInput

TASK = ExecutionInput(
    task_id="1__20250310_081530",
    profile=UserProfile(),
    app="com.a",
    reference=None,
    intent="买票",
    time=None,
    scenario="",
)


def test_the_listed_values_are_those_of_a_task() -> None:
    assert {"serial", "task_id", *make_task_values(TASK, "zh")} == set(COMMAND_VALUES)


@pytest.mark.parametrize(
    ("word", "message"),
    [
        # an agent that drives the phone reads these from it
        ("{app}", "unknown value {app}"),
        ("{elements}", "unknown value {elements}"),
        ("--goal={intnet}", "unknown value {intnet}: did you mean intent?; known are serial, task_id"),
        ("{reference_action}", "did you mean reference_actions?"),
    ],
)
def test_a_value_that_would_stay_in_braces_is_refused(word: str, message: str) -> None:
    with pytest.raises(UsageError) as refused:
        AttachedEnvironment("phone", {}, command=("agent", word))
    assert message in str(refused.value)


@pytest.mark.parametrize("word", ["${task}", "{x}", '{"app": 1}', "{APP}", "{}", "{a,b}"])
def test_other_braces_are_text(word: str) -> None:
    check_values(("agent", word, "{intent}"))
    assert fill_values((word,), {"serial": "s"}) == (word,)
