"""Numbers and times that are said: Chinese numerals, and English words."""

from __future__ import annotations

import re

_DIGITS = {letter: value for value, letter in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_CHINESE = re.compile("[零〇一二两三四五六七八九十百]+")

_SMALL = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_VALUES = (
    {word: value for value, word in enumerate(_SMALL)}
    | {word: 20 + 10 * place for place, word in enumerate(_TENS)}
    | {"hundred": 100}
)
_WORD = "|".join(sorted(_VALUES, key=len, reverse=True))
_ENGLISH = re.compile(rf"\b(?:{_WORD})(?:[- ](?:and )?(?:{_WORD}))*\b", re.IGNORECASE)
_PAST = re.compile(r"\b(half|(?:a )?quarter) (past|to) (\d{1,2})\b", re.IGNORECASE)
_TIME = re.compile(
    r"\b(\d{1,2})(?::(\d\d))? ?(o'clock|am\b|pm\b|in the morning|in the afternoon|in the evening|at night)",
    re.IGNORECASE,
)
_AT = re.compile(r"\bat (\d{1,2})\b(?![:\d])", re.IGNORECASE)


def chinese_with_digits(phrase: str) -> str:
    """The phrase with Chinese numbers below 1000 written as digits.

    >>> chinese_with_digits("早上七点二十五分")
    '早上7点25分'
    """
    return _CHINESE.sub(lambda match: str(_read_chinese(match[0])), phrase)


def _read_chinese(word: str) -> int:
    total, last = 0, 0
    for letter in word:
        if letter in _DIGITS:
            last = last * 10 + _DIGITS[letter]
        else:
            # 十 without a digit before it is ten
            total += (last or 1) * (10 if letter == "十" else 100)
            last = 0
    return total + last


def write_english_digits(phrase: str) -> str:
    """The phrase with English numbers below 1000 written as digits, and times as 24 hours.

    >>> write_english_digits("two hundred and five dollars, at half past three")
    '205 dollars, at 3:30'
    >>> write_english_digits("seven thirty pm, or quarter to nine in the morning, or at 6")
    '19:30, or 8:45, or at 6:00'
    """
    phrase = _ENGLISH.sub(lambda match: _read_english(match[0]), phrase)
    phrase = _PAST.sub(_write_minutes_past, phrase)
    return _AT.sub(r"at \1:00", _TIME.sub(_write_24_hours, phrase))


def _read_english(words: str) -> str:
    numbers: list[int] = []
    joins = False  # whether the next word belongs to the number before it: "twenty" + "five"
    for word in re.findall("[a-z]+", words.lower()):
        if word == "and":
            continue
        value = _VALUES[word]
        if value == 100:
            numbers[-1:] = [100 * (numbers[-1] if numbers else 1)]
        elif joins and (value < 10 or numbers[-1] >= 100):
            numbers[-1] += value
        else:
            numbers.append(value)
        joins = value >= 20
    if len(numbers) == 2 and numbers[0] < 24 and 10 <= numbers[1] < 60:
        return f"{numbers[0]}:{numbers[1]}"
    return " ".join(map(str, numbers))


def _write_minutes_past(match: re.Match[str]) -> str:
    minutes, hour = (30 if match[1].lower() == "half" else 15), int(match[3])
    return f"{hour}:{minutes}" if match[2].lower() == "past" else f"{hour - 1}:{60 - minutes}"


def _write_24_hours(match: re.Match[str]) -> str:
    hour, part = int(match[1]), match[3].lower()
    late = part in ("pm", "in the afternoon", "in the evening", "at night")
    hour += 12 if late and hour < 12 else -12 if part == "am" and hour == 12 else 0
    return f"{hour}:{match[2] or '00'}"


def write_english_time(hour: int, minute: int, *, in_words: bool) -> str:
    """A time of day in English, of twelve hours.

    >>> write_english_time(19, 30, in_words=False), write_english_time(7, 0, in_words=False)
    ('7:30 pm', '7 am')
    >>> write_english_time(19, 30, in_words=True), write_english_time(0, 5, in_words=True)
    ('half past seven in the evening', 'twelve oh five at night')
    """
    small = (hour - 1) % 12 + 1
    if not in_words:
        return f"{small}:{minute:02d} {_half(hour)}" if minute else f"{small} {_half(hour)}"
    parts = ((5, "at night"), (12, "in the morning"), (18, "in the afternoon"), (22, "in the evening"))
    part = next((words for last, words in parts if hour < last), "at night")
    past = {0: "", 15: "quarter past ", 30: "half past "}.get(minute)
    if past is not None:
        return f"{past}{_SMALL[small]} {part}"
    tens, ones = divmod(minute, 10)
    after = f"oh {_SMALL[ones]}" if minute < 10 else _SMALL[minute] if minute < 20 else _TENS[tens - 2]
    return f"{_SMALL[small]} {after}{f' {_SMALL[ones]}' if minute > 20 and ones else ''} {part}"


def _half(hour: int) -> str:
    return "am" if hour < 12 else "pm"
