"""Accessibility trees: what stood on the screen, read from the XML of either dialect.

The release's collector writes `content_desc`, `view_id`, `hint`, `editable`, `visible`; a plain uiautomator
dump writes `content-desc`, `resource-id`, `checked`, `password` and more. Boxes are in device pixels from the
upper left corner of the screen.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from fingertip_dataset.errors import AccessibilityTreeError
from fingertip_dataset.ui_tree.tree_xml import TreeTarget, read_tree, tree_parser

MAX_NODES = 50_000
"""Of one tree; the largest of the real ones at hand has 700."""

_BOUNDS = re.compile(r"\[(-?[0-9]{1,9}),(-?[0-9]{1,9})\]\[(-?[0-9]{1,9}),(-?[0-9]{1,9})\]")
_FLAGS: Mapping[str | None, bool] = {"true": True, "false": False}


class BoxState(StrEnum):
    """What is to be thought of an element's box."""

    PROPER = "proper"
    """It covers at least a part of the screen."""
    MISSING = "missing"
    """No bounds, or unreadable ones."""
    INVERTED = "inverted"
    """The right edge is left of the left one, or the lower above the upper."""
    EMPTY = "empty"
    """No width or no height."""
    OFF_SCREEN = "off-screen"
    """No part of it is on the screen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """A rectangle in device pixels; the right and the lower edge are no longer part of it."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def width(self) -> int:
        """Pixels; negative for an inverted box."""
        return self.right - self.left

    @property
    def height(self) -> int:
        """Pixels; negative for an inverted box."""
        return self.bottom - self.top

    @property
    def center(self) -> tuple[int, int]:
        """(x, y), rounded down.

        >>> Box(left=0, top=136, right=121, bottom=257).center
        (60, 196)
        """
        return (self.left + self.right) // 2, (self.top + self.bottom) // 2

    def contains(self, x: float, y: float) -> bool:
        """Whether the point lies inside."""
        return self.left <= x < self.right and self.top <= y < self.bottom

    def overlaps(self, other: Box) -> bool:
        """Whether the two share a pixel."""
        return (
            max(self.left, other.left) < min(self.right, other.right)
            and max(self.top, other.top) < min(self.bottom, other.bottom)
        )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Element:
    """One `node` of the tree.

    Texts are "" where the dialect does not say, flags None.

    Attributes:
        index: Place in document order, counted from 0.
        parent: Index of the node around it; None for a root.
        depth: How many nodes are around it.
        view_id: Resource id, such as "com.tencent.qqmusic:id/h3".
        class_name: Such as "android.widget.ImageView".
        box: As written, also where it makes no sense; None where it is missing or unreadable.
        box_state: Whether `box` makes sense.
    """

    index: int
    parent: int | None
    depth: int
    text: str
    description: str
    hint: str
    view_id: str
    class_name: str
    package: str
    box: Box | None
    box_state: BoxState
    clickable: bool | None
    long_clickable: bool | None
    enabled: bool | None
    visible: bool | None
    scrollable: bool | None
    editable: bool | None
    checkable: bool | None
    checked: bool | None
    focusable: bool | None
    focused: bool | None
    selected: bool | None
    password: bool | None


@dataclass(frozen=True, kw_only=True)
class AccessibilityTree:
    """The nodes of one screen in document order.

    Attributes:
        attributes: Of each node, as written.
        parents: Of each node, the index of the node around it; None for a root.
        screen: The screenshot's frame where its size was given, else the first node's box; None where that
            has no area.
    """

    # no slots: the elements are read when first asked for, and kept
    attributes: tuple[Mapping[str, str], ...]
    parents: tuple[int | None, ...]
    screen: Box | None

    @cached_property
    def elements(self) -> tuple[Element, ...]:
        """Every node as an element, in document order."""
        elements: list[Element] = []
        for index, (attributes, parent) in enumerate(zip(self.attributes, self.parents, strict=True)):
            depth = 0 if parent is None else elements[parent].depth + 1
            elements.append(_element(attributes, index, parent, depth, self.screen))
        return tuple(elements)

    def hit(self, x: float, y: float) -> Element | None:
        """The element that a finger at (x, y) meets; None where there is none.

        It is the last one in document order that is not marked invisible and whose box contains the point:
        Android draws children over their parent and later siblings over earlier ones. Whether it reacts is
        another question: see `clickable_around`.

        Args:
            x: Device pixels.
            y: Device pixels.
        """
        for element in reversed(self.elements):
            box = element.box
            if box is not None and box.contains(x, y) and element.visible is not False:
                return element
        return None

    def clickable_around(self, element: Element) -> Element | None:
        """The element itself or the nearest one around it that is clickable; None where there is none."""
        while element.clickable is not True:
            if element.parent is None:
                return None
            element = self.elements[element.parent]
        return element


