"""The maps' world: the places of a town, what is saved on a fresh phone, and what people want of it."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from simulated_phone.app_definition import Arguments, Goal, State, States, Strategy, generator
from simulated_phone.people.steps import Hold, Open, Press, Step, Tap, TypeText
from simulated_phone.voice import LISTENS

PACKAGE = "com.simulated.ditu"
SEARCH = "搜索地点"
HOMES, OFFICES = "小区", "写字楼"
SPEEDS: Mapping[str, int] = MappingProxyType({"驾车": 500, "公交": 300, "步行": 75, "骑行": 220})
"""Ways to travel, and metres a minute."""

_STREETS = ("人民路", "解放路", "文化路", "滨河路", "长江路", "青年路", "学府路", "迎宾大道")
_KINDS = {
    "加油站": "城北加油站 东环加油站 滨河加油站 南门加油站 高新加油站 西山加油站",
    "餐厅": "老灶火锅城 江南小馆 竹园素食 大漠烤肉 海港渔家 和风寿司 巷尾私房菜",
    "酒店": "云栖酒店 悦客酒店 湖畔宾馆 星光商务酒店 晨曦民宿 金桥大酒店",
    "医院": "市第一医院 中医院 妇幼保健院 口腔医院 城南医院 骨科医院",
    "公园": "人民公园 湿地公园 植物园 青龙山公园 儿童公园 运河公园",
    "超市": "万家惠超市 好邻居超市 大润超市 鲜生活超市 联合超市 便民超市",
    "地铁站": "火车站地铁站 市民广场地铁站 大学城地铁站 体育馆地铁站 科技园地铁站 古城地铁站",
    "银行": "城市银行 农商银行 建设路支行 惠民银行 同心银行 滨江银行",
    HOMES: "翠园小区 幸福花园 阳光里 枫林苑 紫荆公寓 水岸新城 锦绣家园",
    OFFICES: "创新大厦 环球中心 云谷大厦 金融广场 数字产业园 星河国际",
}
KINDS = tuple(_KINDS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A place: what it is, where (metres east and south of the phone), its address and rating."""

    name: str
    kind: str
    x: int
    y: int
    address: str
    rating: str

    @property
    def metres(self) -> int:
        """How far it is along the streets."""
        return abs(self.x) + abs(self.y)


def _draw_places(rng: random.Random) -> tuple[Place, ...]:
    spots = [
        (x, y) for x in range(-3600, 3601, 300) for y in range(-3600, 3601, 300) if abs(x) + abs(y) > 500
    ]
    names = [(name, kind) for kind, words in _KINDS.items() for name in rng.sample(words.split(), 5)]
    found = [
        Place(
            name=name,
            kind=kind,
            x=x + rng.randrange(-60, 60),
            y=y + rng.randrange(-60, 60),
            address=f"{rng.choice(_STREETS)} {rng.randrange(1, 400)} 号",
            rating=f"{rng.randrange(38, 50) / 10}",
        )
        for (name, kind), (x, y) in zip(names, rng.sample(spots, len(names)), strict=True)
    ]
    return tuple(sorted(found, key=lambda place: (place.metres, place.name)))


@lru_cache(maxsize=64)
def places(seed: int) -> tuple[Place, ...]:
    """The town's places, the nearest first."""
    return _draw_places(generator(PACKAGE, seed))


def initial(rng: random.Random) -> State:
    """Home and office, two saved places, two searched ones."""
    drawn = _draw_places(rng)
    others = rng.sample([place.name for place in drawn if place.kind not in (HOMES, OFFICES)], 4)
    return {
        "家": rng.choice([place.name for place in drawn if place.kind == HOMES]),
        "公司": rng.choice([place.name for place in drawn if place.kind == OFFICES]),
        "saved": others[:2],
        "recent": others[2:],
        "navigation": None,
    }


# ---- goals


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
