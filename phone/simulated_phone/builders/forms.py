"""Forms: texts and numbers that were typed."""

from __future__ import annotations

from simulated_phone.machine.handler_context import HandlerContext


def read_typed(context: HandlerContext, field: str, missing: str, *, start: str = "") -> str:
    """Text typed in a field, without spaces at its ends; a toast says if it is missing."""
    text = context.field(field, start).strip()
    if not text:
        context.toast(missing)
    return text


def read_number(text: str, low: int, high: int) -> int | None:
    """The number that a text writes in ASCII digits, if it is from `low` to `high`.

    >>> read_number(" 7 ", 1, 9), read_number("10", 1, 9), read_number("²", 1, 9)
    (7, None, None)
    """
    clean = text.strip()
    number = int(clean) if clean.isascii() and clean.isdecimal() else low - 1
    return number if low <= number <= high else None
