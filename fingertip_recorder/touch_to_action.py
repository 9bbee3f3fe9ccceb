"""Conversion of a recorded touch and the screen before it to an action of the action space."""

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
from fingertip_recorder.system_windows import KEY_IDS
from fingertip_recorder.touches import EDGE, HOLD_MS, Panel, RecordedTouch

KEY_ACTIONS: Mapping[str, Action] = MappingProxyType(
    {"back": PressBack(), "home": PressHome(), "recent": PressRecent()}
)
"""Name of a navigation key -> its action."""

_SYSTEM_UI = "com.android.systemui"


def infer_touch_action(
    touch: RecordedTouch,
    panel: Panel,
    *,
    size: tuple[int, int],
    tree: AccessibilityTree | None,
    rotation: int,
    edges: bool = False,
) -> Action:
    """Convert a touch to a click, long click, scroll, or navigation key.

    The direction of a scroll is the side that it reveals; its length is not kept, as in the release.

    Args:
        touch: The recorded touch.
        panel: The touch panel, for the ranges of its raw values.
        size: Width and height of the screen before the touch, px.
        tree: Accessibility tree of that screen, for the label of the touched element.
        rotation: Quarter turns of that screen.
        edges: Whether the phone has gesture navigation instead of a navigation bar.
    """
    points = [panel.to_px(point, size, rotation) for point in touch.points]
    (x, y), (last_x, last_y) = points[0], points[-1]
    dx, dy = last_x - x, last_y - y
    if not touch.is_still(panel, size, rotation):
        if edges and (key := _find_edge_key(x, y, dx, dy, touch.ms, size)):
            return KEY_ACTIONS[key]
        return Scroll(x=x, y=y, direction=_find_revealed(dx, dy))
    element = tree.hit(x, y) if tree else None
    if element is not None and element.package == _SYSTEM_UI:
        key = KEY_IDS.get(element.view_id.rpartition("/")[2], "")
        if key:
            return KEY_ACTIONS[key]
    content = label(tree, element) if tree and element else None
    kind = LongClick if touch.ms >= HOLD_MS else Click
    return kind(x=x, y=y, content=content)


def _find_revealed(dx: int, dy: int) -> Direction:
    if abs(dx) > abs(dy):
        return "right" if dx < 0 else "left"
    return "down" if dy < 0 else "up"


def _find_edge_key(x: int, y: int, dx: int, dy: int, ms: int, size: tuple[int, int]) -> str:
    """Key of an edge gesture: back from a side, home from the bottom (recent if slow); "" for others."""
    width, height = size
    across = abs(dx) > abs(dy)
    if across and ((x < width * EDGE and dx > 0) or (x >= width * (1 - EDGE) and dx < 0)):
        return "back"
    if not across and dy < 0 and y >= height * (1 - EDGE):
        return "recent" if ms >= HOLD_MS else "home"
    return ""


def label(tree: AccessibilityTree, element: Element) -> str:
    """Label of an element: its own text, else the first text in its clickable ancestor, else its hint."""
    own = element.text or element.description
    around = tree.find_clickable_around(element)
    if own or around is None:
        return own or element.hint
    for inner in tree.elements[around.index :]:
        if inner.index != around.index and inner.depth <= around.depth:
            break
        if inner.text or inner.description:
            return inner.text or inner.description
    return element.hint or around.hint
