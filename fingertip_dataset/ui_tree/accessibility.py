"""Accessibility trees: the elements of a screen, read from the XML of either dialect.

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
"""Maximum number of nodes of a tree; the largest known real one has 700."""

_BOUNDS = re.compile(r"\[(-?[0-9]{1,9}),(-?[0-9]{1,9})\]\[(-?[0-9]{1,9}),(-?[0-9]{1,9})\]")
_FLAGS: Mapping[str | None, bool] = {"true": True, "false": False}


class BoxState(StrEnum):
    """Validity of an element's box."""

    PROPER = "proper"
    """At least a part of it is on the screen."""
    MISSING = "missing"
    """The bounds are missing or unreadable."""
    INVERTED = "inverted"
    """The right edge is left of the left one, or the lower edge above the upper one."""
    EMPTY = "empty"
    """No width or no height."""
    OFF_SCREEN = "off-screen"
    """No part of it is on the screen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """A rectangle in device pixels; the right and lower edges are exclusive."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def width(self) -> int:
        """Width in px; negative for an inverted box."""
        return self.right - self.left

    @property
    def height(self) -> int:
        """Height in px; negative for an inverted box."""
        return self.bottom - self.top

    @property
    def center(self) -> tuple[int, int]:
        """Center (x, y) in px, rounded down.

        >>> Box(left=0, top=136, right=121, bottom=257).center
        (60, 196)
        """
        return (self.left + self.right) // 2, (self.top + self.bottom) // 2

    def contains(self, x: float, y: float) -> bool:
        """Whether a point in px lies inside."""
        return self.left <= x < self.right and self.top <= y < self.bottom

    def overlaps(self, other: Box) -> bool:
        """Whether the two share a pixel."""
        return (
            max(self.left, other.left) < min(self.right, other.right)
            and max(self.top, other.top) < min(self.bottom, other.bottom)
        )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Element:
    """A `node` of the tree.

    A text that the dialect lacks is "", a flag None.

    Attributes:
        index: Position in document order, counted from 0.
        parent: Index of the parent node; None for a root.
        depth: Number of ancestors.
        view_id: Resource id, such as "com.tencent.qqmusic:id/h3".
        class_name: Class of the view, such as "android.widget.ImageView".
        box: Box as written, even if invalid; None if missing or unreadable.
        box_state: Validity of `box`.
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
        attributes: Attributes of each node, as written.
        parents: Index of each node's parent; None for a root.
        screen: Frame of the screenshot if its size was given, otherwise the first node's box; None if that
            has no area.
    """

    # no slots: `elements` is computed on first access and cached in the instance
    attributes: tuple[Mapping[str, str], ...]
    parents: tuple[int | None, ...]
    screen: Box | None

    @cached_property
    def elements(self) -> tuple[Element, ...]:
        """Every node as an element, in document order."""
        elements: list[Element] = []
        for index, (attributes, parent) in enumerate(zip(self.attributes, self.parents, strict=True)):
            depth = 0 if parent is None else elements[parent].depth + 1
            elements.append(_make_element(attributes, index, parent, depth, self.screen))
        return tuple(elements)

    def hit(self, x: float, y: float) -> Element | None:
        """Return the topmost element at (x, y); None if there is none.

        It is the last element in document order that is not marked invisible and whose box contains the
        point: Android draws children over their parent and later siblings over earlier ones. It need not be
        clickable: see `find_clickable_around`.

        Args:
            x: Device pixels from the left edge.
            y: Device pixels from the upper edge.
        """
        for element in reversed(self.elements):
            box = element.box
            if box is not None and box.contains(x, y) and element.visible is not False:
                return element
        return None

    def find_clickable_around(self, element: Element) -> Element | None:
        """Return the nearest clickable element among the element and its ancestors; None if there is none."""
        while element.clickable is not True:
            if element.parent is None:
                return None
            element = self.elements[element.parent]
        return element


def parse_tree(xml: bytes | str, *, screen: tuple[int, int] | None = None) -> AccessibilityTree:
    """Read an accessibility tree.

    Characters that XML 1.0 refuses and Android writes are replaced; see `mend_characters`.

    Args:
        xml: A file's bytes, or its text.
        screen: (width, height) of the screenshot in px, if known.

    Raises:
        AccessibilityTreeError: The tree is malformed, has a document type or no nodes, or is too big.

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
        screen=_find_frame(screen, reader.attributes[0] if reader.attributes else {}),
    )


def _find_frame(size: tuple[int, int] | None, first: Mapping[str, str]) -> Box | None:
    if size is not None:
        return Box(left=0, top=0, right=size[0], bottom=size[1])
    box = _box(first.get("bounds", ""))
    return box if box is not None and box.width > 0 and box.height > 0 else None


def read_bounds(bounds: str) -> tuple[int, int, int, int] | None:
    """Parse `[left,top][right,bottom]`, as both dialects write it; None for any other text.

    >>> read_bounds("[0,136][121,257]"), read_bounds("[0,136]")
    ((0, 136, 121, 257), None)
    """
    match = _BOUNDS.fullmatch(bounds)
    if match is None:
        return None
    left, top, right, bottom = map(int, match.groups())
    return left, top, right, bottom


class _TreeReader(TreeTarget):
    """Parser target that collects the attributes and the parent of every node."""

    def reset(self) -> None:
        super().reset()
        self.attributes: list[Mapping[str, str]] = []
        self.parents: list[int | None] = []
        self._open_nodes: list[int | None] = [None]

    def start(self, tag: str, attributes: Mapping[str, str], /) -> None:
        node = self._open_nodes[-1]
        if tag == "node":
            self.parents.append(node)
            node = len(self.attributes)
            self.attributes.append(attributes)
            # while parsing, so that a huge tree is refused before it fills the memory
            if node == MAX_NODES:
                raise AccessibilityTreeError(f"expected at most {MAX_NODES} nodes, got more")
        elif self.root is None:
            self.root = tag
        self._open_nodes.append(node)

    def end(self, tag: str, /) -> None:
        self._open_nodes.pop()


def _box(bounds: str) -> Box | None:
    edges = read_bounds(bounds)
    if edges is None:
        return None
    left, top, right, bottom = edges
    return Box(left=left, top=top, right=right, bottom=bottom)


def _judge_box(box: Box | None, screen: Box | None) -> BoxState:
    if box is None:
        return BoxState.MISSING
    if box.width < 0 or box.height < 0:
        return BoxState.INVERTED
    if box.width == 0 or box.height == 0:
        return BoxState.EMPTY
    if screen is not None and not box.overlaps(screen):
        return BoxState.OFF_SCREEN
    return BoxState.PROPER


def _make_element(
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
        box_state=_judge_box(box, screen),
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
