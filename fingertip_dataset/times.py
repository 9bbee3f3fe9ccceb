"""Moments: everything is Beijing time, as in the release's folder names."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

BEIJING = timezone(timedelta(hours=8))
"""Zone of the release's folder names, of prompts, and of the moments in run logs."""

TIME_FORMAT = "%Y%m%d_%H%M%S"
"""Folder names of the release, as `datetime.strptime` reads them."""


def parse_time(time: str) -> datetime:
    """The moment that a folder name tells, in Beijing time.

    Raises:
        ValueError: `time` is not YYYYMMDD_HHMMSS.

    >>> parse_time("20250310_081530").isoformat()
    '2025-03-10T08:15:30+08:00'
    """
    return datetime.strptime(time, TIME_FORMAT).replace(tzinfo=BEIJING)


def format_time(moment: datetime) -> str:
    """The moment as a folder name of the release: the inverse of `parse_time`.

    >>> format_time(parse_time("20250310_081530"))
    '20250310_081530'
    """
    return moment.astimezone(BEIJING).strftime(TIME_FORMAT)


def in_beijing(moment: datetime) -> datetime:
    """The same moment in Beijing time."""
    return moment.astimezone(BEIJING)


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
    """The moment in a cell of the column `time`: ISO 8601, or a timestamp in a dataset of schema version 1.

    Raises:
        ValueError: The text is not ISO 8601.

    >>> read_moment("2025-03-10T08:15:30+08:00").hour
    8
    """
    return datetime.fromisoformat(cell) if isinstance(cell, str) else cell
