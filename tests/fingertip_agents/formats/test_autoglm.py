"""Messages of AutoGLM-Phone's conversation."""

from __future__ import annotations

from fingertip_agents.execution_agent import ScreenInput
from fingertip_agents.formats.autoglm import AutoGLMPhone
from fingertip_dataset.tasks.task import ExecutionInput
from tests.fingertip_agents.formats.conftest import past_step


def test_only_the_screen_now_is_a_picture_and_stands_before_its_text(
    alarm_task: ExecutionInput, clock_screen: ScreenInput
) -> None:
    past = [past_step('<think>a</think><answer>do(action="Wait")</answer>'), past_step("I am lost.")]
    for steps in range(3):
        messages = AutoGLMPhone().prepare(alarm_task, clock_screen, past[:steps], "zh").messages
        assert [message.role for message in messages] == ["system", *["user", "assistant"] * steps, "user"]
        assert [len(message.images) for message in messages] == [0] * (len(messages) - 1) + [1]
        assert not messages[-1].images_last
        assert "定一个七点的闹钟" in messages[1].text
        answers = [message.text for message in messages if message.role == "assistant"]
        assert answers == ['<think>a</think><answer>do(action="Wait")</answer>', "I am lost."][:steps]
