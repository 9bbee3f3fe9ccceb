"""The goals of contacts: add, change, mark and delete people, share a card, put a birthday into the diary."""

from __future__ import annotations

from datetime import date
from typing import Any

from simulated_phone.goals.app_definition import Arguments, PageView, States, generator
from simulated_phone.goals.steps import Open, SetWheel, TypeText
from simulated_phone.language.language import messages

from ...builders.goals import GoalBuilder, asks, goal
from ...builders.item_goals import ItemGoals
from ...builders.other_apps import CALENDAR
from ...builders.records import record
from ...builders.wheels import HOUR
from ...goals.acquaintances import CHAT, unknown_number
from . import data
from .data import ITEMS, LABEL, NAME, NUMBER, PACKAGE, SEARCH, birthday_words, make_state

_ = messages(__name__)

CONTACTS = GoalBuilder(PACKAGE, LABEL, make_state, SEARCH)
PERSON = ItemGoals(CONTACTS, ITEMS, "contact")


def _list_new_cases(seed: int) -> list[Arguments]:
    rng = generator(f"{PACKAGE}:new", seed)
    return [{"name": name, "phone": unknown_number(rng)} for name in data.STRANGERS]


def _list_number_cases(seed: int) -> list[Arguments]:
    rng = generator(f"{PACKAGE}:number", seed)
    return [{"contact": one["name"], "phone": unknown_number(rng)} for one in CONTACTS.fresh(seed)["people"]]


def _list_birthday_cases(seed: int) -> list[Arguments]:
    return [
        {"contact": one["name"], "day": birthday_words(one), "date": one["birthday"]}
        for one in CONTACTS.fresh(seed)["people"]
        if data.FIRST <= date.fromisoformat(one["birthday"]) <= data.LAST
    ]


def _list_card_cases(seed: int) -> list[Arguments]:
    names = [one["name"] for one in CONTACTS.fresh(seed)["people"]]
    rng = generator(f"{PACKAGE}:card", seed)
    pairs = [
        (name, rng.choice([other for other in names if other != name])) for name in names for _unused in "ab"
    ]
    return [{"contact": name, "friend": friend} for name, friend in pairs]


def _shown(view: PageView) -> dict[str, Any]:
    return record(view.state["people"], view.arguments["contact"], "name")


def _is_in_calendar(states: States, arguments: Arguments) -> bool:
    event = {"title": _("{contact}生日").format(contact=arguments["contact"]), "day": arguments["date"]}
    return any(event.items() <= one.items() for one in states[CALENDAR]["events"])


def _is_card_sent(states: States, arguments: Arguments) -> bool:
    card = {"mine": True, "text": _("[名片] {contact}").format(contact=arguments["contact"])}
    return any(
        talk["name"] == arguments["friend"] and any(card.items() <= line.items() for line in talk["said"])
        for talk in states[CHAT]["talks"]
    )


_SEE = PERSON.page_ways("browse", _("看看{contact}"))
NEW_CONTACT = (_("新建联系人"), TypeText("{name}", into=NAME), TypeText("{phone}", into=NUMBER), _("保存"))
"""Steps to a person with the arguments `name` and `phone`."""
_NUMBER = (_("编辑"), _("重填电话号码"), TypeText("{phone}", into=NUMBER), _("保存"))
_COMPANY = (_("编辑"), TypeText("{company}", into=data.COMPANY), _("保存"))
_EVENT = (
    _("新建日程"),
    TypeText(_("{contact}生日"), into=_("标题")),
    _("日期"),
    "{day}",
    SetWheel(HOUR, "9"),
    _("保存"),
)
_SENTENCE = (TypeText(_("{day}9点{contact}生日"), into=_("一句话新建日程")), _("新建"))

