"""The food app: its pages, except those for ordering, the handlers of their taps, and the app."""

from __future__ import annotations

import re
from collections.abc import Sequence

from simulated_phone.goals.app_definition import App, PageView, Shortcut, choose
from simulated_phone.language.language import counted_messages, messages
from simulated_phone.machine.handler_context import HandlerContext
from simulated_phone.screens.layouts.layout import Card, RowLayout
from simulated_phone.screens.layouts.lists import Banner, Cover, Heading, ListRow
from simulated_phone.screens.layouts.widgets import Button, Icon, Space, Text, Widget
from simulated_phone.screens.nodes import ActionRef, action_ref
from simulated_phone.screens.pages import AppPage
from simulated_phone.screens.theme import GREY

from ... import voice
from ...builders import dialogs, tables
from ...builders.account import build_member_page
from ...builders.checkout import money
from ...builders.list_parts import empty, panel, radio_row, suggestions
from ...builders.records import named
from ...builders.search import OPEN_SEARCH, search_page, wide_pill
from ...builders.shop_front import build_kind_grid, build_saved_page
from ...builders.tabs import bottom_tabs
from ...builders.taps import go, tab
from . import data, ordering
from .data import ACCENT, ADDRESSES, DRINKS, ICES, KINDS, SUGARS, Shop, shops
from .goals import GOALS

_ = messages(__name__)
_n = counted_messages(__name__)

TABS = bottom_tabs(("home", _("首页"), "home"), ("orders", _("订单"), "list"), ("mine", _("我的"), "person"))


def _kind(kind: str) -> ActionRef:
    return go("kind", kind=kind)


# ---- pages


def _build_home_page(view: PageView) -> AppPage:
    label = view.state["address"]
    pin = Icon("location", size=18, color=ACCENT, room=36)
    where = ListRow(f"{label} · {ADDRESSES[label]}", leading=pin, lead=20, trailing=_("切换›"))
    parts = [Space(1), Text(_("送至", "heading"), size=13, color=GREY), where]
    to = RowLayout(parts, [8, 30, None], gap=0, tap=go("addresses"))
    offers = [(shop.name, action_ref("visit_shop", shop=shop.name)) for shop in shops(view.seed)[:3]]
    banner = Banner(offers, "dish", view.minute.minute, pad=12)
    kinds = Card([build_kind_grid(KINDS, _kind)], pad=8, margin=12)
    return AppPage(
        header=[to, wide_pill(data.SEARCH, ACCENT), Space(6)],
        body=[banner, kinds, Heading(_("附近商家")), *map(_build_shop_card, shops(view.seed))],
        gap=8,
        tabs=TABS("home"),
    )


def _build_shop_card(shop: Shop) -> Card:
    way = _("{minutes} 分钟 · {metres:.1f} km · {fee_words}").format(
        minutes=shop.minutes, metres=shop.metres / 1000, fee_words=ordering.fee_words(shop)
    )
    row = ListRow(
        shop.name,
        _("评分 {rating} · {kind}\n{way}").format(rating=shop.rating, kind=shop.kind, way=way),
        leading=Cover(shop.name, room=64, radius=10, subject="shop"),
        lines=2,
        bold=True,
        pad=8,
        tap=action_ref("visit_shop", shop=shop.name),
    )
    return panel(row)


def _build_kind_page(view: PageView) -> AppPage:
    kind = view.arguments["kind"]
    cards = [_build_shop_card(shop) for shop in shops(view.seed) if shop.kind == kind]
    return AppPage(title=kind, body=[Space(4), *cards], gap=8)


def _find(view: PageView, word: str) -> Sequence[Widget]:
    near = shops(view.seed)
    dishes = [(shop, dish) for shop in near for dish in shop.prices if word in dish]
    return [
        *(_build_shop_card(shop) for shop in near if word in shop.name),
        *(panel(_find_dish(shop, dish)) for shop, dish in dishes),
    ]


def _find_dish(shop: Shop, dish: str) -> ListRow:
    visit, price = action_ref("visit_shop", shop=shop.name, dish=dish), money(shop.prices[dish])
    return ListRow(dish, shop.name, leading=Cover(dish, room=44, subject="dish"), trailing=price, tap=visit)


