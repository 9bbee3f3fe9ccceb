"""Looks at the phone: one before each intent of a person's month, and as many at which nothing is wanted.

Nothing but the person's own life tells the two apart. A look without an intent is at the date, minute and
place of an intent of a stranger of the same kind: another person of the same population, age group and way of
life who is in no sample. So hour, weekday, date and place are distributed as those of the intents, and no
look has a twin among the intents of the other people. Some looks come just after an own intent, at its place.
What such a look is called follows from the person's own habits at that time, and so changes no distribution.
"""

from __future__ import annotations

import random
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, TypeAlias

from simulated_phone.goals.app_definition import App
from simulated_phone.people.person import (
    GROUPS,
    RETIRED_WORD,
    STUDENT,
    TEACHER,
    Person,
    make_person,
)
from simulated_phone.people.routine import (
    FIRST_DAY,
    PlannedIntent,
    draw_routine,
    find_spread,
    find_usual_minute,
    is_free_day,
    plan_month,
)
from simulated_phone.people.routine_slot import DAYS, RoutineSlot

LookKind: TypeAlias = Literal["intent", "glance", "notification", "just_done", "false_routine", "busy"]
Missing: TypeAlias = Literal["day", "place", "done", "ended"]

LEAST_BEFORE, MOST_BEFORE = 5, 40
"""Seconds from the look to the beginning of the episode."""
JUST_DONE = 0.2
"""Share of the looks without an intent that come just after an own intent."""
JUST_DONE_FROM, JUST_DONE_TO = 120, 600
"""Seconds after the own intent at which these come."""
QUIET_BEFORE, QUIET_AFTER = timedelta(minutes=20), timedelta(minutes=10)
"""A look without an intent comes neither so shortly before an own intent nor, but for those just after it, so
shortly after one: who does something a little later might be glad of a suggestion."""
APART = timedelta(minutes=2)
"""Least time between two looks without an intent."""
IN_VAIN = 12
"""Strangers in a row for whose intents a person has no time: the month is full, and gets fewer looks."""
A_STRANGER, STRANGERS = 3, 20
"""Least number of looks that are taken from the month of one stranger, and most strangers for long months."""
STRANGERS_FROM, STRANGERS_TO = 10**6, 10**9
"""Numbers of the strangers within their population: no sample has so many people."""
NEAR_SPREADS = 1.25
"""A look is at the usual minute of a habit up to so many of its standard deviations."""
BUSY_AFTER = timedelta(minutes=30)
"""Time after an own intent in which the person may still be in the middle of something."""
LOTS: tuple[tuple[LookKind, float], ...] = (("glance", 0.5), ("notification", 0.3), ("busy", 0.2))
"""Kinds of the looks without a reason, with their probabilities."""
PATIENCE = (1, 2, 2, 3, 3, 4, 6)
"""Numbers of wrong suggestions that people answer in a day, of which each person has one."""

Act: TypeAlias = tuple[datetime, str, str]
"""Moment of an episode, with the package of the app and the name of the goal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PhoneLook:
    """A look at the phone.

    Attributes:
        moment: Its time, in whole seconds.
        place: Where the person is, as in `PlannedIntent`.
        kind: What it is.
        missing: Condition that a false routine is missing; None for another kind.
        number: Number of the intent in the month, from 0; None without one.
    """

    moment: datetime
    place: str
    kind: LookKind
    missing: Missing | None = None
    number: int | None = None


def draw_patience(person: Person) -> int:
    """Number of wrong suggestions that the person answers in a day."""
    return person.generator("patience").choice(PATIENCE)


def draw_looks(
    person: Person, apps: Sequence[App], count: int, deeds: Sequence[Act] = ()
) -> tuple[PhoneLook, ...]:
    """Draw the looks of a person's month, the earliest first.

    Args:
        person: The person.
        apps: Apps with goals.
        count: Number of intents of the month, and of the looks without one.
        deeds: What was done at each intent, if it is not what was planned: the time and place are the same.
    """
    planned = plan_month(person, apps, count)
    rng = person.generator("looks")
    wanted = [
        PhoneLook(moment=_look_before(one, rng), place=one.place, kind="intent", number=number)
        for number, one in enumerate(planned)
    ]
    known = deeds or [(one.moment, one.app.package, one.goal.name) for one in planned]
    kinds = _KindRule(person, draw_routine(person, apps), known)
    quiet = [
        kinds.name(moment, place, just_done, rng)
        for moment, place, just_done in _draw_quiet(person, apps, planned, count, rng)
    ]
    return tuple(sorted((*wanted, *quiet), key=lambda look: look.moment))


def find_way_of_life(person: Person) -> str:
    """Name what a person's places at a time depend on: "retired", "school" or "work"."""
    if person.works_as(RETIRED_WORD):
        return "retired"
    return "school" if person.works_as(STUDENT, TEACHER) else "work"


def draw_strangers(person: Person, rng: random.Random) -> Iterator[Person]:
    """Yield people of the same population, age group and way of life who are in no sample, without end."""
    life, groups = find_way_of_life(person), tuple(GROUPS)
    while True:
        number = rng.randrange(STRANGERS_FROM, STRANGERS_TO, len(groups)) + groups.index(person.group)
        stranger = make_person(number, person.population, person.locale, person.zone)
        if find_way_of_life(stranger) == life:
            yield stranger


