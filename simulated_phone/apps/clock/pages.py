"""The clock's pages and the handlers of their taps."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any

from simulated_phone import voice
from simulated_phone.app_definition import Handler, PageFunction, PageView, State
from simulated_phone.apps.clock.data import CITIES, PRESETS, REPEATS, time_of
from simulated_phone.handler_context import HandlerContext
from simulated_phone.screens.layout import Card, ColumnLayout, GridLayout, RowLayout
from simulated_phone.screens.lists import Chips, Heading, ListRow, SearchBar, Tab
from simulated_phone.screens.nodes import ActionValue, action_ref
from simulated_phone.screens.pages import BACK, AppPage, Dialog
from simulated_phone.screens.theme import GREY, INK, PAPER
from simulated_phone.screens.widgets import Button, Field, Icon, Space, Switch, Text, Widget

DAYS = "一二三四五六日"
MICROPHONE = Icon("mic", "语音", voice.LISTEN)


def _tabs(chosen: str) -> list[Tab]:
    tabs = (("alarms", "闹钟", "bell"), ("cities", "世界时钟", "language"), ("timer", "计时器", "timer"))
    return [
        Tab(text=text, glyph=glyph, tap=action_ref("tab", page=page), chosen=page == chosen)
        for page, text, glyph in tabs
    ]


def _alarm(state: State, number: int) -> dict[str, Any]:
    return next(alarm for alarm in state["alarms"] if alarm["id"] == number)


# ---- pages


def _alarms_page(view: PageView) -> AppPage:
    rows: list[Widget] = [_alarm_card(alarm) for alarm in sorted(view.state["alarms"], key=time_of)]
    if not rows:
        rows = [Space(160), Icon("bell", size=60, color="#c6c9d0", room=90)]
        rows.append(Text("没有闹钟", color=GREY, align="center"))
    icons = [MICROPHONE, Icon("add", "添加闹钟", action_ref("edit"))]
    return AppPage(
        title="闹钟", back=False, actions=icons, body=[Space(4), *rows], gap=10, tabs=_tabs("alarms")
    )


def _alarm_card(alarm: dict[str, Any]) -> Card:
    row = ListRow(
        time_of(alarm),
        f"{alarm['label']} · {_repeat_words(alarm['days'])}",
        size=26,
        color=INK if alarm["on"] else "#9a9da5",
        trailing=Switch(alarm["on"], action_ref("flip", alarm=alarm["id"]), f"闹钟 {time_of(alarm)}"),
        tap=action_ref("edit", alarm=alarm["id"]),
        hold=action_ref("go", page="ask_delete", alarm=alarm["id"]),
    )
    return Card([row], pad=2, margin=14)


def _repeat_words(days: str) -> str:
    named = {value: words for words, value in REPEATS.items()}
    return named.get(days) or "每周" + "、".join(DAYS[int(day)] for day in days)


def _edit_page(view: PageView) -> AppPage:
    draft = view.arguments
    typing = draft["typing"]
    change = Icon(
        "grid" if typing else "keyboard",
        "选择时间" if typing else "输入时间",
        action_ref("typing"),
        color=GREY,
    )
    time_text = Text(time_of(draft), size=44, bold=True, align="center")
    body: list[Widget] = [RowLayout([Space(48), time_text, change], [48, None, 48])]
    if typing:
        hour, minute = Field("hour", "小时", enter="下一项"), Field("minute", "分钟")
        body += [RowLayout([Text("时"), hour, Text("分"), minute], [20, None, 20, None]), Space(8)]
    else:
        hours = [_cell(f"{hour}时", "hour", hour, draft) for hour in range(24)]
        minutes = [_cell(f"{minute:02d}分", "minute", minute, draft) for minute in range(0, 60, 5)]
        body += [GridLayout(hours, 6, gap=4), Space(4), GridLayout(minutes, 6, gap=4), Space(4)]
    repeats = [
        (words, action_ref("set", days=days), days == draft["days"]) for words, days in REPEATS.items()
    ]
    days = [
        (f"周{name}", action_ref("day", day=day), str(day) in draft["days"]) for day, name in enumerate(DAYS)
    ]
    body += [Text("重复", bold=True), Chips(repeats, pad=0), Chips(days, pad=0)]
    body += [Text("标签", bold=True), Field("label", "闹钟名称", start=draft["label"])]
    if draft["alarm"] is not None:
        ask = action_ref("go", page="ask_delete", alarm=draft["alarm"])
        body += [Space(10), Button("删除闹钟", ask, style="danger")]
    title = "添加闹钟" if draft["alarm"] is None else "编辑闹钟"
    return AppPage(
        title=title, body=body, pad=18, gap=6, footer=[Button("保存", action_ref("save"))], background=PAPER
    )


def _cell(words: str, key: str, value: int, draft: Any) -> Button:  # noqa: ANN401
    chosen = draft[key] == value
    style = "filled" if chosen else "tonal"
    return Button(words, action_ref("set", **{key: value}), style=style, selected=chosen, room=40, size=14)


def _delete_dialog(view: PageView) -> Dialog:
    alarm = _alarm(view.state, view.arguments["alarm"])
    buttons = [Button("取消", BACK, style="tonal"), Button("删除", action_ref("delete"), style="danger")]
    return Dialog(title="删除闹钟", message=f"要删除 {time_of(alarm)} 的闹钟吗？", buttons=buttons)


def _cities_page(view: PageView) -> AppPage:
    body: list[Widget] = [
        Text(f"{view.now:%H:%M}", size=46, bold=True, align="center"),
        Text("北京时间", color=GREY, align="center"),
    ]
    for city in view.state["cities"]:
        city_time = view.now + timedelta(hours=CITIES[city])
        clock = Text(f"{city_time:%H:%M}", size=24, align="right")
        row = ListRow(
            city, f"{_day_words(city_time, view.now)} · {CITIES[city]:+d} 小时", trailing=clock, trail=84
        )
        body.append(Card([row], pad=2, margin=14))
    add = Icon("add", "添加城市", action_ref("go", page="add_city"))
    return AppPage(title="世界时钟", back=False, actions=[add], body=body, gap=10, tabs=_tabs("cities"))


def _day_words(city_time: datetime, phone_time: datetime) -> str:
    return {-1: "昨天", 0: "今天", 1: "明天"}[(city_time.date() - phone_time.date()).days]


def _add_city_page(view: PageView) -> AppPage:
    word = view.fields.get("city", "").strip()
    rows: list[Widget] = [
        ListRow(
            city,
            trailing="已添加" if city in view.state["cities"] else None,
            tap=action_ref("add_city", city=city),
        )
        for city in sorted(CITIES, key=lambda city: city.encode("gbk"))
        if word in city
    ]
    if not rows:
        rows = [Space(80), Text("没有找到城市", color=GREY, align="center")]
    bar = SearchBar(Field("city", "搜索城市", glyph="search", enter="搜索"))
    return AppPage(title="添加城市", header=[bar], body=rows, background=PAPER)


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
    return AppPage(title="计时器", back=False, actions=[MICROPHONE], body=body, pad=16, tabs=_tabs("timer"))


def home_widget(view: PageView) -> Widget:
    """The time and the next alarms."""
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
        old = _alarm(context.state, alarm)
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
    for key, limit in (("hour", 24), ("minute", 60)):
        text = context.field(key).strip() or str(context.arguments[key])
        if not text.isascii() or not text.isdecimal() or int(text) >= limit:
            return False
        typed[key] = int(text)
    if context.arguments["typing"]:
        context.set(**typed)
    return True


def _save(context: HandlerContext) -> None:
    if context.arguments["typing"] and not _apply_typed_time(context):
        context.toast("请输入正确的时间")
        return
    draft = context.arguments
    label = context.field("label", draft["label"])
    _save_alarm(
        context, draft["alarm"], hour=draft["hour"], minute=draft["minute"], days=draft["days"], label=label
    )
    context.back()


def _save_alarm(
    context: HandlerContext, number: int | None, *, hour: int, minute: int, days: str, label: str
) -> None:
    if number is None:
        number = context.state["next"]
        context.state["next"] += 1
        context.state["alarms"].append({"id": number})
    values = {"hour": hour, "minute": minute, "days": days, "label": label.strip() or "闹钟", "on": True}
    _alarm(context.state, number).update(values)
    context.fact("alarm_set", hour=hour, minute=minute, days=days)
    context.toast(f"闹钟已设为 {hour:02d}:{minute:02d}")


def _flip(context: HandlerContext, alarm: int) -> None:
    found = _alarm(context.state, alarm)
    found["on"] = not found["on"]
    context.fact("alarm_switched", time=time_of(found), on=found["on"])


def _delete(context: HandlerContext) -> None:
    number = context.arguments["alarm"]
    context.fact("alarm_deleted", time=time_of(_alarm(context.state, number)))
    context.state["alarms"] = [alarm for alarm in context.state["alarms"] if alarm["id"] != number]
    context.root("alarms")
    context.toast("闹钟已删除")


def _add_city(context: HandlerContext, city: str) -> None:
    if city not in context.state["cities"]:
        context.state["cities"].append(city)
        context.fact("city_added", city=city)
    context.root("cities")


def _start_timer(context: HandlerContext, minutes: int) -> None:
    context.state["timer"] = {"seconds": 60 * minutes, "until": round(context.now.timestamp()) + 60 * minutes}
    context.fact("timer_started", minutes=minutes)


def _start_typed(context: HandlerContext) -> None:
    text = context.field("minutes").strip()
    if text.isascii() and text.isdecimal() and 0 < int(text) < 1000:
        context.unfocus()
        context.fill("minutes", "")
        _start_timer(context, int(text))
    else:
        context.toast("请输入 1 到 999 分钟")


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
        _save_alarm(context, None, hour=hour, minute=minute, days=days, label="")
        return True
    for alarm in context.state["alarms"]:
        if (alarm["hour"], alarm["minute"]) == (hour, minute) and alarm["on"]:
            _flip(context, alarm["id"])
            context.toast(f"已关闭 {time_of(alarm)} 的闹钟")
    return True


PAGES: Mapping[str, PageFunction] = MappingProxyType(
    {
        "alarms": _alarms_page,
        "edit": _edit_page,
        "ask_delete": _delete_dialog,
        "cities": _cities_page,
        "add_city": _add_city_page,
        "timer": _timer_page,
        "voice": voice.page("早上七点的闹钟", "工作日八点半的闹钟", "十分钟倒计时"),
    }
)

HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {
        "edit": _edit,
        "typing": _typing,
        "day": _day,
        "save": _save,
        "flip": _flip,
        "delete": _delete,
        "add_city": _add_city,
        "start_timer": _start_timer,
        "start_typed": _start_typed,
        "cancel_timer": _cancel_timer,
        **voice.handlers(_understand),
    }
)
