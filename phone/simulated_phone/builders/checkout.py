"""Buying: items of an order, the page that sums it up, the secure payment, its result, and the order made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from simulated_phone.goals.app_definition import PageView
from simulated_phone.language import formats
from simulated_phone.language.language import messages
from simulated_phone.machine.handler_context import HandlerContext
from simulated_phone.screens.layouts.layout import RowLayout
from simulated_phone.screens.layouts.lists import Cover, Heading, ListRow
from simulated_phone.screens.layouts.widgets import Button, CheckMark, Field, Icon, Space, Text, Widget
from simulated_phone.screens.nodes import ActionRef, action_ref
from simulated_phone.screens.pages import AppPage
from simulated_phone.screens.theme import GREEN, GREY, INK, PAPER, WHITE

from .forms import read_number
from .list_parts import panel
from .taps import change

_ = messages(__name__)

METHODS = (
    (_("账户余额"), "wallet"),
    (_("储蓄卡（尾号 6217）"), "storage"),
    (_("信用卡（尾号 4096）"), "storage"),
)
LESS, MORE = _("减少"), _("增加")
CONFIRM, SUBMIT, ADDED, CART = _("确认订单"), _("提交订单"), _("已加入购物车"), _("购物车")
SECURE, METHOD, PAY = _("安全支付"), _("付款方式"), _("确认付款")
GIVE, YUAN, FURTHER = _("转账"), _("转账金额"), _("下一步")
MAX_YUAN = 10_000
RESULT, PAID, DONE = _("支付结果"), _("支付成功"), _("完成")


def money(fen: int) -> str:
    """An amount as prices show it.

    >>> money(1850), money(2000)
    ('¥18.5', '¥20')
    """
    return formats.money(_, fen)


def build_counter(item: str, count: int, less: ActionRef, more: ActionRef) -> RowLayout:
    """Count of an item between the icons that change it; 100 dp wide."""
    minus = Icon("minus", _("减少{item}").format(item=item), less, size=16, color=INK)
    plus = Icon("add", _("增加{item}").format(item=item), more, size=16)
    return RowLayout([minus, Text(str(count), align="center"), plus], [40, 20, 40], gap=0)


def build_item_row(name: str, option: str, count: int, fen: int, *, room: float, pad: float) -> ListRow:
    """An item of an order with its number and price."""
    trailing = f"×{count}  {money(fen)}"
    return ListRow(name, option, leading=Cover(name, room=room), trailing=trailing, pad=pad)


def total_bar(words: str, fen: int, button: Button, width: float) -> RowLayout:
    """The sum of an order, with the button that goes on."""
    return RowLayout([Text(f"{words} {money(fen)}", size=18, bold=True), button], [None, width])


def build_order_page(
    cards: Sequence[Widget], words: str, fen: int, pay: ActionRef, *, ready: bool
) -> AppPage:
    """All that is ordered, with the sum and a button that opens the payment."""
    submit = Button(SUBMIT, pay, enabled=ready)
    footer = [total_bar(words, fen, submit, 130)]
    return AppPage(title=CONFIRM, body=[Space(4), *cards], gap=10, footer=footer)


def build_pay_page(view: PageView, *, fen: int, payee: str) -> AppPage:
    """Amount, payee, ways to pay (the page's argument `method` is chosen), and a button that does `pay`."""
    chosen = view.arguments.get("method") or METHODS[0][0]
    rows = [
        ListRow(
            name,
            leading=Icon(glyph, size=20, color=GREY, room=36),
            lead=28,
            trailing=CheckMark(name == chosen),
            trail=32,
            tap=change(method=name),
        )
        for name, glyph in METHODS
    ]
    body = [
        Space(24),
        Text(payee, color=GREY, align="center"),
        Text(money(fen), size=44, bold=True, align="center"),
        Space(16),
        Heading(METHOD),
        panel(*rows, margin=14),
    ]
    pay = Button(PAY, action_ref("pay"), glyph="lock")
    return AppPage(title=SECURE, body=body, footer=[pay], secure=True)


def build_amount_page(name: str, payee: str, hint: str) -> AppPage:
    """A transfer to a person: a field "yuan" for whole yuan, and a button that does `next`."""
    further = action_ref("next")
    picture = RowLayout([Space(1), Cover(name, room=64, radius=12), Space(1)], [None, 64, None])
    body: list[Widget] = [
        Space(20),
        picture,
        Text(payee, align="center", color=GREY),
        Space(10),
        Text(YUAN, bold=True),
        Field("yuan", hint, submit=further, enter=FURTHER, room=56),
    ]
    return AppPage(title=GIVE, body=body, gap=8, pad=24, footer=[Button(FURTHER, further)], background=PAPER)


def read_fen(context: HandlerContext) -> int | None:
    """The amount in fen that was typed on an `build_amount_page`; None, with a toast, if it is not one."""
    yuan = read_number(context.field("yuan"), 1, MAX_YUAN)
    if yuan is None:
        context.toast(_("请输入 1 到 {max_yuan} 的整数").format(max_yuan=MAX_YUAN))
        return None
    context.unfocus()
    return 100 * yuan


def build_paid_page(*, fen: int, payee: str) -> AppPage:
    """The result of a payment, and a button with the action `done`."""
    body = [
        Space(40),
        Icon("check", PAID, size=44, color=WHITE, plate=GREEN, room=100),
        Text(PAID, size=22, bold=True, align="center"),
        Space(6),
        Text(money(fen), size=34, bold=True, align="center"),
        Text(payee, color=GREY, align="center"),
    ]
    return AppPage(title=RESULT, body=body, footer=[Button(DONE, action_ref("done"), style="tonal")])


def place_order(context: HandlerContext, **order: Any) -> None:  # noqa: ANN401
    """Add an order with the next number to the state's "orders", and show that it is paid."""
    context.state["orders"].insert(0, {"id": context.state["next"], **order})
    context.state["next"] += 1
    context.root("home")
    context.go("paid")
