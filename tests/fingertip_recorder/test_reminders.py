"""Reminders: their occasions, quiet hours, and what the phone tells and takes."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingertip_dataset.errors import DeviceError, UsageError
from fingertip_dataset.times import parse_time
from fingertip_recorder.reminders import (
    DAY_MINUTES,
    TAG,
    Reminders,
    post_notification,
    read_awake,
    read_quiet_hours,
    read_reminder_rules,
)
from tests.phone_bench import Bench

NOON = parse_time("20250310_120000")


def after(minutes: float) -> datetime:
    return NOON + timedelta(minutes=minutes)


def test_the_screen_that_wakes_is_a_reason_once_in_half_an_hour() -> None:
    reminders = Reminders(read_reminder_rules(["wake"], []), NOON)
    states = [
        (40, True),
        (41, False),
        (42, None),
        (43, True),
        (44, False),
        (45, True),
        (80, False),
        (81, True),
    ]
    reasons = [reminders.find_reason(after(minutes), awake) for minutes, awake in states]
    assert [minutes for (minutes, _), reason in zip(states, reasons, strict=True) if reason] == [43, 81]
    assert set(reasons) == {"", "the screen came on"}


def test_hours_without_an_episode_are_a_reason_again_and_again() -> None:
    reminders = Reminders(read_reminder_rules(["2h", "4h"], []), NOON)
    reasons = {minutes: reminders.find_reason(after(minutes), None) for minutes in range(0, 400, 10)}
    assert {minutes: reason for minutes, reason in reasons.items() if reason} == {
        120: "no episode for 2 h",
        240: "no episode for 4 h",
        360: "no episode for 6 h",
    }
    reminders.count_episode(after(400))
    assert not reminders.find_reason(after(510), None)
    assert reminders.find_reason(after(520), None) == "no episode for 2 h"


def test_quiet_hours_put_a_reminder_off() -> None:
    reminders = Reminders(read_reminder_rules(["1h", "wake"], ["12:30-15:00", "23:00-7:30"]), NOON)
    reasons = [reminders.find_reason(after(minutes), minutes % 20 > 0) for minutes in range(0, 24 * 60, 10)]
    quiet = [at / 6 for at, reason in enumerate(reasons) if not reason]
    hours = [at / 6 for at, reason in enumerate(reasons) if reason]
    assert hours[0] == 3
    assert all(3 <= hour < 11 or hour >= 19.5 for hour in hours)
    assert {11, 12, 19} <= set(quiet)


@given(
    begin=st.integers(0, DAY_MINUTES - 1),
    length=st.integers(1, DAY_MINUTES - 1),
    at=st.integers(0, DAY_MINUTES - 1),
)
def test_a_range_holds_as_many_minutes_as_it_is_long(begin: int, length: int, at: int) -> None:
    end = (begin + length) % DAY_MINUTES
    text = f"{begin // 60:02}:{begin % 60:02}-{end // 60:02}:{end % 60:02}"
    assert read_quiet_hours([text]).contains(time(at // 60, at % 60)) == ((at - begin) % DAY_MINUTES < length)


@pytest.mark.parametrize(
    ("occasions", "quiet", "words"),
    [
        (["sleep"], [], "expected wake, or hours such as 4h, got 'sleep'"),
        (["0h"], [], "got '0h'"),
        (["wake"], ["22-8"], "expected quiet hours as HH:MM-HH:MM, such as 22:00-08:00, got '22-8'"),
        (["wake"], ["22:00-24:30"], "got '22:00-24:30'"),
        (["wake"], ["08:00-08:00"], "expected quiet hours that end at another time"),
        (["wake"], ["00:00-24:00"], "cover the whole day: no reminder would come"),
        (["wake"], ["20:00-08:00", "08:00-20:00"], "20:00-08:00, 08:00-20:00 cover the whole day"),
    ],
)
def test_wrong_rules_are_refused(occasions: list[str], quiet: list[str], words: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_reminder_rules(occasions, quiet)
    assert words in caught.value.message


def test_a_phone_tells_whether_its_screen_is_on_and_shows_the_latest_reminder(
    bench: Callable[..., Bench],
) -> None:
    rig = bench()
    client = rig.device.client
    assert read_awake(client) is True
    client.shell("input", "keyevent", "KEYCODE_SLEEP")
    assert read_awake(client) is False
    for text in ("'one' \"$HOME\"", "the latest; 2 words"):
        post_notification(client, "FingerTip", text)
    assert rig.server.do(lambda phone: phone.tasks.posted) == {TAG: ["FingerTip", "the latest; 2 words"]}


def test_a_phone_that_is_gone_takes_no_notification(bench: Callable[..., Bench]) -> None:
    rig = bench(reconnect_s=0.1)
    rig.server.__exit__(None, None, None)
    with pytest.raises(DeviceError):
        post_notification(rig.device.client, "FingerTip", "text")
    rig.server.__enter__()
