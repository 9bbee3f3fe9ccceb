"""The people whom a phone's owner knows: the same names, numbers and addresses in every app of a seed."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import lru_cache

from simulated_phone.goals.app_definition import generator, phone_seed
from simulated_phone.language.formats import entries
from simulated_phone.language.language import messages

_ = messages(__name__)

CHAT = "com.simulated.liaotian"
"""The chat app, whose random numbers the names are drawn from."""
FAMILY = (_("妈妈"), _("爸爸"), _("姐姐"), _("弟弟"), _("奶奶"), _("表哥"))
GROUPS = (
    _("相亲相爱一家人"), _("项目攻坚小组"), _("周末羽毛球"), _("三年二班家长群"), _("大学室友"),
    _("业主交流群"),
    _("美食探店团"),
)  # fmt: skip
_SURNAMES = entries(_("王 李 张 刘 陈 杨 赵 黄 周 吴 徐 孙 胡 朱 高 林 何 郭 马 罗"))
_GIVEN = (
    _("伟"), _("静"), _("敏"), _("丽"), _("强"), _("磊"), _("洋"), _("勇"), _("艳"), _("杰"), _("娜"),
    _("涛"), _("明轩"), _("子涵"), _("雨欣"), _("浩然"),
    _("思远"), _("晓燕"), _("建国"), _("志强"), _("佳怡"), _("文博"), _("雅婷"), _("俊杰"),
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Contact:
    """A person or a group, with the name that the phone's owner gave it."""

    name: str
    group: bool
    number: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Acquaintance:
    """A person's name, phone number (11 digits, of a prefix that no network has) and mail address."""

    name: str
    phone: str
    mail: str


def draw_contacts(rng: random.Random) -> tuple[Contact, ...]:
    """Draw people, family first, then groups."""
    friends: set[str] = set()
    while len(friends) < 14:
        surname, given = rng.choice(_SURNAMES), rng.choice(_GIVEN)
        friends.add(_("{surname}{given}").format(surname=surname, given=given))
    people = [*rng.sample(FAMILY, 4), *sorted(friends)]
    names = [(name, False) for name in people] + [(name, True) for name in rng.sample(GROUPS, 4)]
    return tuple(
        Contact(name=name, group=group, number=f"id_{rng.randrange(10**6):06d}") for name, group in names
    )


@lru_cache(maxsize=64)
def contacts(seed: int) -> tuple[Contact, ...]:
    """The chat's contacts of a seed: people, family first, then groups."""
    return draw_contacts(generator(CHAT, seed))


@lru_cache(maxsize=64)
def people(seed: int) -> tuple[Acquaintance, ...]:
    """The people among the contacts of a seed, with phone numbers and mail addresses."""
    rng = generator("acquaintances", seed)
    names = [contact.name for contact in contacts(seed) if not contact.group]
    numbers = rng.sample(range(10**8), 2 * len(names))
    return tuple(
        Acquaintance(name=name, phone=f"154{phone:08d}", mail=f"{mail:08d}@mail.example")
        for name, phone, mail in zip(names, numbers[::2], numbers[1::2], strict=True)
    )


def people_of(rng: random.Random) -> tuple[Acquaintance, ...]:
    """The people on the phone whose world the random numbers of `generator` draw."""
    return people(phone_seed(rng))


def unknown_number(rng: random.Random) -> str:
    """Draw a phone number of somebody else."""
    return f"160{rng.randrange(10**8):08d}"


def spaced(number: str) -> str:
    """A phone number as it is shown.

    >>> spaced("15412345678"), spaced("95500")
    ('154 1234 5678', '95500')
    """
    return f"{number[:3]} {number[3:7]} {number[7:]}" if len(number) == 11 else number
