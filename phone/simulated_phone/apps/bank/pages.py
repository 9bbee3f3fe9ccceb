"""The bank: its pages, the handlers of their taps, and the app."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from simulated_phone.goals.app_definition import App, PageView, Shortcut
from simulated_phone.language import formats
from simulated_phone.language.language import messages
from simulated_phone.machine.handler_context import HandlerContext
from simulated_phone.screens.layouts.layout import Card, RowLayout
from simulated_phone.screens.layouts.lists import Cover, Heading, ListRow, switch_row
from simulated_phone.screens.layouts.widgets import Button, Icon, Space, Text, Widget
from simulated_phone.screens.nodes import ActionRef, action_ref
from simulated_phone.screens.pages import AppPage, Dialog, Sheet
from simulated_phone.screens.theme import GREEN, GREY, WHITE

from ... import voice
from ...builders import checkout, dialogs, likes, list_parts, records, tables, tabs
from ...builders.checkout import money
from ...builders.codes import SquareCode
from ...builders.list_parts import build_picks, empty, panel, radio_row
from ...builders.search import search_page, wide_pill
from ...builders.shop_front import build_service_grid
from ...builders.taps import change, go, visit
from ..calendar.data import day_words
from ..chat.goals import people
from . import data
from .data import ACCENT, BILLS, CREDIT, NUMBERS, SAVINGS, TERMS
from .goals import GOALS, balance

_ = messages(__name__)

TABS = tabs.bottom_tabs(
    ("home", _("首页"), "home"), ("records", _("收支明细"), "list"), ("cards", _("银行卡"), "wallet")
)
SERVICES = {
    _("转账"): "send",
    _("生活缴费"): "flash",
    _("手机充值"): "phone",
    _("定期存款"): "storage",
    _("付款码"): "grid",
}
PAGE_OF = {
    _("转账"): "people",
    _("生活缴费"): "bills",
    _("手机充值"): "topup",
    _("定期存款"): "deposit",
    _("付款码"): "code",
}
COLORS = {SAVINGS: ("#c2454d", "#7d1f2b"), CREDIT: ("#3f4f73", "#1d2740")}


def _pay(kind: str, name: str, fen: int) -> ActionRef:
    return go("pay", kind=kind, name=name, fen=fen)


# ---- parts of pages


def _build_bill_row(bill: dict[str, Any]) -> ListRow:
    name, due = bill["name"], day_words(date.fromisoformat(bill["due"]))
    words = _("{bills} · {due}前缴清").format(bills=BILLS[name], due=due)
    icon = Icon("list", size=18, color=WHITE, plate=ACCENT, room=44)
    return ListRow(name, words, leading=icon, trailing=f"{money(bill['fen'])}›", tap=visit("bill", bill=name))


def _build_record_row(record: dict[str, Any]) -> ListRow:
    tap = action_ref("see", shop=record["shop"])
    cover = Cover(record["shop"], room=40, radius=20)
    return ListRow(record["shop"], record["day"], leading=cover, trailing=f"-{money(record['fen'])}", tap=tap)


def _build_person_row(name: str) -> ListRow:
    cover = Cover(name, room=40, radius=20)
    return ListRow(
        name, _("城市银行 · 储蓄账户"), leading=cover, trailing="›", tap=visit("give", contact=name)
    )


def _build_card_widget(view: PageView, card: str) -> Card:
    state = view.state["cards"][card]
    first, last = COLORS[card]
    words = (
        _("余额 {balance}").format(balance=balance(view.state["cards"]))
        if card == SAVINGS
        else _("本期应还 {amount}").format(amount=formats.amount(_, state["fen"]))
    )
    mark = _("已锁定") if state["locked"] else _("默认付款") if view.state["default"] == card else ""
    head = [Text(card, size=18, bold=True, color=WHITE), Text(mark, size=13, color=WHITE, align="right")]
    number = Text(f"•••• •••• •••• {NUMBERS[card]}", size=15, color=WHITE)
    lines = [RowLayout(head), Space(6), number, Space(10), Text(words, size=17, color=WHITE)]
    return Card(lines, color=first, to=last, pad=18, margin=14, tap=go("card", card=card))


# ---- pages


def _build_home_page(view: PageView) -> AppPage:
    total = Text(
        _("¥ {balance}").format(balance=balance(view.state["cards"])), size=28, bold=True, color=WHITE
    )
    assets = Card(
        [Text(_("总资产"), size=14, color=WHITE), total, Text(_("储蓄卡可用余额"), size=12, color=WHITE)],
        color=COLORS[SAVINGS][0],
        to=COLORS[SAVINGS][1],
        pad=18,
        margin=12,
        tap=go("cards"),
    )
    services = build_service_grid(
        [(words, SERVICES[words], go(PAGE_OF[words])) for words in SERVICES], ACCENT
    )
    body: list[Widget] = [Space(2), assets, services]
    if view.state["bills"]:
        body += [Heading(_("待缴账单")), panel(*map(_build_bill_row, view.state["bills"][:3]))]
    body += [Heading(_("最近交易")), panel(*map(_build_record_row, view.state["records"][:3]))]
    return AppPage(header=[Space(6), wide_pill(data.SEARCH, ACCENT)], body=body, gap=8, tabs=TABS("home"))


def _find(view: PageView, word: str) -> Sequence[Widget]:
    return [
        *(
            ListRow(name, _("银行服务"), trailing="›", tap=visit(PAGE_OF[name]))
            for name in SERVICES
            if word in name
        ),
        *(_build_bill_row(bill) for bill in view.state["bills"] if word in bill["name"]),
        *(_build_person_row(name) for name in people(view.seed) if word in name),
        *(_build_record_row(record) for record in view.state["records"] if word in record["shop"]),
    ]


def _build_records_page(view: PageView) -> AppPage:
    rows = [
        ListRow(one["name"], _("今天"), leading=Cover(one["name"], room=40), trailing=f"-{money(one['fen'])}")
        for one in view.state["payments"]
    ]
    body = [Space(2), panel(*rows, *map(_build_record_row, view.state["records"]))]
    return AppPage(title=_("收支明细"), back=False, body=body, tabs=TABS("records"))


def _build_record_page(view: PageView) -> AppPage:
    record = records.record(view.state["records"], view.arguments["shop"], "shop")
    rows = [
        (_("交易类型"), _("消费")),
        (_("交易日期"), record["day"]),
        (_("付款卡"), _("{savings}（{numbers}）").format(savings=SAVINGS, numbers=NUMBERS[SAVINGS])),
    ]
    amount = Text(f"-{money(record['fen'])}", size=36, bold=True, align="center")
    cover = list_parts.centred(Cover(record["shop"], room=56, radius=28))
    who = Text(record["shop"], color=GREY, align="center")
    body = [Space(16), cover, who, amount, Space(10), list_parts.facts(*rows)]
    return AppPage(title=_("交易详情"), body=body, gap=6)


def _build_cards_page(view: PageView) -> AppPage:
    cards = [_build_card_widget(view, card) for card in NUMBERS]
    return AppPage(title=_("我的银行卡"), back=False, body=[Space(4), *cards], gap=12, tabs=TABS("cards"))


def _build_card_page(view: PageView) -> AppPage:
    name = view.arguments["card"]
    card = view.state["cards"][name]
    rows = [
        ListRow(
            _("每日限额"), trailing=_("{limit}元›").format(limit=card["limit"]), tap=go("limit", card=name)
        )
    ]
    if card["locked"]:
        rows.append(ListRow(_("解除锁定"), trailing="›", tap=action_ref("lock", card=name)))
    else:
        rows.append(ListRow(_("锁定卡片"), trailing="›", tap=go("ask_lock", card=name)))
    if view.state["default"] != name:
        rows.append(ListRow(_("设为默认付款卡"), trailing="›", tap=action_ref("default", card=name)))
    body = [Space(4), _build_card_widget(view, name), Space(12), panel(*rows, margin=14)]
    return AppPage(title=_("{name}（{numbers}）").format(name=name, numbers=NUMBERS[name]), body=body)


def _build_limit_sheet(view: PageView) -> Sheet:
    name = view.arguments["card"]
    return dialogs.choices(
        _("每日限额"),
        {_("{yuan}元").format(yuan=yuan): yuan for yuan in data.LIMITS},
        view.state["cards"][name]["limit"],
        lambda yuan: action_ref("limit", card=name, yuan=yuan),
    )


def _build_ask_lock_dialog(view: PageView) -> Dialog:
    name = view.arguments["card"]
    lock, message = action_ref("lock", card=name), _("锁定后不能付款和取现，可以随时解锁。")
    return dialogs.ask(
        _("锁定{name}").format(name=name), _("确定锁定"), lock, message=message, style="danger"
    )


def _build_people_page(view: PageView) -> AppPage:
    rows = [_build_person_row(name) for name in people(view.seed)]
    return AppPage(title=_("转账"), body=[Heading(_("常用收款人")), panel(*rows)])


def _build_give_page(view: PageView) -> AppPage:
    name = view.arguments["contact"]
    return checkout.build_amount_page(name, _("{name} · 城市银行储蓄账户").format(name=name), data.AMOUNT)


def _build_bills_page(view: PageView) -> AppPage:
    rows = (
        [panel(*map(_build_bill_row, view.state["bills"]))]
        if view.state["bills"]
        else empty(_("账单都缴清了"))
    )
    return AppPage(title=_("生活缴费"), body=[Heading(_("待缴账单")), *rows])


def _build_bill_page(view: PageView) -> AppPage:
    name = view.arguments["bill"]
    bill = next((bill for bill in view.state["bills"] if bill["name"] == name), None)
    automatic = switch_row(
        _("自动缴费"),
        _("到期日从储蓄卡扣款"),
        on=name in view.state["automatic"],
        tap=action_ref("automatic", bill=name),
    )
    if bill is None:
        done = [Space(24), Icon("check", size=40, color=WHITE, plate=GREEN, room=90)]
        return AppPage(
            title=name, body=[*done, *empty(_("本期已缴清"), space=4), Space(20), panel(automatic)]
        )
    due = date.fromisoformat(bill["due"])
    rows = [
        ListRow(_("收费单位"), trailing=BILLS[name]),
        ListRow(_("缴费截止日"), trailing=day_words(due)),
        automatic,
    ]
    amount = Text(money(bill["fen"]), size=40, bold=True, align="center")
    body = [Space(20), Text(_("应缴金额"), color=GREY, align="center"), amount, Space(16), panel(*rows)]
    return AppPage(title=name, body=body, footer=[Button(_("立即缴费"), _pay("bill", name, bill["fen"]))])


def _build_topup_page(view: PageView) -> AppPage:
    yuan = view.arguments.get("yuan", 100)
    number = panel(ListRow("138 0000 5566", _("本机号码 · 城市移动"), size=20, bold=True))
    chips = build_picks("yuan", {_("{one}元").format(one=one): one for one in data.TOPUPS}, yuan)
    button = Button(_("立即充值"), _pay("phone", _("手机充值"), 100 * yuan))
    return AppPage(
        title=_("手机充值"), body=[Space(6), number, Heading(_("充值金额")), chips], footer=[button]
    )


def _build_deposit_page(view: PageView) -> AppPage:
    term, yuan = view.arguments.get("term", _("一年")), view.arguments.get("yuan", 1000)
    rows = [
        radio_row(name, _("年利率 {rate}").format(rate=rate), on=name == term, tap=change(term=name))
        for name, rate in TERMS.items()
    ]
    chips = build_picks("yuan", {_("{one}元").format(one=one): one for one in data.DEPOSITS}, yuan)
    button = Button(_("立即存入"), _pay("deposit", term, 100 * yuan))
    body = [Heading(_("存款期限")), panel(*rows), Heading(_("存入金额")), chips]
    return AppPage(title=_("定期存款"), body=body, footer=[button])


def _build_code_page(view: PageView) -> AppPage:
    card = view.state["default"]
    row = ListRow(
        _("{card}（{numbers}）").format(card=card, numbers=NUMBERS[card]),
        _("优先使用此卡付款"),
        trailing=_("更换›"),
        tap=go("choose"),
    )
    code = SquareCode(_("{card}付款码").format(card=card), room=230)
    title = Text(_("向商家付款"), size=17, bold=True, align="center")
    hint = Text(_("每分钟自动更新，请勿截图发给他人"), size=13, color=GREY, align="center")
    return AppPage(
        title=_("付款码"),
        body=[Space(16), Card([title, code, hint], margin=16, gap=10), panel(row, margin=16)],
        gap=12,
        background=(COLORS[SAVINGS][0], COLORS[SAVINGS][1]),
        dark=True,
        secure=True,
    )


def _build_choose_sheet(view: PageView) -> Sheet:
    rows = [
        radio_row(
            card,
            _("尾号 {number}").format(number=number),
            on=card == view.state["default"],
            tap=action_ref("default", card=card),
        )
        for card, number in NUMBERS.items()
    ]
    return Sheet(title=_("选择付款卡"), body=rows)


def _build_pay_page(view: PageView) -> AppPage:
    name, fen = view.arguments["name"], view.arguments["fen"]
    return checkout.build_pay_page(view, fen=fen, payee=_payee(view.arguments["kind"], name))


def _payee(kind: str, name: str) -> str:
    return {
        "bill": BILLS.get(name, ""),
        "person": _("转账给 {name}").format(name=name),
        "deposit": _("{name}定期存款").format(name=name),
    }.get(kind, name)


def _build_paid_page(view: PageView) -> AppPage:
    payment = view.state["payments"][0]
    return checkout.build_paid_page(fen=payment["fen"], payee=_payee(payment["kind"], payment["name"]))


# ---- handlers of taps

_default = dialogs.choosing(
    "default", "card", "default_card_set", toast=_("已设{card}为默认付款卡"), closes="choose"
)


def _see(context: HandlerContext, shop: str) -> None:
    context.unfocus()
    context.state["viewed"] = shop
    context.fact("record_viewed", shop=shop)
    context.go("record", shop=shop)


def _limit(context: HandlerContext, card: str, yuan: int) -> None:
    context.close("limit")
    context.state["cards"][card]["limit"] = yuan
    context.fact("limit_set", card=card, yuan=yuan)
    context.toast(_("每日限额已改为 {yuan} 元").format(yuan=yuan))


def _lock(context: HandlerContext, card: str) -> None:
    state = context.state["cards"][card]
    state["locked"] = not state["locked"]
    context.fact("card_locked", card=card, on=state["locked"])
    context.close("ask_lock")
    context.toast(_("卡片已锁定") if state["locked"] else _("卡片已解锁"))


def _next(context: HandlerContext) -> None:
    fen = checkout.read_fen(context)
    if fen is not None:
        context.go("pay", kind="person", name=context.arguments["contact"], fen=fen)


def _pay_now(context: HandlerContext) -> None:
    """Pay what the shown page is for, by the chosen card."""
    kind, name, fen = (context.arguments[key] for key in ("kind", "name", "fen"))
    card = CREDIT if CREDIT in context.arguments.get("method", "") else SAVINGS
    chosen = context.state["cards"][card]
    if chosen["locked"] or fen > 100 * chosen["limit"] or (card == SAVINGS and fen > chosen["fen"]):
        context.toast(_("卡片已锁定") if chosen["locked"] else _("超过每日限额或余额不足"))
        return
    chosen["fen"] += fen if card == CREDIT else -fen
    if kind == "bill":
        context.state["bills"] = [bill for bill in context.state["bills"] if bill["name"] != name]
    context.state["payments"].insert(0, {"kind": kind, "name": name, "fen": fen})
    context.fact("paid", kind=kind, name=name, fen=fen)
    context.root("home")
    context.go("paid")


def _done(context: HandlerContext) -> None:
    context.root("home")


def _understand(context: HandlerContext, phrase: str) -> bool:
    """Act on a phrase: bills, cards, top-ups, deposits, transfers and records."""
    bill = voice.find_name(phrase, [bill["name"] for bill in context.state["bills"]])
    card, term = voice.find_name(phrase, list(NUMBERS)), voice.find_name(phrase, list(TERMS))
    yuan = voice.find_number(phrase.replace(term or "", ""))
    person = voice.find_name(phrase, people(context.seed))
    shop = voice.find_name(phrase, [record["shop"] for record in context.state["records"]])
    if bill and voice.says(phrase, _("自动", "said")):
        likes.put(context, "automatic", "bill_automatic", bill=bill)
    elif bill:
        fen = records.record(context.state["bills"], bill, "name")["fen"]
        context.go("pay", kind="bill", name=bill, fen=fen)
    elif person and yuan:
        context.go("pay", kind="person", name=person, fen=100 * min(yuan, checkout.MAX_YUAN))
    elif term and yuan:
        context.go("pay", kind="deposit", name=term, fen=100 * yuan)
    elif voice.says(phrase, _("充", "said")) and yuan:
        context.go("pay", kind="phone", name=_("手机充值"), fen=100 * yuan)
    elif card and voice.says(phrase, _("限额", "said")) and yuan:
        _limit(context, card, yuan)
    elif card and voice.says(phrase, _("锁", "said")):
        _lock(context, card)
    elif card and voice.says(phrase, _("付款", "said")):
        _default(context, card=card)
    elif shop:
        _see(context, shop)
    elif person:
        context.go("give", contact=person)
    elif card:
        context.go("card", card=card)
    else:
        return False
    return True


BANK = App(
    package=data.PACKAGE,
    label=data.LABEL,
    english="Bank",
    glyph="bank",
    color=ACCENT,
    initial=data.make_state,
    pages={
        **tables.pages_of(__name__),
        "search": search_page(data.SEARCH, _find, empty(_("没有找到"))),
        "voice": voice.page(_("交电费"), _("充五十元话费"), _("存一年定期2000元")),
    },
    handlers={
        **tables.handlers(_see, _limit, _lock, _next, _done),
        "pay": _pay_now,
        "default": _default,
        "automatic": likes.flipping(
            "automatic", "bill", "bill_automatic", on=_("已开通自动缴费"), off=_("已关闭自动缴费")
        ),
        "tab": tabs.tab_over("home"),
        **voice.handlers(_understand),
    },
    shortcuts=(
        Shortcut(text=_("付款码"), glyph="grid", tap=go("code")),
        Shortcut(text=_("转账"), glyph="send", tap=go("people")),
        Shortcut(text=_("生活缴费"), glyph="flash", tap=go("bills")),
    ),
    goals=GOALS,
    hours=(9, 12, 18, 20),
    seen=("viewed",),
)
