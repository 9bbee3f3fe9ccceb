"""CogAgent-9B-20241220: `Grounded Operation: CLICK(box=[[219,186,311,207]], ...)`.

The prompt is not a conversation but one message with the lines that the model was trained on; `(Platform:
Mobile)` and `(Answer in ... format.)` set the output format. Coordinates are thousandths, so the picture may
have any size.

Boxes lie on a grid of thousandths; the centre is tapped, and `element_info` is the element's label. Only the
operation after the first `Grounded Operation:` is performed, as in the agent's own client.

`TYPE` is a click and then a type: two actions, each counted as a step. `SCROLL_DOWN` reveals the content
below, like a mouse wheel (Action_space.md); the agent's Android client moves the finger down instead, so
this is a setting; without a box the finger starts at the screen's centre. The agent has no back, home,
recents, wait or long press (its issue 19). `LAUNCH` opens an app step by step (module `open_app`), and
`KEY_PRESS` reads the keys that a phone has, too. `DOUBLE_CLICK`, other keys, quotes and variables have no
equivalent.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Literal

from fingertip_agents.formats import prompt_wording
from fingertip_agents.formats.open_app import open_by_name
from fingertip_agents.formats.picture_format import PictureFormat, PictureQuestion, check_choice
from fingertip_agents.own_agents import OWN_FORMATS
from fingertip_agents.parsing.arguments import Grammar, quote_text, read_calls
from fingertip_agents.parsing.call_order import find_labels, keep_first_run
from fingertip_agents.parsing.first_call import read_first_call
from fingertip_agents.parsing.native_syntax import (
    NOTE,
    SENTENCE,
    make_finished,
    make_refusal,
    make_type,
    read_key,
    refuse_call,
    refuse_output,
)
from fingertip_agents.parsing.parsed_call import ParsedCall
from fingertip_agents.parsing.points import find_point
from fingertip_agents.parsing.reading import LEFT_OUT, Reading, WrittenAnswer
from fingertip_agents.screens.coordinates import OPPOSITE, ModelFrame, write_box
from fingertip_dataset.actions import Action, Click, Direction, Finished, Scroll, Type
from fingertip_dataset.errors import ActionSyntaxError
from fingertip_models.messages import Language, Message

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


class CogAgent(PictureFormat):
    """CogAgent-9B-20241220 on a phone.

    Args:
        max_pixels: Maximum pixels of the picture; None to send the screenshot unscaled. Coordinates do not
            depend on it.
        scroll_down: What `SCROLL_DOWN` moves down: "content" (the view over it) or "finger".

    Raises:
        UsageError: `scroll_down` is neither, or `max_pixels` is too small to be legible.
    """

    name = "cogagent"
    _answer = "Grounded Operation: {}"
    traits = OWN_FORMATS["cogagent"].traits
    version = f"3 (task {prompt_wording.VERSION})"
    has_system = False

    def __init__(self, *, max_pixels: int | None = None, scroll_down: ScrollDown = "content") -> None:
        check_choice("scroll_down", scroll_down, ("content", "finger"))
        super().__init__(max_pixels=max_pixels)
        self._scroll_down: ScrollDown = scroll_down

    @property
    def settings(self) -> Mapping[str, object]:
        """The pixel limit of the picture, and the meaning of SCROLL_DOWN."""
        return {**super().settings, "scroll_down": self._scroll_down}

    def read(self, output: str, *, frame: ModelFrame) -> Reading:
        """Read the actions of an answer: one, or two for `TYPE`.

        >>> frame = ModelFrame(size=(1000, 1000), screen=(1080, 2400))
        >>> CogAgent().read("TYPE(box=[[000,000,999,100]], text='牛奶')", frame=frame).actions
        (Click(x=539, y=120, content=None), Type(text='牛奶'))
        """
        thought = _LABEL.split(output, maxsplit=1)[0].strip()
        try:
            calls, thought = _find_operations(output)
            convert = partial(self._read_operation, frame=frame, thought=thought)
            return read_first_call(calls, convert, lambda call: call.name)
        except ActionSyntaxError as error:
            return make_refusal(error, thought)

    def _read_operation(self, call: ParsedCall, *, frame: ModelFrame, thought: str) -> Reading:
        app = _read_app(call) if call.name == "LAUNCH" else ""
        if app:
            return replace(open_by_name(app, thought), notes=tuple(call.notes))
        actions = self._convert_call(call, frame)
        call.used.update(_ABOUT)
        call.leave_unused()
        return Reading(actions=actions, thought=thought, notes=tuple(call.notes))

    def write(self, action: Action, *, frame: ModelFrame) -> str | None:
        """Write an action in this agent's grammar; None if it has no equivalent (typing without a field)."""
        match action:
            case Click():
                return f"CLICK(box={_write_box(action.x, action.y, frame)}{_write_info(action)})"
            case Scroll():
                name = next(name for name in _SCROLLS if self._choose_direction(name) == action.direction)
                return f"{name}(box={_write_box(action.x, action.y, frame)}, step_count=1)"
            case Finished(content=content):
                return f"END(text={quote_text(content)})" if content else "END()"
            case _:
                return None

    def answer(self, actions: Sequence[Action], *, frame: ModelFrame) -> WrittenAnswer | None:
        """Write the answer to a screen; a click and the text typed after it are one TYPE."""
        match actions:
            case (Click() as click, Type() as typing, *_):
                box = _write_box(click.x, click.y, frame)
                call = f"TYPE(box={box}, text={quote_text(typing.text)}{_write_info(click)})"
                return WrittenAnswer(text=self._answer.format(call), actions=2)
            case _:
                return super().answer(actions, frame=frame)

    def _choose_direction(self, name: str) -> Direction:
        side = _SCROLLS[name]
        return side if self._scroll_down == "content" else OPPOSITE[side]

    def _convert_call(self, call: ParsedCall, frame: ModelFrame) -> tuple[Action, ...]:
        if call.name == "END":
            return (make_finished(call.answer("text", "result", "output")),)
        if call.name == "KEY_PRESS" and (call.value("key") is not None or call.plain):
            return (read_key(call.text("key")),)
        if call.name not in ("CLICK", "TYPE", *_SCROLLS):
            refuse_call(call.name)
        without_place = call.name in _SCROLLS and call.value("box") is None and not call.plain
        x, y = frame.center if without_place else frame.point(find_point(call, "box"))
        if call.name in _SCROLLS:
            return (Scroll(x=x, y=y, direction=self._choose_direction(call.name)),)
        info = "" if call.value("element_info") is None else call.text("element_info")
        click = Click(x=x, y=y, content=info if info.strip() else None)
        return (click, make_type(call.text("text"))) if call.name == "TYPE" else (click,)

    def _history(self, question: PictureQuestion) -> str:
        return "".join(
            f"\n{number}. {_repeat_step(answer.text, question.language)}"
            for number, answer in enumerate(question.earlier)
        )

    def _frame(self, size: tuple[int, int]) -> ModelFrame:
        return ModelFrame(size=(1000, 1000), screen=size)

    def _messages(self, question: PictureQuestion) -> tuple[Message, ...]:
        language = question.language
        text = _PROMPT[language].format(
            intent=prompt_wording.make_data_line(question.intent, language),
            task=question.task,
            note=NOTE[language],
            scroll=_SCROLL[language][self._scroll_down],
            steps=self._history(question),
        )
        return (Message(role="user", text=text, images=(question.picture,)),)


