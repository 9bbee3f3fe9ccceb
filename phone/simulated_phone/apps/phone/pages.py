"""The phone app: its pages, the handlers of their taps, and the app."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from simulated_phone.goals.app_definition import App, PageView, Shortcut
from simulated_phone.language.language import counted_messages, messages
from simulated_phone.machine.handler_context import HandlerContext
from simulated_phone.screens.layouts.layout import Card, ColumnLayout, GridLayout, RowLayout
from simulated_phone.screens.layouts.lists import Cover, Heading, ListRow, switch_row
from simulated_phone.screens.layouts.widgets import Button, Field, Icon, Space, Text, Widget
from simulated_phone.screens.nodes import ActionRef, action_ref
from simulated_phone.screens.pages import AppPage, Sheet
from simulated_phone.screens.theme import GREY, INK, PALE, PAPER, RED, WHITE, Exact

from ... import voice
from ...builders import dialogs, likes, list_parts, other_apps, search, tables
from ...builders.items import Command
from ...builders.other_apps import CLOCK, CONTACTS, give_now
from ...builders.tabs import bottom_tabs, tab_over
from ...builders.taps import go
from ...goals.acquaintances import people, spaced
from . import data
from .data import ITEMS, MISSED, OUTGOING, SEARCH
from .goals import GOALS

_ = messages(__name__)
_n = counted_messages(__name__)

TABS = bottom_tabs(
    ("home", _("通话"), "history"), ("keypad", _("键盘"), "grid"), ("people", _("通讯录"), "person")
)
NIGHT, KNOB = (Exact("#2c4a63"), Exact("#0f1b28")), Exact("#46627a")
LETTERS = dict(
    zip(
        "123456789*0#",
        [" ", "ABC", "DEF", "GHI", "JKL", "MNO", "PQRS", "TUV", "WXYZ", " ", "+", " "],
        strict=True,
    )
)


def _dial(name: str, number: str) -> ActionRef:
    return action_ref("receive", name=name, number=number)


def _build_call_row(call: dict[str, Any]) -> ListRow:
    unknown = call["who"][0].isdecimal()
    face = "" if unknown else "face"
    cover = Cover(call["who"], glyph="person" if unknown else None, room=42, radius=21, subject=face)
    details = Icon("chevron", _("详情"), ITEMS.open(call), size=18, color=GREY)
    return ListRow(
        call["who"],
        f"{call['kind']} · {data.UNKNOWN if unknown else data.MOBILE} · {call['when']}",
        leading=cover,
        trailing=details,
        trail=40,
        color=RED if call["kind"] == MISSED else INK,
        tap=_dial(call["who"], call["number"]),
        hold=ITEMS.menu(call),
    )


def _build_person_row(name: str, tap: ActionRef) -> ListRow:
    return ListRow(name, leading=Cover(name, room=42, radius=21, subject="face"), tap=tap)


# ---- pages


def _build_home_page(view: PageView) -> AppPage:
    shown = view.arguments.get("shown", data.ALL)
    chips = list_parts.build_picks("shown", (data.ALL, MISSED), shown)
    rows = [_build_call_row(one) for one in view.state["calls"] if shown in (data.ALL, one["kind"])]
    return AppPage(
        title=data.LABEL,
        back=False,
        actions=[Icon("gear", _("电话设置"), go("settings"))],
        header=[search.small_pill(SEARCH), Space(6), chips, Space(4)],
        body=rows or list_parts.empty(_("没有通话记录")),
        tabs=TABS("home"),
        background=PAPER,
    )


def _build_keypad_page(view: PageView) -> AppPage:
    digits = view.arguments.get("digits", "")
    keys: list[Widget] = [
        Card(
            [Text(key, size=28, align="center"), Text(letters, size=11, color=GREY, align="center")],
            pad=5,
            gap=0,
            tap=action_ref("press", key=key),
            hold=go("speed_key", key=key) if key in data.KEYS else None,
        )
        for key, letters in LETTERS.items()
    ]
    call = Icon("call", _("呼叫"), action_ref("call_typed"), size=30, color=WHITE, plate=data.ACCENT, room=64)
    erase = Icon("nav_back", _("删除"), action_ref("erase"), size=24, color=GREY, room=64)
    row = RowLayout([Space(1), call, erase], [None, 90, None])
    number = Text(
        digits or _("请输入号码"), size=32 if digits else 18, color=INK if digits else GREY, align="center"
    )
    return AppPage(
        title=data.LABEL,
        back=False,
        body=[Space(90), number, Space(40)],
        footer=[GridLayout(keys, 3, gap=6), Space(8), row],
        tabs=TABS("keypad"),
    )


def _build_people_page(view: PageView) -> AppPage:
    rows = [_build_person_row(one.name, _dial(one.name, one.phone)) for one in people(view.seed)]
    return AppPage(title=_("通讯录"), back=False, body=rows, tabs=TABS("people"), background=PAPER)


def _find(view: PageView, word: str) -> Sequence[Widget]:
    calls = [call for call in view.state["calls"] if word in call["who"] or word in call["number"]]
    known = {call["number"] for call in calls}
    found = [one for one in people(view.seed) if word in one.name and one.phone not in known]
    return [
        *map(_build_call_row, calls),
        *(_build_person_row(one.name, _dial(one.name, one.phone)) for one in found),
    ]


def _build_call_details_page(view: PageView) -> AppPage:
    call = ITEMS.shown(view)
    number = spaced(call["number"])
    cover = list_parts.centred(Cover(call["who"], glyph="person", room=84, radius=42))
    buttons: list[Widget] = [
        Button(_("呼叫"), _dial(call["who"], call["number"]), glyph="call"),
        Button(
            _("发短信"),
            other_apps.show(other_apps.MESSAGES, "write", name=call["who"], number=call["number"]),
            style="tonal",
            glyph="chat",
        ),
    ]
    rows = list_parts.panel(
        ListRow(
            number, _("手机 · 中国大陆"), leading=Icon("call", size=20, color=data.ACCENT, room=36), lead=30
        ),
        ListRow(call["when"], call["kind"], leading=Icon("clock", size=20, color=GREY, room=36), lead=30),
    )
    lines = list_parts.panel(*(list_parts.menu_row(*line) for line in _list_lines(call)))
    name = Text(call["who"], size=24, bold=True, align="center")
    return AppPage(title="", body=[cover, name, Space(2), RowLayout(buttons, pad=12), rows, lines], gap=10)


def _list_lines(call: dict[str, Any]) -> list[tuple[str, str, ActionRef]]:
    unknown = call["who"][0].isdecimal()
    new = other_apps.show(CONTACTS, "edit", item=None, phone=call["number"])
    return [
        *([(_("新建联系人"), "person", new)] if unknown else []),
        (_("提醒回电"), "bell", action_ref("instead", page="remind", item=call["id"])),
        (_("加入黑名单"), "lock", action_ref("block", number=call["number"])),
        (_("删除记录"), "delete", ITEMS.delete(call)),
    ]


def _build_menu_sheet(view: PageView) -> Sheet:
    call = ITEMS.shown(view)
    return dialogs.menu(call["who"], *_list_lines(call))


def _build_remind_sheet(view: PageView) -> Sheet:
    item = view.arguments["item"]
    rows = [
        ListRow(
            _("{hour}点").format(hour=hour),
            _("今天") if hour > view.minute.hour else _("明天"),
            tap=action_ref("remind", item=item, hour=hour),
        )
        for hour in data.HOURS
    ]
    return Sheet(title=_("提醒回电"), body=rows)


def _build_call_page(view: PageView) -> AppPage:
    name, number = view.arguments["name"], view.arguments["number"]
    glyphs = {
        _("静音", "call"): "mic",
        _("免提"): "sound",
        _("录音"): "radio_on",
        _("键盘"): "grid",
        _("视频", "call"): "film",
        _("添加通话"): "add",
    }
    keys: list[Widget] = [
        ColumnLayout(
            [
                Icon(glyph, size=24, color=WHITE, plate=KNOB, room=60),
                Text(words, size=13, color=WHITE, align="center"),
            ]
        )
        for words, glyph in glyphs.items()
    ]
    end = Icon("call", _("挂断"), action_ref("tab", page="home"), size=32, color=WHITE, plate=RED, room=90)
    body = [
        Space(50),
        list_parts.centred(Cover(name, glyph="person", room=96, radius=48)),
        Space(10),
        Text(name, size=28, color=WHITE, bold=True, align="center"),
        Text(spaced(number), color=PALE, align="center"),
        Text(_("正在呼叫…"), color=PALE, align="center"),
        Space(60),
        GridLayout(keys, 3, gap=18),
    ]
    return AppPage(body=body, footer=[end, Space(20)], pad=24, background=NIGHT, dark=True)


def _build_settings_page(view: PageView) -> AppPage:
    rows = [
        switch_row(setting, on=setting in view.state["on"], tap=action_ref("flip", setting=setting))
        for setting in data.SWITCHES
    ]
    count = len(view.state["blocked"])
    lists = list_parts.panel(
        ListRow(_("黑名单"), trailing=_n("{count} 个号码›", count).format(count=count), tap=go("blocked")),
        ListRow(_("按键速拨"), trailing="›", tap=go("speed")),
    )
    return AppPage(title=_("电话设置"), body=[Space(6), lists, Heading(_("通话")), list_parts.panel(*rows)])


def _build_blocked_page(view: PageView) -> AppPage:
    rows = [
        ListRow(
            spaced(number),
            data.UNKNOWN,
            leading=Cover(number, glyph="lock", room=42, radius=21),
            trailing=Icon("close", _("移除"), action_ref("unblock", number=number), size=18, color=GREY),
            trail=44,
        )
        for number in view.state["blocked"]
    ]
    block = action_ref("block_typed")
    field = RowLayout(
        [Field("number", data.BLOCK, submit=block, enter=_("拦截")), Button(_("拦截"), block)], [None, 84]
    )
    return AppPage(
        title=_("黑名单"), body=rows or list_parts.empty(_("黑名单是空的")), footer=[field], background=PAPER
    )


def _build_speed_page(view: PageView) -> AppPage:
    rows = [
        ListRow(
            _("{key} 键").format(key=key), trailing=(name or _("未设置")) + "›", tap=go("speed_key", key=key)
        )
        for key, name in view.state["speed"].items()
    ]
    return AppPage(title=_("按键速拨"), body=[Space(6), list_parts.panel(*rows)])


def _build_speed_key_page(view: PageView) -> AppPage:
    key = view.arguments["key"]
    rows = [
        _build_person_row(one.name, action_ref("speed", key=key, name=one.name)) for one in people(view.seed)
    ]
    return AppPage(title=_("长按 {key} 呼叫").format(key=key), body=rows, background=PAPER)


# ---- handlers of taps


def _receive(context: HandlerContext, name: str, number: str) -> None:
    """Call somebody, for this app or another one."""
    call = {
        "who": name,
        "number": number,
        "kind": OUTGOING,
        "when": _("今天 {now:%H:%M}").format(now=context.now),
    }
    calls = context.state["calls"]
    # pages of the earlier call to this number stay open below: its record becomes this call's
    earlier = next((one["id"] for one in calls if one["number"] == number), None)
    call_id = context.state["next"] if earlier is None else earlier
    context.state["calls"] = [{"id": call_id, **call}, *(one for one in calls if one["number"] != number)]
    context.state["next"] += earlier is None
    likes.put(context, "dialed", "called", number=number)
    context.unfocus()
    context.go("call", name=name, number=number)


def _call_typed(context: HandlerContext) -> None:
    digits = context.arguments.get("digits", "")
    names = {one.phone: one.name for one in people(context.seed)}
    if digits:
        _receive(context, names.get(digits, spaced(digits)), digits)
    else:
        context.toast(_("请输入号码"))


def _press(context: HandlerContext, key: str) -> None:
    context.set(digits=(context.arguments.get("digits", "") + key)[:20])


def _erase(context: HandlerContext) -> None:
    context.set(digits=context.arguments.get("digits", "")[:-1])


def _block(context: HandlerContext, number: str) -> None:
    context.close("menu")
    likes.put(context, "blocked", "blocked", number=number)
    context.toast(_("已加入黑名单"))


def _block_typed(context: HandlerContext) -> None:
    if number := re.sub(r"\D", "", context.field("number")):
        context.fill("number", "")
        _block(context, number)
    else:
        context.toast(_("请输入号码"))


def _unblock(context: HandlerContext, number: str) -> None:
    likes.take(context, "blocked", "unblocked", number=number)
    context.toast(_("已移出黑名单"))


def _speed(context: HandlerContext, key: str, name: str) -> None:
    context.state["speed"][key] = name
    context.fact("speed_dial_set", key=key, name=name)
    context.back()
    context.toast(_("长按 {key} 呼叫{name}").format(key=key, name=name))


def _remind(context: HandlerContext, item: int, hour: int) -> None:
    context.close("remind")
    label = _("回电 {who}").format(who=ITEMS.of(context.state, item)["who"])
    give_now(context, CLOCK, label=label, hour=hour, minute=0)


def _understand(context: HandlerContext, phrase: str) -> bool:
    """Act on a phrase: call, block, save or remember a caller, set a key, switch something on or off."""
    known = {one.name: one.phone for one in people(context.seed)}
    number = re.search(r"\d{5,}", phrase)
    name = voice.find_name(phrase, list(known))
    if key := re.search(_(r"([2-9])键"), phrase):
        if name:
            context.state["speed"][key[1]] = name
        return name is not None
    if setting := voice.find_name(phrase, data.SWITCHES):
        (likes.take if voice.says(phrase, _("关", "said")) else likes.put)(
            context, "on", "switched", setting=setting
        )
    elif number and voice.says(phrase, _("取消拦截", "said")):
        _unblock(context, number[0])
    elif number:
        _receive(context, spaced(number[0]), number[0])
    elif name and voice.says(phrase, _("打|拨|呼叫|回")) and not voice.says(phrase, _("提醒", "said")):
        _receive(context, name, known[name])
    else:
        return ITEMS.obey(context, phrase, COMMANDS)
    return True


def _number(context: HandlerContext, item: int) -> str:
    return str(ITEMS.of(context.state, item)["number"])


COMMANDS: dict[str, Command] = {
    _("删", "said"): ITEMS.remove,
    _(r"(\d+)点"): lambda context, item, hour: _remind(context, item, min(23, int(hour))),
    _("拦截|拉黑"): lambda context, item: _block(context, _number(context, item)),
    _("存成(.+)"): lambda context, item, name: give_now(
        context, CONTACTS, name=name, phone=_number(context, item)
    ),
    _("拨|打|回"): lambda context, item: _receive(
        context, ITEMS.of(context.state, item)["who"], _number(context, item)
    ),
}
"""What is done with a call of the list that a phrase names."""


PHONE = App(
    package=data.PACKAGE,
    activity=".DialtactsActivity",
    label=data.LABEL,
    english="Phone",
    glyph="call",
    color=data.ACCENT,
    initial=data.make_state,
    pages={
        **tables.pages_of(__name__),
        **ITEMS.pages(),
        "search": search.search_page(SEARCH, _find, list_parts.empty(_("没有找到")), mic=False),
        "voice": voice.page(_("打电话给妈妈"), _("打开骚扰拦截")),
    },
    handlers={
        **tables.handlers(
            _receive, _call_typed, _press, _erase, _block, _block_typed, _unblock, _speed, _remind
        ),
        **ITEMS.handlers(),
        "tab": tab_over("home"),
        **other_apps.HANDLERS,
        **voice.handlers(_understand),
        "flip": likes.flipping("on", "setting", "switched", on=""),
    },
    shortcuts=(
        Shortcut(text=_("数字键盘"), glyph="grid", tap=action_ref("tab", page="keypad")),
        Shortcut(text=_("黑名单"), glyph="lock", tap=go("blocked")),
        Shortcut(text=_("电话设置"), glyph="gear", tap=go("settings")),
    ),
    goals=GOALS,
    hours=(8, 12, 17, 20),
    times=("calls.when",),
)
