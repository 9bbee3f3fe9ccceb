"""The calendar's pages and the handlers of their taps."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from types import MappingProxyType
from typing import Any

from simulated_phone import voice
from simulated_phone.app_definition import Handler, PageFunction, PageView
from simulated_phone.apps.calendar.data import (
    HOURS,
    MINUTES,
    NAMED_DAYS,
    SENTENCE,
    WEEKDAYS,
    day_words,
    next_date,
    parse_event,
    time_words,
)
from simulated_phone.apps.calendar.month_grid import months, weekdays
from simulated_phone.handler_context import HandlerContext
from simulated_phone.screens.layout import Card, ColumnLayout, GridLayout, RowLayout
from simulated_phone.screens.lists import Chips, Heading, ListRow, SearchBar, Tab
from simulated_phone.screens.nodes import action_ref
from simulated_phone.screens.pages import BACK, AppPage, Dialog, Sheet
from simulated_phone.screens.theme import GREY, PAPER
from simulated_phone.screens.widgets import Button, Field, Icon, Space, Text, Widget

Event = Mapping[str, Any]


def _tabs(chosen: str) -> list[Tab]:
    tabs = (("month", "月历", "calendar"), ("agenda", "日程", "list"))
    return [
        Tab(text=text, glyph=glyph, tap=action_ref("tab", page=page), chosen=page == chosen)
        for page, text, glyph in tabs
    ]


def _event(state: Mapping[str, Any], number: int) -> dict[str, Any]:
    found: dict[str, Any] = next(event for event in state["events"] if event["id"] == number)
    return found


def _day_and_weekday(day: date) -> str:
    return f"{day_words(day)} 星期{WEEKDAYS[day.weekday()]}"


# ---- pages


def _month_page(view: PageView) -> AppPage:
    icons = [
        Icon("mic", "语音", voice.LISTEN),
        Icon("search", "跳转到日期", action_ref("go", page="jump")),
        Icon("add", "新建日程", action_ref("edit")),
    ]
    field = Field("sentence", SENTENCE, glyph="edit", submit=action_ref("sentence"), enter="新建")
    quick = RowLayout([field, Button("新建", action_ref("sentence"), room=44)], [None, 76], pad=12)
    return AppPage(
        title="日历",
        back=False,
        actions=icons,
        header=[quick, Space(6), weekdays(), Space(4)],
        body=months(view, "see"),
        tabs=_tabs("month"),
        background=PAPER,
    )


def _day_page(view: PageView) -> AppPage:
    day = date.fromisoformat(view.arguments["day"])
    events = sorted((e for e in view.state["events"] if e["day"] == view.arguments["day"]), key=time_words)
    body: list[Widget] = [_event_card(event) for event in events]
    if not events:
        body = [Space(120), Icon("calendar", size=60, color="#c6c9d0", room=90)]
        body.append(Text("这一天没有日程", color=GREY, align="center"))
    add = Button("添加日程", action_ref("edit", day=view.arguments["day"]), glyph="add")
    return AppPage(title=_day_and_weekday(day), body=[Space(6), *body], gap=10, footer=[add])


def _event_card(event: Event) -> Card:
    bar = Text(time_words(event), size=17, bold=True)
    row = ListRow(event["title"], leading=bar, lead=56, trailing="›", bold=True)
    tap, hold = (
        action_ref("go", page="event", event=event["id"]),
        action_ref("go", page="menu", event=event["id"]),
    )
    return Card([row], pad=2, margin=14, tap=tap, hold=hold)


def _agenda_page(view: PageView) -> AppPage:
    word = view.fields.get("title", "").strip()
    first = view.now.date().isoformat()
    events = [event for event in view.state["events"] if event["day"] >= first and word in event["title"]]
    body: list[Widget] = []
    last = ""
    for event in sorted(events, key=lambda event: (event["day"], time_words(event))):
        if event["day"] != last:
            last = event["day"]
            body.append(Heading(_day_and_weekday(date.fromisoformat(last))))
        body += [_event_card(event), Space(8)]
    if not events:
        body = [Space(120), Text("没有日程", color=GREY, align="center")]
    icons = [Icon("mic", "语音", voice.LISTEN), Icon("add", "新建日程", action_ref("edit"))]
    bar = SearchBar(Field("title", "搜索日程", glyph="search", enter="搜索"))
    return AppPage(title="日程", back=False, actions=icons, header=[bar], body=body, tabs=_tabs("agenda"))


def _event_page(view: PageView) -> AppPage:
    event = _event(view.state, view.arguments["event"])
    number = event["id"]
    icons = [
        Icon("edit", "编辑", action_ref("edit", event=number)),
        Icon("delete", "删除日程", action_ref("go", page="ask_delete", event=number)),
    ]
    day = _day_and_weekday(date.fromisoformat(event["day"]))
    rows: list[Widget] = [
        ListRow(day, "日期", leading=Icon("calendar", size=22, color=GREY), lead=32),
        ListRow(time_words(event), "开始时间", leading=Icon("clock", size=22, color=GREY), lead=32),
        ListRow("准时提醒", "提醒", leading=Icon("bell", size=22, color=GREY), lead=32),
    ]
    body: list[Widget] = [
        Space(8),
        Text(event["title"], size=26, bold=True, lines=2),
        Space(8),
        Card(rows, pad=2),
    ]
    return AppPage(title="日程详情", actions=icons, body=body, pad=16)


def _menu_sheet(view: PageView) -> Sheet:
    event = _event(view.state, view.arguments["event"])
    edit, delete = (
        action_ref("edit", event=event["id"]),
        action_ref("go", page="ask_delete", event=event["id"]),
    )
    rows = [
        ListRow("编辑日程", leading=Icon("edit", size=20, room=40), lead=36, tap=edit),
        ListRow("删除日程", leading=Icon("delete", size=20, room=40), lead=36, tap=delete),
    ]
    return Sheet(title=event["title"], body=rows)


def _delete_dialog(view: PageView) -> Dialog:
    title = _event(view.state, view.arguments["event"])["title"]
    buttons = [Button("取消", BACK, style="tonal"), Button("删除", action_ref("delete"), style="danger")]
    return Dialog(title="删除日程", message=f"要删除“{title}”吗？", buttons=buttons)


def _jump_dialog(view: PageView) -> Dialog:
    fields = RowLayout(
        [Field("month", "月份"), Text("月"), Field("day", "日期"), Text("日")], [None, 18, None, 18]
    )
    buttons = [Button("取消", BACK, style="tonal"), Button("确定", action_ref("jump"))]
    return Dialog(title="跳转到日期", body=[fields, Space(6)], buttons=buttons)


def _edit_page(view: PageView) -> AppPage:
    draft = view.arguments
    title = "新建日程" if draft["event"] is None else "编辑日程"
    day = date.fromisoformat(draft["day"])
    if draft["picking"]:
        return AppPage(
            title="选择日期",
            header=[weekdays(), Space(4)],
            body=months(view, "pick", draft["day"]),
            footer=[Button("取消选择", action_ref("set", picking=False), style="tonal")],
            background=PAPER,
        )
    today = view.now.date()
    days = {name: (today + timedelta(days=ahead)).isoformat() for name, ahead in reversed(NAMED_DAYS.items())}
    soon = [(name, action_ref("set", day=iso), iso == draft["day"]) for name, iso in days.items()]
    hours = [_cell(f"{hour}时", "hour", hour, draft) for hour in HOURS]
    minutes = [_cell(f"{minute:02d}分", "minute", minute, draft) for minute in MINUTES]
    body: list[Widget] = [
        Space(4),
        Field("title", "标题", start=draft["title"]),
        ListRow("日期", trailing=f"{_day_and_weekday(day)}›", tap=action_ref("set", picking=True), pad=4),
        Chips(soon, pad=0),
        Text("开始时间", bold=True),
        GridLayout(hours, 6, gap=4),
        GridLayout(minutes, 4, gap=4),
    ]
    return AppPage(
        title=title, body=body, pad=16, gap=8, footer=[Button("保存", action_ref("save"))], background=PAPER
    )


def _cell(words: str, key: str, value: int, draft: Mapping[str, Any]) -> Button:
    chosen = draft[key] == value
    style = "filled" if chosen else "tonal"
    return Button(words, action_ref("set", **{key: value}), style=style, selected=chosen, room=42, size=14)


def home_widget(view: PageView) -> Widget:
    """Today's date and the next event."""
    now = view.now
    first = (now.date().isoformat(), f"{now:%H:%M}")
    moments = sorted((event["day"], time_words(event), event["title"]) for event in view.state["events"])
    after = next((moment for moment in moments if moment[:2] >= first), None)
    words = "没有日程"
    if after:
        words = f"{day_words(date.fromisoformat(after[0]))} {after[1]} {after[2]}"
    today = action_ref("see", day=first[0])
    lines = ColumnLayout(
        [Text("下一个日程", size=13, color="#e3e8f2"), Text(words, size=16, color=PAPER, tap=today)]
    )
    open_ = Icon("calendar", "今天的日程", today, size=26, color=PAPER)
    add = Icon("add", "新建日程", action_ref("edit"), size=20, color=PAPER, plate="#5b7db1")
    return RowLayout([open_, lines, add], [44, None, 48])


