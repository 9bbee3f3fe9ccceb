"""The chat app's pages, except those of a conversation, and the handlers of their taps."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from simulated_phone import voice
from simulated_phone.app_definition import Handler, PageFunction, PageView, State, choose
from simulated_phone.apps.chat import conversation
from simulated_phone.apps.chat.conversation import add_message, find_conversation, mark_conversation
from simulated_phone.apps.chat.data import MOMENT, SEARCH, Contact, contacts
from simulated_phone.handler_context import HandlerContext
from simulated_phone.screens.layout import Card, RowLayout
from simulated_phone.screens.lists import Cover, Heading, ListRow, SearchBar, Tab
from simulated_phone.screens.nodes import action_ref
from simulated_phone.screens.pages import AppPage, Sheet
from simulated_phone.screens.theme import GREY, PAPER
from simulated_phone.screens.widgets import Button, Field, Icon, Space, Text, Widget

ACCENT = "#1aa260"


def _tabs(chosen: str) -> list[Tab]:
    tabs = (
        ("talks", "消息", "chat"),
        ("book", "通讯录", "person"),
        ("discover", "发现", "compass"),
        ("me", "我", "heart"),
    )
    return [
        Tab(text=text, glyph=glyph, tap=action_ref("tab", page=page), chosen=page == chosen)
        for page, text, glyph in tabs
    ]


def _icons() -> list[Icon]:
    return [Icon("search", "搜索", action_ref("open_search")), Icon("mic", "语音", voice.LISTEN)]


def _pinned_first(state: State) -> list[dict[str, Any]]:
    return sorted(state["talks"], key=lambda talk: not talk["pinned"])


def _contact(seed: int, name: str) -> Contact:
    return next(contact for contact in contacts(seed) if contact.name == name)


# ---- pages


def _conversations_page(view: PageView) -> AppPage:
    rows = [_conversation_row(talk) for talk in _pinned_first(view.state)]
    return AppPage(
        title="消息", back=False, actions=_icons(), body=rows, tabs=_tabs("talks"), background=PAPER
    )


def _conversation_row(talk: dict[str, Any]) -> ListRow:
    last: dict[str, Any] = {"mine": False, "text": "", "fen": 0}
    last = talk["said"][-1] if talk["said"] else last
    words = ("[转账] " if last["fen"] else "") + last["text"]
    marks = "、".join(word for word, on in (("置顶", talk["pinned"]), ("免打扰", talk["muted"])) if on)
    return ListRow(
        talk["name"],
        f"我：{words}" if last["mine"] else words or "没有消息",
        leading=Cover(talk["name"], room=48),
        trailing=marks or None,
        tap=action_ref("open_talk", contact=talk["name"]),
        hold=action_ref("go", page="talk_menu", contact=talk["name"]),
    )


def _conversation_menu_sheet(view: PageView) -> Sheet:
    talk = find_conversation(view.state, view.arguments["contact"])
    lines = (
        ("取消置顶" if talk["pinned"] else "置顶聊天", "flag", "pinned"),
        ("取消免打扰" if talk["muted"] else "消息免打扰", "bell", "muted"),
    )
    rows = [
        ListRow(
            text,
            leading=Icon(glyph, size=20, room=40),
            lead=36,
            tap=action_ref("mark_held", contact=talk["name"], mark=mark),
        )
        for text, glyph, mark in lines
    ]
    return Sheet(title=talk["name"], body=rows)


def _book_page(view: PageView) -> AppPage:
    body: list[Widget] = []
    for words, group in (("联系人", False), ("群聊", True)):
        body.append(Heading(words))
        body += [_contact_row(one) for one in contacts(view.seed) if one.group is group]
    return AppPage(
        title="通讯录", back=False, actions=_icons(), body=body, tabs=_tabs("book"), background=PAPER
    )


def _contact_row(contact: Contact) -> ListRow:
    return ListRow(
        contact.name,
        leading=Cover(contact.name, room=44),
        lead=44,
        tap=action_ref("profile", contact=contact.name),
    )


def _profile_page(view: PageView) -> AppPage:
    contact = _contact(view.seed, view.arguments["contact"])
    surface = Cover(contact.name, room=64, radius=12)
    words = "群聊" if contact.group else f"账号：{contact.number}"
    head = ListRow(contact.name, words, leading=surface, lead=64, size=20, bold=True)
    buttons: list[Widget] = [Button("发消息", action_ref("open_talk", contact=contact.name), glyph="chat")]
    if not contact.group:
        buttons.append(
            Button("转账", action_ref("give_to", contact=contact.name), style="tonal", glyph="wallet")
        )
    return AppPage(title="资料", body=[Space(6), Card([head], margin=12)], gap=10, footer=buttons)


def _search_page(view: PageView) -> AppPage:
    word = view.fields.get("query", "").strip()
    found = [one for one in contacts(view.seed) if word and word in one.name]
    rows: list[Widget] = [
        ListRow(
            one.name,
            "群聊" if one.group else "联系人",
            leading=Cover(one.name, room=48),
            tap=action_ref("open_talk", contact=one.name),
        )
        for one in found
    ]
    if not rows:
        rows = [Space(60), Text("没有找到" if word else "输入名字搜索", color=GREY, align="center")]
    bar = SearchBar(Field("query", SEARCH, glyph="search", enter="搜索"))
    return AppPage(title="搜索", header=[bar], body=rows, background=PAPER)


def _discover_page(view: PageView) -> AppPage:
    rows = [
        ListRow(
            "朋友圈", leading=_glyph("camera"), lead=36, trailing="›", tap=action_ref("go", page="moments")
        ),
        ListRow("附近的人", leading=_glyph("location"), lead=36, trailing="未开启"),
        ListRow("小游戏", leading=_glyph("star"), lead=36, trailing="敬请期待"),
    ]
    body = [Space(6), Card(rows, pad=2, margin=12, gap=0)]
    return AppPage(title="发现", back=False, actions=_icons(), body=body, tabs=_tabs("discover"))


def _glyph(name: str) -> Icon:
    return Icon(name, size=22, color=ACCENT, room=40)


def _moments_page(view: PageView) -> AppPage:
    cards = []
    for number, moment in enumerate(view.state["moments"]):
        like = Icon(
            "heart" if moment["liked"] else "heart_line",
            "取消赞" if moment["liked"] else "赞",
            action_ref("like", number=number),
            size=20,
            color=ACCENT,
        )
        head = ListRow(moment["name"], leading=Cover(moment["name"], room=44), lead=44, bold=True, pad=0)
        words = Text(moment["text"], lines=4, size=16)
        when = "刚刚" if moment["name"] == "我" else "昨天"
        cards.append(
            Card([head, words, RowLayout([Text(when, size=13, color=GREY), like], [None, 44])], margin=12)
        )
    add = Icon("camera", "发动态", action_ref("write_moment"))
    return AppPage(title="朋友圈", actions=[add], body=[Space(4), *cards], gap=10)


def _post_page(view: PageView) -> AppPage:
    field = Field("text", MOMENT, submit=action_ref("post"), enter="发表", room=64)
    seen = ListRow("谁可以看", trailing="公开", leading=_glyph("eye"), lead=36, pad=0)
    return AppPage(
        title="发表文字",
        body=[Space(8), field, Space(8), seen],
        pad=16,
        footer=[Button("发表", action_ref("post"))],
        background=PAPER,
    )


def _me_page(view: PageView) -> AppPage:
    surface = Cover("我", glyph="person", room=64, radius=12)
    rows = [
        ListRow(
            "我的朋友圈", leading=_glyph("image"), lead=36, trailing="›", tap=action_ref("go", page="moments")
        ),
        ListRow("钱包", leading=_glyph("wallet"), lead=36, trailing="余额 ¥2680"),
        ListRow("收藏", leading=_glyph("star"), lead=36, trailing="暂无"),
    ]
    who = Card([ListRow("我", "账号：id_000001", leading=surface, lead=64, size=20, bold=True)], margin=12)
    body = [Space(6), who, Card(rows, pad=2, margin=12, gap=0)]
    return AppPage(title="我", back=False, body=body, gap=10, tabs=_tabs("me"))


# ---- handlers of taps


def _open_conversation(context: HandlerContext, contact: str) -> None:
    context.unfocus()
    context.go("talk", contact=contact)


def _profile(context: HandlerContext, contact: str) -> None:
    context.go("profile", contact=contact)


def _open_search(context: HandlerContext) -> None:
    context.go("search")
    context.focus("query")


def _give_to(context: HandlerContext, contact: str) -> None:
    context.go("give", contact=contact)
    context.focus("yuan")


def _mark_held(context: HandlerContext, contact: str, mark: str) -> None:
    context.back()
    mark_conversation(context, contact, mark)


def _like(context: HandlerContext, number: int) -> None:
    moment = context.state["moments"][number]
    moment["liked"] = not moment["liked"]
    context.fact("moment_liked", name=moment["name"], on=moment["liked"])


def _write_moment(context: HandlerContext) -> None:
    context.go("post")
    context.focus("text")


def _post(context: HandlerContext) -> None:
    text = context.field("text").strip()
    if not text:
        context.toast("说点什么吧")
        return
    _add_moment(context, text)
    context.root("discover")
    context.go("moments")


def _add_moment(context: HandlerContext, text: str) -> None:
    context.state["moments"].insert(0, {"name": "我", "text": text, "liked": False})
    context.fact("moment_posted", text=text)
    context.toast("已发表")


def _understand(context: HandlerContext, phrase: str) -> bool:
    """Act on a phrase: post a moment; send money or a text to a contact; pin or mute the conversation."""
    if moment := re.match("发(?:个|条)?(?:朋友圈|动态)[：:，, ]*(.+)", phrase):
        _add_moment(context, moment[1])
        return True
    name = choose(phrase, [contact.name for contact in contacts(context.seed)])
    if name is None or name not in phrase:
        return False
    message = phrase.replace(name, "", 1)
    yuan = re.search(r"转(?:账)?(\d+)", voice.with_digits(message))
    text = re.search("(?:发消息说|发消息|发|说|告诉)[：:，, ]*(.+)", message)
    mark = "pinned" if "置顶" in message else "muted" if "免打扰" in message else ""
    if text and message.startswith(("给", "告诉", "跟", "发")):
        add_message(context, name, text[1])
        context.go("talk", contact=name)
    elif yuan and 0 < int(yuan[1]) <= 10_000 and not _contact(context.seed, name).group:
        context.go("pay", contact=name, fen=100 * int(yuan[1]))
    elif mark:
        if not find_conversation(context.state, name)[mark]:
            mark_conversation(context, name, mark)
        context.toast("设置好了")
    else:
        context.go("talk", contact=name)
    return True


PAGES: Mapping[str, PageFunction] = MappingProxyType(
    {
        "talks": _conversations_page,
        "talk_menu": _conversation_menu_sheet,
        "book": _book_page,
        "profile": _profile_page,
        "search": _search_page,
        "discover": _discover_page,
        "moments": _moments_page,
        "post": _post_page,
        "me": _me_page,
        **conversation.PAGES,
        "voice": voice.page("给妈妈发我到了", "发朋友圈周末愉快"),
    }
)

HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {
        "open_talk": _open_conversation,
        "profile": _profile,
        "open_search": _open_search,
        "give_to": _give_to,
        "mark_held": _mark_held,
        "like": _like,
        "write_moment": _write_moment,
        "post": _post,
        **conversation.HANDLERS,
        **voice.handlers(_understand),
    }
)
