"""The weather app's pages and the handlers of their taps."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from types import MappingProxyType

from simulated_phone import voice
from simulated_phone.app_definition import Handler, PageFunction, PageView
from simulated_phone.apps.weather.data import (
    ALERTS,
    CITIES,
    POPULAR,
    PROVINCES,
    Day,
    day_of,
    matching,
    province_of,
)
from simulated_phone.handler_context import HandlerContext
from simulated_phone.screens.layout import Card, ColumnLayout, RowLayout
from simulated_phone.screens.lists import Chips, Heading, ListRow, SearchBar, switch_row
from simulated_phone.screens.nodes import action_ref
from simulated_phone.screens.pages import AppPage, Sheet
from simulated_phone.screens.theme import GREY, PAPER
from simulated_phone.screens.widgets import Button, Divider, Field, Icon, Space, Text, Widget

WEEKDAYS = "一二三四五六日"


# ---- pages


def _home_page(view: PageView) -> AppPage:
    icons = [Icon("mic", "语音", voice.LISTEN), Icon("list", "城市管理", action_ref("go", page="cities"))]
    return _weather_page(view, view.state["cities"][0], icons, back=False)


def _city_page(view: PageView) -> AppPage:
    return _weather_page(view, view.arguments["city"], [], back=True)


def _weather_page(view: PageView, city: str, icons: list[Icon], *, back: bool) -> AppPage:
    today = day_of(city, view.now.date(), view.seed)
    saved = city in view.state["cities"]
    if saved:
        icons = [Icon("bell", "天气提醒", action_ref("go", page="alerts", city=city)), *icons]
    glyph, _, background = today.look
    body: list[Widget] = [
        Space(10),
        Icon(glyph, today.sky, size=68, color=PAPER, room=84),
        Text(f"{(today.low + today.high) // 2}°", size=72, color=PAPER, align="center"),
        Text(f"{today.sky}  最高{today.high}°  最低{today.low}°", size=17, color=PAPER, align="center"),
        Space(10),
    ]
    if not saved:
        body.append(Button("添加到我的城市", action_ref("add", city=city), style="tonal", glyph="add"))
    body += [_hours(city, view), _next_days(city, view), _details(today)]
    return AppPage(
        title=city, back=back, actions=icons, body=body, pad=14, gap=10, background=background, dark=True
    )


def _hours(city: str, view: PageView) -> Card:
    columns: list[Widget] = []
    for ahead in range(6):
        moment = view.now + timedelta(hours=ahead)
        day = day_of(city, moment.date(), view.seed)
        glyph, color, _ = day.look
        warm = day.low + (day.high - day.low) * (12 - abs(moment.hour - 14) % 12) // 12
        name = "现在" if not ahead else f"{moment.hour}时"
        words = Text(name, size=13, color=GREY, align="center"), Text(f"{warm}°", size=15, align="center")
        columns.append(ColumnLayout([words[0], Icon(glyph, size=22, color=color, room=40), words[1]]))
    return Card([Text("逐时预报", bold=True), Space(4), RowLayout(columns, gap=2)])


def _next_days(city: str, view: PageView) -> Card:
    first = view.now.date()
    rows = [_day_row(city, first + timedelta(days=ahead), view) for ahead in range(3)]
    more = Button("15天预报", action_ref("forecast", city=city), style="tonal")
    return Card([*rows, Space(4), more])


def _day_row(city: str, day: date, view: PageView) -> RowLayout:
    weather = day_of(city, day, view.seed)
    glyph, color, _ = weather.look
    ahead = (day - view.now.date()).days
    name = ("今天", "明天", "后天")[ahead] if ahead < 3 else f"周{WEEKDAYS[day.weekday()]}"
    parts: list[Widget] = [
        Text(name, size=16),
        Text(f"{day.month}月{day.day}日", size=14, color=GREY),
        Icon(glyph, weather.sky, size=22, color=color, room=44),
        Text(weather.sky, size=15),
        Text(f"{weather.low}° / {weather.high}°", size=16, align="right"),
    ]
    return RowLayout(parts, [40, 72, 34, None, 96], gap=4)


def _details(day: Day) -> Card:
    pairs = (("湿度", f"{day.humidity}%"), ("风力", f"{day.wind}级"), ("空气", day.air_words))
    columns: list[Widget] = [
        ColumnLayout(
            [Text(value, size=17, bold=True, align="center"), Text(name, size=13, color=GREY, align="center")]
        )
        for name, value in pairs
    ]
    return Card([RowLayout(columns)])


def _forecast_page(view: PageView) -> AppPage:
    city = view.arguments["city"]
    rows: list[Widget] = []
    for ahead in range(15):
        rows += [Divider()] if ahead else []
        rows.append(_day_row(city, view.now.date() + timedelta(days=ahead), view))
    return AppPage(title=f"{city}15天预报", body=[Space(6), Card(rows)], pad=14)


def _cities_page(view: PageView) -> AppPage:
    word = view.fields.get("city", "").strip()
    editing = view.arguments.get("editing", False)
    if word:
        body = _search_results(word, view)
    else:
        body = [Heading("我的城市", "完成" if editing else "编辑", action_ref("set", editing=not editing))]
        body += [_saved_city_card(city, view, editing) for city in view.state["cities"]]
        popular = [(city, action_ref("see", city=city), False) for city in POPULAR]
        body += [
            Heading("热门城市"),
            Chips([item for item in popular if item[0] not in view.state["cities"]]),
        ]
        body.append(ListRow("按省份查找", trailing="›", tap=action_ref("go", page="provinces")))
    bar = SearchBar(
        Field("city", "搜索城市", glyph="search", enter="搜索", submit=action_ref("first")), voice.LISTEN
    )
    return AppPage(title="城市管理", header=[bar], body=body, gap=8 if not word else 0)


def _search_results(word: str, view: PageView) -> list[Widget]:
    rows: list[Widget] = []
    for city in matching(word):
        plus = (
            None if city in view.state["cities"] else Icon("add", f"添加{city}", action_ref("add", city=city))
        )
        rows.append(
            ListRow(
                city, province_of(city), trailing=plus or "已添加", trail=48, tap=action_ref("see", city=city)
            )
        )
    return rows or [Space(80), Text("没有找到城市", color=GREY, align="center")]


def _saved_city_card(city: str, view: PageView, editing: bool) -> Card:
    today = day_of(city, view.now.date(), view.seed)
    is_home = city == view.state["cities"][0]
    trailing: Widget = Text(f"{(today.low + today.high) // 2}°", size=28, color=PAPER, align="right")
    if editing and not is_home:
        trailing = Icon("delete", f"删除{city}", action_ref("remove", city=city), color=PAPER)
    top, low = today.look[2]
    name = ColumnLayout(
        [
            Text(city, size=20, bold=True, color=PAPER),
            Text(
                ("当前位置 · " if is_home else "") + f"{today.sky} {today.low}° ~ {today.high}°",
                size=14,
                color=PAPER,
            ),
        ]
    )
    hold = None if is_home else action_ref("go", page="ask_remove", city=city)
    tap = action_ref("see", city=city)
    return Card([RowLayout([name, trailing], [None, 64])], color=top, to=low, margin=14, tap=tap, hold=hold)


def _remove_sheet(view: PageView) -> Sheet:
    city = view.arguments["city"]
    rows: list[Widget] = [
        ListRow(
            "查看天气", leading=Icon("weather", size=20, room=40), lead=36, tap=action_ref("see", city=city)
        ),
        ListRow(
            "删除城市", leading=Icon("delete", size=20, room=40), lead=36, tap=action_ref("remove", city=city)
        ),
    ]
    return Sheet(title=city, body=rows)


def _provinces_page(view: PageView) -> AppPage:
    rows: list[Widget] = [
        ListRow(
            province,
            "、".join(cities),
            trailing="›",
            tap=action_ref("go", page="province", province=province),
        )
        for province, cities in PROVINCES.items()
    ]
    return AppPage(title="按省份查找", body=rows, background=PAPER)


def _province_page(view: PageView) -> AppPage:
    rows: list[Widget] = []
    for city in PROVINCES[view.arguments["province"]]:
        word = "已添加›" if city in view.state["cities"] else "›"
        rows.append(ListRow(city, trailing=word, tap=action_ref("see", city=city)))
    return AppPage(title=view.arguments["province"], body=rows, background=PAPER)


def _alerts_page(view: PageView) -> AppPage:
    city = view.arguments["city"]
    rows = [
        switch_row(
            alert,
            when,
            on=f"{city} {alert}" in view.state["alerts"],
            tap=action_ref("flip", city=city, alert=alert),
        )
        for alert, when in ALERTS.items()
    ]
    return AppPage(title=f"{city}天气提醒", body=[Space(8), Card(rows, pad=2, margin=14)])


def _settings_page(view: PageView) -> AppPage:
    rows: list[Widget] = []
    for city in view.state["cities"]:
        count = sum(alert.startswith(f"{city} ") for alert in view.state["alerts"])
        rows.append(
            ListRow(city, trailing=f"{count}项已开启›", tap=action_ref("go", page="alerts", city=city))
        )
    return AppPage(title="提醒设置", body=rows, background=PAPER)


def home_widget(view: PageView) -> Widget:
    """Today's weather in the first city."""
    city = view.state["cities"][0]
    today = day_of(city, view.now.date(), view.seed)
    see = action_ref("see", city=city)
    parts: list[Widget] = [
        Icon(today.look[0], f"{city}天气", see, size=34, color=PAPER),
        Text(f"{city} {(today.low + today.high) // 2}°", size=20, color=PAPER, bold=True, tap=see),
        Text(f"{today.sky} {today.low}°/{today.high}°", size=14, color="#e3e8f2", align="right"),
        Icon("search", "查城市天气", action_ref("go", page="cities"), size=20, color=PAPER, plate="#5b7db1"),
    ]
    return RowLayout(parts, [48, None, 116, 48])