GOALS = (
    goal(
        "add_contact",
        _("新建联系人{name}，电话{phone}"),
        _("把{phone}存成{name}"),
        _("存一下{name}的电话{phone}"),
        _("通讯录里加上{name}，号码是{phone}"),
        CONTACTS.way("plus", *NEW_CONTACT),
        CONTACTS.shortcut(*NEW_CONTACT),
        CONTACTS.voice(_("新建联系人{name}，电话{phone}")),
        cases=_list_new_cases,
        rule=CONTACTS.has("people", name="name", phone="phone"),
    ),
    goal(
        "change_number",
        _("{contact}换号了，改成{phone}"),
        _("把{contact}的电话改成{phone}"),
        _("更新{contact}的号码为{phone}"),
        _("{contact}的手机号现在是{phone}"),
        *PERSON.page_ways("browse", _("把{contact}的电话改成{phone}"), *_NUMBER, held=True),
        cases=_list_number_cases,
        rule=CONTACTS.has("people", name="contact", phone="phone"),
    ),
    goal(
        "set_company",
        _("给{contact}的联系人资料填上公司{company}"),
        _("{contact}在{company}上班，记到联系人里"),
        _("把{contact}的公司写成{company}"),
        _("联系人{contact}备注公司为{company}"),
        *PERSON.page_ways("browse", _("{contact}的公司是{company}"), *_COMPANY, held=True),
        cases=lambda seed: [
            {"contact": one["name"], "company": company}
            for one in CONTACTS.fresh(seed)["people"]
            for company in data.COMPANIES
            if not one["company"]
        ],
        rule=CONTACTS.has("people", name="contact", company="company"),
    ),
    goal(
        "star_contact",
        _("收藏联系人{contact}"),
        _("把{contact}加到常用联系人"),
        _("{contact}设为收藏联系人"),
        _("将{contact}放进联系人收藏"),
        *PERSON.page_ways("browse", _("收藏{contact}"), _("收藏"), held=True),
        CONTACTS.way("favourites", _("常用", "contacts"), _("添加常用联系人"), "{contact}"),
        **PERSON.marked(starred=True),
    ),
    goal(
        "set_group",
        _("把{contact}移到{group}分组"),
        _("将{contact}的联系人分组改为{group}"),
        _("{contact}归到{group}那一组"),
        _("给{contact}设置分组{group}"),
        *PERSON.menu_ways(_("把{contact}移到{group}"), _("移到分组"), "{group}"),
        **PERSON.moved("group", data.GROUPS),
    ),
    goal(
        "set_tone",
        _("把{contact}的来电铃声换成{tone}"),
        _("{contact}打来用{tone}这个铃声"),
        _("给{contact}单独设铃声{tone}"),
        _("将{contact}的铃声设为{tone}"),
        *PERSON.menu_ways(_("{contact}的铃声换成{tone}"), _("来电铃声"), "{tone}"),
        **PERSON.moved("tone", data.TONES[1:]),
    ),
    goal(
        "block_contact",
        _("把{contact}拉黑"),
        _("将{contact}加入黑名单"),
        _("不想再接{contact}的电话，拉进黑名单"),
        _("屏蔽联系人{contact}"),
        *PERSON.menu_ways(_("拉黑{contact}"), _("加入黑名单")),
        **PERSON.marked(blocked=True),
    ),
    goal(
        "delete_contact",
        _("删除联系人{contact}"),
        _("把{contact}从通讯录删掉"),
        _("{contact}的号码不用留了"),
        _("通讯录里删了{contact}"),
        *PERSON.menu_ways(_("删除{contact}"), _("删除联系人"), _("删除")),
        **PERSON.deleted(),
    ),
    goal(
        "share_card",
        _("把{contact}的名片发给{friend}"),
        _("将{contact}的联系方式用聊天发给{friend}"),
        _("{friend}要{contact}的电话，发张名片"),
        _("给{friend}发一下{contact}的名片"),
        *PERSON.menu_ways(_("把名片{contact}发给{friend}"), _("分享名片"), _("聊天"), "{friend}"),
        cases=_list_card_cases,
        rule=_is_card_sent,
    ),
    goal(
        "birthday_to_calendar",
        _("把{contact}的生日加到日历"),
        _("日历里记上{contact}的生日"),
        _("{contact}的生日别忘了，建个日程"),
        _("看看{contact}哪天生日，记进日历"),
        *PERSON.page_ways("page", _("{contact}的生日加到日历"), _("生日加到日历")),
        CONTACTS.way("copied", "{contact}", Open(CALENDAR), *_EVENT),
        CONTACTS.way("sentence", "{contact}", Open(CALENDAR), *_SENTENCE),
        cases=_list_birthday_cases,
        rule=_is_in_calendar,
    ),
    goal(
        "ask_birthday",
        _("{contact}的生日是哪天"),
        _("{contact}哪天过生日"),
        _("通讯录里查一下{contact}的生日"),
        _("{contact}几月几号生日"),
        *_SEE,
        cases=_list_birthday_cases,
        question=asks("date", lambda view: _shown(view)["birthday"]),
    ),
    goal(
        "ask_number",
        _("{contact}的电话号码是多少"),
        _("查一下{contact}的手机号"),
        _("告诉我{contact}的号码"),
        _("通讯录里{contact}的电话是多少"),
        *_SEE,
        cases=PERSON.each(),
        question=asks("phone", lambda view: _shown(view)["phone"]),
    ),
)
