"""The clock: alarms, world clock, timer."""

from __future__ import annotations

from simulated_phone.app_definition import App, Shortcut
from simulated_phone.apps.clock.data import PACKAGE, initial
from simulated_phone.apps.clock.goals import GOALS
from simulated_phone.apps.clock.pages import HANDLERS, PAGES, home_widget
from simulated_phone.screens.nodes import action_ref

CLOCK = App(
    package=PACKAGE,
    activity=".DeskClock",
    label="时钟",
    english="Clock",
    glyph="clock",
    color="#3a5bc7",
    initial=initial,
    home="alarms",
    pages=PAGES,
    handlers=HANDLERS,
    shortcuts=(
        Shortcut(text="新建闹钟", glyph="add", tap=action_ref("edit")),
        Shortcut(text="倒计时", glyph="timer", tap=action_ref("tab", page="timer")),
    ),
    widget=home_widget,
    goals=GOALS,
    position=1,
    hours=(6, 13, 21, 22),
)
