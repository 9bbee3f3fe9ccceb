"""Moments as tools read and print them, in the zone of the device."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo

from android_shell.command_call import CommandCall
from android_shell.file_entries import SECOND

_OFFSET = re.compile(r"\s*([-+])(\d\d):?(\d\d)$|Z$")
_ISO = re.compile(r"(\d{4})-(\d\d?)-(\d\d?)(?:[ T](\d\d?):(\d\d)(?::(\d\d))?)?")
_CLOCK = re.compile(r"(\d\d?):(\d\d)(?::(\d\d))?")
_POSIX = re.compile(r"(\d\d)(\d\d)(\d\d)(\d\d)(?:(\d\d)?(\d\d))?(?:\.(\d\d))?")
_TOUCH = re.compile(r"(?:(\d\d)?(\d\d))?(\d\d)(\d\d)(\d\d)(\d\d)(?:\.(\d\d))?")
_UNIX = re.compile(r"@(-?\d{1,11})(?:\.(\d{1,9}))?")
_FRACTION = re.compile(r"[.,](\d{1,9})$")
_SPECIAL = re.compile(r"%(:z|\d?N|[1-9]\d*|[EO]?([-_0^#]?)([a-zA-Z+%]?))")
_STANDARD = frozenset("aAbBcCdDeFgGhHIjmMprRSTuUVwWxXyYz")
_NUMBERS, _WORDS = frozenset("CdegGHIjklmMSuUVwWyY"), frozenset("aAbBhpZ")
"""Letters that can be padded otherwise (%-d, %_d, %0e), and those in capitals (%^a)."""

_OWN = {
    "c": "%a %b %e %H:%M:%S %Y",
    "x": "%m/%d/%y",
    "X": "%H:%M:%S",
    "r": "%I:%M:%S %p",
}
"""Forms of the C locale, whatever this machine's is."""


def find_zone(call: CommandCall) -> tzinfo:
    """The zone of a call: that of the variable TZ, or the device's."""
    name = call.environment.get("TZ", "")
    if not name:
        return call.device.now.tzinfo or UTC
    return read_zone(name)


def read_zone(name: str) -> tzinfo:
    """The zone of this name; UTC if there is none, as in bionic."""
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return UTC


def format_time(time: int, zone: tzinfo, form: str) -> str:
    """Return nanoseconds since 1970 in a form of strftime(3), with %N for the nanoseconds.

    Raises:
        ValueError: The form has a letter that is not carried out; the text is the letter.
    """
    second, nano = divmod(time, SECOND)
    return _format_second(second, zone, form, f"{nano:09}" if "N" in form else "")


@lru_cache(maxsize=1024)
def _format_second(second: int, zone: tzinfo, form: str, nano: str) -> str:
    # a folder has many files of one time
    moment = datetime.fromtimestamp(second, zone)

    def show(found: re.Match[str]) -> str:
        name, flag, letter = found.groups()
        if name.endswith("N"):
            return nano[: int(name[0])] if len(name) > 1 else nano
        if name == ":z":
            offset = moment.strftime("%z")
            return f"{offset[:3]}:{offset[3:]}"
        allowed = _WORDS if flag == "^" else _NUMBERS if flag in ("-", "_", "0") else ()
        if name.isdecimal() or (flag and letter not in allowed):
            raise ValueError(name)
        return _pad(_write_part(moment, second, letter or name), flag)

    return _SPECIAL.sub(show, form)


def _write_part(moment: datetime, second: int, letter: str) -> str:
    if letter in ("k", "l"):
        return f"{moment.hour if letter == 'k' else (moment.hour + 11) % 12 + 1:2}"
    simple = {"": "%", "%": "%", "n": "\n", "t": "\t", "s": str(second), "Z": name_zone(moment)}
    if letter in simple:
        return simple[letter]
    if letter == "P":
        return moment.strftime("%p").lower()
    if letter not in _STANDARD:
        raise ValueError(letter)
    return moment.strftime(_OWN.get(letter, f"%{letter}"))


