"""The mail app: its pages, the handlers of their taps, and the app."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from simulated_phone.goals.app_definition import App, PageView, Shortcut
from simulated_phone.language.language import messages
from simulated_phone.machine.handler_context import HandlerContext
from simulated_phone.screens.layouts.layout import RowLayout
from simulated_phone.screens.layouts.lists import Chips, Cover, ListRow
from simulated_phone.screens.layouts.widgets import Button, Field, Icon, Space, Text, Widget
from simulated_phone.screens.nodes import ActionRef, action_ref
from simulated_phone.screens.pages import AppPage, Dialog, Sheet
from simulated_phone.screens.theme import GREY, PAPER, RED, WHITE

from ... import voice
from ...builders import dialogs, forms, list_parts, other_apps, records, search, tables
from ...builders.other_apps import CALENDAR, CHAT, CONTACTS, FILES, PHONE, give, give_now, share
from ...builders.taps import go, write
from ...goals.acquaintances import people
from . import data
from .data import INBOX, ITEMS, SEARCH, SENT, make_mail
from .goals import GOALS

_ = messages(__name__)

NEW = go("to")


def _build_row(mail: dict[str, Any]) -> ListRow:
    marks = [*(["★"] if mail["starred"] else []), *([_("附件")] if mail["file"] else [])]
    title = (
        _("{sender}：").format(sender=mail["sender"])
        if mail["folder"] != SENT
        else _("发给{to}：").format(to=mail["to"])
    )
    return ListRow(
        mail["subject"],
        f"{title}{mail['text']}",
        leading=Cover(mail["sender"], room=44, radius=22, subject="face"),
        trailing=" ".join(marks)
        if mail["read"] or marks
        else Text("●", size=12, color=data.ACCENT, align="right"),
        trail=20,
        bold=not mail["read"],
        tap=action_ref("read", item=mail["id"]),
        hold=ITEMS.menu(mail),
    )


# ---- pages


def _build_home_page(view: PageView) -> AppPage:
    folder = view.arguments.get("folder", INBOX)
    rows = [_build_row(mail) for mail in view.state["mails"] if mail["folder"] == folder]
    return AppPage(
        title=folder,
        back=folder != INBOX,
        actions=[Icon("folder", _("文件夹"), go("folders")), Icon("edit", _("写邮件"), NEW)],
        header=[search.small_pill(SEARCH), Space(6)],
        body=rows or list_parts.empty(_("没有邮件"), glyph="mail"),
        background=PAPER,
    )


def _build_folders_page(view: PageView) -> AppPage:
    rows = []
    for folder in (INBOX, SENT, *data.FOLDERS):
        count = sum(mail["folder"] == folder for mail in view.state["mails"])
        icon = Icon("mail" if folder == INBOX else "folder", size=22, color=data.ACCENT, room=40)
        rows.append(
            ListRow(folder, leading=icon, lead=34, trailing=f"{count}›", tap=go("home", folder=folder))
        )
    sign = ListRow(
        _("签名"), trailing=(view.state["signature"] or _("未设置")) + "›", tap=write("sign", "signature")
    )
    return AppPage(
        title=_("文件夹"), body=[Space(6), list_parts.panel(*rows), Space(10), list_parts.panel(sign)]
    )


def _build_sign_dialog(view: PageView) -> Dialog:
    return dialogs.ask_text(_("邮件签名"), "signature", data.SIGNATURE, _("保存签名"), action_ref("sign"))


def _find(view: PageView, word: str) -> Sequence[Widget]:
    return [
        _build_row(mail)
        for mail in view.state["mails"]
        if any(word in mail[key] for key in ("subject", "sender", "text"))
    ]


def _build_mail_page(view: PageView) -> AppPage:
    mail = ITEMS.shown(view)
    head = ListRow(
        mail["sender"],
        _("发给{to}").format(to=mail["to"]),
        leading=Cover(mail["sender"], room=44, radius=22, subject="face"),
        bold=True,
        pad=0,
    )
    body: list[Widget] = [
        Text(mail["subject"], size=21, bold=True, lines=2),
        head,
        Text(mail["text"], size=16, lines=9),
    ]
    if mail["file"]:
        icon = Icon("note", size=22, color=WHITE, plate=RED, square=True, room=44)
        body.append(list_parts.panel(ListRow(mail["file"], _("附件 · 1.2 MB"), leading=icon), margin=0))
    if buttons := _list_buttons(mail):
        body.append(Chips([(words, tap, False) for words, tap in buttons], pad=0))
    send = action_ref("reply", item=mail["id"])
    field = Field("reply", data.REPLY, submit=send, enter=_("发送"))
    return AppPage(
        title="",
        actions=[ITEMS.star(mail, _("加星标"), _("取消星标")), ITEMS.more(mail)],
        body=body,
        gap=12,
        pad=18,
        footer=[RowLayout([field, Button(_("发送"), send, room=44)], [None, 72])],
        background=PAPER,
    )


def _list_buttons(mail: dict[str, Any]) -> list[tuple[str, ActionRef]]:
    """List what other apps can take from a mail: words and action."""
    found = []
    if mail["file"]:
        found += [
            (_("保存附件"), give(FILES, name=mail["file"])),
            (_("分享附件"), share(_("[文件] {file}").format(file=mail["file"]))),
        ]
    if mail["event"]:
        found.append((_("加到日历"), give(CALENDAR, **mail["event"])))
    if mail["phone"]:
        found.append((_("存为联系人"), give(CONTACTS, name=mail["sender"], phone=mail["phone"])))
        found.append((_("拨打电话"), give(PHONE, name=mail["sender"], number=mail["phone"])))
    return found


def _build_menu_sheet(view: PageView) -> Sheet:
    mail = ITEMS.shown(view)
    own = [(words, "flag", tap) for words, tap in _list_buttons(mail) if tap.name == "give"]
    if mail["file"]:
        own.append(other_apps.share_line(_("[文件] {file}").format(file=mail["file"]), _("分享附件")))
    return dialogs.menu(
        mail["subject"],
        (_("回复"), "back", action_ref("answer", item=mail["id"])),
        (_("转发"), "send", action_ref("instead", page="to", item=mail["id"])),
        ITEMS.switch(mail, "starred", _("加星标"), _("取消星标"), "star"),
        *own,
        ITEMS.choose(mail, "folder", "folder"),
        (_("删除邮件"), "delete", ITEMS.delete(mail)),
    )


def _build_people_page(view: PageView, title: str, handler: str, **arguments: Any) -> AppPage:  # noqa: ANN401
    rows = [
        ListRow(
            one.name,
            one.mail,
            leading=Cover(one.name, room=44, radius=22, subject="face"),
            tap=action_ref(handler, name=one.name, **arguments),
        )
        for one in people(view.seed)
    ]
    return AppPage(title=title, body=rows, background=PAPER)


def _build_to_page(view: PageView) -> AppPage:
    """People to whom a new mail, or a mail that is forwarded, goes."""
    if "item" in view.arguments:
        return _build_people_page(view, _("转发给"), "forward", item=view.arguments["item"])
    return _build_people_page(view, _("选择收件人"), "write_to")


def _build_share_page(view: PageView) -> AppPage:
    """People to whom something goes that another app shares."""
    return _build_people_page(view, _("选择收件人"), "write_to", what=view.arguments["what"])


def _build_write_page(view: PageView) -> AppPage:
    what = view.arguments.get("what", "")
    to = ListRow(
        _("收件人"),
        leading=Icon("person", size=20, color=GREY, room=36),
        lead=30,
        trailing=view.arguments["name"],
    )
    body: list[Widget] = [
        list_parts.panel(to, margin=0),
        Field("subject", data.SUBJECT, start=what.partition("] ")[2], enter=_("下一项")),
        Field("text", data.TEXT, room=120),
    ]
    if what:
        icon = Icon("note", size=22, color=WHITE, plate=data.ACCENT, square=True, room=44)
        body.append(list_parts.panel(ListRow(what, _("附件"), leading=icon), margin=0))
    signature = Text(view.state["signature"], color=GREY)
    send = Button(_("发送"), action_ref("send"), glyph="send")
    return AppPage(title=_("写邮件"), body=[*body, signature], gap=12, pad=16, footer=[send])


# ---- handlers of taps

_set_signature = dialogs.choosing("signature", "text", "signed", toast=_("签名已保存"))


def _read(context: HandlerContext, item: int) -> None:
    ITEMS.of(context.state, item)["read"] = True
    context.unfocus()
    context.go("mail", item=item)


def _answer(context: HandlerContext, item: int) -> None:
    context.replace("mail", item=item)
    context.focus("reply")


def _write_to(context: HandlerContext, name: str, what: str = "") -> None:
    context.replace("write", name=name, what=what)


def _post(context: HandlerContext, to: str, subject: str, text: str, **more: str) -> None:
    """Send a mail."""
    mail = make_mail(_("我"), subject, text, SENT) | {"to": to, "read": True, **more}
    records.save(context.state, "mails", None, mail)
    context.fact("mail_sent", to=to, subject=subject)
    context.toast(_("邮件已发送"))


def _send(context: HandlerContext) -> None:
    what = context.arguments.get("what", "").partition("] ")[2]
    if subject := forms.read_typed(context, "subject", _("请填写主题"), start=what):
        _post(context, context.arguments["name"], subject, context.field("text").strip(), file=what)
        context.root("home")


def _reply(context: HandlerContext, item: int) -> None:
    if text := forms.read_typed(context, "reply", _("回复是空的")):
        context.fill("reply", "")
        context.unfocus()
        _answer_with(context, item, text)


def _answer_with(context: HandlerContext, item: int, text: str) -> None:
    mail = ITEMS.of(context.state, item)
    _post(context, mail["sender"], _("回复：{subject}").format(subject=mail["subject"]), text)


def _forward(context: HandlerContext, item: int, name: str) -> None:
    context.close("to")
    mail = ITEMS.of(context.state, item)
    _post(
        context, name, _("转发：{subject}").format(subject=mail["subject"]), mail["text"], file=mail["file"]
    )


def _sign(context: HandlerContext) -> None:
    text = context.field("signature").strip()
    context.back()
    _set_signature(context, text=text)


def _send_file(context: HandlerContext, item: int, friend: str) -> None:
    text = _("[文件] {file}").format(file=ITEMS.of(context.state, item)["file"])
    give_now(context, CHAT, contact=friend, text=text)


def _press(word: str) -> Callable[[HandlerContext, int], None]:
    """Do what that button under a mail does."""

    def press(context: HandlerContext, item: int) -> None:
        if tap := dict(_list_buttons(ITEMS.of(context.state, item))).get(word):
            context.act(data.PACKAGE, tap)
        else:
            context.toast(_("这封邮件里没有"))

    return press


def _understand(context: HandlerContext, phrase: str) -> bool:
    """Act on a phrase: write to somebody, set the signature, or do something with the mail that it names."""
    names = "|".join(one.name for one in people(context.seed))
    if new := re.match(_("给({names})写邮件[：:，, ]*(.+)").format(names=names), phrase):
        _post(context, new[1], new[2], "")
        return True
    if signature := re.search(_("签名(?:改成|设为|是)[：:，, ]*(.+)"), phrase):
        _set_signature(context, text=signature[1])
        return True
    return ITEMS.obey(
        context,
        phrase,
        {
            # first: a text may hold the words of other commands
            _("^回复[：:，, ]*(.+)"): _answer_with,
            _("删", "said"): ITEMS.remove,
            _("转发给({names})").format(names=names): _forward,
            _("附件发给({names})").format(names=names): _send_file,
            _("附件", "said"): _press(_("保存附件")),
            _("日历", "said"): _press(_("加到日历")),
            _("发件人", "said"): _press(_("存为联系人")),
            _("拨打|电话", "said"): _press(_("拨打电话")),
            _("星标", "said"): {"starred": True},
            _("移到({values})").format(values="|".join(data.FOLDERS)): "folder",
            "": _read,
        },
    )


MAIL = App(
    package=data.PACKAGE,
    activity=".MailActivity",
    label=data.LABEL,
    english="Mail",
    glyph="mail",
    color=data.ACCENT,
    badge=lambda state: sum(not one["read"] for one in state["mails"]),
    initial=data.make_state,
    pages={
        **tables.pages_of(__name__),
        **ITEMS.pages(),
        **other_apps.PAGES,
        "search": search.search_page(SEARCH, _find, list_parts.empty(_("没有找到邮件")), mic=False),
        "voice": voice.page(_("给妈妈写邮件周报"), _("签名改成此致敬礼")),
    },
    handlers={
        **tables.handlers(_read, _answer, _write_to, _send, _reply, _forward, _sign),
        **ITEMS.handlers(),
        **other_apps.HANDLERS,
        **voice.handlers(_understand),
    },
    shortcuts=(
        Shortcut(text=_("写邮件"), glyph="edit", tap=NEW),
        Shortcut(text=_("邮件签名"), glyph="note", tap=write("sign", "signature")),
    ),
    goals=GOALS,
    seen=("mails.read",),
    hours=(9, 11, 14, 17),
)
