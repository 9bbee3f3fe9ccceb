"""Earlier screens and answers in the conversations of UI-Venus 2, GUI-Owl 1.5 and MAI-UI."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import replace

import pytest
from PIL import Image

from fingertip_agents.execution_agent import PastStep, ScreenInput
from fingertip_agents.formats.mai_ui import rewrite_answer
from fingertip_agents.registry import make_format
from fingertip_dataset.actions import Wait
from fingertip_dataset.tasks.task import ExecutionInput
from fingertip_models.messages import Message

STEPS = 6
OWN = {"ui-venus-2": 3, "gui-owl-1.5": 5, "mai-ui": 3}
"""Format -> number of pictures that the agent's own code keeps, the current one included."""


WAIT = '{"action": "wait"}'


def draw(color: int) -> bytes:
    """Return a screenshot of one colour."""
    written = io.BytesIO()
    Image.new("RGB", (90, 200), (color, 0, 0)).save(written, "PNG")
    return written.getvalue()


SCREENS = [draw(color) for color in range(STEPS + 1)]
ANSWERS = [
    f'Action: I wait {number}.\n<tool_call>\n{{"name": "mobile_use", "arguments": {{"action": "wait"}}}}\n'
    "</tool_call>"
    for number in range(1, STEPS + 1)
]


def prepare(
    name: str, task: ExecutionInput, screen: ScreenInput, most: int | None, *, stored: bool = True
) -> Sequence[Message]:
    """Return the messages behind the system message, after six steps."""
    past = [
        PastStep(action=Wait(), written="wait()", output=answer, screenshot=shot if stored else None)
        for answer, shot in zip(ANSWERS, SCREENS, strict=False)
    ]
    current = replace(screen, screenshot=SCREENS[STEPS], size=(90, 200))
    system, *others = make_format(name, max_pictures=most).prepare(task, current, past, "en").messages
    assert system.role == "system"
    assert not system.images
    return others


@pytest.mark.parametrize("name", OWN)
@pytest.mark.parametrize("most", [None, 1, 2, 9])
def test_the_last_screens_are_pictures(
    name: str, most: int | None, alarm_task: ExecutionInput, clock_screen: ScreenInput
) -> None:
    messages = prepare(name, alarm_task, clock_screen, most)
    shown = [image for message in messages for image in message.images]
    assert shown == SCREENS[-min(most or OWN[name], STEPS + 1) :]
    # each screen stands before the answer to it, the current one at the end
    for number, answer in enumerate(ANSWERS):
        at = [index for index, one in enumerate(messages) if one.text == rewritten(name, answer)]
        if SCREENS[number] in shown:
            assert messages[at[0] - 1].images == (SCREENS[number],)
    assert messages[-1].images == (SCREENS[STEPS],)


@pytest.mark.parametrize("name", OWN)
def test_without_screenshots_the_answers_remain(
    name: str, alarm_task: ExecutionInput, clock_screen: ScreenInput
) -> None:
    messages = prepare(name, alarm_task, clock_screen, None, stored=False)
    assert [image for message in messages for image in message.images] == [SCREENS[STEPS]]
    repeated = ANSWERS if name != "gui-owl-1.5" else ANSWERS[-4:]
    answers = [message.text for message in messages if message.role == "assistant"]
    assert answers == [rewritten(name, answer) for answer in repeated]


def rewritten(name: str, answer: str) -> str:
    return rewrite_answer(answer) if name == "mai-ui" else answer


def test_gui_owl_has_older_steps_as_sentences_before_the_first_screen(
    alarm_task: ExecutionInput, clock_screen: ScreenInput
) -> None:
    messages = prepare("gui-owl-1.5", alarm_task, clock_screen, None)
    assert [message.role for message in messages] == ["user", *["assistant", "user"] * 4]
    first, *later = messages
    assert first.text.endswith("\nPrevious actions:\nStep 1: I wait 1.\nStep 2: I wait 2.")
    assert (first.images, first.images_last) == ((SCREENS[2],), True)
    assert not any(message.text for message in later if message.role == "user")


def test_ui_venus_2_has_a_message_for_every_screen(
    alarm_task: ExecutionInput, clock_screen: ScreenInput
) -> None:
    messages = prepare("ui-venus-2", alarm_task, clock_screen, None)
    users = [message.text for message in messages if message.role == "user"]
    assert users == ["", "", "", "", *["History Screenshot:"] * 2, "Current Screenshot:\n"]


def test_mai_ui_has_the_task_before_all_turns(alarm_task: ExecutionInput, clock_screen: ScreenInput) -> None:
    first, *turns = prepare("mai-ui", alarm_task, clock_screen, None)
    assert alarm_task.intent in first.text
    assert [message.role for message in turns] == [*["assistant"] * 4, *["user", "assistant"] * 2, "user"]


@pytest.mark.parametrize(
    ("answer", "again"),
    [
        ("I am lost.", "I am lost."),
        (
            '<think>a</think>\n{"action": "type", "text": "你好"}',
            "<thinking>\na\n</thinking>\n<tool_call>\n"
            '{"name":"mobile_use","arguments":{"action":"type","text":"你好"}}\n</tool_call>',
        ),
        (
            "I go back.\n{'action': 'wait'}",
            "<thinking>\nI go back.\n</thinking>\n<tool_call>\n"
            '{"name":"mobile_use","arguments":{"action":"wait"}}\n</tool_call>',
        ),
    ],
)
def test_an_answer_of_mai_ui_is_written_again(answer: str, again: str) -> None:
    assert rewrite_answer(answer) == again
    assert rewrite_answer(again) == again


@pytest.mark.parametrize(
    ("name", "repeated"),
    [
        ("ui-venus-1.5", "Step 0: <think>It loads.</think><action>Wait()</action>"),
        ("ui-venus-2", "<think>It loads.</think>\n<action>Wait()</action>"),
        ("autoglm-phone", '<think>It loads.</think><answer>do(action="Wait")</answer>'),
        ("gui-owl-1.5", '<think>\nIt loads.\n</think>\n\nAction: I wait.\n{"action": "wait"}'),
        (
            "mai-ui",
            "<thinking>\nIt loads.\n</thinking>\n<tool_call>\n"
            '{"name":"mobile_use","arguments":{"action":"wait"}}\n</tool_call>',
        ),
    ],
)
def test_thinking_that_a_client_took_out_is_repeated(
    name: str, repeated: str, alarm_task: ExecutionInput, clock_screen: ScreenInput
) -> None:
    form = make_format(name)
    outputs = {
        "autoglm-phone": '<answer>do(action="Wait")</answer>',
        "gui-owl-1.5": f"Action: I wait.\n{WAIT}",
    }
    output = outputs.get(name, "<action>Wait()</action>" if "venus" in name else WAIT)
    # an agent's thought is the reasoning and then the words before the call
    before = "\nAction: I wait." if name == "gui-owl-1.5" else ""
    step = PastStep(action=Wait(), written="wait()", output=output, thought=f"It loads.{before}")
    messages = form.prepare(alarm_task, clock_screen, (step,), "en").messages
    assert any(repeated in message.text for message in messages)
