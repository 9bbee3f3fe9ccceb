"""Chat: the pages, except those of a conversation, the handlers of their taps, and the app."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from simulated_phone.goals.app_definition import App, PageView, Shortcut
from simulated_phone.language.language import messages
from simulated_phone.machine.handler_context import HandlerContext
from simulated_phone.screens.layouts.layout import Card, RowLayout
from simulated_phone.screens.layouts.lists import Badged, Cover, Heading, ListRow, Tab
from simulated_phone.screens.layouts.widgets import Button, Field, Icon, Space, Text, Widget
from simulated_phone.screens.nodes import ActionRef, action_ref
from simulated_phone.screens.pages import AppPage, Sheet
from simulated_phone.screens.theme import GREY, PAPER

from ... import voice
from ...builders import dialogs, forms, search, tables
from ...builders.checkout import MAX_YUAN
from ...builders.likes import heart
from ...builders.list_parts import empty, panel
from ...builders.records import named
from ...builders.tabs import bottom_tabs
from ...builders.taps import go, write
from ...goals.acquaintances import Contact, contacts
from . import conversation, data
from .conversation import add_message, find_conversation, open_talk
from .data import ACCENT, SEARCH
from .goals import GOALS

_ = messages(__name__)

ICONS = (Icon("search", search.SEARCH, search.OPEN_SEARCH), search.MICROPHONE)
TABS = bottom_tabs(
    ("talks", _("消息"), "chat"),
    ("book", _("通讯录"), "person"),
    ("discover", _("发现"), "compass"),
    ("me", _("我"), "heart"),
)
WRITE_MOMENT = write("post", "text")


def _talk(contact: str) -> ActionRef:
    return action_ref("open_talk", contact=contact)


def _tabs(view: PageView, page: str) -> list[Tab]:
    return TABS(page, talks=sum(view.state["unread"].values()))


# ---- pages


def _build_talks_page(view: PageView) -> AppPage:
    pinned_first = sorted(view.state["talks"], key=lambda talk: not talk["pinned"])
    rows = [_build_talk_row(talk, view.state["unread"].get(talk["name"], 0)) for talk in pinned_first]
    return AppPage(
        title=_("消息"), back=False, actions=ICONS, body=rows, tabs=_tabs(view, "talks"), background=PAPER
    )


def _build_talk_row(talk: dict[str, Any], unread: int) -> ListRow:
    last: dict[str, Any] = talk["said"][-1] if talk["said"] else {"mine": False, "text": "", "fen": 0}
    words = (_("[转账] ") if last["fen"] else "") + last["text"]
    marks = _("、").join(
        word for word, on in ((_("置顶"), talk["pinned"]), (_("免打扰"), talk["muted"])) if on
    )
    return ListRow(
        talk["name"],
        _("我：{words}").format(words=words) if last["mine"] else words or _("没有消息"),
        leading=Badged(Cover(talk["name"], subject="face"), unread),
        trailing=marks or None,
        tap=_talk(talk["name"]),
        hold=go("talk_menu", contact=talk["name"]),
    )


def _build_talk_menu_sheet(view: PageView) -> Sheet:
    talk = find_conversation(view.state, view.arguments["contact"])
    lines = [
        (undo if talk[mark] else do, glyph, action_ref("mark", contact=talk["name"], mark=mark))
        for mark, glyph, do, undo in (
            ("pinned", "flag", _("置顶聊天"), _("取消置顶")),
            ("muted", "bell", _("消息免打扰"), _("取消免打扰")),
        )
    ]
    return dialogs.menu(talk["name"], *lines)


def _build_book_page(view: PageView) -> AppPage:
    body: list[Widget] = []
    for words, group in ((_("联系人"), False), (_("群聊"), True)):
        names = [one.name for one in contacts(view.seed) if one.group is group]
        rows = [
            ListRow(name, leading=Cover(name, room=44, subject="face"), tap=go("profile", contact=name))
            for name in names
        ]
        body += [Heading(words), *rows]
    return AppPage(
        title=_("通讯录"), back=False, actions=ICONS, body=body, tabs=_tabs(view, "book"), background=PAPER
    )


def _build_person_row(name: str, words: str, cover: Cover) -> Card:
    return Card([ListRow(name, words, leading=cover, size=20, bold=True)], margin=12)


def _build_profile_page(view: PageView) -> AppPage:
    contact: Contact = named(contacts(view.seed), view.arguments["contact"])
    name = contact.name
    words = _("群聊") if contact.group else _("账号：{number}").format(number=contact.number)
    buttons = [Button(_("发消息"), _talk(name), glyph="chat")]
    if not contact.group:
        buttons.append(Button(_("转账"), write("give", "yuan", contact=name), style="tonal", glyph="wallet"))
    who = _build_person_row(name, words, Cover(name, room=64, radius=12, subject="face"))
    return AppPage(title=_("资料"), body=[Space(6), who], gap=10, footer=buttons)


def _find(view: PageView, word: str) -> Sequence[Widget]:
    return [
        ListRow(
            one.name,
            _("群聊") if one.group else _("联系人"),
            leading=Cover(one.name, subject="face"),
            tap=_talk(one.name),
        )
        for one in contacts(view.seed)
        if word in one.name
    ]


def _build_line(words: str, glyph: str, trailing: str, tap: ActionRef | None = None) -> ListRow:
    icon = Icon(glyph, size=22, color=ACCENT, room=40)
    return ListRow(words, leading=icon, lead=36, trailing=trailing, tap=tap)


def _build_discover_page(view: PageView) -> AppPage:
    lines = panel(
        _build_line(_("朋友圈"), "camera", "›", go("moments")),
        _build_line(_("附近的人"), "location", _("未开启")),
        _build_line(_("小游戏"), "star", _("敬请期待")),
    )
    body = [Space(6), lines]
    return AppPage(title=_("发现"), back=False, actions=ICONS, body=body, tabs=_tabs(view, "discover"))


def _build_moments_page(view: PageView) -> AppPage:
    cards = []
    for number, moment in enumerate(view.state["moments"]):
        name, like = moment["name"], action_ref("like", number=number)
        head = ListRow(name, leading=Cover(name, room=44, subject="face"), bold=True, pad=0)
        when = Text(_("刚刚") if name == _("我") else _("昨天"), size=13, color=GREY)
        foot = RowLayout([when, heart(moment["liked"], like, _("赞"), size=20, color=ACCENT)], [None, 44])
        cards.append(Card([head, Text(moment["text"], lines=4, size=16), foot], margin=12))
    add = Icon("camera", _("发动态"), WRITE_MOMENT)
    return AppPage(title=_("朋友圈"), actions=[add], body=[Space(4), *cards], gap=10)


def _build_post_page(view: PageView) -> AppPage:
    post = action_ref("post")
    field = Field("text", data.MOMENT, submit=post, enter=_("发表"), room=64)
    seen = replace(_build_line(_("谁可以看"), "eye", _("公开")), pad=0)
    body = [Space(8), field, Space(8), seen]
    return AppPage(title=_("发表文字"), body=body, pad=16, footer=[Button(_("发表"), post)], background=PAPER)


def _build_me_page(view: PageView) -> AppPage:
    who = _build_person_row(
        _("我"), _("账号：id_000001"), Cover(_("我"), glyph="person", room=64, radius=12, subject="face")
    )
    lines = panel(
        _build_line(_("我的朋友圈"), "image", "›", go("moments")),
        _build_line(_("钱包"), "wallet", _("余额 ¥2680")),
        _build_line(_("收藏"), "star", _("暂无")),
    )
    return AppPage(title=_("我"), back=False, body=[Space(6), who, lines], gap=10, tabs=_tabs(view, "me"))


# ---- handlers of taps


def _like(context: HandlerContext, number: int) -> None:
    moment = context.state["moments"][number]
    moment["liked"] = not moment["liked"]
    context.fact("moment_liked", name=moment["name"], on=moment["liked"])


def _post(context: HandlerContext) -> None:
    if text := forms.read_typed(context, "text", _("说点什么吧")):
        _add_moment(context, text)
        context.root("discover")
        context.go("moments")


def _add_moment(context: HandlerContext, text: str) -> None:
    context.state["moments"].insert(0, {"name": _("我"), "text": text, "liked": False})
    context.fact("moment_posted", text=text)
    context.toast(_("已发表"))


def _understand(context: HandlerContext, phrase: str) -> bool:
    """Act on a phrase: post a moment; send money or a text to a contact; pin or mute the conversation."""
    if moment := re.match(_("发(?:个|条)?(?:朋友圈|动态)[：:，, ]*(.+)"), phrase):
        _add_moment(context, moment[1])
        return True
    name = voice.find_name(phrase, [contact.name for contact in contacts(context.seed)])
    if name is None:
        return False
    message = phrase.replace(name, "", 1)
    yuan = re.search(_(r"转(?:账)?(\d+)"), voice.write_digits(message))
    text = re.search(_("(?:发消息说|发消息|发|说|告诉)[：:，, ]*(.+)"), message)
    mark = (
        "pinned"
        if voice.says(message, _("置顶", "said"))
        else "muted"
        if voice.says(message, _("免打扰", "said"))
        else ""
    )
    if text and voice.says(message, _("^(给|告诉|跟|发)", "said")):
        add_message(context, name, text[1])
        open_talk(context, name)
    elif yuan and 0 < int(yuan[1]) <= MAX_YUAN and not named(contacts(context.seed), name).group:
        context.go("pay", contact=name, fen=100 * int(yuan[1]))
    elif mark:
        if not find_conversation(context.state, name)[mark]:
            conversation.mark(context, name, mark)
        context.toast(_("设置好了"))
    else:
        open_talk(context, name)
    return True


CHAT = App(
    package=data.PACKAGE,
    activity=".ChatActivity",
    label=data.LABEL,
    english="Chat",
    glyph="chat",
    color=ACCENT,
    initial=data.make_state,
    home="talks",
    pages={
        **tables.pages_of(__name__),
        **conversation.PAGES,
        "search": search.search_page(
            SEARCH,
            _find,
            empty(_("没有找到"), space=60),
            lambda view: empty(_("输入名字搜索"), space=60),
            mic=False,
        ),
        "voice": voice.page(_("给妈妈发我到了"), _("发朋友圈周末愉快")),
    },
    handlers={
        **tables.handlers(_like, _post),
        **conversation.HANDLERS,
        **voice.handlers(_understand),
    },
    shortcuts=(
        Shortcut(text=search.SEARCH, glyph="search", tap=search.OPEN_SEARCH),
        Shortcut(text=_("发动态"), glyph="camera", tap=WRITE_MOMENT),
    ),
    goals=GOALS,
    position=11,
    hours=(9, 12, 19, 20),
    seen=("unread",),
    badge=lambda state: sum(state["unread"].values()),
)