def _read_app(call: ParsedCall) -> str:
    """Return the name of the app to open; "" for a page of the web."""
    app = "" if call.value("app") is None and not call.plain else call.text("app").strip()
    if app.casefold() == "none":
        return ""
    url = call.value("url")
    if app and isinstance(url, str) and url.strip().casefold() != "none":
        call.notes.append(f"{LEFT_OUT}: the url of {call.name}")
    return app


def _write_info(click: Click) -> str:
    return "" if click.content is None else f", element_info={quote_text(click.content)}"


def _write_box(x: float, y: float, frame: ModelFrame) -> str:
    return "[[" + ",".join(f"{edge:03d}" for edge in write_box(x, y, frame)) + "]]"


def _repeat_step(output: str, language: Language) -> str:
    return "\t".join(
        prompt_wording.make_data_line(part, language) for part in shorten_answer(output).split("\t")
    )


ScrollDown = Literal["content", "finger"]

_LABEL = re.compile(r"Grounded Operation\s{0,3}\*{0,2}\s{0,3}[:：]\*{0,2}", re.IGNORECASE)
# the agent's own judgement of the operation, which may stand behind it
_SENSITIVITY = re.compile(r"\s{0,20}<<[^<>\n]{1,40}>>\s{0,20}\Z")
_SCROLLS: Mapping[str, Direction] = {
    "SCROLL_UP": "up",
    "SCROLL_DOWN": "down",
    "SCROLL_LEFT": "left",
    "SCROLL_RIGHT": "right",
}
_NONE_LIKE = (
    "DOUBLE_CLICK RIGHT_CLICK HOVER KEY_PRESS KEY_DOWN KEY_UP GESTURE LAUNCH QUOTE_TEXT QUOTE_CLIPBOARD LLM"
)
_GRAMMAR = Grammar(
    calls={"CLICK", "TYPE", "END", *_SCROLLS, *_NONE_LIKE.split()},
    arguments={
        *("box", "element_type", "element_info", "text", "step_count", "key", "actions", "app", "url"),
        *("output", "result", "auto_scroll", "prompt"),
    },
    bare={"END"},
    label=_LABEL,
)
_FOLDED = replace(
    _GRAMMAR,
    calls={
        spelling
        for name in _GRAMMAR.calls
        for spelling in (name, name.lower(), name.title(), name.capitalize())
    },
)
_OTHER_NAME = re.compile(
    rf"(?:^|{_LABEL.pattern})[\s`*>-]{{0,9}}"
    rf"(?:{'|'.join(sorted({*_FOLDED.calls} - {*_GRAMMAR.calls}))})[(（]",
    re.MULTILINE,
)
_ABOUT = ("element_type", "element_info", "step_count", "auto_scroll")
"""Arguments of several operations that change nothing of the action here."""
_FILLER = re.compile(r"(?:[\s`;,.。]|<<[^<>\n]{1,40}>>|[0-9]{1,2}[.)]){0,80}")


