"""Faults of a phone (advertisements, slow loading, dropped connections, ...) by name, with descriptions."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

FAULTS: Mapping[str, str] = MappingProxyType(
    {
        "advertisement": "an app opens with a full-screen advertisement: 跳过 closes it, a tap leads astray",
        "permission_dialog": "an app asks for a permission the first time it is opened",
        "update_dialog": "an app offers an update when it is opened",
        "slow_loading": "a page shows that it is loading for three seconds",
        "black_payment_screen": "pages for paying are black in screenshots; their tree works",
        "rotation": "the phone lies on its side (landscape)",
        "no_tree": "the accessibility tree cannot be had (could not get idle state)",
        "screen_off": "the screen is off and locked until it is woken and swiped up",
        "pin_lock": "the lock screen is on and asks for a PIN that nobody tells",
        "no_input_injection": "touches, keys and text from a host are refused (MIUI's own switch is off)",
        "no_adb_keyboard": "the keyboard that takes text from a broadcast is not installed",
        "dropped_connection": "the connection to the host drops now and then",
        "truncated_screenshot": "screenshots arrive cut off",
        "unauthorized": "the phone does not accept the host's key",
        "offline": "the phone accepts the connection of a host and says nothing on it",
    }
)
"""Name of a fault -> description. The last four act on the host's connection, the others on the phone."""
