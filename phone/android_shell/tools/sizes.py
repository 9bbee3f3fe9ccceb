"""Sizes as toybox reads and prints them."""

from __future__ import annotations

import re

from android_shell.command_call import CommandCall

_UNITS = " kMGTPEZY"
_SUFFIX = re.compile(r"([-+]?(?:0[xX][0-9a-fA-F]{1,16}|\d{1,18}))(?:([cbwkmgtpeCBWKMGTPE])([dDbB]?)[bB]?)?")
_DIGITS = 3


def format_size(number: int, *, thousands: bool = False) -> str:
    """Return a size in at most three digits with its unit.

    >>> format_size(999), format_size(1536), format_size(52_300_000)
    ('999', '1.5K', '50M')
    """
    divisor = 1000 if thousands else 1024
    unit, before = 0, 0
    while len(str(number)) > _DIGITS:
        before, number, unit = number, (number + divisor // 2) // divisor, unit + 1
    text = str(number)
    if unit and len(text) == 1:
        # a single digit gets a second one
        whole, rest = divmod(before, divisor)
        text = f"{whole}.{(rest * 100 + 50) // divisor // 10}"
    letter = _UNITS[unit] if thousands else _UNITS[unit].upper()
    return text + (letter if unit else "")


def parse_size(call: CommandCall, text: str) -> int:
    """A number with one of toybox's suffixes: 4k, 2M, 1G, 3b (blocks of 512), 2kd (of 1000).

    Raises:
        CommandError: It is none.
    """
    found = _SUFFIX.fullmatch(text)
    if found is None:
        raise call.error(f"not integer: {text}")
    digits, suffix, base = found.groups()
    number = int(digits, 16 if "x" in digits.lower() else 8 if re.match(r"[-+]?0\d", digits) else 10)
    suffix = (suffix or "c").lower()
    if suffix in "cbw":
        return number * {"c": 1, "b": 512, "w": 2}[suffix]
    return int(number * (1000 if (base or "").lower() == "d" else 1024) ** _UNITS.lower().index(suffix))