# ---- handlers of taps


def _see(context: HandlerContext, city: str) -> None:
    _close_sheet(context, city)
    context.state["viewed"] = city
    context.fact("city_viewed", city=city)
    context.go("city", city=city)


def _first(context: HandlerContext) -> None:
    """Open the city that the search found, if it is the only one (Enter in the search field)."""
    cities = matching(context.field("city").strip())
    if len(cities) == 1:
        _see(context, cities[0])


def _add(context: HandlerContext, city: str) -> None:
    if city not in context.state["cities"]:
        context.state["cities"].append(city)
        context.fact("city_added", city=city)
    context.toast(f"已添加{city}")


def _remove(context: HandlerContext, city: str) -> None:
    _close_sheet(context, city)
    if city == context.state["cities"][0] or city not in context.state["cities"]:
        context.toast("不能删除")
        return
    context.state["cities"].remove(city)
    context.state["alerts"] = [alert for alert in context.state["alerts"] if not alert.startswith(f"{city} ")]
    context.fact("city_removed", city=city)
    context.toast(f"已删除{city}")


def _close_sheet(context: HandlerContext, city: str) -> None:
    """Close the sheet of a long press on a city, if the action came from there."""
    if context.arguments.get("city") == city:
        context.back()


def _forecast(context: HandlerContext, city: str) -> None:
    context.state["forecast"] = context.state["viewed"] = city
    context.fact("forecast_viewed", city=city)
    context.go("forecast", city=city)


