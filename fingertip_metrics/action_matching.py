"""Whether an action is the recorded one: the same kind, at the same element, with the same words."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from math import hypot

from fingertip_dataset.actions import Action, Click, LongClick, Scroll, Type, parse_action
from fingertip_dataset.errors import AccessibilityTreeError, ActionSyntaxError
from fingertip_dataset.ui_tree.accessibility import AccessibilityTree, Element, parse_tree

NEAR = 0.14
"""Of the screen's width: how far from the recorded point a touch may be where no element tells."""

LARGEST_TARGET = 0.25
"""Of the screen: what reacts on more of it (a page, a map) does not tell where in it the touch belongs."""

TouchAction = Click | LongClick


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionMatch:
    """How an action agrees with the recorded one; None for what the recorded one does not have.

    Attributes:
        type: The same kind of action.
        target: Click and long click: at the same element.
        text: Typing: the same text, up to Unicode's compatible forms (NFKC) and space around it.
        direction: Scroll: the same side of the content; where it begins is free.
    """

    type: bool
    target: bool | None = None
    text: bool | None = None
    direction: bool | None = None

    @property
    def same(self) -> bool:
        """Whether it is the recorded action in all that counts."""
        return self.type and False not in (self.target, self.text, self.direction)


def matches(
    golden: str | Action, action: Action, tree: AccessibilityTree | None, size: tuple[int, int]
) -> ActionMatch:
    """Compares an action with the recorded one of the same screen.

    Args:
        golden: The recorded one, also as a string of the release; one that is no action matches nothing.
        action: The agent's, in px of the screen.
        tree: Of the recorded screen; None where there is none.
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
            near = isinstance(action, Click | LongClick) and _same_target(wanted, action, tree, size)
            return ActionMatch(type=same_kind, target=same_kind and near)
        case Type():
            text = isinstance(action, Type) and _plain(action.text) == _plain(wanted.text)
            return ActionMatch(type=same_kind, text=text)
        case Scroll():
            along = isinstance(action, Scroll) and action.direction == wanted.direction
            return ActionMatch(type=same_kind, direction=along)
        case _:
            return ActionMatch(type=same_kind)


def readable_tree(xml: str | None, size: tuple[int, int]) -> AccessibilityTree | None:
    """A recorded tree, as `matches` takes it; None where there is none or it cannot be read."""
    try:
        return None if xml is None else parse_tree(xml, screen=size)
    except AccessibilityTreeError:
        return None


def _same_target(
    wanted: TouchAction,
    action: TouchAction,
    tree: AccessibilityTree | None,
    size: tuple[int, int],
) -> bool:
    """Whether both touches reach the same element; near each other counts where the tree cannot tell.

    Android gives a touch to the topmost element below the finger that reacts: the words drawn on a button are
    often a sibling of it, before or after it in the tree, and not its child. Words that lie beside the only
    button of their row stand for that button.
    """
    if tree is None:
        return _near(wanted, action, size)
    target, met = _reacting(tree, wanted, size), _reacting(tree, action, size)
    if target is not None:
        return met is not None and met.index == target.index
    label = tree.hit(wanted.x, wanted.y)
    if met is not None:
        return label is not None and met == _beside(tree, label, size)
    if label is None or not _is_small(label, size):
        return _near(wanted, action, size)
    if tree.clickable_around(label) is not None and _near(wanted, action, size):
        return True
    return tree.hit(action.x, action.y) == label


def _near(wanted: TouchAction, action: TouchAction, size: tuple[int, int]) -> bool:
    return hypot(wanted.x - action.x, wanted.y - action.y) <= NEAR * size[0]


def _reacting(tree: AccessibilityTree, touch: TouchAction, size: tuple[int, int]) -> Element | None:
    """The topmost element at a point that can be touched; None for none, and for most of the screen."""
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


def _beside(tree: AccessibilityTree, label: Element, size: tuple[int, int]) -> Element | None:
    """The button that a label belongs to: the only one of its row, under the same parent and close to it."""
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


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).strip()
