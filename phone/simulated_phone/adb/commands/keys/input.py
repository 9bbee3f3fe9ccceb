"""`input`: taps, swipes, keys and text injected by the host."""

from __future__ import annotations

import re

from android_shell.command_call import CommandError
from simulated_phone.adb.commands.device_call import DeviceCall
from simulated_phone.adb.commands.keys.keycodes import find_key_name
from simulated_phone.adb.commands.subcommand import Subcommand, take_any, take_options
from simulated_phone.adb.finger_path import touch_screen
from simulated_phone.adb.helper_apps import APPIUM_KEYBOARD, UNICODE_KEYBOARD
from simulated_phone.device_servers.appium.settings_app import from_utf7
from simulated_phone.machine.faults import NO_INPUT_INJECTION
from simulated_phone.phone import MAX_MS
from simulated_phone.touch.fling import DRAG

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
      draganddrop <x1> <y1> <x2> <y2> [duration(ms)] (Default: touchscreen)
      motionevent <DOWN|UP|MOVE|CANCEL> <x> <y> (Default: touchscreen)
      keycombination [-t duration(ms)] <key code 1> <key code 2> ... (Default: keyboard)"""


async def input_(call: DeviceCall) -> None:
    """`input [SOURCE] [-d DISPLAY] tap|swipe|draganddrop|motionevent|text|keyevent|keycombination ...`.

    As on a phone, a swipe returns when it has ended.
    """
    call.device.touch()
    if NO_INPUT_INJECTION in call.phone.faults:
        raise call.java_error(
            "Injecting input events requires the caller (or the source of the instrumentation, if any) to "
            "have the INJECT_EVENTS permission.",
            "java.lang.SecurityException",
        )
    if call.args and call.args[0] in _SOURCES:
        del call.args[0]
    if call.args[:1] == ["-d"]:
        call.pop_option("-d")
    if not call.args:
        raise CommandError(_USAGE, 255)
    run = SUBCOMMANDS.get(call.args[0])
    if run is None:
        call.print_error(f"Error: Unknown command: {call.args[0]}\n{_USAGE}\n")
        call.code = 255
        return
    work = run(call)
    if work is not None:
        await work


def _tap(call: DeviceCall) -> None:
    x, y = _read_numbers(call, 2)[:2]
    call.phone.tap(x, y)


async def _swipe(call: DeviceCall, *, drag: bool = False) -> None:
    x1, y1, x2, y2, ms = (*_read_numbers(call, 4), 300)[:5]
    width, height = call.phone.size
    # a real phone ignores touches that begin off the screen
    if not (0 <= x1 < width and 0 <= y1 < height):
        return
    if (x1, y1) == (x2, y2):
        touch_screen(call.phone, (x1, y1), (x2, y2), ms)
    else:
        call.phone.swipe(x1, y1, x2, y2, ms, velocity=DRAG if drag else None)
    await call.device.take_time(min(max(ms, 0), MAX_MS))


def _read_numbers(call: DeviceCall, least: int) -> list[int]:
    texts = call.args[1:]
    if len(texts) < least:
        raise call.missing_argument(call.args[-1])
    return [_parse_number(call, text) for text in texts[:5]]


def _parse_number(call: DeviceCall, text: str) -> int:
    try:
        return round(float(text))
    except (ValueError, OverflowError):
        raise call.java_error(f'For input string: "{text}"', "java.lang.NumberFormatException") from None


def _type_text(call: DeviceCall) -> None:
    if len(call.args) < 2:
        raise call.missing_argument("text")
    text = call.args[1]
    # as on real phones: `input text` maps characters to keys and has none for these
    if not text.isascii():
        raise call.java_error("Attempt to get length of null array", "java.lang.NullPointerException")
    text = text.replace("%s", " ")
    if call.phone.current_ime == APPIUM_KEYBOARD and re.fullmatch(r"/.+/", text):
        call.phone.enter()
        return
    if call.phone.current_ime == UNICODE_KEYBOARD:
        text = from_utf7(text)
    if call.device.all_selected:
        call.device.all_selected = False
        call.phone.edit(lambda _: "")
    call.phone.type_keys(text)


def _press_keys(call: DeviceCall) -> None:
    double = call.pop_flag("--doubletap")
    call.pop_flag("--longpress", "--async")
    if len(call.args) < 2:
        raise call.missing_argument("keyevent")
    for key in call.args[1:]:
        for _ in range(2 if double else 1):
            _press(call, find_key_name(key))


def _press(call: DeviceCall, name: str) -> None:
    selected, call.device.all_selected = call.device.all_selected, False
    if selected and name in ("KEYCODE_DEL", "KEYCODE_FORWARD_DEL"):
        call.phone.edit(lambda _: "")
    else:
        call.phone.press_key(name)


def _press_combination(call: DeviceCall) -> None:
    """Keys held together: Ctrl+A selects the text of the field, other combinations are typed in order."""
    call.pop_option("-t")
    keys = [find_key_name(key) for key in call.args[1:]]
    if len(keys) < 2:
        raise call.java_error("keycombination requires at least 2 keys")
    if keys[0] in ("KEYCODE_CTRL_LEFT", "KEYCODE_CTRL_RIGHT"):
        call.device.all_selected = keys[1:] == ["KEYCODE_A"]
        return
    for key in keys:
        _press(call, key)


def _move_finger(call: DeviceCall) -> None:
    action = call.args[1].upper() if len(call.args) > 1 else ""
    if action not in ("DOWN", "UP", "MOVE", "CANCEL"):
        raise call.java_error(f"Unknown action: {action}")
    del call.args[0]
    finger = call.device.finger
    x, y = _read_numbers(call, 0 if action == "CANCEL" else 2)[:2] or (0, 0)
    if action == "UP":
        finger.up(x, y, call.phone)
    elif action == "CANCEL":
        finger.cancel()
    else:
        (finger.down if action == "DOWN" else finger.move)(x, y, call.phone)


def _roll(call: DeviceCall) -> None:
    """`input roll DX DY`: the phone has no trackball, but reads the numbers."""
    _read_numbers(call, 2)


SUBCOMMANDS: dict[str, Subcommand] = {
    # what begins with a dash is a number or a text
    "tap": take_any(_tap),
    "swipe": take_any(_swipe),
    "draganddrop": take_any(lambda call: _swipe(call, drag=True)),
    "text": take_any(_type_text),
    "keyevent": take_options(_press_keys, "--longpress --doubletap --async", java=True),
    "keycombination": take_options(_press_combination, "-t=", java=True),
    "motionevent": take_any(_move_finger),
    "press": take_any(lambda call: None),
    "roll": take_any(_roll),
}
"""Subcommand -> implementation."""
