"""How Aguvis-7B is asked, in its own planning mode; see `aguvis_answer` for what it answers.

Coordinates are parts of the screen from 0 to 1, so the picture may have any size. Earlier steps are told in
the sentences that the agent wrote about them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from fingertip_agents.execution_agent import PastStep, ScreenInput
from fingertip_agents.formats import prompt_wording
from fingertip_agents.formats.aguvis_answer import PositivePage, read_answer, step_text
from fingertip_agents.formats.arguments import quoted
from fingertip_agents.formats.coordinates import ModelFrame, fitted, swipe_end
from fingertip_agents.formats.native_syntax import NOTE, in_native_syntax, outputs
from fingertip_agents.formats.reading import Prepared
from fingertip_agents.formats.scale import Scale
from fingertip_agents.traits import AgentTraits
from fingertip_dataset.actions import (
    Action,
    Click,
    Finished,
    LongClick,
    PressBack,
    PressHome,
    Scroll,
    Type,
    Wait,
)
from fingertip_dataset.errors import UsageError
from fingertip_dataset.tasks.task import ExecutionInput
from fingertip_models.messages import Language, Message

_SYSTEM: Mapping[Language, str] = {
    "zh": """\
你看着截图操作一部安卓手机，替机主完成任务，做法尽量和机主平时一样。每次用一行代码写出接下来的一步。
坐标都是 0 到 1 的小数：x 为宽度的几分之几，y 为高度的几分之几，原点在左上角。

点击和输入用 pyautogui：
pyautogui.click(x=0.5, y=0.5)
pyautogui.write(message='文字')

还可以用这些函数：
{functions}""",
    "en": """\
You look at screenshots and operate an Android phone for its owner, as far as possible the way the owner \
would. Each time, write the next step as one line of code.
All coordinates are decimals from 0 to 1: parts of the width and of the height; the origin is the upper left \
corner.

Tap and type with pyautogui:
pyautogui.click(x=0.5, y=0.5)
pyautogui.write(message='words')

These functions are there, too:
{functions}""",
}

_FUNCTIONS: Mapping[Language, Mapping[str, tuple[str, Mapping[str, tuple[str, str]]]]] = {
    "zh": {
        "mobile.swipe": (
            "手指从一点滑到另一点；向上滑显示下面的内容",
            {"from_coord": ("array", "起点 [x, y]"), "to_coord": ("array", "终点 [x, y]")},
        ),
        "mobile.long_press": ("长按", {"x": ("number", "横坐标"), "y": ("number", "纵坐标")}),
        "mobile.home": ("主屏幕键", {}),
        "mobile.back": ("返回键", {}),
        "mobile.wait": ("等屏幕变化", {"seconds": ("number", "秒数")}),
        "mobile.terminate": ("任务结束", {"status": ("string", "success 或 failure")}),
    },
    "en": {
        "mobile.swipe": (
            "Move a finger from one point to another; up shows what is below",
            {
                "from_coord": ("array", "where it starts, [x, y]"),
                "to_coord": ("array", "where it ends, [x, y]"),
            },
        ),
        "mobile.long_press": ("A long press", {"x": ("number", "across"), "y": ("number", "down")}),
        "mobile.home": ("The home key", {}),
        "mobile.back": ("The back key", {}),
        "mobile.wait": ("Wait for the screen to change", {"seconds": ("number", "how long")}),
        "mobile.terminate": ("End the task", {"status": ("string", "success or failure")}),
    },
}

_USER: Mapping[Language, str] = {
    "zh": """\
{task}
# 到目前为止的步骤
{steps}

{note}请根据当前截图写出接下来的一步。""",
    "en": """\
{task}
# Steps so far
{steps}

