"""The reader: a shelf, a book shop, chapters, and how pages look."""

from __future__ import annotations

from simulated_phone.app_definition import App, Shortcut
from simulated_phone.apps.reader.data import PACKAGE, initial
from simulated_phone.apps.reader.goals import GOALS
from simulated_phone.apps.reader.pages import HANDLERS, PAGES
from simulated_phone.screens.nodes import action_ref

READER = App(
    package=PACKAGE,
    activity=".MainActivity",
    label="阅读",
    english="Reader",
    glyph="book",
    color="#b5651d",
    initial=initial,
    home="home",
    pages=PAGES,
    handlers=HANDLERS,
    shortcuts=(
        Shortcut(text="搜索图书", glyph="search", tap=action_ref("search")),
        Shortcut(text="阅读设置", glyph="gear", tap=action_ref("go", page="settings")),
    ),
    goals=GOALS,
    position=9,
    hours=(8, 13, 22),
)