def shorten_answer(output: str) -> str:
    r"""Text of an earlier answer in the prompt: the operation, a tab, the sentence about it.

    >>> shorten_answer("Action: The task is done.\nGrounded Operation: END()")
    'END()\tThe task is done.'
    """
    try:
        call = _find_operations(output)[0][0]
    except ActionSyntaxError:
        return output
    sentence = SENTENCE.search(output)
    return f"{output[call.start : call.end]}\t{sentence[1].strip() if sentence else ''}".rstrip()


def _find_operations(output: str) -> tuple[Sequence[ParsedCall], str]:
    """The operations in order, at least one, and the text before them."""
    output = _SENSITIVITY.sub("", output)
    grammar = _FOLDED if _OTHER_NAME.search(output) else _GRAMMAR
    calls = tuple(replace(call, name=call.name.upper()) for call in read_calls(output, grammar))
    label = next(iter(find_labels(output, calls, _LABEL)), None)
    start = label.end() if label else 0
    behind = [call for call in calls if call.start >= start]
    if not behind:
        refuse_output("Grounded Operation: and an operation such as CLICK(...) or END()", output[start:])
    if not label and keep_first_run(output, behind, _FILLER)[1]:
        raise ActionSyntaxError("expected one operation, got several with prose between them")
    return behind, output[: label.start() if label else behind[0].start].strip()
