"""A person's routine: which goals recur at which hour and place; weekdays differ from weekends."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
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
OWN_TASTE = 0.4
"""Weight of a person's own taste in goals, against that of the age group."""
ONE_OFF = 10
"""One intent in so many is no habit."""
USUAL_PLACE = 0.85
"""Probability that a habit is at its usual place; otherwise the place is drawn by the minute."""
ONE_OFF_SPREAD = 40
"""Standard deviation of the minute of a one-off, minutes."""
HABIT_INSTEAD = 0.8
"""Probability that a person who cannot do what was planned does another habit instead."""

EVERY_DAY = range(7)

HOME, OFFICE, SCHOOL, RIDE, STREET = "住所", "办公场所", "学校", "交通工具", "城市街道"
_OUT = ("商场", "餐饮场所", "自然户外", "娱乐休闲场所", "运动场馆", "文艺场馆", "城市街道")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedIntent:
    """A goal with arguments that a person has at a moment and place.

    Attributes:
        habit: Number of its habit in the routine, from 0; None for a one-off.
    """

    moment: datetime
    place: str
    app: App
    goal: Goal
    case: Arguments
    habit: int | None = field(default=None, repr=False, compare=False)


def draw_routine(person: Person, apps: Sequence[App], *, with_cases: bool = True) -> tuple[RoutineSlot, ...]:
    """The person's recurring goals over the month; preferences within an age group are alike.

    The first `SLOTS` are those of its beginning, the most preferred first; others follow from `drift`.

    Args:
        person: The person.
        apps: Apps with goals.
        with_cases: Whether habits have arguments, which take most of the time.
    """
    goals = [(app, goal) for app in apps for goal in app.goals]
    goals.sort(key=lambda pair: -person.leaning("goal", pair[0].package, pair[1].name, own=OWN_TASTE))
    rng = person.generator("routine")
    *slots, later = [
        _draw_slot(person, app, goal, rank, rng, with_cases=with_cases)
        for rank, (app, goal) in enumerate(goals[: SLOTS + 1])
    ]
    return drift(slots, later, person)


def _draw_slot(
    person: Person, app: App, goal: Goal, rank: int, rng: random.Random, *, with_cases: bool
) -> RoutineSlot:
    cases = goal.cases(person.seed) if with_cases else ({},)
    culture = find_culture(person.locale)
    hours = culture.hours_of(app)
    favourite_hour = max(hours, key=lambda hour: person.leaning("hour", app.package, goal.name, hour))
    minute = 60 * favourite_hour + rng.randrange(0, 60, 5)
    days = draw_weekdays(person, rng)
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


def draw_weekdays(person: Person, rng: random.Random) -> Sequence[int]:
    """Draw the weekdays of a habit: the workdays, the weekend or all."""
    culture = find_culture(person.locale)
    return rng.choices((culture.workdays, culture.weekend, EVERY_DAY), (5, 2, 4))[0]


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


def list_place_odds(person: Person, minute: int, *, weekend: bool) -> dict[str, float]:
    """Return the probability of each place that `place_at` may draw at a minute of the day."""
    hour, culture = minute / 60, find_culture(person.locale)
    there, back = culture.commute
    if hour < culture.at_home[0] or hour >= culture.at_home[1]:
        return {HOME: 1.0}
    if weekend or person.works_as(RETIRED_WORD):
        return _share_outings(0.5) if _within(hour, culture.outings) else {HOME: 1.0}
    if _within(hour, there) or _within(hour, back):
        return {RIDE: 2 / 3, STREET: 1 / 3}
    lunch = {"餐饮场所": 0.5} if _within(hour, culture.lunch) else {}
    if hour < back[0]:
        usual = {SCHOOL if person.works_as(STUDENT, TEACHER) else OFFICE: 1.0}
    else:
        usual = _share_outings(0.2)
    if not lunch:
        return usual
    halved = {place: odds / 2 for place, odds in usual.items()}
    return halved | {place: odds + halved.get(place, 0.0) for place, odds in lunch.items()}


def _share_outings(share: float) -> dict[str, float]:
    """Places of who is out with a probability and otherwise at home."""
    return {HOME: 1 - share} | {place: share / len(_OUT) for place in _OUT}


def _within(hour: float, span: Span) -> bool:
    return span[0] <= hour < span[1]


def plan_month(
    person: Person, apps: Sequence[App], count: int, *, draw: int = 0, with_cases: bool = True
) -> tuple[PlannedIntent, ...]:
    """A month of planned intents, the earliest first; all but one in `ONE_OFF` come from the routine.

    Args:
        person: The person.
        apps: Apps with goals.
        count: Number of intents.
        draw: Number of the month; 0 is the one that is simulated, others are as it might have been, too.
        with_cases: Whether intents have arguments. Without, it is another month of the same kind.
    """
    slots = draw_routine(person, apps, with_cases=with_cases)
    rng = person.generator("month", *([draw] if draw else []))
    occasions = [
        (day, number) for day in range(DAYS) for number, slot in enumerate(slots) if slot.recurs(day)
    ]
    # a weighted draw without replacement: slots of higher preference come more often
    occasions.sort(key=lambda pair: rng.random() ** find_exponent(slots[pair[1]].rank), reverse=True)
    chosen = occasions[: count - count // ONE_OFF]
    planned = [
        replace(_recurring_intent(slots[number], day, person, rng), habit=number) for day, number in chosen
    ]
    planned += [_single_intent(person, apps, rng, with_cases=with_cases) for _ in range(count - len(planned))]
    return _spread_days(sorted(planned, key=lambda intent: intent.moment), find_zone(person.zone))


def find_exponent(rank: int) -> float:
    """Exponent of a uniform draw by which an occasion of a habit is chosen: small for what is preferred."""
    return float((1 + rank) ** 0.8)


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


def is_free_day(day: int, person: Person) -> bool:
    """Check whether a day of the month, from 0, is at the person's weekend."""
    return day % 7 in find_culture(person.locale).weekend


def find_usual_minute(slot: RoutineSlot, day: int, person: Person) -> int:
    """Mean minute of a habit on a day of the month: younger people begin free days later."""
    late = 70 if is_free_day(day, person) and person.group != OLDER and slot.minute < 720 else 0
    return slot.minute + late


def find_spread(person: Person) -> int:
    """Standard deviation of the minute of the person's habits, minutes."""
    return 12 if person.group == OLDER else 25


def _recurring_intent(slot: RoutineSlot, day: int, person: Person, rng: random.Random) -> PlannedIntent:
    minute = find_usual_minute(slot, day, person) + rng.gauss(0, find_spread(person))
    weekend = is_free_day(day, person)
    usual = slot.places[weekend]
    place = usual if rng.random() < USUAL_PLACE else place_at(person, int(minute), weekend=weekend, rng=rng)
    case = slot.case(rng)
    return PlannedIntent(
        moment=_draw_moment(day, minute, rng, person),
        place=place,
        app=slot.app,
        goal=slot.goal,
        case=case,
    )


def _single_intent(
    person: Person, apps: Sequence[App], rng: random.Random, *, with_cases: bool
) -> PlannedIntent:
    app, goal = rng.choice([(app, goal) for app in apps for goal in app.goals])
    culture = find_culture(person.locale)
    day, minute = rng.randrange(DAYS), 60 * rng.choice(culture.hours_of(app)) + rng.gauss(0, ONE_OFF_SPREAD)
    place = place_at(person, int(minute), weekend=is_free_day(day, person), rng=rng)
    case = rng.choice(goal.cases(person.seed)) if with_cases else {}
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
