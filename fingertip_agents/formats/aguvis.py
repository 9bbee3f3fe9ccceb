"""Aguvis-7B in its own planning mode: `pyautogui.click(x=0.863, y=0.390)`, `mobile.swipe(...)`.

Coordinates are fractions of the screen from 0 to 1, so the picture may have any size. The prompt repeats
earlier steps as the sentences that the agent wrote about them.

After stripping of the special tokens, lines `assistantall` and `assistantos` remain; the calls stand behind
the last `assistantos`, or behind the last `Action:`. If an answer has several calls without prose between
them, all are performed in order: the training data contain `mobile.wait` followed by another action.
`terminate` with any status and `answer` end the task: `finished()`, which does not imply
success.

The sign of `pyautogui.scroll(page=...)` is not documented, and public uses of the model disagree, so it is a
setting; by default a positive page is up, as in pyautogui. Without a point the finger starts at the centre of
the screen. A newline at the end of a typed text, and the key enter, submit it: both are a typed newline.
`open_app` is done step by step (module `open_app`). Other keys and the mouse calls have no equivalent.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Any, Literal

from fingertip_agents.formats import prompt_wording
from fingertip_agents.formats.open_app import plan_calls
from fingertip_agents.formats.picture_format import PictureFormat, PictureQuestion, check_choice
from fingertip_agents.own_agents import OWN_FORMATS
from fingertip_agents.parsing.arguments import Grammar, quote_text, read_calls
from fingertip_agents.parsing.call_order import keep_first_run, refuse_draft
from fingertip_agents.parsing.native_syntax import (
    ENTER,
    NOTE,
    SENTENCE,
    check_end,
    make_finished,
    make_refusal,
    make_type,
    read_key,
    refuse_call,
    refuse_output,
)
from fingertip_agents.parsing.parsed_call import ParsedCall
from fingertip_agents.parsing.points import find_point
from fingertip_agents.parsing.reading import Reading, make_messages
from fingertip_agents.screens.coordinates import ModelFrame, make_scroll, write_swipe
from fingertip_dataset.actions import (
    Action,
    Click,
    Direction,
    Finished,
    LongClick,
    PressBack,
    PressHome,
    Scroll,
    Type,
    Wait,
)
from fingertip_dataset.errors import ActionSyntaxError
from fingertip_models.messages import Language, Message

_SYSTEM: Mapping[Language, str] = {
    "zh": """\
你看着截图操作一部安卓手机，替机主完成任务，做法尽量和机主平时一样。每次用一行代码写出接下来的一步。
坐标都是 0 到 1 的小数：x 为宽度的几分之几，y 为高度的几分之几，原点在左上角。

点击、输入和回车键用 pyautogui：
pyautogui.click(x=0.5, y=0.5)
pyautogui.write(message='文字')
pyautogui.press(keys='enter')

还可以用这些函数：
{functions}""",
    "en": """\
You look at screenshots and operate an Android phone for its owner, as far as possible the way the owner \
would. Each time, write the next step as one line of code.
All coordinates are decimals from 0 to 1: parts of the width and of the height; the origin is the upper left \
corner.

Tap, type and press enter with pyautogui:
pyautogui.click(x=0.5, y=0.5)
pyautogui.write(message='words')
pyautogui.press(keys='enter')

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
        "mobile.open_app": ("打开应用", {"app_name": ("string", "应用名")}),
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
        "mobile.open_app": ("Open an app", {"app_name": ("string", "its name")}),
        "mobile.wait": ("Wait for the screen to change", {"seconds": ("number", "how long")}),
        "mobile.terminate": ("End the task", {"status": ("string", "success or failure")}),
    },
}

_USER: Mapping[Language, str] = {
    "zh": """\
{task}
{note}
# 到目前为止的步骤
{steps}

请根据当前截图写出接下来的一步。""",
    "en": """\
{task}
{note}
# Steps so far
{steps}

Write the next step for the screenshot.""",
}