def _flip(context: HandlerContext, city: str, alert: str) -> None:
    name = f"{city} {alert}"
    on = name not in context.state["alerts"]
    (context.state["alerts"].append if on else context.state["alerts"].remove)(name)
    context.fact("alert_switched", city=city, alert=alert, on=on)


def _understand(context: HandlerContext, phrase: str) -> bool:
    """Act on a phrase: view, save or remove a city, show its 15-day forecast, or set an alert."""
    cities = [city for city in CITIES if city in phrase]
    if not cities and "天气" not in phrase:
        return False
    city = cities[0] if cities else context.state["cities"][0]
    for alert in ALERTS:
        if alert in phrase:
            return _set_alert_by_name(context, city, alert, on="关" not in phrase)
    words = voice.with_digits(phrase)
    if "删" in words:
        _remove(context, city)
    elif "加" in words or "关注" in words:
        _add(context, city)
    elif "15天" in words or "半个月" in words:
        _forecast(context, city)
    else:
        _see(context, city)
    return True


def _set_alert_by_name(context: HandlerContext, city: str, alert: str, *, on: bool) -> bool:
    if city not in context.state["cities"]:
        return False
    if (f"{city} {alert}" in context.state["alerts"]) != on:
        _flip(context, city, alert)
    context.toast(f"{city}{alert}已{'开启' if on else '关闭'}")
    return True


PAGES: Mapping[str, PageFunction] = MappingProxyType(
    {
        "home": _home_page,
        "city": _city_page,
        "forecast": _forecast_page,
        "cities": _cities_page,
        "ask_remove": _remove_sheet,
        "provinces": _provinces_page,
        "province": _province_page,
        "alerts": _alerts_page,
        "settings": _settings_page,
        "voice": voice.page("上海天气怎么样", "添加成都", "未来十五天的天气"),
    }
)

HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {
        "see": _see,
        "first": _first,
        "add": _add,
        "remove": _remove,
        "forecast": _forecast,
        "flip": _flip,
        **voice.handlers(_understand),
    }
)
