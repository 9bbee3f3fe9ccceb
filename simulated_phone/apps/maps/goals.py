"""The maps app's goals: navigate to a place, find the nearest one, save places, set home and work."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from simulated_phone.app_definition import Arguments, Goal, State, States, Strategy, generator
from simulated_phone.apps.maps.data import HOMES, KINDS, OFFICES, PACKAGE, SEARCH, SPEEDS, initial, places
from simulated_phone.people.steps import Hold, Open, Press, Step, Tap, TypeText
from simulated_phone.voice import voice_strategy


@lru_cache(maxsize=64)
def _fresh_state(seed: int) -> State:
    return initial(generator(PACKAGE, seed))


def _place_cases(seed: int) -> list[Arguments]:
    return [{"place": place.name, "kind": place.kind} for place in places(seed)]


def _mode_cases(seed: int) -> list[Arguments]:
    modes = list(SPEEDS)[1:]
    return [{**case, "mode": mode} for case in _place_cases(seed) for mode in modes]


def _unsaved_cases(seed: int) -> list[Arguments]:
    return [case for case in _place_cases(seed) if case["place"] not in _fresh_state(seed)["saved"]]


def _nearest_cases(seed: int) -> list[Arguments]:
    return [
        {"kind": kind, "place": next(place.name for place in places(seed) if place.kind == kind)}
        for kind in KINDS
    ]


def _known_place_cases(seed: int) -> list[Arguments]:
    return [
        {"where": where, "place": place.name, "kind": kind}
        for where, kind in (("家", HOMES), ("公司", OFFICES))
        for place in places(seed)
        if place.kind == kind and place.name != _fresh_state(seed)[where]
    ]


def _is_navigating(states: States, arguments: Arguments) -> bool:
    """Whether navigation to the place runs, in the mode of travel if the case names one."""
    navigation = states[PACKAGE]["navigation"]
    return (
        navigation is not None
        and navigation["to"] == arguments["place"]
        and navigation["mode"] == arguments.get("mode", navigation["mode"])
    )


_START = (Tap("去这里"), Tap("开始导航"))
_STEPS_TO_PLACE: Mapping[str, tuple[Step, ...]] = MappingProxyType(
    {
        "search": (Open(PACKAGE), Tap(SEARCH), TypeText("{place}", into=SEARCH), Tap("{place}")),
        "browse": (Open(PACKAGE), Tap("{kind}"), Tap("{place}")),
        "shortcut": (
            Press("home"),
            Hold("地图"),
            Tap("搜地点"),
            TypeText("{place}", into=SEARCH),
            Tap("{place}"),
        ),
    }
)


def _place_strategies(*finish: Step) -> tuple[Strategy, ...]:
    return tuple(Strategy(name, (*reach, *finish)) for name, reach in _STEPS_TO_PLACE.items())


GOALS = (
    Goal(
        name="navigate",
        words=(
            "导航到{place}",
            "去{place}怎么走，开始导航",
            "带我去{place}",
            "导航去{place}",
            "我要去{place}",
        ),
        cases=_place_cases,
        rule=_is_navigating,
        strategies=(*_place_strategies(*_START), voice_strategy(PACKAGE, "导航去{place}", Tap("开始导航"))),
    ),
    Goal(
        name="navigate_by",
        words=(
            "{mode}去{place}，开始导航",
            "导航到{place}，用{mode}",
            "我想{mode}去{place}",
            "{mode}到{place}怎么走，给我导航",
        ),
        cases=_mode_cases,
        rule=_is_navigating,
        strategies=(
            *_place_strategies(_START[0], Tap("{mode}"), _START[1]),
            voice_strategy(PACKAGE, "{mode}去{place}", Tap("开始导航")),
        ),
    ),
    Goal(
        name="navigate_to_nearest",
        words=(
            "导航到最近的{kind}",
            "附近最近的{kind}在哪，带我去",
            "去离我最近的{kind}",
            "找个最近的{kind}，开始导航",
        ),
        cases=_nearest_cases,
        rule=_is_navigating,
        strategies=(
            Strategy("browse", (Open(PACKAGE), Tap("{kind}"), *_START)),
            Strategy(
                "search",
                (Open(PACKAGE), Tap(SEARCH), TypeText("{kind}", into=SEARCH), Tap("{place}"), *_START),
            ),
            voice_strategy(PACKAGE, "去最近的{kind}", Tap("开始导航")),
        ),
    ),
    Goal(
        name="navigate_to_known",
        words=("导航{button}", "开车{button}", "带我{button}", "我要{button}，开始导航"),
        cases=lambda seed: [
            {"button": "回家", "where": "家", "place": _fresh_state(seed)["家"]},
            {"button": "去公司", "where": "公司", "place": _fresh_state(seed)["公司"]},
        ],
        rule=_is_navigating,
        strategies=(
            Strategy("button", (Open(PACKAGE), Tap("{button}"), Tap("开始导航"))),
            Strategy("mine", (Open(PACKAGE), Tap("我的"), Tap("{where}"), *_START)),
            Strategy("shortcut", (Press("home"), Hold("地图"), Tap("{button}"), Tap("开始导航"))),
            Strategy("search", (*_STEPS_TO_PLACE["search"], *_START)),
            voice_strategy(PACKAGE, "{button}", Tap("开始导航")),
        ),
    ),
    Goal(
        name="save_place",
        words=("收藏{place}", "在地图上收藏{place}", "把{place}加到收藏夹", "保存{place}这个地点"),
        cases=_unsaved_cases,
        rule=lambda states, arguments: arguments["place"] in states[PACKAGE]["saved"],
        strategies=(*_place_strategies(Tap("收藏")), voice_strategy(PACKAGE, "收藏{place}")),
    ),
    Goal(
        name="set_known",
        words=(
            "把{where}的地址设成{place}",
            "地图里{where}改成{place}",
            "{where}的位置设为{place}",
            "{where}换到{place}了，改一下地图",
        ),
        cases=_known_place_cases,
        rule=lambda states, arguments: states[PACKAGE][str(arguments["where"])] == arguments["place"],
        strategies=(
            *_place_strategies(Tap("更多"), Tap("设为{where}")),
            voice_strategy(PACKAGE, "把{where}设为{place}"),
        ),
    ),
)
