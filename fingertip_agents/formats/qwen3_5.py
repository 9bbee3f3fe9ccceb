r"""Qwen3.5 and later: `mobile_use` of Qwen3-VL with the call as XML, as their chat template asks for.

These models have no prompt for phones of their own. The function, the grid and the history are those of
Qwen3-VL (module `qwen_vl`). The same model answers in XML or in JSON, also against its prompt, so both are
read, with the tags or without.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import ClassVar

from fingertip_agents.formats import prompt_wording
from fingertip_agents.formats.mobile_use import TOOL
from fingertip_agents.formats.picture_format import PictureQuestion
from fingertip_agents.formats.qwen_vl import Qwen3VL, describe_action
from fingertip_agents.own_agents import OWN_FORMATS
from fingertip_agents.parsing.reading import Reading, WrittenAnswer
from fingertip_agents.parsing.xml_calls import write_xml_call
from fingertip_agents.screens.coordinates import ModelFrame
from fingertip_dataset.actions import Action
from fingertip_models.chat.tool_calls import convert_xml_calls
from fingertip_models.messages import Language

_SYSTEM: Mapping[Language, str] = {
    "zh": """\
# 函数
可以调用下面的函数：

<tools>
{tool}
</tools>

你看着截图操作一部安卓手机，替机主完成任务，做法尽量和机主平时一样。每次只调用一次函数，完成接下来的一步。
{before}，再写出调用，后面不写别的。形式如下，每个参数一段，值单独成行：
{example}<tool_call>
<function=mobile_use>
<parameter=action>
click
</parameter>
<parameter=coordinate>
[x, y]
</parameter>
</function>
</tool_call>""",
    "en": """\
# Functions
This function can be called:

<tools>
{tool}
</tools>

You look at screenshots and operate an Android phone for its owner, as far as possible the way the owner \
would. Each time, call the function once, for the next step.
{before}, then the call with nothing behind it. It has this form, a block for each parameter and its value \
on lines of its own:
{example}<tool_call>
<function=mobile_use>
<parameter=action>
click
</parameter>
<parameter=coordinate>
[x, y]
</parameter>
</function>
</tool_call>""",
}


class Qwen35(Qwen3VL):
    """Qwen3.5 and 3.6: the function of Qwen3-VL, called as XML.

    Args:
        max_pixels: Maximum pixels of the picture; None to send the screenshot unscaled. Coordinates do not
            depend on it.
    """

    name = "qwen3.5"
    xml_calls = True
    version = f"1 (task {prompt_wording.VERSION})"
    traits = OWN_FORMATS["qwen3.5"].traits
    _before: ClassVar[Mapping[Language, str]] = {
        "zh": "先用一句话写出这一步要做的事",
        "en": "Write what this step does in a sentence",
    }
    _example: ClassVar[Mapping[Language, str]] = {
        "zh": "Action: 这一步要做的事\n",
        "en": "Action: what this step does\n",
    }

    def read(self, output: str, *, frame: ModelFrame) -> Reading:
        r"""Read the action of an answer, as XML or JSON.

        >>> call = "<function=mobile_use>\n<parameter=action>\nwait\n</parameter>\n</function>"
        >>> frame = ModelFrame(size=(999, 999), screen=(1080, 2400))
        >>> Qwen35().read(f"<tool_call>\n{call}\n</tool_call>", frame=frame).actions
        (Wait(),)
        """
        return super().read(convert_xml_calls(output)[0], frame=frame)

    def answer(self, actions: Sequence[Action], *, frame: ModelFrame) -> WrittenAnswer | None:
        """Write the answer to a screen from the recorded action, with a sentence about it."""
        own = self.write(actions[0], frame=frame)
        if own is None:
            return None
        call = write_xml_call(TOOL, json.loads(own), inline=False)
        text = f"Action: {describe_action(actions[0])}\n<tool_call>\n{call}\n</tool_call>"
        return WrittenAnswer(text=text)

    def _make_system(self, question: PictureQuestion) -> str:
        language = question.language
        return _SYSTEM[language].format(
            tool=json.dumps(self._make_tool(question), ensure_ascii=False),
            before=self._before[language],
            example=self._example[language],
        )

    def _step_text(self, output: str) -> str:
        return super()._step_text(convert_xml_calls(output)[0])
