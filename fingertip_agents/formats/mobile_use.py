"""Reading of the function `mobile_use`: JSON in `<tool_call>`, or without the tags.

The models around Qwen's (Qwen-VL, GUI-Owl, MAI-UI) share its arguments, each in its own frame. The first of
several calls is performed. A swipe is a finger's path: up is scroll down. `Menu` is `press_recent`;
`terminate` with any status and `answer` end the task: `finished()`, which does not imply success, with the
text of `answer`. The key or button Enter is a typed newline.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from fingertip_agents.formats.open_app import open_by_name
from fingertip_agents.parsing.arguments import read_numbers
from fingertip_agents.parsing.json_calls import JsonCall, find_json_calls, refuse_scattered
from fingertip_agents.parsing.native_syntax import (
    ENTER,
    make_finished,
    make_refusal,
    make_type,
    refuse_call,
    refuse_output,
    refuse_question,
)
from fingertip_agents.parsing.reading import LEFT_OUT, Reading
from fingertip_agents.parsing.tagged_blocks import blank_mentions
from fingertip_agents.screens.coordinates import ModelFrame, make_scroll
from fingertip_dataset.actions import (
    Action,
    Click,
    Finished,
    LongClick,
    PressBack,
    PressHome,
    PressRecent,
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
    "menu": PressRecent(),
    "enter": ENTER,
}
_KEYS: Mapping[str, Action] = {
    "back": PressBack(),
    "home": PressHome(),
    "app_switch": PressRecent(),
    "recents": PressRecent(),
    "enter": ENTER,
}
_DONE: Mapping[str, Action] = {"wait": Wait(), "terminate": Finished()}
_ALIASES: Mapping[str, str] = {"tap": "click", "scroll": "swipe", "open_app": "open"}
"""Names that models of this family write for actions, too."""
_QUESTIONS = ("interact", "call_user", "calluser", "ask_user")
ARGUMENTS: Mapping[str, Sequence[str]] = {
    "click": ("coordinate",),
    "long_press": ("coordinate", "time"),
    "swipe": ("coordinate", "coordinate1", "coordinate2"),
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
    try:
        call = find_call(output, TOOL)
        verb = _read_verb(call)
        if verb in arguments:
            call.leave_out(("action", *arguments[verb]))
        if verb == "open":
            return replace(open_by_name(call.text("text", "app_name"), thought), notes=tuple(call.notes))
        action = (convert or convert_call)(call, verb, frame)
        return Reading(actions=(action,), thought=thought, notes=tuple(call.notes))
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
    """Find the first call of a tool; the calls behind it are for screens that nobody has seen yet.

    Its closing tag may be missing or duplicated.

    Raises:
        ActionSyntaxError: There is none, it is one of another tool, or there are several without tags and
            with prose between them.
    """
    start, whole = find_call_start(output), output
    output = _blank_mentions(output)
    end = output.find(_END, start)
    calls = find_json_calls(
        output, is_call=lambda fields: "action" in fields, start=start, end=end if end >= 0 else None
    )
    if not calls:
        refuse_output(f"the JSON of a {tool} call", whole[start:] or whole)
    if not _OPENING.search(output):
        refuse_scattered(output, calls)
    call, further = calls[0], len(calls) - 1
    further += output.count(_TAG, call.end)
    if call.name not in ("", tool):
        raise ActionSyntaxError(f"expected a call of {tool}, got {call.name[:40]!r}")
    if further:
        call.notes.append(f"{LEFT_OUT}: {further} more calls, for the next screens")
    return call


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
    return _ALIASES.get(plain, plain)


def convert_call(call: JsonCall, verb: str, frame: ModelFrame) -> Action:
    """Convert a call of the action of that name.

    Raises:
        ActionSyntaxError: An argument is missing or wrong, or nothing here is like the action.
    """
    if verb in _DONE:
        return _DONE[verb]
    if verb == "answer":
        return make_finished(call.answer("text"))
    if verb in ("click", "long_press"):
        x, y = read_point(call, frame, "coordinate")
        return Click(x=x, y=y) if verb == "click" else LongClick(x=x, y=y)
    if verb == "swipe":
        return make_scroll(
            read_point(call, frame, "coordinate", "coordinate1"), read_point(call, frame, "coordinate2")
        )
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


def read_point(call: JsonCall, frame: ModelFrame, *names: str) -> tuple[int, int]:
    """Read the point of the first argument with one of these names, device px.

    Raises:
        ActionSyntaxError: No such argument, or it is no point of the screen.
    """
    name = next((name for name in names if name in call.arguments), None)
    if name is None:
        raise ActionSyntaxError(f"expected a {names[0]} in {call.arguments['action']}, got none")
    return frame.point(read_numbers(call.arguments[name]))
