"""How Qwen2.5-VL and Qwen3-VL are asked as `mobile_use`; see `qwen_vl_answer` for what they answer.

Qwen2.5-VL writes pixels of the picture after `smart_resize`, which is why it gets a picture of just that
size; Qwen3-VL writes thousandths of the screen. Earlier calls are told as the progress of the task.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, ClassVar

from fingertip_agents.execution_agent import PastStep, ScreenInput
from fingertip_agents.formats import prompt_wording
from fingertip_agents.formats.coordinates import (
    MAX_TOKENS,
    MIN_TOKENS,
    ModelFrame,
    fitted,
    smart_resize,
    swipe_end,
)
from fingertip_agents.formats.native_syntax import NOTE, in_native_syntax, outputs
from fingertip_agents.formats.qwen_vl_answer import TOOL, read_answer, step_text
from fingertip_agents.formats.reading import Prepared
from fingertip_agents.traits import AgentTraits
from fingertip_dataset.actions import (
    Action,
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
from fingertip_dataset.tasks.task import ExecutionInput
from fingertip_models.messages import Language, Message

_SYSTEM: Mapping[Language, str] = {
    "zh": """\
你看着截图操作一部安卓手机，替机主完成任务，做法尽量和机主平时一样。每次只调用一次下面的函数，完成接下来的一步。

<tools>
{tool}
</tools>

先用一两句话说明理由，再写出调用，形式如下：
<tool_call>
{{"name": "mobile_use", "arguments": {{"action": "click", "coordinate": [x, y]}}}}
</tool_call>""",
    "en": """\
You look at screenshots and operate an Android phone for its owner, as far as possible the way the owner \
would. Each time, call the function below once, for the next step.

<tools>
{tool}
</tools>

Give your reason in a sentence or two, then the call in this form:
<tool_call>
{{"name": "mobile_use", "arguments": {{"action": "click", "coordinate": [x, y]}}}}
</tool_call>""",
}

_TOLD: Mapping[Language, Mapping[str, str]] = {
    "zh": {
        "tool": "操作手机的触摸屏。坐标{units}，原点在左上角。点元素的中心。",
        "action": "click：点击；long_press：长按；swipe：手指从 coordinate 滑到 coordinate2，"
        "向上滑显示下面的内容；type：在有焦点的输入框里输入；system_button：按系统键；wait：等屏幕变化；terminate：任务结束",
        "coordinate": "[x, y]：click、long_press 的位置，swipe 的起点",
        "coordinate2": "[x, y]：swipe 的终点",
        "text": "type 要输入的文字",
        "button": "system_button 的键；Menu 显示最近的应用",
        "time": "wait、long_press 的秒数",
        "status": "terminate 的结果",
    },
    "en": {
        "tool": "Use the touchscreen of a phone. Coordinates are {units}; the origin is the upper left "
        "corner. Aim at an element's centre.",
        "action": "click: a tap; long_press: a long press; swipe: a finger moves from coordinate to "
        "coordinate2, up shows what is below; type: type into the field that has the focus; system_button: "
        "press a key of the system; wait: wait for the screen to change; terminate: end the task",
        "coordinate": "[x, y]: where to click or press, where a swipe begins",
        "coordinate2": "[x, y]: where a swipe ends",
        "text": "what to type",
        "button": "which key of the system; Menu shows the recent apps",
        "time": "seconds of a wait or a long press",
        "status": "how the task ended",
    },
}

_CHOICES: Mapping[str, tuple[str, ...]] = {
    "action": ("click", "long_press", "swipe", "type", "system_button", "wait", "terminate"),
    "button": ("Back", "Home", "Menu"),
    "status": ("success", "failure"),
}
_TYPES = {"coordinate": "array", "coordinate2": "array", "time": "number"}

_USER: Mapping[Language, str] = {
    "zh": """\
{task}
# 任务进度：在这部手机上已经做过的操作
{steps}

{note}请根据当前截图调用一次 mobile_use。""",
    "en": """\
{task}
# Progress of the task: what has been done on this phone
{steps}