class Aguvis(PictureFormat):
    """Aguvis-7B in its own planning mode.

    Args:
        max_pixels: Maximum pixels of the picture; None to send the screenshot unscaled. Coordinates do not
            depend on it.
        positive_page: The side of the content that a positive `page` reveals.

    Raises:
        UsageError: `positive_page` is neither "up" nor "down", or `max_pixels` is too small to be legible.
    """

    name = "aguvis"
    traits = OWN_FORMATS["aguvis"].traits
    version = f"4 (task {prompt_wording.VERSION})"

    def __init__(self, *, max_pixels: int | None = None, positive_page: PositivePage = "up") -> None:
        check_choice("positive_page", positive_page, ("up", "down"))
        super().__init__(max_pixels=max_pixels)
        self._positive_page: PositivePage = positive_page

    @property
    def settings(self) -> Mapping[str, object]:
        """The pixel limit of the picture, and the side that a positive page reveals."""
        return {**super().settings, "positive_page": self._positive_page}

    def read(self, output: str, *, frame: ModelFrame) -> Reading:
        r"""Read the actions of an answer; the module's docstring gives the rules.

        >>> frame = ModelFrame(size=(1, 1), screen=(1080, 2400))
        >>> Aguvis().read("assistantos\npyautogui.click(x=0.863, y=0.390)", frame=frame).actions
        (Click(x=932, y=936, content=None),)
        """
        output = output.partition(_END)[0]
        thought = _ROLE.sub("", output).strip()
        try:
            calls, note = _find_calls(output)
            if not calls:
                refuse_output("a call such as pyautogui.click(...) or mobile.terminate(...)", thought)
            thought = _ROLE.sub("", output[: calls[0].start]).strip(" \n`")
            convert = partial(_convert_call, frame=frame, positive_page=self._positive_page)
            reading = plan_calls(calls, convert, thought.removeprefix("Thought:").strip())
            return replace(reading, notes=(*reading.notes, note)) if note else reading
        except ActionSyntaxError as error:
            return make_refusal(error, thought)

    def write(self, action: Action, *, frame: ModelFrame) -> str | None:
        """Write an action in this agent's grammar; None if it has no equivalent."""
        match action:
            case Click() | LongClick():
                verb = "pyautogui.click" if isinstance(action, Click) else "mobile.long_press"
                x, y = frame.numbers(action.x, action.y)
                return f"{verb}(x={x:.4f}, y={y:.4f})"
            case Type() if action == ENTER:
                return "pyautogui.press(keys='enter')"
            case Type():
                return f"pyautogui.write(message={quote_text(action.text)})"
            case Scroll():
                ends = write_swipe(action, frame, "[{:.4f}, {:.4f}]".format)
                return ends and f"mobile.swipe(from_coord={ends[0]}, to_coord={ends[1]})"
            case PressHome() | PressBack():
                return f"mobile.{action.name.removeprefix('press_')}()"
            case Wait():
                return "mobile.wait(seconds=2)"
            case Finished(content=content) if content:
                return f"mobile.answer(answer={quote_text(content)})"
            case Finished():
                return "mobile.terminate(status='success')"
            case _:
                return None

    def _step_text(self, output: str) -> str:
        """Return the agent's own sentence about a step, or else its code."""
        sentences = SENTENCE.findall(output)
        return sentences[-1].strip() if sentences else _ROLE.sub("", output.partition(_END)[0]).strip()

    def _frame(self, size: tuple[int, int]) -> ModelFrame:
        return ModelFrame(size=(1, 1), screen=size)

    def _messages(self, question: PictureQuestion) -> tuple[Message, ...]:
        language = question.language
        user = _USER[language].format(
            note=NOTE[language],
            task=question.task,
            steps=self._history(question),
        )
        system = _SYSTEM[language].format(functions=_describe_functions(language))
        return make_messages(system, user, question.picture)


def _describe_functions(language: Language) -> str:
    return "\n".join(
        "- " + json.dumps(_make_schema(name, description, parameters), ensure_ascii=False)
        for name, (description, parameters) in _FUNCTIONS[language].items()
    )


def _make_schema(name: str, description: str, parameters: Mapping[str, tuple[str, str]]) -> dict[str, Any]:
    schema: dict[str, Any] = {"name": name, "description": description}
    if parameters:
        properties: dict[str, Any] = {}
        for parameter, (kind, meaning) in parameters.items():
            items = {"items": {"type": "number"}} if kind == "array" else {}
            properties[parameter] = {"type": kind, **items, "description": meaning}
        schema["parameters"] = {"type": "object", "properties": properties, "required": list(properties)}
    return schema


PositivePage = Literal["up", "down"]

_DONE: Mapping[str, Action] = MappingProxyType(
    {
        "home": PressHome(),
        "back": PressBack(),
        "wait": Wait(),
        "terminate": Finished(),
    }
)
_PATHS = ("swipe", "dragTo")
_WITH_POINT = ("click", "long_press")
_KEY_CALLS = ("press", "hotkey")
_TYPING = ("write", "typewrite")
_NONE_LIKE = (
    "doubleClick rightClick middleClick tripleClick moveTo moveRel drag dragRel mouseDown mouseUp keyDown "
    "keyUp select_option"
)
_VERBS = (
    *_DONE,
    "answer",
    *_PATHS,
    *_WITH_POINT,
    *_TYPING,
    "scroll",
    "hscroll",
    *_KEY_CALLS,
    "open_app",
    *_NONE_LIKE.split(),
)
_GRAMMAR = Grammar(
    calls={owner + verb for verb in _VERBS for owner in ("", "pyautogui.", "mobile.", "browser.")},
    arguments={
        *("x", "y", "from_coord", "to_coord", "message", "text", "page", "clicks", "keys", "key", "status"),
        *("seconds", "app_name", "interval", "duration", "button", "value", "answer"),
    },
    bare={"terminate", "mobile.terminate", "mobile.home", "mobile.back", "mobile.wait"},
)
# spaces of one line only, and one run of them: otherwise a long run is tried again from each of its lines
_ROLE = re.compile(
    r"^[^\S\n]*(?:<\|im_start\|>)?assistant(?:<\|recipient\|>)?(?:\s*(?:all|os))?\s*$", re.MULTILINE
)
_OS = re.compile(r"^[^\S\n]*(?:<\|im_start\|>)?assistant(?:<\|recipient\|>)?\s?os\s*$", re.MULTILINE)
_ACTION = re.compile(r"^[^\S\n]{0,9}\*{0,2}Action\s{0,3}\*{0,2}\s{0,3}[:：]\*{0,2}", re.MULTILINE)
_LABELLED = replace(_GRAMMAR, label=_ACTION)
# a call's neighbour: space, fences, comments, a number, what ends a call
_FILLER = re.compile(r"(?:[\s`;,.。]|#[^\n]{0,400}(?:\n|\Z)|[0-9]{1,2}[.)、]){0,400}")
_END = "<|diff_marker|>"


