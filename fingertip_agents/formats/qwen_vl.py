"""Qwen2.5-VL and Qwen3-VL with the function `mobile_use`: JSON in `<tool_call>`, or without the tags.

Qwen2.5-VL writes pixels of the picture after `smart_resize`, so it is sent a picture of exactly that size;
Qwen3-VL writes points of a grid of 999 x 999. The prompt repeats earlier steps as the progress of the task:
calls for Qwen2.5-VL, and for Qwen3-VL the sentence after `Action:`, which its cookbook asks for.

The first of several calls is performed, as in the cookbook's loop. A swipe is a finger's path: up is scroll
down. `Menu` is `press_recent`; `terminate` with any status and `answer` end the task: `finished()`, which
does not imply success, with the text of `answer`. A newline at the end of a typed text, and the key or button
Enter, submit it: both are a typed newline. `open` is done step by step (module `open_app`). Other keys have
no equivalent; the durations of a long press and a wait are the benchmark's own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from fingertip_agents.formats import prompt_wording
from fingertip_agents.formats.mobile_use import TOOL, find_call, find_call_start, read_mobile_use
from fingertip_agents.formats.picture_format import PictureQuestion, ResizedPictureFormat, ThousandthsFormat
from fingertip_agents.own_agents import OWN_FORMATS
from fingertip_agents.parsing.native_syntax import (
    ENTER,
    NOTE,
)
from fingertip_agents.parsing.reading import Reading, WrittenAnswer, make_messages
from fingertip_agents.screens.coordinates import (
    ModelFrame,
    write_swipe,
)
from fingertip_agents.traits import AgentTraits
from fingertip_dataset.actions import (
    Action,
    Ask,
    Click,
    Finished,
    LongClick,
    PressBack,
    PressHome,
    PressRecent,
    Scroll,
    Type,
    Wait,
)
from fingertip_dataset.errors import ActionSyntaxError
from fingertip_dataset.release.problems import printable
from fingertip_models.messages import Language, Message

_SYSTEM: Mapping[Language, str] = {
    "zh": """\
你看着截图操作一部安卓手机，替机主完成任务，做法尽量和机主平时一样。每次只调用一次下面的函数，完成接下来的一步。

<tools>
{tool}
</tools>

{before}，再写出调用，形式如下：
{example}<tool_call>
{{"name": "mobile_use", "arguments": {{"action": "click", "coordinate": [x, y]}}}}
</tool_call>""",
    "en": """\
You look at screenshots and operate an Android phone for its owner, as far as possible the way the owner \
would. Each time, call the function below once, for the next step.

<tools>
{tool}
</tools>

{before}, then the call in this form:
{example}<tool_call>
{{"name": "mobile_use", "arguments": {{"action": "click", "coordinate": [x, y]}}}}
</tool_call>""",
}

_ACTIONS: Mapping[Language, Mapping[str, str]] = {
    "zh": {
        "click": "点击",
        "long_press": "长按",
        "swipe": "手指从 coordinate 滑到 coordinate2，向上滑显示下面的内容",
        "type": "在有焦点的输入框里输入",
        "answer": "回答机主，任务随之结束",
        "system_button": "按系统键",
        "open": "打开应用",
        "wait": "等屏幕变化",
        "terminate": "任务结束",
    },
    "en": {
        "click": "a tap",
        "long_press": "a long press",
        "swipe": "a finger moves from coordinate to coordinate2, up shows what is below",
        "type": "type into the field that has the focus",
        "answer": "answer the owner, which ends the task",
        "system_button": "press a key of the system",
        "open": "open an app",
        "wait": "wait for the screen to change",
        "terminate": "end the task",
    },
}

_DESCRIPTIONS: Mapping[Language, Mapping[str, str]] = {
    "zh": {
        "tool": "操作手机的触摸屏。坐标{units}，原点在左上角。点元素的中心。",
        "coordinate": "[x, y]：click、long_press 的位置，swipe 的起点",
        "coordinate2": "[x, y]：swipe 的终点",
        "text": "type 要输入的文字，要提交就以换行结尾；{text}",
        "button": "system_button 的键；Menu 显示最近的应用，Enter 是回车键",
        "time": "wait、long_press 的秒数",
        "status": "terminate 的结果",
    },
    "en": {
        "tool": "Use the touchscreen of a phone. Coordinates are {units}; the origin is the upper left "
        "corner. Aim at an element's centre.",
        "coordinate": "[x, y]: where to click or press, where a swipe begins",
        "coordinate2": "[x, y]: where a swipe ends",
        "text": "what to type, with a new line at its end to submit it; {text}",
        "button": "which key of the system; Menu shows the recent apps, Enter is the key enter",
        "time": "seconds of a wait or a long press",
        "status": "how the task ended",
    },
}

_BUTTON_NAMES, _STATUSES = ("Back", "Home", "Menu", "Enter"), ("success", "failure")
_TYPES = {"coordinate": "array", "coordinate2": "array", "time": "number"}

_USER: Mapping[Language, str] = {
    "zh": """\
{task}
{note}
# 任务进度：在这部手机上已经做过的操作
{steps}

