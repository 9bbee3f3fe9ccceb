"""The odds of looks are those of drawn months: calibrated, and no other rule decides better."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest

from simulated_phone.apps import list_apps
from simulated_phone.people.look_odds import LookOdds, estimate_odds
from simulated_phone.people.looks import PhoneLook, draw_looks
from simulated_phone.people.person import Person, make_person
from simulated_phone.people.routine import draw_routine, find_usual_minute
from simulated_phone.people.routine_slot import RoutineSlot

COUNT = 60
PEOPLE = pytest.mark.parametrize("people", [3, pytest.param(60, marks=pytest.mark.soak)])


@cache
def draw_months(people: int) -> list[tuple[Person, PhoneLook, LookOdds]]:
    found: list[tuple[Person, PhoneLook, LookOdds]] = []
    for number in range(people):
        locale = ("zh", "en")[number // 2 % 2]
        person, apps = make_person(number, 20, locale), [app for app in list_apps(locale) if app.goals]
        looks = draw_looks(person, apps, COUNT)
        odds = estimate_odds(person, apps, COUNT, looks)
        found += [(person, look, one) for look, one in zip(looks, odds, strict=True)]
    return found


@cache
def find_routine(person: Person) -> tuple[RoutineSlot, ...]:
    return draw_routine(person, [app for app in list_apps(person.locale) if app.goals])


@PEOPLE
def test_the_share_of_intents_is_the_probability_at_every_level(people: int) -> None:
    wanted = np.array([look.number is not None for _, look, _ in draw_months(people)])
    odds = np.array([one.wanted for _, _, one in draw_months(people)])
    for low in np.arange(0, 1, 0.2):
        chosen = (odds >= low) & (odds < low + 0.2)
        # four standard errors: five levels of a few hundred looks each
        error = 4 * math.sqrt(odds[chosen].mean() * (1 - odds[chosen].mean()) / chosen.sum())
        assert abs(wanted[chosen].mean() - odds[chosen].mean()) < error, low


@PEOPLE
def test_no_other_rule_decides_better(people: int) -> None:
    months = draw_months(people)
    wanted = np.array([look.number is not None for _, look, _ in months])
    best = np.array([one.wanted > 0.5 for _, _, one in months])
    right = float((best == wanted).mean())
    near = []
    for person, look, _ in months:
        minute, day = 60 * look.moment.hour + look.moment.minute, look.moment.day - 3
        slots = [slot for slot in find_routine(person) if slot.recurs(day)]
        near.append(min((abs(find_usual_minute(slot, day, person) - minute) for slot in slots), default=1440))
    rules = [np.array(near) < minutes for minutes in (10, 15, 20, 25, 30, 45, 60)]
    rules += [np.array([one.wanted > level for _, _, one in months]) for level in (0.3, 0.7)]
    rules += [np.ones(len(wanted), dtype=bool)]
    error = 2 * math.sqrt(right * (1 - right) / len(wanted))
    assert max(float((rule == wanted).mean()) for rule in rules) < right + error
    assert float((rules[3] == wanted).mean()) < right
    assert right > 0.78


@PEOPLE
def test_a_calibrated_ceiling_is_as_good_as_it_says(people: int) -> None:
    odds = np.array([one.wanted for _, _, one in draw_months(people)])
    wanted = np.array([look.number is not None for _, look, _ in draw_months(people)])
    expected = np.maximum(odds, 1 - odds).mean()
    error = 4 * math.sqrt(expected * (1 - expected) / len(odds))
    assert abs(((odds > 0.5) == wanted).mean() - expected) < error


@PEOPLE
def test_what_was_done_just_now_is_not_wanted_again(people: int) -> None:
    months = draw_months(people)
    done = [one.wanted for _, look, one in months if look.kind == "just_done"]
    others = [one.wanted for _, look, one in months if look.kind == "intent"]
    assert np.mean(done) < 0.15
    assert np.mean(others) > 0.6
    assert all(0 <= one.right <= 1 for _, _, one in months)
