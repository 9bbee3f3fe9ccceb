"""The table of habits: groups of wordings, rows, refusals, and which intents fit a moment."""

from __future__ import annotations

import time

import pytest

from fingertip_agents.memory.habit_table import HabitTable
from fingertip_agents.memory.memory import NO_LIMIT, Recollection
from fingertip_dataset.episodes import UserProfile
from fingertip_dataset.tasks.task import ExecutionInput
from tests.fingertip_agents.memory.lives import draw_life, make_event, make_task

DAY = 24 * 60


def remember(*events: tuple[int, str, str], place: str = "residence") -> HabitTable:
    """A memory of events: minute after the start of a Monday, text, kind."""
    memory = HabitTable()
    for minute, text, kind in sorted(events):
        memory.observe(make_event(minute, text, kind=kind, place=place))
    return memory


def recall(memory: HabitTable, minute: int) -> Recollection:
    return memory.recall(make_task(minute, language="en", place="residence"), NO_LIMIT)


MORNINGS = tuple((day * DAY + 8 * 60 + 5 * day, f"Play jazz{'!' * day}", "episode") for day in range(5))
EVENINGS = tuple((day * DAY + 20 * 60, "Set a 7 am alarm, please", "episode") for day in (1, 3, 5, 6))


def test_wordings_of_a_habit_are_one_row_with_its_usual_time_days_and_count() -> None:
    memory = remember(*MORNINGS, *EVENINGS, (4 * DAY, "Look at the photos", "episode"))
    rows = recall(memory, 7 * DAY + 8 * 60).text.splitlines()
    assert rows == [
        'about 08:10, weekdays, residence: "Play jazz!!!!", 5 times, last on 03-07',
        'about 20:00, any day, residence: "Set a 7 am alarm, please", 4 times, last on 03-09',
    ]


def test_a_row_in_chinese() -> None:
    memory = HabitTable()
    for week in range(3):
        memory.observe(make_event(week * 7 * DAY + 23 * 60 + 50, "给妈妈回个电话"))
    row = memory.recall(make_task(30 * DAY), NO_LIMIT).text
    assert row == "约23:50，星期一，住所：“给妈妈回个电话”，3次，最近03-17"


def test_the_usual_time_of_a_habit_around_midnight_is_midnight() -> None:
    memory = remember(
        (23 * 60 + 30, "Check the door", "episode"), (2 * DAY + 30, "Check the door", "episode")
    )
    assert recall(memory, 3 * DAY).text.startswith("about 00:00, ")


def test_intents_that_fit_the_moment_come_word_for_word_and_in_order() -> None:
    memory = remember(*MORNINGS, *EVENINGS)
    morning, evening = (recall(memory, 7 * DAY + hour * 60).intents for hour in (8, 20))
    assert len(morning) == len(evening) == 9
    many = remember(*MORNINGS, *((number * DAY + 20 * 60, "Set an alarm", "episode") for number in range(30)))
    chosen = [intent.text for intent in recall(many, 30 * DAY + 20 * 60).intents]
    assert chosen == ["Set an alarm"] * 12


def test_refusals_outweigh_intents_of_the_same_hour_and_never_ends_a_habit_until_it_is_done_again() -> None:
    memory = remember(*MORNINGS, *EVENINGS)
    for day in (7, 8, 9, 10, 11, 12):
        memory.observe(make_event(day * DAY + 8 * 60, "Play jazz", kind="not_now", place="residence"))
    late = recall(memory, 13 * DAY + 8 * 60)
    assert {intent.text for intent in late.intents} == {"Set a 7 am alarm, please"}
    assert "refused 6 times when offered, last on 03-15 08:00" in late.text
    memory.observe(make_event(14 * DAY, "Set a 7 am alarm", kind="never", place="residence"))
    never = recall(memory, 14 * DAY + 20 * 60)
    assert 'never wants: "Set a 7 am alarm"' in never.text.splitlines()
    assert "alarm" not in {word for intent in never.intents for word in intent.text.split()}
    memory.observe(make_event(15 * DAY, "Set a 7 am alarm", place="residence"))
    assert "never wants" not in recall(memory, 16 * DAY).text


def test_on_track_2_what_is_like_the_request_comes_first() -> None:
    memory = remember(*MORNINGS, *EVENINGS)
    task = ExecutionInput(
        task_id="7__x", profile=UserProfile(), intent="Set a 7 am alarm", app="", time=None, scenario="",
        reference=None, language="en",
    )  # fmt: skip
    assert '"Set a 7 am alarm, please"' in memory.recall(task, NO_LIMIT).text.splitlines()[0]


def test_recalling_is_at_most_linear_in_what_is_remembered() -> None:
    """Ten times the events take less than thirty times as long; counted on the CPU of this process."""

    def measure(count: int) -> float:
        memory = HabitTable()
        for event in draw_life(count):
            memory.observe(event)
        memory.recall(make_task(60 * count), 2000)
        begun = time.process_time()
        for _ in range(3):
            memory.recall(make_task(60 * count), 2000)
        return time.process_time() - begun

    assert measure(2000) < 30 * max(measure(200), 0.0005)


@pytest.mark.parametrize("budget", [0, 1, 50, 300])
def test_a_small_budget_cuts_rows_and_intents(budget: int) -> None:
    memory = remember(*MORNINGS, *EVENINGS)
    found = memory.recall(make_task(7 * DAY, language="en"), budget)
    assert found.size <= budget
    assert Recollection(intents=found.intents).size <= budget // 2
