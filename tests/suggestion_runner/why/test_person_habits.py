"""When a habit has ended, and to which times and places it belongs: tables of intents."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from fingertip_metrics.judges.read_back import WordedGoal
from suggestion_runner.why.person_habits import Habit, PastIntent, PersonBefore

NOW = datetime(2025, 3, 26, 8, 30)
"""A Wednesday morning."""
SATURDAY = NOW + timedelta(days=3)


def past(day: int, time: str, place: str = "住所", goal: str = "play") -> PastIntent:
    """Something done on a day of March 2025, of which the 3rd is a Monday."""
    moment = datetime.fromisoformat(f"2025-03-{day:02}T{time}")
    return PastIntent(goal=WordedGoal.of("com.music", goal, {}), moment=moment, place=place)


def habit(
    *intents: PastIntent, moment: datetime = NOW, place: str = "住所", until: datetime | None = None
) -> Habit:
    return Habit(past=intents, moment=moment, place=place, until=until or moment)


def test_a_habit_is_what_was_done_twice() -> None:
    assert not habit().is_habit
    assert not habit(past(20, "08:00")).is_habit
    assert habit(past(20, "08:00"), past(21, "08:00")).is_habit


@pytest.mark.parametrize(
    ("days", "until", "stale"),
    [
        ([10, 12, 14], 26, True),
        ([10, 12, 14, 24], 26, False),
        ([10, 12, 14], 20, False),  # six days: not long enough
        ([4, 9, 14], 26, False),  # twelve days, and five were usual
        ([4, 9, 14], 29, True),  # fifteen days
        ([14], 29, False),  # done once, so no habit
        ([5, 5], 13, True),  # twice on one day, and not for eight
    ],
)
def test_a_habit_has_ended_after_a_week_and_three_times_the_usual_days(
    days: list[int], until: int, stale: bool
) -> None:
    last = datetime(2025, 3, until, 8, 30)
    assert habit(*(past(day, "08:30") for day in days), until=last).is_stale is stale


@pytest.mark.parametrize(
    ("times", "another"),
    [
        (["07:00", "10:00"], False),  # an hour and a half, to the minute
        (["06:59", "10:01"], True),
        (["20:00", "08:00"], False),
    ],
)
def test_a_time_of_day_is_near_within_an_hour_and_a_half(times: list[str], another: bool) -> None:
    assert habit(*(past(24, time) for time in times)).is_of_another_hour is another


def test_hours_are_near_around_midnight() -> None:
    late = NOW.replace(hour=23, minute=30)
    assert not habit(past(24, "00:45"), past(25, "00:50"), moment=late).is_of_another_hour


@pytest.mark.parametrize(
    ("days", "moment", "other"),
    [
        ([8, 9], NOW, True),  # a weekend, twice
        ([8], NOW, False),
        ([8, 10], NOW, False),
        ([10, 11], SATURDAY, False),
        ([10, 11, 12], SATURDAY, True),
        ([10, 11, 12, 15], SATURDAY, False),
        ([10, 11, 12], NOW, False),
    ],
)
def test_a_habit_is_of_other_days_only_where_there_are_enough(
    days: list[int], moment: datetime, other: bool
) -> None:
    assert habit(*(past(day, "08:30") for day in days), moment=moment).is_of_other_days is other


@pytest.mark.parametrize(
    ("intents", "place", "another"),
    [
        ([past(24, "08:00", "学校"), past(25, "08:10", "学校")], "住所", True),
        ([past(24, "08:00", "学校"), past(25, "08:10", "住所")], "住所", False),
        # at such a time never here, at another it was
        (
            [
                past(24, "08:00", "学校"),
                past(25, "08:10", "学校"),
                past(25, "20:00", "住所"),
            ],
            "住所",
            True,
        ),
        # once at such a time is not enough: all count
        ([past(24, "08:00", "学校"), past(25, "20:00", "住所")], "住所", False),
        ([past(24, "08:00", "学校"), past(25, "20:00", "学校")], "住所", True),
        ([past(24, "08:00", "学校"), past(25, "08:10", "学校")], "", False),
        ([past(24, "08:00", " 住所 "), past(25, "08:10", "学校")], "住所", False),
    ],
)
def test_a_habit_is_of_another_place_where_it_never_was_here(
    intents: list[PastIntent], place: str, another: bool
) -> None:
    assert habit(*intents, place=place).is_of_another_place is another


def test_a_persons_habit_is_of_the_named_goals_until_the_latest_intent() -> None:
    intents = (
        past(3, "08:00"),
        past(4, "08:00", goal="search"),
        past(5, "08:00"),
        past(9, "08:00", goal="x"),
    )
    person = PersonBefore(past=intents, shown=(), moment=NOW, place="住所")
    found = person.habit({("com.music", "play")})
    assert [one.moment.day for one in found.past] == [3, 5]
    assert found.until.day == 9
    assert PersonBefore(past=(), shown=(), moment=NOW, place="").habit({("a", "b")}).until == NOW
