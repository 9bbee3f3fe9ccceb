"""Contacts: the pages, the handlers of their taps, and the app."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby
from typing import Any

from simulated_phone.goals.app_definition import App, PageView, Shortcut
from simulated_phone.language.language import messages
from simulated_phone.machine.handler_context import HandlerContext
from simulated_phone.screens.layouts.layout import Card, ColumnLayout, RowLayout
from simulated_phone.screens.layouts.lists import Cover, Heading, ListRow
from simulated_phone.screens.layouts.widgets import Button, Field, Icon, Space, Text, Widget
from simulated_phone.screens.nodes import ActionRef, action_ref
from simulated_phone.screens.pages import AppPage, Sheet
from simulated_phone.screens.theme import GREY, PAPER

from ... import voice
from ...builders import dialogs, list_parts, other_apps, records, search, tables
from ...builders.other_apps import CALENDAR, give_now
from ...builders.tabs import bottom_tabs, tab_over
from ...builders.taps import go, write
from ...goals.acquaintances import CHAT, spaced
from . import data
from .data import ITEMS, SEARCH, birthday_words, find_letter
from .goals import GOALS

_ = messages(__name__)

TABS = bottom_tabs(
    ("home", _("联系人"), "person"), ("stars", _("常用", "contacts"), "star"), ("groups", _("分组"), "grid")
)
NEW = write("edit", "name", item=None)
FIELDS = {"name": data.NAME, "phone": data.NUMBER, "mail": _("邮箱"), "company": data.COMPANY}


def _build_row(person: dict[str, Any], tap: ActionRef | None = None) -> ListRow:
    marks = _("黑名单") if person["blocked"] else person["group"]
    cover = Cover(person["name"], room=42, radius=21, subject="face")
    return ListRow(
        person["name"],
        leading=cover,
        trailing=marks or None,
        tap=tap or ITEMS.open(person),
        hold=None if tap else ITEMS.menu(person),
    )


# ---- pages


def _build_home_page(view: PageView) -> AppPage:
    people = sorted(view.state["people"], key=lambda one: (find_letter(one["name"]), one["id"]))
    rows: list[Widget] = []
    for first, some in groupby(people, key=lambda one: find_letter(one["name"])):
        rows += [RowLayout([Text(first, size=13, color=GREY)], pad=16), *(_build_row(one) for one in some)]
    add = Icon("add", _("新建联系人"), NEW)
    return AppPage(
        title=data.LABEL,
        back=False,
        actions=[add],
        header=[search.small_pill(SEARCH), Space(6)],
        body=rows,
        tabs=TABS("home"),
        background=PAPER,
    )


def _build_stars_page(view: PageView) -> AppPage:
    rows = [_build_row(one) for one in view.state["people"] if one["starred"]]
    add = Icon("add", _("添加常用联系人"), go("add_star"))
    body = rows or list_parts.empty(_("还没有常用联系人"))
    return AppPage(
        title=_("常用", "contacts"),
        back=False,
        actions=[add],
        body=body,
        tabs=TABS("stars"),
        background=PAPER,
    )


def _build_add_star_page(view: PageView) -> AppPage:
    rows = [
        _build_row(one, ITEMS.put(one, "starred", True, back=1))
        for one in view.state["people"]
        if not one["starred"]
    ]
    return AppPage(title=_("选择联系人"), body=rows, background=PAPER)


def _build_groups_page(view: PageView) -> AppPage:
    body: list[Widget] = []
    for group in data.GROUPS:
        rows = [_build_row(one) for one in view.state["people"] if one["group"] == group]
        body += [Heading(_("{group}（{count}）").format(group=group, count=len(rows))), *rows]
    return AppPage(title=_("分组"), back=False, body=body, tabs=TABS("groups"), background=PAPER)


def _find(view: PageView, word: str) -> Sequence[Widget]:
    return [_build_row(one) for one in view.state["people"] if word in one["name"] or word in one["phone"]]


def _build_person_page(view: PageView) -> AppPage:
    person = ITEMS.shown(view)
    cover = list_parts.centred(Cover(person["name"], room=84, radius=42, subject="face"))
    name = Text(person["name"], size=24, bold=True, align="center")
    company = [Text(person["company"], color=GREY, align="center")] if person["company"] else []
    lines = [
        ListRow(spaced(person["phone"]), _("手机 · 中国大陆"), leading=_glyph("phone"), lead=30),
        ListRow(person["mail"], _("邮箱"), leading=_glyph("mail"), lead=30),
    ]
    to_calendar = Icon("add", _("生日加到日历"), action_ref("birthday", item=person["id"]), size=20)
    more = [
        ListRow(
            birthday_words(person),
            _("生日"),
            leading=_glyph("calendar"),
            lead=30,
            trailing=to_calendar,
            trail=44,
        ),
        ListRow(_("分组"), leading=_glyph("grid"), lead=30, trailing=person["group"] or _("未分组")),
        ListRow(_("来电铃声"), leading=_glyph("music"), lead=30, trailing=person["tone"]),
    ]
    return AppPage(
        title="",
        actions=[
            ITEMS.star(person, _("收藏"), _("取消收藏")),
            Icon("edit", _("编辑"), write("edit", "phone", item=person["id"])),
            ITEMS.more(person),
        ],
        body=[
            cover,
            name,
            *company,
            Space(4),
            _list_buttons(person),
            list_parts.panel(*lines),
            list_parts.panel(*more),
        ],
        gap=10,
    )


def _glyph(name: str) -> Icon:
    return Icon(name, size=20, color=data.ACCENT, room=36)


def _list_buttons(person: dict[str, Any]) -> RowLayout:
    """List what can be done with a person in other apps."""
    who = {"name": person["name"], "number": person["phone"]}
    ways = (
        (_("打电话"), "call", other_apps.give(other_apps.PHONE, **who)),
        (_("发短信"), "chat", other_apps.show(other_apps.MESSAGES, "write", **who)),
        (_("写邮件"), "mail", other_apps.show(other_apps.MAIL, "write", name=person["name"])),
    )
    cards: list[Widget] = [
        Card([_glyph(glyph), Text(words, size=13, align="center")], pad=6, gap=0, tap=tap)
        for words, glyph, tap in ways
    ]
    return RowLayout(cards, pad=12)


def _build_menu_sheet(view: PageView) -> Sheet:
    person = ITEMS.shown(view)
    return dialogs.menu(
        person["name"],
        ITEMS.switch(person, "starred", _("收藏"), _("取消收藏"), "star"),
        (_("编辑"), "edit", action_ref("instead", page="edit", item=person["id"])),
        other_apps.share_line(_("[名片] {name}").format(name=person["name"]), _("分享名片")),
        ITEMS.choose(person, "group", "grid"),
        ITEMS.choose(person, "tone", "music"),
        ITEMS.switch(person, "blocked", _("加入黑名单"), _("移出黑名单"), "lock"),
        (_("删除联系人"), "delete", ITEMS.delete(person)),
    )


def _build_edit_page(view: PageView) -> AppPage:
    new = view.arguments["item"] is None
    start = dict.fromkeys(FIELDS, "") if new else ITEMS.shown(view)
    start = start | {"phone": view.arguments.get("phone", start["phone"])}
    rows = []
    for key, hint in FIELDS.items():
        clear = Icon(
            "close", _("重填{hint}").format(hint=hint), action_ref("clear", key=key), size=16, color=GREY
        )
        rows += [
            RowLayout([Field(key, hint, start=start[key], enter=_("下一项")), clear], [None, 40]),
            Space(8),
        ]
    cover = list_parts.centred(Cover(start["name"] or _("新"), room=72, radius=36))
    return AppPage(
        title=_("新建联系人") if new else _("编辑联系人"),
        body=[Space(6), cover, Space(16), ColumnLayout(rows)],
        pad=18,
        footer=[Button(_("保存"), action_ref("save"))],
        background=PAPER,
    )


# ---- handlers of taps


def _clear(context: HandlerContext, key: str) -> None:
    context.fill(key, "")
    context.focus(key)


def _save(context: HandlerContext) -> None:
    item = context.arguments["item"]
    old = {"phone": context.arguments.get("phone", "")} if item is None else ITEMS.of(context.state, item)
    values = {key: context.field(key, old.get(key, "")).strip() for key in FIELDS}
    values["phone"] = re.sub(r"\D", "", values["phone"])
    others = [one["name"] for one in context.state["people"] if one["id"] != item]
    if not values["name"] or not values["phone"] or values["name"] in others:
        context.toast(_("已有同名联系人") if values["name"] in others else _("请填写姓名和电话号码"))
        return
    if item is None:
        _add(context, values)
    else:
        ITEMS.change(context, item, **values)
    context.back()


def _add(context: HandlerContext, values: dict[str, str]) -> None:
    plain = {"mail": "", "company": "", "group": "", "tone": data.TONES[0], "birthday": "2025-12-31"}
    marks = {"starred": False, "blocked": False}
    records.save(context.state, "people", None, {**plain, **marks, **values})
    context.fact("contact_added", **values)
    context.toast(_("已保存"))


def _receive(context: HandlerContext, name: str, phone: str) -> None:
    """Save a person whom another app names; somebody of that name gets the number."""
    known = [one["id"] for one in context.state["people"] if one["name"] == name]
    if known:
        ITEMS.change(context, known[0], phone=phone)
    else:
        _add(context, {"name": name, "phone": phone})


def _birthday(context: HandlerContext, item: int) -> None:
    person = ITEMS.of(context.state, item)
    give_now(
        context, CALENDAR, title=_("{name}生日").format(name=person["name"]), day=person["birthday"], hour=9
    )


def _build_send_card(context: HandlerContext, phrase: str) -> bool:
    """Send the card of the person named first in chat to the one named last."""
    named = sorted(
        (one["name"] for one in context.state["people"] if one["name"] in phrase), key=phrase.index
    )
    return len(named) > 1 and give_now(
        context, CHAT, contact=named[-1], text=_("[名片] {named}").format(named=named[0])
    )


def _understand(context: HandlerContext, phrase: str) -> bool:
    """Act on a phrase: add somebody, or do something with the person whom it names."""
    if new := re.search(_(r"(?:新建联系人|保存|存)[：:，, ]*(\D+?)[，, ]*(?:电话|号码)?(\d{5,})"), phrase):
        _receive(context, new[1], new[2])
        return True
    if voice.says(phrase, _("名片", "said")):
        return _build_send_card(context, phrase)
    return ITEMS.obey(
        context,
        phrase,
        {
            _("删", "said"): ITEMS.remove,
            _("黑", "said"): {"blocked": True},
            _("收藏", "said"): {"starred": True},
            _("生日", "said"): _birthday,
            r"(\d{5,})": "phone",
            f"({'|'.join(data.TONES)})": "tone",
            f"({'|'.join(data.GROUPS)})": "group",
            _("公司(?:是|为|叫)?(.+)"): "company",
        },
    )


CONTACTS = App(
    package=data.PACKAGE,
    activity=".ContactsActivity",
    label=data.LABEL,
    english="Contacts",
    glyph="person",
    color=data.ACCENT,
    initial=data.make_state,
    pages={
        **tables.pages_of(__name__),
        **other_apps.PAGES,
        **ITEMS.pages(),
        "search": search.search_page(SEARCH, _find, list_parts.empty(_("没有找到联系人")), mic=False),
        "voice": voice.page(_("收藏妈妈"), _("妈妈的生日加到日历")),
    },
    handlers={
        **tables.handlers(_clear, _save, _receive, _birthday),
        **ITEMS.handlers(),
        "tab": tab_over("home"),
        **other_apps.HANDLERS,
        **voice.handlers(_understand),
    },
    shortcuts=(
        Shortcut(text=_("新建联系人"), glyph="add", tap=NEW),
        Shortcut(text=SEARCH, glyph="search", tap=search.OPEN_SEARCH),
    ),
    goals=GOALS,
    hours=(9, 11, 15, 18),
)
