"""The food app's pages, except those for ordering, and the handlers of their taps."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from simulated_phone import voice
from simulated_phone.app_definition import Handler, PageFunction, PageView, choose
from simulated_phone.apps.food import ordering
from simulated_phone.apps.food.data import ADDRESSES, DRINKS, ICES, KINDS, SEARCH, SUGARS, Shop, shops
from simulated_phone.apps.food.ordering import ACCENT, add_dish, favorite, find_shop, order_again
from simulated_phone.handler_context import HandlerContext
from simulated_phone.payment import money
from simulated_phone.screens.layout import Card, GridLayout, RowLayout
from simulated_phone.screens.lists import Chips, Cover, Heading, ListRow, SearchBar, Tab
from simulated_phone.screens.nodes import action_ref
from simulated_phone.screens.pages import AppPage
from simulated_phone.screens.theme import GREY
from simulated_phone.screens.widgets import Button, CheckMark, Field, Icon, Space, Text, Widget


def _tabs(chosen: str) -> list[Tab]:
    tabs = (("home", "首页", "home"), ("orders", "订单", "list"), ("mine", "我的", "person"))
    return [
        Tab(text=text, glyph=glyph, tap=action_ref("tab", page=page), chosen=page == chosen)
        for page, text, glyph in tabs
    ]


# ---- pages


def _home_page(view: PageView) -> AppPage:
    address = dict(ADDRESSES)[view.state["address"]]
    leading = Icon("location", size=18, color=ACCENT, room=36)
    where = ListRow(
        f"{view.state['address']} · {address}",
        leading=leading,
        lead=20,
        trailing="切换›",
    )
    words = Text("送至", size=13, color=GREY)
    lens = Icon("search", size=18, color=GREY, room=28)
    pill = ListRow(SEARCH, leading=lens, lead=20, color=GREY, size=15, pad=8)
    search = Card([pill], pad=0, radius=26, color="#eceef2", tap=action_ref("open_search"))
    kinds = [_kind_button(kind) for kind in KINDS]
    return AppPage(
        header=[
            RowLayout([Space(1), words, where], [8, 30, None], gap=0, tap=action_ref("go", page="addresses")),
            RowLayout([search, Icon("mic", "语音", voice.LISTEN, color=ACCENT)], [None, 48], pad=12),
            Space(6),
        ],
        body=[
            Card([GridLayout(kinds, 4, gap=4)], pad=8, margin=12),
            Heading("附近商家"),
            *(_shop_card(shop) for shop in shops(view.seed)),
        ],
        gap=8,
        tabs=_tabs("home"),
    )


def _kind_button(kind: str) -> Card:
    cover = RowLayout([Space(1), Cover(kind, room=46, radius=23), Space(1)], [None, 46, None], gap=0)
    return Card(
        [cover, Text(kind, size=13, align="center")], pad=4, tap=action_ref("go", page="kind", kind=kind)
    )


def _shop_card(shop: Shop) -> Card:
    fee = f"配送费 {money(shop.fee)}" if shop.fee else "免配送费"
    row = ListRow(
        shop.name,
        f"评分 {shop.rating} · {shop.kind}\n{shop.minutes} 分钟 · {shop.metres / 1000:.1f} km · {fee}",
        leading=Cover(shop.name, room=64, radius=10),
        lead=64,
        lines=2,
        bold=True,
        pad=8,
        tap=action_ref("visit", shop=shop.name),
    )
    return Card([row], pad=2, margin=12)


def _kind_page(view: PageView) -> AppPage:
    kind = view.arguments["kind"]
    cards = [_shop_card(shop) for shop in shops(view.seed) if shop.kind == kind]
    return AppPage(title=kind, body=[Space(4), *cards], gap=8)


def _search_page(view: PageView) -> AppPage:
    word = view.fields.get("query", view.arguments.get("word", "")).strip()
    found = [shop for shop in shops(view.seed) if word and word in shop.name]
    body: list[Widget] = [_shop_card(shop) for shop in found]
    for shop in shops(view.seed):
        for dish in shop.prices if word else ():
            if word in dish:
                row = ListRow(
                    dish,
                    shop.name,
                    leading=Cover(dish, room=44),
                    lead=44,
                    trailing=money(shop.prices[dish]),
                    tap=action_ref("visit", shop=shop.name, dish=dish),
                )
                body.append(Card([row], pad=2, margin=12))
    if not word:
        kinds = [(kind, action_ref("go", page="kind", kind=kind), False) for kind in KINDS]
        body = [Heading("大家都在搜"), Chips(kinds)]
    elif not body:
        body = [Space(80), Text("没有找到相关商家", color=GREY, align="center")]
    field = Field("query", SEARCH, glyph="search", enter="搜索", start=view.arguments.get("word", ""))
    return AppPage(title="搜索", header=[SearchBar(field, voice.LISTEN)], body=[Space(4), *body], gap=8)


def _orders_page(view: PageView) -> AppPage:
    cards = []
    for order in view.state["orders"]:
        names = "、".join(f"{item['dish']}×{item['count']}" for item in order["items"])
        row = ListRow(
            order["shop"],
            names,
            leading=Cover(order["shop"], room=48),
            trailing=money(order["total"]),
            bold=True,
            pad=0,
            tap=action_ref("visit", shop=order["shop"]),
        )
        status = Text("已送达" if order["id"] <= 3 else "备餐中", size=13, color=GREY)
        again = Button("再来一单", action_ref("again", order=order["id"]), style="outline", room=40, size=14)
        cards.append(Card([row, RowLayout([status, again], [None, 110])], margin=12))
    return AppPage(title="我的订单", back=False, body=[Space(2), *cards], gap=10, tabs=_tabs("orders"))


def _mine_page(view: PageView) -> AppPage:
    likes = view.state["favorites"]
    rows = [
        ListRow("收货地址", trailing=f"{view.state['address']}›", tap=action_ref("go", page="addresses")),
        ListRow("我的收藏", trailing=f"{len(likes)} 家›", tap=action_ref("go", page="favorites")),
        ListRow("红包卡券", trailing="暂无可用"),
        ListRow("客服中心", trailing="9:00-22:00"),
    ]
    surface = Cover("美食家", glyph="person", room=56, radius=28)
    who = ListRow("美食家", "普通会员", leading=surface, lead=56, bold=True)
    body = [Space(2), Card([who], pad=4, margin=12), Card(rows, pad=2, margin=12, gap=0)]
    return AppPage(title="我的", back=False, body=body, gap=10, tabs=_tabs("mine"))


def _favorites_page(view: PageView) -> AppPage:
    cards = [_shop_card(find_shop(view.seed, name)) for name in view.state["favorites"]]
    body: list[Widget] = [Space(4), *cards]
    if not cards:
        body = [Space(80), Text("还没有收藏", color=GREY, align="center")]
    return AppPage(title="我的收藏", body=body, gap=8)


def _addresses_page(view: PageView) -> AppPage:
    rows = [
        ListRow(
            label,
            detail,
            trailing=CheckMark(label == view.state["address"]),
            trail=36,
            tap=action_ref("choose_address", label=label),
        )
        for label, detail in ADDRESSES
    ]
    return AppPage(title="选择收货地址", body=[Space(6), Card(rows, pad=2, margin=12, gap=0)])


# ---- handlers of taps


def _visit(context: HandlerContext, shop: str, dish: str = "") -> None:
    context.unfocus()
    context.go("shop", shop=shop)
    if dish:
        context.go("dish", shop=shop, dish=dish)


def _open_search(context: HandlerContext) -> None:
    context.go("search")
    context.focus("query")


def _choose_address(context: HandlerContext, label: str) -> None:
    context.state["address"] = label
    context.fact("address_changed", label=label)
    context.back()


def _understand(context: HandlerContext, phrase: str) -> bool:
    """Act on a phrase: change the address, favour a shop, order again, or put a dish into the basket."""
    name = choose(phrase, [shop.name for shop in shops(context.seed)])
    label = choose(phrase, [label for label, _ in ADDRESSES])
    if "送到" in phrase and label in dict(ADDRESSES):
        context.state["address"] = label
        context.fact("address_changed", label=label or "")
        context.toast(f"已改为送到{label}")
        return True
    if name is None or name not in phrase:
        context.go("search", word=re.sub("^[我要来点一份杯个]+", "", phrase))
        return True
    if "收藏" in phrase:
        if name not in context.state["favorites"]:
            favorite(context, name)
        return True
    old = next((order["id"] for order in context.state["orders"] if order["shop"] == name), None)
    if "再来" in phrase and old is not None:
        order_again(context, old)
        return True
    shop = find_shop(context.seed, name)
    context.go("shop", shop=name)
    dish = choose(phrase.replace(name, ""), list(shop.prices))
    if dish is not None:
        options = [choose(phrase, group) or group[0] for group in (SUGARS, ICES)]
        add_dish(context, name, dish, "、".join(options) if shop.kind == DRINKS else "")
        context.go("checkout", shop=name)
    return True


PAGES: Mapping[str, PageFunction] = MappingProxyType(
    {
        "home": _home_page,
        "kind": _kind_page,
        "search": _search_page,
        "orders": _orders_page,
        "mine": _mine_page,
        "favorites": _favorites_page,
        "addresses": _addresses_page,
        **ordering.PAGES,
        "voice": voice.page("送到公司", "来一份牛肉面", "来一杯珍珠奶茶"),
    }
)

HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {
        "visit": _visit,
        "open_search": _open_search,
        "choose_address": _choose_address,
        **ordering.HANDLERS,
        **voice.handlers(_understand),
    }
)
