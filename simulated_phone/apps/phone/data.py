"""The data of the phone app: the calls, switches, blocked numbers and speed dial keys of a fresh phone."""

from __future__ import annotations

import random

from simulated_phone.acquaintances import people_of, spaced, unknown_number
from simulated_phone.app_definition import State
from simulated_phone.builders import other_apps
from simulated_phone.builders.items import Items

PACKAGE, LABEL, ACCENT = other_apps.PHONE, "电话", "#2aa84a"
SEARCH, BLOCK, UNKNOWN = "搜索通话和联系人", "输入要拦截的号码", "陌生号码"
INCOMING, OUTGOING, MISSED = "来电", "去电", "未接"
ALL = "全部"
SWITCHES = ("通话自动录音", "骚扰拦截", "来电闪光灯", "陌生号码识别", "挂断震动", "呼叫等待", "翻转静音")
KEYS = "23456789"
"""The keys of the keypad that can be held to call somebody."""
HOURS = range(9, 22)
"""Hours at which one can be reminded to call back."""
_DAYS = ("昨天", "前天", "上周六", "上周五", "2月27日", "2月25日", "2月20日")
ITEMS = Items(key="calls", name="who", page="call_details")


def initial(rng: random.Random) -> State:
    """Draw ten calls: of people, and of four numbers that nobody knows, missed and taken."""
    known = rng.sample(people_of(rng), 6)
    callers = [(one.name, one.phone) for one in known]
    callers += [(spaced(number), number) for number in (unknown_number(rng) for _ in range(4))]
    rng.shuffle(callers)
    missed = rng.sample(range(10), 4)
    times = sorted((rng.randrange(len(_DAYS)), -rng.randrange(8 * 60, 22 * 60)) for _ in callers)
    calls = [
        {
            "id": number + 1,
            "who": who,
            "number": phone,
            "kind": MISSED if number in missed else rng.choice((INCOMING, OUTGOING)),
            "when": f"{_DAYS[day]} {-minute // 60:02d}:{-minute % 60:02d}",
        }
        for number, ((who, phone), (day, minute)) in enumerate(zip(callers, times, strict=True))
    ]
    return {
        "calls": calls,
        "next": 11,
        "dialed": [],
        "blocked": [unknown_number(rng) for _ in range(2)],
        "on": rng.sample(SWITCHES, 2),
        "speed": dict.fromkeys(KEYS, "") | {KEYS[0]: people_of(rng)[0].name},
    }
