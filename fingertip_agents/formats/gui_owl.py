"""GUI-Owl 1.5, Instruct and Think: a line `Action: ...` and the function `mobile_use` in `<tool_call>`.

Points are thousandths of the screen, so the picture may have any size. The last answers are repeated with
their screens, five pictures in all; of older steps the first text has the sentence after `Action:`. The Think
models write `<think>` first, or text before `Action:`.

Facts are from X-PLUG/MobileAgent, commit 11cea57 (`Mobile-Agent-v3.5/mobile_use`, `/cookbook` and
`/android_world_v3.5`). Its client multiplies thousandths by a side rounded to a multiple of 16 (1088 for
1080), which is 0.7 % too far right; the model's README says thousandths. One of its two readers takes the
first of several calls, the other the last; here it is the first that is no draft in the thinking.

Calls are read as Qwen's `mobile_use` (module `mobile_use`): `answer` and `terminate` with any status end the
task, `open` is done step by step, `interact` asks the person.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from fingertip_agents.formats import prompt_wording
from fingertip_agents.formats.conversation_format import ConversationFormat
from fingertip_agents.formats.picture_format import PictureQuestion
from fingertip_agents.formats.qwen_vl import Qwen3VL
from fingertip_agents.own_agents import OWN_FORMATS
from fingertip_agents.parsing.native_syntax import NOTE
from fingertip_agents.screens.coordinates import ModelFrame
from fingertip_models.messages import Language, Message

_SYSTEM: Mapping[Language, str] = {
    "zh": """\
# 工具

你看着截图操作一部安卓手机，替机主完成任务，做法尽量和机主平时一样。可以调用的函数：
<tools>
{tool}
</tools>

一次调用写成这样：
<tool_call>
{{"name": "mobile_use", "arguments": <JSON>}}
</tool_call>

# 回答格式

每一步只写两部分：
1) Action: 用一句短话说这一步做什么
2) <tool_call> 里的一次调用

任务完成以后，用 terminate 或 answer 结束。""",
    "en": """\
# Tools

You look at screenshots and operate an Android phone for its owner, as far as possible the way the owner \
would. This function can be called:
<tools>
{tool}
</tools>

A call is written like this:
<tool_call>
{{"name": "mobile_use", "arguments": <JSON>}}
</tool_call>

# Response format

Each step has two parts and nothing else:
1) Action: a short sentence about what this step does
2) one call in <tool_call>

End a finished task with terminate or answer.""",
}

_USER: Mapping[Language, str] = {
    "zh": """\
请根据截图、任务和之前的动作，写出接下来的一步。

任务：
{task}
{note}

之前的动作：
{steps}""",
    "en": """\
Decide on the next step from the screenshot, the task and the actions before.

Instruction:
{task}
{note}

Previous actions:
{steps}""",
}


class GuiOwl15(ConversationFormat, Qwen3VL):
    """GUI-Owl 1.5: Qwen's function `mobile_use`, with earlier screens and answers in turn.

    Args:
        max_pixels: Maximum pixels of a picture; None to send screenshots unscaled. Coordinates do not depend
            on it.
        max_pictures: Maximum number of pictures in a prompt, the current one included; None for 5, as in the
            agent's own code.

    Raises:
        UsageError: A limit that is too small for a picture, or no picture.
    """

    name = "gui-owl-1.5"
    traits = OWN_FORMATS["gui-owl-1.5"].traits
    version = f"1 (task {prompt_wording.VERSION})"
    own_pictures = 5
    _answer: ClassVar[str] = Qwen3VL._answer.replace("Thought:\n", "")
    _thinking: ClassVar[str] = "<think>\n{}\n</think>\n\n"  # of the Think models
    _extra_actions: ClassVar[Sequence[str]] = ("answer", "open")
    _extra_text: ClassVar[Mapping[Language, str]] = {
        "zh": "answer 的回答；open 的应用名",
        "en": "the answer for answer; the app's name for open",
    }
    _units: ClassVar[Mapping[Language, str]] = {
        "zh": "为 0 到 1000：x 从左到右，y 从上到下",
        "en": "from 0 to 1000: x from left to right, y from top to bottom",
    }

    def _frame(self, size: tuple[int, int]) -> ModelFrame:
        return ModelFrame(size=(1000, 1000), screen=size)

    def _make_tool(self, question: PictureQuestion) -> dict[str, Any]:
        tool = super()._make_tool(question)
        function = {"name_for_human": tool["function"]["name"], **tool["function"]}
        return {**tool, "function": {**function, "args_format": "JSON"}}

    def _messages(self, question: PictureQuestion) -> tuple[Message, ...]:
        language = question.language
        first = _USER[language].format(
            task=question.task,
            note=NOTE[language],
            steps=self._history(question),
        )
        tool = json.dumps(self._make_tool(question), ensure_ascii=False)
        return (
            Message(role="system", text=_SYSTEM[language].format(tool=tool)),
            *self._repeat_turns(question, first),
        )

    def _repeat_turns(self, question: PictureQuestion, first: str) -> Iterator[Message]:
        """The repeated screens and answers, and the current screen; the first message has the text."""
        text = first
        for answer, pictures in list(self._list_turns(question))[self._count_older(question) :]:
            if text or pictures:
                yield Message(role="user", text=text, images=pictures, images_last=True)
            yield Message(role="assistant", text=answer.text)
            text = ""
        yield Message(role="user", text=text, images=(question.picture,), images_last=True)

    def _history(self, question: PictureQuestion) -> str:
        """The steps older than the repeated answers, a line each."""
        language = question.language
        steps = [
            f"Step {number}: {prompt_wording.make_data_line(self._step_text(answer.text), language)}"
            for number, answer in enumerate(question.earlier[: self._count_older(question)], start=1)
        ]
        return "\n".join(steps) or _NO_STEPS[language]

    def _count_older(self, question: PictureQuestion) -> int:
        return max(0, len(question.earlier) - (self._max_pictures - 1))


_NO_STEPS: Mapping[Language, str] = {"zh": "还没有更早的步骤。", "en": "None earlier."}
