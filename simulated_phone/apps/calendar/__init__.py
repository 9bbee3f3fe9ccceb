"""The calendar: months, days, an agenda, and events."""

from __future__ import annotations

from simulated_phone.app_definition import App, Shortcut
from simulated_phone.apps.calendar.data import PACKAGE, initial
from simulated_phone.apps.calendar.goals import GOALS
from simulated_phone.apps.calendar.pages import HANDLERS, PAGES, home_widget
from simulated_phone.screens.nodes import action_ref

CALENDAR = App(
    package=PACKAGE,
    activity=".AllInOneActivity",
    label="日历",
    english="Calendar",
    glyph="calendar",
    color="#d9453c",
    initial=initial,
    home="month",
    pages=PAGES,
    handlers=HANDLERS,
    shortcuts=(
        Shortcut(text="新建日程", glyph="add", tap=action_ref("edit")),
        Shortcut(text="查看日程", glyph="list", tap=action_ref("tab", page="agenda")),
    ),
    widget=home_widget,
    goals=GOALS,
    position=6,
    hours=(9, 10, 14, 20),
)
