"""Payment pages shared by apps: the secure page before a payment, and the result page."""

from __future__ import annotations

from simulated_phone.screens.layout import Card
from simulated_phone.screens.lists import Heading, ListRow
from simulated_phone.screens.nodes import action_ref
from simulated_phone.screens.pages import AppPage
from simulated_phone.screens.theme import GREEN, GREY
from simulated_phone.screens.widgets import Button, CheckMark, Icon, Space, Text

METHODS = (("账户余额", "wallet"), ("储蓄卡（尾号 6217）", "storage"), ("信用卡（尾号 4096）", "storage"))


def money(fen: int) -> str:
    """An amount as prices show it.

    >>> money(1850), money(2000)
    ('¥18.5', '¥20')
    """
    return "¥" + f"{fen / 100:.2f}".rstrip("0").rstrip(".")


def pay_page(*, fen: int, payee: str, method: str) -> AppPage:
    """Amount, payee, ways to pay (`method` is chosen, "" is the first), and a button that does `pay`."""
    rows = [
        ListRow(
            name,
            leading=Icon(glyph, size=20, color=GREY, room=36),
            lead=28,
            trailing=CheckMark(name == (method or METHODS[0][0])),
            trail=32,
            tap=action_ref("set", method=name),
        )
        for name, glyph in METHODS
    ]
    return AppPage(
        title="安全支付",
        body=[
            Space(24),
            Text(payee, color=GREY, align="center"),
            Text(money(fen), size=44, bold=True, align="center"),
            Space(16),
            Heading("付款方式"),
            Card(rows, pad=2, margin=14, gap=0),
        ],
        footer=[Button("确认付款", action_ref("pay"), glyph="lock")],
        secure=True,
    )


def paid_page(*, fen: int, payee: str) -> AppPage:
    """The result of a payment, and a button with the action `done`."""
    return AppPage(
        title="支付结果",
        body=[
            Space(40),
            Icon("check", "支付成功", size=44, color="#ffffff", plate=GREEN, room=100),
            Text("支付成功", size=22, bold=True, align="center"),
            Space(6),
            Text(money(fen), size=34, bold=True, align="center"),
            Text(payee, color=GREY, align="center"),
        ],
        footer=[Button("完成", action_ref("done"), style="tonal")],
    )
