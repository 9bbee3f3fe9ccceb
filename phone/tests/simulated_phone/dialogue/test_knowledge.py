from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulated_phone.apps import list_apps
from simulated_phone.dialogue.knowledge import (
    complete_case,
    find_favourite,
    find_sources,
    needs_asking,
    take_favourites,
)
from simulated_phone.dialogue.slots import is_ambiguous, list_slots
from simulated_phone.goals.app_definition import App, Arguments, Goal, GoalInstance

SEED = 7
APPS = {app.english: app for app in list_apps("en")}
FOOD, WEATHER = APPS["Food"], APPS["Weather"]
DISH, CITY = FOOD.goal("order_dish"), WEATHER.goal("see_city")
PROFILE = ("Springfield", "teacher")


def aims(app: App, goal: Goal, cases: Sequence[Arguments]) -> list[GoalInstance]:
    return [GoalInstance(package=app.package, goal=goal.name, arguments=case) for case in cases]


@pytest.mark.parametrize("locale", ["zh", "en"])
def test_slots_tell_the_sets_of_arguments_of_every_goal_apart(locale: str) -> None:
    for app in list_apps(locale):
        for goal in app.goals:
            cases, slots = goal.cases(SEED), list_slots(goal, SEED)
            values = {tuple(slot.value(case) for slot in slots) for case in cases}
            assert len(values) == len({tuple(case.items()) for case in cases}), (app.english, goal.name)
            assert not is_ambiguous(goal, cases[-1], SEED)


def test_the_parts_of_a_date_and_of_a_time_are_one_slot() -> None:
    event = APPS["Calendar"].goal("add_event")
    slots = {slot.name: set(slot.arguments) for slot in list_slots(event, SEED)}
    assert slots["day"] == {"day", "date", "month", "number"}
    assert slots.keys() == {"day", "hour", "title"}
    assert [slot.name for slot in list_slots(DISH, SEED)] == ["dish", "shop"]


def test_two_sets_of_arguments_with_the_same_slots_are_ambiguous() -> None:
    cases = DISH.cases(SEED)
    twice = replace(DISH, cases=lambda seed: [*cases, {**cases[0], "kind": "another"}])
    assert is_ambiguous(twice, cases[0], SEED)
    assert not is_ambiguous(twice, cases[1], SEED)


def test_history_knows_the_clear_favourite_only_where_the_task_wants_it() -> None:
    first, second = DISH.cases(SEED)[0], DISH.cases(SEED)[1]
    earlier = aims(FOOD, DISH, [first, first, second])
    (usual,) = aims(FOOD, DISH, [first])
    (other,) = aims(FOOD, DISH, [second])
    assert find_sources(DISH, usual, earlier, PROFILE, SEED) == {"dish": "history", "shop": "history"}
    sources = find_sources(DISH, other, earlier, PROFILE, SEED)
    assert sources["dish"] == "ask"
    assert needs_asking(sources)
    # one is no habit, and half is no majority
    assert needs_asking(find_sources(DISH, usual, earlier[:1], PROFILE, SEED))
    assert needs_asking(find_sources(DISH, usual, [*earlier, *aims(FOOD, DISH, [second])], PROFILE, SEED))


def test_the_profile_knows_where_the_person_lives() -> None:
    case = next(case for case in CITY.cases(SEED) if case["city"] == CITY.cases(SEED)[0]["city"])
    (aim,) = aims(WEATHER, CITY, [case])
    assert find_sources(CITY, aim, [], (f"{case['city']}, somewhere",), SEED) == {"city": "profile"}
    assert find_sources(CITY, aim, [], ("elsewhere",), SEED) == {"city": "ask"}


@given(st.lists(st.integers(0, 3), max_size=12), st.integers(0, 3), st.randoms())
def test_sources_are_as_the_definition_says(past: list[int], wanted: int, rng: random.Random) -> None:
    cases = DISH.cases(SEED)
    earlier = aims(FOOD, DISH, [cases[at] for at in past])
    noise = aims(WEATHER, CITY, rng.sample([*CITY.cases(SEED)], 3))
    mixed = [*earlier, *noise]
    rng.shuffle(mixed)
    (aim,) = aims(FOOD, DISH, [cases[wanted]])
    found = find_sources(DISH, aim, mixed, PROFILE, SEED)
    for slot in list_slots(DISH, SEED):
        values = [slot.value(cases[at]) for at in past]
        count = values.count(slot.value(cases[wanted]))
        known = count >= 2 and 2 * count > len(values)
        assert (found[slot.name] == "history") == known
        favourite = find_favourite(DISH, slot, FOOD.package, mixed)
        assert favourite is None or 2 * values.count(favourite) > len(values)
    known_slots = take_favourites(DISH, FOOD.package, mixed, SEED)
    case = complete_case(DISH, known_slots, SEED)
    if case is not None:
        slots = {slot.name: slot.value(case) for slot in list_slots(DISH, SEED)}
        assert {name: slots[name] for name in known_slots} == known_slots
