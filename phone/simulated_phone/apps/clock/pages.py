"""The clock: its pages, the handlers of their taps, and the app."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from simulated_phone.goals.app_definition import App, PageView, Shortcut
from simulated_phone.language.formats import day_of_month, short_weekday, weekday, weekday_letter
from simulated_phone.language.language import messages
from simulated_phone.machine.handler_context import HandlerContext
from simulated_phone.screens.layouts.layout import Card, ColumnLayout, RowLayout
from simulated_phone.screens.layouts.lists import Chips, Heading, ListRow
from simulated_phone.screens.layouts.wheel_column import WheelRow
from simulated_phone.screens.layouts.widgets import Button, Field, Icon, Space, Switch, Text, Widget
from simulated_phone.screens.nodes import ActionValue, action_ref
from simulated_phone.screens.pages import AppPage, Dialog
from simulated_phone.screens.theme import GREY, HINT, INK, PAPER, STEEL, WHITE

from ... import voice
from ...builders import dialogs, forms, likes, list_parts, records, tables, tabs, taps, wheels
from ...builders.search import MICROPHONE, search_page
from .data import CITIES, LABEL, MINUTES, OWN_RANGE, PACKAGE, PRESETS, REPEATS, make_state, time_of
from .goals import GOALS

_ = messages(__name__)

TABS = tabs.bottom_tabs(
    ("alarms", _("闹钟"), "bell"), ("cities", _("世界时钟"), "language"), ("timer", _("计时器"), "timer")
)

OWN_MINUTES = wheels.make_number_wheel("minutes", MINUTES, OWN_RANGE, view_id="minutes")
"""The timer's wheel."""


# ---- pages


def _build_alarms_page(view: PageView) -> AppPage:
    cards: list[Widget] = [_build_alarm_card(alarm) for alarm in sorted(view.state["alarms"], key=time_of)]
    body = [Space(4), *(cards or list_parts.empty(_("没有闹钟"), space=160, glyph="bell"))]
    icons = [MICROPHONE, Icon("add", _("添加闹钟"), action_ref("edit"))]
    return AppPage(title=_("闹钟"), back=False, actions=icons, body=body, gap=10, tabs=TABS("alarms"))


def _build_alarm_card(alarm: dict[str, Any]) -> Card:
    row = ListRow(
        time_of(alarm),
        f"{alarm['label']} · {_repeat_words(alarm['days'])}",
        size=26,
        color=INK if alarm["on"] else HINT,
        trailing=Switch(
            alarm["on"],
            action_ref("flip", alarm=alarm["id"]),
            _("闹钟 {time_of}").format(time_of=time_of(alarm)),
        ),
        tap=action_ref("edit", alarm=alarm["id"]),
        hold=taps.go("ask_delete", alarm=alarm["id"]),
    )
    return list_parts.panel(row, margin=14)


def _repeat_words(days: str) -> str:
    named = {value: words for words, value in REPEATS.items()}
    return named.get(days) or _("每周{days}").format(
        days=_("、").join(weekday_letter(_, int(day)) for day in days)
    )


def _build_edit_page(view: PageView) -> AppPage:
    draft, new = {**view.arguments, **wheels.chosen(view, wheels.TIME)}, view.arguments["alarm"] is None
    glyph, words = ("grid", _("选择时间")) if draft["typing"] else ("keyboard", _("输入时间"))
    change = Icon(glyph, words, action_ref("typing"), color=GREY)
    time_text = Text(time_of(draft), size=44, bold=True, align="center")
    body: list[Widget] = [RowLayout([Space(48), time_text, change], [48, None, 48])]
    if draft["typing"]:
        hour, minute = Field("hour", _("小时"), enter=_("下一项")), Field("minute", _("分钟"))
        body += [RowLayout([Text(_("时")), hour, Text(_("分")), minute], [20, None, 20, None]), Space(8)]
    else:
        body += [wheels.build_time_picker(draft), Space(4)]
    days = [
        (short_weekday(_, day), action_ref("day", day=day), str(day) in draft["days"]) for day in range(7)
    ]
    body += [
        Text(_("重复"), bold=True),
        list_parts.build_picks("days", REPEATS, draft["days"], pad=0),
        Chips(days, pad=0),
    ]
    body += [Text(_("标签"), bold=True), Field("label", _("闹钟名称"), start=draft["label"])]
    if not new:
        off = Button(_("关闭闹钟"), action_ref("turn_off"), style="tonal")
        body += [
            Space(10),
            *([off, Space(6)] if records.record(view.state["alarms"], draft["alarm"])["on"] else []),
            Button(_("删除闹钟"), taps.go("ask_delete", alarm=draft["alarm"]), style="danger"),
        ]
    save = Button(_("保存"), action_ref("save"))
    title = _("添加闹钟") if new else _("编辑闹钟")
    return AppPage(title=title, body=body, pad=18, gap=6, footer=[save], background=PAPER)


