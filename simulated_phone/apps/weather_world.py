"""The weather's world: cities, what the sky does there on a day, and what people want of a weather app."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType

from simulated_phone.app_definition import Arguments, Goal, State, States, Strategy, generator
from simulated_phone.people.steps import Hold, Open, Press, Step, Tap, TypeText
from simulated_phone.voice import LISTENS

PACKAGE = "com.wangyun.weather"

PROVINCES: Mapping[str, Mapping[str, int]] = MappingProxyType(
    {
        "直辖市": {"北京": 8, "上海": 13, "天津": 8, "重庆": 16},
        "广东": {"广州": 22, "深圳": 22, "珠海": 22, "佛山": 22, "东莞": 22},
        "浙江": {"杭州": 14, "宁波": 13, "温州": 15, "绍兴": 14},
        "江苏": {"南京": 12, "苏州": 13, "无锡": 12, "扬州": 12},
        "四川": {"成都": 16, "绵阳": 15, "乐山": 17},
        "湖北": {"武汉": 14, "宜昌": 15},
        "湖南": {"长沙": 15, "岳阳": 14},
        "福建": {"福州": 18, "厦门": 19, "泉州": 19},
        "山东": {"济南": 10, "青岛": 8, "烟台": 7},
        "陕西": {"西安": 12, "延安": 7},
        "河南": {"郑州": 11, "洛阳": 11},
        "河北": {"石家庄": 10, "秦皇岛": 5},
        "山西": {"太原": 7, "大同": 2},
        "安徽": {"合肥": 13, "黄山": 12},
        "江西": {"南昌": 15, "景德镇": 15},
        "辽宁": {"沈阳": 2, "大连": 4},
        "黑龙江": {"哈尔滨": -3},
        "云南": {"昆明": 16, "大理": 15, "丽江": 12},
        "广西": {"南宁": 21, "桂林": 18},
        "海南": {"海口": 24, "三亚": 26},
        "甘肃": {"兰州": 8, "敦煌": 7},
        "新疆": {"乌鲁木齐": 2},
        "西藏": {"拉萨": 6},
    }
)
"""Cities by province, with their mean temperature in March (degrees Celsius)."""
CITIES: Mapping[str, int] = MappingProxyType(
    {city: mean for cities in PROVINCES.values() for city, mean in cities.items()}
)
POPULAR = ("北京", "上海", "广州", "深圳", "杭州", "成都", "南京", "武汉", "西安", "重庆", "厦门", "三亚")
ALERTS: Mapping[str, str] = MappingProxyType(
    {
        "下雨提醒": "有雨的前一天晚上提醒带伞",
        "降温提醒": "降温超过六度时提醒添衣",
        "大风提醒": "风力达到六级时提醒",
        "空气污染提醒": "空气质量变差时提醒戴口罩",
    }
)
"""What one can be reminded of, and when."""
SKIES: Mapping[str, tuple[str, str, tuple[str, str]]] = MappingProxyType(
    {
        "晴": ("sun", "#f0a021", ("#3f8ae0", "#9cc8f2")),
        "多云": ("weather", "#5a8fd0", ("#5585bd", "#a9c3df")),
        "阴": ("cloud", "#8b97a8", ("#6b7a8f", "#b3bdca")),
        "小雪": ("snow", "#7fb2d9", ("#7793b5", "#c9d6e4")),
    }
)
"""Icon, its colour and the page's ground by what the sky does."""
WET = ("rain", "#4d7fc4", ("#4c6484", "#9aabc2"))
"""The same while it rains."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    """One day in one city: degrees Celsius, wind in Beaufort, humidity in per cent, air as an index."""

    low: int
    high: int
    sky: str
    wind: int
    humidity: int
    air: int

    @property
    def look(self) -> tuple[str, str, tuple[str, str]]:
        """Icon, its colour and the page's ground."""
        return SKIES.get(self.sky, WET)

    @property
    def air_words(self) -> str:
        """What the index means."""
        return f"{'优' if self.air <= 50 else '良' if self.air <= 100 else '轻度污染'} {self.air}"


def day_of(city: str, day: date, seed: int) -> Day:
    """The weather of a city on a day; the same for the same seed."""
    rng = random.Random(f"{seed}:{city}:{day.toordinal()}")  # noqa: S311 - a world, not a secret
    mean = CITIES[city] + (day.month - 3) * 4 + rng.randint(-4, 4)
    wet = "小雪" if mean < 1 else rng.choice(("小雨", "中雨", "阵雨"))
    sky = rng.choice(("晴", "晴", "多云", "多云", "阴", wet))
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
    """The cities that a typed word finds, by their own or their province's name."""
    return [city for city in CITIES if word in city or word in province_of(city)]


