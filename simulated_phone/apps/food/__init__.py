"""Food delivery: shops by kind, search, ordering, and orders."""

from __future__ import annotations

from simulated_phone.app_definition import App, Shortcut
from simulated_phone.apps.food.data import PACKAGE, initial
from simulated_phone.apps.food.goals import GOALS
from simulated_phone.apps.food.ordering import ACCENT
from simulated_phone.apps.food.pages import HANDLERS, PAGES
from simulated_phone.screens.nodes import action_ref

FOOD = App(
    package=PACKAGE,
    activity=".MainActivity",
    label="外卖",
    english="Food",
    glyph="food",
    color=ACCENT,
    initial=initial,
    home="home",
    pages=PAGES,
    handlers=HANDLERS,
    shortcuts=(
        Shortcut(text="搜美食", glyph="search", tap=action_ref("open_search")),
        Shortcut(text="我的订单", glyph="list", tap=action_ref("tab", page="orders")),
    ),
    goals=GOALS,
    position=4,
    hours=(11, 12, 17, 18),
)
