"""The maps app's goals: navigate to a place, find the nearest one, save places, set home and work."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from simulated_phone.app_definition import Arguments, Goal, State, States, Strategy, generator
from simulated_phone.apps.maps.data import HOMES, KINDS, OFFICES, PACKAGE, SEARCH, SPEEDS, initial, places
from simulated_phone.people.steps import Hold, Open, Press, Step, Tap, TypeText
from simulated_phone.voice import LISTENS


@lru_cache(maxsize=64)
def _fresh(seed: int) -> State:
    return initial(generator(PACKAGE, seed))


def _all_places(seed: int) -> list[Arguments]:
    return [{"place": place.name, "kind": place.kind} for place in places(seed)]


def _with_modes(seed: int) -> list[Arguments]:
    modes = list(SPEEDS)[1:]
    return [{**case, "mode": mode} for case in _all_places(seed) for mode in modes]


def _unsaved(seed: int) -> list[Arguments]:
    return [case for case in _all_places(seed) if case["place"] not in _fresh(seed)["saved"]]


def _nearest(seed: int) -> list[Arguments]:
    return [
        {"kind": kind, "place": next(place.name for place in places(seed) if place.kind == kind)}
        for kind in KINDS
    ]


def _other_homes(seed: int) -> list[Arguments]:
    return [
        {"where": where, "place": place.name, "kind": kind}
        for where, kind in (("家", HOMES), ("公司", OFFICES))
        for place in places(seed)
        if place.kind == kind and place.name != _fresh(seed)[where]
    ]


def _goes(states: States, arguments: Arguments) -> bool:
    """Navigation runs to the place, by the wanted way to travel where one is named."""
    going = states[PACKAGE]["navigation"]
    return (
        going is not None
        and going["to"] == arguments["place"]
        and going["mode"] == arguments.get("mode", going["mode"])
    )


_START = (Tap("去这里"), Tap("开始导航"))
_REACH: Mapping[str, tuple[Step, ...]] = MappingProxyType(
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


def _place_ways(*finish: Step) -> tuple[Strategy, ...]:
    return tuple(Strategy(name, (*reach, *finish)) for name, reach in _REACH.items())


def _voice(spoken: str, *finish: Step) -> Strategy:
    return Strategy(
        "voice", (Open(PACKAGE), Tap("语音"), TypeText(spoken, into=LISTENS), Tap("完成"), *finish)
    )


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
        cases=_all_places,
        rule=_goes,
        ways=(*_place_ways(*_START), _voice("导航去{place}", Tap("开始导航"))),
    ),
    Goal(
        name="navigate_by",
        words=(
            "{mode}去{place}，开始导航",
            "导航到{place}，用{mode}",
            "我想{mode}去{place}",
            "{mode}到{place}怎么走，给我导航",
        ),
        cases=_with_modes,
        rule=_goes,
        ways=(
            *_place_ways(_START[0], Tap("{mode}"), _START[1]),
            _voice("{mode}去{place}", Tap("开始导航")),
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
        cases=_nearest,
        rule=_goes,
        ways=(
            Strategy("browse", (Open(PACKAGE), Tap("{kind}"), *_START)),
            Strategy(
                "search",
                (Open(PACKAGE), Tap(SEARCH), TypeText("{kind}", into=SEARCH), Tap("{place}"), *_START),
            ),
            _voice("去最近的{kind}", Tap("开始导航")),
        ),
    ),
    Goal(
        name="navigate_to_known",
        words=("导航{button}", "开车{button}", "带我{button}", "我要{button}，开始导航"),
        cases=lambda seed: [
            {"button": "回家", "where": "家", "place": _fresh(seed)["家"]},
            {"button": "去公司", "where": "公司", "place": _fresh(seed)["公司"]},
        ],
        rule=_goes,
        ways=(
            Strategy("button", (Open(PACKAGE), Tap("{button}"), Tap("开始导航"))),
            Strategy("mine", (Open(PACKAGE), Tap("我的"), Tap("{where}"), *_START)),
            Strategy("shortcut", (Press("home"), Hold("地图"), Tap("{button}"), Tap("开始导航"))),
            Strategy("search", (*_REACH["search"], *_START)),
            _voice("{button}", Tap("开始导航")),
        ),
    ),
    Goal(
        name="save_place",
        words=("收藏{place}", "在地图上收藏{place}", "把{place}加到收藏夹", "保存{place}这个地点"),
        cases=_unsaved,
        rule=lambda states, arguments: arguments["place"] in states[PACKAGE]["saved"],
        ways=(*_place_ways(Tap("收藏")), _voice("收藏{place}")),
    ),
    Goal(
        name="set_known",
        words=(
            "把{where}的地址设成{place}",
            "地图里{where}改成{place}",
            "{where}的位置设为{place}",
            "{where}换到{place}了，改一下地图",
        ),
        cases=_other_homes,
        rule=lambda states, arguments: states[PACKAGE][str(arguments["where"])] == arguments["place"],
        ways=(
            *_place_ways(Tap("更多"), Tap("设为{where}")),
            _voice("把{where}设为{place}"),
        ),
    ),
)
