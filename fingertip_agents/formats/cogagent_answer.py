"""What an answer of CogAgent-9B-20241220 says: `Grounded Operation: CLICK(box=[[219,186,311,207]], ...)`.

Boxes lie on a grid of thousandths; the centre is tapped, and `element_info` is what the element is called.
The operation behind the first `Grounded Operation:` is done and no other, for so does the agent's own client.

`TYPE` is a click and then a typing: two actions, and each counts as a step. `SCROLL_DOWN` reveals what is
below, as a mouse wheel does (Action_space.md); the agent's client for Android moves the finger down instead,
so this is a setting. The agent has no back, home, recents, wait or long press (its issue 19). `DOUBLE_CLICK`,
`LAUNCH`, keys, quotes and variables have no equivalent.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

from fingertip_agents.formats.arguments import Grammar, ParsedCall, labels, read_calls
from fingertip_agents.formats.coordinates import ModelFrame
from fingertip_agents.formats.native_syntax import no_call, no_equivalent, refusal, typed
from fingertip_agents.formats.reading import Reading
from fingertip_dataset.actions import Action, Click, Direction, Finished, Scroll
from fingertip_dataset.errors import ActionSyntaxError

ScrollDown = Literal["content", "finger"]

_LABEL = re.compile(r"Grounded Operation\s{0,3}\*{0,2}\s{0,3}[:：]\*{0,2}")
_SENTENCE = re.compile(r"^\s*Action\s*[:：]\s*(\S.*)$", re.MULTILINE)
_SCROLLS: Mapping[str, tuple[Direction, Direction]] = {
    "SCROLL_UP": ("up", "down"),
    "SCROLL_DOWN": ("down", "up"),
    "SCROLL_LEFT": ("left", "right"),
    "SCROLL_RIGHT": ("right", "left"),
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


def read_answer(output: str, *, frame: ModelFrame, scroll_down: ScrollDown = "content") -> Reading:
    """The actions of an answer: one, or the two of a `TYPE`.

    Args:
        output: What the model wrote.
        frame: Its size is (1000, 1000).
        scroll_down: What `SCROLL_DOWN` moves down: the view over the content, or the finger.

    >>> frame = ModelFrame(size=(1000, 1000), screen=(1080, 2400))
    >>> read_answer("Grounded Operation: TYPE(box=[[000,000,999,100]], text='牛奶')", frame=frame).actions
    (Click(x=539, y=120, content=None), Type(text='牛奶'))
    """
    thought = _LABEL.split(output, maxsplit=1)[0].strip()
    try:
        call, thought = _operation(output)
        return Reading(actions=_actions(call, frame, scroll_down), thought=thought)
    except ActionSyntaxError as error:
        return refusal(error, thought)


def step_text(output: str) -> str:
    r"""An earlier answer as the agent is told of it: the operation, a tab, the sentence about it.

    >>> step_text("Action: The task is done.\nGrounded Operation: END()")
    'END()\tThe task is done.'
    """
    try:
        call, _ = _operation(output)
    except ActionSyntaxError:
        return output
    sentence = _SENTENCE.search(output)
    return f"{output[call.start : call.end]}\t{sentence[1].strip() if sentence else ''}".rstrip()


def _operation(output: str) -> tuple[ParsedCall, str]:
    """The operation that counts, and what stands before it."""
    calls = read_calls(output, _GRAMMAR)
    label = next(iter(labels(output, calls, _LABEL)), None)
    start = label.end() if label else 0
    call = next((call for call in calls if call.start >= start), None)
    if call is None:
        no_call("Grounded Operation: and an operation such as CLICK(...) or END()", output[start:])
    return call, output[: label.start() if label else call.start].strip()


def _actions(call: ParsedCall, frame: ModelFrame, scroll_down: ScrollDown) -> tuple[Action, ...]:
    if call.name == "END":
        return (Finished(),)
    if call.name not in ("CLICK", "TYPE", *_SCROLLS):
        no_equivalent(call.name)
    x, y = frame.point(call.point("box"))
    if call.name in _SCROLLS:
        return (Scroll(x=x, y=y, direction=_SCROLLS[call.name][scroll_down == "finger"]),)
    element_info = call.value("element_info")
    click = Click(
        x=x, y=y, content=element_info if isinstance(element_info, str) and element_info.strip() else None
    )
    return (click, typed(call.text("text"))) if call.name == "TYPE" else (click,)
