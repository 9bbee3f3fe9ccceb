"""The maps app's goals: navigate to a place, find the nearest one, save places, set home and work."""

from __future__ import annotations

from simulated_phone.goals.app_definition import Arguments, PageView, States
from simulated_phone.goals.steps import TypeText
from simulated_phone.language.language import messages

from ...builders.goals import GoalBuilder, asks, by_ways, goal
from ...builders.records import named
from . import data
from .data import LABEL, PACKAGE, SEARCH, make_state, minutes_to, places

_ = messages(__name__)

MAPS = GoalBuilder(PACKAGE, LABEL, make_state, SEARCH)


def _list_place_cases(seed: int) -> list[Arguments]:
    return [{"place": place.name, "kind": place.kind} for place in places(seed)]


def _list_mode_cases(seed: int) -> list[Arguments]:
    modes = list(data.SPEEDS)[1:]
    return [{**case, "mode": mode} for case in _list_place_cases(seed) for mode in modes]


def _list_nearest_cases(seed: int) -> list[Arguments]:
    return [
        {"kind": kind, "place": next(place.name for place in places(seed) if place.kind == kind)}
        for kind in data.KINDS
    ]


def _list_known_cases(seed: int) -> list[Arguments]:
    known = ((_("回家"), _("家")), (_("去公司"), _("公司")))
    return [{"button": words, "where": where, "place": MAPS.fresh(seed)[where]} for words, where in known]


def _list_other_place_cases(seed: int) -> list[Arguments]:
    return [
        {"where": where, "place": place.name, "kind": kind}
        for where, kind in ((_("家"), data.HOMES), (_("公司"), data.OFFICES))
        for place in places(seed)
        if place.kind == kind and place.name != MAPS.fresh(seed)[where]
    ]


def _minutes(view: PageView) -> int:
    return minutes_to(named(places(view.seed), view.arguments["place"]), view.arguments["mode"])


def _is_navigating(states: States, arguments: Arguments) -> bool:
    """Whether navigation to the place runs, in the mode of travel if the case names one."""
    navigation = states[PACKAGE]["navigation"]
    return (
        navigation is not None
        and navigation["to"] == arguments["place"]
        and navigation["mode"] == arguments.get("mode", navigation["mode"])
    )


_WAYS = (
    MAPS.search("{place}"),
    MAPS.way("browse", "{kind}", "{place}"),
    MAPS.shortcut(_("搜地点"), TypeText("{place}", into=SEARCH), "{place}"),
)
_GO, _START = _("去这里"), _("开始导航")

GOALS = (
    goal(
        "navigate",
        _("导航到{place}"),
        _("去{place}怎么走，开始导航"),
        _("带我去{place}"),
        _("导航去{place}"),
        _("我要去{place}"),
        *by_ways(_WAYS, _GO, _START),
        MAPS.voice(_("导航去{place}"), _START),
        cases=_list_place_cases,
        rule=_is_navigating,
    ),
    goal(
        "navigate_by",
        _("{mode}去{place}，开始导航"),
        _("导航到{place}，用{mode}"),
        _("我想{mode}去{place}"),
        _("{mode}到{place}怎么走，给我导航"),
        *by_ways(_WAYS, _GO, "{mode}", _START),
        MAPS.voice(_("{mode}去{place}"), _START),
        cases=_list_mode_cases,
        rule=_is_navigating,
    ),
    goal(
        "navigate_to_nearest",
        _("导航到最近的{kind}"),
        _("附近最近的{kind}在哪，带我去"),
        _("去离我最近的{kind}"),
        _("找个最近的{kind}，开始导航"),
        MAPS.way("browse", "{kind}", _GO, _START),
        MAPS.way("search", SEARCH, TypeText("{kind}", into=SEARCH), "{place}", _GO, _START),
        MAPS.voice(_("去最近的{kind}"), _START),
        cases=_list_nearest_cases,
        rule=_is_navigating,
    ),
    goal(
        "navigate_to_known",
        _("导航{button}"),
        _("开车{button}"),
        _("带我{button}"),
        _("我要{button}，开始导航"),
        MAPS.way("button", "{button}", _START),
        MAPS.way("mine", _("我的"), "{where}", _GO, _START),
        MAPS.shortcut("{button}", _START),
        MAPS.search("{place}", _GO, _START),
        MAPS.voice("{button}", _START),
        cases=_list_known_cases,
        rule=_is_navigating,
    ),
    goal(
        "save_place",
        _("收藏{place}"),
        _("在地图上收藏{place}"),
        _("把{place}加到收藏夹"),
        _("保存{place}这个地点"),
        *by_ways(_WAYS, _("收藏")),
        MAPS.voice(_("收藏{place}")),
        **MAPS.added("saved", "place", _list_place_cases),
    ),
    goal(
        "set_known",
        _("把{where}的地址设成{place}"),
        _("地图里{where}改成{place}"),
        _("{where}的位置设为{place}"),
        _("{where}换到{place}了，改一下地图"),
        *by_ways(_WAYS, _("更多"), _("设为{where}")),
        MAPS.voice(_("把{where}设为{place}")),
        cases=_list_other_place_cases,
        rule=lambda states, arguments: states[PACKAGE][str(arguments["where"])] == arguments["place"],
    ),
    goal(
        "ask_minutes",
        _("{mode}去{place}要多久"),
        _("到{place}{mode}要几分钟"),
        _("查一下{mode}到{place}的时间"),
        _("{mode}去{place}得花多少时间"),
        *by_ways(_WAYS, _GO, "{mode}"),
        MAPS.voice(_("{mode}去{place}")),
        cases=_list_mode_cases,
        question=asks("number", _minutes, _("分钟", "unit")),
    ),
)
