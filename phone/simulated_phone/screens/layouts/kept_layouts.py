"""Layouts of the pages shown last, so that a page that is shown again is laid out only where it differs."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from simulated_phone.language.language import spoken
from simulated_phone.screens.nodes import Node, PixelBox
from simulated_phone.screens.theme import KeptRows, Theme

MOST_PAGES = 12
MOST_SHARED, MOST_THEMES = 512, 4
"""Most pages that all phones of a process share, and most layouts of each: for offsets and typed text."""


@dataclass(slots=True)
class KeptPage:
    """A page as it was laid out.

    Attributes:
        surface: What was laid out.
        room: The box that it was laid out in.
        theme: The theme, with copies of what typing and scrolling change.
        root: The laid-out page.
        rows: List name -> its rows.
    """

    surface: object
    room: PixelBox
    theme: Theme
    root: Node
    rows: dict[str, KeptRows] = field(default_factory=dict)


@lru_cache(maxsize=MOST_SHARED)
def _shared(surface: int, room: PixelBox, locale: str) -> list[KeptPage]:
    """The layouts of one surface, known by its id: they hold it, so that no other one gets that id."""
    return []


def forget_layouts() -> None:
    """Drop the layouts that phones share."""
    _shared.cache_clear()


class KeptLayouts:
    """The pages shown last; the least recently shown are dropped."""

    def __init__(self) -> None:
        self._pages: OrderedDict[tuple[str, str], KeptPage] = OrderedDict()

    def find(self, name: tuple[str, str], surface: object, room: PixelBox, theme: Theme) -> Node | None:
        """The root of this very page, if it is the one that was laid out last under this name."""
        page = self._pages.get(name)
        if page is None or page.room != room or page.theme != theme or page.surface != surface:
            # another phone of the process may have laid out this surface: equal seeds share them
            shared = _shared(id(surface), room, spoken())
            same = (kept.root for kept in shared if kept.surface is surface and kept.theme == theme)
            return next(same, None)
        self._pages.move_to_end(name)
        return page.root

    def prepare(self, name: tuple[str, str], theme: Theme) -> Theme:
        """The theme to lay a page out with, which holds the rows that may be used again."""
        page = self._pages.get(name)
        rows = {}
        # rows depend on the theme and on their own list's offset, which their layout already includes;
        # the offset of another list may move them
        if page is not None and replace(page.theme, scroll=theme.scroll) == theme:
            rows = {
                part: kept
                for part, kept in page.rows.items()
                if _remove_part(page.theme.scroll, part) == _remove_part(theme.scroll, part)
            }
        return replace(theme, kept_rows=rows, new_rows={})

    def keep(self, name: tuple[str, str], surface: object, room: PixelBox, theme: Theme, root: Node) -> None:
        """Keep a page that was laid out with a theme of `prepare`."""
        # typing and scrolling change these mappings in place, and the kept page has to stay what it was
        plain = replace(
            theme, fields=dict(theme.fields), scroll=dict(theme.scroll), kept_rows={}, new_rows=None
        )
        page = self._pages[name] = KeptPage(surface, room, plain, root, theme.new_rows or {})
        shared = _shared(id(surface), room, spoken())
        shared.append(page)
        del shared[:-MOST_THEMES]
        self._pages.move_to_end(name)
        if len(self._pages) > MOST_PAGES:
            self._pages.popitem(last=False)


def _remove_part(scroll: object, part: str) -> Sequence[tuple[str, int]]:
    assert isinstance(scroll, dict)  # noqa: S101 - it is the page's own record
    return sorted((name, offset) for name, offset in scroll.items() if name != part)
