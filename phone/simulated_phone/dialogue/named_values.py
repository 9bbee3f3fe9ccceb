"""Values that a question names, right or wrong, and how a person says their own.

A question may name any value that a slot has in the phone's world ("Is it for Boston?"), a time or date in
other words, or a number. What it names is right if it is the value of the task.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from simulated_phone.dialogue.question_words import (
    compile_words,
    read_question_words,
    read_slot_words,
    say_value,
)
from simulated_phone.dialogue.slots import GoalSlot
from simulated_phone.goals.app_definition import Arguments
from simulated_phone.language.spoken_numbers import chinese_with_digits, write_english_digits
from simulated_phone.screens.nodes import ActionValue

_CLOCK = re.compile(r"(\d{1,2}):(\d\d)")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_PHONE = re.compile(r"\d[\d -]{8,}\d")
_CHINESE_TIME = re.compile(
    r"(凌晨|早上|上午|中午|下午|傍晚|晚上)?(\d{1,2})(?:点钟?|时)(?:(\d{1,2})分?|(半)|(1刻)|(3刻))?"
)
_ISO = re.compile(r"\d{4}-(\d{1,2})-(\d{1,2})")
_CHINESE_DATE = re.compile(r"(\d{1,2})月(\d{1,2})[日号]?")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = rf"({'|'.join(_MONTHS)})[a-z]*\.?"
_ENGLISH_DATE = re.compile(
    rf"\b{_MONTH} (\d{{1,2}})(?:st|nd|rd|th)?\b|\b(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? {_MONTH}", re.IGNORECASE
)
_MORNING = re.compile(r"\bam\b|a\.m\.|morning|凌晨|早上|上午", re.IGNORECASE)
_LATE = ("下午", "傍晚", "晚上")
MASK = "\N{WHITE SQUARE}"
"""Stands for a value in a question whose words are read."""

SHORT = MappingProxyType({"zh": 2, "en": 4})
"""Smallest number of letters of a value that is no ordinary word of a question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedValue:
    """A value that a question names.

    Attributes:
        text: How the question names it.
        slots: Slots that have this value in some task.
        right: Those that have it in this one.
        start: Where it stands in the question; -1 for a time, date or number.
    """

    text: str
    slots: tuple[str, ...]
    right: tuple[str, ...]
    start: int = -1


def _is_number(value: ActionValue) -> bool:
    return not isinstance(value, bool) and _NUMBER.fullmatch(str(value)) is not None


def read_times(text: str, locale: str) -> Iterator[tuple[int, int]]:
    """Hour and minute of each time of day that a text names; hours up to 12 may be those after noon."""
    digits = chinese_with_digits(text) if locale == "zh" else write_english_digits(text)
    for clock in _CLOCK.finditer(digits):
        yield int(clock[1]), int(clock[2])
    for match in _CHINESE_TIME.finditer(digits) if locale == "zh" else ():
        hour = int(match[2]) + (12 if match[1] in _LATE and int(match[2]) < 12 else 0)
        yield hour, int(match[3] or 0) or 30 * bool(match[4]) or 15 * bool(match[5]) or 45 * bool(match[6])


def read_dates(text: str, locale: str) -> Iterator[tuple[int, int]]:
    """Month and day of each date that a text names."""
    for match in _ISO.finditer(text):
        yield int(match[1]), int(match[2])
    if locale == "zh":
        for match in _CHINESE_DATE.finditer(chinese_with_digits(text)):
            yield int(match[1]), int(match[2])
        return
    for match in _ENGLISH_DATE.finditer(text):
        month, number = (match[1], match[2]) if match[1] else (match[4], match[3])
        yield _MONTHS.index(month.lower()) + 1, int(number)


