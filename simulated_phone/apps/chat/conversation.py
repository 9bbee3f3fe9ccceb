"""A conversation: its pages (bubbles, info, transfer) and the handlers of their taps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from simulated_phone.app_definition import Handler, PageFunction, PageView, State
from simulated_phone.apps.chat.data import AMOUNT, MESSAGE, contacts
from simulated_phone.handler_context import HandlerContext
from simulated_phone.payment import money, pay_page
from simulated_phone.screens import fonts
from simulated_phone.screens.layout import Card, RowLayout
from simulated_phone.screens.lists import Cover, ListRow, switch_row
from simulated_phone.screens.nodes import Fill, Mark, Node, PixelBox, Words, action_ref
from simulated_phone.screens.pages import AppPage, Sheet
from simulated_phone.screens.theme import GREY, INK, PAPER, Theme
from simulated_phone.screens.widgets import LAYOUT, TEXT, Button, Field, Icon, Space, Text, Widget

LATEST = 7
"""Number of messages of a conversation that are shown at first."""
MAX_YUAN = 10_000


@dataclass(frozen=True, slots=True)
class Bubble:
    """A message: sender's picture and text on a plate, at the right if the phone's owner sent it."""

    name: str
    text: str
    mine: bool
    fen: int = 0

    def _words(self, look: Theme, width: int) -> tuple[tuple[str, ...], int]:
        size = look.px(16)
        room = width - look.px(150)
        lines = fonts.wrap(self.text, size, room, 6)
        return lines, max(fonts.text_width(line, size) for line in lines)

    def height(self, width: int, look: Theme) -> int:
        """Height in px of the text lines and the plate around them."""
        lines, _ = self._words(look, width)
        under = look.px(18) if self.fen else 0
        return max(look.px(44), len(lines) * fonts.line_height(look.px(16)) + look.px(20) + under)

    def place(self, box: PixelBox, look: Theme) -> Node:
        """Lay out the sender's picture and the plate."""
        _, wide = self._words(look, box.width)
        side, gap, pad = look.px(40), look.px(8), look.px(12)
        wide = max(wide + 2 * pad + 2, look.px(150) if self.fen else 0)
        if self.mine:
            surface = PixelBox(box.right - side, box.top, box.right, box.top + side)
            plate = PixelBox(surface.left - gap - wide, box.top, surface.left - gap, box.bottom)
        else:
            surface = PixelBox(box.left, box.top, box.left + side, box.top + side)
            plate = PixelBox(surface.right + gap, box.top, surface.right + gap + wide, box.bottom)
        cover = Cover("我" if self.mine else self.name, room=40).place(surface, look)
        return Node(box=box, kind=LAYOUT, children=(cover, self._plate(plate, look)))

    def _plate(self, plate: PixelBox, look: Theme) -> Node:
        color = "#f2994a" if self.fen else "#95e57c" if self.mine else PAPER
        ink = PAPER if self.fen else INK
        at = plate.inset(look.px(12), look.px(10))
        if self.fen:
            at = at._replace(bottom=at.bottom - look.px(18))
        size = look.px(16)
        marks: list[Mark] = [
            Fill(box=plate, color=color, radius=look.px(8)),
            Words(box=at, text=self.text, size=size, color=ink, lines=6),
        ]
        if self.fen:
            low = at._replace(top=at.bottom, bottom=plate.bottom - look.px(6))
            marks.append(Words(box=low, text="转账", size=look.px(12), color=ink))
        return Node(box=plate, kind=TEXT, text=self.text, view_id="bubble", marks=tuple(marks))


def find_conversation(state: State, name: str) -> dict[str, Any]:
    """The conversation with that person or group."""
    talks: list[dict[str, Any]] = state["talks"]
    return next(talk for talk in talks if talk["name"] == name)


# ---- pages


def _conversation_page(view: PageView) -> AppPage:
    name = view.arguments["contact"]
    messages = find_conversation(view.state, name)["said"]
    shown = messages if view.arguments.get("all") else messages[-LATEST:]
    body: list[Widget] = [Space(6)]
    if len(shown) < len(messages):
        earlier = Text("查看更早的消息", size=13, color=GREY, align="center", tap=action_ref("set", all=True))
        body += [earlier, Space(4)]
    body += [Bubble(name, line["text"], line["mine"], line["fen"]) for line in shown]
    field = Field("message", MESSAGE, submit=action_ref("send"), enter="发送")
    more = Icon("add", "更多功能", action_ref("go", page="more", contact=name))
    return AppPage(
        title=name,
        actions=[Icon("more", "聊天信息", action_ref("go", page="info", contact=name))],
        body=body,
        gap=12,
        pad=12,
        footer=[RowLayout([field, more, Button("发送", action_ref("send"), room=44)], [None, 44, 72], gap=6)],
        background="#eeeff3",
    )


