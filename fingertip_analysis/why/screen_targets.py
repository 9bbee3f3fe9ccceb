"""Whether a tap went beside the element that it was meant for.

What a tap was meant for is known by the label that the agent wrote with it, or else, on a screen where it is
known what leads on, by an element of these beside which the tap lies.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import hypot

from fingertip_agents.grounding import list_labels
from fingertip_dataset.actions import Click, LongClick
from fingertip_dataset.ui_tree.accessibility import AccessibilityTree, Box, Element
from fingertip_metrics.action_matching import NEAR, plain


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenTarget:
    """An element that can be touched.

    Attributes:
        labels: Its texts, descriptions and hints with those of what it contains, normalized; may be empty.
        box: (left, top, right, bottom), px of the screen.
    """

    labels: frozenset[str]
    box: tuple[int, int, int, int]

    def distance(self, x: float, y: float) -> float:
        """Distance of a point from the element's edge, px; 0 within it."""
        left, top, right, bottom = self.box
        return hypot(max(left - x, 0, x - right), max(top - y, 0, y - bottom))

    def from_centre(self, x: float, y: float) -> float:
        """Distance of a point from the element's centre, px."""
        left, top, right, bottom = self.box
        return hypot(x - (left + right) / 2, y - (top + bottom) / 2)

    @property
    def name(self) -> str:
        """A label for messages: the shortest one; "" without any."""
        return min(self.labels, key=lambda label: (len(label), label), default="")


def missed(
    action: Click | LongClick,
    wanted: Sequence[ScreenTarget],
    touched: ScreenTarget | None,
    others: Iterable[ScreenTarget],
    *,
    width: int,
) -> ScreenTarget | None:
    """Return the element that a missed tap was meant for; None if it hit one, or if nothing tells.

    - With the label of an element of the screen in the action: that element, if the touched one has not got
      the label.
    - Otherwise: a wanted element not farther than `NEAR` of the width from the tap, if the tap met nothing
      that reacts, or is closer to the wanted element's edge than to the centre of what it met.

    Args:
        action: The tap, px of the screen.
        wanted: Elements on the screen that lead on; empty if unknown.
        touched: The reacting element that the tap met; None without one.
        others: All elements on the screen that react.
        width: Width of the screen, px.

    >>> icon = ScreenTarget(labels=frozenset({"Clock"}), box=(0, 0, 40, 40))
    >>> missed(Click(x=50, y=20), [icon], None, [icon], width=100).name
    'Clock'
    >>> missed(Click(x=20, y=20), [icon], icon, [icon], width=100) is None
    True
    """
    if touched is not None and touched in wanted:
        return None
    label = plain(action.content or "")
    if label:
        if touched is not None and _says(touched, label):
            return None
        named = [one for one in others if _says(one, label)]
        if named:
            return min(named, key=lambda one: one.distance(action.x, action.y))
    near = min(wanted, key=lambda one: one.distance(action.x, action.y), default=None)
    if near is None:
        return None
    distance = near.distance(action.x, action.y)
    if distance > NEAR * width or (
        touched is not None and touched.from_centre(action.x, action.y) <= distance
    ):
        return None
    return near


def _says(target: ScreenTarget, label: str) -> bool:
    return label in target.labels


def tree_targets(tree: AccessibilityTree | None) -> tuple[ScreenTarget, ...]:
    """The elements of a tree that react to touches, with the labels of what they contain."""
    if tree is None:
        return ()
    return tuple(_make_target(tree, element) for element in tree.elements if _can_react(element))


def tree_touched(tree: AccessibilityTree | None, x: float, y: float) -> ScreenTarget | None:
    """The topmost reacting element at a point; None without one."""
    if tree is None:
        return None
    for element in reversed(tree.elements):
        if _can_react(element) and element.box is not None and element.box.contains(x, y):
            return _make_target(tree, element)
    return None


def _can_react(element: Element) -> bool:
    touchable = element.clickable is True or element.long_clickable is True or element.checkable is True
    return touchable and element.visible is not False and element.box is not None


def _make_target(tree: AccessibilityTree, element: Element) -> ScreenTarget:
    box = element.box or Box(left=0, top=0, right=0, bottom=0)
    inside = [element]
    for index in range(element.index + 1, len(tree.elements)):
        inner = tree.elements[index]
        if inner.depth <= element.depth:
            break
        if not _can_react(inner):
            inside.append(inner)
    found = frozenset(label for one in inside for label in list_labels(one))
    return ScreenTarget(labels=found, box=(box.left, box.top, box.right, box.bottom))