{note} Call mobile_use once for the screenshot.""",
}


class Qwen25VL:
    """Qwen2.5-VL: pixels of a picture whose size the adapter has to know.

    Args:
        max_pixels: Of the picture, as the model's server has it; None for the model's own limit.

    Raises:
        UsageError: A limit that is too small for a picture.
    """

    name: ClassVar[str] = "qwen2.5-vl"
    traits: ClassVar[AgentTraits] = AgentTraits(
        tracks=("execution",),
        answer_form="points",
        summary="Qwen2.5-VL with its own function mobile_use.",
    )
    version: ClassVar[str] = f"1 (task {prompt_wording.VERSION})"
    _factor: ClassVar[int] = 28
    _units: ClassVar[Mapping[Language, str]] = {
        "zh": "以截图的像素为单位，截图宽 {0:g}、高 {1:g}",
        "en": "pixels of the screenshot, which is {0:g} wide and {1:g} high",
    }

    def __init__(self, *, max_pixels: int | None = None) -> None:
        self._max_pixels = max_pixels
        self._shown((1080, 2400))

    @property
    def settings(self) -> Mapping[str, object]:
        """The limit of the picture."""
        return {"max_pixels": self._max_pixels}

    def prepare(
        self, task_input: ExecutionInput, screen: ScreenInput, past: Sequence[PastStep], language: Language
    ) -> Prepared:
        """The function, the task and its progress, and the current screen.

        Raises:
            InputError: A screenshot that has to be scaled and is no picture.
        """
        frame = self._frame(screen.size)
        read = partial(read_answer, frame=frame)
        native_input = in_native_syntax(task_input, partial(write, frame=frame))
        steps = [
            f"Step {number}: {prompt_wording.data_line(step_text(output), language)}"
            for number, output in enumerate(outputs(past, read), start=1)
        ]
        none = {"zh": "还没有任何操作。", "en": "None yet."}[language]
        user = _USER[language].format(
            note=NOTE[language],
            task=prompt_wording.task_text(native_input, None, language),
            steps="\n".join(steps) or none,
        )
        tool = json.dumps(_tool(self._units[language].format(*frame.size), language), ensure_ascii=False)
        return Prepared(
            messages=(
                Message(role="system", text=_SYSTEM[language].format(tool=tool)),
                Message(role="user", text=user, images=(self._picture(screen),)),
            ),
            read=read,
        )

    def _shown(self, size: tuple[int, int]) -> tuple[int, int]:
        token = self._factor**2
        return smart_resize(
            size,
            factor=self._factor,
            min_pixels=MIN_TOKENS * token,
            max_pixels=self._max_pixels or MAX_TOKENS * token,
        )

    def _frame(self, size: tuple[int, int]) -> ModelFrame:
        return ModelFrame(size=self._shown(size), screen=size)

    def _picture(self, screen: ScreenInput) -> bytes:
        return fitted(screen.screenshot, self._shown(screen.size))


class Qwen3VL(Qwen25VL):
    """Qwen3-VL: thousandths of the screen.

    Args:
        max_pixels: Of the picture; None to send the screenshot as it is. Coordinates do not depend on it.
    """

    name = "qwen3-vl"
    traits = AgentTraits(
        tracks=("execution",),
        answer_form="points",
        summary="Qwen3-VL with its own function mobile_use.",
    )
    _factor = 32
    _units: ClassVar[Mapping[Language, str]] = {
        "zh": "为 0 到 1000：x 是宽度的千分之几，y 是高度的千分之几",
        "en": "from 0 to 1000, thousandths of the width and of the height",
    }

    def _frame(self, size: tuple[int, int]) -> ModelFrame:
        return ModelFrame(size=(1000, 1000), screen=size)

    def _picture(self, screen: ScreenInput) -> bytes:
        return super()._picture(screen) if self._max_pixels else screen.screenshot


def write(action: Action, *, frame: ModelFrame) -> str | None:
    """The action as arguments of `mobile_use`; None where it has none like it."""
    arguments = _arguments(action, frame)
    return None if arguments is None else json.dumps(arguments, ensure_ascii=False)


def _arguments(action: Action, frame: ModelFrame) -> dict[str, object] | None:
    match action:
        case Click():
            return {"action": "click", "coordinate": _place(action.x, action.y, frame)}
        case LongClick():
            return {"action": "long_press", "coordinate": _place(action.x, action.y, frame), "time": 1}
        case Scroll():
            end = swipe_end(action, frame.screen)
            start = _place(action.x, action.y, frame)
            if end is None:
                return None
            return {"action": "swipe", "coordinate": start, "coordinate2": _place(*end, frame)}
        case Type():
            return {"action": "type", "text": action.text}
        case PressBack() | PressHome() | PressRecent():
            button = {"press_back": "Back", "press_home": "Home", "press_recent": "Menu"}[action.name]
            return {"action": "system_button", "button": button}
        case Wait():
            return {"action": "wait", "time": 2}
        case Finished():
            return {"action": "terminate", "status": "success"}


def _place(x: float, y: float, frame: ModelFrame) -> list[int]:
    return [round(number) for number in frame.numbers(x, y)]


def _tool(units: str, language: Language) -> dict[str, Any]:
    """The function's signature, as models of this family are told of functions."""
    descriptions = _TOLD[language]
    properties: dict[str, Any] = {}
    for name, meaning in descriptions.items():
        if name != "tool":
            kind = _TYPES.get(name, "string")
            choices = {"enum": list(_CHOICES[name])} if name in _CHOICES else {}
            properties[name] = {"type": kind, **choices, "description": meaning}
    return {
        "type": "function",
        "function": {
            "name": TOOL,
            "description": descriptions["tool"].format(units=units),
            "parameters": {"type": "object", "properties": properties, "required": ["action"]},
        },
    }