def _build_ask_delete_dialog(view: PageView) -> Dialog:
    alarm = records.record(view.state["alarms"], view.arguments["alarm"])
    message = _("要删除 {time_of} 的闹钟吗？").format(time_of=time_of(alarm))
    return dialogs.ask(_("删除闹钟"), _("删除"), action_ref("delete"), message=message, style="danger")


def _build_cities_page(view: PageView) -> AppPage:
    body: list[Widget] = [
        Text(f"{view.minute:%H:%M}", size=46, bold=True, align="center"),
        Text(_("北京时间"), color=GREY, align="center"),
    ]
    for city in view.state["cities"]:
        city_time = view.minute + timedelta(hours=CITIES[city])
        clock = Text(f"{city_time:%H:%M}", size=24, align="right")
        words = _("{day_words} · {cities:+d} 小时").format(
            day_words=_day_words(city_time, view.minute), cities=CITIES[city]
        )
        body.append(list_parts.panel(ListRow(city, words, trailing=clock, trail=84), margin=14))
    add = Icon("add", _("添加城市"), taps.go("add_city"))
    return AppPage(title=_("世界时钟"), back=False, actions=[add], body=body, gap=10, tabs=TABS("cities"))


def _day_words(city_time: datetime, phone_time: datetime) -> str:
    return {-1: _("昨天"), 0: _("今天"), 1: _("明天")}[(city_time.date() - phone_time.date()).days]


def _find_cities(view: PageView, word: str) -> Sequence[Widget]:
    return [
        ListRow(
            city,
            trailing=_("已添加") if city in view.state["cities"] else None,
            tap=action_ref("add_city", city=city),
        )
        for city in sorted(CITIES, key=lambda city: city.encode("gbk"))
        if word in city
    ]


def _build_timer_page(view: PageView) -> AppPage:
    left = max(0, view.state["timer"]["until"] - round(view.now.timestamp()))
    remaining = Text(f"{left // 60:02d}:{left % 60:02d}", size=60, bold=True, align="center")
    body: list[Widget] = [Space(30), remaining, Space(10)]
    if left:
        body.append(Button(_("取消"), action_ref("cancel_timer"), style="tonal"))
    else:
        presets = [
            (_("{minutes}分钟").format(minutes=minutes), action_ref("start_timer", minutes=minutes), False)
            for minutes in PRESETS
        ]
        own = wheels.chosen(view, [OWN_MINUTES], minutes=PRESETS[0])["minutes"]
        body += [Heading(_("常用"), pad=0), Chips(presets, pad=0), Heading(_("自定义"), pad=0)]
        body += [WheelRow([OWN_MINUTES.column(own)]), Space(8), Button(_("开始"), action_ref("start_own"))]
    return AppPage(title=_("计时器"), back=False, actions=[MICROPHONE], body=body, pad=16, tabs=TABS("timer"))


def _build_home_widget(view: PageView) -> Widget:
    now = view.minute
    on = sorted(time_of(alarm) for alarm in view.state["alarms"] if alarm["on"])
    next_alarm = next((time for time in on if time > f"{now:%H:%M}"), on[0] if on else "")
    words = [
        Text(f"{now:%H:%M}", size=40, color=WHITE, bold=True),
        Text(
            _("{date} {weekday}").format(date=day_of_month(_, now), weekday=weekday(_, now.weekday())),
            size=14,
            color=WHITE,
        ),
        Text(
            _("下一个闹钟 {next_alarm}").format(next_alarm=next_alarm) if next_alarm else _("没有闹钟"),
            size=13,
            color=WHITE,
        ),
    ]
    add = Icon("add", _("新建闹钟"), action_ref("edit"), color=WHITE, plate=STEEL)
    return RowLayout([ColumnLayout(words), add], [None, 56])


# ---- handlers of taps


def _edit(context: HandlerContext, alarm: int | None = None) -> None:
    draft: dict[str, ActionValue] = {"hour": 7, "minute": 0, "days": "", "label": ""}
    if alarm is not None:
        old = records.record(context.state["alarms"], alarm)
        draft = {key: old[key] for key in draft}
    context.go("edit", alarm=alarm, typing=False, **draft)


def _day(context: HandlerContext, day: int) -> None:
    context.set(days="".join(sorted(set(context.arguments["days"]) ^ {str(day)})))


def _typing(context: HandlerContext) -> None:
    """Switch between picking and typing the time; a typed time is applied."""
    if context.arguments["typing"]:
        _apply_typed_time(context)
    else:
        wheels.keep(context, wheels.TIME)
    context.set(typing=not context.arguments["typing"])
    if context.arguments["typing"]:
        context.fill("hour", "")
        context.fill("minute", "")
        context.focus("hour")


def _apply_typed_time(context: HandlerContext) -> bool:
    typed = {}
    for key, last in (("hour", 23), ("minute", 59)):
        text = context.field(key).strip() or str(context.arguments[key])
        number = forms.read_number(text, 0, last)
        if number is None:
            return False
        typed[key] = number
    context.set(**typed)
    return True


