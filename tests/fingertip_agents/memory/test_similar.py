"""Similar people: whose intents fill a short history, and that they are of the training part and earlier."""

from __future__ import annotations

from fingertip_agents.memory.keeper import MemoryKeeper
from fingertip_agents.memory.memory_setup import MemorySetup, OtherPerson
from fingertip_agents.suggestion.baselines import HabitBaseline
from fingertip_dataset.episodes import UserProfile
from fingertip_dataset.tasks.task import SuggestionInput
from tests.fingertip_agents.memory.lives import START, make_event, make_task

DAY = 24 * 60


def person(
    number: str, age: int, *minutes: int, text: str = "Play jazz", language: str = "zh"
) -> OtherPerson:
    """Another person who wanted the same at these minutes."""
    return OtherPerson(
        user_id=number,
        profile=UserProfile(sex="女", age=age),
        language=language,
        intents=tuple(make_event(minute, f"{text} {number}", user=number).intent for minute in minutes),
    )


def recall(people: tuple[OtherPerson, ...], minute: int, own: int = 0) -> SuggestionInput:
    keeper = MemoryKeeper("similar", MemorySetup(read_people=lambda: people))
    for number in range(own):
        keeper.observe(make_event(number, f"Order lunch {number}"))
    task = make_task(minute)
    return keeper.recall("7", task.time or START, task)


def test_the_most_similar_people_by_profile_fill_what_is_missing() -> None:
    near = tuple(person(str(10 + one), 30, *range(one, 400, 60)) for one in range(5))
    far = person("20", 70, *range(0, 400, 60))
    shown = recall((*near, far), 3 * DAY)
    assert len(shown.similar_intents) == 20
    assert {intent.user_id for intent in shown.similar_intents} == {"10", "11", "12", "13", "14"}
    assert [intent.moment for intent in shown.similar_intents] == sorted(
        intent.moment for intent in shown.similar_intents
    )


def test_they_give_way_to_the_persons_own_intents() -> None:
    others = (person("10", 30, *range(0, 3000, 60)),)
    for own in (0, 1, 5, 20, 30):
        shown = recall(others, 5 * DAY, own)
        assert len(shown.previous_intents) == min(own, 20)
        assert len(shown.similar_intents) == 20 - min(own, 20)


def test_the_person_themselves_other_languages_and_later_intents_are_left_out() -> None:
    people = (person("7", 30, 1), person("8", 30, 1, language="en"), person("9", 30, 1, 2 * DAY, 5 * DAY))
    assert [intent.user_id for intent in recall(people, 3 * DAY).similar_intents] == ["9", "9"]
    assert recall(people, 0).similar_intents == ()


def test_intents_of_such_an_hour_come_before_others() -> None:
    others = (person("10", 30, *(day * DAY + 8 * 60 for day in range(30)), text="Morning"),)
    others += (person("11", 30, *(day * DAY + 20 * 60 for day in range(30)), text="Evening"),)
    assert {one.text for one in recall(others, 35 * DAY + 8 * 60).similar_intents} == {"Morning 10"}


def test_the_agent_habit_takes_them_where_the_person_has_none_and_prefers_the_persons_own() -> None:
    others = (person("10", 30, *(day * DAY + 8 * 60 for day in range(4))),)
    assert HabitBaseline().suggest(recall(others, 8 * DAY + 8 * 60)).text == "Play jazz 10"
    keeper = MemoryKeeper("similar", MemorySetup(read_people=lambda: others))
    for day in range(4, 6):
        keeper.observe(make_event(day * DAY + 8 * 60, "Order lunch"))
    task = make_task(8 * DAY + 8 * 60)
    shown = keeper.recall("7", task.time or START, task)
    assert HabitBaseline().suggest(shown).text == "Order lunch"
