"""Lists: cards of rows, rows to choose from, choices as pills, and a body with nothing in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from simulated_phone.screens.layouts.layout import Card, RowLayout
from simulated_phone.screens.layouts.lists import Chips, Cover, ListRow
from simulated_phone.screens.layouts.widgets import CheckMark, Icon, Space, Text, Widget
from simulated_phone.screens.nodes import ActionRef, ActionValue
from simulated_phone.screens.theme import FAINT, GREY

from .taps import change


def panel(*rows: Widget, margin: float = 12, gap: float = 0) -> Card:
    """Rows on a card that is hardly larger than they are."""
    return Card(rows, pad=2, margin=margin, gap=gap)


def menu_row(words: str, glyph: str, tap: ActionRef) -> ListRow:
    """A row with a small icon at its left: a line of a menu."""
    return ListRow(words, leading=Icon(glyph, size=20, room=40), lead=36, tap=tap)


def radio_row(words: str, subtitle: str = "", *, on: bool, tap: ActionRef, trail: float = 32) -> ListRow:
    """A row with a radio button at its right."""
    return ListRow(words, subtitle, trailing=CheckMark(on), trail=trail, tap=tap)


def radio_rows(
    values: Iterable[Any] | Mapping[str, Any], chosen: ActionValue, tap: Callable[[Any], ActionRef]
) -> list[ListRow]:
    """A radio row for each value; a mapping has the values by their words."""
    return [
        radio_row(words, on=value == chosen, tap=tap(value)) for words, value in with_values(values).items()
    ]


def facts(*pairs: tuple[str, str]) -> Card:
    """A card with what is known of something: a name at the left and its value at the right of each row."""
    return panel(*(ListRow(name, trailing=value) for name, value in pairs))


def centred(cover: Cover) -> RowLayout:
    """A picture in the middle of the page."""
    return RowLayout([Space(1), cover, Space(1)], [None, cover.room, None])


def empty(words: str, *, space: float = 80, glyph: str = "") -> list[Widget]:
    """Body of a page without content: words in the middle, under a large pale icon if one is given."""
    icon = [Icon(glyph, size=60, color=FAINT, room=90)] if glyph else []
    return [Space(space), *icon, Text(words, color=GREY, align="center")]


def panel_or_empty(rows: Sequence[Widget], words: str, *, space: float = 4) -> list[Widget]:
    """Body of a page with a card of rows below a space, or without content if there are none."""
    return [Space(space), panel(*rows)] if rows else empty(words)


def with_values(values: Iterable[Any] | Mapping[str, Any]) -> Mapping[str, Any]:
    """The values by their words; without a mapping each word is its own value."""
    return values if isinstance(values, Mapping) else {value: value for value in values}


def build_picks(
    key: str, values: Iterable[str] | Mapping[str, str], chosen: ActionValue, *, pad: float = 16
) -> Chips:
    """Pills of which one is chosen; a tap changes the page's argument `key`."""
    items = [(words, change(**{key: value}), value == chosen) for words, value in with_values(values).items()]
    return Chips(items, pad=pad)


def suggestions(names: Iterable[str], tap: Callable[[str], ActionRef]) -> Chips:
    """Pills that each do something: searches of others, popular places, searches made before."""
    return Chips([(name, tap(name), False) for name in names])