def _save(context: HandlerContext) -> None:
    if context.arguments["typing"] and not _apply_typed_time(context):
        context.toast(_("请输入正确的时间"))
        return
    draft = {**context.arguments, **wheels.picked(context, wheels.TIME)}
    label = context.field("label", draft["label"]).strip()
    _save_alarm(context, draft["alarm"], label, **{key: draft[key] for key in ("hour", "minute", "days")})
    context.back()


def _save_alarm(context: HandlerContext, number: int | None, label: str, **time: ActionValue) -> None:
    records.save(context.state, "alarms", number, {**time, "label": label or _("闹钟"), "on": True})
    context.fact("alarm_set", **time)
    context.toast(_("闹钟已设为 {time_of}").format(time_of=time_of(time)))


def _receive(context: HandlerContext, label: str, hour: int, minute: int) -> None:
    """Add an alarm that another app gives; it rings once."""
    _save_alarm(context, None, label, hour=hour, minute=minute, days="")


def _flip(context: HandlerContext, alarm: int) -> None:
    found = records.record(context.state["alarms"], alarm)
    found["on"] = not found["on"]
    context.fact("alarm_switched", time=time_of(found), on=found["on"])


def _turn_off(context: HandlerContext) -> None:
    _flip(context, context.arguments["alarm"])
    context.root("alarms")
    context.toast(_("闹钟已关闭"))


def _delete(context: HandlerContext) -> None:
    _drop(context, records.record(context.state["alarms"], context.arguments["alarm"]))
    context.root("alarms")


def _drop(context: HandlerContext, alarm: dict[str, Any]) -> None:
    context.fact("alarm_deleted", time=time_of(alarm))
    records.drop(context.state, "alarms", alarm["id"])
    context.toast(_("闹钟已删除"))


def _add_city(context: HandlerContext, city: str) -> None:
    likes.put(context, "cities", "city_added", city=city)
    context.root("cities")


def _start_timer(context: HandlerContext, minutes: int) -> None:
    context.state["timer"] = {"seconds": 60 * minutes, "until": round(context.now.timestamp()) + 60 * minutes}
    context.fact("timer_started", minutes=minutes)


def _start_own(context: HandlerContext) -> None:
    context.unfocus()
    _start_timer(context, wheels.picked(context, [OWN_MINUTES], minutes=PRESETS[0])["minutes"])


def _cancel_timer(context: HandlerContext) -> None:
    context.state["timer"] = {"seconds": 0, "until": 0}


def _understand(context: HandlerContext, phrase: str) -> bool:
    """Act on a phrase: start a timer ("十分钟倒计时"), add a city, set, switch off or delete an alarm."""
    words = voice.write_digits(phrase)
    if city := voice.find_name(phrase, list(CITIES)):
        _add_city(context, city)
        return True
    if minutes := re.search(_(r"(\d+)分钟"), words):
        context.root("timer")
        _start_timer(context, min(999, max(1, int(minutes[1]))))
        return True
    time = re.search(_(r"(\d+)[点:：](半|\d+)?"), words)
    if not time:
        return False
    hour, minute = int(time[1]), 30 if time[2] == _("半") else int(time[2] or 0)
    hour += 12 if hour < 12 and re.search(_("下午|晚上"), words) else 0
    if hour > 23 or minute > 59:
        return False
    found = [one for one in context.state["alarms"] if (one["hour"], one["minute"]) == (hour, minute)]
    if voice.says(words, _("删", "said")):
        for alarm in found:
            _drop(context, alarm)
        return True
    if not voice.says(words, _("关", "said")):
        days = next((value for name, value in REPEATS.items() if name in words), "")
        _save_alarm(context, None, "", hour=hour, minute=minute, days=days)
        return True
    for alarm in found:
        if alarm["on"]:
            _flip(context, alarm["id"])
            context.toast(_("已关闭 {time_of} 的闹钟").format(time_of=time_of(alarm)))
    return True


CLOCK = App(
    package=PACKAGE,
    activity=".DeskClock",
    label=LABEL,
    english="Clock",
    glyph="clock",
    color="#3a5bc7",
    initial=make_state,
    home="alarms",
    pages={
        **tables.pages_of(__name__),
        "add_city": search_page(
            _("搜索城市"),
            _find_cities,
            list_parts.empty(_("没有找到城市")),
            title=_("添加城市"),
            field="city",
            mic=False,
        ),
        "voice": voice.page(_("早上七点的闹钟"), _("工作日八点半的闹钟"), _("十分钟倒计时")),
    },
    handlers={
        **tables.handlers(_edit, _typing, _day, _save, _flip, _turn_off, _delete, _add_city),
        **tables.handlers(_start_timer, _start_own, _cancel_timer, _receive),
        **voice.handlers(_understand),
    },
    shortcuts=(
        Shortcut(text=_("新建闹钟"), glyph="add", tap=action_ref("edit")),
        Shortcut(text=_("倒计时"), glyph="timer", tap=taps.tab("timer")),
    ),
    widget=_build_home_widget,
    goals=GOALS,
    position=1,
    hours=(6, 13, 21, 22),
    times=("timer.until",),
)