def _more_sheet(view: PageView) -> Sheet:
    name = view.arguments["contact"]
    rows = [ListRow("位置", leading=_glyph("location"), lead=36, tap=action_ref("send_place", contact=name))]
    if not any(one.group for one in contacts(view.seed) if one.name == name):
        pay = action_ref("give", contact=name)
        rows.insert(0, ListRow("转账", leading=_glyph("wallet"), lead=36, tap=pay))
    return Sheet(title="更多功能", body=rows)


def _glyph(name: str) -> Icon:
    return Icon(name, size=20, room=40)


def _info_page(view: PageView) -> AppPage:
    talk = find_conversation(view.state, view.arguments["contact"])
    name = talk["name"]
    switches = [
        switch_row("消息免打扰", on=talk["muted"], tap=action_ref("mark", contact=name, mark="muted")),
        switch_row("置顶聊天", on=talk["pinned"], tap=action_ref("mark", contact=name, mark="pinned")),
    ]
    head = ListRow(
        name, leading=Cover(name, room=48), bold=True, tap=action_ref("profile", contact=name), trailing="›"
    )
    clear = Button("清空聊天记录", action_ref("clear", contact=name), style="outline")
    return AppPage(
        title="聊天信息",
        body=[
            Space(6),
            Card([head], pad=2, margin=12),
            Card(switches, pad=2, margin=12, gap=0),
            RowLayout([clear], pad=12),
        ],
        gap=12,
    )


def _give_page(view: PageView) -> AppPage:
    name = view.arguments["contact"]
    return AppPage(
        title="转账",
        body=[
            Space(20),
            RowLayout([Space(1), Cover(name, room=64, radius=12), Space(1)], [None, 64, None]),
            Text(f"转账给 {name}", align="center", color=GREY),
            Space(10),
            Text("转账金额", bold=True),
            Field("yuan", AMOUNT, submit=action_ref("next"), enter="下一步", room=56),
        ],
        gap=8,
        pad=24,
        footer=[Button("下一步", action_ref("next"))],
        background=PAPER,
    )


def _pay_page(view: PageView) -> AppPage:
    name, fen = view.arguments["contact"], view.arguments["fen"]
    return pay_page(fen=fen, payee=f"转账给 {name}", method=view.arguments.get("method", ""))


# ---- handlers of taps


def add_message(context: HandlerContext, name: str, text: str, fen: int = 0) -> None:
    """Add a message of the phone's owner; the conversation becomes the latest."""
    talk = find_conversation(context.state, name)
    talk["said"].append({"mine": True, "text": text, "fen": fen})
    context.state["talks"].remove(talk)
    context.state["talks"].insert(0, talk)
    context.fact("sent", contact=name, text=text, fen=fen)


def mark_conversation(context: HandlerContext, contact: str, mark: str) -> None:
    """Switch the mark ("pinned" or "muted") of a conversation on or off."""
    talk = find_conversation(context.state, contact)
    talk[mark] = not talk[mark]
    context.fact("talk_marked", contact=contact, mark=mark, on=talk[mark])


def _send(context: HandlerContext) -> None:
    text = context.field("message").strip()
    if text:
        add_message(context, context.arguments["contact"], text)
        context.fill("message", "")
    else:
        context.toast("不能发送空白消息")


def _send_place(context: HandlerContext, contact: str) -> None:
    context.back()
    add_message(context, contact, "[位置] 创新大厦 B 座")


def _give(context: HandlerContext, contact: str) -> None:
    context.replace("give", contact=contact)
    context.focus("yuan")


def _next(context: HandlerContext) -> None:
    text = context.field("yuan").strip()
    if text.isascii() and text.isdecimal() and 0 < int(text) <= MAX_YUAN:
        context.unfocus()
        context.go("pay", contact=context.arguments["contact"], fen=100 * int(text))
    else:
        context.toast(f"请输入 1 到 {MAX_YUAN} 的整数")


def _pay(context: HandlerContext) -> None:
    name, fen = context.arguments["contact"], context.arguments["fen"]
    add_message(context, name, money(fen), fen)
    context.root("talks")
    context.go("talk", contact=name)
    context.toast("转账成功")


def _clear(context: HandlerContext, contact: str) -> None:
    find_conversation(context.state, contact)["said"] = []
    context.fact("talk_cleared", contact=contact)
    context.toast("已清空")


PAGES: Mapping[str, PageFunction] = MappingProxyType(
    {
        "talk": _conversation_page,
        "more": _more_sheet,
        "info": _info_page,
        "give": _give_page,
        "pay": _pay_page,
    }
)
HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {
        "send": _send,
        "send_place": _send_place,
        "mark": mark_conversation,
        "give": _give,
        "next": _next,
        "pay": _pay,
        "clear": _clear,
    }
)
