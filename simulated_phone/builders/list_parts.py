"""Lists: cards of rows, rows to choose from, choices as pills, and a body with nothing in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from simulated_phone.screens.layout import Card
from simulated_phone.screens.lists import Chips, ListRow
from simulated_phone.screens.nodes import ActionRef, ActionValue
from simulated_phone.screens.theme import FAINT, GREY
from simulated_phone.screens.widgets import CheckMark, Icon, Space, Text, Widget

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


def empty(words: str, *, space: float = 80, glyph: str = "") -> list[Widget]:
    """Body of a page without content: words in the middle, under a large pale icon if one is given."""
    icon = [Icon(glyph, size=60, color=FAINT, room=90)] if glyph else []
    return [Space(space), *icon, Text(words, color=GREY, align="center")]


def with_values(values: Iterable[str] | Mapping[str, str]) -> Mapping[str, str]:
    """The values by their words; without a mapping each word is its own value."""
    return values if isinstance(values, Mapping) else {value: value for value in values}


def picks(
    key: str, values: Iterable[str] | Mapping[str, str], chosen: ActionValue, *, pad: float = 16
) -> Chips:
    """Pills of which one is chosen; a tap changes the page's argument `key`."""
    items = [(words, change(**{key: value}), value == chosen) for words, value in with_values(values).items()]
    return Chips(items, pad=pad)


def suggestions(names: Iterable[str], tap: Callable[[str], ActionRef]) -> Chips:
    """Pills that each do something: searches of others, popular places, searches made before."""
    return Chips([(name, tap(name), False) for name in names])
