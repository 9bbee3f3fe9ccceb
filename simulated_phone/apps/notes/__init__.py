"""Notes: texts and checklists in folders."""

from __future__ import annotations

from simulated_phone.app_definition import App, Shortcut
from simulated_phone.apps.notes.data import PACKAGE, initial
from simulated_phone.apps.notes.goals import GOALS
from simulated_phone.apps.notes.pages import ACCENT, HANDLERS, PAGES, home_widget
from simulated_phone.screens.nodes import action_ref

NOTES = App(
    package=PACKAGE,
    activity=".NotesActivity",
    label="便签",
    english="Notes",
    glyph="note",
    color=ACCENT,
    initial=initial,
    home="home",
    pages=PAGES,
    handlers=HANDLERS,
    shortcuts=(
        Shortcut(text="新建便签", glyph="add", tap=action_ref("write")),
        Shortcut(text="搜索便签", glyph="search", tap=action_ref("open_search")),
    ),
    widget=home_widget,
    goals=GOALS,
    position=10,
    hours=(9, 10, 15, 16),
)