def _pad(part: str, flag: str) -> str:
    if flag == "^":
        return part.upper()
    bare = part.lstrip(" 0") or "0"
    if flag in ("_", "0"):
        return bare.rjust(len(part), " " if flag == "_" else "0")
    return bare if flag == "-" else part


def name_zone(moment: datetime) -> str:
    """Letters of the zone in the output of `date`, such as EST; China's zone has none of its own here."""
    letters = moment.tzname() or "UTC"
    return "CST" if letters == "UTC+08:00" else letters


def parse_moment(call: CommandCall, text: str, *, touch: bool = False, zone: tzinfo | None = None) -> int:
    """Read a moment in a form of toybox.

    Args:
        call: The call.
        text: The text.
        zone: Zone of a text that names none; None for that of the call.
        touch: Whether digits alone begin with the year, as in `touch -t`, and do not end with it.

    Returns:
        Nanoseconds since 1970.

    Raises:
        CommandError: It is in none of the forms.
    """
    zone = find_zone(call) if zone is None else zone
    given = re.match(r'TZ="([^"]*)"\s*', text)
    if given:
        zone, text = read_zone(given.group(1)), text[given.end() :]
    unix = _UNIX.fullmatch(text)
    if unix:
        sign = -1 if unix.group(1).startswith("-") else 1
        return int(unix.group(1)) * SECOND + sign * int((unix.group(2) or "").ljust(9, "0"))
    rest, zone = _split_offset(text, zone)
    rest, nano = _split_fraction(rest, touch=touch)
    try:
        moment = _read_parts(rest, call.device.now.astimezone(zone), touch=touch)
        return round(moment.timestamp()) * SECOND + nano
    except (ValueError, OverflowError):
        raise call.error(f"bad date '{text}'") from None


def _split_offset(text: str, zone: tzinfo) -> tuple[str, tzinfo]:
    found = _OFFSET.search(text)
    # the day of a date is no offset
    if found is None or not text[: found.start()] or _ISO.fullmatch(text):
        return text, zone
    if found.group(1) is None:
        return text[:-1], UTC
    minutes = int(found.group(2)) * 60 + int(found.group(3))
    return text[: found.start()], timezone(timedelta(minutes=minutes if found.group(1) == "+" else -minutes))


def _split_fraction(text: str, *, touch: bool) -> tuple[str, int]:
    found = _FRACTION.search(text)
    before = text[: found.start()] if found else ""
    # .ss behind digits alone are seconds, not a fraction
    if found is None or (before.isdecimal() and len(found.group(1)) <= 2):
        return text, 0
    return before, int(found.group(1).ljust(9, "0"))


def _read_parts(text: str, now: datetime, *, touch: bool) -> datetime:
    iso, clock = _ISO.fullmatch(text), _CLOCK.fullmatch(text)
    if iso:
        year, month, day, hour, minute, second = (int(part or 0) for part in iso.groups())
        return datetime(year, month, day, hour, minute, second, tzinfo=now.tzinfo)
    if clock:
        hour, minute, second = (int(part or 0) for part in clock.groups())
        return now.replace(hour=hour, minute=minute, second=second, microsecond=0)
    found = (_TOUCH if touch else _POSIX).fullmatch(text)
    if found is None:
        raise ValueError(text)
    digits = found.groups()
    if touch:
        century, short, *parts, seconds = digits
    else:
        *parts, century, short, seconds = digits
    full = now.year if short is None else _complete_year(century, int(short), now.year)
    month, day, hour, minute = (int(part or 0) for part in parts)
    return datetime(full, month, day, hour, minute, int(seconds or 0), tzinfo=now.tzinfo)


def _complete_year(century: str | None, short: int, this_year: int) -> int:
    """A year of two digits is within 50 years of this one."""
    if century is not None:
        return int(century) * 100 + short
    year = this_year // 100 * 100 + short
    return year - 100 if year > this_year + 50 else year + 100 if year <= this_year - 50 else year
