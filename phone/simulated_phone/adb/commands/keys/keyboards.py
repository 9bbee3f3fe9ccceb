"""Keyboards that type what a broadcast says: ADBKeyBoard's, and that of uiautomator2's app."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Mapping
from types import MappingProxyType

from simulated_phone.adb.commands.device_call import DeviceCall
from simulated_phone.adb.commands.keys.keycodes import find_key_name
from simulated_phone.adb.helper_apps import DROIDBOT_KEYBOARD

ADB_KEYBOARD = "com.android.adbkeyboard/.AdbIME"
"""Keyboard that types text of any language from a broadcast."""

UIAUTOMATOR2_KEYBOARD = "com.github.uiautomator/.AdbKeyboard"
"""Keyboard of uiautomator2's app."""

YOSEMITE_KEYBOARD = "com.netease.nie.yosemite/.ime.ImeService"
"""Keyboard of Airtest's app."""

Extras = Mapping[str, str]


def list_keyboards(call: DeviceCall) -> tuple[str, ...]:
    """Ids of the installed keyboards, those of helper apps last."""
    helpers = (name for app in call.device.installed.values() for name in app.keyboards)
    return tuple(dict.fromkeys((*call.phone.imes, *helpers)))


def decode(text: str) -> str:
    """Return the text of Base64; "" if it is not valid."""
    try:
        return base64.b64decode(text).decode()
    except (binascii.Error, ValueError):
        return ""


def _type(call: DeviceCall, text: str) -> None:
    call.phone.type_text(text)


def _press(call: DeviceCall, text: str) -> None:
    # a code, or as ADBKeyBoard's --es mcode with keys held: meta state and code
    codes = re.findall(r"\d+", text)
    if codes:
        call.phone.press_key(find_key_name(codes[-1]))


def _clear(call: DeviceCall) -> None:
    call.phone.edit(lambda _: "")


def _read_characters(text: str) -> str:
    """The text of code points, "128568,32"."""
    points = (int(number) for number in re.findall(r"\d{1,7}", text))
    return "".join(chr(point) for point in points if 0 < point < 0x110000 and not 0xD800 <= point < 0xE000)


def _replace(call: DeviceCall, text: str) -> None:
    _clear(call)
    _type(call, text)


ACTIONS: Mapping[str, Mapping[str, Callable[[DeviceCall, Extras], None]]] = MappingProxyType(
    {
        ADB_KEYBOARD: MappingProxyType(
            {
                "ADB_CLEAR_TEXT": lambda call, _: _clear(call),
                "ADB_EDITOR_CODE": lambda call, _: call.phone.enter(),
                "ADB_INPUT_B64": lambda call, extras: _type(call, decode(extras.get("msg", ""))),
                "ADB_INPUT_CHARS": lambda call, extras: _type(
                    call, _read_characters(extras.get("chars", ""))
                ),
                "ADB_INPUT_CODE": lambda call, extras: _press(call, extras.get("code", "")),
                "ADB_INPUT_MCODE": lambda call, extras: _press(call, extras.get("mcode", "")),
                "ADB_INPUT_TEXT": lambda call, extras: _type(call, extras.get("msg", "")),
            }
        ),
        UIAUTOMATOR2_KEYBOARD: MappingProxyType(
            {
                "ADB_KEYBOARD_CLEAR_TEXT": lambda call, _: _clear(call),
                "ADB_KEYBOARD_EDITOR_CODE": lambda call, _: call.phone.enter(),
                "ADB_KEYBOARD_HIDE": lambda call, _: hide(call),
                "ADB_KEYBOARD_INPUT_KEYCODE": lambda call, extras: _press(call, extras.get("code", "")),
                "ADB_KEYBOARD_INPUT_TEXT": lambda call, extras: _type(call, decode(extras.get("text", ""))),
                "ADB_KEYBOARD_SET_TEXT": lambda call, extras: _replace(call, decode(extras.get("text", ""))),
                "ADB_KEYBOARD_SMART_ENTER": lambda call, _: call.phone.enter(),
            }
        ),
        DROIDBOT_KEYBOARD: MappingProxyType(
            {
                "DROIDBOT_INPUT_TEXT": lambda call, extras: (
                    _type if extras.get("mode") == "1" else _replace
                )(call, extras.get("text", "")),
            }
        ),
        YOSEMITE_KEYBOARD: MappingProxyType(
            {
                "ADB_EDITOR_CODE": lambda call, _: call.phone.enter(),
                "ADB_INPUT_TEXT": lambda call, extras: _type(call, extras.get("msg", "")),
            }
        ),
    }
)
"""Keyboard -> action of a broadcast -> what it does."""


def hide(call: DeviceCall) -> None:
    """Put the keyboard away, if it is shown."""
    if call.phone.shown().focus is not None:
        call.phone.press_key("KEYCODE_BACK")


def receive(call: DeviceCall, action: str, extras: Extras) -> bool:
    """Let the selected keyboard act on a broadcast; return whether it did."""
    run = ACTIONS.get(call.phone.current_ime, {}).get(action)
    if run is not None:
        run(call, extras)
    return run is not None
