"""A person's routine: what they use the phone for, at what hour and where; weekdays differ from weekends."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta

from simulated_phone.app_definition import App, Arguments, Goal
from simulated_phone.people.person import OLDER, STUDENT, Person
from simulated_phone.state import BEIJING

FIRST_DAY = date(2025, 3, 3)
"""A Monday; the month lies in March, like the days that the calendar of a fresh phone knows."""
DAYS = 28
SLOTS = 9
"""Things that a person does again and again."""

WORKDAYS, WEEKEND, EVERY_DAY = range(5), range(5, 7), range(7)

HOME, OFFICE, SCHOOL, RIDE, STREET = "住所", "办公场所", "学校", "交通工具", "城市街道"
_OUT = ("商场", "餐饮场所", "自然户外", "娱乐休闲场所", "运动场馆", "文艺场馆", "城市街道")


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutineSlot:
    """Something that a person does again and again.

    Args:
        app: In which app.
        goal: What.
        cases: With what: the favourite first.
        minute: About when, minutes after midnight.
        days: On which weekdays, 0 is Monday.
        places: Where, as the person tells it: on workdays, at the weekend.
    """

    app: App
    goal: Goal
    cases: tuple[Arguments, ...]
    minute: int
    days: Sequence[int]
    places: tuple[str, str]

    def case(self, rng: random.Random) -> Arguments:
        """What it is done with this time: mostly the favourite."""
        return self.cases[0] if rng.random() < 0.6 else rng.choice(self.cases)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedIntent:
    """What a person wants at a moment, and where they are then."""

    moment: datetime
    place: str
    app: App
    goal: Goal
    case: Arguments


def draw_routine(person: Person, apps: Sequence[App]) -> tuple[RoutineSlot, ...]:
    """What the person does again and again, the most liked first; an age group likes much the same."""
    offered = [(app, goal) for app in apps for goal in app.goals]
    offered.sort(key=lambda pair: -person.leaning("goal", pair[0].package, pair[1].name, own=0.4))
    rng = person.generator("routine")
    return tuple(_slot(person, app, goal, rng) for app, goal in offered[:SLOTS])


def _slot(person: Person, app: App, goal: Goal, rng: random.Random) -> RoutineSlot:
    cases = goal.cases(person.seed)
    liked = max(app.hours, key=lambda hour: person.leaning("hour", app.package, goal.name, hour))
    minute = 60 * liked + rng.randrange(0, 60, 5)
    days = rng.choices((WORKDAYS, WEEKEND, EVERY_DAY), (5, 2, 4))[0]
    workday, weekend = (place_at(person, minute, weekend=free, rng=rng) for free in (False, True))
    kept = tuple(cases[at] for at in rng.sample(range(len(cases)), min(3, len(cases))))
    return RoutineSlot(app=app, goal=goal, cases=kept, minute=minute, days=days, places=(workday, weekend))


def place_at(person: Person, minute: int, *, weekend: bool, rng: random.Random) -> str:
    """Where the person is at a minute of the day."""
    hour = minute / 60
    if hour < 7.5 or hour >= 21:
        return HOME
    if weekend or person.occupation == "退休":
        return rng.choice(_OUT) if 9 <= hour < 19 and rng.random() < 0.5 else HOME
    if hour < 9 or 17.5 <= hour < 19:
        return rng.choice((RIDE, RIDE, STREET))
    if 11.5 <= hour < 13 and rng.random() < 0.5:
        return "餐饮场所"
    if hour < 18:
        return SCHOOL if person.occupation in (STUDENT, "教师") else OFFICE
    return HOME if rng.random() < 0.8 else rng.choice(_OUT)


def planned_month(person: Person, apps: Sequence[App], count: int) -> tuple[PlannedIntent, ...]:
    """A month of the person's wishes, the earliest first; five in six come from the routine if it can."""
    slots, rng = draw_routine(person, apps), person.generator("month")
    known = [(day, slot) for day in range(DAYS) for slot in slots if (day % 7) in slot.days]
    # a weighted draw without replacement: the more liked, the more often
    known.sort(key=lambda pair: rng.random() ** (1 + slots.index(pair[1])) ** 0.8, reverse=True)
    chosen = known[: count - count // 6]
    drawn = [_again(slot, day, person, rng) for day, slot in chosen]
    drawn += [_once(person, apps, rng) for _ in range(count - len(drawn))]
    return _apart(sorted(drawn, key=lambda planned: planned.moment))


def another(planned: PlannedIntent, person: Person, apps: Sequence[App], rng: random.Random) -> PlannedIntent:
    """What the person may want instead at that moment and place."""
    app, goal = rng.choice([(app, goal) for app in apps for goal in app.goals])
    return replace(planned, app=app, goal=goal, case=rng.choice(goal.cases(person.seed)))


def _again(slot: RoutineSlot, day: int, person: Person, rng: random.Random) -> PlannedIntent:
    late = 70 if day % 7 in WEEKEND and person.group != OLDER and slot.minute < 720 else 0
    spread = 12 if person.group == OLDER else 25
    minute = slot.minute + late + rng.gauss(0, spread)
    weekend = day % 7 in WEEKEND
    usual = slot.places[weekend]
    place = usual if rng.random() < 0.85 else place_at(person, int(minute), weekend=weekend, rng=rng)
    case = slot.case(rng)
    return PlannedIntent(
        moment=_moment(day, minute, rng), place=place, app=slot.app, goal=slot.goal, case=case
    )


def _once(person: Person, apps: Sequence[App], rng: random.Random) -> PlannedIntent:
    app, goal = rng.choice([(app, goal) for app in apps for goal in app.goals])
    day, minute = rng.randrange(DAYS), 60 * rng.choice(app.hours) + rng.gauss(0, 40)
    place = place_at(person, int(minute), weekend=day % 7 in WEEKEND, rng=rng)
    case = rng.choice(goal.cases(person.seed))
    return PlannedIntent(moment=_moment(day, minute, rng), place=place, app=app, goal=goal, case=case)


def _moment(day: int, minute: float, rng: random.Random) -> datetime:
    start = datetime.combine(FIRST_DAY + timedelta(days=day), time(), BEIJING)
    return start + timedelta(minutes=int(min(1430, max(330, minute))), seconds=rng.randrange(60))


def _apart(drawn: Sequence[PlannedIntent]) -> tuple[PlannedIntent, ...]:
    """The wishes, none within three minutes of the one before."""
    free, found = datetime.combine(FIRST_DAY, time(), BEIJING), []
    for planned in drawn:
        found.append(replace(planned, moment=max(planned.moment, free)))
        free = found[-1].moment + timedelta(minutes=3)
    return tuple(found)
