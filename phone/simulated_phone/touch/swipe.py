"""Effects of a swipe: scroll a list, turn a wheel or a page, pull down the quick settings."""

from __future__ import annotations

from simulated_phone.language.language import gettext as _
from simulated_phone.language.language import speak_language
from simulated_phone.machine.fault_overlays import NOTIFIED
from simulated_phone.machine.machine import Machine
from simulated_phone.screens.layouts.feed import draw_on
from simulated_phone.screens.nodes import ScrollArea, WheelArea, action_ref
from simulated_phone.screens.pages import AppPage
from simulated_phone.screens.theme import Theme
from simulated_phone.touch.fling import WHEEL_MOST_DP, Velocity, fling_px, is_page_turn, straight_velocity

EDGE = 0.02
"""Width of the strips at the display's sides and bottom where swipes are gestures of navigation."""


def perform_swipe(
    phone: Machine,
    x1: int,
    y1: int,
    x2: int,
    y2: int,
    ms: int,
    *,
    velocity: Velocity | None = None,
    held: bool = False,
) -> None:
    """Perform a swipe from (x1, y1) to (x2, y2), px.

    Args:
        phone: The phone.
        x1: Where the finger is put down, px from the left.
        y1: Where it is put down, px from the top.
        x2: Where it is lifted, px from the left.
        y2: Where it is lifted, px from the top.
        ms: Duration.
        velocity: Velocity across and down at release, px/s; None for that of a straight, even swipe.
        held: Whether it is as slow as a long press.
    """
    across, down = straight_velocity(x1, y1, x2, y2, ms) if velocity is None else velocity
    horizontal = abs(x2 - x1) > abs(y2 - y1)
    direction = ("left" if x2 < x1 else "right") if horizontal else ("up" if y2 < y1 else "down")
    shown = phone.shown()
    if direction == "down" and y1 < Theme(density=phone.density).px(phone.skin.status):
        phone.tasks.show_panel("quick")
        return
    if phone.tasks.notified and any(
        window.root.view_id == NOTIFIED and window.root.box.contains(x1, y1)
        for window in shown.screen.windows
    ):
        if direction != "down":
            phone.tasks.dismiss_notification()
        return
    if not phone.skin.keys and (action := _find_navigation(phone.size, x1, y1, direction, held=held)):
        phone.act(action_ref(action))
        return
    area = None if horizontal else shown.screen.scrolled(x1, y1)
    if area is not None and area.wheel is not None:
        _turn(phone, area.wheel, y1 - y2 - fling_px(down, phone.density, WHEEL_MOST_DP))
    elif area is not None and area.scroll is not None:
        offset = area.scroll.offset + y1 - y2 - fling_px(down, phone.density)
        shown.entry["scroll"][area.scroll.name] = min(area.scroll.extent, max(0, offset))
        if area.scroll.endless:
            _extend_feed(phone, area.scroll, area.box.height, offset)
    elif isinstance(shown.surface, AppPage) and direction in shown.surface.swipes:
        # pages beside each other follow the finger, and may go back to where they were
        if horizontal and not is_page_turn(x2 - x1, across, phone.size[0], phone.density):
            return
        phone.act(shown.surface.swipes[direction])


def _extend_feed(phone: Machine, area: ScrollArea, height: int, offset: int) -> None:
    """Draw more of a feed near its end; a pull over its top refreshes it, and there is nothing newer."""
    draw_on(phone.shown().entry["scroll"], area, height, phone.data["now"])
    if area.offset == 0 and offset < 0:
        with speak_language(phone.locale):
            phone.show_toast(_("已是最新内容"))


def _turn(phone: Machine, wheel: WheelArea, travel: int) -> None:
    """Turn a wheel by the row nearest to a travel, px; positive to later values."""
    turned = wheel.turned(wheel.rows(travel))
    if turned != wheel.index:
        phone.act(wheel.action(turned))


def _find_navigation(size: tuple[int, int], x: int, y: int, direction: str, *, held: bool) -> str:
    """The system's action of a swipe from an edge: back, home, or recent apps if held; "" for others."""
    width, height = size
    if (x < width * EDGE and direction == "right") or (x >= width * (1 - EDGE) and direction == "left"):
        return "android.back"
    if y >= height * (1 - EDGE) and direction == "up":
        return "android.recents" if held else "android.home"
    return ""