# ---- handlers of taps


def _tab(context: HandlerContext, page: str) -> None:
    """Open a tab with the months below it, so that back returns to them."""
    context.root("month")
    if page != "month":
        context.go(page)


def _see(context: HandlerContext, day: str) -> None:
    context.state["viewed"] = day
    context.fact("day_viewed", day=day)
    context.go("day", day=day)


def _jump(context: HandlerContext) -> None:
    month, number = context.field("month").strip(), context.field("day").strip()
    plain = (month + number).isascii() and month.isdecimal() and number.isdecimal()
    day = next_date(int(month), int(number), context.now.date()) if plain else None
    if day is None:
        context.toast("没有这一天")
        return
    context.back()
    _see(context, day.isoformat())


def _edit(context: HandlerContext, event: int | None = None, day: str | None = None) -> None:
    draft: dict[str, Any] = {
        "day": day or context.now.date().isoformat(),
        "hour": 9,
        "minute": 0,
        "title": "",
    }
    if event is not None:
        if "event" in context.arguments:
            context.back()
        old = _event(context.state, event)
        draft = {key: old[key] for key in draft}
    context.go("edit", event=event, picking=False, **draft)


def _save(context: HandlerContext) -> None:
    draft = context.arguments
    title = context.field("title", draft["title"]).strip()
    if not title:
        context.toast("请输入标题")
        return
    values = {key: draft[key] for key in ("day", "hour", "minute")}
    _save_event(context, draft["event"], title=title, **values)
    context.back()


