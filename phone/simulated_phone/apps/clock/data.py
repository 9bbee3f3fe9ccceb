"""The clock's data: alarms and cities of a fresh phone, cities of the world, presets of the timer."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from simulated_phone.goals.app_definition import State
from simulated_phone.language.language import messages

_ = messages(__name__)

PACKAGE, LABEL = "com.android.deskclock", _("时钟")
REPEATS = {_("仅一次"): "", _("每天"): "0123456", _("工作日"): "01234", _("周末"): "56"}
"""Repetitions of an alarm -> their weekdays (0 is Monday)."""
LABELS = (_("起床"), _("上班"), _("午休"), _("吃药"), _("接孩子"), _("跑步"), _("开会"), _("睡觉"))
PRESETS = (1, 3, 5, 10, 15, 25, 45, 60)
"""Minutes on the timer's buttons."""
MINUTES, OWN_RANGE = _("自定义分钟数"), range(1, 181)
"""Title of the timer's wheel, and the minutes on it."""
CITIES = {
    _("东京"): 1, _("首尔"): 1, _("新加坡"): 0, _("曼谷"): -1, _("迪拜"): -4, _("莫斯科"): -5, _("开罗"): -6,
    _("巴黎"): -7, _("柏林"): -7, _("伦敦"): -8, _("圣保罗"): -11, _("纽约"): -13, _("多伦多"): -13,
    _("芝加哥"): -14, _("丹佛"): -15, _("洛杉矶"): -16, _("悉尼"): 2,
}  # fmt: skip
"""Cities -> hours that they are ahead of China."""


def make_state(rng: random.Random) -> State:
    """Draw four alarms and two cities."""
    times = rng.sample([(hour, minute) for hour in range(5, 23) for minute in (0, 10, 15, 30, 40, 45)], 4)
    alarms = [
        {
            "id": number,
            "hour": hour,
            "minute": minute,
            "days": rng.choice(list(REPEATS.values())),
            "label": rng.choice(LABELS),
            "on": number % 2 == 0 or rng.random() < 0.4,
        }
        for number, (hour, minute) in enumerate(sorted(times), 1)
    ]
    return {
        "alarms": alarms,
        "next": 5,
        "cities": rng.sample(sorted(CITIES), 2),
        "timer": {"seconds": 0, "until": 0},
    }


def time_of(alarm: Mapping[str, Any]) -> str:
    """The alarm's time as text: "07:30"."""
    return f"{alarm['hour']:02d}:{alarm['minute']:02d}"
