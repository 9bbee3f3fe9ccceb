"""The elements under a point of a screen that may take a touch there, and their texts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fingertip_dataset.ui_tree.accessibility import AccessibilityTree, Element

_EDIT = ("edittext", "autocompletetextview", "textfield")


@dataclass(frozen=True, slots=True, kw_only=True)
class Touched:
    """The elements under one point.

    A tree does not always tell which of two overlapping elements is on top, so all that may react count.

    Attributes:
        under: Every visible element whose box contains the point, in document order.
        reacting: Those of `under` that react to touches, without any that contains another reacting one; the
            last of `under` if none is known to react.
    """

    under: tuple[Element, ...]
    reacting: tuple[Element, ...]

    @classmethod
    def at(cls, tree: AccessibilityTree, x: float, y: float) -> Touched | None:
        """The elements at a point, device px; None if there are none."""
        under = tuple(e for e in tree.elements if e.visible is not False and e.box and e.box.contains(x, y))
        if not under:
            return None
        able = [e for e in under if reacts(e)]
        outer = {index for e in able for index in _around(tree, e)}
        reacting = tuple(e for e in able if e.index not in outer)
        return cls(under=under, reacting=reacting or under[-1:])

    def label(self, tree: AccessibilityTree, parts: int) -> tuple[tuple[str, ...], ...]:
        """Texts, descriptions and hints of the touched elements, in groups.

        There is a group for each element that may react, with the texts inside it. If more than `parts`
        elements inside have a text (more than one, if the element does not react), only those under the point
        count. The last group is the elements under the point that contain no reacting one.
        """
        around = {index for e in self.reacting for index in _around(tree, e)}
        own = [e for e in self.under if e.index not in around]
        groups = [self._within(tree, e, parts if reacts(e) else 1) for e in self.reacting]
        return tuple(tuple(word for e in group for word in words(e)) for group in (*groups, own))

    def _within(self, tree: AccessibilityTree, element: Element, parts: int) -> list[Element]:
        inside = [e for e in _inside(tree, element) if words(e)]
        if len(inside) > parts:
            here = {e.index for e in self.under}
            inside = [e for e in inside if e.index in here]
        return [element, *inside]


def on_screen(x: float, y: float, size: tuple[int, int]) -> tuple[int, int]:
    """The pixel that is touched for (x, y); a point outside the screen is moved to its edge.

    >>> on_screen(-3.2, 2400, (1080, 2400))
    (0, 2399)
    """
    width, height = size
    return min(max(round(x), 0), width - 1), min(max(round(y), 0), height - 1)


def words(element: Element) -> tuple[str, ...]:
    """Return the words of an element itself."""
    return tuple(text for text in (element.text, element.description, element.hint) if text)


def is_field(element: Element) -> bool:
    """Whether the element is a text field."""
    return element.editable is True or element.class_name.casefold().endswith(_EDIT)


def reacts(element: Element) -> bool:
    """Whether the element is known to react to touches."""
    return element.clickable is True or element.long_clickable is True


def _around(tree: AccessibilityTree, element: Element) -> Iterator[int]:
    parent = element.parent
    while parent is not None:
        yield parent
        parent = tree.elements[parent].parent


def _inside(tree: AccessibilityTree, element: Element) -> Iterator[Element]:
    """The visible elements inside another, except those inside an inner element that reacts by itself."""
    skipped: int | None = None
    for index in range(element.index + 1, len(tree.elements)):  # a slice would copy the tree
        inner = tree.elements[index]
        if inner.depth <= element.depth:
            return
        if skipped is not None and inner.depth > skipped:
            continue
        skipped = inner.depth if reacts(inner) else None
        if skipped is None and inner.visible is not False:
            yield inner
