"""The maps app's data: the places of a seed, speeds, and the state of a fresh phone."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from simulated_phone.goals.app_definition import State, generator
from simulated_phone.language.formats import entries
from simulated_phone.language.language import messages

_ = messages(__name__)

PACKAGE, LABEL, ACCENT = "com.simulated.ditu", _("地图"), "#1677c9"
SEARCH = _("搜索地点")
HOMES, OFFICES = _("小区"), _("写字楼")
SPEEDS: Mapping[str, int] = MappingProxyType({_("驾车"): 500, _("公交"): 300, _("步行"): 75, _("骑行"): 220})
"""Modes of travel -> metres per minute."""

_STREETS = (
    _("人民路"),
    _("解放路"),
    _("文化路"),
    _("滨河路"),
    _("长江路"),
    _("青年路"),
    _("学府路"),
    _("迎宾大道"),
)
_KINDS = {
    _("加油站"): _("城北加油站 东环加油站 滨河加油站 南门加油站 高新加油站 西山加油站"),
    _("餐厅"): _("老灶火锅城 江南小馆 竹园素食 大漠烤肉 海港渔家 和风寿司 巷尾私房菜"),
    _("酒店"): _("云栖酒店 悦客酒店 湖畔宾馆 星光商务酒店 晨曦民宿 金桥大酒店"),
    _("医院"): _("市第一医院 中医院 妇幼保健院 口腔医院 城南医院 骨科医院"),
    _("公园"): _("人民公园 湿地公园 植物园 青龙山公园 儿童公园 运河公园"),
    _("超市"): _("万家惠超市 好邻居超市 大润超市 鲜生活超市 联合超市 便民超市"),
    _("地铁站"): _("火车站地铁站 市民广场地铁站 大学城地铁站 体育馆地铁站 科技园地铁站 古城地铁站"),
    _("银行"): _("城市银行 农商银行 建设路支行 惠民银行 同心银行 滨江银行"),
    HOMES: _("翠园小区 幸福花园 阳光里 枫林苑 紫荆公寓 水岸新城 锦绣家园"),
    OFFICES: _("创新大厦 环球中心 云谷大厦 金融广场 数字产业园 星河国际"),
}
KINDS = tuple(_KINDS)
NAMES = {kind: tuple(entries(words)) for kind, words in _KINDS.items()}
"""Every name of a place, by kind; a phone's map has some of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A place: its kind, position (metres east and south of the phone), address and rating."""

    name: str
    kind: str
    x: int
    y: int
    address: str
    rating: str

    @property
    def metres(self) -> int:
        """Distance along the streets, metres."""
        return abs(self.x) + abs(self.y)


def _draw_places(rng: random.Random) -> tuple[Place, ...]:
    spots = [
        (x, y) for x in range(-3600, 3601, 300) for y in range(-3600, 3601, 300) if abs(x) + abs(y) > 500
    ]
    names = [(name, kind) for kind, words in _KINDS.items() for name in rng.sample(entries(words), 5)]
    found = [
        Place(
            name=name,
            kind=kind,
            x=x + rng.randrange(-60, 60),
            y=y + rng.randrange(-60, 60),
            address=_("{choice} {randrange} 号").format(
                choice=rng.choice(_STREETS), randrange=rng.randrange(1, 400)
            ),
            rating=f"{rng.randrange(38, 50) / 10}",
        )
        for (name, kind), (x, y) in zip(names, rng.sample(spots, len(names)), strict=True)
    ]
    return tuple(sorted(found, key=lambda place: (place.metres, place.name)))


@lru_cache(maxsize=64)
def places(seed: int) -> tuple[Place, ...]:
    """The places of a seed, the nearest first."""
    return _draw_places(generator(PACKAGE, seed))


def minutes_to(place: Place, mode: str) -> int:
    """Duration of the way to a place in a mode of travel, minutes."""
    return max(1, round(place.metres / SPEEDS[mode]))


def make_state(rng: random.Random) -> State:
    """Draw home and office, two saved places and two recent searches."""
    drawn = _draw_places(rng)
    others = rng.sample([place.name for place in drawn if place.kind not in (HOMES, OFFICES)], 4)
    return {
        _("家"): rng.choice([place.name for place in drawn if place.kind == HOMES]),
        _("公司"): rng.choice([place.name for place in drawn if place.kind == OFFICES]),
        "saved": others[:2],
        "recent": others[2:],
        "navigation": None,
    }