@dataclass(slots=True)
class ValueFinder:
    """Finds the values of a goal's slots in questions.

    Args:
        slots: Slots of the goal.
        cases: Every set of its arguments in the phone's world.
        case: That of the task.
        locale: Language of the questions.
    """

    slots: Sequence[GoalSlot]
    cases: Sequence[Arguments]
    case: Arguments
    locale: str
    _texts: dict[str, tuple[str, ...]] = field(init=False)
    _pattern: re.Pattern[str] = field(init=False)
    _nouns: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        texts: dict[str, dict[str, None]] = {}
        for slot in self.slots:
            for value in {case[slot.name]: None for case in (self.case, *self.cases)}:
                if not _is_number(value) and not _CLOCK.fullmatch(str(value)):
                    texts.setdefault(str(value).casefold(), {})[slot.name] = None
        self._texts = {text: tuple(names) for text, names in texts.items() if text}
        self._pattern = compile_words(self._texts, self.locale)
        words = [read_slot_words(slot.name, self.locale) for slot in self.slots]
        self._nouns = frozenset(noun for one in words for noun in (*one.nouns, *one.verbs))

    def find_values(self, question: str) -> tuple[NamedValue, ...]:
        """The values that a question in small letters names, texts first."""
        texts = [self._judge_text(match) for match in self._pattern.finditer(question)]
        rest = self._pattern.sub(MASK, question)
        return (*texts, *self._find_times(rest), *self._find_dates(rest), *self._find_numbers(rest))

    def _judge_text(self, match: re.Match[str]) -> NamedValue:
        slots = self._texts[match[0]]
        right = tuple(name for name in slots if str(self.case[name]).casefold() == match[0])
        return NamedValue(text=match[0], slots=slots, right=right, start=match.start())

    def _find_times(self, rest: str) -> Iterator[NamedValue]:
        timed = {slot.name: time for slot in self.slots if (time := self._read_own_time(slot.name))}
        if not timed:
            return
        early = _MORNING.search(rest) is not None
        for hour, minute in read_times(rest, self.locale):
            hours = {hour} if early or hour >= 12 else {hour, hour + 12}
            right = tuple(name for name, own in timed.items() if own[0] in hours and own[1] == minute)
            yield NamedValue(text=f"{hour}:{minute:02d}", slots=tuple(timed), right=right)

    def _read_own_time(self, name: str) -> tuple[int, int] | None:
        value = self.case[name]
        clock = _CLOCK.fullmatch(str(value))
        if clock:
            return int(clock[1]), int(clock[2])
        hourly = read_slot_words(name, self.locale).say == "{clock}"
        return (int(str(value)), 0) if hourly and _is_number(value) else None

    def _find_dates(self, rest: str) -> Iterator[NamedValue]:
        dated = [slot for slot in self.slots if read_slot_words(slot.name, self.locale).kind == "date"]
        for date in read_dates(rest, self.locale) if dated else ():
            right = tuple(
                slot.name for slot in dated if date in read_dates(str(self.case[slot.name]), self.locale)
            )
            yield NamedValue(
                text=f"{date[0]}/{date[1]}", slots=tuple(slot.name for slot in dated), right=right
            )

    def _find_numbers(self, rest: str) -> Iterator[NamedValue]:
        counted = {
            slot.name: str(self.case[slot.name]).replace(" ", "")
            for slot in self.slots
            if _is_number(str(self.case[slot.name]).replace(" ", ""))
        }
        if not counted:
            return
        for date in (_ISO, _CHINESE_DATE if self.locale == "zh" else _ENGLISH_DATE, _CLOCK):
            rest = date.sub(MASK, rest)
        digits = chinese_with_digits(rest) if self.locale == "zh" else write_english_digits(rest)
        digits = _CHINESE_TIME.sub(MASK, _CLOCK.sub(MASK, digits))
        phones = [re.sub(r"[ -]", "", match[0]) for match in _PHONE.finditer(digits)]
        numbers = [*phones, *(match[0] for match in _NUMBER.finditer(_PHONE.sub(MASK, digits)))]
        for number in numbers:
            right = tuple(name for name, own in counted.items() if float(own) == float(number))
            yield NamedValue(text=number, slots=tuple(counted), right=right)

    def mask_values(self, question: str) -> str:
        """The question without the values that are no ordinary words."""

        def mask(match: re.Match[str]) -> str:
            short = len(match[0]) < SHORT.get(self.locale, 1) or match[0] in self._nouns
            return match[0] if short else MASK

        return self._pattern.sub(mask, question)

    def has_unknown_name(self, question: str, known: re.Pattern[str]) -> bool:
        """Whether a question names something that no slot has in the phone's world.

        Args:
            question: The question as it was put.
            known: Finds names that are no values, such as those of apps, in small letters.
        """
        small = question.casefold()
        if len(small) != len(question):
            small = question
        rest = question
        for pattern in (self._pattern, known, _ENGLISH_DATE):
            for match in pattern.finditer(small):
                rest = rest[: match.start()] + MASK * (match.end() - match.start()) + rest[match.end() :]
        for match in read_question_words(self.locale)["names"].finditer(rest):
            name = next((part for part in match.groups() if part), "").strip().casefold()
            unread = MASK not in name and name not in self._nouns and name not in _ORDINARY
            if unread and not read_dates_or_times(name, self.locale):
                return True
        return False

    def say_value(self, name: str, clock: str) -> str:
        """The value of a slot in the person's words.

        Args:
            name: Name of the slot.
            clock: Form of times, one of `wording.CLOCKS`.
        """
        return say_value(name, self.case[name], clock, self.locale)


_ORDINARY = frozenset(
    {"ok", "i", "yes", "no", "it", "you", "monday", "today", "您", "你", "他", "她", "它", "我"}
)
"""Words that look like names and are none."""


def read_dates_or_times(text: str, locale: str) -> bool:
    """Whether a text names a date or a time of day."""
    return any(True for _ in (*read_dates(text, locale), *read_times(text, locale)))
