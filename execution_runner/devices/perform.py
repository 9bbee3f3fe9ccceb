"""Performs actions on a phone like the authors' script."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import assert_never

from execution_runner.devices.device import Device
from fingertip_dataset.actions import (
    Action,
    Ask,
    Click,
    Finished,
    LongClick,
    PressBack,
    PressHome,
    PressRecent,
    Scroll,
    Type,
    Wait,
)
from fingertip_dataset.ui_tree.touched import on_screen

SCROLL_PX, SCROLL_MS, WAIT_SECONDS = 500, 300, 2.0
"""The authors' script: a scroll moves the finger 500 px in 300 ms, a wait lasts 2 s."""

HOLD_MS = 1000
"""Duration of a long click, ms. The authors' 500 ms are the limit of many phones, which then see a tap."""

FINGER_DIRECTIONS = {"down": (0, -1), "up": (0, 1), "right": (-1, 0), "left": (1, 0)}
"""Direction of the finger that reveals a side of the content: "down" swipes from (x, y) to (x, y - 500)."""


def perform(device: Device, action: Action, *, pause: Callable[[float], None] = time.sleep) -> str:
    """Carries out one action; `finished()` does nothing.

    Points outside the screen are moved to its edge.

    Args:
        device: The phone.
        action: The action.
        pause: Function that waits a number of seconds, for `wait()`.

    Returns:
        What could not be checked about the action, in words; "" for nothing.

    Raises:
        NoFocusError: Text was to be typed while no field has the focus; nothing was done.
        DeviceError: The phone cannot be reached, or the action fails.
    """
    match action:
        case Click():
            device.tap(*on_screen(action.x, action.y, device.size()))
        case LongClick():
            device.long_press(*on_screen(action.x, action.y, device.size()), HOLD_MS)
        case Scroll():
            across, down = FINGER_DIRECTIONS[action.direction]
            end = (action.x + across * SCROLL_PX, action.y + down * SCROLL_PX)
            device.swipe(
                *on_screen(action.x, action.y, device.size()), *on_screen(*end, device.size()), SCROLL_MS
            )
        case Type():
            return device.type_text(action.text)
        case PressBack():
            device.press_key("KEYCODE_BACK")
        case PressHome():
            device.press_key("KEYCODE_HOME")
        case PressRecent():
            device.press_key("KEYCODE_APP_SWITCH")
        case Wait():
            pause(WAIT_SECONDS)
        case Finished() | Ask():
            pass
        case _:
            assert_never(action)
    return ""
