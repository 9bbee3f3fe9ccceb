"""Layout of a screen: its headings, its plain texts, and what stands beside or around an element."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import islice

from fingertip_dataset.ui_tree.accessibility import AccessibilityTree, Box, Element
from fingertip_dataset.ui_tree.normal_text import id_words
from fingertip_dataset.ui_tree.touched import is_field, reacts, words

_NEAR_PARTS = 12
"""Texts of the largest container that is still read as one thing, such as a dialog or a row."""
_ROW_NODES = 30
"""Nodes of the largest container that is read as the row of a text field."""
_LEVELS = 4
"""Containers around an element that are searched for texts, from within."""
_TALL = 0.5
"""Share of the screen's height from which an element with others in it is a page."""
_HEADING = 0.12
"""Share of the screen's height, from above, in which a text is a heading."""
_FOOTER = 0.88
"""Share of the screen's height below which an element is in the bar at its lower end."""
_END = 0.93
"""Share of the screen's height that this bar reaches at least; below it are the system's keys."""
_WIDE = 0.5
"""Share of the screen's width from which an element spans the screen."""


_DIGIT_KEYS = 8
"""Fewest keys of different digits that make the keys of a number."""
_NARROW, _CODE = 0.25, 4
"""Share of the screen's width, and number, of the text fields that take a code sign by sign."""
_LAYERS = frozenset({"sheet", "dialog", "popup"})
"""Words of the ids of containers that lie over a page."""
_BUTTONS = ("button", "switch", "checkbox", "seekbar", "checkedtextview")


class Control(StrEnum):
    """Kind of a control."""

    BUTTON = "button"
    """A button, a switch, what stands in a dialog or in the bar at the lower end of the screen."""
    ROW = "row"
    """A wide element with several texts, such as a line of a list."""
    ITEM = "item"
    """Anything else."""


