"""How UI-TARS is asked: `Thought: ... Action: click(start_box='(197,525)')` is what it answers.

UI-TARS-1.5 writes pixels of the picture after `smart_resize`; the first version and its DPO model write
thousandths of the screen. Earlier answers are told as they came, each as a message of the assistant.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import ClassVar

from fingertip_agents.execution_agent import PastStep, ScreenInput
from fingertip_agents.formats import prompt_wording
from fingertip_agents.formats.arguments import quoted
from fingertip_agents.formats.coordinates import (
    FACTOR,
    MAX_PIXELS,
    ModelFrame,
    fitted,
    smart_resize,
    swipe_end,
)
from fingertip_agents.formats.native_syntax import NOTE, in_native_syntax, outputs
from fingertip_agents.formats.reading import Prepared
from fingertip_agents.formats.ui_tars_answer import read_answer
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
from fingertip_dataset.tasks.task import ExecutionInput
from fingertip_models.messages import Language, Message

MIN_PIXELS = 100 * FACTOR * FACTOR
"""Of the agent's own code; fewer are scaled up."""

_PROMPT: Mapping[Language, str] = {
    "zh": """\
你看着截图操作一部安卓手机，替机主完成他交给的任务，做法尽量和机主平时一样。每次只决定接下来的一步。

## 输出格式
Thought: 用中文写：屏幕上是什么，接下来操作哪个元素，为什么
Action: 一个动作，写法见下

## 动作空间
{actions}

## 坐标
{coordinates}
{note}

## 任务情况
{task}""",
    "en": """\
You look at screenshots and operate an Android phone for its owner, as far as possible the way the owner \
would. Each time, decide on the next step only.

## Output format
Thought: in English: what the screen shows, which element comes next, and why
Action: one action, written as below

## Action space
{actions}

## Coordinates
{coordinates}
{note}

## What is known of the task
{task}""",
}

_ACTIONS: Mapping[Language, str] = {
    "zh": r"""click({start}='{spot}')：点击
long_press({start}='{spot}')：长按
type(content='文字')：在有焦点的输入框里输入；单引号写成 \'，换行写成 \n
{scroll}
press_home()：主屏幕键
press_back()：返回键
finished(content='结果')：任务已经完成""",
    "en": r"""click({start}='{spot}'): a tap
long_press({start}='{spot}'): a long press
type(content='words'): type into the field that has the focus; write a single quote as \', a line break as \n
{scroll}
press_home(): the home key
press_back(): the back key
finished(content='result'): the task is done""",
}