def initial(rng: random.Random) -> State:
    """Where one lives (first) and the other cities one keeps; some reminders are on."""
    cities = rng.sample(sorted(CITIES), 4)
    alerts = [f"{city} {alert}" for city in cities for alert in ALERTS if rng.random() < 0.2]
    return {"cities": cities, "viewed": cities[0], "forecast": "", "alerts": alerts}


def _fresh(seed: int) -> State:
    return initial(generator(PACKAGE, seed))


def _cases(cities: Sequence[str]) -> list[Arguments]:
    return [
        {"city": city, "province": province}
        for province, inside in PROVINCES.items()
        for city in inside
        if city in cities
    ]


def _others(seed: int) -> list[Arguments]:
    return _cases(sorted(set(CITIES) - set(_fresh(seed)["cities"])))


def _alert_cases(seed: int) -> list[Arguments]:
    state = _fresh(seed)
    return [
        {"city": city, "alert": alert}
        for city in state["cities"]
        for alert in ALERTS
        if f"{city} {alert}" not in state["alerts"]
    ]


def _is_viewed(states: States, arguments: Arguments) -> bool:
    return bool(states[PACKAGE]["viewed"] == arguments["city"])


def _is_kept(states: States, arguments: Arguments) -> bool:
    return arguments["city"] in states[PACKAGE]["cities"]


def _is_forecast(states: States, arguments: Arguments) -> bool:
    return bool(states[PACKAGE]["forecast"] == arguments["city"])


def _is_alerted(states: States, arguments: Arguments) -> bool:
    return f"{arguments['city']} {arguments['alert']}" in states[PACKAGE]["alerts"]


def _spoken(words: str) -> Strategy:
    return Strategy("voice", (Open(PACKAGE), Tap("语音"), TypeText(words, into=LISTENS), Tap("完成")))


def _found(*then: Step) -> Strategy:
    look = (Tap("城市管理"), TypeText("{city}", into="搜索城市"))
    return Strategy("search", (Open(PACKAGE), *look, *then))


def _listed(*then: Step) -> Strategy:
    return Strategy("list", (Open(PACKAGE), Tap("城市管理"), *then))


_PLACE = (Open(PACKAGE), Tap("城市管理"), Tap("按省份查找"), Tap("{province}"), Tap("{city}"))
_WIDGET = (Press("home"), Tap("查城市天气"), TypeText("{city}", into="搜索城市"), Tap("{city}"))

GOALS = (
    Goal(
        name="see_city",
        words=("看看{city}的天气", "{city}今天天气怎么样", "查一下{city}天气", "{city}冷不冷，要穿什么"),
        cases=_others,
        rule=_is_viewed,
        ways=(
            _found(Tap("{city}")),
            Strategy("browse", _PLACE),
            _spoken("{city}天气怎么样"),
            Strategy("widget", _WIDGET),
        ),
    ),
    Goal(
        name="add_city",
        words=("把{city}加到天气里", "天气添加{city}", "我要去{city}出差，天气里加上", "关注{city}的天气"),
        cases=_others,
        rule=_is_kept,
        ways=(
            _found(Tap("{city}"), Tap("添加到我的城市")),
            Strategy("quick", (*_found().script, Tap("添加{city}"))),
            Strategy("browse", (*_PLACE, Tap("添加到我的城市"))),
            _spoken("添加{city}"),
        ),
    ),
    Goal(
        name="remove_city",
        words=("把{city}从天气里删掉", "天气不用显示{city}了", "删除{city}的天气", "不看{city}的天气了"),
        cases=lambda seed: _cases(_fresh(seed)["cities"][1:]),
        rule=lambda states, arguments: not _is_kept(states, arguments),
        ways=(
            Strategy("held", (*_listed(Hold("{city}")).script, Tap("删除城市"))),
            Strategy("edited", (*_listed(Tap("编辑")).script, Tap("删除{city}"))),
            _spoken("删除{city}"),
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
        cases=lambda seed: _cases(_fresh(seed)["cities"]),
        rule=_is_forecast,
        ways=(
            _listed(Tap("{city}"), Tap("15天预报")),
            _found(Tap("{city}"), Tap("15天预报")),
            _spoken("{city}未来十五天的天气"),
        ),
    ),
    Goal(
        name="turn_alert_on",
        words=("打开{city}的{alert}", "开启{city}{alert}", "帮我设{city}的{alert}", "{city}要有{alert}"),
        cases=_alert_cases,
        rule=_is_alerted,
        ways=(
            _listed(Tap("{city}"), Tap("天气提醒"), Tap("{alert}")),
            Strategy(
                "shortcut", (Press("home"), Hold("天气"), Tap("提醒设置"), Tap("{city}"), Tap("{alert}"))
            ),
            _spoken("打开{city}的{alert}"),
        ),
    ),
)
