"""Forms: buttons for numbers, and numbers that were typed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from simulated_phone.screens.layout import GridLayout
from simulated_phone.screens.widgets import Button

from .taps import change


def number_buttons(
    draft: Mapping[str, Any], key: str, values: Iterable[int], words: str, columns: int, *, room: float
) -> GridLayout:
    """A grid of numbers, of which the draft's `key` is chosen; `words` is a format such as "{:02d}分"."""
    cells = [
        Button(
            words.format(value),
            change(**{key: value}),
            style="filled" if draft[key] == value else "tonal",
            selected=draft[key] == value,
            room=room,
            size=14,
        )
        for value in values
    ]
    return GridLayout(cells, columns, gap=4)


def whole_number(text: str, low: int, high: int) -> int | None:
    """The number that a text writes in ASCII digits, if it is from `low` to `high`.

    >>> whole_number(" 7 ", 1, 9), whole_number("10", 1, 9), whole_number("²", 1, 9)
    (7, None, None)
    """
    clean = text.strip()
    number = int(clean) if clean.isascii() and clean.isdecimal() else low - 1
    return number if low <= number <= high else None
