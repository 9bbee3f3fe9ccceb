"""Reading of the function `mobile_use`: JSON in `<tool_call>`, or without the tags.

The models around Qwen's (Qwen-VL, GUI-Owl, MAI-UI) share its arguments, each in its own frame. The first of
several calls that has an equivalent is performed. A swipe is a finger's path: up is scroll down; a scroll
with a direction alone is of the content. `Menu` is `press_recent`; `terminate` with any status that is an end
and `answer` end the task: `finished()`, which does not imply success, with the
text of `answer`. The key or button Enter is a typed newline.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from fingertip_agents.formats.open_app import open_by_name
from fingertip_agents.parsing.arguments import Grammar, read_calls
from fingertip_agents.parsing.first_call import read_first_call
from fingertip_agents.parsing.json_calls import JsonCall, find_json_calls, refuse_scattered
from fingertip_agents.parsing.native_syntax import (
    ENTER,
    check_end,
    make_finished,
    make_refusal,
    make_type,
    refuse_call,
    refuse_output,
    refuse_question,
)
from fingertip_agents.parsing.points import ENDS, NAMES, STARTS, find_json_point
from fingertip_agents.parsing.reading import ANSWER_NAMES, CONVERTED, Reading
from fingertip_agents.parsing.tagged_blocks import blank_mentions
from fingertip_agents.screens.coordinates import OPPOSITE, ModelFrame, make_scroll
from fingertip_dataset.actions import (
    DIRECTIONS,
    Action,
    Click,
    Finished,
    LongClick,
    PressBack,
    PressHome,
    PressRecent,
    Scroll,
    Wait,
)
from fingertip_dataset.errors import ActionSyntaxError
from fingertip_models.chat.tool_calls import convert_xml_calls

TOOL = "mobile_use"

_TAG, _END = "<tool_call>", "</tool_call>"
_OPENING, _CLOSING = re.compile(_TAG), re.compile(_END)
_TAGS = re.compile(r"</?tool_call>|```(?:json)?")
_BUTTONS: Mapping[str, Action] = {
    "back": PressBack(),
    "home": PressHome(),
    **dict.fromkeys(("menu", "recent", "recents", "recent_apps", "app_switch", "overview"), PressRecent()),
    "enter": ENTER,
}
_KEYS: Mapping[str, Action] = {
    "back": PressBack(),
    "home": PressHome(),
    "app_switch": PressRecent(),
    "recents": PressRecent(),
    "enter": ENTER,
}
_PRESSES: Mapping[str, Action] = {
    **dict.fromkeys(("back", "press_back", "go_back"), PressBack()),
    **dict.fromkeys(("home", "press_home", "go_home"), PressHome()),
    **dict.fromkeys(("recent", "recents", "press_recent"), PressRecent()),
    **dict.fromkeys(("enter", "press_enter"), ENTER),
}
"""Buttons that models write as actions of their own."""
_ALIASES: Mapping[str, str] = {
    "tap": "click",
    "open_app": "open",
}
"""Names that models of this family write for actions, too."""
_OTHER_NAMES: Mapping[str, str] = {
    **dict.fromkeys(("left_click", "touch"), "click"),
    **dict.fromkeys(("long_click", "long_tap", "longpress"), "long_press"),
    **dict.fromkeys(("input_text", "input", "type_text"), "type"),
    "launch_app": "open",
    **dict.fromkeys(("finish", "finished"), "terminate"),
}
"""Names of actions of other models, which are read with a note."""
_QUESTIONS = ("interact", "call_user", "calluser", "ask_user")
ARGUMENTS: Mapping[str, Sequence[str]] = {
    "click": ("coordinate",),
    "long_press": ("coordinate", "time"),
    "swipe": ("coordinate", "coordinate1", "coordinate2", "direction"),
    "scroll": ("coordinate", "coordinate1", "coordinate2", "direction"),
    "type": ("text",),
    "answer": ("text",),
    "open": ("text", "app_name"),
    "key": ("text",),
    "system_button": ("button",),
    "wait": ("time",),
    "terminate": ("status",),
}
"""Name of an action -> its arguments."""


def read_mobile_use(
    output: str,
    frame: ModelFrame,
    *,
    convert: Callable[[JsonCall, str, ModelFrame], Action] | None = None,
    arguments: Mapping[str, Sequence[str]] = ARGUMENTS,
) -> Reading:
    """Read the first call of `mobile_use`; the text before it is the thought.

    Args:
        output: The answer without its thinking.
        frame: Mapping from the model's coordinates to the phone's screen.
        convert: Converts the call of an action of that name; None for `convert_call`.
        arguments: Name of an action -> its arguments; other arguments are left out with a note.
    """
    # models of this family also write calls as XML
    output, _ = convert_xml_calls(output)
    thought = _TAGS.sub("", output[: find_call_start(output)]).strip()

    def perform(call: JsonCall) -> Reading:
        verb = _read_verb(call)
        written = str(call.arguments["action"]).strip()
        if written.lower() in _OTHER_NAMES or verb in _PRESSES:
            call.notes.append(f"{CONVERTED}: another spelling of {_OTHER_NAMES.get(written.lower(), verb)}")
        if verb in arguments:
            call.leave_out(("action", *arguments[verb]))
        if verb == "open":
            return replace(open_by_name(call.text("text", "app_name"), thought), notes=tuple(call.notes))
        action = (convert or convert_call)(call, verb, frame)
        return Reading(actions=(action,), thought=thought, notes=tuple(call.notes))

    try:
        return read_first_call(find_calls(output, TOOL), perform, _read_verb)
    except ActionSyntaxError as error:
        return make_refusal(error, thought)


def find_call_start(output: str) -> int:
    """Start of the call: its tag, or without a tag the first brace; a call within a sentence is none."""
    output = _blank_mentions(output)
    tag = output.find(_TAG)
    brace = output.find("{") if tag < 0 else tag
    return len(output) if brace < 0 else brace


def _blank_mentions(output: str) -> str:
    return blank_mentions(output, _OPENING, _CLOSING)


def find_call(output: str, tool: str) -> JsonCall:
    """Find the first call of a tool, as `find_calls` does."""
    return find_calls(output, tool)[0]


def find_calls(output: str, tool: str) -> tuple[JsonCall, ...]:
    """Find the calls of a tool, in order, at least one.

    The closing tag of the first one may be missing or duplicated.

    Raises:
        ActionSyntaxError: There is none, the first is one of another tool, or there are different ones with
            prose between them.
    """
    start, whole = find_call_start(output), output
    output = _blank_mentions(output)
    end = output.find(_END, start)
    calls = find_json_calls(output, is_call=_is_call, start=start, end=end if end >= 0 else None)
    if not calls:
        calls = _read_python_calls(output, tool)
    if not calls:
        refuse_output(f"the JSON of a {tool} call", whole[start:] or whole)
    calls += find_json_calls(output, is_call=_is_call, start=calls[-1].end)
    refuse_scattered(output, calls)
    if calls[0].name not in ("", tool):
        raise ActionSyntaxError(f"expected a call of {tool}, got {calls[0].name[:40]!r}")
    return tuple(call for call in calls if call.name in ("", tool))


def _read_python_calls(output: str, tool: str) -> tuple[JsonCall, ...]:
    """Read calls of the function as Python writes them."""
    grammar = Grammar(
        calls={tool}, arguments={"action", *(name for one in ARGUMENTS.values() for name in one)}
    )
    return tuple(
        JsonCall(
            name=tool,
            arguments=call.named,
            start=call.start,
            end=call.end,
            notes=[*call.notes, f"{CONVERTED}: the call from the spelling of Python"],
        )
        for call in read_calls(output, grammar)
    )


def _is_call(fields: Mapping[str, object]) -> bool:
    return "action" in fields


def _read_verb(call: JsonCall) -> str:
    """Name of the call's action, in the prompt's spelling."""
    verb = call.arguments.get("action")
    if not isinstance(verb, str):
        raise ActionSyntaxError(
            "expected the name of an action, got none"
            if verb is None
            else "expected a text as action, got something else or nothing"
        )
    plain = "_".join(verb.lower().split())
    return _OTHER_NAMES.get(plain, _ALIASES.get(plain, plain))


def convert_call(call: JsonCall, verb: str, frame: ModelFrame) -> Action:
    """Convert a call of the action of that name.

    Raises:
        ActionSyntaxError: An argument is missing or wrong, or nothing here is like the action.
    """
    if verb == "wait":
        return Wait()
    if verb == "terminate":
        check_end(call.given("status"), verb)
        has_answer = any(call.given(name) is not None for name in ANSWER_NAMES)
        return make_finished(call.answer("text")) if has_answer else Finished()
    if verb in _PRESSES:
        return _PRESSES[verb]
    if verb == "answer":
        return make_finished(call.answer("text"))
    if verb in ("click", "long_press"):
        x, y = read_point(call, frame, "coordinate")
        return Click(x=x, y=y) if verb == "click" else LongClick(x=x, y=y)
    if verb in ("swipe", "scroll"):
        return read_swipe(call, verb, frame)
    if verb == "type":
        return make_type(call.text("text"))
    if verb == "system_button":
        button = call.text("button")
        return _BUTTONS.get(button.lower()) or refuse_call(f"the button {button[:40]!r}")
    if verb == "key":
        key = call.text("text")
        return _KEYS.get(key.lower().removeprefix("keycode_")) or refuse_call(f"the key {key[:40]!r}")
    if verb in _QUESTIONS:
        refuse_question(verb, call.answer("text"))
    refuse_call(repr(verb[:40]))


def read_swipe(call: JsonCall, verb: str, frame: ModelFrame) -> Scroll:
    """Read a finger's path: two points, four numbers, or a direction, which a scroll names of the content.

    Raises:
        ActionSyntaxError: There is neither, or a point is off the screen.
    """
    end = find_json_point(call, verb, "coordinate2", others=ENDS)
    if end is not None:
        start = find_json_point(call, verb, "coordinate", "coordinate1", others=(*STARTS, *NAMES))
        if start is None:
            raise ActionSyntaxError(f"expected a coordinate in {verb}, got none")
        return make_scroll(frame.point(start), frame.point(end))
    numbers = find_json_point(call, verb, "coordinate", "coordinate1", others=(*STARTS, *NAMES))
    side = call.given("direction")
    if side is None and numbers is not None and len(numbers) == 4:
        call.notes.append(f"{CONVERTED}: the four numbers of {verb} to the ends of a path")
        return make_scroll(frame.point(numbers[:2]), frame.point(numbers[2:]))
    if side is None:
        raise ActionSyntaxError(f"expected a coordinate2 in {verb}, got none")
    word = call.text("direction").strip().lower()
    if word not in DIRECTIONS:
        raise ActionSyntaxError(f"expected direction up, down, left or right, got {word[:40]!r}")
    x, y = frame.center if numbers is None else frame.point(numbers)
    way = "finger" if verb == "swipe" else "content"
    call.notes.append(f"{CONVERTED}: the direction of {verb} as that of the {way}")
    direction = OPPOSITE[DIRECTIONS[word]] if verb == "swipe" else DIRECTIONS[word]
    return Scroll(x=x, y=y, direction=direction)


def read_point(call: JsonCall, frame: ModelFrame, *names: str) -> tuple[int, int]:
    """Read the point of the first argument with one of these names, device px.

    Raises:
        ActionSyntaxError: No such argument, or it is no point of the screen.
    """
    verb = str(call.arguments["action"])[:40]
    numbers = find_json_point(call, verb, *names)
    if numbers is None:
        raise ActionSyntaxError(f"expected a {names[0]} in {verb}, got none")
    return frame.point(numbers)
