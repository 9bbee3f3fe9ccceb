"""`input`: taps, swipes, keys and text injected by the host."""

from __future__ import annotations

from simulated_phone.adb.commands.command_call import CommandCall, CommandError
from simulated_phone.adb.commands.keycodes import key_name
from simulated_phone.faults import NO_INPUT_INJECTION

LONG_PRESS_MS = 400
"""Minimum duration of a swipe without movement to count as a long press, as in ViewConfiguration."""

_SOURCES = (
    "dpad",
    "keyboard",
    "mouse",
    "touchpad",
    "gamepad",
    "touchnavigation",
    "joystick",
    "touchscreen",
    "stylus",
    "trackball",
)
_USAGE = """Usage: input [<source>] [-d DISPLAY_ID] <command> [<arg>...]

The commands and default sources are:
      text <string> (Default: keyboard)
      keyevent [--longpress|--doubletap] <key code number or name> ... (Default: keyboard)
      tap <x> <y> (Default: touchscreen)
      swipe <x1> <y1> <x2> <y2> [duration(ms)] (Default: touchscreen)
      draganddrop <x1> <y1> <x2> <y2> [duration(ms)] (Default: touchscreen)"""


def input_(call: CommandCall) -> None:
    """`input [SOURCE] [-d DISPLAY] tap|swipe|draganddrop|text|keyevent ...`."""
    if NO_INPUT_INJECTION in call.phone.faults:
        raise call.java_error(
            "java.lang.SecurityException: Injecting input events requires the caller (or the source of the "
            "instrumentation, if any) to have the INJECT_EVENTS permission."
        )
    if call.args and call.args[0] in _SOURCES:
        del call.args[0]
    if call.args[:1] == ["-d"]:
        call.pop_option("-d")
    if not call.args:
        raise CommandError(_USAGE, 255)
    run = _ACTIONS.get(call.args[0])
    if run is None:
        raise CommandError(f"Unknown command: {call.args[0]}\n{_USAGE}", 255)
    run(call)


def _tap(call: CommandCall) -> None:
    x, y = _numbers(call, 2)[:2]
    call.phone.tap(x, y)


def _swipe(call: CommandCall) -> None:
    x1, y1, x2, y2, ms = (*_numbers(call, 4), 300)[:5]
    width, height = call.phone.size
    # a real phone ignores touches that begin off the screen
    if not (0 <= x1 < width and 0 <= y1 < height):
        return
    if (x1, y1) != (x2, y2):
        call.phone.swipe(x1, y1, x2, y2, ms)
    elif ms >= LONG_PRESS_MS:
        call.phone.long_press(x1, y1, ms)
    else:
        call.phone.tap(x1, y1)


def _numbers(call: CommandCall, least: int) -> list[int]:
    texts = call.args[1:]
    if len(texts) < least:
        raise call.java_error(
            f'java.lang.IllegalArgumentException: Argument expected after "{call.args[-1]}"'
        )
    return [_number(call, text) for text in texts[:5]]


def _number(call: CommandCall, text: str) -> int:
    try:
        return round(float(text))
    except (ValueError, OverflowError):
        raise call.java_error(f'java.lang.NumberFormatException: For input string: "{text}"') from None


def _text(call: CommandCall) -> None:
    if len(call.args) < 2:
        raise call.java_error('java.lang.IllegalArgumentException: Argument expected after "text"')
    text = call.args[1]
    # as on real phones: `input text` maps characters to keys and has none for these
    if not text.isascii():
        raise call.java_error("java.lang.NullPointerException: Attempt to get length of null array")
    call.phone.type_text(text.replace("%s", " "))


def _keyevent(call: CommandCall) -> None:
    double = call.pop_flag("--doubletap")
    call.pop_flag("--longpress", "--async")
    if len(call.args) < 2:
        raise call.java_error('java.lang.IllegalArgumentException: Argument expected after "keyevent"')
    for key in call.args[1:]:
        for _ in range(2 if double else 1):
            call.phone.press_key(key_name(key))


_ACTIONS = {
    "tap": _tap,
    "swipe": _swipe,
    "draganddrop": _swipe,
    "text": _text,
    "keyevent": _keyevent,
}
