"""The health app's data: kinds of sports, medicines, goals of a day, and the state of a fresh phone."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from simulated_phone.goals.app_definition import State
from simulated_phone.language.language import messages

_ = messages(__name__)

PACKAGE, LABEL, ACCENT = "com.simulated.jiankang", _("健康"), "#1a9e76"
SEARCH, WEIGHT, MEDICINE = _("搜索健康数据和运动"), _("体重（公斤）"), _("药品名称")
SPORTS = (_("跑步"), _("快走"), _("游泳"), _("瑜伽"), _("骑行"), _("跳绳"), _("力量训练"), _("打篮球"))
MINUTES = (15, 20, 30, 45, 60, 90)
MEDICINES = (
    _("维生素C"),
    _("钙片"),
    _("降压药"),
    _("感冒冲剂"),
    _("胃药"),
    _("鱼油"),
    _("叶酸片"),
    _("眼药水"),
    _("退烧贴"),
    _("益生菌"),
)
STEP_GOALS = (5000, 6000, 7000, 8000, 10000, 12000, 15000)
BEDTIMES = ("21:30", "22:00", "22:30", "23:00", "23:30")
BLOOD = (_("A型"), _("B型"), _("O型"), _("AB型"))
CUPS = range(1, 13)
HOURS = range(6, 24)


def time_of(medicine: Mapping[str, Any]) -> str:
    """When a medicine is taken, as text: 08:30."""
    return f"{medicine['hour']:02d}:{medicine['minute']:02d}"


def kilos(grams: int) -> str:
    """A weight in kg with one decimal.

    >>> kilos(61500)
    '61.5'
    """
    return f"{grams / 1000:.1f}"


def make_state(rng: random.Random) -> State:
    """Draw the steps of a week, weights, and medicines with their times."""
    grams = rng.randrange(48000, 82000, 100)
    medicines = [
        {
            "id": number,
            "name": name,
            "hour": rng.choice(HOURS),
            "minute": rng.choice((5, 20, 35, 50)),
            "taken": False,
        }
        for number, name in enumerate(rng.sample(MEDICINES, 4), 1)
    ]
    return {
        "steps": [rng.randrange(2500, 14000) for _day in range(7)],
        "step_goal": 9000,
        "weights": [
            {"day": _("3月{value}日").format(value=9 - ago), "grams": grams + 100 * rng.randrange(-9, 10)}
            for ago in range(4)
        ],
        "water": 0,
        "sports": [{"sport": rng.choice(SPORTS), "minutes": 40}],
        "medicines": medicines,
        "next": 5,
        "bedtime": "00:00",
        "blood": "",
    }
