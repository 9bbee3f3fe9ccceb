"""The data of contacts: the people on a fresh phone, their groups, the letters that they are listed under."""

from __future__ import annotations

import random
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

from simulated_phone.goals.app_definition import State
from simulated_phone.language.language import messages

from ...builders import other_apps
from ...builders.items import Items
from ...goals.acquaintances import FAMILY, people_of
from ..calendar.data import day_words

_ = messages(__name__)

PACKAGE, LABEL, ACCENT = other_apps.CONTACTS, _("联系人"), "#2b7de9"
SEARCH, NAME, NUMBER, COMPANY = _("搜索联系人"), _("姓名"), _("电话号码"), _("公司", "contacts")
GROUPS = (_("家人"), _("朋友"), _("同事"), _("客户"))
TONES = (_("默认铃声"), _("清晨"), _("钢琴"), _("海浪"), _("风铃"))
COMPANIES = (_("远航科技"), _("蓝天设计院"), _("青禾小学"), _("安康医院"), _("顺达物流"), _("云帆传媒"))
STRANGERS = (
    _("房东李姐"), _("物业王师傅"), _("装修陈师傅"), _("家教周老师"), _("驾校刘教练"), _("牙医孙大夫"),
    _("保险黄经理"), _("搬家赵师傅"), _("健身吴教练"), _("快递小郑"),
)  # fmt: skip
"""People who are not among the contacts yet."""
FIRST, LAST = date(2025, 4, 12), date(2025, 6, 30)
"""First and last birthday that goals name: after the month in which simulated people use their phones."""
ITEMS = Items(
    key="people",
    name="name",
    page="person",
    choices={"group": (_("移到分组"), GROUPS), "tone": (_("来电铃声"), TONES)},
)
_LETTERS = dict(zip(_("王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗妈爸姐弟奶表房物装家驾牙保搬健快"),
                    "WLZLCYZHZWXSHZGLHGMLMBJDNBFWZJJYBBJK", strict=True))  # fmt: skip


def find_letter(name: str) -> str:
    """The letter that a name is listed under: the first one of its Pinyin, as far as it is known."""
    first = name[0].upper()
    return _LETTERS.get(first, first if first.isascii() and first.isalpha() else "#")


def birthday_words(person: Mapping[str, Any]) -> str:
    """The birthday in words: 5月6日."""
    return day_words(date.fromisoformat(person["birthday"]))


def make_state(rng: random.Random) -> State:
    """Draw groups, birthdays and companies of the people; three are favourites."""
    known = people_of(rng)
    starred = rng.sample(range(len(known)), 3)
    people = []
    for number, person in enumerate(known, 1):
        # the birthdays of the first ones are soon, so that every phone has some that goals can name
        ahead = rng.randrange((LAST - FIRST).days if number <= 6 else 260)
        family = person.name in FAMILY
        people.append(
            {
                "id": number,
                "name": person.name,
                "phone": person.phone,
                "mail": person.mail,
                "company": "" if family or rng.random() < 0.6 else rng.choice(COMPANIES),
                "group": GROUPS[0] if family else rng.choice(("", *GROUPS[1:])),
                "birthday": (FIRST + timedelta(days=ahead)).isoformat(),
                "tone": TONES[0],
                "starred": number - 1 in starred,
                "blocked": False,
            }
        )
    return {"people": people, "next": len(people) + 1}
