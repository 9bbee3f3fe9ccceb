"""Ordering food: pages and handlers from a shop's dishes over the basket to the paid order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from simulated_phone.app_definition import Handler, PageFunction, PageView, State
from simulated_phone.apps.food.data import ADDRESSES, DRINKS, ICES, SUGARS, Shop, shops
from simulated_phone.handler_context import HandlerContext
from simulated_phone.payment import money, paid_page, pay_page
from simulated_phone.screens.layout import Card, RowLayout
from simulated_phone.screens.lists import Chips, Cover, Heading, ListRow
from simulated_phone.screens.nodes import action_ref
from simulated_phone.screens.pages import AppPage, Sheet
from simulated_phone.screens.theme import GREY, PAPER
from simulated_phone.screens.widgets import Button, Icon, Space, Text, Widget

ACCENT = "#e8720c"


def find_shop(seed: int, name: str) -> Shop:
    """The shop of that name."""
    return next(shop for shop in shops(seed) if shop.name == name)


def _cost(shop: Shop, items: Sequence[Mapping[str, Any]]) -> int:
    return sum(shop.prices[item["dish"]] * item["count"] for item in items)


def basket_of(state: State, shop: str) -> list[dict[str, Any]]:
    """The basket of a shop: dish, options and count per line."""
    found: list[dict[str, Any]] = state["baskets"].get(shop, [])
    return found


# ---- pages


def _shop_page(view: PageView) -> AppPage:
    shop = find_shop(view.seed, view.arguments["shop"])
    items = basket_of(view.state, shop.name)
    liked = shop.name in view.state["favorites"]
    heart = Icon(
        "heart" if liked else "heart_line",
        "取消收藏" if liked else "收藏",
        action_ref("favorite", shop=shop.name),
        color=ACCENT,
    )
    fee = f"配送费 {money(shop.fee)}" if shop.fee else "免配送费"
    about = ListRow(
        f"评分 {shop.rating} · 约 {shop.minutes} 分钟送达",
        f"{fee} · 距您 {shop.metres} 米",
        leading=Cover(shop.name, room=52),
        lead=52,
    )
    counts = {dish: sum(item["count"] for item in items if item["dish"] == dish) for dish in shop.prices}
    dishes = [_dish_row(shop, dish, counts[dish]) for dish in shop.prices]
    return AppPage(
        title=shop.name,
        actions=[Icon("search", "店内搜索", action_ref("open_search")), heart],
        body=[Card([about], pad=2, margin=12), Heading("全部商品"), Card(dishes, pad=2, margin=12, gap=0)],
        footer=[_basket_bar(shop, items)],
    )


def _dish_row(shop: Shop, dish: str, count: int) -> ListRow:
    add = action_ref("add", shop=shop.name, dish=dish)
    trailing: Widget = Icon("add", f"添加{dish}", add, size=18, color=PAPER, plate=ACCENT)
    trail = 48.0
    if shop.kind == DRINKS:
        choose = action_ref("go", page="dish", shop=shop.name, dish=dish)
        trailing, trail = Button("选规格", choose, room=38, size=13), 76
    elif count:
        less = Icon(
            "minus", f"减少{dish}", action_ref("remove", shop=shop.name, dish=dish), size=16, color=ACCENT
        )
        trailing = RowLayout([less, Text(str(count), align="center"), trailing], [40, 20, 48], gap=0)
        trail = 108
    return ListRow(
        dish,
        f"{money(shop.prices[dish])} · 月售 {100 + sum(map(ord, dish)) % 900}",
        leading=Cover(dish, room=60),
        lead=60,
        trailing=trailing,
        trail=trail,
        pad=8,
        tap=action_ref("go", page="dish", shop=shop.name, dish=dish),
    )


def _basket_bar(shop: Shop, items: Sequence[Mapping[str, Any]]) -> RowLayout:
    count = sum(item["count"] for item in items)
    words = f"{count} 件  {money(_cost(shop, items))}" if count else "购物车是空的"
    bag = Icon(
        "bag", "购物车", action_ref("go", page="basket", shop=shop.name), size=22, color=PAPER, plate=ACCENT
    )
    settle = Button("去结算", action_ref("go", page="checkout", shop=shop.name), enabled=count > 0)
    return RowLayout([bag, Text(words, size=16, bold=count > 0), settle], [48, None, 110])


def _dish_sheet(view: PageView) -> Sheet:
    shop, dish = find_shop(view.seed, view.arguments["shop"]), view.arguments["dish"]
    body: list[Widget] = [RowLayout([Cover(dish, room=120, radius=14)], pad=16), Space(6)]
    body.append(ListRow(money(shop.prices[dish]), f"{shop.name} · 现点现做", bold=True))
    if shop.kind == DRINKS:
        for words, key, options in (("甜度", "sugar", SUGARS), ("温度", "ice", ICES)):
            chosen = view.arguments.get(key, options[0])
            chips = [(option, action_ref("set", **{key: option}), option == chosen) for option in options]
            body += [Heading(words), Chips(chips)]
    return Sheet(title=dish, body=body, footer=[Button("加入购物车", action_ref("add_chosen"))])


def _basket_sheet(view: PageView) -> Sheet:
    shop = find_shop(view.seed, view.arguments["shop"])
    rows: list[Widget] = []
    for item in basket_of(view.state, shop.name):
        less = Icon(
            "minus", f"减少{item['dish']}", action_ref("remove", shop=shop.name, dish=item["dish"]), size=16
        )
        more = action_ref("add", shop=shop.name, dish=item["dish"], options=item["options"])
        add = Icon("add", f"增加{item['dish']}", more, size=16)
        stepper = RowLayout([less, Text(str(item["count"]), align="center"), add], [40, 20, 40], gap=0)
        price = money(shop.prices[item["dish"]])
        words = f"{price} · {item['options']}" if item["options"] else price
        rows.append(ListRow(item["dish"], words, trailing=stepper, trail=100))
    if not rows:
        rows = [Space(10), Text("还没有选商品", color=GREY, align="center"), Space(10)]
    return Sheet(title="购物车", body=rows)


def _checkout_page(view: PageView) -> AppPage:
    shop = find_shop(view.seed, view.arguments["shop"])
    items, label = basket_of(view.state, shop.name), view.state["address"]
    pin = Icon("location", size=20, color=ACCENT, room=40)
    address = ListRow(
        dict(ADDRESSES)[label],
        f"送至{label} · 约 {shop.minutes} 分钟",
        leading=pin,
        lead=28,
        trailing="›",
        bold=True,
        tap=action_ref("go", page="addresses"),
    )
    lines = [
        ListRow(
            item["dish"],
            item["options"],
            leading=Cover(item["dish"], room=44),
            lead=44,
            trailing=f"×{item['count']}  {money(shop.prices[item['dish']] * item['count'])}",
            pad=8,
        )
        for item in items
    ]
    sums = [ListRow("配送费", trailing=money(shop.fee), pad=8), ListRow("餐具", trailing="按餐量提供", pad=8)]
    total = Text(f"合计 {money(_cost(shop, items) + shop.fee)}", size=18, bold=True)
    submit = Button("提交订单", action_ref("go", page="pay", shop=shop.name), enabled=bool(items))
    return AppPage(
        title="确认订单",
        body=[
            Space(4),
            Card([address], pad=2, margin=12),
            Card([Text(shop.name, bold=True), *lines, *sums], margin=12, gap=0),
        ],
        gap=10,
        footer=[RowLayout([total, submit], [None, 130])],
    )


def _pay_page(view: PageView) -> AppPage:
    shop = find_shop(view.seed, view.arguments["shop"])
    fen = _cost(shop, basket_of(view.state, shop.name)) + shop.fee
    return pay_page(fen=fen, payee=f"外卖订单 · {shop.name}", method=view.arguments.get("method", ""))


def _paid_page(view: PageView) -> AppPage:
    order = view.state["orders"][0]
    return paid_page(fen=order["total"], payee=f"{order['shop']} 已接单，正在备餐")


# ---- handlers of taps


def add_dish(context: HandlerContext, shop: str, dish: str, options: str = "") -> None:
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
    drink = find_shop(context.seed, shop).kind == DRINKS
    context.back()
    add_dish(context, shop, dish, f"{sugar}、{ice}" if drink else "")
    context.toast("已加入购物车")


def _remove(context: HandlerContext, shop: str, dish: str) -> None:
    items = basket_of(context.state, shop)
    item = next(item for item in reversed(items) if item["dish"] == dish)
    item["count"] -= 1
    if not item["count"]:
        items.remove(item)
    context.fact("dish_removed", shop=shop, dish=dish)


def _pay(context: HandlerContext) -> None:
    shop = find_shop(context.seed, context.arguments["shop"])
    items = context.state["baskets"].pop(shop.name)
    order = {
        "id": context.state["next"],
        "shop": shop.name,
        "items": items,
        "address": context.state["address"],
    }
    context.state["next"] += 1
    context.state["orders"].insert(0, {**order, "total": _cost(shop, items) + shop.fee})
    context.fact("order_paid", shop=shop.name, total=_cost(shop, items) + shop.fee)
    context.root("home")
    context.go("paid")


def order_again(context: HandlerContext, order: int) -> None:
    """Put an earlier order into the basket and open its checkout."""
    old = next(known for known in context.state["orders"] if known["id"] == order)
    context.state["baskets"][old["shop"]] = [dict(item) for item in old["items"]]
    context.fact("reorder_begun", shop=old["shop"])
    context.go("checkout", shop=old["shop"])


def favorite(context: HandlerContext, shop: str) -> None:
    """Add the shop to the favourites, or remove it."""
    likes = context.state["favorites"]
    liked = shop not in likes
    (likes.append if liked else likes.remove)(shop)
    context.fact("favorite_changed", shop=shop, on=liked)
    context.toast("收藏成功" if liked else "已取消收藏")


PAGES: Mapping[str, PageFunction] = MappingProxyType(
    {
        "shop": _shop_page,
        "dish": _dish_sheet,
        "basket": _basket_sheet,
        "checkout": _checkout_page,
        "pay": _pay_page,
        "paid": _paid_page,
    }
)
HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {
        "add": add_dish,
        "add_chosen": _add_chosen,
        "remove": _remove,
        "pay": _pay,
        "done": lambda context: context.root("orders"),
        "again": order_again,
        "favorite": favorite,
    }
)
