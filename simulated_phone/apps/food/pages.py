"""The food app: its pages, except those for ordering, the handlers of their taps, and the app."""

from __future__ import annotations

import re
from collections.abc import Sequence

from simulated_phone import voice
from simulated_phone.app_definition import App, PageView, Shortcut, choose
from simulated_phone.apps.food import data, ordering
from simulated_phone.apps.food.data import ACCENT, ADDRESSES, DRINKS, ICES, KINDS, SUGARS, Shop, shops
from simulated_phone.apps.food.goals import GOALS
from simulated_phone.builders import tables
from simulated_phone.builders.account import member_page
from simulated_phone.builders.checkout import money
from simulated_phone.builders.list_parts import empty, panel, radio_row, suggestions
from simulated_phone.builders.records import named
from simulated_phone.builders.search import OPEN_SEARCH, search_page, wide_pill
from simulated_phone.builders.shop_front import kind_grid, saved_page
from simulated_phone.builders.tabs import bottom_tabs
from simulated_phone.builders.taps import go, tab
from simulated_phone.handler_context import HandlerContext
from simulated_phone.screens.layout import Card, RowLayout
from simulated_phone.screens.lists import Cover, Heading, ListRow
from simulated_phone.screens.nodes import ActionRef, action_ref
from simulated_phone.screens.pages import AppPage
from simulated_phone.screens.theme import GREY
from simulated_phone.screens.widgets import Button, Icon, Space, Text, Widget

TABS = bottom_tabs(("home", "首页", "home"), ("orders", "订单", "list"), ("mine", "我的", "person"))


def _kind(kind: str) -> ActionRef:
    return go("kind", kind=kind)


# ---- pages


def _home_page(view: PageView) -> AppPage:
    label = view.state["address"]
    pin = Icon("location", size=18, color=ACCENT, room=36)
    where = ListRow(f"{label} · {ADDRESSES[label]}", leading=pin, lead=20, trailing="切换›")
    parts = [Space(1), Text("送至", size=13, color=GREY), where]
    to = RowLayout(parts, [8, 30, None], gap=0, tap=go("addresses"))
    kinds = Card([kind_grid(KINDS, _kind)], pad=8, margin=12)
    return AppPage(
        header=[to, wide_pill(data.SEARCH, ACCENT), Space(6)],
        body=[kinds, Heading("附近商家"), *map(_shop_card, shops(view.seed))],
        gap=8,
        tabs=TABS("home"),
    )


def _shop_card(shop: Shop) -> Card:
    way = f"{shop.minutes} 分钟 · {shop.metres / 1000:.1f} km · {ordering.fee_words(shop)}"
    row = ListRow(
        shop.name,
        f"评分 {shop.rating} · {shop.kind}\n{way}",
        leading=Cover(shop.name, room=64, radius=10),
        lines=2,
        bold=True,
        pad=8,
        tap=action_ref("visit_shop", shop=shop.name),
    )
    return panel(row)


def _kind_page(view: PageView) -> AppPage:
    kind = view.arguments["kind"]
    cards = [_shop_card(shop) for shop in shops(view.seed) if shop.kind == kind]
    return AppPage(title=kind, body=[Space(4), *cards], gap=8)


def _found(view: PageView, word: str) -> Sequence[Widget]:
    near = shops(view.seed)
    dishes = [(shop, dish) for shop in near for dish in shop.prices if word in dish]
    return [
        *(_shop_card(shop) for shop in near if word in shop.name),
        *(panel(_found_dish(shop, dish)) for shop, dish in dishes),
    ]


def _found_dish(shop: Shop, dish: str) -> ListRow:
    visit, price = action_ref("visit_shop", shop=shop.name, dish=dish), money(shop.prices[dish])
    return ListRow(dish, shop.name, leading=Cover(dish, room=44), trailing=price, tap=visit)


