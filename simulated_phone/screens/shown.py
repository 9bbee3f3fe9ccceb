"""The content of a phone's display."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from simulated_phone.screens.nodes import Node
from simulated_phone.screens.pages import Surface
from simulated_phone.screens.screen import DisplayedScreen


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """The content of the display.

    Args:
        screen: The laid-out screen.
        surface: The page, dialog or sheet on top.
        package: Package of the surface's app.
        entry: The page's record in the phone's state (arguments, typed fields, scroll positions, focus).
        focus: The text field that has the focus.
        root: The laid-out surface; None while the display is off.
    """

    screen: DisplayedScreen
    surface: Surface
    package: str
    entry: dict[str, Any]
    focus: Node | None
    root: Node | None
