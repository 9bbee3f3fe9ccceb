"""Ordering food: pages and handlers from a shop's dishes over the basket to the paid order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from simulated_phone.goals.app_definition import PageView, State
from simulated_phone.language.language import counted_messages, messages
from simulated_phone.machine.handler_context import HandlerContext
from simulated_phone.screens.layouts.layout import Card, RowLayout
from simulated_phone.screens.layouts.lists import Cover, Heading, ListRow
from simulated_phone.screens.layouts.widgets import Button, Icon, Space, Text, Widget
from simulated_phone.screens.nodes import action_ref
from simulated_phone.screens.pages import AppPage, Sheet
from simulated_phone.screens.theme import GREY, WHITE

from ...builders import checkout, tables
from ...builders.checkout import money
from ...builders.likes import flipping, heart
from ...builders.list_parts import build_picks, panel
from ...builders.records import named, record
from ...builders.search import OPEN_SEARCH
from ...builders.taps import go
from .data import ACCENT, ADDRESSES, DRINKS, ICES, SUGARS, Shop, shops

_ = messages(__name__)
_n = counted_messages(__name__)


def _find_shop(view: PageView) -> tuple[Shop, list[dict[str, Any]]]:
    """The shop of the shown page, and its basket: dish, options and count per line."""
    shop = named(shops(view.seed), view.arguments["shop"])
    return shop, list_basket(view.state, shop.name)


def _cost(shop: Shop, items: Sequence[Mapping[str, Any]]) -> int:
    return sum(shop.prices[item["dish"]] * item["count"] for item in items)


def list_basket(state: State, shop: str) -> list[dict[str, Any]]:
    """The basket of a shop: dish, options and count per line."""
    found: list[dict[str, Any]] = state["baskets"].get(shop, [])
    return found


def fee_words(shop: Shop) -> str:
    """The fee for delivery."""
    return _("配送费 {money}").format(money=money(shop.fee)) if shop.fee else _("免配送费")


# ---- pages


def _build_shop_page(view: PageView) -> AppPage:
    shop, items = _find_shop(view)
    liked = heart(shop.name in view.state["favorites"], action_ref("favorite", shop=shop.name), color=ACCENT)
    about = ListRow(
        _("评分 {rating} · 约 {minutes} 分钟送达").format(rating=shop.rating, minutes=shop.minutes),
        _("{fee_words} · 距您 {metres} 米").format(fee_words=fee_words(shop), metres=shop.metres),
        leading=Cover(shop.name, room=52, subject="shop"),
    )
    counts = {dish: sum(item["count"] for item in items if item["dish"] == dish) for dish in shop.prices}
    dishes = [_build_dish_row(shop, dish, counts[dish]) for dish in shop.prices]
    return AppPage(
        title=shop.name,
        actions=[Icon("search", _("店内搜索"), OPEN_SEARCH), liked],
        body=[panel(about), Heading(_("全部商品")), panel(*dishes)],
        footer=[_build_basket_bar(shop, items)],
    )


def _build_dish_row(shop: Shop, dish: str, count: int) -> ListRow:
    show, which = go("dish", shop=shop.name, dish=dish), {"shop": shop.name, "dish": dish}
    add = Icon(
        "add",
        _("添加{dish}").format(dish=dish),
        action_ref("add", **which),
        size=18,
        color=WHITE,
        plate=ACCENT,
    )
    trailing: Widget = add
    trail = 48.0
    if shop.kind == DRINKS:
        trailing, trail = Button(_("选规格"), show, room=38, size=13), 76
    elif count:
        less = Icon(
            "minus", _("减少{dish}").format(dish=dish), action_ref("remove", **which), size=16, color=ACCENT
        )
        parts = [less, Text(str(count), align="center"), add]
        trailing, trail = RowLayout(parts, [40, 20, 48], gap=0), 108
    words = _("{money} · 月售 {value}").format(
        money=money(shop.prices[dish]), value=100 + sum(map(ord, dish)) % 900
    )
    cover = Cover(dish, room=60, subject="dish")
    return ListRow(dish, words, leading=cover, trailing=trailing, trail=trail, pad=8, tap=show)


def _build_basket_bar(shop: Shop, items: Sequence[Mapping[str, Any]]) -> RowLayout:
    count = sum(item["count"] for item in items)
    words = (
        _n("{count} 件  {money}", count).format(count=count, money=money(_cost(shop, items)))
        if count
        else _("购物车是空的")
    )
    bag = Icon("bag", checkout.CART, go("basket", shop=shop.name), size=22, color=WHITE, plate=ACCENT)
    settle = Button(_("去结算"), go("checkout", shop=shop.name), enabled=count > 0)
    return RowLayout([bag, Text(words, size=16, bold=count > 0), settle], [48, None, 110])


def _build_dish_sheet(view: PageView) -> Sheet:
    (shop, _unused), dish = _find_shop(view), view.arguments["dish"]
    body: list[Widget] = [RowLayout([Cover(dish, room=120, radius=14, subject="dish")], pad=16), Space(6)]
    body.append(ListRow(money(shop.prices[dish]), _("{name} · 现点现做").format(name=shop.name), bold=True))
    if shop.kind == DRINKS:
        for words, key, options in ((_("甜度"), "sugar", SUGARS), (_("温度"), "ice", ICES)):
            body += [Heading(words), build_picks(key, options, view.arguments.get(key, options[0]))]
    return Sheet(title=dish, body=body, footer=[Button(_("加入购物车"), action_ref("add_chosen"))])


def _build_basket_sheet(view: PageView) -> Sheet:
    shop, items = _find_shop(view)
    rows: list[Widget] = []
    for item in items:
        dish, options = item["dish"], item["options"]
        less = action_ref("remove", shop=shop.name, dish=dish)
        more = action_ref("add", shop=shop.name, dish=dish, options=options)
        price = money(shop.prices[dish])
        stepper = checkout.build_counter(dish, item["count"], less, more)
        words = f"{price} · {options}" if options else price
        rows.append(ListRow(dish, words, trailing=stepper, trail=100))
    if not rows:
        rows = [Space(10), Text(_("还没有选商品"), color=GREY, align="center"), Space(10)]
    return Sheet(title=checkout.CART, body=rows)


def _build_checkout_page(view: PageView) -> AppPage:
    (shop, items), label = _find_shop(view), view.state["address"]
    address = ListRow(
        ADDRESSES[label],
        _("送至{label} · 约 {minutes} 分钟").format(label=label, minutes=shop.minutes),
        leading=Icon("location", size=20, color=ACCENT, room=40),
        lead=28,
        trailing="›",
        bold=True,
        tap=go("addresses"),
    )
    lines = [
        checkout.build_item_row(
            item["dish"], item["options"], item["count"], _cost(shop, [item]), room=44, pad=8
        )
        for item in items
    ]
    sums = [
        ListRow(_("配送费"), trailing=money(shop.fee), pad=8),
        ListRow(_("餐具"), trailing=_("按餐量提供"), pad=8),
    ]
    cards = [panel(address), Card([Text(shop.name, bold=True), *lines, *sums], margin=12, gap=0)]
    pay, fen = go("pay", shop=shop.name), _cost(shop, items) + shop.fee
    return checkout.build_order_page(cards, _("合计"), fen, pay, ready=bool(items))


def _build_pay_page(view: PageView) -> AppPage:
    shop, items = _find_shop(view)
    return checkout.build_pay_page(
        view, fen=_cost(shop, items) + shop.fee, payee=_("外卖订单 · {name}").format(name=shop.name)
    )


def _build_paid_page(view: PageView) -> AppPage:
    order = view.state["orders"][0]
    return checkout.build_paid_page(
        fen=order["total"], payee=_("{shop} 已接单，正在备餐").format(shop=order["shop"])
    )


# ---- handlers of taps


def add(context: HandlerContext, shop: str, dish: str, options: str = "") -> None:
    """Add one of a dish to the shop's basket."""
    items = context.state["baskets"].setdefault(shop, [])
    same = next((item for item in items if (item["dish"], item["options"]) == (dish, options)), None)
    if same is None:
        items.append({"dish": dish, "options": options, "count": 1})
    else:
        same["count"] += 1
    context.fact("dish_added", shop=shop, dish=dish, options=options)


