"""The weather: cities with forecasts, search, provinces, alerts and units."""

from __future__ import annotations

from simulated_phone.app_definition import App, Shortcut
from simulated_phone.apps.weather.data import PACKAGE, initial
from simulated_phone.apps.weather.goals import GOALS
from simulated_phone.apps.weather.pages import HANDLERS, PAGES, home_widget
from simulated_phone.screens.nodes import action_ref

WEATHER = App(
    package=PACKAGE,
    activity=".MainActivity",
    label="天气",
    english="Weather",
    glyph="weather",
    color="#2f80d8",
    initial=initial,
    home="home",
    pages=PAGES,
    handlers=HANDLERS,
    shortcuts=(
        Shortcut(text="城市管理", glyph="list", tap=action_ref("go", page="cities")),
        Shortcut(text="提醒设置", glyph="bell", tap=action_ref("go", page="settings")),
    ),
    widget=home_widget,
    goals=GOALS,
    position=3,
    hours=(7, 8, 20),
)
