"""Conversion of simulated gestures to the release's action space."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from fingertip_agents.screens.coordinates import choose_direction
from fingertip_dataset.actions import (
    Action,
    Click,
    LongClick,
    PressBack,
    PressHome,
    PressRecent,
    Scroll,
    Type,
)
from simulated_phone.people.gestures import Gesture

_KEYS: Mapping[str, Action] = MappingProxyType(
    {"back": PressBack(), "home": PressHome(), "recents": PressRecent()}
)


def convert_gesture(touch: Gesture) -> Action:
    """Convert a gesture to an action.

    >>> convert_gesture(Gesture(kind="swipe", x=540, y=1450, to=(540, 950)))
    Scroll(x=540, y=1450, direction='down')
    """
    if touch.kind == "type":
        return Type(text=touch.text)
    if touch.kind == "press":
        return _KEYS[touch.text]
    if touch.kind == "swipe":
        direction = choose_direction(touch.to[0] - touch.x, touch.to[1] - touch.y)
        return Scroll(x=touch.x, y=touch.y, direction=direction)
    kind = LongClick if touch.kind == "hold" else Click
    return kind(x=touch.x, y=touch.y, content=touch.label or None)
