"""Shopping: products by category, search, cart, and orders."""

from __future__ import annotations

from simulated_phone.app_definition import App, Shortcut
from simulated_phone.apps.shopping.data import PACKAGE, initial
from simulated_phone.apps.shopping.goals import GOALS
from simulated_phone.apps.shopping.pages import ACCENT, HANDLERS, PAGES
from simulated_phone.screens.nodes import action_ref

SHOPPING = App(
    package=PACKAGE,
    activity=".MainActivity",
    label="购物",
    english="Shopping",
    glyph="bag",
    color=ACCENT,
    initial=initial,
    home="home",
    pages=PAGES,
    handlers=HANDLERS,
    shortcuts=(
        Shortcut(text="搜商品", glyph="search", tap=action_ref("open_search")),
        Shortcut(text="购物车", glyph="cart", tap=action_ref("tab", page="cart")),
        Shortcut(text="我的订单", glyph="list", tap=action_ref("go", page="orders")),
    ),
    goals=GOALS,
    position=5,
    hours=(13, 20, 21),
)
