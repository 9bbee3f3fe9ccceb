"""Parts of a laid-out screen: boxes, drawn marks, nodes, and references to the actions of touches."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias, TypeVar, dataclass_transform

ActionValue: TypeAlias = str | int | float | bool | None
_T = TypeVar("_T")


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(field,))
def _record(made: type[_T]) -> type[_T]:
    """A record that never changes, as mypy checks.

    Python does not, as with `frozen=True`: that makes a node, of which there are thousands a second, in seven
    times the time.
    """
    return dataclass(slots=True, kw_only=True, unsafe_hash=True)(made)


class PixelBox(NamedTuple):
    """A rectangle in pixels of the current rotation's frame; right and bottom are exclusive."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def width(self) -> int:
        """Width, px."""
        return self.right - self.left

    @property
    def height(self) -> int:
        """Height, px."""
        return self.bottom - self.top

    @property
    def centre(self) -> tuple[int, int]:
        """The centre pixel (x, y)."""
        return (self.left + self.right) // 2, (self.top + self.bottom) // 2

    @property
    def empty(self) -> bool:
        """Whether the box contains no pixel."""
        return self.right <= self.left or self.bottom <= self.top

    def contains(self, x: float, y: float) -> bool:
        """Whether the pixel is inside the box."""
        return self.left <= x < self.right and self.top <= y < self.bottom

    def clip(self, other: PixelBox) -> PixelBox:
        """Intersection with another box."""
        left, top, right, bottom = self
        low_x, low_y, high_x, high_y = other
        # comparisons, which are faster than `max` and `min`
        return PixelBox._make(
            (
                left if left > low_x else low_x,
                top if top > low_y else low_y,
                right if right < high_x else high_x,
                bottom if bottom < high_y else high_y,
            )
        )

    def inset(self, x: int, y: int | None = None) -> PixelBox:
        """The box without a margin of x px at the left and right and y px (default x) at top and bottom."""
        y = x if y is None else y
        return PixelBox(self.left + x, self.top + y, self.right - x, self.bottom - y)

    def middle(self, width: int, height: int) -> PixelBox:
        """A box of the given size, px, with the same centre."""
        left, top = self.left + (self.width - width) // 2, self.top + (self.height - height) // 2
        return PixelBox(left, top, left + width, top + height)


@dataclass(frozen=True, slots=True)
class ActionRef:
    """Reference to an action: a handler's name and arguments. Names with "android." are the system's."""

    name: str
    arguments: tuple[tuple[str, ActionValue], ...] = ()


def action_ref(name: str, /, **arguments: ActionValue) -> ActionRef:
    """Reference the action `name` with arguments.

    >>> action_ref("play", song="晴天")
    ActionRef(name='play', arguments=(('song', '晴天'),))
    """
    return ActionRef(name, tuple(arguments.items()))


@_record
class Fill:
    """A filled rectangle with corners of `radius` px; with `to` a gradient from top to bottom."""

    box: PixelBox
    color: str
    radius: int = 0
    to: str | None = None


@_record
class Words:
    """Text inside a box, centred in its height, cut with an ellipsis to its width and `lines`; size in px."""

    box: PixelBox
    text: str
    size: int
    color: str
    align: str = "left"
    bold: bool = False
    lines: int = 1


@_record
class Glyph:
    """An icon: a name in `icons.GLYPHS`."""

    box: PixelBox
    name: str
    color: str


@_record
class Picture:
    """A generated picture, as `drawn_pictures.picture` draws it, with corners of `radius` px."""

    box: PixelBox
    subject: str
    name: str
    radius: int = 0
    tint: str = ""


Mark: TypeAlias = Fill | Words | Glyph | Picture


@_record
class ScrollArea:
    """Scroll position of a node's content: `offset` px of at most `extent` px, which grows if `endless`."""

    name: str
    offset: int
    extent: int
    endless: bool = False


@_record
class WheelArea:
    """Values of a wheel picker that a vertical swipe turns.

    Args:
        name: The page's argument that has the chosen value.
        values: The values, from top to bottom.
        index: Index of the chosen one.
        row: Height of a row, px.
        wraps: Whether the first value follows the last one.
    """

    name: str
    values: tuple[ActionValue, ...]
    index: int
    row: int
    wraps: bool

    def rows(self, travel: int) -> int:
        """The number of rows that a travel, px, turns: the nearest one, exactly half a row turns back.

        >>> wheel = WheelArea(name="hour", values=tuple(range(24)), index=23, row=60, wraps=True)
        >>> [wheel.rows(travel) for travel in (30, 31, 90, 91, -31)]
        [0, 1, 1, 2, -1]
        >>> wheel.turned(2)
        1
        """
        whole, rest = divmod(abs(travel), self.row)
        return (whole + (2 * rest > self.row)) * (1 if travel > 0 else -1)

    def turned(self, rows: int) -> int:
        """The index of the chosen value after that many rows; negative ones turn to earlier values."""
        return self.moved(self.index, rows)

    def moved(self, index: int, rows: int) -> int:
        """The index that many rows after another one."""
        count = len(self.values)
        return (index + rows) % count if self.wraps else min(count - 1, max(0, index + rows))

    def action(self, index: int) -> ActionRef:
        """The action that chooses the value with an index."""
        return action_ref("turn", wheel=self.name, value=self.values[index])


@_record
class TextEntry:
    """Text field of a node: its name on the page, the Enter key's action and the Enter key's label.

    With `replaces` a touch selects the text, so that what is typed takes its place; it is the action that
    keeps what was typed before.
    """

    name: str
    submit: ActionRef | None = None
    enter: str = ""
    replaces: ActionRef | None = None


@_record
class Node:
    """Placed element: box, accessibility attributes, actions and drawn marks; children lie above it.

    `turns` says that a swipe to the side shows another page in its place. `hidden` nodes are out of sight;
    their boxes may be empty or inverted, and the tree has them as they are.
    """

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
    wheel: WheelArea | None = None
    turns: bool = False
    checkable: bool = False
    checked: bool = False
    selected: bool = False
    focused: bool = False
    enabled: bool = True
    password: bool = False
    hidden: bool = False
    marks: tuple[Mark, ...] = ()
    children: tuple[Node, ...] = ()
    tree_text: tuple[object, str] | None = field(default=None, init=False, compare=False, repr=False)
    """What `write_tree` wrote for this node last, and for which arguments; a node never changes."""
    pieces: tuple[object, object] | None = field(default=None, init=False, compare=False, repr=False)
    """What `display_list` made of this node last, and for which arguments."""

    @property
    def clickable(self) -> bool:
        """Whether a tap has an effect."""
        return self.enabled and (self.tap is not None or self.entry is not None)

    def walk(self) -> Iterator[Node]:
        """This node and its descendants, parents first."""
        yield self
        for child in self.children:
            yield from child.walk()

    def label(self) -> str:
        """Text or description of the node, else the first among its descendants; "" if there is none."""
        for node in self.walk():
            if node.text or node.description:
                return node.text or node.description
        return ""
