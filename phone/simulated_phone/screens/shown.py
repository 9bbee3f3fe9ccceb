"""Contents of a phone's display, and for how long they show."""

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
        since, until: The simulated times, ms, from which and up to which it stays so if nothing is done.
    """

    screen: DisplayedScreen
    surface: Surface
    package: str
    entry: dict[str, Any]
    focus: Node | None
    root: Node | None
    since: int
    until: int

    def lasts(self, now: int) -> bool:
        """Whether it is still what the display shows at that time."""
        return self.since == now or self.since < now < self.until
