"""Maps: places by kind, search, routes, navigation, and saved places."""

from __future__ import annotations

from simulated_phone.app_definition import App, Shortcut
from simulated_phone.apps.maps.data import PACKAGE, initial
from simulated_phone.apps.maps.goals import GOALS
from simulated_phone.apps.maps.pages import ACCENT, HANDLERS, PAGES
from simulated_phone.screens.nodes import action_ref

MAPS = App(
    package=PACKAGE,
    activity=".MapActivity",
    label="地图",
    english="Maps",
    glyph="map",
    color=ACCENT,
    initial=initial,
    home="home",
    pages=PAGES,
    handlers=HANDLERS,
    shortcuts=(
        Shortcut(text="搜地点", glyph="search", tap=action_ref("open_search")),
        Shortcut(text="回家", glyph="home", tap=action_ref("to_known", where="家")),
        Shortcut(text="去公司", glyph="shop", tap=action_ref("to_known", where="公司")),
    ),
    goals=GOALS,
    position=12,
    hours=(8, 10, 18, 19),
)