def _find_calls(output: str) -> tuple[Sequence[ParsedCall], str]:
    """Return the calls to perform, and a note on others.

    Raises:
        ActionSyntaxError: A call cannot be parsed, or there is prose among calls and no mark before them.
    """
    calls = read_calls(output, _GRAMMAR)
    marks = list(_OS.finditer(output)) or list(_ACTION.finditer(output))
    start = marks[-1].end() if marks else 0
    behind = [call for call in calls if call.start >= start]
    if marks and behind and not _FILLER.fullmatch(output, start, behind[0].start):
        # code on the line of the label, with prose behind it
        labelled = [call for call in read_calls(output, _LABELLED) if call.start >= start]
        behind = labelled if _FILLER.fullmatch(output, start, labelled[0].start) else behind
    if not behind:
        # a sentence behind "Action:" is no code, unless there is no other behind it
        calls = read_calls(output, _LABELLED) or calls
        behind = [call for call in calls if call.start >= start]
    if not calls or (not behind and _OS.search(output)):
        return (), ""
    run, note = keep_first_run(output, behind or calls, _FILLER)
    if not (marks and behind):
        refuse_draft(output, run, _FILLER)
    if note and not (marks and behind):
        raise ActionSyntaxError("expected calls one behind the other, got prose between them")
    return run, note


def _convert_call(call: ParsedCall, frame: ModelFrame, positive_page: PositivePage) -> Action:
    verb = call.name.rpartition(".")[2]
    if verb == "terminate":
        check_end(call.value("status") or (call.plain[0] if call.plain else None), call.name)
    if verb == "terminate" and "answer" in call.named:
        return make_finished(call.answer("answer"))
    if verb in _DONE:
        return _DONE[verb]
    if verb == "answer":
        return make_finished(call.answer("answer", "text"))
    if verb in _TYPING:
        return make_type(call.text("message", "text"))
    if verb in _WITH_POINT:
        if call.value("clicks") not in (None, 1) or call.value("button") not in (None, "left", "primary"):
            refuse_call(f"{call.name} with another button or number of clicks")
        x, y = frame.point(_read_point(call))
        return Click(x=x, y=y) if verb == "click" else LongClick(x=x, y=y)
    if verb in _PATHS:
        return _read_path(call, frame)
    if verb in ("scroll", "hscroll"):
        return _read_scroll(call, frame, positive_page)
    if verb in _KEY_CALLS:
        return _read_press(call)
    refuse_call(call.name)


def _read_point(call: ParsedCall) -> tuple[float, ...]:
    if "x" in call.named or "y" in call.named:
        return (*call.point("x"), *call.point("y"))
    return find_point(call, "point")


def _read_path(call: ParsedCall, frame: ModelFrame) -> Scroll:
    ends = [call.point(name) for name in ("from_coord", "to_coord") if name in call.named]
    if not call.named and len(call.plain) == 2:
        ends = [ParsedCall(name=call.name, plain=(value,)).point("from_coord") for value in call.plain]
    if len(ends) != 2:
        raise ActionSyntaxError(f"expected from_coord and to_coord in {call.name}, got {len(ends)} of them")
    return make_scroll(frame.point(ends[0]), frame.point(ends[1]))


def _read_scroll(call: ParsedCall, frame: ModelFrame, positive_page: PositivePage) -> Scroll:
    pages = call.point("page", "clicks")
    if len(pages) != 1 or not pages[0]:
        raise ActionSyntaxError(
            f"expected one number other than 0 as page in {call.name}, got {list(pages)[:4]}"
        )
    direction: Direction
    if call.name.endswith("hscroll"):
        direction = "right" if pages[0] > 0 else "left"
    else:
        direction = "up" if (pages[0] > 0) == (positive_page == "up") else "down"
    x, y = frame.point(_read_point(call)) if {"x", "y"} & set(call.named) else frame.center
    return Scroll(x=x, y=y, direction=direction)


def _read_press(call: ParsedCall) -> Action:
    keys = call.value("keys", "key") or (call.plain[0] if len(call.plain) == 1 else "")
    key = keys[0] if isinstance(keys, tuple) and len(keys) == 1 else keys
    return read_key(key) if isinstance(key, str) and key else refuse_call(call.name)
