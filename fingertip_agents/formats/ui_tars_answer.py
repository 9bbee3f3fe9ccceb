r"""What an answer of UI-TARS says: `Thought: ... Action: click(start_box='(197,525)')`.

A box is tapped at its centre, and `direction` is the side of the content to reveal, as in our action space; a
scroll or drag with two ends is a finger's path. Of an output with several actions all that follow the last
`Action:` are done, in order, for so does the agent's own parser. A `\n` at the end of a typed text means
"submit" there; our action space has no Enter, so the text is typed without it and nothing is guessed.
`open_app`, `hotkey` and the mouse calls have no equivalent.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from fingertip_agents.formats.arguments import Grammar, ParsedCall, labels, read_calls
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

_LABEL = re.compile(r"(?<![A-Za-z_])Action\s{0,3}\*{0,2}\s{0,3}[:：]\*{0,2}")
_KEYS: Mapping[str, Action] = {
    "press_home": PressHome(),
    "press_back": PressBack(),
    "wait": Wait(),
    "finished": Finished(),
}
_TWO_ENDS = ("drag", "scroll", "swipe", "select")
_NONE_LIKE = (
    "open_app call_user hotkey press release left_double right_single left_single hover keydown keyup"
)
_GRAMMAR = Grammar(
    calls={"click", "long_press", "type", *_TWO_ENDS, *_KEYS, *_NONE_LIKE.split()},
    arguments={
        *("point", "start_box", "start_point", "end_box", "end_point", "direction"),
        *("content", "time", "app_name", "key"),
    },
    bare=_KEYS,
    label=_LABEL,
)
_DIRECTIONS: Mapping[str, Direction] = {"up": "up", "down": "down", "left": "left", "right": "right"}
_START, _END = ("start_box", "point", "start_point"), ("end_box", "end_point")


def read_answer(output: str, *, frame: ModelFrame) -> Reading:
    r"""The actions of an answer; see the module for which of several.

    Args:
        output: What the model wrote.
        frame: How its coordinates lie on the phone.

    >>> frame = ModelFrame(size=(1092, 2408), screen=(1080, 2400))
    >>> read_answer("Thought: the plus\nAction: click(start_box='(540,1200)')", frame=frame)
    Reading(actions=(Click(x=534, y=1196, content=None),), raw=(), problem=None, thought='the plus')
    """
    thought = _thought(_LABEL.split(output, maxsplit=1)[0])
    try:
        calls = read_calls(output, _GRAMMAR)
        label = (labels(output, calls, _LABEL) or (None,))[-1]
        start = label.end() if label else 0
        last = [call for call in calls if call.start >= start]
        thought = _thought(output[: label.start() if label else last[0].start if last else len(output)])
        if not last:
            no_call("Action: and a call such as click(...) or finished()", output[start:])
        return Reading(actions=tuple(_action(call, frame) for call in last), thought=thought)
    except ActionSyntaxError as error:
        return refusal(error, thought)


def _thought(before: str) -> str:
    return before.strip().removeprefix("Thought:").strip()


def _action(call: ParsedCall, frame: ModelFrame) -> Action:
    if call.name in _KEYS:
        return _KEYS[call.name]
    if call.name == "type":
        return typed(call.text("content").removesuffix("\n"))
    if call.name in ("click", "long_press"):
        x, y = frame.point(call.point(*_START))
        return Click(x=x, y=y) if call.name == "click" else LongClick(x=x, y=y)
    if call.name in _TWO_ENDS:
        return _scroll(call, frame)
    no_equivalent(call.name)


def _scroll(call: ParsedCall, frame: ModelFrame) -> Action:
    """A finger's path where there are two ends, otherwise a point and the side to reveal."""
    start = frame.point(call.point(*_START))
    if call.value(*_END) is not None:
        return scroll_along(start, frame.point(call.point(*_END)))
    if call.name != "scroll":
        raise ActionSyntaxError(f"expected two ends in {call.name}, got one")
    given = call.text("direction").strip().lower()
    if given not in _DIRECTIONS:
        raise ActionSyntaxError(f"expected direction up, down, left or right, got {given[:40]!r}")
    return Scroll(x=start[0], y=start[1], direction=_DIRECTIONS[given])
