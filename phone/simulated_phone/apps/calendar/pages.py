"""The calendar: its pages, the handlers of their taps, and the app."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from simulated_phone.goals.app_definition import App, PageView, Shortcut
from simulated_phone.language.formats import weekday
from simulated_phone.language.language import messages
from simulated_phone.machine.handler_context import HandlerContext
from simulated_phone.screens.layouts.layout import Card, ColumnLayout, RowLayout
from simulated_phone.screens.layouts.lists import Heading, ListRow
from simulated_phone.screens.layouts.widgets import Button, Field, Icon, Space, Text, Widget
from simulated_phone.screens.nodes import action_ref
from simulated_phone.screens.pages import AppPage, Dialog, Sheet
from simulated_phone.screens.theme import GREY, PAPER, STEEL, WHITE

from ... import voice
from ...builders import dialogs, forms, records, tables, tabs, wheels
from ...builders.list_parts import build_picks, empty
from ...builders.search import MICROPHONE, search_bar
from ...builders.taps import change, go, tab
from . import data
from .data import NAMED_DAYS, day_words, find_next_date, parse_event, time_words
from .goals import GOALS
from .month_grid import list_months, weekdays

_ = messages(__name__)

TABS = tabs.bottom_tabs(("month", _("月历"), "calendar"), ("agenda", _("日程"), "list"))
PLUS = Icon("add", _("新建日程"), action_ref("edit"))


def _shown_event(view: PageView) -> dict[str, Any]:
    return records.record(view.state["events"], view.arguments["event"])


def _day_and_weekday(iso: str) -> str:
    day = date.fromisoformat(iso)
    return _("{date} {weekday}").format(date=day_words(day), weekday=weekday(_, day.weekday()))


# ---- pages


def _build_month_page(view: PageView) -> AppPage:
    icons = [MICROPHONE, Icon("search", _("跳转到日期"), go("jump")), PLUS]
    add = action_ref("sentence")
    field = Field("sentence", data.SENTENCE, glyph="edit", submit=add, enter=_("新建"))
    quick = RowLayout([field, Button(_("新建"), add, room=44)], [None, 76], pad=12)
    return AppPage(
        title=data.LABEL,
        back=False,
        actions=icons,
        header=[quick, Space(6), weekdays(), Space(4)],
        body=list_months(view, "see"),
        tabs=TABS("month"),
        background=PAPER,
    )


def _build_day_page(view: PageView) -> AppPage:
    day = view.arguments["day"]
    events = sorted((event for event in view.state["events"] if event["day"] == day), key=time_words)
    cards = [_build_event_card(event) for event in events]
    body = [Space(6), *(cards or empty(_("这一天没有日程"), space=120, glyph="calendar"))]
    add = Button(_("添加日程"), action_ref("edit", day=day), glyph="add")
    return AppPage(title=_day_and_weekday(day), body=body, gap=10, footer=[add])


def _build_event_card(event: dict[str, Any]) -> Card:
    start = Text(time_words(event), size=17, bold=True)
    row = ListRow(event["title"], leading=start, lead=56, trailing="›", bold=True)
    tap, hold = go("event", event=event["id"]), go("menu", event=event["id"])
    return Card([row], pad=2, margin=14, tap=tap, hold=hold)


def _build_agenda_page(view: PageView) -> AppPage:
    word, first = view.fields.get("title", "").strip(), view.minute.date().isoformat()
    events = [event for event in view.state["events"] if event["day"] >= first and word in event["title"]]
    body: list[Widget] = []
    last = ""
    for event in sorted(events, key=lambda event: (event["day"], time_words(event))):
        if event["day"] != last:
            last = event["day"]
            body.append(Heading(_day_and_weekday(last)))
        body += [_build_event_card(event), Space(8)]
    return AppPage(
        title=_("日程"),
        back=False,
        actions=[MICROPHONE, PLUS],
        header=[search_bar(data.SEARCH, field="title", mic=False)],
        body=body or empty(_("没有日程"), space=120),
        tabs=TABS("agenda"),
    )


def _build_event_page(view: PageView) -> AppPage:
    event = _shown_event(view)
    icons = [
        Icon("edit", _("编辑"), action_ref("edit", event=event["id"])),
        Icon("delete", _("删除日程"), go("ask_delete", event=event["id"])),
    ]
    rows = [
        ListRow(words, name, leading=Icon(glyph, size=22, color=GREY), lead=32)
        for words, name, glyph in (
            (_day_and_weekday(event["day"]), _("日期"), "calendar"),
            (time_words(event), _("开始时间"), "clock"),
            (_("准时提醒"), _("提醒"), "bell"),
        )
    ]
    title = Text(event["title"], size=26, bold=True, lines=2)
    body = [Space(8), title, Space(8), Card(rows, pad=2)]
    return AppPage(title=_("日程详情"), actions=icons, body=body, pad=16)


def _build_menu_sheet(view: PageView) -> Sheet:
    event = _shown_event(view)
    edit = (_("编辑日程"), "edit", action_ref("edit", event=event["id"]))
    return dialogs.menu(event["title"], edit, (_("删除日程"), "delete", go("ask_delete", event=event["id"])))


def _build_ask_delete_dialog(view: PageView) -> Dialog:
    message = _("要删除“{title}”吗？").format(title=_shown_event(view)["title"])
    return dialogs.ask(_("删除日程"), _("删除"), action_ref("delete"), message=message, style="danger")


def _build_jump_dialog(view: PageView) -> Dialog:
    date_wheels = wheels.build_date_picker(wheels.chosen_date(view, view.minute.date()))
    return dialogs.ask(_("跳转到日期"), _("确定"), action_ref("jump"), body=[date_wheels, Space(6)])


def _build_edit_page(view: PageView) -> AppPage:
    draft = {**view.arguments, **wheels.chosen(view, wheels.TIME)}
    if draft["picking"]:
        return AppPage(
            title=_("选择日期"),
            header=[weekdays(), Space(4)],
            body=list_months(view, "pick", draft["day"]),
            footer=[Button(_("取消选择"), change(picking=False), style="tonal")],
            background=PAPER,
        )
    today = view.minute.date()
    soon = {name: (today + timedelta(days=ahead)).isoformat() for name, ahead in reversed(NAMED_DAYS.items())}
    day = ListRow(_("日期"), trailing=f"{_day_and_weekday(draft['day'])}›", tap=change(picking=True), pad=4)
    body: list[Widget] = [
        Space(4),
        Field("title", _("标题"), start=draft["title"]),
        day,
        build_picks("day", soon, draft["day"], pad=0),
        Text(_("开始时间"), bold=True),
        wheels.build_time_picker(draft),
    ]
    title = _("新建日程") if draft["event"] is None else _("编辑日程")
    save = Button(_("保存"), action_ref("save"))
    return AppPage(title=title, body=body, pad=16, gap=8, footer=[save], background=PAPER)


def _build_home_widget(view: PageView) -> Widget:
    first = (view.minute.date().isoformat(), f"{view.minute:%H:%M}")
    moments = sorted((event["day"], time_words(event), event["title"]) for event in view.state["events"])
    after = next((moment for moment in moments if moment[:2] >= first), None)
    words = f"{day_words(date.fromisoformat(after[0]))} {after[1]} {after[2]}" if after else _("没有日程")
    today = action_ref("see", day=first[0])
    lines = [Text(_("下一个日程"), size=13, color=WHITE), Text(words, size=16, color=WHITE, tap=today)]
    open_ = Icon("calendar", _("今天的日程"), today, size=26, color=WHITE)
    add = Icon("add", _("新建日程"), action_ref("edit"), size=20, color=WHITE, plate=STEEL)
    return RowLayout([open_, ColumnLayout(lines), add], [44, None, 48])


# ---- handlers of taps

_tab = tabs.tab_over("month")


def _see(context: HandlerContext, day: str) -> None:
    context.state["viewed"] = day
    context.fact("day_viewed", day=day)
    context.go("day", day=day)


def _jump(context: HandlerContext) -> None:
    today = context.now.date()
    day = find_next_date(**wheels.picked_date(context, today), today=today)
    if day is None:
        context.toast(_("没有这一天"))
        return
    context.back()
    _see(context, day.isoformat())


def _edit(
    context: HandlerContext,
    event: int | None = None,
    day: str | None = None,
    hour: int = 9,
    minute: int = 0,
    title: str = "",
) -> None:
    today = context.now.date().isoformat()
    draft: dict[str, Any] = {"day": day or today, "hour": hour, "minute": minute, "title": title}
    if event is not None:
        if "event" in context.arguments:
            context.back()
        old = records.record(context.state["events"], event)
        draft = {key: old[key] for key in draft}
    context.go("edit", event=event, picking=False, **draft)


def _pick(context: HandlerContext, day: str) -> None:
    context.set(day=day, picking=False)


def _save(context: HandlerContext) -> None:
    draft = {**context.arguments, **wheels.picked(context, wheels.TIME)}
    if title := forms.read_typed(context, "title", _("请输入标题"), start=draft["title"]):
        values = {key: draft[key] for key in ("day", "hour", "minute")}
        _save_event(context, draft["event"], title=title, **values)
        context.back()


def _save_event(context: HandlerContext, number: int | None, **values: Any) -> None:  # noqa: ANN401
    records.save(context.state, "events", number, values)
    context.fact("event_saved", **values)
    context.toast(_("日程已保存"))


def _receive(context: HandlerContext, title: str, day: str, hour: int, minute: int = 0) -> None:
    """Add an event that another app gives."""
    _save_event(context, None, title=title, day=day, hour=hour, minute=minute)


def _delete(context: HandlerContext) -> None:
    _delete_event(context, context.arguments["event"])
    _tab(context, "agenda")


def _delete_event(context: HandlerContext, number: int) -> None:
    context.fact("event_deleted", title=records.record(context.state["events"], number)["title"])
    records.drop(context.state, "events", number)
    context.toast(_("日程已删除"))


def _sentence(context: HandlerContext) -> None:
    text = context.field("sentence").strip()
    if not text or not _build_add_from_sentence(context, text):
        context.toast(_("请写明日期和事情，如“明天下午三点开会”"))
        return
    context.fill("sentence", "")
    context.unfocus()


def _build_add_from_sentence(context: HandlerContext, sentence: str) -> bool:
    event = parse_event(sentence, context.now.date())
    if event.day is None or not event.rest:
        return False
    hour = 9 if event.hour is None else event.hour
    _save_event(context, None, title=event.rest, day=event.day.isoformat(), hour=hour, minute=event.minute)
    return True


def _understand(context: HandlerContext, phrase: str) -> bool:
    """Act on a phrase: show a day, or delete, move or add an event."""
    spoken = parse_event(phrase, context.now.date())
    if spoken.day and voice.says(phrase, _("什么|安排|有空|查看", "said")):
        _see(context, spoken.day.isoformat())
        return True
    for event in context.state["events"]:
        if event["title"] not in phrase:
            continue
        if voice.says(phrase, _("删", "said")) or voice.says(phrase, _("取消", "said")):
            _delete_event(context, event["id"])
            return True
        if voice.says(phrase, _("改", "said")) and (spoken.hour is not None or spoken.day):
            hour = {} if spoken.hour is None else {"hour": spoken.hour, "minute": spoken.minute}
            day = {"day": spoken.day.isoformat()} if spoken.day else {}
            _save_event(context, event["id"], **hour, **day)
            return True
    return _build_add_from_sentence(context, phrase)


CALENDAR = App(
    package=data.PACKAGE,
    activity=".AllInOneActivity",
    label=data.LABEL,
    english="Calendar",
    glyph="calendar",
    color="#d9453c",
    initial=data.make_state,
    home="month",
    pages={**tables.pages_of(__name__), "voice": voice.page(_("明天有什么安排"), _("后天下午三点开会"))},
    handlers={
        **tables.handlers(_see, _jump, _edit, _pick, _save, _delete, _sentence, _receive),
        "tab": _tab,
        **voice.handlers(_understand),
    },
    shortcuts=(
        Shortcut(text=_("新建日程"), glyph="add", tap=action_ref("edit")),
        Shortcut(text=_("查看日程"), glyph="list", tap=tab("agenda")),
    ),
    widget=_build_home_widget,
    goals=GOALS,
    position=6,
    hours=(9, 10, 14, 20),
    seen=("viewed",),
)
