"""The messages app: its pages, the handlers of their taps, and the app."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from simulated_phone.goals.app_definition import App, PageView, Shortcut
from simulated_phone.language.language import messages
from simulated_phone.machine.handler_context import HandlerContext
from simulated_phone.screens.layouts.layout import RowLayout
from simulated_phone.screens.layouts.lists import Chips, Cover, ListRow
from simulated_phone.screens.layouts.widgets import Button, Field, Icon, Space, Text, Widget
from simulated_phone.screens.nodes import ActionRef, action_ref
from simulated_phone.screens.pages import AppPage, Sheet
from simulated_phone.screens.theme import BACKGROUND, PAPER, RED

from ... import voice
from ...builders import dialogs, forms, list_parts, other_apps, records, search, tables
from ...builders.bubbles import Bubble
from ...builders.other_apps import CALENDAR, CLOCK, CONTACTS, NOTES, PHONE, give
from ...builders.taps import go
from ...goals.acquaintances import people
from . import data
from .data import ITEMS, SEARCH, TEXT, sms
from .goals import GOALS

_ = messages(__name__)

NEW = go("new")


def _cover(sender: str) -> Cover:
    service = sender in (data.RAILWAY, data.PARCELS, data.BILL, *data.PLACES, *data.ADVERTISERS)
    glyph = "bell" if service else "person" if sender[0].isdecimal() else None
    return Cover(sender, glyph=glyph, room=44, radius=22)


def _build_thread_row(thread: dict[str, Any]) -> ListRow:
    last = thread["said"][-1]
    mark = Text("●", size=12, color=RED, align="right")
    return ListRow(
        thread["sender"],
        _("我：{text}").format(text=last["text"]) if last["mine"] else last["text"],
        leading=_cover(thread["sender"]),
        trailing=(_("置顶") if thread["pinned"] else None) if thread["read"] else mark,
        trail=20,
        bold=not thread["read"],
        tap=action_ref("read", item=thread["id"]),
        hold=ITEMS.menu(thread),
    )


# ---- pages


def _build_home_page(view: PageView) -> AppPage:
    shown = [one for one in view.state["threads"] if not one["blocked"]]
    rows = [_build_thread_row(one) for one in sorted(shown, key=lambda one: not one["pinned"])]
    icons = [
        Icon("check", _("全部已读"), action_ref("read_all")),
        Icon("lock", _("拦截的短信"), go("blocked")),
    ]
    return AppPage(
        title=data.LABEL,
        back=False,
        actions=[*icons, Icon("edit", _("新建短信"), NEW)],
        header=[search.small_pill(SEARCH), Space(6)],
        body=rows,
        background=PAPER,
    )


def _build_blocked_page(view: PageView) -> AppPage:
    rows = [_build_thread_row(one) for one in view.state["threads"] if one["blocked"]]
    return AppPage(
        title=_("拦截的短信"), body=rows or list_parts.empty(_("没有拦截的短信")), background=PAPER
    )


def _find(view: PageView, word: str) -> Sequence[Widget]:
    return [
        _build_thread_row(thread)
        for thread in view.state["threads"]
        if word in thread["sender"] or any(word in line["text"] for line in thread["said"])
    ]


def _build_conversation(sender: str, number: str, lines: Sequence[dict[str, Any]], *icons: Icon) -> AppPage:
    """A conversation, with buttons under messages that other apps can take something from."""
    body: list[Widget] = [Space(6)]
    for line in lines:
        body.append(Bubble(sender, line["text"], line["mine"]))
        if buttons := _list_buttons(line):
            body.append(Chips([(words, tap, False) for words, tap in buttons], pad=48))
    send = action_ref("send")
    keys = [
        Icon("list", _("快捷回复"), go("quick", name=sender, number=number)),
        Field("text", TEXT, submit=send, enter=_("发送")),
        Button(_("发送"), send, room=44),
    ]
    footer = [RowLayout(keys, [40, None, 72], gap=6)]
    return AppPage(
        title=sender, actions=icons, body=body, gap=12, pad=12, footer=footer, background=BACKGROUND
    )


def _list_buttons(line: dict[str, Any]) -> list[tuple[str, ActionRef]]:
    """List what can be done with a message: words and action."""
    found = []
    if "train" in line:
        label = _("{train} 发车").format(train=line["train"])
        alarm = give(CLOCK, label=label, hour=line["hour"], minute=line["minute"])
        found.append((_("{train} 设闹钟").format(train=line["train"]), alarm))
    if "event" in line:
        found.append((_("加到日历"), give(CALENDAR, **line["event"])))
    if "code" in line:
        found.append((_("记到便签"), give(NOTES, text=_("取件码 {code}").format(code=line["code"]))))
    if "name" in line:
        found.append((_("保存到联系人"), give(CONTACTS, name=line["name"], phone=line["phone"])))
    elif "phone" in line:
        found.append((_("拨打电话"), give(PHONE, name=data.PARCELS, number=line["phone"])))
    return found


def _build_thread_page(view: PageView) -> AppPage:
    thread = ITEMS.shown(view)
    call = Icon("call", _("呼叫"), give(PHONE, name=thread["sender"], number=thread["number"]))
    return _build_conversation(thread["sender"], thread["number"], thread["said"], call, ITEMS.more(thread))


def _build_write_page(view: PageView) -> AppPage:
    """A conversation with somebody to whom nothing may have been written yet."""
    name = view.arguments["name"]
    lines = [line for one in view.state["threads"] if one["sender"] == name for line in one["said"]]
    return _build_conversation(name, view.arguments["number"], lines)


def _build_quick_sheet(view: PageView) -> Sheet:
    who = view.arguments
    rows = [
        ListRow(reply, tap=action_ref("reply", name=who["name"], number=who["number"], text=reply))
        for reply in data.REPLIES
    ]
    return Sheet(title=_("快捷回复"), body=rows)


def _build_people_page(view: PageView, title: str, tap: Any) -> AppPage:  # noqa: ANN401
    rows = [
        ListRow(one.name, one.phone, leading=Cover(one.name, room=44, radius=22), tap=tap(one))
        for one in people(view.seed)
    ]
    return AppPage(title=title, body=rows, background=PAPER)


def _build_new_page(view: PageView) -> AppPage:
    return _build_people_page(
        view,
        _("选择收件人"),
        lambda one: action_ref("instead", page="write", name=one.name, number=one.phone),
    )


def _build_share_page(view: PageView) -> AppPage:
    what = view.arguments["what"]
    return _build_people_page(
        view, _("发送给"), lambda one: action_ref("share", name=one.name, number=one.phone, what=what)
    )


def _build_menu_sheet(view: PageView) -> Sheet:
    thread = ITEMS.shown(view)
    last = thread["said"][-1]["text"]
    return dialogs.menu(
        thread["sender"],
        ITEMS.switch(thread, "pinned", _("置顶", "messages"), _("取消置顶", "messages"), "flag"),
        ITEMS.switch(thread, "read", _("标为已读"), _("标为未读"), "check"),
        (_("转发"), "share", action_ref("instead", page="share", what=last)),
        ITEMS.switch(thread, "blocked", _("加入黑名单"), _("移出黑名单"), "lock"),
        (_("删除会话"), "delete", ITEMS.delete(thread)),
    )


# ---- handlers of taps


def _read(context: HandlerContext, item: int) -> None:
    ITEMS.of(context.state, item)["read"] = True
    context.unfocus()
    context.go("thread", item=item)


def _read_all(context: HandlerContext) -> None:
    for thread in context.state["threads"]:
        thread["read"] = True
    context.toast(_("已全部标为已读"))


def _post(context: HandlerContext, name: str, number: str, text: str) -> None:
    """Send a text; the conversation becomes the first one."""
    threads = context.state["threads"]
    if name not in [one["sender"] for one in threads]:
        marks = {"read": True, "pinned": False, "blocked": False}
        records.save(context.state, "threads", None, {"sender": name, "number": number, "said": [], **marks})
    thread = records.record(threads, name, "sender")
    thread["said"].append(sms(text, mine=True))
    context.state["threads"] = records.latest(thread, threads)
    context.fact("sent", contact=name, text=text)


def _find_addressee(context: HandlerContext) -> tuple[str, str]:
    if "item" in context.arguments:
        thread = ITEMS.of(context.state, context.arguments["item"])
        return thread["sender"], thread["number"]
    return context.arguments["name"], context.arguments["number"]


def _send(context: HandlerContext) -> None:
    if text := forms.read_typed(context, "text", _("短信是空的")):
        _post(context, *_find_addressee(context), text)
        context.fill("text", "")


def _reply(context: HandlerContext, name: str, number: str, text: str) -> None:
    context.back()
    _post(context, name, number, text)


def _share(context: HandlerContext, name: str, number: str, what: str) -> None:
    _post(context, name, number, what)
    context.root("home")
    context.toast(_("已发送"))


def _numbers(context: HandlerContext) -> dict[str, str]:
    return {one.name: one.phone for one in people(context.seed)}


def _forward(context: HandlerContext, item: int, name: str) -> None:
    _post(context, name, _numbers(context)[name], ITEMS.of(context.state, item)["said"][-1]["text"])


def _press(context: HandlerContext, item: int, word: str) -> None:
    """Do what the buttons under the messages do that hold the word."""
    for line in ITEMS.of(context.state, item)["said"]:
        for words, tap in _list_buttons(line):
            if word in words:
                context.act(data.PACKAGE, tap)


def _answer(context: HandlerContext, item: int, text: str) -> None:
    thread = ITEMS.of(context.state, item)
    _post(context, thread["sender"], thread["number"], text)


def _understand(context: HandlerContext, phrase: str) -> bool:
    """Act on a phrase: write to somebody, or do something with the conversation whose sender it names."""
    known = _numbers(context)
    text = re.match(_(r"给(.+?)发短信(?:说)?[：:，, ]*(.+)"), phrase)
    if text and text[1] in known:
        _post(context, text[1], known[text[1]], text[2])
        context.toast(_("已发送"))
        return True
    return ITEMS.obey(
        context,
        phrase,
        {
            _("删", "said"): ITEMS.remove,
            _("置顶", "said"): {"pinned": True},
            _("屏蔽|拉黑"): {"blocked": True},
            _("转发.*?({values})").format(values="|".join(known)): _forward,
            _(r"(G\d+|拨打|日历|便签|保存)"): _press,
            _("^回复?(.+)"): _answer,
            "": _read,
        },
    )


MESSAGES = App(
    package=data.PACKAGE,
    activity=".ConversationList",
    label=data.LABEL,
    english="Messages",
    glyph="chat",
    color="#3ba55c",
    badge=lambda state: sum(not one["read"] and not one["blocked"] for one in state["threads"]),
    initial=data.make_state,
    pages={
        **tables.pages_of(__name__),
        **ITEMS.pages(),
        "search": search.search_page(SEARCH, _find, list_parts.empty(_("没有找到短信")), mic=False),
        "voice": voice.page(_("给妈妈发短信说我到了"), _("置顶铁路出行")),
    },
    handlers={
        **tables.handlers(_read, _read_all, _send, _reply, _share),
        **ITEMS.handlers(),
        **other_apps.HANDLERS,
        **voice.handlers(_understand),
    },
    shortcuts=(
        Shortcut(text=_("新建短信"), glyph="edit", tap=NEW),
        Shortcut(text=SEARCH, glyph="search", tap=search.OPEN_SEARCH),
    ),
    goals=GOALS,
    seen=("threads.read",),
    hours=(8, 12, 18, 21),
)
