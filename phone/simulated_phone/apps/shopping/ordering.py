"""Ordering in the shop: pages and handlers of cart, checkout, payment and orders."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from simulated_phone.goals.app_definition import PageView, State
from simulated_phone.language.language import messages
from simulated_phone.machine.handler_context import HandlerContext
from simulated_phone.screens.layouts.layout import Card, RowLayout
from simulated_phone.screens.layouts.lists import Cover, ListRow
from simulated_phone.screens.layouts.widgets import Button, CheckMark, Icon, Space, Text, Widget
from simulated_phone.screens.nodes import action_ref
from simulated_phone.screens.pages import AppPage, Dialog, Sheet
from simulated_phone.screens.theme import GREY

from ...builders import checkout, dialogs, tables
from ...builders.checkout import CART, money
from ...builders.list_parts import empty, panel
from ...builders.records import named, record
from ...builders.tabs import bottom_tabs, top_tabs
from ...builders.taps import change, go, visit
from .data import PACKING, RECEIVED, WAITING, products

_ = messages(__name__)

TABS = bottom_tabs(("home", _("首页"), "home"), ("cart", CART, "cart"), ("mine", _("我的"), "person"))
HOME, ADDRESS = _("家"), _("翠园小区 6 栋 1203")
STATES = {_("全部"): "", PACKING: PACKING, WAITING: WAITING, RECEIVED: RECEIVED}


def _cost(seed: int, lines: list[dict[str, Any]]) -> int:
    return sum(named(products(seed), line["product"]).fen * line["count"] for line in lines)


def _list_lines(state: State, arguments: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Lines of the checkout: the product that the page was opened with, or the chosen lines of the cart."""
    if arguments["product"]:
        return [{"product": arguments["product"], "option": arguments["option"], "count": 1}]
    return [
        {key: line[key] for key in ("product", "option", "count")} for line in state["cart"] if line["chosen"]
    ]


# ---- pages


def _build_cart_page(view: PageView) -> AppPage:
    managing, over = view.arguments.get("managing", False), view.arguments.get("over", False)
    cards = [_build_cart_card(view, line, managing) for line in view.state["cart"]]
    chosen = _list_lines(view.state, {"product": ""})
    settle = Button(_("结算"), action_ref("settle"), enabled=bool(chosen))
    glyph, words = ("check", _("完成管理")) if managing else ("edit", _("管理"))
    manage = Icon(glyph, words, change(managing=not managing))
    return AppPage(
        title=CART,
        back=over,
        actions=[manage] if cards else [],
        body=[Space(2), *cards] if cards else empty(_("购物车是空的"), space=90),
        gap=10,
        footer=[checkout.total_bar(_("合计"), _cost(view.seed, chosen), settle, 120)],
        tabs=() if over else TABS("cart", cart=len(view.state["cart"])),
    )


def _build_cart_card(view: PageView, line: dict[str, Any], managing: bool) -> Card:
    name = line["product"]
    where = {"product": name, "option": line["option"]}
    check = RowLayout(
        [CheckMark(line["chosen"])],
        tap=action_ref("choose", **where),
        description=_("选择{name}").format(name=name),
        view_id="checkbox",
    )
    trailing: Widget = checkout.build_counter(
        name, line["count"], action_ref("less", **where), action_ref("more", **where)
    )
    if managing:
        trailing = Button(_("删除"), action_ref("remove", **where), style="danger", room=40, size=14)
    row = ListRow(
        name,
        f"{line['option']}\n{money(named(products(view.seed), name).fen)}",
        leading=Cover(name, room=60, subject="goods"),
        lines=2,
        trailing=trailing,
        trail=76 if managing else 100,
        pad=0,
        tap=visit("product", product=name),
        hold=go("line", **where),
    )
    return Card([RowLayout([check, row], [36, None])], pad=8, margin=12)


def _build_line_sheet(view: PageView) -> Sheet:
    where = dict(view.arguments)
    like = (_("收藏此商品"), "heart_line", action_ref("like_line", product=where["product"]))
    return dialogs.menu(where["product"], like, (_("删除"), "delete", action_ref("remove", **where)))


def _build_checkout_page(view: PageView) -> AppPage:
    lines = _list_lines(view.state, view.arguments)
    pin = Icon("location", size=20, room=40)
    rows = [
        checkout.build_item_row(
            line["product"], line["option"], line["count"], _cost(view.seed, [line]), room=56, pad=4
        )
        for line in lines
    ]
    sums = [
        ListRow(_("配送"), trailing=_("免运费"), pad=4),
        ListRow(_("发票"), trailing=_("不开发票"), pad=4),
    ]
    address = panel(ListRow(HOME, ADDRESS, leading=pin, lead=28, bold=True))
    pay = go("pay", product=view.arguments["product"], option=view.arguments["option"])
    cards = [address, Card(rows, margin=12, gap=0), Card(sums, margin=12)]
    return checkout.build_order_page(cards, _("应付"), _cost(view.seed, lines), pay, ready=bool(lines))


