"""Key codes of android.view.KeyEvent that are relevant without a hardware keyboard."""

from __future__ import annotations

from types import MappingProxyType

_NAMES = {
    0: "UNKNOWN",
    3: "HOME",
    4: "BACK",
    5: "CALL",
    6: "ENDCALL",
    17: "STAR",
    18: "POUND",
    19: "DPAD_UP",
    20: "DPAD_DOWN",
    21: "DPAD_LEFT",
    22: "DPAD_RIGHT",
    23: "DPAD_CENTER",
    24: "VOLUME_UP",
    25: "VOLUME_DOWN",
    26: "POWER",
    27: "CAMERA",
    28: "CLEAR",
    55: "COMMA",
    56: "PERIOD",
    57: "ALT_LEFT",
    58: "ALT_RIGHT",
    59: "SHIFT_LEFT",
    60: "SHIFT_RIGHT",
    61: "TAB",
    62: "SPACE",
    66: "ENTER",
    67: "DEL",
    68: "GRAVE",
    69: "MINUS",
    70: "EQUALS",
    71: "LEFT_BRACKET",
    72: "RIGHT_BRACKET",
    73: "BACKSLASH",
    74: "SEMICOLON",
    75: "APOSTROPHE",
    76: "SLASH",
    77: "AT",
    79: "HEADSETHOOK",
    81: "PLUS",
    82: "MENU",
    83: "NOTIFICATION",
    84: "SEARCH",
    85: "MEDIA_PLAY_PAUSE",
    86: "MEDIA_STOP",
    87: "MEDIA_NEXT",
    88: "MEDIA_PREVIOUS",
    92: "PAGE_UP",
    93: "PAGE_DOWN",
    111: "ESCAPE",
    112: "FORWARD_DEL",
    113: "CTRL_LEFT",
    114: "CTRL_RIGHT",
    122: "MOVE_HOME",
    123: "MOVE_END",
    126: "MEDIA_PLAY",
    127: "MEDIA_PAUSE",
    160: "NUMPAD_ENTER",
    164: "VOLUME_MUTE",
    187: "APP_SWITCH",
    219: "ASSIST",
    220: "BRIGHTNESS_DOWN",
    221: "BRIGHTNESS_UP",
    223: "SLEEP",
    224: "WAKEUP",
    231: "VOICE_ASSIST",
    277: "CUT",
    278: "COPY",
    279: "PASTE",
}
_NAMES |= {7 + digit: str(digit) for digit in range(10)}
_NAMES |= {29 + index: chr(ord("A") + index) for index in range(26)}

KEY_NAMES = MappingProxyType({number: f"KEYCODE_{name}" for number, name in _NAMES.items()})
"""Key code -> name."""

_KNOWN = frozenset(KEY_NAMES.values())


def find_key_name(key: str) -> str:
    """The name of a key given by code or name; `KEYCODE_UNKNOWN` for unknown ones, as on Android.

    >>> find_key_name("4"), find_key_name("back"), find_key_name("KEYCODE_HOME"), find_key_name("nonsense")
    ('KEYCODE_BACK', 'KEYCODE_BACK', 'KEYCODE_HOME', 'KEYCODE_UNKNOWN')
    """
    if key.isdecimal():
        return KEY_NAMES.get(int(key), "KEYCODE_UNKNOWN")
    name = "KEYCODE_" + key.upper().removeprefix("KEYCODE_")
    return name if name in _KNOWN else "KEYCODE_UNKNOWN"
