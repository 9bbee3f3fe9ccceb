"""The weather: the pages, the handlers of their taps, and the app."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

from simulated_phone.goals.app_definition import App, PageView, Shortcut
from simulated_phone.language.formats import day_of_month, short_weekday
from simulated_phone.language.language import messages
from simulated_phone.machine.handler_context import HandlerContext
from simulated_phone.screens.layouts.layout import Card, ColumnLayout, RowLayout
from simulated_phone.screens.layouts.lists import Heading, ListRow, switch_row
from simulated_phone.screens.layouts.widgets import Button, Divider, Icon, Space, Text, Widget
from simulated_phone.screens.nodes import ActionRef, action_ref
from simulated_phone.screens.pages import AppPage, Sheet
from simulated_phone.screens.theme import GREY, PAPER, STEEL, WHITE

from ... import voice
from ...builders import dialogs, list_parts, tables
from ...builders.likes import flip, put
from ...builders.search import MICROPHONE, search_bar
from ...builders.taps import change, go
from . import data
from .data import CITIES, PROVINCES, Day, find_day, province_of
from .goals import GOALS

_ = messages(__name__)


def _see_city(city: str) -> ActionRef:
    return action_ref("see", city=city)


# ---- pages


def _build_home_page(view: PageView) -> AppPage:
    icons = [MICROPHONE, Icon("list", _("城市管理"), go("cities"))]
    return _build_weather_page(view, view.state["cities"][0], icons, back=False)


def _build_city_page(view: PageView) -> AppPage:
    return _build_weather_page(view, view.arguments["city"], [], back=True)


def _build_weather_page(view: PageView, city: str, icons: list[Icon], *, back: bool) -> AppPage:
    today = find_day(city, view.minute.date(), view.seed)
    saved = city in view.state["cities"]
    if saved:
        icons = [Icon("bell", _("天气提醒"), go("alerts", city=city)), *icons]
    glyph, _unused, background = today.look
    body: list[Widget] = [
        Space(10),
        Icon(glyph, today.sky, size=68, color=WHITE, room=84),
        Text(f"{today.mean}°", size=72, color=WHITE, align="center"),
        Text(
            _("{sky}  最高{high}°  最低{low}°").format(sky=today.sky, high=today.high, low=today.low),
            size=17,
            color=WHITE,
            align="center",
        ),
        Space(10),
    ]
    if not saved:
        body.append(Button(_("添加到我的城市"), action_ref("add", city=city), style="tonal", glyph="add"))
    more = Button(_("15天预报"), action_ref("forecast", city=city), style="tonal")
    next_days = Card([*(_build_day_row(city, ahead, view) for ahead in range(3)), Space(4), more])
    body += [_list_hours(city, view), next_days, _list_details(today)]
    return AppPage(
        title=city, back=back, actions=icons, body=body, pad=14, gap=10, background=background, dark=True
    )


def _list_hours(city: str, view: PageView) -> Card:
    columns: list[Widget] = []
    for ahead in range(6):
        moment = view.minute + timedelta(hours=ahead)
        day = find_day(city, moment.date(), view.seed)
        glyph, color, _unused = day.look
        warm = day.low + (day.high - day.low) * (12 - abs(moment.hour - 14) % 12) // 12
        name = Text(
            _("{hour}时").format(hour=moment.hour) if ahead else _("现在"),
            size=13,
            color=GREY,
            align="center",
        )
        icon = Icon(glyph, size=22, color=color, room=40)
        columns.append(ColumnLayout([name, icon, Text(f"{warm}°", size=15, align="center")]))
    return Card([Text(_("逐时预报"), bold=True), Space(4), RowLayout(columns, gap=2)])


def _build_day_row(city: str, ahead: int, view: PageView) -> RowLayout:
    day: date = view.minute.date() + timedelta(days=ahead)
    weather = find_day(city, day, view.seed)
    glyph, color, _unused = weather.look
    name = (
        (_("今天"), _("明天"), _("后天", "column"))[ahead] if ahead < 3 else short_weekday(_, day.weekday())
    )
    parts: list[Widget] = [
        Text(name, size=15),
        Text(day_of_month(_, day), size=14, color=GREY),
        Icon(glyph, weather.sky, size=22, color=color, room=44),
        Text(weather.sky, size=15),
        Text(weather.span, size=16, align="right"),
    ]
    return RowLayout(parts, [76, 64, 30, None, 92], gap=2)


def _list_details(day: Day) -> Card:
    columns: list[Widget] = []
    for name, value in (
        (_("湿度"), f"{day.humidity}%"),
        (_("风力"), _("{wind}级").format(wind=day.wind)),
        (_("空气"), day.air_words),
    ):
        number = Text(value, size=17, bold=True, align="center")
        columns.append(ColumnLayout([number, Text(name, size=13, color=GREY, align="center")]))
    return Card([RowLayout(columns)])


def _build_forecast_page(view: PageView) -> AppPage:
    city = view.arguments["city"]
    days = [part for ahead in range(15) for part in (Divider(), _build_day_row(city, ahead, view))][1:]
    return AppPage(title=_("{city}15天预报").format(city=city), body=[Space(6), Card(days)], pad=14)


def _build_cities_page(view: PageView) -> AppPage:
    word, saved = view.fields.get("city", "").strip(), view.state["cities"]
    editing = view.arguments.get("editing", False)
    body: Sequence[Widget] = _find_cities(word, view)
    if not word:
        popular = [city for city in data.POPULAR if city not in saved]
        body = [
            Heading(_("我的城市"), _("完成") if editing else _("编辑"), change(editing=not editing)),
            *(_build_saved_city_card(city, view, editing) for city in saved),
            Heading(_("热门城市")),
            list_parts.suggestions(popular, _see_city),
            ListRow(_("按省份查找"), trailing="›", tap=go("provinces")),
        ]
    bar = search_bar(data.SEARCH, field="city", submit=action_ref("first"))
    return AppPage(title=_("城市管理"), header=[bar], body=body, gap=0 if word else 8)


def _find_cities(word: str, view: PageView) -> list[Widget]:
    found: list[Widget] = []
    for city in data.matching(word):
        add = Icon("add", _("添加{city}").format(city=city), action_ref("add", city=city))
        trailing = _("已添加") if city in view.state["cities"] else add
        found.append(ListRow(city, province_of(city), trailing=trailing, trail=48, tap=_see_city(city)))
    return found or list_parts.empty(_("没有找到城市"))


def _build_saved_city_card(city: str, view: PageView, editing: bool) -> Card:
    today = find_day(city, view.minute.date(), view.seed)
    is_home = city == view.state["cities"][0]
    trailing: Widget = Text(f"{today.mean}°", size=28, color=WHITE, align="right")
    if editing and not is_home:
        trailing = Icon(
            "delete", _("删除{city}").format(city=city), action_ref("remove", city=city), color=WHITE
        )
    top, low = today.look[2]
    words = (_("当前位置 · ") if is_home else "") + f"{today.sky} {today.low}° ~ {today.high}°"
    name = ColumnLayout([Text(city, size=20, bold=True, color=WHITE), Text(words, size=14, color=WHITE)])
    hold = None if is_home else go("ask_remove", city=city)
    row = RowLayout([name, trailing], [None, 64])
    return Card([row], color=top, to=low, margin=14, tap=_see_city(city), hold=hold)


def _build_ask_remove_sheet(view: PageView) -> Sheet:
    city = view.arguments["city"]
    remove = (_("删除城市"), "delete", action_ref("remove", city=city))
    return dialogs.menu(city, (_("查看天气"), "weather", _see_city(city)), remove)


def _build_provinces_page(view: PageView) -> AppPage:
    provinces = [
        ListRow(province, _("、").join(cities), trailing="›", tap=go("province", province=province))
        for province, cities in PROVINCES.items()
    ]
    return AppPage(title=_("按省份查找"), body=provinces, background=PAPER)


def _build_province_page(view: PageView) -> AppPage:
    cities = [
        ListRow(city, trailing=_("已添加›") if city in view.state["cities"] else "›", tap=_see_city(city))
        for city in PROVINCES[view.arguments["province"]]
    ]
    return AppPage(title=view.arguments["province"], body=cities, background=PAPER)


def _build_alerts_page(view: PageView) -> AppPage:
    city, on = view.arguments["city"], view.state["alerts"]
    switches = [
        switch_row(alert, when, on=f"{city} {alert}" in on, tap=action_ref("flip", city=city, alert=alert))
        for alert, when in data.ALERTS.items()
    ]
    return AppPage(
        title=_("{city}天气提醒").format(city=city),
        body=[Space(8), list_parts.panel(*switches, margin=14, gap=4)],
    )


def _build_settings_page(view: PageView) -> AppPage:
    cities: list[Widget] = []
    for city in view.state["cities"]:
        count = sum(alert.startswith(f"{city} ") for alert in view.state["alerts"])
        cities.append(
            ListRow(city, trailing=_("{count}项已开启›").format(count=count), tap=go("alerts", city=city))
        )
    return AppPage(title=_("提醒设置"), body=cities, background=PAPER)


def _build_home_widget(view: PageView) -> Widget:
    city = view.state["cities"][0]
    today = find_day(city, view.minute.date(), view.seed)
    see = _see_city(city)
    parts: list[Widget] = [
        Icon(today.look[0], _("{city}天气").format(city=city), see, size=34, color=WHITE),
        Text(f"{city} {today.mean}°", size=20, color=WHITE, bold=True, tap=see),
        Text(f"{today.sky} {today.low}°/{today.high}°", size=14, color=WHITE, align="right"),
        Icon("search", _("查城市天气"), go("cities"), size=20, color=WHITE, plate=STEEL),
    ]
    return RowLayout(parts, [48, None, 116, 48])


# ---- handlers of taps


def _see(context: HandlerContext, city: str) -> None:
    _build_close_sheet(context, city)
    context.state["viewed"] = city
    context.fact("city_viewed", city=city)
    context.go("city", city=city)


def _first(context: HandlerContext) -> None:
    """Open the city that the search found, if it is the only one (Enter in the search field)."""
    cities = data.matching(context.field("city").strip())
    if len(cities) == 1:
        _see(context, cities[0])


def _add(context: HandlerContext, city: str) -> None:
    put(context, "cities", "city_added", city=city)
    context.toast(_("已添加{city}").format(city=city))


def _remove(context: HandlerContext, city: str) -> None:
    _build_close_sheet(context, city)
    if city == context.state["cities"][0] or city not in context.state["cities"]:
        context.toast(_("不能删除"))
        return
    context.state["cities"].remove(city)
    context.state["alerts"] = [alert for alert in context.state["alerts"] if not alert.startswith(f"{city} ")]
    context.fact("city_removed", city=city)
    context.toast(_("已删除{city}").format(city=city))


def _build_close_sheet(context: HandlerContext, city: str) -> None:
    """Close the sheet of a long press on a city, if the action came from there."""
    if context.arguments.get("city") == city:
        context.back()


def _forecast(context: HandlerContext, city: str) -> None:
    context.state["forecast"] = context.state["viewed"] = city
    context.fact("forecast_viewed", city=city)
    context.go("forecast", city=city)


def _flip(context: HandlerContext, city: str, alert: str) -> None:
    on = flip(context.state["alerts"], f"{city} {alert}")
    context.fact("alert_switched", city=city, alert=alert, on=on)


def _understand(context: HandlerContext, phrase: str) -> bool:
    """Act on a phrase: view, save or remove a city, show its 15-day forecast, or set an alert."""
    cities = [city for city in CITIES if city in phrase]
    if not cities and not voice.says(phrase, _("天气", "said")):
        return False
    city = cities[0] if cities else context.state["cities"][0]
    for alert in data.ALERTS:
        if alert in phrase:
            return _set_alert_by_name(context, city, alert, on=not voice.says(phrase, _("关", "said")))
    words = voice.write_digits(phrase)
    if voice.says(words, _("删", "said")):
        _remove(context, city)
    elif voice.says(words, _("加", "said")) or voice.says(words, _("关注", "said")):
        _add(context, city)
    elif voice.says(words, _("15天", "said")) or voice.says(words, _("半个月", "said")):
        _forecast(context, city)
    else:
        _see(context, city)
    return True


def _set_alert_by_name(context: HandlerContext, city: str, alert: str, *, on: bool) -> bool:
    if city not in context.state["cities"]:
        return False
    if (f"{city} {alert}" in context.state["alerts"]) != on:
        _flip(context, city, alert)
    context.toast(
        _("{city}{alert}已{value}").format(
            city=city, alert=alert, value=_("开启", "switch") if on else _("关闭", "switch")
        )
    )
    return True


WEATHER = App(
    package=data.PACKAGE,
    label=data.LABEL,
    english="Weather",
    glyph="weather",
    color="#2f80d8",
    initial=data.make_state,
    pages={
        **tables.pages_of(__name__),
        "voice": voice.page(_("上海天气怎么样"), _("添加成都"), _("未来十五天的天气")),
    },
    handlers={
        **tables.handlers(_see, _first, _add, _remove, _forecast, _flip),
        **voice.handlers(_understand),
    },
    shortcuts=(
        Shortcut(text=_("城市管理"), glyph="list", tap=go("cities")),
        Shortcut(text=_("提醒设置"), glyph="bell", tap=go("settings")),
    ),
    widget=_build_home_widget,
    goals=GOALS,
    position=3,
    hours=(7, 8, 20),
    seen=("forecast", "viewed"),
)
