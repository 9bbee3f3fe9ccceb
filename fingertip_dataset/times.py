"""Moments: folder names are local times in the release's time zone; run logs are in Beijing time.

The published release is in Beijing time. Another one states its zone in `release.toml`. A moment in a row or
an `Intent` has the fixed offset that was in force there, so that moments of one release compare correctly
when its offset changes: Python compares two moments of one `ZoneInfo` by their clocks alone.
"""

from __future__ import annotations

from datetime import datetime, timedelta, timezone, tzinfo
from typing import Literal

BEIJING_OFFSET = timedelta(hours=8)

BEIJING = timezone(BEIJING_OFFSET)
"""Zone of the published release, and of the moments in run logs."""

BEIJING_ZONE = "Asia/Shanghai"
"""Name of that zone in the IANA database."""

TIME_FORMAT = "%Y%m%d_%H%M%S"
"""Folder names of the release, as `datetime.strptime` reads them."""

_FIRST_PHONE = 2008
"""Year of the first phone with Android."""

NEAR = timedelta(hours=1)

ClockChange = Literal["ambiguous", "missing"]
"""A local time that the clocks show twice, or that they skip."""


def read_zone(name: str) -> tzinfo:
    """Return the time zone of an IANA name.

    Raises:
        ValueError: There is no such zone; the message names near ones.

    >>> read_zone("Asia/Shanghai") is BEIJING
    True
    """
    from zoneinfo import ZoneInfo

    # without changes of the clock since 1991, and earlier episodes are not known
    if name == BEIJING_ZONE:
        return BEIJING
    try:
        return ZoneInfo(name)
    except (ValueError, OSError, LookupError):
        raise ValueError(f"there is no time zone {name[:60]!r}: {_name_near_zones(name)}") from None


def _name_near_zones(name: str) -> str:
    from difflib import get_close_matches
    from zoneinfo import available_timezones

    zones = sorted(zone for zone in available_timezones() if "/" in zone and not zone.startswith("Etc/"))
    city = name.rpartition("/")[2].replace(" ", "_").lower()
    near = [zone for zone in zones if zone.rpartition("/")[2].lower() == city]
    near = (
        near or get_close_matches(name, zones, n=3) or ["Asia/Shanghai", "Europe/Berlin", "America/New_York"]
    )
    return f"expected an IANA name such as {', '.join(near[:3])}"


def parse_time(time: str, zone: tzinfo = BEIJING) -> datetime:
    """The moment that a folder name tells, with its fixed offset.

    Of a time that the clocks show twice the first is returned; one that they skip is read with the offset
    before the change. `find_offset` does better where the moment is known roughly.

    Args:
        time: YYYYMMDD_HHMMSS, local time.
        zone: Zone of the release.

    Raises:
        ValueError: `time` is not YYYYMMDD_HHMMSS.

    >>> parse_time("20250310_081530").isoformat()
    '2025-03-10T08:15:30+08:00'
    >>> parse_time("20250310_081530", read_zone("America/New_York")).isoformat()
    '2025-03-10T08:15:30-04:00'
    """
    clock = _read_clock(time)
    return clock.replace(tzinfo=zone if isinstance(zone, timezone) else timezone(_offset(clock, zone)))


def find_offset(time: str, zone: tzinfo, near: datetime | None = None) -> timedelta:
    """The offset from UTC in force at a local time.

    Args:
        time: YYYYMMDD_HHMMSS, local time.
        zone: Zone of the release.
        near: A moment shortly after it, which decides where the clocks show the time twice; one that is more
            than an hour away decides nothing.

    Raises:
        ValueError: `time` is not YYYYMMDD_HHMMSS.

    >>> from datetime import UTC
    >>> zone = read_zone("America/New_York")
    >>> print(find_offset("20251102_013000", zone))
    -1 day, 20:00:00
    >>> print(find_offset("20251102_013000", zone, datetime(2025, 11, 2, 6, 30, 4, tzinfo=UTC)))
    -1 day, 19:00:00
    """
    clock = _read_clock(time)
    first = _offset(clock, zone)
    if near is None or find_clock_change(time, zone) != "ambiguous":
        return first
    second = _offset(clock.replace(fold=1), zone)
    away, later_away = (abs(clock.replace(tzinfo=timezone(offset)) - near) for offset in (first, second))
    return second if later_away < away and later_away <= NEAR else first


