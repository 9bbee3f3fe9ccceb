"""How CogAgent-9B-20241220 is asked; see `cogagent_answer` for what it answers.

It takes no conversation: one message with the lines it was trained on, of which `(Platform: Mobile)` and
`(Answer in ... format.)` say what to answer. Coordinates are thousandths, so the picture may have any size.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from fingertip_agents.execution_agent import PastStep, ScreenInput
from fingertip_agents.formats import prompt_wording
from fingertip_agents.formats.arguments import quoted
from fingertip_agents.formats.cogagent_answer import ScrollDown, read_answer, step_text
from fingertip_agents.formats.coordinates import ModelFrame, fitted
from fingertip_agents.formats.native_syntax import NOTE, in_native_syntax, outputs
from fingertip_agents.formats.reading import Prepared
from fingertip_agents.formats.scale import Scale
from fingertip_agents.traits import AgentTraits
from fingertip_dataset.actions import Action, Click, Finished, Scroll
from fingertip_dataset.errors import UsageError
from fingertip_dataset.tasks.task import ExecutionInput
from fingertip_models.messages import Language, Message

HALF = 10
"""Thousandths from a box's centre to its edges, where an action has a point only."""

_PROMPT: Mapping[Language, str] = {
    "zh": """\
Task: {intent}
{task}
# 可用的操作
box 是 [[左,上,右,下]]，每个数为 000 到 999，即屏幕宽、高的千分之几；实际操作其中心。
CLICK(box=[[a,b,c,d]], element_type='类型', element_info='文字')：点击
TYPE(box=[[a,b,c,d]], text='文字', element_type='类型', element_info='文字')：点击输入框并输入
SCROLL_UP、SCROLL_DOWN、SCROLL_LEFT、SCROLL_RIGHT(box=[[a,b,c,d]], step_count=n)：{scroll}
END()：任务已经完成
没有返回、主屏幕、等待和长按；要返回就点屏幕上的返回按钮。
做法尽量和机主平时一样。{note}
History steps: {steps}
(Platform: Mobile)
(Answer in Action-Operation-Sensitive format.)
""",
    "en": """\
Task: {intent}
{task}
# Operations
box is [[left,top,right,bottom]], each from 000 to 999: thousandths of the screen's width and height; its \
centre is what is touched.
CLICK(box=[[a,b,c,d]], element_type='type', element_info='text'): a tap
TYPE(box=[[a,b,c,d]], text='words', element_type='type', element_info='text'): tap a field and type into it
SCROLL_UP, SCROLL_DOWN, SCROLL_LEFT, SCROLL_RIGHT(box=[[a,b,c,d]], step_count=n): {scroll}
END(): the task is done
There is no back, home, wait or long press; to go back, tap the back button on the screen.
Act as the owner would. {note}
History steps: {steps}
(Platform: Mobile)
(Answer in Action-Operation-Sensitive format.)
""",
}

_SCROLL: Mapping[Language, Mapping[ScrollDown, str]] = {
    "zh": {"content": "滑动，方向是想看到的内容在哪一边", "finger": "滑动，方向是手指移动的方向"},
    "en": {
        "content": "a swipe; the direction is the side of the content to reveal",
        "finger": "a swipe; the direction is that of the finger",
    },
}


class CogAgent:
    """CogAgent-9B-20241220 on a phone.

    Args:
        max_pixels: Of the picture; None to send the screenshot as it is. Coordinates do not depend on it.
        scroll_down: What `SCROLL_DOWN` moves down: the view over the content, or the finger.

    Raises:
        UsageError: It is neither, or a limit on which nothing could be read.
    """

    name = "cogagent"
    traits = AgentTraits(
        tracks=("execution",),
        answer_form="points",
        summary="CogAgent-9B-20241220 in its own format.",
    )
    version = f"1 (task {prompt_wording.VERSION})"

    def __init__(self, *, max_pixels: int | None = None, scroll_down: ScrollDown = "content") -> None:
        if scroll_down not in ("content", "finger"):
            raise UsageError(f"expected scroll_down content or finger, got {scroll_down!r}")
        Scale.fit((1, 1), max_pixels=max_pixels)
        self._scroll_down: ScrollDown = scroll_down
        self._max_pixels = max_pixels

    @property
    def settings(self) -> Mapping[str, object]:
        """The limit of the picture, and what SCROLL_DOWN moves down."""
        return {"max_pixels": self._max_pixels, "scroll_down": self._scroll_down}

    def prepare(
        self, task_input: ExecutionInput, screen: ScreenInput, past: Sequence[PastStep], language: Language
    ) -> Prepared:
        """One message in the agent's own lines, and the screen.

        Raises:
            InputError: A screenshot that has to be scaled and is no picture.
        """
        frame = ModelFrame(size=(1000, 1000), screen=screen.size)
        read = partial(read_answer, frame=frame, scroll_down=self._scroll_down)
        write_own = partial(write, frame=frame, scroll_down=self._scroll_down)
        steps = "".join(
            f"\n{number}. {_told_again(output, language)}"
            for number, output in enumerate(outputs(past, read))
        )
        text = _PROMPT[language].format(
            intent=prompt_wording.data_line(task_input.intent, language),
            task=prompt_wording.task_text(in_native_syntax(task_input, write_own), None, language),
            note=NOTE[language],
            scroll=_SCROLL[language][self._scroll_down],
            steps=steps,
        )
        return Prepared(
            messages=(Message(role="user", text=text, images=(self._picture(screen),)),),
            read=read,
        )

    def _picture(self, screen: ScreenInput) -> bytes:
        shown = Scale.fit(screen.size, max_pixels=self._max_pixels).shown
        return screen.screenshot if shown == screen.size else fitted(screen.screenshot, shown)


def write(action: Action, *, frame: ModelFrame, scroll_down: ScrollDown = "content") -> str | None:
    """The action in this agent's grammar; None where it has none like it, as for typing without a field."""
    match action:
        case Click():
            element_info = "" if action.content is None else f", element_info={quoted(action.content)}"
            return f"CLICK(box={_box(action.x, action.y, frame)}{element_info})"
        case Scroll():
            other = {"up": "down", "down": "up", "left": "right", "right": "left"}
            way = action.direction if scroll_down == "content" else other[action.direction]
            return f"SCROLL_{way.upper()}(box={_box(action.x, action.y, frame)}, step_count=1)"
        case Finished():
            return "END()"
        case _:
            return None


def _box(x: float, y: float, frame: ModelFrame) -> str:
    """A small box around the point; at an edge a smaller one, so that its centre stays the point."""
    across, down = (min(max(round(number), 0), 999) for number in frame.numbers(x, y))
    reach, rise = (min(HALF, at, 999 - at) for at in (across, down))
    edges = (across - reach, down - rise, across + reach, down + rise)
    return "[[" + ",".join(f"{edge:03d}" for edge in edges) + "]]"


def _told_again(output: str, language: Language) -> str:
    return "\t".join(prompt_wording.data_line(part, language) for part in step_text(output).split("\t"))
