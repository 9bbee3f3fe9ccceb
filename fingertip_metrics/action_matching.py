"""Comparison of an action with the recorded one: same type, same target element, same text."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from math import hypot

from fingertip_dataset.actions import Action, Click, LongClick, Scroll, Type, parse_action
from fingertip_dataset.errors import AccessibilityTreeError, ActionSyntaxError
from fingertip_dataset.ui_tree.accessibility import AccessibilityTree, Element, parse_tree

NEAR = 0.14
"""Largest distance of a touch from the recorded point, as a fraction of the screen's width; used where the
tree identifies no target element."""

LARGEST_TARGET = 0.25
"""Largest area of a target element, as a fraction of the screen. A larger touchable element (a page, a map)
says nothing about where in it the touch belongs."""

TouchAction = Click | LongClick


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionMatch:
    """Agreement of an action with the recorded one; None for a field that the recorded action does not have.

    Attributes:
        type: Whether both have the same action type.
        target: Click and long click: whether both touch the same element.
        text: Typing: whether the texts are equal after NFKC normalization and stripping.
        direction: Scroll: whether both reveal the same side of the content; the start point is not compared.
    """

    type: bool
    target: bool | None = None
    text: bool | None = None
    direction: bool | None = None

    @property
    def same(self) -> bool:
        """Whether all fields agree that the recorded action has."""
        return self.type and False not in (self.target, self.text, self.direction)


def matches(
    golden: str | Action, action: Action, tree: AccessibilityTree | None, size: tuple[int, int]
) -> ActionMatch:
    """Compare an action with the recorded one of the same screen.

    Args:
        golden: Recorded action, or its string in the release; a string that is no action matches nothing.
        action: The agent's action, in px of the screen.
        tree: Accessibility tree of the recorded screen.
        size: Width and height of the recorded screen, px.

    >>> matches("scroll(coordinates=(5, 9), direction='up')", Scroll(x=1, y=2, direction="up"), None, (9, 9))
    ActionMatch(type=True, target=None, text=None, direction=True)
    >>> matches("type(text='７ 点')", Type(text="7 点 "), None, (9, 9)).same
    True
    """
    try:
        wanted = parse_action(golden) if isinstance(golden, str) else golden
    except ActionSyntaxError:
        return ActionMatch(type=False)
    same_kind = type(wanted) is type(action)
    match wanted:
        case Click() | LongClick():
            near = isinstance(action, Click | LongClick) and _is_same_target(wanted, action, tree, size)
            return ActionMatch(type=same_kind, target=same_kind and near)
        case Type():
            text = isinstance(action, Type) and plain(action.text) == plain(wanted.text)
            return ActionMatch(type=same_kind, text=text)
        case Scroll():
            along = isinstance(action, Scroll) and action.direction == wanted.direction
            return ActionMatch(type=same_kind, direction=along)
        case _:
            return ActionMatch(type=same_kind)


def readable_tree(xml: str | None, size: tuple[int, int]) -> AccessibilityTree | None:
    """Parse a recorded tree for `matches`; None if it is missing or cannot be read."""
    try:
        return None if xml is None else parse_tree(xml, screen=size)
    except AccessibilityTreeError:
        return None


def _is_same_target(
    wanted: TouchAction,
    action: TouchAction,
    tree: AccessibilityTree | None,
    size: tuple[int, int],
) -> bool:
    """Whether both touches reach the same element; where the tree cannot decide, whether they are near.

    Android delivers a touch to the topmost touchable element below the finger. The label drawn on a button is
    often a sibling of the button in the tree, before or after it, and not its child. A label next to the only
    button of its row counts as that button.
    """
    if tree is None:
        return _near(wanted, action, size)
    target, met = _find_reacting(tree, wanted, size), _find_reacting(tree, action, size)
    if target is not None:
        return met is not None and met.index == target.index
    label = tree.hit(wanted.x, wanted.y)
    if met is not None:
        return label is not None and met == _find_label_target(tree, label, size)
    if label is None or not _is_small(label, size):
        return _near(wanted, action, size)
    if tree.find_clickable_around(label) is not None and _near(wanted, action, size):
        return True
    return tree.hit(action.x, action.y) == label


def _near(wanted: TouchAction, action: TouchAction, size: tuple[int, int]) -> bool:
    return hypot(wanted.x - action.x, wanted.y - action.y) <= NEAR * size[0]


def _find_reacting(tree: AccessibilityTree, touch: TouchAction, size: tuple[int, int]) -> Element | None:
    """The topmost touchable element at a point; None if missing or larger than `LARGEST_TARGET`."""
    for element in reversed(tree.elements):
        if _can_be_touched(element) and element.box is not None and element.box.contains(touch.x, touch.y):
            return element if _is_small(element, size) else None
    return None


def _can_be_touched(element: Element) -> bool:
    reacts = element.clickable is True or element.long_clickable is True or element.checkable is True
    return reacts and element.visible is not False


def _is_small(element: Element, size: tuple[int, int]) -> bool:
    box = element.box
    return box is not None and box.width * box.height <= LARGEST_TARGET * size[0] * size[1]


def _find_label_target(tree: AccessibilityTree, label: Element, size: tuple[int, int]) -> Element | None:
    """The button of a label: the only one in the label's row, with the same parent and near the label."""
    row = [
        element
        for element in tree.elements
        if element.parent == label.parent and _can_be_touched(element) and _is_small(element, size)
    ]
    if len(row) != 1 or label.parent is None or label.box is None or row[0].box is None:
        return None
    button, words = row[0].box, label.box
    level = button.top <= words.center[1] < button.bottom and words.height <= button.height
    gap = max(button.left - words.right, words.left - button.right)
    return row[0] if level and gap <= NEAR * size[0] else None


def plain(text: str) -> str:
    """Normalize a label for comparison: NFKC, stripped.

    >>> plain(" ＱＱ音乐 ")
    'QQ音乐'
    """
    return unicodedata.normalize("NFKC", text).strip()