def _build_pay_page(view: PageView) -> AppPage:
    fen = _cost(view.seed, _list_lines(view.state, view.arguments))
    return checkout.build_pay_page(view, fen=fen, payee=_("购物订单"))


def _build_paid_page(view: PageView) -> AppPage:
    return checkout.build_paid_page(fen=view.state["orders"][0]["total"], payee=_("商家正在准备发货"))


def _build_orders_page(view: PageView) -> AppPage:
    status = view.arguments.get("status", "")
    orders = [order for order in view.state["orders"] if status in ("", order["status"])]
    cards: list[Widget] = [Space(2), *(_build_order_card(view, order) for order in orders)]
    header = [top_tabs(STATES, status, lambda value: change(status=value))]
    body = cards if orders else empty(_("没有订单"), space=90)
    return AppPage(title=_("我的订单"), header=header, body=body, gap=10)


def _build_order_card(view: PageView, order: dict[str, Any]) -> Card:
    rows: list[Widget] = [
        ListRow(
            line["product"],
            f"{line['option']} ×{line['count']}",
            leading=Cover(line["product"], room=56, subject="goods"),
            trailing=money(named(products(view.seed), line["product"]).fen),
            pad=0,
            tap=visit("product", product=line["product"]),
        )
        for line in order["lines"]
    ]
    total = Text(_("共 {money}").format(money=money(order["total"])), size=14, align="right")
    parts: list[Widget] = [Text(order["status"], color=GREY, size=14), total]
    if order["status"] == WAITING:
        ask = go("ask_received", order=order["id"])
        parts.append(Button(_("确认收货"), ask, style="outline", room=40, size=14))
    return Card([*rows, RowLayout(parts, [None, None, 104][: len(parts)])], margin=12)


def _build_ask_received_dialog(view: PageView) -> Dialog:
    yes = action_ref("receive", order=view.arguments["order"])
    message = _("请收到商品并检查后再确认，确认后货款将付给商家。")
    return dialogs.ask(_("确认收货"), _("确定"), yes, message=message)


# ---- handlers of taps


def _build_line(context: HandlerContext, product: str, option: str) -> dict[str, Any]:
    lines: list[dict[str, Any]] = context.state["cart"]
    return next(line for line in lines if (line["product"], line["option"]) == (product, option))


def add_to_cart(context: HandlerContext, product: str, option: str) -> None:
    """Add one of a product to the cart."""
    known = {(line["product"], line["option"]) for line in context.state["cart"]}
    if (product, option) in known:
        _build_line(context, product, option)["count"] += 1
    else:
        line = {"product": product, "option": option, "count": 1, "chosen": False}
        context.state["cart"].insert(0, line)
    context.fact("added_to_cart", product=product, option=option)
    context.toast(checkout.ADDED)


def remove(context: HandlerContext, product: str, option: str) -> None:
    """Remove a line from the cart."""
    context.close("line")
    context.state["cart"].remove(_build_line(context, product, option))
    context.fact("removed_from_cart", product=product, option=option)
    context.toast(_("已删除"))


def _less(context: HandlerContext, product: str, option: str) -> None:
    line = _build_line(context, product, option)
    if line["count"] == 1:
        remove(context, product, option)
    else:
        line["count"] -= 1


def _more(context: HandlerContext, product: str, option: str) -> None:
    _build_line(context, product, option)["count"] += 1


def _choose(context: HandlerContext, product: str, option: str) -> None:
    line = _build_line(context, product, option)
    line["chosen"] = not line["chosen"]
    context.fact("cart_line_chosen", product=product, on=line["chosen"])


def begin_checkout(context: HandlerContext, product: str, option: str) -> None:
    """Open the checkout of a product, or, without one, of the chosen lines of the cart."""
    context.fact("checkout_begun", product=product)
    context.go("checkout", product=product, option=option)


def _settle(context: HandlerContext) -> None:
    begin_checkout(context, "", "")


def _pay(context: HandlerContext) -> None:
    lines = _list_lines(context.state, context.arguments)
    total = _cost(context.seed, lines)
    if not context.arguments["product"]:
        context.state["cart"] = [line for line in context.state["cart"] if not line["chosen"]]
    context.fact("order_paid", products=_("、").join(line["product"] for line in lines), total=total)
    checkout.place_order(context, lines=lines, total=total, status=PACKING)


def _done(context: HandlerContext) -> None:
    context.root("home")
    context.go("orders")


def receive(context: HandlerContext, order: int) -> None:
    """Mark an order as received."""
    context.close("ask_received")
    record(context.state["orders"], order)["status"] = RECEIVED
    context.fact("received", order=order)
    context.toast(_("已确认收货"))


PAGES = tables.pages_of(__name__)
HANDLERS = tables.handlers(remove, _less, _more, _choose, _settle, _pay, _done, receive)
