"""The front of a shop or guide: a search, kinds in a grid, and the page of what the person saved."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from simulated_phone.language.language import messages
from simulated_phone.screens.layouts.layout import Card, GridLayout, RowLayout
from simulated_phone.screens.layouts.lists import Cover, Tab
from simulated_phone.screens.layouts.widgets import Icon, Space, Text, Widget
from simulated_phone.screens.nodes import ActionRef
from simulated_phone.screens.pages import AppPage

from .list_parts import empty
from .search import wide_pill

_ = messages(__name__)

NOTHING_SAVED = _("还没有收藏")


def search_header(hint: str, accent: str) -> list[Widget]:
    """A header with a search and a microphone."""
    return [Space(6), wide_pill(hint, accent), Space(6)]


def build_kind_grid(
    kinds: Iterable[str],
    tap: Callable[[str], ActionRef],
    *,
    columns: int = 4,
    gap: float = 4,
    room: float = 46,
    radius: float = 23,
    size: int = 13,
) -> GridLayout:
    """A grid of kinds, each a round picture over its name."""
    cells: list[Widget] = []
    for kind in kinds:
        picture = Cover(kind, room=room, radius=radius)
        row = RowLayout([Space(1), picture, Space(1)], [None, room, None], gap=0)
        cells.append(Card([row, Text(kind, size=size, align="center")], pad=4, tap=tap(kind)))
    return GridLayout(cells, columns, gap=gap)


def build_service_grid(services: Iterable[tuple[str, str, ActionRef]], color: str, columns: int = 5) -> Card:
    """A card with a grid of what the app can do: words, icon and action of each."""
    cells = [
        Card(
            [Icon(glyph, size=24, color=color, room=34), Text(words, size=13, align="center")], pad=4, tap=tap
        )
        for words, glyph, tap in services
    ]
    return Card([GridLayout(cells, columns, gap=2)], pad=8, margin=12)


def build_saved_page(
    title: str, cards: Sequence[Widget], *, space: float = 90, tabs: Sequence[Tab] = ()
) -> AppPage:
    """Page of what the person saved, as cards; under tabs it has no back arrow."""
    body = [Space(2 if tabs else 4), *cards] if cards else empty(NOTHING_SAVED, space=space)
    return AppPage(title=title, back=not tabs, body=body, gap=8, tabs=tabs)
