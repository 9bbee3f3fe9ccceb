"""Simulated persons: demographics, and the age group whose preferences they partly share."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache, partial
from types import MappingProxyType

from simulated_phone.language.language import CHINESE, later, translate
from simulated_phone.language.zones import CHINA
from simulated_phone.screens.skin import PLAIN

FIRST_ID = 1001
"""User id of the first person: above those of the public release, so that they cannot be confused."""

YOUNG, OLDER = "young", "older"
GROUPS: Mapping[str, tuple[int, int]] = MappingProxyType({YOUNG: (18, 37), OLDER: (43, 72)})
"""Age groups and their ages in years; people are assigned to them alternately."""

WIDE_SEED = 2**64
"""Populations with a seed from here on give their phones seeds of 128 bits, smaller ones 20 bits."""

RETIRED = 60
STUDENT, RETIRED_WORD, TEACHER = later("学生"), later("退休"), later("教师")
"""Occupations that routines depend on."""

_OCCUPATIONS = {
    YOUNG: (
        later("程序员"),
        later("教师"),
        later("设计师"),
        later("销售"),
        later("护士"),
        later("会计"),
        later("公务员"),
        later("外卖骑手"),
        later("运营"),
        later("自由职业"),
    ),
    OLDER: (
        later("教师"),
        later("医生"),
        later("个体户"),
        later("工程师"),
        later("公务员"),
        later("司机"),
        later("会计"),
        later("工人"),
        later("企业管理者"),
        later("厨师"),
    ),
}
_CITIES = (
    *(
        later("北京市"),
        later("上海市"),
        later("天津市"),
        later("重庆市"),
        later("广东省深圳市"),
        later("广东省广州市"),
        later("浙江省杭州市"),
        later("江苏省南京市"),
    ),
    *(
        later("四川省成都市"),
        later("湖北省武汉市"),
        later("陕西省西安市"),
        later("山东省青岛市"),
        later("湖南省长沙市"),
        later("福建省厦门市"),
    ),
    *(later("辽宁省沈阳市"), later("云南省昆明市"), later("河南省郑州市"), later("江苏省苏州市")),
)
_BRANDS = (later("华为"), later("小米"), "OPPO", "vivo", later("荣耀"), later("一加"))
_DESIGNS = dict(zip(_BRANDS, ("pebble", "linen", "prism", "slate", "pebble", "prism"), strict=True))
"""Brand -> design language of its phones."""
DARK_SHARE = 0.3
"""Share of the people whose phones are in dark mode."""
_SEXES = (later("男"), later("女"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A simulated person.

    Args:
        user_id: Decimal user id, from `FIRST_ID` on.
        seed: Seed of the person's phone.
        population: Seed of the whole population; the preferences of an age group follow from it.
        group: "young" or "older".
        sex: 男 or 女.
        age: Years.
        occupation: 学生, 退休 or a job.
        address: City.
        family: 未婚 or 已婚.
        phone_brand: Brand, as in the release's table of user profiles.
        locale: Language of the person and of the phone.
        zone: Time zone of both.
    """

    user_id: str
    seed: int
    population: int
    group: str
    sex: str
    age: int
    occupation: str
    address: str
    family: str
    phone_brand: str
    # not in the text form, which versions of simulated people are compared by
    locale: str = field(default=CHINESE, repr=False)
    zone: str = field(default=CHINA, repr=False)

    @property
    def design(self) -> str:
        """Design language of the person's phone, that of its brand."""
        brands = {translate(self.locale, brand): design for brand, design in _DESIGNS.items()}
        return brands.get(self.phone_brand, PLAIN)

    @property
    def dark(self) -> bool:
        """Whether the person's phone is in dark mode."""
        return draw(self.population, self.user_id, "dark mode") < DARK_SHARE

    def leaning(self, *names: object, own: float = 0.5) -> float:
        """The person's preference for an option, 0-1: a mean of the age group's and the person's own draw.

        Args:
            names: Names of the choice and the option.
            own: Weight of the person's own draw, 0-1.
        """
        shared = _draw_of_group(self.population, self.group, *names)
        return (1 - own) * shared + own * draw(self.population, self.user_id, *names)

    def works_as(self, *occupations: str) -> bool:
        """Whether the person's occupation is one of these, given in Chinese."""
        return self.occupation in {translate(self.locale, one) for one in occupations}

    def generator(self, *names: object) -> random.Random:
        """A random generator for this person and the named purpose."""
        return random.Random(f"{self.population}/{self.user_id}/{names}")  # noqa: S311 - a life, not a secret


@lru_cache(maxsize=4096)
def _draw_of_group(*names: object) -> float:
    """As `draw`, kept: everybody of an age group needs the same numbers."""
    return draw(*names)


def draw(*names: object) -> float:
    """A number in [0, 1) determined by the names alone.

    >>> draw(1, "young", "search") == draw(1, "young", "search")
    True
    """
    digest = hashlib.sha256("/".join(map(str, names)).encode()).digest()
    return int.from_bytes(digest[:6], "big") / 2**48


def make_person(number: int, seed: int, locale: str = CHINESE, zone: str = CHINA) -> Person:
    """Draw person `number` (from 0) of the population with the seed.

    In every language and zone the same people are drawn, with words of that language, and at the same hours.

    >>> make_person(0, 1).user_id, make_person(0, 1).group, make_person(1, 1).group
    ('1001', 'young', 'older')
    """
    rng = random.Random(f"{seed}/person {number}")  # noqa: S311 - a life, not a secret
    group = tuple(GROUPS)[number % len(GROUPS)]
    age = rng.randint(*GROUPS[group])
    _ = partial(translate, locale)
    return Person(
        user_id=str(FIRST_ID + number),
        seed=_derive_phone_seed(number, seed, rng),
        population=seed,
        group=group,
        sex=_(rng.choice(_SEXES)),
        age=age,
        occupation=_(_draw_occupation(age, group, rng)),
        address=_(rng.choice(_CITIES)),
        family=_("已婚") if rng.random() < min(0.95, max(0.0, (age - 22) / 15)) else _("未婚"),
        phone_brand=_(rng.choice(_BRANDS)),
        locale=locale,
        zone=zone,
    )


def _derive_phone_seed(number: int, population: int, rng: random.Random) -> int:
    """Seed of a person's phone: as wide as the population's allows, so that no one can try them all."""
    narrow = rng.randrange(10**6)
    if population < WIDE_SEED:
        return narrow  # the phones of populations that are published, which must not change
    digest = hashlib.sha256(f"{population}/phone {number}".encode()).digest()
    return int.from_bytes(digest[:16], "big")


def _draw_occupation(age: int, group: str, rng: random.Random) -> str:
    if age >= RETIRED:
        return RETIRED_WORD
    if age <= 22 or (age <= 26 and rng.random() < 0.4):
        return STUDENT
    return rng.choice(_OCCUPATIONS[group])
