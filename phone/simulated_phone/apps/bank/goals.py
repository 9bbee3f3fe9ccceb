"""The bank's goals: bills, transfers, cards, deposits; some with chat, calendar and notes."""

from __future__ import annotations

from typing import Any

from simulated_phone.goals.app_definition import Arguments, States, Strategy, generator
from simulated_phone.goals.steps import TypeText
from simulated_phone.language import formats
from simulated_phone.language.language import messages

from ...builders.goals import GoalBuilder, asks, by_ways, goal, in_turn, list_each
from ...builders.records import record
from ..calendar.goals import ADD_EVENT, day_arguments, has_event
from ..chat.data import MONEY_ASKED
from ..chat.goals import READ_CHAT, people, requests
from ..notes.goals import WRITE_NOTE, has_note
from . import data
from .data import LABEL, PACKAGE, SEARCH, make_state

_ = messages(__name__)

BANK = GoalBuilder(PACKAGE, LABEL, make_state, SEARCH)


def _list_bills(seed: int) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = BANK.fresh(seed)["bills"]
    return found


def _list_due_cases(seed: int) -> list[Arguments]:
    due = [(bill["name"], day_arguments(bill["due"])) for bill in _list_bills(seed)]
    return [{"bill": name, **day, "title": _("交{name}").format(name=name), "hour": 9} for name, day in due]


def _list_transfer_cases(seed: int) -> list[Arguments]:
    rng = generator(f"{PACKAGE}:transfer", seed)
    return [
        {"contact": name, "yuan": rng.randrange(10, 900)} for name in people(seed) for _unused in range(2)
    ]


def _list_asked_cases(seed: int) -> list[Arguments]:
    return [{"contact": name, "yuan": int(yuan)} for name, yuan in requests(seed, MONEY_ASKED)]


def _list_default_cases(seed: int) -> list[Arguments]:
    return [{"card": card} for card in data.NUMBERS if card != BANK.fresh(seed)["default"]]


def balance(cards: dict[str, Any]) -> str:
    """Amount on the savings card, in yuan: 12345.67."""
    return formats.amount(_, cards[data.SAVINGS]["fen"])


def _list_balance_cases(seed: int) -> list[Arguments]:
    amount = balance(BANK.fresh(seed)["cards"])
    return [{"balance": amount, "text": _("余额{balance}元").format(balance=amount)}]


def _is_paid(states: States, kind: str, name: object, yuan: object = None) -> bool:
    """Whether something was paid, with this amount if one is given."""
    paid = [one["fen"] for one in states[PACKAGE]["payments"] if (one["kind"], one["name"]) == (kind, name)]
    return bool(paid) if yuan is None else 100 * int(str(yuan)) in paid


def _card(states: States, arguments: Arguments, key: str) -> Any:  # noqa: ANN401
    return states[PACKAGE]["cards"][arguments["card"]][key]


_BILL = (
    BANK.way("browse", _("生活缴费"), "{bill}"),
    BANK.search("{bill}"),
    BANK.shortcut(_("生活缴费"), "{bill}"),
)
_PERSON = (
    BANK.way("list", _("转账"), "{contact}"),
    BANK.search("{contact}"),
    BANK.shortcut(_("转账"), "{contact}"),
)
_GIVE = (TypeText("{yuan}", into=data.AMOUNT), _("下一步"), _("确认付款"))
_CARD = (BANK.way("tab", _("银行卡"), "{card}"), BANK.way("home", _("总资产"), "{card}"))


def _card_strategies(spoken: str, *steps: str) -> tuple[Strategy, ...]:
    return (*by_ways(_CARD, *steps), BANK.voice(spoken))


