"""The limit of episodes a day: counted by the phone's date from the folders of the release."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from fingertip_dataset.times import BEIJING, format_time, parse_time, read_zone
from fingertip_recorder.day_limit import count_today, describe_reached, find_next_day, list_moments


def add_episodes(raw: Path, user: str, *names: str) -> None:
    for name in names:
        (raw / user / name).mkdir(parents=True)


def test_a_person_on_a_journey_has_the_days_of_their_phone(tmp_path: Path) -> None:
    add_episodes(tmp_path, "7", "20250310_003000", "20250310_120000", "20250310_233000")
    for zone, counts in ((BEIJING, (0, 3)), (read_zone("Europe/Berlin"), (1, 2))):
        days = (datetime(2025, 3, 9, 22, tzinfo=zone), datetime(2025, 3, 10, 22, tzinfo=zone))
        assert tuple(count_today(tmp_path, "7", day, BEIJING) for day in days) == counts


def test_only_the_persons_own_whole_episodes_count(tmp_path: Path) -> None:
    add_episodes(tmp_path, "7", "20250310_120000", ".recording-x", "notes")
    add_episodes(tmp_path, "8", "20250310_130000")
    (tmp_path / "7" / "20250310_140000").write_text("a file")
    now = parse_time("20250310_150000")
    assert count_today(tmp_path, "7", now, BEIJING) == 1
    assert list(list_moments(tmp_path, "9", BEIJING)) == []
    assert count_today(tmp_path / "missing", "7", now, BEIJING) == 0


def test_the_next_day_begins_at_midnight_where_the_clocks_change() -> None:
    now = datetime(2025, 3, 29, 23, 59, 30, tzinfo=read_zone("Europe/Berlin"))
    assert find_next_day(now).isoformat() == "2025-03-30T00:00:00+01:00"
    assert describe_reached("7", 3, now) == (
        "user 7 has the most episodes of a day, 3 on 2025-03-29 by the phone: "
        "the next from 00:00, in 0 h 1 min"
    )


@given(st.datetimes(datetime(2024, 1, 1), datetime(2026, 1, 1)), st.integers(0, 10**5))
def test_the_next_day_is_the_first_moment_of_another_date(clock: datetime, seconds: int) -> None:
    now = clock.replace(tzinfo=BEIJING)
    begin = find_next_day(now)
    assert begin - timedelta(microseconds=1) >= now
    assert (begin - timedelta(microseconds=1)).date() == now.date()
    assert begin.date() != now.date()
    assert parse_time(format_time(begin)) == begin
