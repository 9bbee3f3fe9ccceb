"""The ticket app's data: trains, films, cinemas and their times, and the state of a fresh phone."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache
from types import MappingProxyType

from simulated_phone.goals.app_definition import State, generator
from simulated_phone.language.language import messages

_ = messages(__name__)

PACKAGE, LABEL, ACCENT = "com.simulated.piaowu", _("票务"), "#0b7d8a"
SEARCH, PASSENGER = _("搜索目的地、影片、影院"), _("乘车人姓名")
HOME = _("合肥")
CITIES: Mapping[str, int] = MappingProxyType(
    {
        _("南京"): 60, _("杭州"): 150, _("上海"): 190, _("苏州"): 140, _("武汉"): 130, _("北京"): 260,
        _("广州"): 420, _("深圳"): 440, _("成都"): 560, _("西安"): 310, _("长沙"): 290, _("重庆"): 500,
    }
)  # fmt: skip
"""Cities that trains go to from `HOME`, and how many minutes they take."""
CLASSES: Mapping[str, int] = MappingProxyType({_("二等座"): 105, _("一等座"): 168, _("商务座"): 320})
"""Classes of seats in trains, and their price in fen a minute."""
FIRST_DAY = date(2025, 4, 12)
DAYS = tuple(FIRST_DAY + timedelta(days=ahead) for ahead in range(60))
"""Days on which trains can be booked; films only on the first three."""
FILMS: Mapping[str, tuple[str, str, int, str]] = MappingProxyType(
    {
        _("长风渡海"): (_("剧情"), "9.1", 128, _("老船长带着女儿出海，寻找三十年前失散的那条船。")),
        _("雪线之上"): (_("纪录"), "9.3", 95, _("镜头跟随高山护林员，走过海拔五千米的四季。")),
        _("末班站台"): (_("悬疑"), "8.6", 112, _("最后一班地铁开走以后，站台上多出了一个人。")),
        _("星际快递员"): (_("科幻"), "8.8", 134, _("一件迟到二百年的包裹，要送到银河的另一头。")),
        _("外婆的菜园"): (_("家庭"), "8.9", 101, _("城里的孩子回到乡下，和外婆过了一个夏天。")),
        _("午夜电台"): (_("惊悚"), "8.1", 98, _("主持人每晚零点接到同一个来电。")),
        _("小狗旅行记"): (_("动画"), "9.0", 88, _("走丢的小狗横穿三座城市，一路交到新朋友。")),
        _("搭错车的婚礼"): (_("喜剧"), "8.4", 106, _("新郎和伴郎上错了车，离婚礼只剩四个小时。")),
    }
)
"""Films: kind, score, minutes, plot."""
CINEMAS = (_("星光影院"), _("海棠影城"), _("大光明剧场"), _("云端巨幕影城"))
ROWS, SEATS = 7, 8
FILM_FEN = 4200


@dataclass(frozen=True, slots=True, kw_only=True)
class Train:
    """A train from `HOME`: its number, and departure and arrival as text."""

    number: str
    leaves: str
    arrives: str


@lru_cache(maxsize=256)
def trains(seed: int, city: str) -> tuple[Train, ...]:
    """The five trains to a city, the earliest first."""
    rng = generator(f"{PACKAGE}:{city}", seed)
    starts = sorted(rng.sample(range(380, 1260, 7), 5))
    numbers = rng.sample(range(1000, 9999), 5)
    return tuple(
        Train(number=f"G{number}", leaves=_clock(start), arrives=_clock((start + CITIES[city]) % 1440))
        for start, number in zip(starts, numbers, strict=True)
    )


def _clock(minutes: int) -> str:
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def show_times(seed: int, film: str, cinema: str, day: str) -> list[str]:
    """When a film is shown in a cinema on a day, on the hour or half past."""
    rng = generator(f"{PACKAGE}:{film}{cinema}{day}", seed)
    return [_clock(30 * half) for half in sorted(rng.sample(range(20, 46), 4))]


@lru_cache(maxsize=256)
def draw_taken_seats(seed: int, film: str, cinema: str, day: str, time: str) -> frozenset[str]:
    """The seats of a show that others have."""
    rng = generator(f"{PACKAGE}:{film}{cinema}{day}{time}", seed)
    every = [seat_name(row, seat) for row in range(1, ROWS + 1) for seat in range(1, SEATS + 1)]
    return frozenset(rng.sample(every, 18))


def seat_name(row: int, seat: int) -> str:
    """A seat of a cinema: 5排6座."""
    return _("{row}排{seat}座").format(row=row, seat=seat)


def make_state(rng: random.Random) -> State:
    """Draw a train ticket and a film ticket that the person has, films and cinemas that are marked."""
    city, film = rng.choice(sorted(CITIES)), rng.choice(sorted(FILMS))
    train = {"kind": "train", "name": city, "date": rng.choice(DAYS[:30]).isoformat(), "seat": _("二等座")}
    show = {"kind": "film", "name": film, "date": rng.choice(DAYS[:3]).isoformat(), "seat": _("4排5座")}
    number = f"G{rng.randrange(1000, 9999)}"
    orders = [
        {"id": 1, **train, "time": _clock(rng.randrange(400, 1200)), "detail": number},
        {"id": 2, **show, "time": f"{rng.randrange(14, 22)}:00", "detail": rng.choice(CINEMAS)},
    ]
    return {
        "orders": orders,
        "next": 3,
        "draft": {"city": _("南京"), "date": FIRST_DAY.isoformat()},
        "wanted": rng.sample(sorted(FILMS), 2),
        "cinemas": [rng.choice(CINEMAS)],
        "passengers": [_("我")],
    }