GOALS = (
    goal(
        "pay_bill",
        _("交一下{bill}"),
        _("把这个月的{bill}缴了"),
        _("{bill}该交了，在银行里付掉"),
        _("缴纳{bill}"),
        *by_ways(_BILL, _("立即缴费"), _("确认付款")),
        BANK.voice(_("交{bill}"), _("确认付款")),
        cases=lambda seed: [{"bill": bill["name"]} for bill in _list_bills(seed)],
        rule=lambda states, arguments: _is_paid(states, "bill", arguments["bill"]),
    ),
    goal(
        "automatic_bill",
        _("{bill}开通自动缴费"),
        _("以后{bill}自动扣款"),
        _("给{bill}设自动代扣"),
        _("{bill}每个月让银行自动交"),
        *by_ways(_BILL, _("自动缴费")),
        BANK.voice(_("{bill}自动缴费")),
        **BANK.added(
            "automatic", "bill", lambda seed: [{"bill": bill["name"]} for bill in _list_bills(seed)]
        ),
    ),
    goal(
        "send_money",
        _("用银行卡转账{yuan}元，收款人{contact}"),
        _("银行转账给{contact}，{yuan}元"),
        _("从储蓄卡汇{yuan}元到{contact}账上"),
        _("通过银行给{contact}汇款{yuan}元"),
        *by_ways(_PERSON, *_GIVE),
        BANK.voice(_("转账{yuan}元给{contact}"), _("确认付款")),
        cases=_list_transfer_cases,
        rule=lambda states, arguments: _is_paid(states, "person", arguments["contact"], arguments["yuan"]),
    ),
    goal(
        "top_up",
        _("给手机充{yuan}元话费"),
        _("话费充值{yuan}元"),
        _("手机快停机了，充{yuan}块"),
        _("充{yuan}元的话费"),
        BANK.way("browse", _("手机充值"), _("{yuan}元"), _("立即充值"), _("确认付款")),
        BANK.search(_("手机充值"), _("{yuan}元"), _("立即充值"), _("确认付款")),
        BANK.voice(_("充{yuan}元话费"), _("确认付款")),
        cases=list_each("yuan", data.TOPUPS),
        rule=lambda states, arguments: _is_paid(states, "phone", _("手机充值"), arguments["yuan"]),
    ),
    goal(
        "deposit",
        _("存{yuan}元{term}定期"),
        _("定期存款，{yuan}元，{term}"),
        _("拿{yuan}元存个{term}的定期"),
        _("办一笔{term}定存，{yuan}元"),
        BANK.way("browse", _("定期存款"), "{term}", _("{yuan}元"), _("立即存入"), _("确认付款")),
        BANK.search(_("定期存款"), "{term}", _("{yuan}元"), _("立即存入"), _("确认付款")),
        BANK.voice(_("存{term}定期{yuan}元"), _("确认付款")),
        cases=lambda seed: [{"term": term, "yuan": yuan} for term in data.TERMS for yuan in data.DEPOSITS],
        rule=lambda states, arguments: _is_paid(states, "deposit", arguments["term"], arguments["yuan"]),
    ),
    goal(
        "set_limit",
        _("{card}每日限额改成{yuan}元"),
        _("把{card}的支付限额调到{yuan}"),
        _("{card}一天最多只能花{yuan}元"),
        _("限额改一下，{card}每天{yuan}元"),
        *_card_strategies(_("{card}限额{yuan}元"), _("每日限额"), _("{yuan}元")),
        cases=lambda seed: [{"card": card, "yuan": yuan} for card in data.NUMBERS for yuan in data.LIMITS],
        rule=lambda states, arguments: bool(_card(states, arguments, "limit") == arguments["yuan"]),
    ),
    goal(
        "lock_card",
        _("{card}找不到了，先锁上"),
        _("锁定{card}"),
        _("把{card}临时冻结"),
        _("{card}丢了，马上锁卡"),
        *_card_strategies(_("锁定{card}"), _("锁定卡片"), _("确定锁定")),
        cases=list_each("card", tuple(data.NUMBERS)),
        rule=lambda states, arguments: bool(_card(states, arguments, "locked")),
    ),
    goal(
        "default_card",
        _("付款码默认用{card}付"),
        _("扫码付款换成{card}"),
        _("默认付款卡改成{card}"),
        _("以后付款码从{card}扣"),
        BANK.way("code", _("付款码"), _("更换"), "{card}"),
        *_card_strategies(_("付款用{card}"), _("设为默认付款卡")),
        **BANK.chosen("default", "card", _list_default_cases),
    ),
    goal(
        "see_record",
        _("看看在{shop}花了多少钱"),
        _("查一下{shop}那笔消费"),
        _("{shop}那笔交易的明细给我看看"),
        _("{shop}扣了我多少钱"),
        BANK.way("list", _("收支明细"), "{shop}"),
        BANK.search("{shop}"),
        BANK.voice(_("{shop}的消费")),
        **BANK.chosen("viewed", "shop", BANK.records("records", shop="shop")),
    ),
    goal(
        "pay_request",
        _("{contact}聊天里让我转聚餐的钱，用银行转过去"),
        _("看看{contact}聊天里要我转多少，从银行转账给人家"),
        _("把聚餐的钱用银行转账还给{contact}，数目在聊天里"),
        _("按{contact}发来的金额，银行转账过去"),
        *by_ways(in_turn(READ_CHAT, _PERSON[:2]), *_GIVE),
        cases=_list_asked_cases,
        rule=lambda states, arguments: _is_paid(states, "person", arguments["contact"], arguments["yuan"]),
    ),
    goal(
        "remember_bill",
        _("查{bill}哪天到期，当天9点在日历里提醒我交"),
        _("{bill}的缴费截止日记进日历，9点"),
        _("日历上记一笔交{bill}，按账单的截止日，9点"),
        _("看银行里{bill}最晚哪天交，那天9点建个日程"),
        *in_turn(_BILL[:2], ADD_EVENT[:2]),
        cases=_list_due_cases,
        rule=lambda states, arguments: has_event(
            states, title=arguments["title"], day=arguments["date"], hour=9
        ),
    ),
    goal(
        "note_balance",
        _("把储蓄卡余额记到便签里"),
        _("查一下银行余额，写进便签"),
        _("便签里记一下我储蓄卡还有多少钱"),
        _("储蓄卡余额是多少，记在便签上"),
        *in_turn((BANK.way("tab", _("银行卡")), BANK.way("card", _("银行卡"), data.SAVINGS)), WRITE_NOTE[:2]),
        cases=_list_balance_cases,
        rule=lambda states, arguments: has_note(states, str(arguments["balance"])),
    ),
    goal(
        "ask_balance",
        _("我的{card}还有多少钱"),
        _("{card}余额多少"),
        _("查一下{card}里的余额"),
        _("看看银行{card}还剩多少钱"),
        BANK.way("tab", _("银行卡")),
        BANK.way("card", _("银行卡"), "{card}"),
        BANK.voice(_("看看{card}")),
        cases=list_each("card", (data.SAVINGS,)),
        question=asks("amount", lambda view: balance(view.state["cards"])),
    ),
    goal(
        "ask_due",
        _("{bill}最晚哪天交"),
        _("{bill}的缴费截止日是哪天"),
        _("查一下{bill}哪天到期"),
        _("{bill}几号之前要缴清"),
        *_BILL,
        cases=lambda seed: [{"bill": bill["name"]} for bill in _list_bills(seed)],
        question=asks(
            "date", lambda view: record(view.state["bills"], view.arguments["bill"], "name")["due"]
        ),
    ),
)
