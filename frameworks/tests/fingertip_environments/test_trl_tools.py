"""TRL's tools: the person's touches by label earn the reward; what a model may do wrong is told to it."""

from __future__ import annotations

import inspect
from dataclasses import replace

import pytest

from execution_runner.execution_view import ExecutionView
from fingertip_dataset.actions import Click, parse_action
from fingertip_dataset.errors import UsageError
from fingertip_dataset.tasks.task import ReferenceSequence
from fingertip_environments import PhoneTask, PhoneTools, live_tasks, phone_tools, prompt_rows
from fingertip_environments.phone_task import task_info

SIZE = (360, 800)


@pytest.fixture(scope="module")
def task() -> PhoneTask:
    """A task that the person did with touches only."""
    tasks = live_tasks(first=4, people=3, episodes=20, size=SIZE)
    return next(
        one
        for one in tasks
        if all(isinstance(parse_action(line), Click) for line in one.task.target.golden_actions[:-1])
    )


def test_the_persons_touches_earn_the_reward(task: PhoneTask) -> None:
    tools = phone_tools([task])()
    (row,) = prompt_rows([task])
    assert tools.reset(**row).startswith("Screen: ")  # type: ignore[arg-type]
    assert tools.get_reward() == 0
    for action in map(parse_action, task.task.target.golden_actions[:-1]):
        assert isinstance(action, Click)
        last = tools.click(action.content or "")
    assert (tools.get_reward(), last) == (1.0, "The episode is over.")
    assert tools.press_home() == "The episode is over."
    tools.reset(task_id=task.task_id)
    assert tools.get_reward() == 0


def test_the_environments_show_the_terms_of_equation_2(task: PhoneTask) -> None:
    reference = ReferenceSequence(
        episode_id="1__x",
        intent="打开天气",
        similarity=0.5,
        actions=("click(coordinates=(1, 2), content='天气')",),
    )
    own = replace(task, task=replace(task.task, input=replace(task.task.input, reference=reference)))
    (row,) = prompt_rows([own])
    text = row["prompt"][0]["content"]  # type: ignore[index]
    assert [line for line in text.splitlines() if line.startswith("# ")] == [
        "# 手机主人",
        "# 要完成的任务",
        "# 这位用户以前怎样完成类似的任务",
    ]
    assert own.intent in text
    assert "1. click(content='天气')" in text
    info = task_info(own)
    assert set(info) == {"task_id", "intent", "answer_form", "profile", "reference", "step_limit"}
    assert info["reference"] == {"actions": list(reference.actions)}
    more = task_info(replace(own, view=ExecutionView(more=("time", "place", "reference-intent"))))
    assert more["time"].startswith(f"{task.task.input.time:%Y-%m-%d}")
    assert (more["scenario"], more["reference"]["intent"]) == (task.task.input.scenario, "打开天气")


def test_each_action_is_a_tool(task: PhoneTask) -> None:
    tools = PhoneTools([task], stop_at_goal=False)
    tools.reset(task_id=task.task_id)
    assert tools.type_text("晴天") == "no text field has the focus: nothing was typed"
    for call in (tools.press_back, tools.press_home, lambda: tools.scroll("right")):
        assert call().startswith("Screen: ")
    with pytest.raises(ValueError, match="nothing on the screen says 'no such label'"):
        tools.long_click("no such label")
    assert tools.finished() == "The episode is over."
    assert tools.get_reward() == 0


def test_every_tool_has_types_and_a_description() -> None:
    from transformers.utils import get_json_schema

    names = {name for name in vars(PhoneTools) if not name.startswith("_")} - {"reset", "get_reward"}
    assert names == {"click", "long_click", "type_text", "scroll", "press_back", "press_home", "finished"}
    for name in names:
        schema = get_json_schema(getattr(PhoneTools([]), name))["function"]
        assert schema["description"]
        expected = set(inspect.signature(getattr(PhoneTools, name)).parameters) - {"self"}
        assert set(schema["parameters"]["properties"]) == expected


def test_an_unknown_task_has_one_line(task: PhoneTask) -> None:
    with pytest.raises(UsageError, match="there is no task 'x'"):
        PhoneTools([task]).reset(task_id="x")


def test_untidy_trees_are_what_the_model_reads(task: PhoneTask) -> None:
    tidy, untidy = (phone_tools([task], trees=trees)() for trees in ("clean", "rough"))
    assert tidy.reset(task_id=task.task_id) != untidy.reset(task_id=task.task_id)
    action = parse_action(task.task.target.golden_actions[0])
    assert isinstance(action, Click)
    assert untidy.click(action.content or "") != tidy.reset(task_id=task.task_id)


def test_wrong_arguments_of_a_model_are_told_to_it(task: PhoneTask) -> None:
    tools = PhoneTools([task], stop_at_goal=False)
    tools.reset(task_id=task.task_id)
    with pytest.raises(ValueError, match="nothing on the screen says ''"):
        tools.click("")
    with pytest.raises(ValueError, match="there is no direction 'sideways'; there are up, down, left, right"):
        tools.scroll("sideways")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="expected a text, got None"):
        tools.type_text(None)  # type: ignore[arg-type]


def test_a_number_is_an_answer() -> None:
    tasks = live_tasks(people=3, episodes=12, size=SIZE)
    question = next(one for one in tasks if "12" in one.task.input.answer_form)
    tools = PhoneTools([question])
    tools.reset(task_id=question.task_id)
    answer = question.task.target.golden_actions[-1].split("'")[1]
    number = float(answer) if "." in answer else int(answer)
    assert tools.finished(number) == "The episode is over."  # type: ignore[arg-type]
    assert tools.get_reward() == 1
