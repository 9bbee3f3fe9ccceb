"""What an answer of Qwen's `mobile_use` says: JSON in `<tool_call>`, or without the tags.

Of several calls the first is done, for so does the cookbook's loop. A swipe is a finger's path: up is scroll
down. `Menu` is `press_recent`; `terminate` with whatever status, and an `answer`, is the agent's word that it
has done: `finished()`, which is no success. `Enter`, `open` and keys other than back, home and recents have
no equivalent; seconds of a long press or a wait are the benchmark's own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from fingertip_agents.formats.arguments import numbers
from fingertip_agents.formats.calls import MAX_OUTPUT
from fingertip_agents.formats.coordinates import ModelFrame, scroll_along
from fingertip_agents.formats.native_syntax import no_call, no_equivalent, refusal, typed
from fingertip_agents.formats.reading import Reading
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

TOOL = "mobile_use"
MAX_TRIES = 32
"""Opening braces from which an object is tried to be read."""

_TAG, _END = "<tool_call>", "</tool_call>"
_ARGUMENTS = re.compile(r'"arguments"\s{0,10}:\s{0,10}(?=\{)')
_TAGS = re.compile(r"</?(?:tool_call|think|thinking)>|```(?:json)?")
_BUTTONS: Mapping[str, Action] = {"back": PressBack(), "home": PressHome(), "menu": PressRecent()}
_KEYS: Mapping[str, Action] = {
    "back": PressBack(),
    "home": PressHome(),
    "app_switch": PressRecent(),
    "recents": PressRecent(),
}
_DONE: Mapping[str, Action] = {"wait": Wait(), "terminate": Finished(), "answer": Finished()}
_JSON = json.JSONDecoder(strict=False)


def read_answer(output: str, *, frame: ModelFrame) -> Reading:
    """The action of an answer.

    Args:
        output: What the model wrote.
        frame: How its coordinates lie on the phone.

    >>> frame = ModelFrame(size=(1000, 1000), screen=(1080, 2400))
    >>> read_answer('{"arguments": {"action": "system_button", "button": "Menu"}}', frame=frame).actions
    (PressRecent(),)
    """
    at = _start(output)
    thought = _TAGS.sub("", output[:at]).strip()
    try:
        return Reading(actions=(_action(_arguments(output, at), frame),), thought=thought)
    except ActionSyntaxError as error:
        return refusal(error, thought)


def step_text(output: str) -> str:
    """The call of an earlier answer as it is told again: its arguments, or all where they cannot be read.

    >>> step_text('Back. {"name": "mobile_use", "arguments": {"action": "wait", "time": 2}}')
    '{"action": "wait", "time": 2}'
    """
    try:
        return json.dumps(_arguments(output, _start(output)), ensure_ascii=False)
    except ActionSyntaxError:
        return output


def _start(output: str) -> int:
    """Where the call begins: its tag, behind a thought in tags of its own; without one its first brace."""
    thought_end = output.rfind("</think>") + 1
    tag = output.find(_TAG, thought_end)
    brace = output.find("{", thought_end) if tag < 0 else tag
    return len(output) if brace < 0 else brace


def _arguments(output: str, at: int) -> Mapping[str, Any]:
    """The first object behind `at` that is a call; what closes it may be missing or be there twice."""
    if len(output) > MAX_OUTPUT:
        raise ActionSyntaxError(f"expected at most {MAX_OUTPUT} characters, got {len(output)}")
    brace, end = at, output.find(_END, at)
    if end < 0:
        end = len(output)
    for _ in range(MAX_TRIES):
        brace = output.find("{", brace, end)
        if brace < 0:
            break
        found = _object(output, brace)
        inner = _ARGUMENTS.search(output, brace, min(end, brace + 200)) if found is None else None
        if inner:
            found = {"arguments": _object(output, inner.end())}
        call = None if found is None else _call(found)
        if call is not None:
            return call
        brace += 1
    no_call(f"the JSON of a {TOOL} call", output[at:] or output)


def _object(output: str, at: int) -> dict[str, Any] | None:
    try:
        found, _ = _JSON.raw_decode(output, at)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _call(found: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The arguments, where this is a call; they may stand alone, or be JSON within JSON."""
    arguments = found.get("arguments", found if "action" in found else None)
    if isinstance(arguments, str):
        arguments = _object(arguments, 0)
    if not isinstance(arguments, dict):
        return None
    if found.get("name", TOOL) != TOOL:
        raise ActionSyntaxError(f"expected a call of {TOOL}, got {str(found['name'])[:40]!r}")
    return arguments


def _action(arguments: Mapping[str, Any], frame: ModelFrame) -> Action:
    verb = arguments.get("action")
    if not isinstance(verb, str):
        raise ActionSyntaxError(
            "expected the name of an action, got none" if verb is None else _not_text("action")
        )
    if verb in _DONE:
        return _DONE[verb]
    if verb in ("click", "long_press"):
        x, y = _point(arguments, "coordinate", frame)
        return Click(x=x, y=y) if verb == "click" else LongClick(x=x, y=y)
    if verb == "swipe":
        return scroll_along(_point(arguments, "coordinate", frame), _point(arguments, "coordinate2", frame))
    if verb == "type":
        return typed(_text(arguments, "text"))
    if verb == "system_button":
        button = _text(arguments, "button")
        return _BUTTONS.get(button.lower()) or no_equivalent(f"the button {button[:40]!r}")
    if verb == "key":
        key = _text(arguments, "text")
        return _KEYS.get(key.lower().removeprefix("keycode_")) or no_equivalent(f"the key {key[:40]!r}")
    no_equivalent(repr(verb[:40]))


def _point(arguments: Mapping[str, Any], name: str, frame: ModelFrame) -> tuple[int, int]:
    if name not in arguments:
        raise ActionSyntaxError(f"expected a {name} in {arguments['action']}, got none")
    return frame.point(numbers(arguments[name]))


def _text(arguments: Mapping[str, Any], name: str) -> str:
    value = arguments.get(name)
    if not isinstance(value, str):
        raise ActionSyntaxError(_not_text(name))
    return value


def _not_text(name: str) -> str:
    return f"expected a text as {name}, got something else or nothing"