def find_clock_change(time: str, zone: tzinfo) -> ClockChange | None:
    """Whether the clocks show a local time twice ("ambiguous") or skip it ("missing").

    >>> zone = read_zone("Europe/Berlin")
    >>> [find_clock_change(time, zone) for time in ("20250330_023000", "20251026_023000", "20250601_120000")]
    ['missing', 'ambiguous', None]
    """
    if isinstance(zone, timezone):
        return None
    clock = _read_clock(time)
    first, second = (clock.replace(tzinfo=zone, fold=fold).utcoffset() for fold in (0, 1))
    if first is None or second is None or first == second:
        return None
    return "ambiguous" if first > second else "missing"


def is_impossible_time(time: str) -> bool:
    """Whether a folder name tells a year in which no recording can be made: before Android, or to come.

    >>> [is_impossible_time(time) for time in ("19700101_000000", "20250310_081530", "20990101_000000")]
    [True, False, True]
    """
    # a year to spare: a phone's clock may be wrong by a little, and the zone is not known here
    return not _FIRST_PHONE <= int(time[:4]) <= now().year + 1


def format_time(moment: datetime, zone: tzinfo | None = None) -> str:
    """The moment as a folder name of the release: the inverse of `parse_time`.

    Args:
        moment: The moment, with a zone.
        zone: Zone of the release; None for the moment's own.

    >>> format_time(parse_time("20250310_081530"))
    '20250310_081530'
    >>> format_time(parse_time("20250310_081530"), read_zone("Europe/Berlin"))
    '20250310_011530'
    """
    return (moment if zone is None else moment.astimezone(zone)).strftime(TIME_FORMAT)


def from_milliseconds(epoch_ms: int) -> datetime:
    """The moment of so many milliseconds since 1970, in Beijing time, as names of screens have them."""
    return datetime.fromtimestamp(epoch_ms / 1000, BEIJING)


def now() -> datetime:
    """The present moment, in Beijing time."""
    return datetime.now(BEIJING)


def now_text(timespec: str = "seconds") -> str:
    """The present moment in Beijing time, ISO 8601, to seconds or "milliseconds"."""
    return now().isoformat(timespec=timespec)


def read_moment(cell: str | datetime) -> datetime:
    """The moment in a cell of the column `time`, as the clocks showed it.

    Args:
        cell: ISO 8601, or a moment as `BuiltDataset.rows` and rows of schema version 1 have it.

    Raises:
        ValueError: The text is not ISO 8601.

    >>> read_moment("2025-03-10T08:15:30+08:00").hour
    8
    """
    return datetime.fromisoformat(cell) if isinstance(cell, str) else cell


def offset_of(moment: datetime) -> timedelta:
    """The offset of a moment from UTC; 0 for a moment without a zone.

    >>> offset_of(parse_time("20250310_081530")) == BEIJING_OFFSET
    True
    """
    return moment.utcoffset() or timedelta()


def _read_clock(time: str) -> datetime:
    """Read a folder name without a zone; `strptime` takes ten times as long."""
    if len(time) != 15 or time[8] != "_" or not (time.isascii() and (time[:8] + time[9:]).isdecimal()):
        raise ValueError(f"expected a time YYYYMMDD_HHMMSS, got {time!r}")
    return datetime.fromisoformat(f"{time[:8]}T{time[9:]}")


def _offset(clock: datetime, zone: tzinfo) -> timedelta:
    return clock.replace(tzinfo=zone).utcoffset() or timedelta()