请根据当前截图调用一次 mobile_use。""",
    "en": """\
{task}
{note}
# Progress of the task: what has been done on this phone
{steps}

Call mobile_use once for the screenshot.""",
}


_EXTRAS = ("answer", "open")
"""Actions that not every model is given."""


class Qwen25VL(ResizedPictureFormat):
    """Qwen2.5-VL: pixels of a picture whose size the adapter has to know.

    Args:
        max_pixels: Maximum pixels, as set on the model's server; None for the model's own limit.

    Raises:
        UsageError: A limit that is too small for a picture.
    """

    name: ClassVar[str] = "qwen2.5-vl"
    traits: ClassVar[AgentTraits] = OWN_FORMATS["qwen2.5-vl"].traits
    version: ClassVar[str] = f"4 (task {prompt_wording.VERSION})"
    pictures_last: ClassVar[bool] = True
    _answer: ClassVar[str] = f'<tool_call>\n{{{{"name": "{TOOL}", "arguments": {{}}}}}}\n</tool_call>'
    _extra_actions: ClassVar[Sequence[str]] = ("open",)
    _extra_text: ClassVar[Mapping[Language, str]] = {"zh": "open 的应用名", "en": "the app's name for open"}
    _before: ClassVar[Mapping[Language, str]] = {
        "zh": "先用一两句话说明理由",
        "en": "Give your reason in a sentence or two",
    }
    _example: ClassVar[Mapping[Language, str]] = {"zh": "", "en": ""}
    _units: ClassVar[Mapping[Language, str]] = {
        "zh": "以截图的像素为单位，截图宽 {0:g}、高 {1:g}",
        "en": "pixels of the screenshot, which is {0:g} wide and {1:g} high",
    }

    def read(self, output: str, *, frame: ModelFrame) -> Reading:
        """Read the action of an answer.

        >>> frame = ModelFrame(size=(1000, 1000), screen=(1080, 2400))
        >>> answer = '{"arguments": {"action": "system_button", "button": "Menu"}}'
        >>> Qwen25VL().read(answer, frame=frame).actions
        (PressRecent(),)
        """
        return read_mobile_use(output, frame)

    def write(self, action: Action, *, frame: ModelFrame) -> str | None:
        """Write an action as arguments of `mobile_use`; None if it has no equivalent."""
        arguments = _write_arguments(action, frame)
        return None if arguments is None else json.dumps(arguments, ensure_ascii=False)

    def _messages(self, question: PictureQuestion) -> tuple[Message, ...]:
        language = question.language
        user = _USER[language].format(
            note=NOTE[language],
            task=question.task,
            steps=self._history(question),
        )
        system = self._make_system(question)
        return make_messages(system, user, question.picture, pictures_last=self.pictures_last)

    def _make_system(self, question: PictureQuestion) -> str:
        """Text of the system message: the function and the form of an answer."""
        language = question.language
        return _SYSTEM[language].format(
            tool=json.dumps(self._make_tool(question), ensure_ascii=False),
            before=self._before[language],
            example=self._example[language],
        )

    def _step_text(self, output: str) -> str:
        """Return the call's arguments, or else the whole answer."""
        try:
            return json.dumps(find_call(output, TOOL).arguments, ensure_ascii=False)
        except ActionSyntaxError:
            return output

    def _make_tool(self, question: PictureQuestion) -> dict[str, Any]:
        """Signature of the function, in the form that models of this family expect."""
        language = question.language
        words = {
            name: meaning.format(
                units=self._units[language].format(*question.frame.size), text=self._extra_text[language]
            )
            for name, meaning in _DESCRIPTIONS[language].items()
        }
        actions = [name for name in _ACTIONS[language] if name not in _EXTRAS or name in self._extra_actions]
        colon, end = ("：", "；") if language == "zh" else (": ", "; ")
        listed = end.join(f"{name}{colon}{_ACTIONS[language][name]}" for name in actions)
        properties: dict[str, Any] = {"action": {"type": "string", "enum": actions, "description": listed}}
        choices = {"button": {"enum": list(_BUTTON_NAMES)}, "status": {"enum": list(_STATUSES)}}
        for name in (name for name in words if name != "tool"):
            kind = _TYPES.get(name, "string")
            properties[name] = {"type": kind, **choices.get(name, {}), "description": words[name]}
        parameters = {"type": "object", "properties": properties, "required": ["action"]}
        return {
            "type": "function",
            "function": {"name": TOOL, "description": words["tool"], "parameters": parameters},
        }