def _orders_page(view: PageView) -> AppPage:
    cards = []
    for order in view.state["orders"]:
        row = ListRow(
            order["shop"],
            "、".join(f"{item['dish']}×{item['count']}" for item in order["items"]),
            leading=Cover(order["shop"]),
            trailing=money(order["total"]),
            bold=True,
            pad=0,
            tap=action_ref("visit_shop", shop=order["shop"]),
        )
        status = Text("已送达" if order["id"] <= data.OLD_ORDERS else "备餐中", size=13, color=GREY)
        again = Button("再来一单", action_ref("again", order=order["id"]), style="outline", room=40, size=14)
        cards.append(Card([row, RowLayout([status, again], [None, 110])], margin=12))
    return AppPage(title="我的订单", back=False, body=[Space(2), *cards], gap=10, tabs=TABS("orders"))


def _mine_page(view: PageView) -> AppPage:
    rows = [
        ListRow("收货地址", trailing=f"{view.state['address']}›", tap=go("addresses")),
        ListRow("我的收藏", trailing=f"{len(view.state['favorites'])} 家›", tap=go("favorites")),
        ListRow("红包卡券", trailing="暂无可用"),
        ListRow("客服中心", trailing="9:00-22:00"),
    ]
    return member_page("美食家", "美食家", rows, TABS("mine"))


def _favorites_page(view: PageView) -> AppPage:
    cards = [_shop_card(named(shops(view.seed), name)) for name in view.state["favorites"]]
    return saved_page("我的收藏", cards, space=80)


def _addresses_page(view: PageView) -> AppPage:
    now = view.state["address"]
    rows = [
        radio_row(label, detail, on=label == now, tap=action_ref("choose_address", label=label), trail=36)
        for label, detail in ADDRESSES.items()
    ]
    return AppPage(title="选择收货地址", body=[Space(6), panel(*rows)])


# ---- handlers of taps


def _visit_shop(context: HandlerContext, shop: str, dish: str = "") -> None:
    context.unfocus()
    context.go("shop", shop=shop)
    if dish:
        context.go("dish", shop=shop, dish=dish)


def _choose_address(context: HandlerContext, label: str) -> None:
    _set_address(context, label)
    context.back()


def _set_address(context: HandlerContext, label: str) -> None:
    context.state["address"] = label
    context.fact("address_changed", label=label)


def _understand(context: HandlerContext, phrase: str) -> bool:
    """Act on a phrase: change the address, favour a shop, order again, or put a dish into the basket."""
    label = choose(phrase, list(ADDRESSES))
    if "送到" in phrase and label:
        _set_address(context, label)
        context.toast(f"已改为送到{label}")
        return True
    name = voice.named_in(phrase, [shop.name for shop in shops(context.seed)])
    if name is None:
        context.go("search", word=re.sub("^[我要来点一份杯个]+", "", phrase))
        return True
    if "收藏" in phrase:
        if name not in context.state["favorites"]:
            ordering.favorite(context, shop=name)
        return True
    old = next((order["id"] for order in context.state["orders"] if order["shop"] == name), None)
    if "再来" in phrase and old is not None:
        ordering.again(context, old)
        return True
    shop = named(shops(context.seed), name)
    context.go("shop", shop=name)
    dish = choose(phrase.replace(name, ""), list(shop.prices))
    if dish is not None:
        options = [choose(phrase, group) or group[0] for group in (SUGARS, ICES)]
        ordering.add(context, name, dish, "、".join(options) if shop.kind == DRINKS else "")
        context.go("checkout", shop=name)
    return True


FOOD = App(
    package=data.PACKAGE,
    label=data.LABEL,
    english="Food",
    glyph="food",
    color=ACCENT,
    initial=data.initial,
    pages={
        **tables.pages(_home_page, _kind_page, _orders_page, _mine_page, _favorites_page, _addresses_page),
        **ordering.PAGES,
        "search": search_page(
            data.SEARCH,
            _found,
            empty("没有找到相关商家"),
            lambda view: [Heading("大家都在搜"), suggestions(KINDS, _kind)],
            gap=8,
        ),
        "voice": voice.page("送到公司", "来一份牛肉面", "来一杯珍珠奶茶"),
    },
    handlers={
        **tables.handlers(_visit_shop, _choose_address),
        **ordering.HANDLERS,
        **voice.handlers(_understand),
    },
    shortcuts=(
        Shortcut(text="搜美食", glyph="search", tap=OPEN_SEARCH),
        Shortcut(text="我的订单", glyph="list", tap=tab("orders")),
    ),
    goals=GOALS,
    position=4,
    hours=(11, 12, 17, 18),
)
