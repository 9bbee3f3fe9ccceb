"""Typed answers: what a goal that asks a question is answered with, read strictly and compared by value.

Only digits, and only these spellings, are read; any other text is a wrong answer. Before reading, full-width
characters become plain ones, and space around the text and one full stop at its end are dropped.

- number: `12`, `1,234`, `-3.5`, alone or with the unit of the question (`12 分钟`); another unit is refused.
- amount: a number of at most two decimals, alone, after `¥` or `$`, or before 元, 块, yuan or dollars.
- time: `H:MM` or `HH:MM` of 24 hours; `7:30 pm`, `7 pm`; `7点`, `7点半`, `7点05分`, `七点一刻`. A part of
  the day before a Chinese time (早上, 下午, ...) counts; without one it is of 24 hours: 七点半 is 07:30.
- date: `2025-03-10`, `2025/3/10`, `2025年3月10日`, `March 10, 2025`, `10 Mar 2025`. The year may be left out
  of the last three.
- name: the text itself, without regard to case, space and enclosing quotes.
- code: letters and digits, without regard to case, space and hyphens.
- phone: a telephone number of 3 to 15 digits, with or without China's country code (+86, 0086, in brackets
  or not). Digits may be in groups, one space, hyphen or dot between two of them; an area code may stand in
  brackets: `138 1234 5678`, `138-1234-5678`, `+86 13812345678`, `(021) 5555 1234`.
- caller: a telephone number in any of these spellings, else a name.
- yes_no: 是, 有, 对, yes; 否, 不是, 没有, 不, no.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

from simulated_phone.language.language import later, translate
from simulated_phone.language.spoken_numbers import chinese_with_digits

AnswerKind = Literal["number", "amount", "time", "date", "name", "code", "phone", "caller", "yes_no"]
"""Type of an answer."""
AnswerValue: TypeAlias = Decimal | str | bool | tuple[int, int] | tuple[int | None, int, int]
"""Number or amount; name, code or phone; yes or no; hour and minute; year (None if left out), month, day."""

MAX_LENGTH = 200
"""Maximum length of an answer, characters."""

_DIGITS = r"(?:[0-9]{1,3}(?:,[0-9]{3}){1,4}|[0-9]{1,12})"
_NUMBER = re.compile(rf"([+-]?{_DIGITS}(?:\.[0-9]{{1,6}})?)\s?(.*)")
_AMOUNT = re.compile(
    rf"(?:[¥$]\s?)?({_DIGITS}(?:\.[0-9]{{1,2}})?)\s?(?:元|块|块钱|yuan|rmb|dollars?)?", re.IGNORECASE
)
_CLOCK = re.compile(r"([0-9]{1,2}):([0-9]{2})")
_HALF_DAY = re.compile(r"([0-9]{1,2})(?::([0-9]{2}))?\s?([ap])\.?m\.?", re.IGNORECASE)
_PARTS = "凌晨|早上|早晨|上午|中午|下午|傍晚|晚上"
_CHINESE_CLOCK = re.compile(
    rf"({_PARTS})?\s?([0-9]{{1,2}})(?:[点时](?:整|(半)|([13])刻|([0-9]{{1,2}})分?)?|:([0-9]{{2}}))"
)
_DATES = (
    re.compile(r"(?P<year>[0-9]{4})([-/.])(?P<month>[0-9]{1,2})\2(?P<day>[0-9]{1,2})"),
    re.compile(r"(?:(?P<year>[0-9]{4})年)?(?P<month>[0-9]{1,2})月(?P<day>[0-9]{1,2})[日号]"),
    re.compile(r"(?P<month>[a-z]{3,9})\.? (?P<day>[0-9]{1,2})(?:,? (?P<year>[0-9]{4}))?", re.IGNORECASE),
    re.compile(r"(?P<day>[0-9]{1,2}) (?P<month>[a-z]{3,9})\.?(?:,? (?P<year>[0-9]{4}))?", re.IGNORECASE),
)
_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_PHONE = re.compile(
    r"(?:(?:\((?:\+|00)86\)|(?:\+|00)86)[ .-]?)?"
    r"((?:\([0-9]{2,5}\)[ .-]?)?[0-9]{1,15}(?:[ .-][0-9]{1,8}){0,5})"
)
_WITHIN: Mapping[AnswerKind, tuple[re.Pattern[str], ...]] = MappingProxyType(
    {
        "amount": (re.compile(rf"(?<![0-9.,]){_DIGITS}(?:\.[0-9]{{1,2}})?(?![0-9])"),),
        "time": (
            re.compile(
                r"(?<![0-9:])[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?![0-9])(?:\s?[ap]\.?m\.?)?", re.IGNORECASE
            ),
            _HALF_DAY,
            _CHINESE_CLOCK,
        ),
        "date": tuple(re.compile(rf"(?<![0-9a-z]){one.pattern}", one.flags) for one in _DATES),
        "code": (re.compile(r"[0-9a-z]+(?:-[0-9a-z]+)*", re.IGNORECASE),),
        "phone": (re.compile(r"(?<![0-9])[+(]?[0-9][0-9 ().-]*[0-9](?![0-9])"),),
    }
)
"""Kind -> what may be its answer within a longer text of a screen."""
_QUOTES = "\"'“”‘’「」『』《》"
_UNITS = (
    ("分钟", "分", "min", "mins", "minute", "minutes"),
    ("℃", "°", "度", "摄氏度", "C", "degree", "degrees"),
    ("步", "step", "steps"),
    ("章", "chapter", "chapters"),
    ("MB", "M", "兆"),
)
"""Spellings of one unit."""
_YES, _NO = ("是", "有", "对", "yes"), ("否", "不是", "没有", "不", "no")

_FORMS: Mapping[AnswerKind, str] = MappingProxyType(
    {
        "number": later("一个数字，例如 12"),
        "amount": later("金额，例如 12.50"),
        "time": later("时间 HH:MM（24小时制），例如 07:30"),
        "date": later("日期 YYYY-MM-DD，例如 2025-03-10"),
        "name": later("名称，与屏幕上写的一样"),
        "code": later("号码，与屏幕上写的一样"),
        "phone": later("电话号码，例如 138 1234 5678"),
        "caller": later("屏幕上写的名称，或电话号码"),
        "yes_no": later("是 或 否"),
    }
)
_PREFIX, _WITH_UNIT = later("回答格式：{form}"), later("一个数字，单位{unit}，例如 12")


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerForm:
    """The form of an answer.

    Attributes:
        kind: Its type.
        unit: For numbers: the unit; "" without one. Its other spellings in `_UNITS` are read, too.

    >>> AnswerForm(kind="time").read("早上七点半"), AnswerForm(kind="time").read("half past seven")
    ((7, 30), None)
    >>> AnswerForm(kind="number", unit="km").read("1,234 km")
    Decimal('1234')
    """

    kind: AnswerKind
    unit: str = ""

    def read(self, text: str) -> AnswerValue | None:
        """The value of an answer; None for a text that is no answer of this form."""
        if len(text) > MAX_LENGTH:
            return None
        plain = unicodedata.normalize("NFKC", text).replace("\u2212", "-").replace("￥", "¥").strip()
        plain = re.sub(r"[。.]$", "", plain) if not plain.lower().endswith(".m.") else plain
        return self._read_number(plain) if self.kind == "number" else _READERS[self.kind](plain)

    def same(self, given: str, right: str) -> bool:
        """Whether two texts are one answer; a date without a year is the same in every year."""
        value, wanted = self.read(given), self.read(right)
        if value is None or wanted is None:
            return False
        if isinstance(value, tuple) and isinstance(wanted, tuple) and None in (value[0], wanted[0]):
            return value[1:] == wanted[1:]
        return value == wanted

    def is_within(self, text: str, right: str) -> bool:
        """Whether a text of a screen has the right answer: alone, or as a part of a longer text.

        A number within a text needs its unit. A yes or no is never within one.

        >>> AnswerForm(kind="time").is_within("4月17日 09:56 · G1843", "9:56")
        True
        >>> AnswerForm(kind="number", unit="分钟").is_within("评分 4.3 · 约 23 分钟送达", "23")
        True
        >>> AnswerForm(kind="number", unit="分钟").is_within("已有 23 人评价", "23")
        False
        """
        if self.kind in ("name", "caller") and (_name(right) or text) in (_name(text) or ""):
            return True
        return self.same(text, right) or any(self.same(part, right) for part in self._list_parts(text))

    def _list_parts(self, text: str) -> Iterator[str]:
        """The parts of a text that may be an answer."""
        plain = unicodedata.normalize("NFKC", text).replace("\u2212", "-")
        for pattern in _WITHIN.get(self.kind, ()):
            yield from (match[0] for match in pattern.finditer(plain))
        if self.kind == "number":
            units = "|".join(map(re.escape, sorted(self._unit_words - {""}, key=len, reverse=True)))
            number = rf"(?<![0-9.,])[+-]?{_DIGITS}(?:\.[0-9]{{1,6}})?(?![0-9])"
            with_unit = rf"{number}\s?(?:{units})(?![a-z])" if units else number
            yield from (match[0] for match in re.finditer(with_unit, plain, re.IGNORECASE))

    @property
    def _unit_words(self) -> set[str]:
        """The unit's spellings, without case; "" for none."""
        spellings = next((group for group in _UNITS if self.unit in group), (self.unit,))
        return {unicodedata.normalize("NFKC", unit).casefold() for unit in (*spellings, "")}

    def words(self, locale: str) -> str:
        """The form in words, for the agent.

        >>> AnswerForm(kind="time").words("zh")
        '回答格式：时间 HH:MM（24小时制），例如 07:30'
        """
        words = translate(locale, _WITH_UNIT if self.unit else _FORMS[self.kind]).format(unit=self.unit)
        return translate(locale, _PREFIX).format(form=words)

    def _read_number(self, text: str) -> Decimal | None:
        match = _NUMBER.fullmatch(text)
        if match is None or match[2].casefold() not in self._unit_words:
            return None
        return Decimal(match[1].replace(",", ""))


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Question of a goal.

    Attributes:
        form: The form of the answer.
        right: The right answer, in the form, by the phone at the start of the task: a `PageView` of the app
            whose `arguments` are the goal's.
    """

    form: AnswerForm
    right: Callable[[Any], str]


def _read_amount(text: str) -> Decimal | None:
    match = _AMOUNT.fullmatch(text)
    return Decimal(match[1].replace(",", "")) if match else None


def _read_time(text: str) -> tuple[int, int] | None:
    if match := _CLOCK.fullmatch(text):
        hour, minute = int(match[1]), int(match[2])
    elif match := _HALF_DAY.fullmatch(text):
        hour, minute = int(match[1]), int(match[2] or 0)
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + 12 * (match[3].lower() == "p")
    elif match := _CHINESE_CLOCK.fullmatch(chinese_with_digits(text)):
        _part, _hour, half, quarters, after, digits = match.groups()
        minute = 30 if half else 15 * int(quarters) if quarters else int(after or digits or 0)
        hour = _convert_hour(match[1], int(match[2]))
    else:
        return None
    return (hour, minute) if 0 <= hour < 24 and minute < 60 else None


def _convert_hour(part: str | None, hour: int) -> int:
    """The hour of 24; -1 if the part of the day has no such hour."""
    if part in ("下午", "傍晚", "晚上"):
        return hour + 12 if 1 <= hour < 12 else hour if hour > 12 or part == "下午" else -1
    if part == "中午":
        return {11: 11, 12: 12, 1: 13, 13: 13}.get(hour, -1)
    if part == "凌晨":
        return hour % 12 if hour <= 12 else -1
    return hour if part is None or hour <= 12 else -1


def _read_date(text: str) -> tuple[int | None, int, int] | None:
    match = next(filter(None, (pattern.fullmatch(text) for pattern in _DATES)), None)
    if match is None:
        return None
    name = match["month"].lower()
    if name.isdecimal():
        month = int(name)
    else:
        month = next((at for at, one in enumerate(_MONTHS, 1) if name in (one, one[:3])), 0)
    year, day = int(match["year"]) if match["year"] else None, int(match["day"])
    try:
        # a leap year, so that February 29 is a day where the year is left out
        date(2024 if year is None else year, month, day)
    except ValueError:
        return None
    return year, month, day


def _name(text: str) -> str | None:
    return "".join(text.strip(_QUOTES).split()).casefold() or None


def _read_code(text: str) -> str | None:
    plain = re.sub(r"[\s-]", "", text).casefold()
    return plain if re.fullmatch(r"[0-9a-z]{1,40}", plain) else None


def _read_phone(text: str) -> str | None:
    match = _PHONE.fullmatch(text)
    digits = re.sub(r"[^0-9]", "", match[1]) if match else ""
    return digits if 3 <= len(digits) <= 15 else None


def _caller(text: str) -> str | None:
    # a name is never all digits, so that a number and a name cannot be taken for one another
    return _read_phone(text.strip(_QUOTES)) or _name(text)


def _read_yes_no(text: str) -> bool | None:
    word = text.casefold()
    return True if word in _YES else False if word in _NO else None


_READERS: Mapping[AnswerKind, Callable[[str], AnswerValue | None]] = MappingProxyType(
    {
        "amount": _read_amount,
        "time": _read_time,
        "date": _read_date,
        "name": _name,
        "code": _read_code,
        "phone": _read_phone,
        "caller": _caller,
        "yes_no": _read_yes_no,
    }
)