class Qwen3VL(ThousandthsFormat, Qwen25VL):
    """Qwen3-VL: points of a grid of 999 x 999, and a sentence about each step.

    Args:
        max_pixels: Maximum pixels of the picture; None to send the screenshot unscaled. Coordinates do not
            depend on it.
    """

    name = "qwen3-vl"
    traits = OWN_FORMATS["qwen3-vl"].traits
    _factor = 32  # px of a token's side
    _answer: ClassVar[str] = f"Thought:\nAction: {{}}\n{Qwen25VL._answer}"
    _extra_actions: ClassVar[Sequence[str]] = ("answer",)
    _extra_text: ClassVar[Mapping[Language, str]] = {"zh": "answer 的回答", "en": "the answer for answer"}
    _units: ClassVar[Mapping[Language, str]] = {
        "zh": "为 0 到 999：x 从左到右，y 从上到下",
        "en": "from 0 to 999: x from left to right, y from top to bottom",
    }
    _before: ClassVar[Mapping[Language, str]] = {
        "zh": "先各用一句话写出想法和这一步要做的事",
        "en": "Give your thought and what this step does, a sentence each",
    }
    _example: ClassVar[Mapping[Language, str]] = {
        "zh": "Thought: 想法\nAction: 这一步要做的事\n",
        "en": "Thought: your thought\nAction: what this step does\n",
    }

    def answer(self, actions: Sequence[Action], *, frame: ModelFrame) -> WrittenAnswer | None:
        """Write the answer to a screen from the recorded action, with a sentence about it."""
        own = self.write(actions[0], frame=frame)
        return (
            None if own is None else WrittenAnswer(text=self._answer.format(describe_action(actions[0]), own))
        )

    def _frame(self, size: tuple[int, int]) -> ModelFrame:
        # the cookbook divides by 999; models trained on thousandths write 1000 at the edge
        return ModelFrame(size=(999, 999), screen=size, beyond=1)

    def _step_text(self, output: str) -> str:
        """Return the sentence after `Action:`, or else the call."""
        found = _CONCLUSION.findall(output[: find_call_start(output)])
        return found[-1].replace('"', "").strip() if found else super()._step_text(output)


def describe_action(action: Action) -> str:
    """Describe an action in one line, as in the history of Qwen3-VL's cookbook.

    >>> describe_action(Click(x=1, y=2, content="添加闹钟"))
    "Click '添加闹钟'"
    """
    match action:
        case Click(content=content) | LongClick(content=content):
            verb = "Click" if isinstance(action, Click) else "Long press"
            return f"{verb} {printable(repr(content), 100) if content else 'the element'}"
        case Type():
            return "Press enter" if action == ENTER else f"Type {printable(repr(action.text), 100)}"
        case Scroll():
            return f"Swipe to show what is {action.direction}"
        case Finished(content=content):
            return f"Answer {printable(repr(content), 100)}" if content else "The task is done"
        case _:
            return action.name.replace("_", " ").capitalize()


def _write_arguments(action: Action, frame: ModelFrame) -> dict[str, object] | None:
    match action:
        case Click():
            return {"action": "click", "coordinate": _round_place(*frame.numbers(action.x, action.y))}
        case LongClick():
            place = _round_place(*frame.numbers(action.x, action.y))
            return {"action": "long_press", "coordinate": place, "time": 1}
        case Scroll():
            ends = write_swipe(action, frame, _round_place)
            return ends and {"action": "swipe", "coordinate": ends[0], "coordinate2": ends[1]}
        case Type() if action == ENTER:
            return {"action": "system_button", "button": "Enter"}
        case Type():
            return {"action": "type", "text": action.text}
        case PressBack() | PressHome() | PressRecent():
            button = {"press_back": "Back", "press_home": "Home", "press_recent": "Menu"}[action.name]
            return {"action": "system_button", "button": button}
        case Wait():
            return {"action": "wait", "time": 2}
        case Finished(content=content) if content:
            return {"action": "answer", "text": content}
        case Finished():
            return {"action": "terminate", "status": "success"}
        case Ask(text=text):
            return {"action": "call_user", "text": text}


def _round_place(x: float, y: float) -> list[int]:
    return [round(x), round(y)]


_CONCLUSION = re.compile(r"^[^\S\n]{0,9}\*{0,2}Action\*{0,2}\s?[:：]\*{0,2}[^\S\n]*(\S.*)$", re.MULTILINE)
