"""Effects of a swipe: scroll a list, go to another page, pull down the quick settings."""

from __future__ import annotations

from simulated_phone.machine import Machine
from simulated_phone.screens.chrome import STATUS
from simulated_phone.screens.pages import AppPage
from simulated_phone.screens.theme import Theme


def swipe(phone: Machine, x1: int, y1: int, x2: int, y2: int) -> None:
    """Perform a swipe from (x1, y1) to (x2, y2), px."""
    horizontal = abs(x2 - x1) > abs(y2 - y1)
    direction = ("left" if x2 < x1 else "right") if horizontal else ("up" if y2 < y1 else "down")
    shown = phone.shown()
    if direction == "down" and y1 < Theme(density=phone.density).px(STATUS):
        phone.tasks.show_panel("quick")
        return
    area = None if horizontal else shown.screen.scrolled(x1, y1)
    if area is not None and area.scroll is not None:
        offset = area.scroll.offset + y1 - y2
        shown.entry["scroll"][area.scroll.name] = min(area.scroll.extent, max(0, offset))
    elif isinstance(shown.surface, AppPage) and direction in shown.surface.swipes:
        phone.act(shown.surface.swipes[direction])
