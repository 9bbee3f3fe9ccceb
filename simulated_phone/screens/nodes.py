"""What a laid-out screen is made of: boxes, painted marks, nodes, and what a touch on a node does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

ActionValue: TypeAlias = str | int | float | bool | None


class PixelBox(NamedTuple):
    """A rectangle in pixels of the current rotation's frame; right and bottom lie outside it."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def width(self) -> int:
        """Pixels from left to right."""
        return self.right - self.left

    @property
    def height(self) -> int:
        """Pixels from top to bottom."""
        return self.bottom - self.top

    @property
    def centre(self) -> tuple[int, int]:
        """The pixel in the middle."""
        return (self.left + self.right) // 2, (self.top + self.bottom) // 2

    @property
    def empty(self) -> bool:
        """Whether it holds no pixel."""
        return self.right <= self.left or self.bottom <= self.top

    def contains(self, x: float, y: float) -> bool:
        """Whether the pixel lies inside."""
        return self.left <= x < self.right and self.top <= y < self.bottom

    def clip(self, other: PixelBox) -> PixelBox:
        """The part that both have."""
        return PixelBox(
            max(self.left, other.left),
            max(self.top, other.top),
            min(self.right, other.right),
            min(self.bottom, other.bottom),
        )

    def inset(self, x: int, y: int | None = None) -> PixelBox:
        """Smaller by x at the left and right and by y (x where not given) at the top and bottom."""
        y = x if y is None else y
        return PixelBox(self.left + x, self.top + y, self.right - x, self.bottom - y)

    def middle(self, width: int, height: int) -> PixelBox:
        """A box of that size with the same centre."""
        left, top = self.left + (self.width - width) // 2, self.top + (self.height - height) // 2
        return PixelBox(left, top, left + width, top + height)


@dataclass(frozen=True, slots=True)
class ActionRef:
    """What a touch does: a handler's name and its arguments. Names that begin "android." are the system's."""

    name: str
    arguments: tuple[tuple[str, ActionValue], ...] = ()


def action_ref(name: str, /, **arguments: ActionValue) -> ActionRef:
    """The action `name` with arguments.

    >>> action_ref("play", song="晴天")
    ActionRef(name='play', arguments=(('song', '晴天'),))
    """
    return ActionRef(name, tuple(arguments.items()))


@dataclass(frozen=True, slots=True, kw_only=True)
class Fill:
    """A filled rectangle, rounded by `radius` px; `to` makes it a gradient from top to bottom."""

    box: PixelBox
    color: str
    radius: int = 0
    to: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """Text inside a box, centred in its height, cut with an ellipsis to its width and `lines`; size in px."""

    box: PixelBox
    text: str
    size: int
    color: str
    align: str = "left"
    bold: bool = False
    lines: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Glyph:
    """A drawn icon, by its name in `icons.GLYPHS`."""

    box: PixelBox
    name: str
    color: str


Mark: TypeAlias = Fill | Words | Glyph


@dataclass(frozen=True, slots=True, kw_only=True)
class ScrollArea:
    """How far a node's content is scrolled: `offset` px of at most `extent`."""

    name: str
    offset: int
    extent: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TextEntry:
    """The text field of a node: its name on the page, what Enter does, and what the Enter key says."""

    name: str
    submit: ActionRef | None = None
    enter: str = "完成"


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """One placed element: what it says, where it is, what it does, how it looks. Children lie above it."""

    box: PixelBox
    kind: str = "android.view.ViewGroup"
    text: str = ""
    description: str = ""
    hint: str = ""
    view_id: str = ""
    tap: ActionRef | None = None
    hold: ActionRef | None = None
    entry: TextEntry | None = None
    scroll: ScrollArea | None = None
    checkable: bool = False
    checked: bool = False
    selected: bool = False
    focused: bool = False
    enabled: bool = True
    password: bool = False
    marks: tuple[Mark, ...] = ()
    children: tuple[Node, ...] = ()

    @property
    def clickable(self) -> bool:
        """Whether a tap on it does something."""
        return self.enabled and (self.tap is not None or self.entry is not None)

    def walk(self) -> Iterator[Node]:
        """This node and everything inside it, parents first."""
        yield self
        for child in self.children:
            yield from child.walk()

    def label(self) -> str:
        """What it says: its own text or description, else the first one inside it."""
        for node in self.walk():
            if node.text or node.description:
                return node.text or node.description
        return ""
