"""The terms of equation (2) in every format's prompts: what is shown, in which order, in which frame."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import pytest

from execution_runner.execution_view import MORE_PARTS, ExecutionView, MorePart
from fingertip_agents.execution_agent import PastStep, ScreenInput
from fingertip_agents.registry import FORMATS, make_format
from fingertip_dataset.actions import Action, Click, LongClick, PressRecent, Scroll, Type, format_action
from fingertip_dataset.tasks.task import ExecutionInput
from fingertip_models.messages import Language, Message
from tests.fingertip_agents.formats.conftest import past_step

formats = pytest.mark.parametrize("name", FORMATS)
languages = pytest.mark.parametrize("language", ["zh", "en"])

SIGNS: Mapping[MorePart, str] = {
    "time": "2025-03-10",
    "place": "住所",
    "reference-intent": "设早上六点的闹钟",
    "package": "com.clock",
}
"""Part -> the words of the task by which it is found in a prompt."""

PromptsOf = Callable[[str, Language, ExecutionView], list[tuple[Message, ...]]]

PAST = ("Action: tap(5)\nSummary: opened", "I am lost", "press_back()")
HISTORY_AT: Mapping[Language, tuple[str, ...]] = {
    "zh": ("# 到目前为止的动作", "# 任务进度", "# 到目前为止的步骤", "### 先前的动作", "History steps:"),
    "en": (
        "# Actions so far",
        "# Progress of the task",
        "# Steps so far",
        "### Previous Actions",
        "History steps:",
    ),
}
"""Beginnings of the part of a prompt that lists the steps so far; a conversation has none."""


@pytest.fixture(scope="module")
def prompts_of(alarm_task: ExecutionInput, clock_screen: ScreenInput) -> PromptsOf:
    """Function that returns the messages of every step of an attempt, under a view."""

    def make(name: str, language: Language, view: ExecutionView) -> list[tuple[Message, ...]]:
        form, past = make_format(name), list[PastStep]()
        found = []
        for step in (None, *PAST):
            past += [] if step is None else [past_step(step)]
            screen, task_input = view.show_screen(clock_screen), view.show_task(alarm_task)
            found.append(form.prepare(task_input, screen, tuple(past), language).messages)
        return found

    return make


def text_of(messages: Sequence[Message]) -> str:
    return "\n".join(message.text for message in messages)


@formats
@languages
def test_nothing_else_is_shown_unless_a_run_asks_for_it(
    name: str,
    language: Language,
    prompts_of: PromptsOf,
) -> None:
    for text in map(text_of, prompts_of(name, language, ExecutionView())):
        assert [part for part, sign in SIGNS.items() if sign in text] == []
        assert all(words in text for words in ("定一个七点的闹钟", "教师"))
    for part in MORE_PARTS:
        for text in map(text_of, prompts_of(name, language, ExecutionView(more=(part,)))):
            shown = [one for one, sign in SIGNS.items() if sign in text]
            # a format with a picture alone has no line for the app in front
            assert shown == ([] if part == "package" and not has_package(name) else [part])


def has_package(name: str) -> bool:
    return name in ("generalist", "appagent", "autodroid")


@formats
@languages
def test_a_hidden_part_is_in_no_prompt(name: str, language: Language, prompts_of: PromptsOf) -> None:
    hidden = ExecutionView(without=("profile", "reference", "tree"))
    full, bare = (text_of(prompts_of(name, language, view)[-1]) for view in (ExecutionView(), hidden))
    for sign in ("教师", "添加闹钟"):
        assert sign in full
        assert sign not in bare
    headings = re.findall(r"^# .*\n(?=# |\Z)", bare, re.MULTILINE)
    assert headings == []


@formats
@languages
def test_what_stays_the_same_in_an_attempt_comes_first(
    name: str,
    language: Language,
    prompts_of: PromptsOf,
) -> None:
    for view in (ExecutionView(), ExecutionView(more=MORE_PARTS)):
        prompts = prompts_of(name, language, view)
        if getattr(make_format(name), "conversation", False):
            assert len({messages[0] for messages in prompts}) == 1
            continue
        texts = list(map(text_of, prompts))
        (heading,) = (mark for mark in HISTORY_AT[language] if mark in texts[0])
        assert len({text.partition(heading)[0] for text in texts}) == 1
        assert len({text.partition(heading)[2] for text in texts}) == len(texts)
        before, _, after = texts[-1].partition(heading)
        assert "定一个七点的闹钟" in before
        assert "07:00" not in before
        assert "教师" not in after


X, Y = 463, 1237
"""A point whose coordinates in px occur in no prompt by chance."""

TOUCHES: tuple[Action, ...] = (
    Click(x=X, y=Y, content="添加"),
    LongClick(x=X, y=Y),
    Scroll(x=X, y=Y, direction="down"),
    # at the edge that the finger would move to, where no grammar with two ends has an equivalent
    Scroll(x=X, y=0, direction="down"),
    Type(text="牛奶"),
    PressRecent(),
)


@formats
def test_a_point_of_the_reference_is_in_the_formats_own_frame(
    name: str, alarm_task: ExecutionInput, clock_screen: ScreenInput
) -> None:
    assert alarm_task.reference is not None
    written = (*map(format_action, TOUCHES), f"click(coordinates=({X},{Y}), content=")
    reference = replace(alarm_task.reference, intent="", actions=written)
    recorded = tuple(
        PastStep(action=action, written=format_action(action), output="", recorded=True) for action in TOUCHES
    )
    shown_input = replace(alarm_task, reference=reference)
    settings = {"max_pixels": 400_000} if name == "generalist" else {}
    messages = make_format(name, **settings).prepare(shown_input, clock_screen, recorded, "en").messages
    text = text_of(messages)
    assert not {str(X), str(Y)} & set(re.findall(r"\d+", text))
    assert "牛奶" in text
