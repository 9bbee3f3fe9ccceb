"""The limit of episodes that a person records a day, counted from what lies in the release."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, time, timedelta, tzinfo
from pathlib import Path

from fingertip_dataset.times import parse_time


def count_today(raw: Path, user_id: str, now: datetime, zone: tzinfo) -> int:
    """Count the episodes that a person has recorded on the present day.

    Args:
        raw: Folder of the release; it may be missing.
        user_id: Id of the person.
        now: The present moment in the time zone of the person's phone, whose date is the day.
        zone: Time zone of the release, in which folders are named.

    >>> import tempfile
    >>> from fingertip_dataset.times import BEIJING
    >>> raw = Path(tempfile.mkdtemp())
    >>> for name in ("20250309_235959", "20250310_000000", "20250310_081530"):
    ...     (raw / "7" / name).mkdir(parents=True)
    >>> count_today(raw, "7", parse_time("20250310_090000"), BEIJING)
    2
    """
    return sum(
        moment.astimezone(now.tzinfo).date() == now.date() for moment in list_moments(raw, user_id, zone)
    )


def list_moments(raw: Path, user_id: str, zone: tzinfo) -> Iterator[datetime]:
    """Yield the moments of a person's episodes in a release, in no order."""
    folder = raw / user_id
    for episode in folder.iterdir() if folder.is_dir() else ():
        try:
            moment = parse_time(episode.name, zone)
        except ValueError:
            continue
        if episode.is_dir():
            yield moment


def find_next_day(now: datetime) -> datetime:
    """The beginning of the next day, in the zone of a moment.

    >>> find_next_day(parse_time("20250310_233000")).isoformat()
    '2025-03-11T00:00:00+08:00'
    """
    return datetime.combine(now.date() + timedelta(days=1), time(), now.tzinfo)


def describe_reached(user_id: str, most: int, now: datetime) -> str:
    """Line for a person who has recorded the most of a day.

    >>> print(describe_reached("7", 12, parse_time("20250310_223000")))
    user 7 has the most episodes of a day, 12 on 2025-03-10 by the phone: the next from 00:00, in 1 h 30 min
    """
    left = -(-(find_next_day(now) - now) // timedelta(minutes=1))
    return (
        f"user {user_id} has the most episodes of a day, {most} on {now:%Y-%m-%d} by the phone: the next "
        f"from 00:00, in {left // 60} h {left % 60} min"
    )
