"""HTML-like list of a screen's elements for AutoDroid, one element per line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import Literal

from fingertip_agents.execution_agent import ScreenInput
from fingertip_agents.screens.elements import (
    MAX_TEXTS,
    find_texts_inside,
    find_visible_box,
    is_field,
    is_on_screen,
    label_elements,
    list_reacting,
    own_words,
    read_tree,
)
from fingertip_dataset.actions import Direction
from fingertip_dataset.release.problems import printable
from fingertip_dataset.ui_tree.accessibility import AccessibilityTree, Box, Element

Tag = Literal["button", "input", "checkbox", "p", "div"]

_SIDEWAYS = ("HorizontalScrollView", "ViewPager")


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedElement:
    """Line of the list.

    Attributes:
        kind: "element" to tap or type into, the direction of a scroll, or "back".
        tag: HTML tag.
        attributes: HTML attributes after the id, escaped.
        words: Text of the element on one line; "" for none.
        content: Content of a click on it; "" for none.
        box: Box on the screen, device px, which is touched at its centre; None for going back.
    """

    kind: Literal["element", "back"] | Direction
    tag: Tag
    attributes: str = ""
    words: str = ""
    content: str = ""
    box: Box | None = None

    @property
    def point(self) -> tuple[int, int]:
        """Touch point, device px; (0, 0) for going back."""
        return self.box.center if self.box else (0, 0)

    def line(self, number: int) -> str:
        """The line in the prompt; escaped, so that text on the screen cannot end the line or the element.

        >>> ListedElement(kind="element", tag="button", words="</button> & more").line(3)
        '<button id=3>&lt;/button&gt; &amp; more</button>'
        """
        return f"<{self.tag} id={number}{self.attributes}>{_escape(self.words)}</{self.tag}>"


def list_entries(screen: ScreenInput) -> tuple[ListedElement, ...]:
    """The list of a screen; going back is last, and the only entry without a tree."""
    tree = read_tree(screen)
    listed = () if tree is None else tuple(_list_entries(tree))
    return (*listed, ListedElement(kind="back", tag="button", words="go back"))


def _list_entries(tree: AccessibilityTree) -> Iterator[ListedElement]:
    """Touchable elements, and texts outside touchable elements, in document order."""
    elements = list_reacting(tree)
    words = label_elements(tree, elements)
    attributes = {
        text.index
        for owner, texts in find_texts_inside(tree, elements).items()
        if len(texts) <= MAX_TEXTS and not own_words(tree.elements[owner])
        for text in texts
    }
    for element in tree.elements:
        if element.index in words:
            yield from _list_reacting(element, tree, words[element.index])
        elif own_words(element) and is_on_screen(element) and element.index not in attributes:
            line = " ".join(own_words(element).split())
            box = find_visible_box(element, tree)
            yield ListedElement(kind="element", tag="p", words=line, content=line, box=box)


def _list_reacting(element: Element, tree: AccessibilityTree, words: str) -> Iterator[ListedElement]:
    """The element itself if it can be tapped, then one entry per scroll direction."""
    box = find_visible_box(element, tree)
    tag, attributes = _choose_tag(element)
    # the hint of an empty field is not its text
    seen = "" if tag == "input" and element.hint and not own_words(element) else words
    if tag != "button" or element.clickable or element.long_clickable:
        yield ListedElement(
            kind="element", tag=tag, attributes=attributes, words=seen, content=words, box=box
        )
    if element.scrollable:
        for direction in _choose_directions(element):
            yield ListedElement(
                kind=direction,
                tag="div",
                attributes=" class='scroller'",
                words=f"scroll {direction}",
                box=box,
            )


def _choose_tag(element: Element) -> tuple[Tag, str]:
    if is_field(element):
        return "input", f" hint='{_escape(element.hint)}'" if element.hint else ""
    if element.checkable:
        return "checkbox", f" checked={str(element.checked is True).lower()}"
    return "button", ""


def _choose_directions(element: Element) -> tuple[Direction, ...]:
    """Scroll directions, which trees do not give: sideways by class, or if twice as wide as high."""
    box = element.box
    flat = box is not None and box.width >= 2 * box.height
    if flat or any(name in element.class_name for name in _SIDEWAYS):
        return "right", "left"
    return "down", "up"


def _escape(words: str) -> str:
    return printable(escape(" ".join(words.split())))
