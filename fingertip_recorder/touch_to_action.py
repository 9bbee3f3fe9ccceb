"""From a touch on a seen screen to an action of our space."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from fingertip_dataset.actions import (
    Action,
    Click,
    Direction,
    LongClick,
    PressBack,
    PressHome,
    PressRecent,
    Scroll,
)
from fingertip_dataset.ui_tree.accessibility import AccessibilityTree, Element
from fingertip_recorder.touches import EDGE, HOLD_MS, SLOP, Panel, RecordedTouch

KEY_ACTIONS: Mapping[str, Action] = MappingProxyType(
    {"back": PressBack(), "home": PressHome(), "recent": PressRecent()}
)
"""What a key below the glass, or its picture on the navigation bar, is in our space."""

_BAR = {"back": "back", "home": "home", "home_button": "home", "recent_apps": "recent"}
_SYSTEM_UI = "com.android.systemui"


def touch_action(
    touch: RecordedTouch,
    panel: Panel,
    *,
    size: tuple[int, int],
    tree: AccessibilityTree | None,
    rotation: int,
    edges: bool = False,
) -> Action:
    """A tap, a long press or a swipe with the side that it reveals; keys of the navigation bar by their name.

    How far a swipe went is not kept, as in the release.

    Args:
        touch: As the panel told it.
        panel: Its ranges.
        size: Width and height of the screen seen before the touch, px.
        tree: Of that screen, for the words of what was touched.
        rotation: Quarter turns of that screen.
        edges: Whether the phone has no navigation bar but gestures that begin at its edges.
    """
    points = [panel.to_px(point, size, rotation) for point in touch.points]
    (x, y), (last_x, last_y) = points[0], points[-1]
    dx, dy = last_x - x, last_y - y
    if max(abs(dx), abs(dy)) > SLOP * min(size):
        if edges and (key := _edge_key(x, y, dx, dy, touch.ms, size)):
            return KEY_ACTIONS[key]
        return Scroll(x=x, y=y, direction=_revealed(dx, dy))
    element = tree.hit(x, y) if tree else None
    if element is not None and element.package == _SYSTEM_UI:
        key = _BAR.get(element.view_id.rpartition("/")[2], "")
        if key:
            return KEY_ACTIONS[key]
    content = label(tree, element) if tree and element else None
    kind = LongClick if touch.ms >= HOLD_MS else Click
    return kind(x=x, y=y, content=content)


def _revealed(dx: int, dy: int) -> Direction:
    if abs(dx) > abs(dy):
        return "right" if dx < 0 else "left"
    return "down" if dy < 0 else "up"


def _edge_key(x: int, y: int, dx: int, dy: int, ms: int, size: tuple[int, int]) -> str:
    """Back from a side, home from below, recent apps from below when the finger stays."""
    width, height = size
    across = abs(dx) > abs(dy)
    if across and ((x < width * EDGE and dx > 0) or (x >= width * (1 - EDGE) and dx < 0)):
        return "back"
    if not across and dy < 0 and y >= height * (1 - EDGE):
        return "recent" if ms >= HOLD_MS else "home"
    return ""


def label(tree: AccessibilityTree, element: Element) -> str:
    """What an element says: its own words, else the first within what reacts around it, else its hint."""
    own = element.text or element.description
    around = tree.clickable_around(element)
    if own or around is None:
        return own or element.hint
    for inner in tree.elements[around.index :]:
        if inner.index != around.index and inner.depth <= around.depth:
            break
        if inner.text or inner.description:
            return inner.text or inner.description
    return element.hint or around.hint
