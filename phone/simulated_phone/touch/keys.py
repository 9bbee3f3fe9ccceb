"""Effects of the keys of `input keyevent`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from string import ascii_lowercase, digits
from types import MappingProxyType

from simulated_phone.machine.machine import Machine
from simulated_phone.touch import composing

LETTERS: Mapping[str, str] = MappingProxyType(
    {f"KEYCODE_{letter.upper()}": letter for letter in ascii_lowercase + digits}
    | {
        "KEYCODE_APOSTROPHE": "'",
        "KEYCODE_AT": "@",
        "KEYCODE_COMMA": ",",
        "KEYCODE_EQUALS": "=",
        "KEYCODE_MINUS": "-",
        "KEYCODE_PERIOD": ".",
        "KEYCODE_PLUS": "+",
        "KEYCODE_POUND": "#",
        "KEYCODE_SEMICOLON": ";",
        "KEYCODE_SLASH": "/",
        "KEYCODE_SPACE": " ",
        "KEYCODE_STAR": "*",
    }
)


def _change_volume(phone: Machine, step: int) -> None:
    value = phone.settings["system"].get("volume_music", "")
    level = int(value) if value.isdecimal() else 0
    phone.settings["system"]["volume_music"] = str(min(15, max(0, level + step)))


def _sleep(phone: Machine) -> None:
    phone.data["screen_on"], phone.data["locked"] = False, True


def _wake(phone: Machine) -> None:
    phone.data["screen_on"] = True


ALWAYS: Mapping[str, Callable[[Machine], None]] = MappingProxyType(
    {
        "KEYCODE_POWER": lambda phone: _sleep(phone) if phone.screen_on else _wake(phone),
        "KEYCODE_SLEEP": _sleep,
        "KEYCODE_VOLUME_DOWN": lambda phone: _change_volume(phone, -1),
        "KEYCODE_VOLUME_UP": lambda phone: _change_volume(phone, 1),
        "KEYCODE_WAKEUP": _wake,
    }
)
"""Keys that also work with the screen off."""

WITH_SCREEN_ON: Mapping[str, Callable[[Machine], None]] = MappingProxyType(
    {
        "KEYCODE_APP_SWITCH": lambda phone: phone.tasks.show_panel("recents"),
        "KEYCODE_BACK": lambda phone: phone.tasks.back(),
        "KEYCODE_DEL": composing.delete,
        "KEYCODE_ENTER": composing.enter,
        "KEYCODE_ESCAPE": lambda phone: phone.tasks.back(),
        "KEYCODE_HOME": lambda phone: phone.tasks.home(),
        "KEYCODE_NUMPAD_ENTER": composing.enter,
    }
)
"""Keys that work only with the screen on."""
