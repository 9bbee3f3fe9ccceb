"""Ordering in the shop: pages and handlers of cart, checkout, payment and orders."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from simulated_phone.app_definition import Handler, PageFunction, PageView, State
from simulated_phone.apps.shopping.data import PACKING, RECEIVED, WAITING, Product, products
from simulated_phone.handler_context import HandlerContext
from simulated_phone.payment import money, paid_page, pay_page
from simulated_phone.screens.layout import Card, RowLayout
from simulated_phone.screens.lists import Cover, ListRow, Tab, Tabs
from simulated_phone.screens.nodes import ActionRef, action_ref
from simulated_phone.screens.pages import BACK, AppPage, Dialog, Sheet
from simulated_phone.screens.theme import GREY
from simulated_phone.screens.widgets import Button, CheckMark, Icon, Space, Text, Widget

TABS = (("home", "首页", "home"), ("cart", "购物车", "cart"), ("mine", "我的", "person"))
ADDRESS = "翠园小区 6 栋 1203"


def bottom_tabs(chosen: str) -> list[Tab]:
    """The tabs of the app's main pages."""
    return [
        Tab(text=text, glyph=glyph, tap=action_ref("tab", page=page), chosen=page == chosen)
        for page, text, glyph in TABS
    ]


def find_product(seed: int, name: str) -> Product:
    """The product of that name."""
    return next(product for product in products(seed) if product.name == name)


def empty_body(words: str) -> list[Widget]:
    """Body of a page without content."""
    return [Space(90), Text(words, color=GREY, align="center")]


def _cost(seed: int, lines: list[dict[str, Any]]) -> int:
    return sum(find_product(seed, line["product"]).fen * line["count"] for line in lines)


