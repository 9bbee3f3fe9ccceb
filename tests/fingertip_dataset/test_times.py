"""Local times of folder names in zones whose clocks are set forward and back."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fingertip_dataset.parquet.dataset_rows import read_moments
from fingertip_dataset.times import (
    BEIJING,
    find_clock_change,
    find_offset,
    format_time,
    offset_of,
    parse_time,
    read_moment,
    read_zone,
)
from tests.examples import examples
from tests.vectors import read_vectors

VECTORS = read_vectors(__file__)


ZONES = ("Asia/Shanghai", "America/New_York", "Europe/Berlin", "Australia/Lord_Howe", "Asia/Kathmandu")
MOMENTS = st.datetimes(datetime(2015, 1, 1), datetime(2037, 1, 1), timezones=st.just(UTC))


@settings(max_examples=examples(200))
@given(moment=MOMENTS, zone=st.sampled_from(ZONES))
def test_a_folder_name_reads_back_to_its_moment(moment: datetime, zone: str) -> None:
    moment, there = moment.replace(microsecond=0), read_zone(zone)
    name = format_time(moment, there)
    assert parse_time(name, timezone(find_offset(name, there, moment + timedelta(seconds=20)))) == moment
    # without a screen's moment a time that is shown twice is the first
    if find_clock_change(name, there) is None:
        assert parse_time(name, there) == moment
    assert format_time(parse_time(name, there)) == name


@settings(max_examples=examples(100))
@given(moments=st.lists(MOMENTS, min_size=2, max_size=20), zone=st.sampled_from(ZONES))
def test_moments_of_fixed_offsets_sort_by_time_not_by_clock(moments: list[datetime], zone: str) -> None:
    there = ZoneInfo(zone)
    local = [moment.astimezone(there) for moment in moments]
    fixed = [moment.replace(tzinfo=timezone(offset_of(moment))) for moment in local]
    assert [moment.astimezone(UTC) for moment in sorted(fixed)] == sorted(moments)


@pytest.mark.parametrize(("time", "near", "expected"), VECTORS["an_hour_twice_and_a_missing_hour"])
def test_an_hour_twice_and_a_missing_hour(time: str, near: str | None, expected: str) -> None:
    close = None if near is None else datetime.fromisoformat(near)
    offset = find_offset(time, read_zone("America/New_York"), close)
    assert parse_time(time, timezone(offset)).isoformat() == expected


@pytest.mark.parametrize(
    "time", ["", "2025-03-10", "20250310 081530", "20251310_081530", "2025W101_081530", "٢٠٢٥٠٣١٠_081530"]
)
def test_what_is_no_time_is_refused(time: str) -> None:
    with pytest.raises(ValueError, match=r"expected a time|month must be"):
        parse_time(time)


def test_wrong_zones_are_refused_with_near_names() -> None:
    with pytest.raises(
        ValueError, match="no time zone 'berlin': expected an IANA name such as Europe/Berlin"
    ):
        read_zone("berlin")
    for name in ("", "/etc/passwd", "../UTC", "A" * 999, "America", "EST5\0"):
        with pytest.raises(ValueError, match="expected an IANA name"):
            read_zone(name)


def test_timestamps_of_old_datasets_are_beijing_times() -> None:
    row = read_moments({"time": datetime(2025, 3, 10, 0, 15, tzinfo=UTC), "previous_intents": None})
    assert row["time"].isoformat() == "2025-03-10T08:15:00+08:00"
    # a moment that was read before stays in its zone
    local = datetime.fromisoformat("2025-03-10T08:15:00+00:00")
    assert read_moment(local) is local
    assert offset_of(datetime(2025, 3, 10, tzinfo=BEIJING)) == timedelta(hours=8)