def _build_orders_page(view: PageView) -> AppPage:
    cards = []
    for order in view.state["orders"]:
        row = ListRow(
            order["shop"],
            _("、").join(f"{item['dish']}×{item['count']}" for item in order["items"]),
            leading=Cover(order["shop"], subject="shop"),
            trailing=money(order["total"]),
            bold=True,
            pad=0,
            tap=action_ref("visit_shop", shop=order["shop"]),
        )
        status = Text(_("已送达") if order["id"] <= data.OLD_ORDERS else _("备餐中"), size=13, color=GREY)
        again = Button(
            _("再来一单"), action_ref("again", order=order["id"]), style="outline", room=40, size=14
        )
        cards.append(Card([row, RowLayout([status, again], [None, 110])], margin=12))
    return AppPage(title=_("我的订单"), back=False, body=[Space(2), *cards], gap=10, tabs=TABS("orders"))


def _build_mine_page(view: PageView) -> AppPage:
    count = len(view.state["favorites"])
    rows = [
        ListRow(_("收货地址"), trailing=f"{view.state['address']}›", tap=go("addresses")),
        ListRow(_("我的收藏"), trailing=_n("{count} 家›", count).format(count=count), tap=go("favorites")),
        ListRow(_("红包卡券"), trailing=_("暂无可用")),
        ListRow(_("客服中心"), trailing="9:00-22:00"),
    ]
    return build_member_page(_("美食家"), _("美食家"), rows, TABS("mine"))


def _build_favorites_page(view: PageView) -> AppPage:
    cards = [_build_shop_card(named(shops(view.seed), name)) for name in view.state["favorites"]]
    return build_saved_page(_("我的收藏"), cards, space=80)


def _build_addresses_page(view: PageView) -> AppPage:
    now = view.state["address"]
    rows = [
        radio_row(label, detail, on=label == now, tap=action_ref("choose_address", label=label), trail=36)
        for label, detail in ADDRESSES.items()
    ]
    return AppPage(title=_("选择收货地址"), body=[Space(6), panel(*rows)])


# ---- handlers of taps

_choose_address = dialogs.choosing("address", "label", "address_changed", closes="addresses")


def _visit_shop(context: HandlerContext, shop: str, dish: str = "") -> None:
    context.unfocus()
    context.go("shop", shop=shop)
    if dish:
        context.go("dish", shop=shop, dish=dish)


def _understand(context: HandlerContext, phrase: str) -> bool:
    """Act on a phrase: change the address, favour a shop, order again, or put a dish into the basket."""
    label = choose(phrase, list(ADDRESSES))
    if voice.says(phrase, _("送到", "said")) and label:
        _choose_address(context, label=label)
        context.toast(_("已改为送到{label}").format(label=label))
        return True
    name = voice.find_name(phrase, [shop.name for shop in shops(context.seed)])
    if name is None:
        context.go("search", word=re.sub(_("^[我要来点一份杯个]+"), "", phrase))
        return True
    if voice.says(phrase, _("收藏", "said")):
        if name not in context.state["favorites"]:
            ordering.favorite(context, shop=name)
        return True
    old = next((order["id"] for order in context.state["orders"] if order["shop"] == name), None)
    if voice.says(phrase, _("再来", "said")) and old is not None:
        ordering.again(context, old)
        return True
    shop = named(shops(context.seed), name)
    context.go("shop", shop=name)
    dish = choose(phrase.replace(name, ""), list(shop.prices))
    if dish is not None:
        options = [choose(phrase, group) or group[0] for group in (SUGARS, ICES)]
        ordering.add(context, name, dish, _("、").join(options) if shop.kind == DRINKS else "")
        context.go("checkout", shop=name)
    return True


FOOD = App(
    package=data.PACKAGE,
    label=data.LABEL,
    english="Food",
    glyph="food",
    color=ACCENT,
    initial=data.make_state,
    pages={
        **tables.pages_of(__name__),
        **ordering.PAGES,
        "search": search_page(
            data.SEARCH,
            _find,
            empty(_("没有找到相关商家")),
            lambda view: [Heading(_("大家都在搜")), suggestions(KINDS, _kind)],
            gap=8,
        ),
        "voice": voice.page(_("送到公司"), _("来一份牛肉面"), _("来一杯珍珠奶茶")),
    },
    handlers={
        **tables.handlers(_visit_shop),
        "choose_address": _choose_address,
        **ordering.HANDLERS,
        **voice.handlers(_understand),
    },
    shortcuts=(
        Shortcut(text=_("搜美食"), glyph="search", tap=OPEN_SEARCH),
        Shortcut(text=_("我的订单"), glyph="list", tap=tab("orders")),
    ),
    goals=GOALS,
    position=4,
    hours=(11, 12, 17, 18),
)
