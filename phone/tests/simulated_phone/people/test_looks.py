"""Looks at the phone: the person's life alone tells those with an intent from those without."""

from __future__ import annotations

import random
from collections import Counter
from datetime import timedelta
from itertools import pairwise

import pytest

from simulated_phone.apps import APPS
from simulated_phone.people.looks import (
    APART,
    JUST_DONE,
    LEAST_BEFORE,
    MOST_BEFORE,
    QUIET_AFTER,
    QUIET_BEFORE,
    STRANGERS_FROM,
    draw_looks,
    draw_patience,
    draw_strangers,
    find_way_of_life,
)
from simulated_phone.people.person import FIRST_ID, make_person
from simulated_phone.people.routine import (
    FIRST_DAY,
    draw_routine,
    is_free_day,
    list_place_odds,
    place_at,
    plan_month,
)

WITH_GOALS = [app for app in APPS if app.goals]
COUNT = 60


@pytest.mark.parametrize("number", [0, 1, 12])
def test_each_intent_has_a_look_and_as_many_looks_are_without_one(number: int) -> None:
    person = make_person(number, 20)
    looks, planned = draw_looks(person, WITH_GOALS, COUNT), plan_month(person, WITH_GOALS, COUNT)
    assert looks == draw_looks(person, WITH_GOALS, COUNT)
    wanted = [look for look in looks if look.number is not None]
    quiet = [look for look in looks if look.number is None]
    assert [look.number for look in wanted] == list(range(COUNT))
    assert len(quiet) == COUNT
    assert {look.kind for look in wanted} == {"intent"}
    assert "intent" not in {look.kind for look in quiet}
    for look, intent in zip(wanted, planned, strict=True):
        assert LEAST_BEFORE <= (intent.moment - look.moment).seconds <= MOST_BEFORE
        assert look.place == intent.place
    assert len({look.moment for look in looks}) == len(looks)


@pytest.mark.parametrize("number", [0, 1])
def test_looks_without_an_intent_leave_time_around_the_own_intents(number: int) -> None:
    person = make_person(number, 20)
    planned = plan_month(person, WITH_GOALS, COUNT)
    quiet = [look for look in draw_looks(person, WITH_GOALS, COUNT) if look.number is None]
    for look in quiet:
        assert not any(timedelta() <= one.moment - look.moment <= QUIET_BEFORE for one in planned)
        near = [one for one in planned if timedelta() < look.moment - one.moment <= QUIET_AFTER]
        assert [one.place for one in near] == ([look.place] if look.kind == "just_done" else [])
    assert sum(look.kind == "just_done" for look in quiet) == round(JUST_DONE * COUNT)
    assert all(later.moment - look.moment >= APART for look, later in pairwise(quiet))


def test_a_false_routine_misses_the_condition_that_it_names() -> None:
    found = Counter[str]()
    for number in range(6):
        person = make_person(number, 20)
        slots = draw_routine(person, WITH_GOALS)
        planned = plan_month(person, WITH_GOALS, COUNT)
        for look in draw_looks(person, WITH_GOALS, COUNT):
            assert (look.missing is not None) == (look.kind == "false_routine")
            if look.missing is None:
                continue
            found[look.missing] += 1
            day = (look.moment.date() - FIRST_DAY).days
            today = [slot for slot in slots if slot.recurs(day)]
            if look.missing == "day":
                assert any(day % 7 not in slot.days for slot in slots)
            elif look.missing == "ended":
                assert any(slot.last_day <= day for slot in slots)
            elif look.missing == "place":
                assert any(slot.places[is_free_day(day, person)] != look.place for slot in today)
            else:
                names = {slot.goal.name for slot in today}
                earlier = [one for one in planned if one.moment.date() == look.moment.date()]
                assert any(one.goal.name in names and one.moment < look.moment for one in earlier)
    assert set(found) == {"day", "place", "done", "ended"}


def test_strangers_are_of_the_same_kind_and_in_no_sample() -> None:
    for number in range(6):
        person = make_person(number, 20, "en")
        strangers = draw_strangers(person, random.Random(1))  # noqa: S311 - lives
        for _, stranger in zip(range(5), strangers, strict=False):
            assert int(stranger.user_id) >= FIRST_ID + STRANGERS_FROM
            assert (stranger.group, stranger.locale) == (person.group, person.locale)
            assert find_way_of_life(stranger) == find_way_of_life(person)
            assert stranger.population == person.population


def test_people_differ_in_patience() -> None:
    patience = [draw_patience(make_person(number, 20)) for number in range(40)]
    assert min(patience) >= 1
    assert len(set(patience)) > 2


@pytest.mark.parametrize(
    ("minute", "weekend"), [(400, False), (480, False), (735, False), (735, True), (1140, False), (900, True)]
)
@pytest.mark.parametrize("number", [0, 1, 3])
def test_the_odds_of_places_are_the_shares_of_drawn_ones(number: int, minute: int, *, weekend: bool) -> None:
    person, rng = make_person(number, 20), random.Random(7)  # noqa: S311 - lives
    drawn = Counter(place_at(person, minute, weekend=weekend, rng=rng) for _ in range(2000))
    odds = list_place_odds(person, minute, weekend=weekend)
    assert sum(odds.values()) == pytest.approx(1)
    assert set(drawn) <= set(odds)
    for place, share in odds.items():
        assert drawn[place] / 2000 == pytest.approx(share, abs=0.045)