def parse_tree(xml: bytes | str, *, screen: tuple[int, int] | None = None) -> AccessibilityTree:
    """Read an accessibility tree.

    Args:
        xml: A file's bytes, or its text.
        screen: (width, height) of the screenshot in pixels, where it is at hand.

    Raises:
        AccessibilityTreeError: Not well-formed, with a document type, without nodes, too large or too deep.

    >>> tree = parse_tree('<node text="Clock" bounds="[0,0][100,50]" clickable="true"/>')
    >>> element = tree.hit(99, 49)
    >>> element.text, element.box.center, element.clickable, element.checked
    ('Clock', (50, 25), True, None)
    """
    reader = _TreeReader()
    read_tree(xml, tree_parser(reader))
    reader.check(has_nodes=bool(reader.attributes))
    return AccessibilityTree(
        attributes=tuple(reader.attributes),
        parents=tuple(reader.parents),
        screen=_frame(screen, reader.attributes[0] if reader.attributes else {}),
    )


def _frame(size: tuple[int, int] | None, first: Mapping[str, str]) -> Box | None:
    if size is not None:
        return Box(left=0, top=0, right=size[0], bottom=size[1])
    box = _box(first.get("bounds", ""))
    return box if box is not None and box.width > 0 and box.height > 0 else None


def read_bounds(bounds: str) -> tuple[int, int, int, int] | None:
    """Left, top, right, bottom of `[left,top][right,bottom]`, as both dialects write it; None for all else.

    >>> read_bounds("[0,136][121,257]"), read_bounds("[0,136]")
    ((0, 136, 121, 257), None)
    """
    match = _BOUNDS.fullmatch(bounds)
    if match is None:
        return None
    left, top, right, bottom = map(int, match.groups())
    return left, top, right, bottom


class _TreeReader(TreeTarget):
    """Called by lxml: keeps the attributes of every node, and which node is around it."""

    def __init__(self) -> None:
        super().__init__()
        self.attributes: list[Mapping[str, str]] = []
        self.parents: list[int | None] = []
        self._around: list[int | None] = [None]

    def start(self, tag: str, attributes: Mapping[str, str], /) -> None:
        around = self._around[-1]
        if tag == "node":
            self.parents.append(around)
            around = len(self.attributes)
            self.attributes.append(attributes)
            if around == MAX_NODES:
                raise AccessibilityTreeError(f"expected at most {MAX_NODES} nodes, got more")
        elif self.root is None:
            self.root = tag
        self._around.append(around)

    def end(self, tag: str, /) -> None:
        self._around.pop()


def _box(bounds: str) -> Box | None:
    edges = read_bounds(bounds)
    if edges is None:
        return None
    left, top, right, bottom = edges
    return Box(left=left, top=top, right=right, bottom=bottom)


def _box_state(box: Box | None, screen: Box | None) -> BoxState:
    if box is None:
        return BoxState.MISSING
    if box.width < 0 or box.height < 0:
        return BoxState.INVERTED
    if box.width == 0 or box.height == 0:
        return BoxState.EMPTY
    if screen is not None and not box.overlaps(screen):
        return BoxState.OFF_SCREEN
    return BoxState.PROPER


def _element(
    attributes: Mapping[str, str], index: int, parent: int | None, depth: int, screen: Box | None
) -> Element:
    get, flag = attributes.get, _FLAGS.get
    box = _box(get("bounds", ""))
    return Element(
        index=index,
        parent=parent,
        depth=depth,
        text=get("text", ""),
        description=get("content_desc") or get("content-desc", ""),
        hint=get("hint", ""),
        view_id=get("view_id") or get("resource-id", ""),
        class_name=get("class", ""),
        package=get("package", ""),
        box=box,
        box_state=_box_state(box, screen),
        clickable=flag(get("clickable")),
        long_clickable=flag(get("long_clickable") or get("long-clickable")),
        enabled=flag(get("enabled")),
        visible=flag(get("visible")),
        scrollable=flag(get("scrollable")),
        editable=flag(get("editable")),
        checkable=flag(get("checkable")),
        checked=flag(get("checked")),
        focusable=flag(get("focusable")),
        focused=flag(get("focused")),
        selected=flag(get("selected")),
        password=flag(get("password")),
    )
