"""A person's routine: which goals recur at which hour and place; weekdays differ from weekends."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta, tzinfo

from simulated_phone.goals.app_definition import App, Arguments, Goal
from simulated_phone.language.zones import find_zone
from simulated_phone.people.cultures import Span, find_culture
from simulated_phone.people.drift import drift
from simulated_phone.people.person import OLDER, RETIRED_WORD, STUDENT, TEACHER, Person
from simulated_phone.people.routine_slot import DAYS, RoutineSlot

FIRST_DAY = date(2025, 3, 3)
"""A Monday; the month lies in March, like the entries in the calendar of a fresh phone."""
SLOTS = 9
"""Number of recurring goals of a person at a time."""

ICONS = 8
"""Number of icons in the dock and on the first home page."""
ONE_OFF = 10
"""One intent in so many is no habit."""
HABIT_INSTEAD = 0.8
"""Probability that a person who cannot do what was planned does another habit instead."""

EVERY_DAY = range(7)

HOME, OFFICE, SCHOOL, RIDE, STREET = "住所", "办公场所", "学校", "交通工具", "城市街道"
_OUT = ("商场", "餐饮场所", "自然户外", "娱乐休闲场所", "运动场馆", "文艺场馆", "城市街道")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedIntent:
    """A goal with arguments that a person has at a moment and place."""

    moment: datetime
    place: str
    app: App
    goal: Goal
    case: Arguments


def draw_routine(person: Person, apps: Sequence[App]) -> tuple[RoutineSlot, ...]:
    """The person's recurring goals over the month; preferences within an age group are alike.

    The first `SLOTS` are those of its beginning, the most preferred first; others follow from `drift`.
    """
    goals = [(app, goal) for app in apps for goal in app.goals]
    goals.sort(key=lambda pair: -person.leaning("goal", pair[0].package, pair[1].name, own=0.4))
    rng = person.generator("routine")
    *slots, later = [
        _draw_slot(person, app, goal, rank, rng) for rank, (app, goal) in enumerate(goals[: SLOTS + 1])
    ]
    return drift(slots, later, person)


def _draw_slot(person: Person, app: App, goal: Goal, rank: int, rng: random.Random) -> RoutineSlot:
    cases = goal.cases(person.seed)
    culture = find_culture(person.locale)
    hours = culture.hours_of(app)
    favourite_hour = max(hours, key=lambda hour: person.leaning("hour", app.package, goal.name, hour))
    minute = 60 * favourite_hour + rng.randrange(0, 60, 5)
    days = rng.choices((culture.workdays, culture.weekend, EVERY_DAY), (5, 2, 4))[0]
    workday, weekend = (place_at(person, minute, weekend=free, rng=rng) for free in (False, True))
    favourites = tuple(cases[at] for at in rng.sample(range(len(cases)), min(3, len(cases))))
    return RoutineSlot(
        app=app,
        goal=goal,
        cases=favourites,
        minute=minute,
        days=days,
        places=(workday, weekend),
        rank=rank,
    )


def place_at(person: Person, minute: int, *, weekend: bool, rng: random.Random) -> str:
    """Draw the person's place at a minute of the day."""
    hour, culture = minute / 60, find_culture(person.locale)
    there, back = culture.commute
    if hour < culture.at_home[0] or hour >= culture.at_home[1]:
        return HOME
    if weekend or person.works_as(RETIRED_WORD):
        return rng.choice(_OUT) if _within(hour, culture.outings) and rng.random() < 0.5 else HOME
    if _within(hour, there) or _within(hour, back):
        return rng.choice((RIDE, RIDE, STREET))
    if _within(hour, culture.lunch) and rng.random() < 0.5:
        return "餐饮场所"
    if hour < back[0]:
        return SCHOOL if person.works_as(STUDENT, TEACHER) else OFFICE
    return HOME if rng.random() < 0.8 else rng.choice(_OUT)


def _within(hour: float, span: Span) -> bool:
    return span[0] <= hour < span[1]


