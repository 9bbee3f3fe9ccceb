"""The clock: its pages, the handlers of their taps, and the app."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from simulated_phone import voice
from simulated_phone.app_definition import App, PageView, Shortcut
from simulated_phone.apps.clock.data import CITIES, LABEL, PACKAGE, PRESETS, REPEATS, initial, time_of
from simulated_phone.apps.clock.goals import GOALS
from simulated_phone.builders import dialogs, forms, likes, list_parts, records, tables, tabs, taps
from simulated_phone.builders.search import MICROPHONE, search_page
from simulated_phone.handler_context import HandlerContext
from simulated_phone.screens.layout import Card, ColumnLayout, RowLayout
from simulated_phone.screens.lists import Chips, Heading, ListRow
from simulated_phone.screens.nodes import ActionValue, action_ref
from simulated_phone.screens.pages import AppPage, Dialog
from simulated_phone.screens.theme import GREY, INK, PAPER
from simulated_phone.screens.widgets import Button, Field, Icon, Space, Switch, Text, Widget

DAYS = "一二三四五六日"
TABS = tabs.bottom_tabs(
    ("alarms", "闹钟", "bell"), ("cities", "世界时钟", "language"), ("timer", "计时器", "timer")
)


# ---- pages


def _alarms_page(view: PageView) -> AppPage:
    cards: list[Widget] = [_alarm_card(alarm) for alarm in sorted(view.state["alarms"], key=time_of)]
    body = [Space(4), *(cards or list_parts.empty("没有闹钟", space=160, glyph="bell"))]
    icons = [MICROPHONE, Icon("add", "添加闹钟", action_ref("edit"))]
    return AppPage(title="闹钟", back=False, actions=icons, body=body, gap=10, tabs=TABS("alarms"))


def _alarm_card(alarm: dict[str, Any]) -> Card:
    row = ListRow(
        time_of(alarm),
        f"{alarm['label']} · {_repeat_words(alarm['days'])}",
        size=26,
        color=INK if alarm["on"] else "#9a9da5",
        trailing=Switch(alarm["on"], action_ref("flip", alarm=alarm["id"]), f"闹钟 {time_of(alarm)}"),
        tap=action_ref("edit", alarm=alarm["id"]),
        hold=taps.go("ask_delete", alarm=alarm["id"]),
    )
    return list_parts.panel(row, margin=14)


def _repeat_words(days: str) -> str:
    named = {value: words for words, value in REPEATS.items()}
    return named.get(days) or "每周" + "、".join(DAYS[int(day)] for day in days)


def _edit_page(view: PageView) -> AppPage:
    draft, new = view.arguments, view.arguments["alarm"] is None
    glyph, words = ("grid", "选择时间") if draft["typing"] else ("keyboard", "输入时间")
    change = Icon(glyph, words, action_ref("typing"), color=GREY)
    time_text = Text(time_of(draft), size=44, bold=True, align="center")
    body: list[Widget] = [RowLayout([Space(48), time_text, change], [48, None, 48])]
    if draft["typing"]:
        hour, minute = Field("hour", "小时", enter="下一项"), Field("minute", "分钟")
        body += [RowLayout([Text("时"), hour, Text("分"), minute], [20, None, 20, None]), Space(8)]
    else:
        body += [forms.number_buttons(draft, "hour", range(24), "{}时", 6, room=40), Space(4)]
        body += [forms.number_buttons(draft, "minute", range(0, 60, 5), "{:02d}分", 6, room=40), Space(4)]
    days = [
        (f"周{name}", action_ref("day", day=day), str(day) in draft["days"]) for day, name in enumerate(DAYS)
    ]
    body += [
        Text("重复", bold=True),
        list_parts.picks("days", REPEATS, draft["days"], pad=0),
        Chips(days, pad=0),
    ]
    body += [Text("标签", bold=True), Field("label", "闹钟名称", start=draft["label"])]
    if not new:
        body += [
            Space(10),
            Button("删除闹钟", taps.go("ask_delete", alarm=draft["alarm"]), style="danger"),
        ]
    save = Button("保存", action_ref("save"))
    title = "添加闹钟" if new else "编辑闹钟"
    return AppPage(title=title, body=body, pad=18, gap=6, footer=[save], background=PAPER)


def _ask_delete_dialog(view: PageView) -> Dialog:
    alarm = records.record(view.state["alarms"], view.arguments["alarm"])
    message = f"要删除 {time_of(alarm)} 的闹钟吗？"
    return dialogs.ask("删除闹钟", "删除", action_ref("delete"), message=message, style="danger")


def _cities_page(view: PageView) -> AppPage:
    body: list[Widget] = [
        Text(f"{view.now:%H:%M}", size=46, bold=True, align="center"),
        Text("北京时间", color=GREY, align="center"),
    ]
    for city in view.state["cities"]:
        city_time = view.now + timedelta(hours=CITIES[city])
        clock = Text(f"{city_time:%H:%M}", size=24, align="right")
        words = f"{_day_words(city_time, view.now)} · {CITIES[city]:+d} 小时"
        body.append(list_parts.panel(ListRow(city, words, trailing=clock, trail=84), margin=14))
    add = Icon("add", "添加城市", taps.go("add_city"))
    return AppPage(title="世界时钟", back=False, actions=[add], body=body, gap=10, tabs=TABS("cities"))


def _day_words(city_time: datetime, phone_time: datetime) -> str:
    return {-1: "昨天", 0: "今天", 1: "明天"}[(city_time.date() - phone_time.date()).days]


def _found_cities(view: PageView, word: str) -> Sequence[Widget]:
    return [
        ListRow(
            city,
            trailing="已添加" if city in view.state["cities"] else None,
            tap=action_ref("add_city", city=city),
        )
        for city in sorted(CITIES, key=lambda city: city.encode("gbk"))
        if word in city
    ]


def _timer_page(view: PageView) -> AppPage:
    left = max(0, view.state["timer"]["until"] - round(view.now.timestamp()))
    remaining = Text(f"{left // 60:02d}:{left % 60:02d}", size=60, bold=True, align="center")
    body: list[Widget] = [Space(30), remaining, Space(10)]
    if left:
        body.append(Button("取消", action_ref("cancel_timer"), style="tonal"))
    else:
        presets = [
            (f"{minutes}分钟", action_ref("start_timer", minutes=minutes), False) for minutes in PRESETS
        ]
        field = Field("minutes", "自定义分钟数", submit=action_ref("start_typed"), enter="开始")
        own = RowLayout([field, Button("开始", action_ref("start_typed"))], [None, 92])
        body += [Heading("常用", pad=0), Chips(presets, pad=0), Heading("自定义", pad=0), own]
    return AppPage(title="计时器", back=False, actions=[MICROPHONE], body=body, pad=16, tabs=TABS("timer"))


def _home_widget(view: PageView) -> Widget:
    now = view.now
    on = sorted(time_of(alarm) for alarm in view.state["alarms"] if alarm["on"])
    next_alarm = next((time for time in on if time > f"{now:%H:%M}"), on[0] if on else "")
    words = [
        Text(f"{now:%H:%M}", size=40, color=PAPER, bold=True),
        Text(f"{now.month}月{now.day}日 星期{DAYS[now.weekday()]}", size=14, color=PAPER),
        Text(f"下一个闹钟 {next_alarm}" if next_alarm else "没有闹钟", size=13, color="#e3e8f2"),
    ]
    add = Icon("add", "新建闹钟", action_ref("edit"), color=PAPER, plate="#5b7db1")
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
    _apply_typed_time(context)
    context.set(typing=not context.arguments["typing"])
    if context.arguments["typing"]:
        context.fill("hour", "")
        context.fill("minute", "")
        context.focus("hour")


def _apply_typed_time(context: HandlerContext) -> bool:
    typed = {}
    for key, last in (("hour", 23), ("minute", 59)):
        text = context.field(key).strip() or str(context.arguments[key])
        number = forms.whole_number(text, 0, last)
        if number is None:
            return False
        typed[key] = number
    if context.arguments["typing"]:
        context.set(**typed)
    return True


def _save(context: HandlerContext) -> None:
    if context.arguments["typing"] and not _apply_typed_time(context):
        context.toast("请输入正确的时间")
        return
    draft = context.arguments
    label = context.field("label", draft["label"]).strip()
    _save_alarm(context, draft["alarm"], label, **{key: draft[key] for key in ("hour", "minute", "days")})
    context.back()


def _save_alarm(context: HandlerContext, number: int | None, label: str, **time: ActionValue) -> None:
    records.save(context.state, "alarms", number, {**time, "label": label or "闹钟", "on": True})
    context.fact("alarm_set", **time)
    context.toast(f"闹钟已设为 {time_of(time)}")


def _receive(context: HandlerContext, label: str, hour: int, minute: int) -> None:
    """Add an alarm that another app gives; it rings once."""
    _save_alarm(context, None, label, hour=hour, minute=minute, days="")


def _flip(context: HandlerContext, alarm: int) -> None:
    found = records.record(context.state["alarms"], alarm)
    found["on"] = not found["on"]
    context.fact("alarm_switched", time=time_of(found), on=found["on"])


def _delete(context: HandlerContext) -> None:
    number = context.arguments["alarm"]
    context.fact("alarm_deleted", time=time_of(records.record(context.state["alarms"], number)))
    records.drop(context.state, "alarms", number)
    context.root("alarms")
    context.toast("闹钟已删除")


def _add_city(context: HandlerContext, city: str) -> None:
    likes.put(context, "cities", "city_added", city=city)
    context.root("cities")


def _start_timer(context: HandlerContext, minutes: int) -> None:
    context.state["timer"] = {"seconds": 60 * minutes, "until": round(context.now.timestamp()) + 60 * minutes}
    context.fact("timer_started", minutes=minutes)


def _start_typed(context: HandlerContext) -> None:
    minutes = forms.whole_number(context.field("minutes"), 1, 999)
    if minutes is None:
        context.toast("请输入 1 到 999 分钟")
        return
    context.unfocus()
    context.fill("minutes", "")
    _start_timer(context, minutes)


def _cancel_timer(context: HandlerContext) -> None:
    context.state["timer"] = {"seconds": 0, "until": 0}


def _understand(context: HandlerContext, phrase: str) -> bool:
    """Act on a phrase: start a timer ("十分钟倒计时"), set an alarm, or switch one off."""
    words = voice.with_digits(phrase)
    if minutes := re.search(r"(\d+)分钟", words):
        context.root("timer")
        _start_timer(context, min(999, max(1, int(minutes[1]))))
        return True
    time = re.search(r"(\d+)[点:：](半|\d+)?", words)
    if not time:
        return False
    hour, minute = int(time[1]), 30 if time[2] == "半" else int(time[2] or 0)
    hour += 12 if hour < 12 and re.search("下午|晚上", words) else 0
    if hour > 23 or minute > 59:
        return False
    if "关" not in words:
        days = next((value for name, value in REPEATS.items() if name in words), "")
        _save_alarm(context, None, "", hour=hour, minute=minute, days=days)
        return True
    for alarm in context.state["alarms"]:
        if (alarm["hour"], alarm["minute"]) == (hour, minute) and alarm["on"]:
            _flip(context, alarm["id"])
            context.toast(f"已关闭 {time_of(alarm)} 的闹钟")
    return True


CLOCK = App(
    package=PACKAGE,
    activity=".DeskClock",
    label=LABEL,
    english="Clock",
    glyph="clock",
    color="#3a5bc7",
    initial=initial,
    home="alarms",
    pages={
        **tables.pages(_alarms_page, _edit_page, _ask_delete_dialog, _cities_page, _timer_page),
        "add_city": search_page(
            "搜索城市",
            _found_cities,
            list_parts.empty("没有找到城市"),
            title="添加城市",
            field="city",
            mic=False,
        ),
        "voice": voice.page("早上七点的闹钟", "工作日八点半的闹钟", "十分钟倒计时"),
    },
    handlers={
        **tables.handlers(_edit, _typing, _day, _save, _flip, _delete, _add_city),
        **tables.handlers(_start_timer, _start_typed, _cancel_timer, _receive),
        **voice.handlers(_understand),
    },
    shortcuts=(
        Shortcut(text="新建闹钟", glyph="add", tap=action_ref("edit")),
        Shortcut(text="倒计时", glyph="timer", tap=taps.tab("timer")),
    ),
    widget=_home_widget,
    goals=GOALS,
    position=1,
    hours=(6, 13, 21, 22),
)
