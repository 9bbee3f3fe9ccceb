"""Forms: numbers that were typed."""

from __future__ import annotations


def whole_number(text: str, low: int, high: int) -> int | None:
    """The number that a text writes in ASCII digits, if it is from `low` to `high`.

    >>> whole_number(" 7 ", 1, 9), whole_number("10", 1, 9), whole_number("²", 1, 9)
    (7, None, None)
    """
    clean = text.strip()
    number = int(clean) if clean.isascii() and clean.isdecimal() else low - 1
    return number if low <= number <= high else None
