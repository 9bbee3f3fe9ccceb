"""Feeds: lists that do not end. More is drawn as the end comes near, and only what is in sight is kept.

How much of a feed has been drawn stands beside the scroll offset of its list, as `NAME.blocks`; while a row
says that more is loading, `NAME.loading` is when it will be there, simulated ms.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from functools import lru_cache
from typing import TypeAlias

from simulated_phone.language.language import gettext as _
from simulated_phone.language.language import spoken
from simulated_phone.screens.layouts.widgets import LAYOUT, Text, Widget
from simulated_phone.screens.nodes import Node, PixelBox, ScrollArea
from simulated_phone.screens.skin import Skin
from simulated_phone.screens.theme import GREY, Theme

LOADING_MS = 600
"""How long the row at the end of a feed says that more is loading, when somebody has scrolled that far."""
MOST_BLOCKS, MOST_HEIGHTS = 64, 4096
"""Most blocks of which the widgets are kept, and most of which the heights are; others are drawn again."""
_BLOCKS, _LOADING = ".blocks", ".loading"

DrawBlock: TypeAlias = Callable[[int, int], Sequence[Widget]]
"""The widgets of a block by the phone's seed and the block's number, from 0; always the same."""


@dataclass(frozen=True, slots=True)
class FeedBlock(Widget):
    """A number of a feed's rows, one under the other."""

    draw: DrawBlock
    seed: int
    number: int

    def height(self, width: int, theme: Theme) -> int:
        """Sum of the rows' heights."""
        return _measure_height(self, width, theme.density, theme.skin, spoken())

    def place(self, box: PixelBox, theme: Theme) -> Node:
        """Place the rows from the top."""
        nodes, y = [], box.top
        for row in _widgets(self, spoken()):
            below = y + row.height(box.width, theme)
            nodes.append(row.place(PixelBox(box.left, y, box.right, below), theme))
            y = below
        return Node(box=box, kind=LAYOUT, children=tuple(nodes))


@lru_cache(maxsize=MOST_BLOCKS)
def _widgets(block: FeedBlock, locale: str) -> Sequence[Widget]:
    return tuple(block.draw(block.seed, block.number))


@lru_cache(maxsize=MOST_HEIGHTS)
def _measure_height(block: FeedBlock, width: int, density: int, skin: Skin, locale: str) -> int:
    theme = Theme(density=density, skin=skin)
    return sum(row.height(width, theme) for row in _widgets(block, locale))


@dataclass(frozen=True, slots=True)
class LoadingRow(Widget):
    """The row at the end of what a feed has drawn."""

    _: KW_ONLY
    room: float = 56

    def height(self, width: int, theme: Theme) -> int:
        """Height of the block: its `room` in px."""
        return theme.px(self.room)

    def place(self, box: PixelBox, theme: Theme) -> Node:
        """Place the words."""
        return Text(_("加载中…"), size=13, color=GREY, align="center").place(box, theme)


@dataclass(frozen=True, slots=True)
class Feed(Widget):
    """Endless list at the end of a page's body.

    Args:
        draw: Draws a block of rows; a function of a module, so that equal pages are known as such.
        seed: The phone's seed.
    """

    draw: DrawBlock
    seed: int

    def rows(self, blocks: int) -> list[Widget]:
        """The first blocks, and the row that says that more is loading."""
        return [*(FeedBlock(self.draw, self.seed, number) for number in range(blocks)), LoadingRow()]

    def height(self, width: int, theme: Theme) -> int:
        """Height of the first block."""
        return sum(row.height(width, theme) for row in self.rows(1))

    def place(self, box: PixelBox, theme: Theme) -> Node:
        """Place the first block."""
        return self.rows(1)[0].place(box, theme)


def add_feed(name: str, children: Sequence[Widget], theme: Theme) -> Sequence[Widget]:
    """The children of a list, with what has been drawn of the feed at its end, if there is one."""
    if not children or not isinstance(children[-1], Feed):
        return children
    return [*children[:-1], *children[-1].rows(theme.scroll.get(name + _BLOCKS, 1))]


def scroll_at(scroll: Mapping[str, int], now: int) -> Mapping[str, int]:
    """The scroll offsets of a page at a time, with what has been loaded until then.

    >>> scroll_at({"content": 90, "content.loading": 500}, 499)
    {'content': 90}
    >>> scroll_at({"content": 90, "content.loading": 500}, 500)
    {'content': 90, 'content.blocks': 2}
    """
    ends = {key: value for key, value in scroll.items() if key.endswith(_LOADING)}
    if not ends:
        return scroll
    found = {key: value for key, value in scroll.items() if key not in ends}
    for key, end in ends.items():
        if end <= now:
            blocks = key.removesuffix(_LOADING) + _BLOCKS
            found[blocks] = found.get(blocks, 1) + 1
    return found


def loading_until(scroll: Mapping[str, int], now: int) -> list[int]:
    """When what is loading will be there, simulated ms."""
    return [end for key, end in scroll.items() if key.endswith(_LOADING) and end > now]


def draw_on(scroll: dict[str, int], area: ScrollArea, height: int, now: int) -> None:
    """Draw more of a list's feed if its end is near: at once, or after a while if it has been reached.

    Args:
        scroll: The page's offsets, in which the list's is the new one.
        area: The list as it was laid out.
        height: Height of its box, px.
        now: The simulated time, ms.
    """
    left = area.extent - scroll[area.name]
    waits = loading_until(scroll, now)
    loaded = scroll_at(scroll, now)
    if loaded is not scroll:
        scroll.clear()
        scroll.update(loaded)
    if left <= 0:
        scroll[area.name + _LOADING] = waits[0] if waits else now + LOADING_MS
    elif left < height or waits:
        scroll[area.name + _BLOCKS] = scroll.get(area.name + _BLOCKS, 1) + 1