def plan_month(
    person: Person, apps: Sequence[App], count: int, *, draw: int = 0
) -> tuple[PlannedIntent, ...]:
    """A month of planned intents, the earliest first; all but one in `ONE_OFF` come from the routine.

    Args:
        person: The person.
        apps: Apps with goals.
        count: Number of intents.
        draw: Number of the month; 0 is the one that is simulated, others are as it might have been, too.
    """
    slots, rng = draw_routine(person, apps), person.generator("month", *([draw] if draw else []))
    occasions = [(day, slot) for day in range(DAYS) for slot in slots if slot.recurs(day)]
    # a weighted draw without replacement: slots of higher preference come more often
    occasions.sort(key=lambda pair: rng.random() ** (1 + pair[1].rank) ** 0.8, reverse=True)
    chosen = occasions[: count - count // ONE_OFF]
    planned = [_recurring_intent(slot, day, person, rng) for day, slot in chosen]
    planned += [_single_intent(person, apps, rng) for _ in range(count - len(planned))]
    return _spread_days(sorted(planned, key=lambda intent: intent.moment), find_zone(person.zone))


def favourite_apps(slots: Sequence[RoutineSlot]) -> tuple[str, ...]:
    """Packages of the apps that the person uses most at the beginning of the month, `ICONS` at most.

    Args:
        slots: The routine, as `draw_routine` returns it.
    """
    return tuple(dict.fromkeys(slot.app.package for slot in slots[:SLOTS]))[:ICONS]


def alternative_intent(
    planned: PlannedIntent,
    person: Person,
    apps: Sequence[App],
    slots: Sequence[RoutineSlot],
    rng: random.Random,
) -> PlannedIntent:
    """Draw another goal for the same moment and place: mostly another habit of the person, else any goal."""
    day = (planned.moment.date() - FIRST_DAY).days
    habits = [slot for slot in slots if slot.first_day <= day < slot.last_day]
    if habits and rng.random() < HABIT_INSTEAD:
        slot = rng.choices(habits, [1 / (1 + slot.rank) for slot in habits])[0]
        return replace(planned, app=slot.app, goal=slot.goal, case=slot.case(rng))
    app, goal = rng.choice([(app, goal) for app in apps for goal in app.goals])
    return replace(planned, app=app, goal=goal, case=rng.choice(goal.cases(person.seed)))


def _recurring_intent(slot: RoutineSlot, day: int, person: Person, rng: random.Random) -> PlannedIntent:
    culture = find_culture(person.locale)
    late = 70 if day % 7 in culture.weekend and person.group != OLDER and slot.minute < 720 else 0
    spread = 12 if person.group == OLDER else 25
    minute = slot.minute + late + rng.gauss(0, spread)
    weekend = day % 7 in culture.weekend
    usual = slot.places[weekend]
    place = usual if rng.random() < 0.85 else place_at(person, int(minute), weekend=weekend, rng=rng)
    case = slot.case(rng)
    return PlannedIntent(
        moment=_draw_moment(day, minute, rng, person),
        place=place,
        app=slot.app,
        goal=slot.goal,
        case=case,
    )


def _single_intent(person: Person, apps: Sequence[App], rng: random.Random) -> PlannedIntent:
    app, goal = rng.choice([(app, goal) for app in apps for goal in app.goals])
    culture = find_culture(person.locale)
    day, minute = rng.randrange(DAYS), 60 * rng.choice(culture.hours_of(app)) + rng.gauss(0, 40)
    place = place_at(person, int(minute), weekend=day % 7 in culture.weekend, rng=rng)
    case = rng.choice(goal.cases(person.seed))
    return PlannedIntent(
        moment=_draw_moment(day, minute, rng, person), place=place, app=app, goal=goal, case=case
    )


def _draw_moment(day: int, minute: float, rng: random.Random, person: Person) -> datetime:
    start = datetime.combine(FIRST_DAY + timedelta(days=day), time(), find_zone(person.zone))
    return start + timedelta(minutes=int(min(1430, max(330, minute))), seconds=rng.randrange(60))


def _spread_days(intents: Sequence[PlannedIntent], zone: tzinfo) -> tuple[PlannedIntent, ...]:
    """The intents, each delayed until at least three minutes after the one before."""
    earliest, delayed = datetime.combine(FIRST_DAY, time(), zone), []
    for intent in intents:
        delayed.append(replace(intent, moment=max(intent.moment, earliest)))
        earliest = delayed[-1].moment + timedelta(minutes=3)
    return tuple(delayed)
