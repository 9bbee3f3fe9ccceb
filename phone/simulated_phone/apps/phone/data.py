"""The data of the phone app: the calls, switches, blocked numbers and speed dial keys of a fresh phone."""

from __future__ import annotations

import random

from simulated_phone.goals.app_definition import State
from simulated_phone.language.language import messages

from ...builders import other_apps
from ...builders.items import Items
from ...goals.acquaintances import people_of, spaced, unknown_number

_ = messages(__name__)

PACKAGE, LABEL, ACCENT = other_apps.PHONE, _("电话"), "#2aa84a"
SEARCH, BLOCK, UNKNOWN = _("搜索通话和联系人"), _("输入要拦截的号码"), _("陌生号码")
INCOMING, OUTGOING, MISSED = _("来电"), _("去电"), _("未接")
ALL, MOBILE = _("全部"), _("手机")
SWITCHES = (
    _("通话自动录音"),
    _("骚扰拦截"),
    _("来电闪光灯"),
    _("陌生号码识别"),
    _("挂断震动"),
    _("呼叫等待"),
    _("翻转静音"),
)
KEYS = "23456789"
"""The keys of the keypad that can be held to call somebody."""
HOURS = range(9, 22)
"""Hours at which one can be reminded to call back."""
_DAYS = (_("昨天"), _("前天"), _("上周六"), _("上周五"), _("2月27日"), _("2月25日"), _("2月20日"))
ITEMS = Items(key="calls", name="who", page="call_details")


def make_state(rng: random.Random) -> State:
    """Draw ten calls: of people, and of four numbers that nobody knows, missed and taken."""
    known = rng.sample(people_of(rng), 6)
    callers = [(one.name, one.phone) for one in known]
    callers += [(spaced(number), number) for number in (unknown_number(rng) for _unused in range(4))]
    rng.shuffle(callers)
    missed = rng.sample(range(10), 4)
    times = sorted((rng.randrange(len(_DAYS)), -rng.randrange(8 * 60, 22 * 60)) for _unused in callers)
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
        "blocked": [unknown_number(rng) for _unused in range(2)],
        "on": rng.sample(SWITCHES, 2),
        "speed": dict.fromkeys(KEYS, "") | {KEYS[0]: people_of(rng)[0].name},
    }
