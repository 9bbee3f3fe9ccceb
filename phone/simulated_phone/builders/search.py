"""Search: the pill that opens it, the bar with its field, and the page with what was found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from simulated_phone.goals.app_definition import PageFunction, PageView
from simulated_phone.language.language import messages
from simulated_phone.screens.layouts.layout import Card, RowLayout
from simulated_phone.screens.layouts.lists import ListRow, SearchBar
from simulated_phone.screens.layouts.widgets import Field, Icon, Space, Widget
from simulated_phone.screens.nodes import ActionRef
from simulated_phone.screens.pages import AppPage
from simulated_phone.screens.theme import BACKGROUND, FIELD, GREY, PAPER

from .. import voice
from .taps import write

_ = messages(__name__)

SEARCH, LISTEN = _("搜索"), _("语音")
OPEN_SEARCH = write("search", "query")
"""Opens the page "search" with the keyboard on its field."""
MICROPHONE = Icon("mic", LISTEN, voice.LISTEN)
"""Opens the app's voice input."""

Found: TypeAlias = Callable[[PageView, str], Sequence[Widget]]
"""What a search shows for a typed word."""


def search_pill(
    hint: str,
    tap: ActionRef = OPEN_SEARCH,
    *,
    size: int = 15,
    pad: float = 8,
    lead: float = 20,
    room: float = 28,
    color: str = FIELD,
    radius: float = 26,
    margin: float = 0,
    description: str = "",
) -> Card:
    """A card that looks like a search field and opens the search."""
    lens = Icon("search", size=18, color=GREY, room=room)
    row = ListRow(hint, leading=lens, lead=lead, color=GREY, size=size, pad=pad)
    return Card([row], color=color, pad=0, radius=radius, margin=margin, tap=tap, description=description)


def small_pill(hint: str, color: str = FIELD) -> RowLayout:
    """Header with a low pill and a microphone."""
    pill = search_pill(hint, size=14, pad=6, room=26, color=color, radius=22, description=hint)
    return RowLayout([pill, MICROPHONE], [None, 48], pad=12)


def wide_pill(hint: str, accent: str) -> RowLayout:
    """Header with a high pill and a microphone in the app's colour."""
    microphone = Icon("mic", LISTEN, voice.LISTEN, color=accent)
    return RowLayout([search_pill(hint), microphone], [None, 48], pad=12)


def search_bar(
    hint: str, *, field: str = "query", start: str = "", submit: ActionRef | None = None, mic: bool = True
) -> SearchBar:
    """A search field, with a microphone if the app listens here."""
    entry = Field(field, hint, glyph="search", enter=SEARCH, start=start, submit=submit)
    return SearchBar(entry, voice.LISTEN if mic else None)


def search_page(
    hint: str,
    found: Found,
    nothing: Sequence[Widget],
    idle: Callable[[PageView], Sequence[Widget]] | None = None,
    *,
    title: str = SEARCH,
    field: str = "query",
    submit: ActionRef | None = None,
    mic: bool = True,
    gap: float = 0,
) -> PageFunction:
    """A page with a search field and what it finds.

    Args:
        hint: Hint of the field.
        found: Widgets for the typed word, or for the page's argument `word` while nothing was typed.
        nothing: Body when `found` returns none.
        idle: Body while there is no word; without it all that the empty word finds.
        title: Title of the page.
        field: Name of the field.
        submit: Action of the Enter key.
        mic: Whether there is a microphone in the search bar.
        gap: Space between results that are cards, dp; 0 for rows on paper.
    """

    def build_search(view: PageView) -> AppPage:
        start = str(view.arguments.get("word", ""))
        word = view.fields.get(field, start).strip()
        body = idle(view) if idle and not word else found(view, word) or nothing
        bar = search_bar(hint, field=field, start=start, submit=submit, mic=mic)
        return AppPage(
            title=title,
            header=[bar],
            body=[Space(4), *body] if gap else body,
            gap=gap,
            background=BACKGROUND if gap else PAPER,
        )

    return build_search
