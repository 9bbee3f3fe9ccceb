"""Touchable elements of a screen and their labels, for agents that answer with element numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fingertip_agents.execution_agent import ScreenInput
from fingertip_dataset.errors import AccessibilityTreeError
from fingertip_dataset.ui_tree.accessibility import AccessibilityTree, Box, BoxState, Element, parse_tree

MAX_TEXTS = 4
"""Maximum number of inner texts used as an element's label; an element with more is a page, not a button."""

MAX_CHARACTERS = 80
"""Maximum number of characters of an element's label."""


def read_tree(screen: ScreenInput) -> AccessibilityTree | None:
    """The screen's tree; None if it is missing or unreadable."""
    if screen.tree is None:
        return None
    try:
        return parse_tree(screen.tree, screen=screen.size)
    except AccessibilityTreeError:
        return None


def list_reacting(tree: AccessibilityTree) -> tuple[Element, ...]:
    """The elements that can be tapped, held, scrolled or typed into, in document order.

    Elements that are invisible, disabled or off the screen are left out, and so is the outer one of two with
    the same box.
    """
    by_box = {
        element.box: element for element in tree.elements if _is_reacting(element) and is_on_screen(element)
    }
    return tuple(sorted(by_box.values(), key=lambda element: element.index))


def is_on_screen(element: Element) -> bool:
    """Whether it is not marked invisible and covers a part of the screen."""
    return element.visible is not False and element.box_state is BoxState.PROPER


def is_field(element: Element) -> bool:
    """Whether text can be typed into it; a plain uiautomator dump shows this by the class only."""
    return element.editable is True or element.class_name.endswith("EditText")


def find_visible_box(element: Element, tree: AccessibilityTree) -> Box:
    """The part of its box that is on the screen: the element must be `is_on_screen`."""
    box, screen = element.box, tree.screen
    if box is None or screen is None:
        return box or Box(left=0, top=0, right=0, bottom=0)
    return Box(
        left=max(box.left, screen.left),
        top=max(box.top, screen.top),
        right=min(box.right, screen.right),
        bottom=min(box.bottom, screen.bottom),
    )


def find_smallest(boxes: Sequence[Box], x: float, y: float) -> int | None:
    """Index of the smallest of these boxes with a point, device px; of equal ones the last; None for none."""
    around = [(box.width * box.height, -index) for index, box in enumerate(boxes) if box.contains(x, y)]
    return -min(around)[1] if around else None


def label_elements(tree: AccessibilityTree, elements: tuple[Element, ...]) -> Mapping[int, str]:
    """Label of each of these elements: its own text, else the inner texts that belong to no other of them.

    Returns:
        Index of an element -> its label on one line, at most `MAX_CHARACTERS`; "" without a label.
    """
    inside = find_texts_inside(tree, elements)
    return {
        element.index: _cut_line(own_words(element) or element.hint or _join(inside[element.index]))
        for element in elements
    }


def find_texts_inside(tree: AccessibilityTree, elements: tuple[Element, ...]) -> Mapping[int, list[Element]]:
    """Index of each of these elements -> the text elements within it and within none of its inner ones."""
    inside: dict[int, list[Element]] = {element.index: [] for element in elements}
    owners: list[int | None] = []
    for element in tree.elements:
        around = None if element.parent is None else owners[element.parent]
        own = element.index in inside
        owners.append(element.index if own else around)
        if not own and around is not None and own_words(element) and is_on_screen(element):
            inside[around].append(element)
    return inside


def own_words(element: Element) -> str:
    """The element's text, else its description, else ""."""
    return element.text.strip() or element.description.strip()


def _join(texts: list[Element]) -> str:
    return " ".join(map(own_words, texts)) if len(texts) <= MAX_TEXTS else ""


def _cut_line(words: str) -> str:
    words = " ".join(words.split())
    return words if len(words) <= MAX_CHARACTERS else f"{words[: MAX_CHARACTERS - 1]}…"


def _is_reacting(element: Element) -> bool:
    return element.enabled is not False and (
        element.clickable is True
        or element.long_clickable is True
        or element.scrollable is True
        or element.checkable is True
        or is_field(element)
    )