def _save_event(context: HandlerContext, number: int | None, **values: Any) -> None:  # noqa: ANN401
    if number is None:
        number = context.state["next"]
        context.state["next"] += 1
        context.state["events"].append({"id": number})
    _event(context.state, number).update(values)
    context.fact("event_saved", **values)
    context.toast("日程已保存")


def _delete(context: HandlerContext) -> None:
    _delete_event(context, context.arguments["event"])
    _tab(context, "agenda")


def _delete_event(context: HandlerContext, number: int) -> None:
    context.fact("event_deleted", title=_event(context.state, number)["title"])
    context.state["events"] = [event for event in context.state["events"] if event["id"] != number]
    context.toast("日程已删除")


def _sentence(context: HandlerContext) -> None:
    text = context.field("sentence").strip()
    if not text or not _add_from_sentence(context, text):
        context.toast("请写明日期和事情，如“明天下午三点开会”")
        return
    context.fill("sentence", "")
    context.unfocus()


def _add_from_sentence(context: HandlerContext, sentence: str) -> bool:
    event = parse_event(sentence, context.now.date())
    if event.day is None or not event.rest:
        return False
    hour = 9 if event.hour is None else event.hour
    _save_event(context, None, title=event.rest, day=event.day.isoformat(), hour=hour, minute=event.minute)
    return True


def _understand(context: HandlerContext, phrase: str) -> bool:
    """Act on a phrase: show a day, or delete, move or add an event."""
    understood_event = parse_event(phrase, context.now.date())
    if understood_event.day and any(words in phrase for words in ("什么", "安排", "有空", "查看")):
        _see(context, understood_event.day.isoformat())
        return True
    for event in context.state["events"]:
        if event["title"] in phrase and ("删" in phrase or "取消" in phrase):
            _delete_event(context, event["id"])
            return True
        if (
            event["title"] in phrase
            and "改" in phrase
            and (understood_event.hour is not None or understood_event.day)
        ):
            hour = (
                {}
                if understood_event.hour is None
                else {"hour": understood_event.hour, "minute": understood_event.minute}
            )
            day = {"day": understood_event.day.isoformat()} if understood_event.day else {}
            _save_event(context, event["id"], **hour, **day)
            return True
    return _add_from_sentence(context, phrase)


PAGES: Mapping[str, PageFunction] = MappingProxyType(
    {
        "month": _month_page,
        "day": _day_page,
        "agenda": _agenda_page,
        "event": _event_page,
        "menu": _menu_sheet,
        "ask_delete": _delete_dialog,
        "jump": _jump_dialog,
        "edit": _edit_page,
        "voice": voice.page("明天有什么安排", "后天下午三点开会"),
    }
)

HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {
        "tab": _tab,
        "see": _see,
        "jump": _jump,
        "edit": _edit,
        "pick": lambda context, day: context.set(day=day, picking=False),
        "save": _save,
        "delete": _delete,
        "sentence": _sentence,
        **voice.handlers(_understand),
    }
)
