"""The weather app's goals: view a city or its forecast, save a city, switch alerts on."""

from __future__ import annotations

from collections.abc import Sequence

from simulated_phone.app_definition import Arguments, Goal, State, States, Strategy, generator
from simulated_phone.apps.weather.data import ALERTS, CITIES, PACKAGE, PROVINCES, initial
from simulated_phone.people.steps import Hold, Open, Press, Step, Tap, TypeText
from simulated_phone.voice import voice_strategy


def _fresh_state(seed: int) -> State:
    return initial(generator(PACKAGE, seed))


def _city_cases(cities: Sequence[str]) -> list[Arguments]:
    return [
        {"city": city, "province": province}
        for province, inside in PROVINCES.items()
        for city in inside
        if city in cities
    ]


def _unsaved_city_cases(seed: int) -> list[Arguments]:
    return _city_cases(sorted(set(CITIES) - set(_fresh_state(seed)["cities"])))


def _alert_cases(seed: int) -> list[Arguments]:
    state = _fresh_state(seed)
    return [
        {"city": city, "alert": alert}
        for city in state["cities"]
        for alert in ALERTS
        if f"{city} {alert}" not in state["alerts"]
    ]


def _is_viewed(states: States, arguments: Arguments) -> bool:
    return bool(states[PACKAGE]["viewed"] == arguments["city"])


def _is_saved(states: States, arguments: Arguments) -> bool:
    return arguments["city"] in states[PACKAGE]["cities"]


def _is_forecast(states: States, arguments: Arguments) -> bool:
    return bool(states[PACKAGE]["forecast"] == arguments["city"])


def _is_alerted(states: States, arguments: Arguments) -> bool:
    return f"{arguments['city']} {arguments['alert']}" in states[PACKAGE]["alerts"]


def _search_strategy(*then: Step) -> Strategy:
    look = (Tap("城市管理"), TypeText("{city}", into="搜索城市"))
    return Strategy("search", (Open(PACKAGE), *look, *then))


def _list_strategy(*then: Step) -> Strategy:
    return Strategy("list", (Open(PACKAGE), Tap("城市管理"), *then))


_PLACE = (Open(PACKAGE), Tap("城市管理"), Tap("按省份查找"), Tap("{province}"), Tap("{city}"))
_WIDGET = (Press("home"), Tap("查城市天气"), TypeText("{city}", into="搜索城市"), Tap("{city}"))

GOALS = (
    Goal(
        name="see_city",
        words=("看看{city}的天气", "{city}今天天气怎么样", "查一下{city}天气", "{city}冷不冷，要穿什么"),
        cases=_unsaved_city_cases,
        rule=_is_viewed,
        strategies=(
            _search_strategy(Tap("{city}")),
            Strategy("browse", _PLACE),
            voice_strategy(PACKAGE, "{city}天气怎么样"),
            Strategy("widget", _WIDGET),
        ),
    ),
    Goal(
        name="add_city",
        words=("把{city}加到天气里", "天气添加{city}", "我要去{city}出差，天气里加上", "关注{city}的天气"),
        cases=_unsaved_city_cases,
        rule=_is_saved,
        strategies=(
            _search_strategy(Tap("{city}"), Tap("添加到我的城市")),
            Strategy("quick", (*_search_strategy().script, Tap("添加{city}"))),
            Strategy("browse", (*_PLACE, Tap("添加到我的城市"))),
            voice_strategy(PACKAGE, "添加{city}"),
        ),
    ),
    Goal(
        name="remove_city",
        words=("把{city}从天气里删掉", "天气不用显示{city}了", "删除{city}的天气", "不看{city}的天气了"),
        cases=lambda seed: _city_cases(_fresh_state(seed)["cities"][1:]),
        rule=lambda states, arguments: not _is_saved(states, arguments),
        strategies=(
            Strategy("held", (*_list_strategy(Hold("{city}")).script, Tap("删除城市"))),
            Strategy("edited", (*_list_strategy(Tap("编辑")).script, Tap("删除{city}"))),
            voice_strategy(PACKAGE, "删除{city}"),
        ),
    ),
    Goal(
        name="see_forecast",
        words=(
            "看{city}未来15天的天气",
            "{city}半个月的天气预报",
            "{city}接下来两周下不下雨",
            "{city}15天预报",
        ),
        cases=lambda seed: _city_cases(_fresh_state(seed)["cities"]),
        rule=_is_forecast,
        strategies=(
            _list_strategy(Tap("{city}"), Tap("15天预报")),
            _search_strategy(Tap("{city}"), Tap("15天预报")),
            voice_strategy(PACKAGE, "{city}未来十五天的天气"),
        ),
    ),
    Goal(
        name="turn_alert_on",
        words=("打开{city}的{alert}", "开启{city}{alert}", "帮我设{city}的{alert}", "{city}要有{alert}"),
        cases=_alert_cases,
        rule=_is_alerted,
        strategies=(
            _list_strategy(Tap("{city}"), Tap("天气提醒"), Tap("{alert}")),
            Strategy(
                "shortcut", (Press("home"), Hold("天气"), Tap("提醒设置"), Tap("{city}"), Tap("{alert}"))
            ),
            voice_strategy(PACKAGE, "打开{city}的{alert}"),
        ),
    ),
)
