"""TRL's tools with pictures: answers in each format's own grammar, the conversation of `execute`, budgets."""

from __future__ import annotations

import logging
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from fingertip_agents.execution_agent import PastStep, ScreenInput
from fingertip_agents.formats.picture_format import PictureFormat
from fingertip_agents.registry import FORMATS, make_format
from fingertip_dataset.actions import Action, Click, Wait, format_action, parse_action
from fingertip_dataset.errors import MissingExtraError, UsageError
from fingertip_environments.phone_core import PhoneCore
from fingertip_environments.phone_task import PhoneTask, live_tasks, load_tasks
from fingertip_environments.picture_tools import PictureTools, make_picture_rows, write_answer
from fingertip_environments.rewards import EpisodeOutcome
from fingertip_environments.screen_pictures import ScreenPictures, list_parts
from fingertip_environments.trl_attempt import AttemptCounts
from fingertip_environments.trl_tools import phone_tools

SIZE = (360, 800)
POINT_FORMATS = [name for name in FORMATS if isinstance(make_format(name), PictureFormat)]
CONVERSATIONS = [name for name in POINT_FORMATS if make_format(name).conversation]  # type: ignore[attr-defined]

REWRITTEN = ("autoglm-phone", "mai-ui", "ui-venus-2")
"""Formats that write earlier turns anew: without their pictures, in other words, or under another heading."""


@pytest.fixture(scope="module")
def task() -> PhoneTask:
    """A task that the person did with touches only."""
    tasks = live_tasks(first=4, people=3, episodes=20, size=SIZE)
    return next(
        one
        for one in tasks
        if all(isinstance(parse_action(line), Click) for line in one.task.target.golden_actions[:-1])
    )


def make_tools(
    task: PhoneTask,
    format: str = "qwen3-vl",
    *,
    most: int | None = None,
    counts: AttemptCounts | None = None,
    core: PhoneCore | None = None,
) -> PictureTools:
    screens = ScreenPictures(format=format, processor=None, most=most, max_completion_length=50)
    return PictureTools([task], core or PhoneCore(stop_at_goal=True), screens, counts)


def answer_with(tools: PictureTools, action: Action) -> str:
    written = write_answer(tools, action)
    assert written is not None
    return written


@pytest.mark.parametrize("format", POINT_FORMATS)
def test_the_persons_touches_in_the_models_own_frame_earn_the_reward(task: PhoneTask, format: str) -> None:
    tools = make_tools(task, format)
    parts = tools.reset(task_id=task.task_id)
    assert [part["type"] for part in parts].count("image") == 1
    for action in map(parse_action, task.task.target.golden_actions[:-1]):
        assert tools.get_reward() == 0
        shown = tools.act(answer_with(tools, action))
    assert isinstance(shown, str)
    assert len(shown.split()) > 50  # what does not fit is dropped by TRL, and ends the attempt
    assert tools.get_reward() == 1
    assert tools.act("one more") == shown


@pytest.mark.parametrize("format", CONVERSATIONS)
def test_the_conversation_is_the_prompt_of_execute(task: PhoneTask, format: str) -> None:
    tools = make_tools(task, format, core=PhoneCore())
    (row,) = make_picture_rows([task], tools._screens)
    *before, last = row["prompt"]
    messages = [*before, {**last, "content": last["content"] + tools.reset(task_id=task.task_id)}]
    past: list[PastStep] = []
    for _ in range(2):
        output = answer_with(tools, Wait())
        screenshot = tools._core.png()
        past.append(PastStep(action=Wait(), written="wait()", output=output, screenshot=screenshot))
        messages.append({"role": "assistant", "content": [{"type": "text", "text": output}]})
        messages.append({"role": "user", "content": tools.act(output)})
    core = tools._core
    screen = ScreenInput(screenshot=core.png(), tree=core.tree(), size=SIZE, package="")
    sent = make_format(format).prepare(task.shown_input, screen, past, "zh").messages
    shown, expected = (
        _join(messages),
        _join([{"role": one.role, "content": list_parts(one)} for one in sent]),
    )
    if format not in REWRITTEN:
        assert shown == expected
    assert (shown[0], shown[-1]) == (expected[0], expected[-1])


def _join(messages: list[dict[str, Any]]) -> list[tuple[str, Any]]:
    """Role, and text or hash of the pixels, of each part."""
    return [
        (message["role"], part.get("text") or hash(part["image"].tobytes()))
        for message in messages
        for part in message["content"]
    ]


def test_other_formats_show_the_new_screen_alone(task: PhoneTask) -> None:
    tools = make_tools(task)
    first = tools.reset(task_id=task.task_id)
    assert [part["type"] for part in first] == ["text", "image"]
    (shown,) = tools.act(answer_with(tools, Wait()))
    assert isinstance(shown["image"], Image.Image)  # type: ignore[index]


def test_a_budget_of_screens_ends_the_attempt_by_the_rule(task: PhoneTask) -> None:
    outcomes: list[EpisodeOutcome] = []
    core = PhoneCore(reward=lambda outcome: outcomes.append(outcome) or 0.25)
    tools = make_tools(task, most=2, core=core)
    tools.reset(task_id=task.task_id)
    assert isinstance(tools.act(answer_with(tools, Wait())), list)
    assert isinstance(tools.act(answer_with(tools, Wait())), str)
    assert tools.get_reward() == 0.25
    assert [(outcome.end, outcome.success, len(outcome.actions)) for outcome in outcomes] == [
        ("stopped", False, 2)
    ]
    tools.reset(task_id=task.task_id)
    assert isinstance(tools.act(answer_with(tools, Wait())), list)


