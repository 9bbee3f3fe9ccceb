"""A conversation: its pages (bubbles, info, transfer) and the handlers of their taps."""

from __future__ import annotations

from typing import Any

from simulated_phone.goals.app_definition import PageView, State
from simulated_phone.language.language import messages
from simulated_phone.machine.handler_context import HandlerContext
from simulated_phone.screens.layouts.layout import RowLayout
from simulated_phone.screens.layouts.lists import Cover, ListRow, switch_row
from simulated_phone.screens.layouts.widgets import Button, Field, Icon, Space, Text, Widget
from simulated_phone.screens.nodes import action_ref
from simulated_phone.screens.pages import AppPage, Sheet
from simulated_phone.screens.theme import BACKGROUND, GREY, PAPER

from ...builders import dialogs, forms, tables
from ...builders.bubbles import Bubble
from ...builders.checkout import build_amount_page, build_pay_page, money, read_fen
from ...builders.list_parts import panel
from ...builders.records import latest, record
from ...builders.taps import change, go
from ...goals.acquaintances import contacts
from .data import AMOUNT, MESSAGE

_ = messages(__name__)

LATEST = 7
"""Number of messages of a conversation that are shown at first."""


def find_conversation(state: State, name: str) -> dict[str, Any]:
    """The conversation with that person or group."""
    return record(state["talks"], name, "name")


# ---- pages


def _build_talk_page(view: PageView) -> AppPage:
    name = view.arguments["contact"]
    messages = find_conversation(view.state, name)["said"]
    shown = messages if view.arguments.get("all") else messages[-LATEST:]
    body: list[Widget] = [Space(6)]
    if len(shown) < len(messages):
        earlier = Text(_("查看更早的消息"), size=13, color=GREY, align="center", tap=change(all=True))
        body += [earlier, Space(4)]
    body += [Bubble(name, line["text"], line["mine"], line["fen"]) for line in shown]
    send = action_ref("send")
    field, more = Field("message", MESSAGE, submit=send, enter=_("发送")), go("more", contact=name)
    keys = [field, Icon("add", _("更多功能"), more), Button(_("发送"), send, room=44)]
    return AppPage(
        title=name,
        actions=[Icon("more", _("聊天信息"), go("info", contact=name))],
        body=body,
        gap=12,
        pad=12,
        footer=[RowLayout(keys, [None, 44, 72], gap=6)],
        background=BACKGROUND,
    )


def _build_more_sheet(view: PageView) -> Sheet:
    name = view.arguments["contact"]
    lines = [(_("位置"), "location", action_ref("send_place", contact=name))]
    if not any(one.group for one in contacts(view.seed) if one.name == name):
        lines.insert(0, (_("转账"), "wallet", action_ref("give", contact=name)))
    return dialogs.menu(_("更多功能"), *lines)


def _build_info_page(view: PageView) -> AppPage:
    talk = find_conversation(view.state, view.arguments["contact"])
    name = talk["name"]
    switches = [
        switch_row(words, on=talk[mark], tap=action_ref("mark", contact=name, mark=mark))
        for words, mark in ((_("消息免打扰"), "muted"), (_("置顶聊天"), "pinned"))
    ]
    head = ListRow(
        name, leading=Cover(name, subject="face"), bold=True, tap=go("profile", contact=name), trailing="›"
    )
    clear = Button(_("清空聊天记录"), action_ref("clear", contact=name), style="outline")
    body = [Space(6), panel(head), panel(*switches), RowLayout([clear], pad=12)]
    return AppPage(title=_("聊天信息"), body=body, gap=12)


def _build_give_page(view: PageView) -> AppPage:
    name = view.arguments["contact"]
    return build_amount_page(name, _("转账给 {name}").format(name=name), AMOUNT)


def _build_pay_page(view: PageView) -> AppPage:
    return build_pay_page(
        view, fen=view.arguments["fen"], payee=_("转账给 {contact}").format(contact=view.arguments["contact"])
    )


def _build_share_page(view: PageView) -> AppPage:
    """People to whom something is sent that another app shares."""
    rows = [
        ListRow(
            talk["name"],
            leading=Cover(talk["name"], room=44, subject="face"),
            tap=action_ref("share", contact=talk["name"]),
        )
        for talk in view.state["talks"]
    ]
    what = Text(view.arguments["what"], color=GREY, lines=2)
    return AppPage(title=_("发送给"), header=[RowLayout([what], pad=16)], body=rows, background=PAPER)


# ---- handlers of taps


def open_talk(context: HandlerContext, contact: str) -> None:
    """Open a conversation, all messages of which are read then."""
    context.state["unread"].pop(contact, None)
    context.unfocus()
    context.go("talk", contact=contact)


def _share(context: HandlerContext, contact: str) -> None:
    add_message(context, contact, context.arguments["what"])
    context.root("talks")
    open_talk(context, contact)
    context.toast(_("已发送"))


def add_message(context: HandlerContext, name: str, text: str, fen: int = 0) -> None:
    """Add a message of the phone's owner; the conversation becomes the latest."""
    talk = find_conversation(context.state, name)
    talk["said"].append({"mine": True, "text": text, "fen": fen})
    context.state["talks"] = latest(talk, context.state["talks"])
    context.fact("sent", contact=name, text=text, fen=fen)


def _receive(context: HandlerContext, contact: str, text: str) -> None:
    """Send what another app gives."""
    add_message(context, contact, text)
    context.toast(_("已发送"))


def mark(context: HandlerContext, contact: str, mark: str) -> None:
    """Switch the mark ("pinned" or "muted") of a conversation on or off."""
    context.close("talk_menu")
    talk = find_conversation(context.state, contact)
    talk[mark] = not talk[mark]
    context.fact("talk_marked", contact=contact, mark=mark, on=talk[mark])


def _send(context: HandlerContext) -> None:
    if text := forms.read_typed(context, "message", _("不能发送空白消息")):
        add_message(context, context.arguments["contact"], text)
        context.fill("message", "")


def _send_place(context: HandlerContext, contact: str) -> None:
    context.back()
    add_message(context, contact, _("[位置] 创新大厦 B 座"))


def _give(context: HandlerContext, contact: str) -> None:
    context.replace("give", contact=contact)
    context.focus("yuan")


def _next(context: HandlerContext) -> None:
    fen = read_fen(context)
    if fen is not None:
        context.go("pay", contact=context.arguments["contact"], fen=fen)


def _pay(context: HandlerContext) -> None:
    name, fen = context.arguments["contact"], context.arguments["fen"]
    add_message(context, name, money(fen), fen)
    context.root("talks")
    open_talk(context, name)
    context.toast(_("转账成功"))


def _clear(context: HandlerContext, contact: str) -> None:
    find_conversation(context.state, contact)["said"] = []
    context.fact("talk_cleared", contact=contact)
    context.toast(_("已清空"))


PAGES = tables.pages_of(__name__)
HANDLERS = tables.handlers(open_talk, _send, _send_place, mark, _give, _next, _pay, _clear, _share, _receive)