def _add_chosen(context: HandlerContext) -> None:
    shop, dish = context.arguments["shop"], context.arguments["dish"]
    sugar, ice = context.arguments.get("sugar", SUGARS[0]), context.arguments.get("ice", ICES[0])
    drink = named(shops(context.seed), shop).kind == DRINKS
    context.back()
    add(context, shop, dish, _("{sugar}、{ice}").format(sugar=sugar, ice=ice) if drink else "")
    context.toast(checkout.ADDED)


def _remove(context: HandlerContext, shop: str, dish: str) -> None:
    items = list_basket(context.state, shop)
    item = next(item for item in reversed(items) if item["dish"] == dish)
    item["count"] -= 1
    if not item["count"]:
        items.remove(item)
    context.fact("dish_removed", shop=shop, dish=dish)


def _pay(context: HandlerContext) -> None:
    shop = named(shops(context.seed), context.arguments["shop"])
    items = context.state["baskets"].pop(shop.name)
    total = _cost(shop, items) + shop.fee
    context.fact("order_paid", shop=shop.name, total=total)
    address = context.state["address"]
    checkout.place_order(context, shop=shop.name, items=items, address=address, total=total)


def _done(context: HandlerContext) -> None:
    context.root("orders")


def again(context: HandlerContext, order: int) -> None:
    """Put an earlier order into the basket and open its checkout."""
    old = record(context.state["orders"], order)
    context.state["baskets"][old["shop"]] = [dict(item) for item in old["items"]]
    context.fact("reorder_begun", shop=old["shop"])
    context.go("checkout", shop=old["shop"])


favorite = flipping("favorites", "shop", "favorite_changed")
PAGES = tables.pages_of(__name__)
HANDLERS = {**tables.handlers(add, _add_chosen, _remove, _pay, _done, again), "favorite": favorite}