def test_what_cannot_be_read_is_a_wait_and_scored_as_written(task: PhoneTask) -> None:
    outcomes: list[EpisodeOutcome] = []
    core = PhoneCore(reward=lambda outcome: outcomes.append(outcome) or 0.0)
    tools = make_tools(task, core=core)
    tools.reset(task_id=task.task_id)
    assert isinstance(tools.act("I would rather not"), list)
    tools.get_reward()
    assert (core.actions, outcomes[0].actions) == (("wait()",), ("I would rather not",))


def test_several_actions_of_an_answer_are_all_performed(task: PhoneTask) -> None:
    tools = make_tools(task, "ui-tars-v1")
    tools.reset(task_id=task.task_id)
    tools.act("Thought:\nAction: press_home()\npress_back()")
    assert tools._core.actions == ("press_home()", "press_back()")


def test_a_model_that_calls_no_tool_is_one_line_in_ten(
    task: PhoneTask, caplog: pytest.LogCaptureFixture
) -> None:
    counts = AttemptCounts()
    tools = make_tools(task, counts=counts)
    with caplog.at_level(logging.WARNING):
        for _ in range(12):
            tools.reset(task_id=task.task_id)
            assert tools.get_reward() == 0
            assert tools.get_reward() == 0
    lines = [record.getMessage() for record in caplog.records]
    assert lines == [
        f"the model called no tool at {task.task_id}: its reward is 0, by the rule ({count} attempts so far)"
        for count in ("1 of 1", "10 of 10")
    ]
    assert (counts.attempts, counts.without_call, counts.interrupted) == (12, 12, 0)


def test_an_attempt_whose_phone_fails_has_no_reward_and_the_next_one_goes_on(
    task: PhoneTask, caplog: pytest.LogCaptureFixture
) -> None:
    counts = AttemptCounts()
    tools = make_tools(task, counts=counts)
    tools.reset(task_id=task.task_id)
    tools._core.phone.data["front"] = "no.such.app"  # a page that the phone cannot make
    tools.act(answer_with(tools, Click(x=90, y=90)))
    assert tools.get_reward() is None
    assert isinstance(tools.act("more"), str)
    judged = make_tools(task, counts=counts, core=PhoneCore(reward=_NeedsStates()))
    judged.reset(task_id=task.task_id)
    judged._core.phone.data.clear()  # a state that no rule can read
    assert judged.get_reward() is None
    assert (counts.attempts, counts.interrupted, counts.without_call) == (2, 2, 0)
    lines = [record.getMessage() for record in caplog.records]
    assert len(lines) == 2
    for line in lines:
        assert line.startswith("the phone failed: ")
        assert line.endswith(f": the attempt at {task.task_id} is interrupted and has no reward")
        assert "\n" not in line
    tools.reset(task_id=task.task_id)
    for action in map(parse_action, task.task.target.golden_actions[:-1]):
        tools.act(answer_with(tools, action))
    assert tools.get_reward() == 1


class _NeedsStates:
    needs_states = True

    def __call__(self, outcome: EpisodeOutcome) -> float:
        return 0.0


def test_a_question_is_answered_and_costs_no_screen(people: Path) -> None:
    (task, *_) = load_tasks(people, split="test_execution", instructions="no_arguments", can_ask=True)
    tools = make_tools(task, most=2)
    tools.reset(task_id=task.task_id)
    for _ in range(2):
        (reply,) = tools.act("ask(text='What?')")
        assert reply == {"type": "text", "text": tools._core.spoken[-1][1]}
    assert tools._core.actions == ()
    assert isinstance(tools.act(answer_with(tools, Wait())), list)


def test_what_cannot_be_shown_is_refused_in_one_line(task: PhoneTask) -> None:
    right = ScreenPictures(format="qwen3-vl", processor=None, max_completion_length=9)
    wrong: tuple[tuple[dict[str, Any], str], ...] = (
        ({"format": "qwen9"}, "qwen9"),
        ({"format": "appagent"}, "appagent lists the elements of each screen"),
        ({"most": 0}, "expected a whole number of 1 or more, got most=0"),
        ({"most": 1.5}, "expected a whole number of 1 or more, got most=1.5"),
        ({"max_pixels": 0}, "got max_pixels=0"),
        ({"max_completion_length": -1}, "got max_completion_length=-1"),
        ({"max_pixels": 3}, "pixels"),
    )
    for change, problem in wrong:
        with pytest.raises(UsageError, match=problem):
            replace(right, **change)
    limit = int(task.task.target.step_limit)
    assert right.count_screens([task]) == limit
    assert replace(right, most=3).count_screens([task]) == min(3, limit)


def test_hidden_parts_of_the_view_are_hidden(task: PhoneTask) -> None:
    shown = replace(task, view=replace(task.view, without=("profile",)))
    screens = make_tools(task)._screens
    (own,), (less,) = make_picture_rows([task], screens), make_picture_rows([shown], screens)
    assert own["task_id"] == less["task_id"]
    parts = [make_tools(one).reset(task_id=task.task_id) for one in (task, shown)]
    assert "手机主人" in parts[0][0]["text"]
    assert "手机主人" not in parts[1][0]["text"]
    assert format_action(Wait()) == "wait()"


def test_without_trl_the_extra_is_named(task: PhoneTask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "trl.chat_template_utils", None)
    screens = ScreenPictures(format="qwen3-vl", processor=None, max_completion_length=9)
    with pytest.raises(MissingExtraError, match=r"fingertip-20k\[train\]"):
        phone_tools([task], screens=screens)