def _look_before(intent: PlannedIntent, rng: random.Random) -> datetime:
    return intent.moment - timedelta(seconds=rng.randint(LEAST_BEFORE, MOST_BEFORE))


def _draw_quiet(
    person: Person,
    apps: Sequence[App],
    planned: Sequence[PlannedIntent],
    count: int,
    rng: random.Random,
) -> list[tuple[datetime, str, bool]]:
    """Time and place of the looks without an intent, and whether each comes just after an own intent."""
    quiet = _QuietTime([one.moment for one in planned])
    found = [(*look, True) for look in _draw_just_done(planned, quiet, round(JUST_DONE * count), rng)]
    strangers, in_vain = draw_strangers(person, rng), 0
    while len(found) < count and in_vain < IN_VAIN:
        month = plan_month(next(strangers), apps, count, with_cases=False)
        in_vain += 1
        wanted = max(A_STRANGER, count // STRANGERS)
        for one in rng.sample(month, min(wanted, len(month), count - len(found))):
            moment = _find_free_date(_look_before(one, rng), quiet.is_free, rng)
            if moment is not None:
                quiet.take(moment)
                found.append((moment, one.place, False))
                in_vain = 0
    return found


def _draw_just_done(
    planned: Sequence[PlannedIntent], quiet: _QuietTime, number: int, rng: random.Random
) -> Iterator[tuple[datetime, str]]:
    for one in rng.sample(planned, len(planned)):
        moment = one.moment + timedelta(seconds=rng.randint(JUST_DONE_FROM, JUST_DONE_TO))
        if number and moment.date() == one.moment.date() and quiet.is_free(moment, since=one.moment):
            quiet.take(moment)
            number -= 1
            yield moment, one.place


def _find_free_date(
    moment: datetime, is_free: Callable[[datetime], bool], rng: random.Random
) -> datetime | None:
    """The moment, or the same time on another date of the same weekday; None if the person has no time.

    To drop it instead would thin out the hours at which people want much.
    """
    if is_free(moment):
        return moment
    day = (moment.date() - FIRST_DAY).days
    others = [moment + timedelta(days=other - day) for other in range(day % 7, DAYS, 7)]
    free = [other for other in others if is_free(other)]
    return rng.choice(free) if free else None


class _QuietTime:
    """Times at which a person wants nothing.

    Args:
        intents: Moments of the person's intents, the earliest first.
    """

    def __init__(self, intents: Sequence[datetime]) -> None:
        self._intents = list(intents)
        self._looks: list[datetime] = []

    def take(self, moment: datetime) -> None:
        """Note that a look is at a moment."""
        self._looks.append(moment)

    def is_free(self, moment: datetime, *, since: datetime | None = None) -> bool:
        """Check that no intent and no look is near.

        Args:
            moment: The moment.
            since: An intent that may be shortly before.
        """
        at = bisect_left(self._intents, moment)
        before, after = self._intents[at - 1 : at], self._intents[at : at + 1]
        if after and after[0] - moment <= QUIET_BEFORE:
            return False
        if before and moment - before[0] <= QUIET_AFTER and before[0] != since:
            return False
        return all(abs(moment - look) >= APART for look in self._looks)


class _KindRule:
    """Kind of a look without an intent, by the person's habits and deeds.

    Args:
        person: The person.
        slots: The person's routine.
        deeds: What the person does in the month, the earliest first.
    """

    def __init__(self, person: Person, slots: Sequence[RoutineSlot], deeds: Sequence[Act]) -> None:
        self._person, self._slots, self._deeds = person, slots, deeds
        self._near = NEAR_SPREADS * find_spread(person)

    def name(self, moment: datetime, place: str, just_done: bool, rng: random.Random) -> PhoneLook:
        """Return the look with its kind."""
        lot = rng.choices([kind for kind, _ in LOTS], [weight for _, weight in LOTS])[0]
        if just_done:
            return PhoneLook(moment=moment, place=place, kind="just_done")
        missing = self._find_missing(moment, place)
        if missing is not None:
            return PhoneLook(moment=moment, place=place, kind="false_routine", missing=missing)
        busy = any(timedelta() <= moment - act <= BUSY_AFTER for act, _, _ in self._deeds)
        return PhoneLook(moment=moment, place=place, kind="busy" if busy else lot)

    def _find_missing(self, moment: datetime, place: str) -> Missing | None:
        """The missing condition of the habit whose usual minute is nearest; None if a habit misses none."""
        day = (moment.date() - FIRST_DAY).days
        minute = 60 * moment.hour + moment.minute
        near = [
            (abs(find_usual_minute(slot, day, self._person) - minute), slot.rank, number)
            for number, slot in enumerate(self._slots)
            if slot.first_day <= day
        ]
        missing = [
            self._check_habit(self._slots[number], moment, day, place)
            for distance, _, number in sorted(near)
            if distance <= self._near
        ]
        return missing[0] if missing and None not in missing else None

    def _check_habit(self, slot: RoutineSlot, moment: datetime, day: int, place: str) -> Missing | None:
        if day % 7 not in slot.days:
            return "day"
        if day >= slot.last_day:
            return "ended"
        if any(
            act.date() == moment.date()
            and act < moment
            and (package, goal) == (slot.app.package, slot.goal.name)
            for act, package, goal in self._deeds
        ):
            return "done"
        return None if place == slot.places[is_free_day(day, self._person)] else "place"
