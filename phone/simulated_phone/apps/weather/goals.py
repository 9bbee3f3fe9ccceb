"""The weather app's goals: view a city or its forecast, save a city, switch alerts on."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from simulated_phone.goals.app_definition import Arguments, PageView, States
from simulated_phone.goals.steps import Hold, TypeText
from simulated_phone.language.language import messages

from ...builders.goals import GoalBuilder, asks, goal
from .data import ALERTS, CITIES, LABEL, PACKAGE, PROVINCES, SEARCH, Day, find_day, make_state

_ = messages(__name__)

WEATHER = GoalBuilder(PACKAGE, LABEL, make_state)


def yes_no(yes: bool) -> str:
    """The answer to a question of yes or no."""
    return _("是", "answer") if yes else _("否", "answer")


def _list_city_cases(cities: Sequence[str]) -> list[Arguments]:
    return [
        {"city": city, "province": province}
        for province, inside in PROVINCES.items()
        for city in inside
        if city in cities
    ]


def _list_unsaved_city_cases(seed: int) -> list[Arguments]:
    return _list_city_cases(sorted(set(CITIES) - set(WEATHER.fresh(seed)["cities"])))


def _list_saved_city_cases(seed: int) -> list[Arguments]:
    return _list_city_cases(WEATHER.fresh(seed)["cities"])


def _tomorrow(view: PageView) -> Day:
    return find_day(view.arguments["city"], view.minute.date() + timedelta(days=1), view.seed)


def _line_of_tomorrow(view: PageView) -> str:
    return _tomorrow(view).span


def _list_alert_cases(seed: int) -> list[Arguments]:
    state = WEATHER.fresh(seed)
    return [
        {"city": city, "alert": alert}
        for city in state["cities"]
        for alert in ALERTS
        if f"{city} {alert}" not in state["alerts"]
    ]


def _is_alerted(states: States, arguments: Arguments) -> bool:
    return f"{arguments['city']} {arguments['alert']}" in states[PACKAGE]["alerts"]


_TYPED = TypeText("{city}", into=SEARCH)
_SEARCH = (_("城市管理"), _TYPED)
_PROVINCE = (_("城市管理"), _("按省份查找"), "{province}", "{city}")
_ADD = _("添加到我的城市")
_SEE_SAVED = (
    WEATHER.way("list", _("城市管理"), "{city}"),
    WEATHER.way("search", *_SEARCH, "{city}"),
    WEATHER.voice(_("{city}天气怎么样")),
)

GOALS = (
    goal(
        "see_city",
        _("看看{city}的天气"),
        _("{city}今天天气怎么样"),
        _("查一下{city}天气"),
        _("{city}冷不冷，要穿什么"),
        WEATHER.way("search", *_SEARCH, "{city}"),
        WEATHER.way("browse", *_PROVINCE),
        WEATHER.voice(_("{city}天气怎么样")),
        WEATHER.widget(_("查城市天气"), _TYPED, "{city}"),
        **WEATHER.chosen("viewed", "city", _list_unsaved_city_cases),
    ),
    goal(
        "add_city",
        _("把{city}加到天气里"),
        _("天气添加{city}"),
        _("我要去{city}出差，天气里加上"),
        _("关注{city}的天气"),
        WEATHER.way("search", *_SEARCH, "{city}", _ADD),
        WEATHER.way("quick", *_SEARCH, _("添加{city}")),
        WEATHER.way("browse", *_PROVINCE, _ADD),
        WEATHER.voice(_("添加{city}")),
        **WEATHER.added("cities", "city", _list_unsaved_city_cases),
    ),
    goal(
        "remove_city",
        _("把{city}从天气里删掉"),
        _("天气不用显示{city}了"),
        _("删除{city}的天气"),
        _("不看{city}的天气了"),
        WEATHER.way("held", _("城市管理"), Hold("{city}"), _("删除城市")),
        WEATHER.way("edited", _("城市管理"), _("编辑"), _("删除{city}")),
        WEATHER.voice(_("删除{city}")),
        **WEATHER.removed("cities", "city", lambda seed: _list_city_cases(WEATHER.fresh(seed)["cities"][1:])),
    ),
    goal(
        "see_forecast",
        _("看{city}未来15天的天气"),
        _("{city}半个月的天气预报"),
        _("{city}接下来两周下不下雨"),
        _("{city}15天预报"),
        WEATHER.way("list", _("城市管理"), "{city}", _("15天预报")),
        WEATHER.way("search", *_SEARCH, "{city}", _("15天预报")),
        WEATHER.voice(_("{city}未来十五天的天气")),
        **WEATHER.chosen("forecast", "city", lambda seed: _list_city_cases(WEATHER.fresh(seed)["cities"])),
    ),
    goal(
        "turn_alert_on",
        _("打开{city}的{alert}"),
        _("开启{city}{alert}"),
        _("帮我设{city}的{alert}"),
        _("{city}要有{alert}"),
        WEATHER.way("list", _("城市管理"), "{city}", _("天气提醒"), "{alert}"),
        WEATHER.shortcut(_("提醒设置"), "{city}", "{alert}"),
        WEATHER.voice(_("打开{city}的{alert}")),
        cases=_list_alert_cases,
        rule=_is_alerted,
    ),
    goal(
        "ask_high",
        _("{city}明天最高多少度"),
        _("明天{city}最高气温是多少"),
        _("查一下{city}明天的最高温度"),
        _("{city}明天最热会到几度"),
        *_SEE_SAVED,
        cases=_list_saved_city_cases,
        question=asks("number", lambda view: _tomorrow(view).high, "℃"),
        evidence=_line_of_tomorrow,
    ),
    goal(
        "add_and_ask_high",
        _("把{city}加到天气里，再告诉我那里明天最高多少度"),
        _("天气添加{city}，顺便看看明天最高气温"),
        _("要去{city}了，天气里加上，明天最热到几度"),
        _("关注{city}的天气，并查一下明天的最高温度"),
        WEATHER.way("search", *_SEARCH, "{city}", _ADD),
        WEATHER.way("quick", *_SEARCH, _("添加{city}"), "{city}"),
        WEATHER.way("browse", *_PROVINCE, _ADD),
        **WEATHER.added("cities", "city", _list_unsaved_city_cases),
        question=asks("number", lambda view: _tomorrow(view).high, "℃"),
        evidence=_line_of_tomorrow,
    ),
    goal(
        "ask_sunny",
        _("{city}明天是晴天吗"),
        _("明天{city}天晴不晴"),
        _("看看{city}明天是不是晴天"),
        _("{city}明天会出太阳吗"),
        *_SEE_SAVED,
        cases=_list_saved_city_cases,
        question=asks("yes_no", lambda view: yes_no(_tomorrow(view).sky == _("晴"))),
        evidence=_line_of_tomorrow,
    ),
)