@dataclass(frozen=True, kw_only=True)
class ScreenLayout:
    """Layout of one screen. Each part is computed once, in time linear in the number of nodes.

    Attributes:
        tree: The accessibility tree.
        size: Width and height of the screen, px.
        other_packages: Packages of bars and keyboards, which are no part of the app's screen.
    """

    tree: AccessibilityTree
    size: tuple[int, int]
    other_packages: frozenset[str] = frozenset()

    @cached_property
    def speaking(self) -> tuple[Element, ...]:
        """The app's visible elements that have a text, a description or a hint, in document order."""
        return tuple(
            e
            for e in self.tree.elements
            if e.visible is not False and e.package not in self.other_packages and words(e)
        )

    @cached_property
    def _owners(self) -> Sequence[int | None]:
        """For each element the index of the innermost reacting one among itself and those around it."""
        owners: list[int | None] = []
        for element in self.tree.elements:
            outer = None if element.parent is None else owners[element.parent]
            owners.append(element.index if reacts(element) else outer)
        return owners

    @cached_property
    def _children(self) -> Sequence[list[int]]:
        children: list[list[int]] = [[] for _ in self.tree.elements]
        for element in self.tree.elements:
            if element.parent is not None:
                children[element.parent].append(element.index)
        return children

    @cached_property
    def statics(self) -> tuple[Element, ...]:
        """The speaking elements that neither react nor are within one that does, without text fields."""
        return tuple(e for e in self.speaking if self._owners[e.index] is None and not is_field(e))

    @cached_property
    def headings(self) -> tuple[Element, ...]:
        """The static elements at the top, with "title" in the id, or first in what lies over the page."""
        top = self.size[1] * _HEADING
        found = [
            e
            for e in self.statics
            if (e.box is not None and e.box.bottom <= top) or "title" in id_words(e.view_id).split()
        ]
        headings = {e.index: e for e in (found or self.statics[:1])}
        headings |= {e.index: e for e in self._first_in_layers()}
        return tuple(headings.values())

    @cached_property
    def _layers(self) -> frozenset[int]:
        """Indices of the windows but the first, and of each sheet or dialog by its id."""
        windows = {e.index for e in self.tree.elements if e.parent is None and not self._is_other(e)}
        windows -= {min(windows, default=0)}
        named = {e.index for e in self.tree.elements if _LAYERS & {*id_words(e.view_id).split()}}
        return frozenset(windows | named)

    def layer(self, element: Element) -> tuple[str, ...] | None:
        """Static texts of the sheet, dialog or popup in which an element is; None on a page."""
        inside: Element | None = element
        while inside is not None and inside.index not in self._layers:
            inside = None if inside.parent is None else self.tree.elements[inside.parent]
        if inside is None:
            return None
        inner = {e.index for e in self.within(inside)}
        return tuple(text for e in self.statics if e.index in inner for text in words(e))

    def _first_in_layers(self) -> Iterator[Element]:
        """The first static element of each layer."""
        seen: set[int] = set()
        for element in self.statics:
            inside: Element | None = element
            while inside is not None and inside.index not in seen:
                seen.add(inside.index)
                if inside.index in self._layers:
                    yield element
                inside = None if inside.parent is None else self.tree.elements[inside.parent]

    def _is_other(self, element: Element) -> bool:
        return element.package in self.other_packages

    @cached_property
    def fields(self) -> tuple[Element, ...]:
        """The visible text fields."""
        return tuple(e for e in self.tree.elements if e.visible is not False and is_field(e))

    @cached_property
    def has_code_fields(self) -> bool:
        """Whether there are narrow text fields side by side, one for each sign of a code."""
        narrow = [e.box for e in self.fields if e.box and e.box.width <= self.size[0] * _NARROW]
        rows = Counter(box.top for box in narrow)
        return max(rows.values(), default=0) >= _CODE

    @cached_property
    def has_digit_keys(self) -> bool:
        """Whether there are keys for most of the ten digits."""
        keys = {text for e in self.speaking if reacts(e) for text in words(e)}
        return len(keys & {*"0123456789"}) >= _DIGIT_KEYS

    def near(self, element: Element) -> tuple[str, ...]:
        """Texts next to or around an element: those of the smallest container that says more than itself.

        Texts of other reacting elements do not count. Empty if there are none, or so many that the
        container is a page.
        """
        own = {e.index for e in self.within(element)}
        for container in self._around(element):
            texts = [
                text
                for e in self.within(container)
                if e.index not in own and self._owners[e.index] in (None, self._owners[container.index])
                for text in words(e)
            ]
            if texts:
                return tuple(texts) if len(texts) <= _NEAR_PARTS else ()
        return ()

    def caption(self, field: Element) -> tuple[str, ...]:
        """Texts that name a text field: those next to it in its row, or the static one before it."""
        row = self.tree.elements[field.parent] if field.parent is not None else None
        inside = list(islice(self._subtree(row), _ROW_NODES + 1)) if row is not None else []
        if len(inside) <= _ROW_NODES and sum(map(is_field, inside)) == 1:
            others = (e for e in inside if e.index != field.index and e.visible is not False)
            beside = [text for e in others for text in words(e)]
            if 0 < len(beside) <= 2:
                return tuple(beside)
        place = bisect_left(self.statics, field.index, key=lambda e: e.index)
        before = self.statics[place - 1] if place else None
        return words(before) if before is not None and self._close(before, field) else ()

    def _close(self, label: Element, field: Element) -> bool:
        """Whether a label stands directly above a field or next to it."""
        if label.box is None or field.box is None:
            return False
        gap = field.box.top - label.box.bottom
        return -label.box.height <= gap <= field.box.height

    def owner(self, element: Element) -> int | None:
        """Index of the innermost reacting element among an element and those around it."""
        return self._owners[element.index]

    def inside(self, element: Element) -> Iterator[Element]:
        """The elements inside an element, without what is inside an inner one that reacts."""
        own = self._owners[element.index]
        yield from (e for e in self._subtree(element) if e is not element and self._owners[e.index] == own)

    def within(self, element: Element) -> Iterator[Element]:
        """The element and the visible speaking ones inside it."""
        yield from (e for e in self._subtree(element) if e.visible is not False and words(e))

    def alike(self, element: Element) -> int:
        """Number of visible elements next to an element that react and have its size, itself included."""
        if element.parent is None or element.box is None:
            return 1
        size = (element.box.width, element.box.height)
        others = (self.tree.elements[index] for index in self._children[element.parent])
        return sum(
            e.box is not None and reacts(e) and _near(size, (e.box.width, e.box.height)) for e in others
        )

    def beside(self, element: Element) -> Iterator[tuple[str, ...]]:
        """Texts of each of the other reacting elements in the same container."""
        siblings = self._children[element.parent] if element.parent is not None else []
        others = (self.tree.elements[index] for index in siblings if index != element.index)
        for other in others:
            if reacts(other) and other.visible is not False:
                yield tuple(text for e in self.within(other) for text in words(e))

    def is_page(self, element: Element) -> bool:
        """Whether an element is a tall container with texts of its own parts, such as a web page."""
        box = element.box
        if box is None or box.height < self.size[1] * _TALL:
            return False
        return any(e is not element for e in self.within(element))

    def is_only_switch(self, element: Element) -> bool:
        """Whether a checkable element is the only one of its screen, and the screen says little."""
        others = any(e.checkable and e is not element for e in self.tree.elements)
        return not others and len(self.speaking) <= _NEAR_PARTS

    def in_footer(self, box: Box) -> bool:
        """Whether a box is in the bar at the lower end of the screen."""
        return box.center[1] >= self.size[1] * _FOOTER and box.bottom >= self.size[1] * _END

    def is_wide(self, box: Box) -> bool:
        """Whether a box spans at least half of the screen's width."""
        return box.width >= self.size[0] * _WIDE

    def control(self, element: Element) -> Control:
        """The kind of control that an element is, by its class, its place and what is within it."""
        box = element.box
        if element.checkable or box is None or element.class_name.casefold().endswith(_BUTTONS):
            return Control.BUTTON
        inside = tuple(self.within(element))
        if self.in_footer(box) or (self.is_dialog and reacts(element)):
            return Control.BUTTON
        if any(e.checkable for e in self._subtree(element)):
            return Control.BUTTON
        if len(inside) == 1 and reacts(element) and self.layer(element) is not None:
            return Control.BUTTON
        if sum(len(words(e)) for e in inside) > 1 and self.is_wide(box):
            return Control.ROW
        return Control.ITEM

    @cached_property
    def is_dialog(self) -> bool:
        """Whether nothing of the last window speaks in the upper and lower bars of the screen."""
        height = self.size[1]
        end = max((e.index for e in self.speaking), default=0)
        last = max((e.index for e in self.tree.elements if e.parent is None and e.index <= end), default=0)
        boxes = [e.box for e in self.speaking if e.box is not None and e.index >= last]
        return bool(boxes) and all(
            box.top > height * _HEADING and box.bottom < height * _FOOTER for box in boxes
        )

    def _subtree(self, element: Element) -> Iterator[Element]:
        yield element
        for index in range(element.index + 1, len(self.tree.elements)):  # a slice would copy the tree
            inner = self.tree.elements[index]
            if inner.depth <= element.depth:
                return
            yield inner

    def _around(self, element: Element) -> Iterator[Element]:
        for _ in range(_LEVELS):
            if element.parent is None:
                return
            element = self.tree.elements[element.parent]
            yield element


def _near(size: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether two sizes differ by at most a tenth."""
    return all(abs(a - b) <= 0.1 * max(a, b) for a, b in zip(size, other, strict=True))
