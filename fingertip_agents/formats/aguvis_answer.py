"""What an answer of Aguvis-7B says: `pyautogui.click(x=0.863, y=0.390)`, `mobile.swipe(...)`.

Coordinates are parts of the screen from 0 to 1. Where the special tokens are stripped, lines `assistantall`
and `assistantos` remain; they are no calls. Of several calls all are done, in order: an answer of its
training data may hold `mobile.wait` and the action that follows. A `terminate` with whatever status, and an
`answer`, is the agent's word that it has done: `finished()`, which is no success.

The sign of `pyautogui.scroll(page=...)` is documented nowhere, and those who use the model split two against
two. So it is a setting; by default a positive page is up, as for pyautogui itself. Without a point the finger
starts at the middle of the screen. `open_app`, keys other than back and home, and the mouse calls have no
equivalent.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

from fingertip_agents.formats.arguments import Grammar, ParsedCall, read_calls
from fingertip_agents.formats.coordinates import ModelFrame, scroll_along
from fingertip_agents.formats.native_syntax import no_call, no_equivalent, refusal, typed
from fingertip_agents.formats.reading import Reading
from fingertip_dataset.actions import (
    Action,
    Click,
    Direction,
    Finished,
    LongClick,
    PressBack,
    PressHome,
    Scroll,
    Wait,
)
from fingertip_dataset.errors import ActionSyntaxError

PositivePage = Literal["up", "down"]

_DONE: Mapping[str, Action] = MappingProxyType(
    {
        "home": PressHome(),
        "back": PressBack(),
        "wait": Wait(),
        "terminate": Finished(),
        "answer": Finished(),
    }
)
_PATHS = ("swipe", "dragTo")
_WITH_POINT = ("click", "long_press")
_NONE_LIKE = "open_app doubleClick rightClick middleClick tripleClick moveTo hotkey select_option"
_VERBS = (*_DONE, *_PATHS, *_WITH_POINT, "write", "scroll", "hscroll", "press", *_NONE_LIKE.split())
_GRAMMAR = Grammar(
    calls={owner + verb for verb in _VERBS for owner in ("", "pyautogui.", "mobile.", "browser.")},
    arguments={
        *("x", "y", "from_coord", "to_coord", "message", "text", "page", "clicks", "keys", "key", "status"),
        *("seconds", "app_name", "interval", "duration", "button", "value", "answer"),
    },
    bare={"terminate", "mobile.terminate", "mobile.home", "mobile.back", "mobile.wait"},
)
_ROLE = re.compile(r"^\s*(?:<\|im_start\|>)?assistant(?:<\|recipient\|>)?\s*(?:all|os)?\s*$", re.MULTILINE)
_SENTENCE = re.compile(r"^\s*Action\s*[:：]\s*(\S.*)$", re.MULTILINE)
_END = "<|diff_marker|>"


def read_answer(output: str, *, frame: ModelFrame, positive_page: PositivePage = "up") -> Reading:
    r"""The actions of an answer; see the module for which of several.

    Args:
        output: What the model wrote.
        frame: Its size is (1, 1).
        positive_page: The side of the content that a positive `page` reveals.

    >>> frame = ModelFrame(size=(1, 1), screen=(1080, 2400))
    >>> read_answer("assistantos\npyautogui.click(x=0.863, y=0.390)", frame=frame).actions
    (Click(x=932, y=936, content=None),)
    """
    output = output.partition(_END)[0]
    thought = _ROLE.sub("", output).strip()
    try:
        calls = read_calls(output, _GRAMMAR)
        if not calls:
            no_call("a call such as pyautogui.click(...) or mobile.terminate(...)", thought)
        thought = _ROLE.sub("", output[: calls[0].start]).strip(" \n`")
        return Reading(
            actions=tuple(_action(call, frame, positive_page) for call in calls),
            thought=thought.removeprefix("Thought:").strip(),
        )
    except ActionSyntaxError as error:
        return refusal(error, thought)


def step_text(output: str) -> str:
    r"""What a step did in the agent's words: its sentence, or else its code.

    >>> step_text("assistantall\nAction: Open the clock.\nassistantos\npyautogui.click(x=0.1, y=0.2)")
    'Open the clock.'
    """
    sentences = _SENTENCE.findall(output)
    return sentences[-1].strip() if sentences else _ROLE.sub("", output.partition(_END)[0]).strip()


def _action(call: ParsedCall, frame: ModelFrame, positive_page: PositivePage) -> Action:
    verb = call.name.rpartition(".")[2]
    if verb in _DONE:
        return _DONE[verb]
    if verb == "write":
        return typed(call.text("message", "text"))
    if verb in _WITH_POINT:
        x, y = frame.point(_point(call))
        return Click(x=x, y=y) if verb == "click" else LongClick(x=x, y=y)
    if verb in _PATHS:
        return _path(call, frame)
    if verb in ("scroll", "hscroll"):
        return _scroll(call, frame, positive_page)
    if verb == "press":
        return _press(call)
    no_equivalent(call.name)


def _point(call: ParsedCall) -> tuple[float, ...]:
    if "x" in call.named or "y" in call.named:
        return (*call.point("x"), *call.point("y"))
    return call.point("x")


def _path(call: ParsedCall, frame: ModelFrame) -> Scroll:
    ends = [call.point(name) for name in ("from_coord", "to_coord") if name in call.named]
    if not call.named and len(call.plain) == 2:
        ends = [ParsedCall(name=call.name, plain=(value,)).point("from_coord") for value in call.plain]
    if len(ends) != 2:
        raise ActionSyntaxError(f"expected from_coord and to_coord in {call.name}, got {len(ends)} of them")
    return scroll_along(frame.point(ends[0]), frame.point(ends[1]))


def _scroll(call: ParsedCall, frame: ModelFrame, positive_page: PositivePage) -> Scroll:
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
    x, y = frame.point(_point(call) if {"x", "y"} & set(call.named) else (0.5, 0.5))
    return Scroll(x=x, y=y, direction=direction)


def _press(call: ParsedCall) -> Action:
    keys = call.value("keys", "key") or (call.plain[0] if len(call.plain) == 1 else "")
    key = keys[0] if isinstance(keys, tuple) and len(keys) == 1 else keys
    if key == "back":
        return PressBack()
    if key == "home":
        return PressHome()
    no_equivalent(f"press of {str(key)[:40]!r}")