{note} Write the next step for the screenshot.""",
}


class Aguvis:
    """Aguvis-7B in its own planning mode.

    Args:
        max_pixels: Of the picture; None to send the screenshot as it is. Coordinates do not depend on it.
        positive_page: The side of the content that a positive `page` reveals.

    Raises:
        UsageError: It is neither "up" nor "down", or a limit on which nothing could be read.
    """

    name = "aguvis"
    traits = AgentTraits(
        tracks=("execution",),
        answer_form="points",
        summary="Aguvis-7B in its own planning mode.",
    )
    version = f"1 (task {prompt_wording.VERSION})"

    def __init__(self, *, max_pixels: int | None = None, positive_page: PositivePage = "up") -> None:
        if positive_page not in ("up", "down"):
            raise UsageError(f"expected positive_page up or down, got {positive_page!r}")
        Scale.fit((1, 1), max_pixels=max_pixels)
        self._positive_page: PositivePage = positive_page
        self._max_pixels = max_pixels

    @property
    def settings(self) -> Mapping[str, object]:
        """The limit of the picture, and what a positive page reveals."""
        return {"max_pixels": self._max_pixels, "positive_page": self._positive_page}

    def prepare(
        self, task_input: ExecutionInput, screen: ScreenInput, past: Sequence[PastStep], language: Language
    ) -> Prepared:
        """Functions, task, the sentences or calls of the steps so far, and the screen.

        Raises:
            InputError: A screenshot that has to be scaled and is no picture.
        """
        frame = ModelFrame(size=(1, 1), screen=screen.size)
        read = partial(read_answer, frame=frame, positive_page=self._positive_page)
        native_input = in_native_syntax(task_input, partial(write, frame=frame))
        steps = [
            f"Step {number}: {prompt_wording.data_line(step_text(output), language)}"
            for number, output in enumerate(outputs(past, read), start=1)
        ]
        none = {"zh": "还没有任何步骤。", "en": "None yet."}[language]
        user = _USER[language].format(
            note=NOTE[language],
            task=prompt_wording.task_text(native_input, None, language),
            steps="\n".join(steps) or none,
        )
        return Prepared(
            messages=(
                Message(role="system", text=_SYSTEM[language].format(functions=_functions(language))),
                Message(role="user", text=user, images=(self._picture(screen),)),
            ),
            read=read,
        )

    def _picture(self, screen: ScreenInput) -> bytes:
        shown = Scale.fit(screen.size, max_pixels=self._max_pixels).shown
        return screen.screenshot if shown == screen.size else fitted(screen.screenshot, shown)


def write(action: Action, *, frame: ModelFrame) -> str | None:
    """The action in this agent's grammar; None where it has none like it."""
    match action:
        case Click() | LongClick():
            verb = "pyautogui.click" if isinstance(action, Click) else "mobile.long_press"
            x, y = frame.numbers(action.x, action.y)
            return f"{verb}(x={x:.4f}, y={y:.4f})"
        case Type():
            return f"pyautogui.write(message={quoted(action.text)})"
        case Scroll():
            end = swipe_end(action, frame.screen)
            if end is None:
                return None
            (x, y), (to_x, to_y) = frame.numbers(action.x, action.y), frame.numbers(*end)
            return f"mobile.swipe(from_coord=[{x:.4f}, {y:.4f}], to_coord=[{to_x:.4f}, {to_y:.4f}])"
        case PressHome():
            return "mobile.home()"
        case PressBack():
            return "mobile.back()"
        case Wait():
            return "mobile.wait(seconds=2)"
        case Finished():
            return "mobile.terminate(status='success')"
        case _:
            return None


def _functions(language: Language) -> str:
    return "\n".join(
        "- " + json.dumps(_schema(name, description, parameters), ensure_ascii=False)
        for name, (description, parameters) in _FUNCTIONS[language].items()
    )


def _schema(name: str, description: str, parameters: Mapping[str, tuple[str, str]]) -> dict[str, Any]:
    schema: dict[str, Any] = {"name": name, "description": description}
    if parameters:
        properties: dict[str, Any] = {}
        for parameter, (kind, meaning) in parameters.items():
            items = {"items": {"type": "number"}} if kind == "array" else {}
            properties[parameter] = {"type": kind, **items, "description": meaning}
        schema["parameters"] = {"type": "object", "properties": properties, "required": list(properties)}
    return schema
