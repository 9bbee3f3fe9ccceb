"""Rows of text with private values drawn by Faker, which no rule of the recognisers was written from.

Everything is invented. Harmless rows (prices, versions, dates, places) are drawn, too: a scan must
not find them.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fingertip_dataset.errors import MissingExtraError
from fingertip_privacy.finds import FindKind

if TYPE_CHECKING:
    from faker import Faker

LOCALES = {"zh": "zh_CN", "en": "en_US"}
"""Language of a simulated phone -> Faker's name of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlantedRow:
    """Row of text with at most one private value.

    Attributes:
        text: The whole row.
        kind: Kind of the value; None for a harmless row.
        start: First character of the value in `text`.
        end: Character behind its last one.
    """

    text: str
    kind: FindKind | None = None
    start: int = 0
    end: int = 0

    @property
    def value(self) -> str:
        """The private value; "" for a harmless row."""
        return self.text[self.start : self.end]


_ROWS: Mapping[str, Mapping[FindKind, tuple[str, ...]]] = {
    "zh": {
        FindKind.PHONE: ("手机 {}", "{}", "联系电话：{}", "有事打{}找我"),
        FindKind.RESIDENT_ID: ("身份证号 {}", "{}", "证件号码：{}"),
        FindKind.BANK_CARD: ("卡号 {}", "{}", "工资打到{}"),
        FindKind.EMAIL: ("邮箱 {}", "{}", "资料发到{}就行"),
        FindKind.ADDRESS: ("收货地址：{}", "{}", "请送到{}"),
        FindKind.NAME: ("收货人：{}", "姓名 {}", "联系人：{}", "您好，{}先生"),
        FindKind.PLATE: ("车牌号 {}", "{}", "{} 已驶入停车场"),
        FindKind.CODE: ("验证码：{}，请勿泄露", "{}（登录验证码，5分钟内有效）", "取件码 {}"),
        FindKind.ACCOUNT: ("微信号：{}", "订单编号 {}", "快递单号：{}"),
        FindKind.AMOUNT: ("转账 ¥{}", "账户余额 {}元", "已收款 ¥{}"),
    },
    "en": {
        FindKind.PHONE: ("Phone {}", "{}", "Call me at {} tonight"),
        FindKind.RESIDENT_ID: ("SSN {}", "Social security number: {}"),
        FindKind.BANK_CARD: ("Card number {}", "{}"),
        FindKind.EMAIL: ("E-mail {}", "{}", "Send it to {} please"),
        FindKind.ADDRESS: ("Deliver to {}", "{}"),
        FindKind.NAME: ("Recipient: {}", "Name {}", "Dear {},"),
        FindKind.PLATE: ("License plate {}", "Plate: {}"),
        FindKind.CODE: ("Your verification code is {}", "{} is your security code"),
        FindKind.ACCOUNT: ("Order number {}", "Username: {}", "Tracking number {}"),
        FindKind.AMOUNT: ("You sent ${}", "Balance ${}", "Payment received: ${}"),
    },
}
"""Language -> kind -> rows; {} is the value."""

_HARMLESS: Mapping[str, tuple[str, ...]] = {
    "zh": (
        "满{a}减{b} 会员更优惠", "版本 {b}.{a}.50.{c}", "2025年3月{b}日 08:{b}", "评分 4.{d}（{c}人评价）",
        "限时特价 ¥{c}", "共{c}件商品", "第{b}集 {a}P", "人民广场步行街", "今日步数 {c}", "剩余电量 {a}%",
    ),
    "en": (
        "{a} off orders over {c}", "Version {b}.{a}.50.{c}", "March {b}, 2025 08:{b}",
        "Rated 4.{d} by {c} people",
        "Now only ${c}", "{c} items in stock", "Episode {b}, {a}p", "Central Park", "{c} steps today",
        "Battery at {a}%",
    ),
}  # fmt: skip
"""Language -> rows without anything private."""


class RowSource:
    """Draws rows of a language; the same seed draws the same rows.

    Args:
        language: "zh" or "en".
        seed: Seed of Faker and of the choice of rows.

    Raises:
        MissingExtraError: Faker is not installed.
    """

    def __init__(self, language: str, seed: int) -> None:
        try:
            from faker import Faker
        except ImportError as error:
            raise MissingExtraError("faker", "privacy") from error
        self.language = language
        self._rng = random.Random(f"planted rows {language} {seed}")  # noqa: S311 - no secret
        self._faker: Faker = Faker(LOCALES[language])
        self._faker.seed_instance(self._rng.randrange(2**31))

    def draw(self, kind: FindKind) -> PlantedRow:
        """Draw a row with a value of this kind, which must be one of text."""
        template = self._rng.choice(_ROWS[self.language][kind])
        value = self._value(kind, template)
        start = template.index("{}")
        return PlantedRow(text=template.replace("{}", value), kind=kind, start=start, end=start + len(value))

    def draw_harmless(self) -> PlantedRow:
        """Draw a row without anything private."""
        rng = self._rng
        numbers = {"a": rng.randrange(10, 100), "b": rng.randrange(10, 29), "c": rng.randrange(100, 9999)}
        return PlantedRow(text=rng.choice(_HARMLESS[self.language]).format(**numbers, d=rng.randrange(10)))

    def kinds(self) -> tuple[FindKind, ...]:
        """All kinds that `draw` knows, in a random order."""
        kinds = list(_ROWS[self.language])
        self._rng.shuffle(kinds)
        return tuple(kinds)

    def _value(self, kind: FindKind, template: str) -> str:
        fake, digits = self._faker, self._digits
        draw: Mapping[FindKind, Callable[[], str]] = {
            FindKind.PHONE: self._phone,
            FindKind.RESIDENT_ID: fake.ssn,
            FindKind.BANK_CARD: self._card,
            FindKind.EMAIL: fake.email,
            FindKind.ADDRESS: self._address,
            FindKind.NAME: self._name,
            FindKind.PLATE: fake.license_plate,
            FindKind.CODE: lambda: digits(6) if "取件" not in template else self._pick_up(),
            FindKind.ACCOUNT: lambda: self._account(template),
            FindKind.AMOUNT: lambda: f"{self._rng.randrange(100, 999999) / 100:,.2f}",
        }
        return str(draw[kind]())

    def _digits(self, count: int) -> str:
        return "".join(self._rng.choice("0123456789") for _ in range(count))

    def _phone(self) -> str:
        number = str(self._faker.phone_number())
        if self.language == "en":
            return number.partition("x")[0]
        # as phones show it, half of the time
        return number if self._rng.random() < 0.5 else f"{number[:3]} {number[3:7]} {number[7:]}"

    def _card(self) -> str:
        number = str(self._faker.credit_card_number("visa16" if self.language == "en" else None))
        grouped = " ".join(number[at : at + 4] for at in range(0, len(number), 4))
        return grouped if self._rng.random() < 0.5 else number

    def _address(self) -> str:
        text = str(self._faker.address()).replace("\n", ", ")
        return text if self.language == "en" else text.partition(" ")[0]

    def _name(self) -> str:
        if self.language == "en":
            return f"{self._faker.first_name()} {self._faker.last_name()}"
        return str(self._faker.name())

    def _pick_up(self) -> str:
        rng = self._rng
        return f"{rng.randrange(1, 30)}-{rng.randrange(1, 9)}-{rng.randrange(1000, 9999)}"

    def _account(self, template: str) -> str:
        if "微信" in template or "Username" in template:
            return str(self._faker.user_name()) + self._digits(3)
        return f"SF{self._digits(13)}" if "快递" in template or "Tracking" in template else self._digits(16)