def _lines(state: State, arguments: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Lines of the checkout: the product that the page was opened with, or the chosen lines of the cart."""
    if arguments["product"]:
        return [{"product": arguments["product"], "option": arguments["option"], "count": 1}]
    return [
        {key: line[key] for key in ("product", "option", "count")} for line in state["cart"] if line["chosen"]
    ]


# ---- pages


def _cart_page(view: PageView) -> AppPage:
    managing = view.arguments.get("managing", False)
    cards = [_cart_card(view, line, managing) for line in view.state["cart"]]
    chosen = _lines(view.state, {"product": ""})
    total = Text(f"合计 {money(_cost(view.seed, chosen))}", size=18, bold=True)
    settle = Button("结算", action_ref("settle"), enabled=bool(chosen))
    manage = Icon(
        "check" if managing else "edit",
        "完成管理" if managing else "管理",
        action_ref("set", managing=not managing),
    )
    return AppPage(
        title="购物车",
        back=view.arguments.get("over", False),
        actions=[manage] if cards else [],
        body=[Space(2), *cards] if cards else empty_body("购物车是空的"),
        gap=10,
        footer=[RowLayout([total, settle], [None, 120])],
        tabs=() if view.arguments.get("over", False) else bottom_tabs("cart"),
    )


def _cart_card(view: PageView, line: dict[str, Any], managing: bool) -> Card:
    name = line["product"]
    where = {"product": name, "option": line["option"]}
    check = RowLayout(
        [CheckMark(line["chosen"])],
        tap=action_ref("choose", **where),
        description=f"选择{name}",
        view_id="checkbox",
    )
    less = Icon("minus", f"减少{name}", action_ref("less", **where), size=16)
    more = Icon("add", f"增加{name}", action_ref("more", **where), size=16)
    trailing: Widget = RowLayout([less, Text(str(line["count"]), align="center"), more], [40, 20, 40], gap=0)
    if managing:
        trailing = Button("删除", action_ref("remove", **where), style="danger", room=40, size=14)
    row = ListRow(
        name,
        f"{line['option']}\n{money(find_product(view.seed, name).fen)}",
        leading=Cover(name, room=60),
        lead=60,
        lines=2,
        trailing=trailing,
        trail=76 if managing else 100,
        pad=0,
        tap=action_ref("visit", product=name),
        hold=action_ref("go", page="line", **where),
    )
    return Card([RowLayout([check, row], [36, None])], pad=8, margin=12)


def _line_sheet(view: PageView) -> Sheet:
    where = dict(view.arguments)
    bin_ = Icon("delete", size=20, room=40)
    heart = Icon("heart_line", size=20, room=40)
    rows = [
        ListRow("收藏此商品", leading=heart, lead=36, tap=action_ref("like_line", product=where["product"])),
        ListRow("删除", leading=bin_, lead=36, tap=action_ref("remove_line", **where)),
    ]
    return Sheet(title=where["product"], body=rows)


def _checkout_page(view: PageView) -> AppPage:
    lines = _lines(view.state, view.arguments)
    pin = Icon("location", size=20, room=40)
    rows = [
        ListRow(
            line["product"],
            line["option"],
            leading=Cover(line["product"], room=56),
            lead=56,
            trailing=f"×{line['count']}  {money(_cost(view.seed, [line]))}",
            pad=4,
        )
        for line in lines
    ]
    total = Text(f"应付 {money(_cost(view.seed, lines))}", size=18, bold=True)
    submit = Button("提交订单", _go_pay(view.arguments), enabled=bool(lines))
    return AppPage(
        title="确认订单",
        body=[
            Space(4),
            Card([ListRow("家", ADDRESS, leading=pin, lead=28, bold=True)], pad=2, margin=12),
            Card(rows, margin=12, gap=0),
            Card(
                [ListRow("配送", trailing="免运费", pad=4), ListRow("发票", trailing="不开发票", pad=4)],
                margin=12,
            ),
        ],
        gap=10,
        footer=[RowLayout([total, submit], [None, 130])],
    )


def _go_pay(arguments: Mapping[str, Any]) -> ActionRef:
    return action_ref("go", page="pay", product=arguments["product"], option=arguments["option"])


def _pay_page(view: PageView) -> AppPage:
    fen = _cost(view.seed, _lines(view.state, view.arguments))
    return pay_page(fen=fen, payee="购物订单", method=view.arguments.get("method", ""))


def _paid_page(view: PageView) -> AppPage:
    return paid_page(fen=view.state["orders"][0]["total"], payee="商家正在准备发货")


def _orders_page(view: PageView) -> AppPage:
    status = view.arguments.get("status", "")
    names = (("全部", ""), (PACKING, PACKING), (WAITING, WAITING), (RECEIVED, RECEIVED))
    tabs = [
        Tab(text=text, tap=action_ref("set", status=value), chosen=value == status) for text, value in names
    ]
    orders = [order for order in view.state["orders"] if status in ("", order["status"])]
    cards: list[Widget] = [Space(2), *(_order_card(view, order) for order in orders)]
    body = cards if orders else empty_body("没有订单")
    return AppPage(title="我的订单", header=[Tabs(tabs)], body=body, gap=10)


def _order_card(view: PageView, order: dict[str, Any]) -> Card:
    rows: list[Widget] = [
        ListRow(
            line["product"],
            f"{line['option']} ×{line['count']}",
            leading=Cover(line["product"], room=56),
            lead=56,
            trailing=money(find_product(view.seed, line["product"]).fen),
            pad=0,
            tap=action_ref("visit", product=line["product"]),
        )
        for line in order["lines"]
    ]
    word = Text(order["status"], color=GREY, size=14)
    total = Text(f"共 {money(order['total'])}", size=14, align="right")
    parts: list[Widget] = [word, total]
    if order["status"] == WAITING:
        ask = action_ref("go", page="ask_received", order=order["id"])
        parts.append(Button("确认收货", ask, style="outline", room=40, size=14))
    return Card([*rows, RowLayout(parts, [None, None, 104][: len(parts)])], margin=12)


def _ask_received_dialog(view: PageView) -> Dialog:
    yes = Button("确定", action_ref("receive", order=view.arguments["order"]))
    buttons = [Button("取消", BACK, style="tonal"), yes]
    return Dialog(
        title="确认收货", message="请收到商品并检查后再确认，确认后货款将付给商家。", buttons=buttons
    )


# ---- handlers of taps


def _line(context: HandlerContext, product: str, option: str) -> dict[str, Any]:
    lines: list[dict[str, Any]] = context.state["cart"]
    return next(line for line in lines if (line["product"], line["option"]) == (product, option))


def add_to_cart(context: HandlerContext, product: str, option: str) -> None:
    """Add one of a product to the cart."""
    known = {(line["product"], line["option"]) for line in context.state["cart"]}
    if (product, option) in known:
        _line(context, product, option)["count"] += 1
    else:
        line = {"product": product, "option": option, "count": 1, "chosen": False}
        context.state["cart"].insert(0, line)
    context.fact("added_to_cart", product=product, option=option)
    context.toast("已加入购物车")


def remove(context: HandlerContext, product: str, option: str) -> None:
    """Remove a line from the cart."""
    context.state["cart"].remove(_line(context, product, option))
    context.fact("removed_from_cart", product=product, option=option)
    context.toast("已删除")


def _less(context: HandlerContext, product: str, option: str) -> None:
    line = _line(context, product, option)
    if line["count"] == 1:
        remove(context, product, option)
    else:
        line["count"] -= 1


def _more(context: HandlerContext, product: str, option: str) -> None:
    _line(context, product, option)["count"] += 1


def _choose(context: HandlerContext, product: str, option: str) -> None:
    line = _line(context, product, option)
    line["chosen"] = not line["chosen"]
    context.fact("cart_line_chosen", product=product, on=line["chosen"])


def _remove_line(context: HandlerContext, product: str, option: str) -> None:
    context.back()
    remove(context, product, option)


def _settle(context: HandlerContext) -> None:
    context.fact("checkout_begun", product="")
    context.go("checkout", product="", option="")


def _pay(context: HandlerContext) -> None:
    lines = _lines(context.state, context.arguments)
    order = {
        "id": context.state["next"],
        "lines": lines,
        "total": _cost(context.seed, lines),
        "status": PACKING,
    }
    context.state["next"] += 1
    context.state["orders"].insert(0, order)
    if not context.arguments["product"]:
        context.state["cart"] = [line for line in context.state["cart"] if not line["chosen"]]
    context.fact("order_paid", products="、".join(line["product"] for line in lines), total=order["total"])
    context.root("home")
    context.go("paid")


def _done(context: HandlerContext) -> None:
    context.root("home")
    context.go("orders")


def receive(context: HandlerContext, order: int) -> None:
    """Mark an order as received."""
    next(known for known in context.state["orders"] if known["id"] == order)["status"] = RECEIVED
    context.fact("received", order=order)
    context.toast("已确认收货")


def _receive(context: HandlerContext, order: int) -> None:
    context.back()
    receive(context, order)


PAGES: Mapping[str, PageFunction] = MappingProxyType(
    {
        "cart": _cart_page,
        "line": _line_sheet,
        "checkout": _checkout_page,
        "pay": _pay_page,
        "paid": _paid_page,
        "orders": _orders_page,
        "ask_received": _ask_received_dialog,
    }
)
HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {
        "remove": remove,
        "remove_line": _remove_line,
        "less": _less,
        "more": _more,
        "choose": _choose,
        "settle": _settle,
        "pay": _pay,
        "done": _done,
        "receive": _receive,
    }
)