class UITars15:
    """UI-TARS-1.5: pixels of a picture whose size the adapter has to know.

    Args:
        max_pixels: Of the picture, as the model's server has it; None for the model's own limit.

    Raises:
        UsageError: A limit that is too small for a picture.
    """

    name: ClassVar[str] = "ui-tars-1.5"
    traits: ClassVar[AgentTraits] = AgentTraits(
        tracks=("execution",),
        answer_form="points",
        summary="UI-TARS-1.5 in its own format for phones.",
    )
    version: ClassVar[str] = f"1 (task {prompt_wording.VERSION})"
    _start: ClassVar[str] = "point"
    _spot: ClassVar[str] = "<point>{} {}</point>"
    _scrolls: ClassVar[Mapping[Language, str]] = {
        "zh": "scroll(point='<point>x1 y1</point>', direction='down')：从这一点滑动，"
        "direction 为 up、down、left 或 right，指想看到的内容在哪一边",
        "en": "scroll(point='<point>x1 y1</point>', direction='down'): a swipe from this point; direction is "
        "up, down, left or right, the side of the content to reveal",
    }
    _units: ClassVar[Mapping[Language, str]] = {
        "zh": "以截图的像素为单位的整数，截图宽 {0:g}、高 {1:g}，原点在左上角。",
        "en": "Whole pixels of the screenshot, which is {0:g} wide and {1:g} high; the origin is its upper "
        "left corner.",
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
        """The instructions, what the agent wrote before, and the current screen.

        Raises:
            InputError: A screenshot that has to be scaled and is no picture.
        """
        frame = self._frame(screen.size)
        read = partial(read_answer, frame=frame)
        before = tuple(Message(role="assistant", text=output) for output in outputs(past, read))
        text = _PROMPT[language].format(
            actions=_ACTIONS[language].format(
                start=self._start,
                spot=self._spot.format("x1", "y1"),
                scroll=self._scrolls[language],
            ),
            note=NOTE[language],
            coordinates=self._units[language].format(*frame.size),
            task=prompt_wording.task_text(
                in_native_syntax(task_input, partial(self.write, frame=frame)), None, language
            ),
        )
        now = {"zh": "## 当前截图", "en": "## The screenshot now"}[language]
        picture = self._picture(screen)
        if not before:
            return Prepared(
                messages=(Message(role="user", text=f"{text}\n\n{now}", images=(picture,)),), read=read
            )
        last = Message(role="user", text=now, images=(picture,))
        return Prepared(messages=(Message(role="user", text=text), *before, last), read=read)

    def write(self, action: Action, *, frame: ModelFrame) -> str | None:
        """The action in this agent's grammar; None where it has none like it."""
        match action:
            case Click() | LongClick():
                verb = "click" if isinstance(action, Click) else "long_press"
                return f"{verb}({self._start}='{self._place(action.x, action.y, frame)}')"
            case Type():
                return f"type(content={quoted(action.text)})"
            case Scroll():
                return self._scroll(action, frame)
            case PressHome() | PressBack() | Wait():
                return f"{action.name}()"
            case Finished():
                return "finished(content='')"
            case _:
                return None

    def _shown(self, size: tuple[int, int]) -> tuple[int, int]:
        return smart_resize(size, min_pixels=MIN_PIXELS, max_pixels=self._max_pixels or MAX_PIXELS)

    def _frame(self, size: tuple[int, int]) -> ModelFrame:
        return ModelFrame(size=self._shown(size), screen=size)

    def _picture(self, screen: ScreenInput) -> bytes:
        return fitted(screen.screenshot, self._shown(screen.size))

    def _place(self, x: float, y: float, frame: ModelFrame) -> str:
        return self._spot.format(*(round(number) for number in frame.numbers(x, y)))

    def _scroll(self, action: Scroll, frame: ModelFrame) -> str | None:
        return f"scroll(point='{self._place(action.x, action.y, frame)}', direction='{action.direction}')"


class UITarsV1(UITars15):
    """UI-TARS of the first version, and its DPO model: thousandths of the screen, scrolls with two ends.

    Args:
        max_pixels: Of the picture; None to send the screenshot as it is. Coordinates do not depend on it.
    """

    name = "ui-tars-v1"
    traits = AgentTraits(
        tracks=("execution",),
        answer_form="points",
        summary="UI-TARS of the first version in its own format for phones.",
    )
    _start = "start_box"
    _spot = "<|box_start|>({},{})<|box_end|>"
    _scrolls: ClassVar[Mapping[Language, str]] = {
        "zh": "scroll(start_box='<|box_start|>(x1,y1)<|box_end|>', "
        "end_box='<|box_start|>(x3,y3)<|box_end|>')：手指从起点滑到终点，手指向上滑会显示下面的内容",
        "en": "scroll(start_box='<|box_start|>(x1,y1)<|box_end|>', "
        "end_box='<|box_start|>(x3,y3)<|box_end|>'): the finger moves from one point to the other; "
        "up shows what is below",
    }
    _units: ClassVar[Mapping[Language, str]] = {
        "zh": "0 到 1000 的整数，x 为宽度的千分之几，y 为高度的千分之几，原点在左上角。",
        "en": "Whole numbers from 0 to 1000: thousandths of the width and of the height; the origin is the "
        "upper left corner.",
    }

    def _frame(self, size: tuple[int, int]) -> ModelFrame:
        return ModelFrame(size=(1000, 1000), screen=size)

    def _picture(self, screen: ScreenInput) -> bytes:
        return super()._picture(screen) if self._max_pixels else screen.screenshot

    def _scroll(self, action: Scroll, frame: ModelFrame) -> str | None:
        end = swipe_end(action, frame.screen)
        if end is None:
            return None
        start = self._place(action.x, action.y, frame)
        return f"scroll(start_box='{start}', end_box='{self._place(*end, frame)}')"
