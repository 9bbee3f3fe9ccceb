"""The weather app's data: provinces and cities, a city's weather on a day, and the state of a fresh phone."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from simulated_phone.goals.app_definition import State
from simulated_phone.language.formats import entries
from simulated_phone.language.language import messages

_ = messages(__name__)

PACKAGE, LABEL, SEARCH = "com.wangyun.weather", _("天气"), _("搜索城市")

_PROVINCES = {
    _("直辖市"): _("北京:8 上海:13 天津:8 重庆:16"),
    _("广东"): _("广州:22 深圳:22 珠海:22 佛山:22 东莞:22"),
    _("浙江"): _("杭州:14 宁波:13 温州:15 绍兴:14"),
    _("江苏"): _("南京:12 苏州:13 无锡:12 扬州:12"),
    _("四川"): _("成都:16 绵阳:15 乐山:17"),
    _("湖北"): _("武汉:14 宜昌:15"),
    _("湖南"): _("长沙:15 岳阳:14"),
    _("福建"): _("福州:18 厦门:19 泉州:19"),
    _("山东"): _("济南:10 青岛:8 烟台:7"),
    _("陕西"): _("西安:12 延安:7"),
    _("河南"): _("郑州:11 洛阳:11"),
    _("河北"): _("石家庄:10 秦皇岛:5"),
    _("山西"): _("太原:7 大同:2"),
    _("安徽"): _("合肥:13 黄山:12"),
    _("江西"): _("南昌:15 景德镇:15"),
    _("辽宁"): _("沈阳:2 大连:4"),
    _("黑龙江"): _("哈尔滨:-3"),
    _("云南"): _("昆明:16 大理:15 丽江:12"),
    _("广西"): _("南宁:21 桂林:18"),
    _("海南"): _("海口:24 三亚:26"),
    _("甘肃"): _("兰州:8 敦煌:7"),
    _("新疆"): _("乌鲁木齐:2"),
    _("西藏"): _("拉萨:6"),
}
PROVINCES: Mapping[str, Mapping[str, int]] = {
    province: {city: int(mean) for city, _unused, mean in (word.partition(":") for word in entries(words))}
    for province, words in _PROVINCES.items()
}
"""Cities by province, with their mean temperature in March (degrees Celsius)."""
CITIES: Mapping[str, int] = {city: mean for cities in PROVINCES.values() for city, mean in cities.items()}
POPULAR = (
    _("北京"),
    _("上海"),
    _("广州"),
    _("深圳"),
    _("杭州"),
    _("成都"),
    _("南京"),
    _("武汉"),
    _("西安"),
    _("重庆"),
    _("厦门"),
    _("三亚"),
)
ALERTS: Mapping[str, str] = {
    _("下雨提醒"): _("有雨的前一天晚上提醒带伞"),
    _("降温提醒"): _("降温超过六度时提醒添衣"),
    _("大风提醒"): _("风力达到六级时提醒"),
    _("空气污染提醒"): _("空气质量变差时提醒戴口罩"),
}
"""Alerts -> their condition."""
SKIES: Mapping[str, tuple[str, str, tuple[str, str]]] = {
    _("晴"): ("sun", "#f0a021", ("#3f8ae0", "#9cc8f2")),
    _("多云"): ("weather", "#5a8fd0", ("#5585bd", "#a9c3df")),
    _("阴"): ("cloud", "#8b97a8", ("#6b7a8f", "#b3bdca")),
    _("小雪"): ("snow", "#7fb2d9", ("#7793b5", "#c9d6e4")),
}
"""Icon, its colour and the page's background colours, by sky."""
WET = ("rain", "#4d7fc4", ("#4c6484", "#9aabc2"))
"""Icon, its colour and the page's background colours while it rains."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    """Weather of a city on a day: degrees Celsius, wind in Beaufort, humidity in %, air quality index."""

    low: int
    high: int
    sky: str
    wind: int
    humidity: int
    air: int

    @property
    def mean(self) -> int:
        """Mean temperature, degrees Celsius."""
        return (self.low + self.high) // 2

    @property
    def span(self) -> str:
        """Lowest and highest temperature as a day's line has them."""
        return f"{self.low}° / {self.high}°"

    @property
    def look(self) -> tuple[str, str, tuple[str, str]]:
        """Icon, its colour and the page's background colours."""
        return SKIES.get(self.sky, WET)

    @property
    def air_words(self) -> str:
        """The air quality in words."""
        words = _("优") if self.air <= 50 else _("良") if self.air <= 100 else _("轻度污染")
        return f"{words} {self.air}"


@lru_cache(maxsize=4096)
def find_day(city: str, day: date, seed: int) -> Day:
    """The weather of a city on a day, determined by the seed."""
    rng = random.Random(f"{seed}:{city}:{day.toordinal()}")  # noqa: S311 - seeded data, not a secret
    mean = CITIES[city] + (day.month - 3) * 4 + rng.randint(-4, 4)
    wet = _("小雪") if mean < 1 else rng.choice((_("小雨"), _("中雨"), _("阵雨")))
    # half of all days are sunny, so that a question for it is a real one
    sky = rng.choice((_("晴"), _("晴"), _("晴"), _("多云"), _("阴"), wet))
    return Day(
        low=mean - rng.randint(3, 6),
        high=mean + rng.randint(2, 6),
        sky=sky,
        wind=rng.randint(1, 6),
        humidity=rng.randint(30, 90),
        air=rng.randint(20, 160),
    )


def province_of(city: str) -> str:
    """The province that a city is listed under."""
    return next(province for province, cities in PROVINCES.items() if city in cities)


def matching(word: str) -> list[str]:
    """The cities whose own or province's name contains the typed word."""
    return [city for city in CITIES if word in city or word in province_of(city)]


def make_state(rng: random.Random) -> State:
    """Draw the home city (first), other saved cities, and the alerts that are on."""
    cities = rng.sample(sorted(CITIES), 4)
    alerts = [f"{city} {alert}" for city in cities for alert in ALERTS if rng.random() < 0.2]
    return {"cities": cities, "viewed": cities[0], "forecast": "", "alerts": alerts}
