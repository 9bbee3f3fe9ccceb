"""How far it can be known whether a look wants something: by who knows the routine and what was done before.

At a look two rates are compared, each an expected number a minute at this date, minute and place: of the
person's own intents, given the routine, the length of the month and what was done until now; and of looks
without an intent. Their share is the probability that something is wanted. An agent that sees the profile,
the time, the place and all earlier intents knows less, so no agent decides better on average.

Own intents: a habit's occasion on this day is chosen with a probability that follows from the habit's rank
and from how many intents of the month are left; if it was not carried out yet, its minute is normal around
the usual one, given that it is later than now; its place is the usual one or drawn by the minute. One-offs
are spread over the rest of the month. Looks without an intent: the intents of strangers, averaged over many
drawn routines, as far as the person's own intents leave time; and those just after an own intent.

Approximations, each small against the sampling error of a month: the draw without replacement is treated as
independent draws at the rate that leaves the right number; two intents on one minute, of which the second is
delayed, as one; times outside of 5:30 to 23:50, which are moved there, as none.
"""

from __future__ import annotations

import json
import math
import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from simulated_phone.goals.app_definition import App
from simulated_phone.people.cultures import find_culture
from simulated_phone.people.drift import drift
from simulated_phone.people.looks import (
    JUST_DONE,
    JUST_DONE_FROM,
    JUST_DONE_TO,
    LEAST_BEFORE,
    MOST_BEFORE,
    QUIET_AFTER,
    QUIET_BEFORE,
    PhoneLook,
)
from simulated_phone.people.person import GROUPS, Person, draw, make_person
from simulated_phone.people.routine import (
    FIRST_DAY,
    ONE_OFF,
    ONE_OFF_SPREAD,
    OWN_TASTE,
    SLOTS,
    USUAL_PLACE,
    PlannedIntent,
    draw_routine,
    draw_weekdays,
    find_exponent,
    find_spread,
    find_usual_minute,
    is_free_day,
    list_place_odds,
    plan_month,
)
from simulated_phone.people.routine_slot import DAYS, FAVOURITE, RoutineSlot

POOL = 250
"""Number of strangers whose routines are drawn for the density of looks without an intent."""
SHIFT = 0.375
"""Minutes from a look to the mean minute of the intent: an intent is in a whole minute and 0 to 59 seconds, a
look on average 22.5 seconds before it."""
QUIET = (QUIET_AFTER.total_seconds() / 60, QUIET_BEFORE.total_seconds() / 60)
"""Minutes before and after a look without an intent in which nothing is done."""
DELAY = timedelta(minutes=3)
"""Least time between two intents: an earlier one is delayed until then."""
FARTHEST = 6
"""Standard deviations from the usual minute of a habit beyond which it adds nothing."""
RANKS = np.array([1 / find_exponent(rank) for rank in range(SLOTS + 1)])
"""Rank -> exponent of the level in the probability that an occasion is chosen."""
LEAST = 1e-12
"""Least probability that something is left: who knows all may still be wrong about a minute in the tail."""

Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class LookOdds:
    """Probabilities of a look.

    Attributes:
        wanted: Probability, 0-1, that something is wanted.
        right: Probability, 0-1, that the likeliest intent is the right one, given that something is wanted.
    """

    wanted: float
    right: float


def estimate_odds(
    person: Person, apps: Sequence[App], count: int, looks: Sequence[PhoneLook]
) -> tuple[LookOdds, ...]:
    """Estimate the probabilities of each look of a person's month.

    Args:
        person: The person.
        apps: Apps with goals.
        count: Number of intents of the month.
        looks: All looks of the month, the earliest first.
    """
    month = _OwnMonth(person, apps, count, looks)
    wanted = month.rates.sum(axis=1) + month.one_offs
    total = wanted + month.find_quiet_rates(_find_densities(person, apps, count, looks))
    with np.errstate(invalid="ignore", divide="ignore"):
        shares = np.where(total > 0, wanted / total, 0.0)
        right = np.where(wanted > 0, month.find_best_rates() / wanted, 0.0)
    return tuple(
        LookOdds(wanted=round(float(share), 4), right=round(min(1.0, float(best)), 4))
        for share, best in zip(shares, right, strict=True)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Habits:
    """Habits of one person or many, as arrays.

    Attributes:
        ranks: Rank of each habit.
        recurs: (habits, `DAYS`): whether each recurs on a day.
        minutes: (habits, 2): usual minute on workdays and on free days.
    """

    ranks: npt.NDArray[np.int64]
    recurs: npt.NDArray[np.bool_]
    minutes: Numbers

    @classmethod
    def of(cls, slots: Sequence[RoutineSlot], person: Person) -> _Habits:
        """Convert the habits of people of one age group and language."""
        days, free = np.arange(DAYS), find_culture(person.locale).weekend
        weekdays = [tuple(slot.days) for slot in slots]
        on_days = {own: np.isin(days % 7, own) for own in set(weekdays)}
        first = np.array([slot.first_day for slot in slots])[:, None]
        last = np.array([slot.last_day for slot in slots])[:, None]
        a_workday = next(day for day in range(7) if day not in free)
        return cls(
            ranks=np.array([slot.rank for slot in slots]),
            recurs=np.stack([on_days[own] for own in weekdays]) & (days >= first) & (days < last),
            minutes=np.array(
                [[find_usual_minute(slot, day, person) for day in (a_workday, free[0])] for slot in slots],
                dtype=float,
            ),
        )


class _OwnMonth:
    """Expectations of one who knows a person's routine and what was done until each look.

    Args:
        person: The person.
        apps: Apps with goals.
        count: Number of intents of the month.
        looks: The looks.

    Attributes:
        rates: (looks, habits): rate of own intents at the minute and place, a minute.
        one_offs: (looks,): the same of one-offs.
    """

    def __init__(self, person: Person, apps: Sequence[App], count: int, looks: Sequence[PhoneLook]) -> None:
        self._person, self._count, self._looks = person, count, looks
        self._slots = draw_routine(person, apps)
        self._habits = _Habits.of(self._slots, person)
        self._planned = plan_month(person, apps, count)
        self._spread = find_spread(person)
        self._single = sum(one.habit is None for one in self._planned)
        self._hours = find_one_off_minutes(person.locale, apps)
        self._days, self._minutes = _place_in_month(looks)
        self._free = np.array([is_free_day(int(day), person) for day in self._days], dtype=int)
        self._past = [[one for one in self._planned if one.moment <= look.moment] for look in looks]
        self._usual = self._habits.minutes[:, self._free].T
        self._expect()

    def _expect(self) -> None:
        """Work out the rates, and the probability that nothing is done in the next `QUIET_BEFORE`."""
        to_come = self._habits.recurs[:, self._days].T & ~self._find_done()
        passed = _sum_normal(self._minutes[:, None], self._usual, self._spread)
        chosen = np.where(to_come, self._find_chosen(to_come * (1 - passed)), 0.0)
        still = np.maximum(LEAST, 1 - chosen * passed)
        soon = _sum_normal(self._minutes[:, None] + QUIET[1], self._usual, self._spread)
        single = self._find_one_off_rates()
        burst = np.array(
            [_find_burst(look, past) for look, past in zip(self._looks, self._past, strict=True)]
        )
        drawn = self._find_place_odds()
        usual = np.array(
            [
                [slot.places[free] == look.place for slot in self._slots]
                for look, free in zip(self._looks, self._free, strict=True)
            ]
        )
        places = USUAL_PLACE * usual + (1 - USUAL_PLACE) * drawn[:, None]
        hazard = chosen * _find_normal(self._minutes[:, None], self._usual, self._spread) / still
        self.rates = burst[:, None] * hazard * places
        self.one_offs = burst * single * drawn
        self._left_alone = np.prod(np.maximum(LEAST, 1 - chosen * soon) / still, axis=1) * np.exp(
            -QUIET[1] * single
        )

    def find_quiet_rates(self, densities: Numbers) -> Numbers:
        """Rate of looks without an intent at each look's minute and place, a minute.

        Args:
            densities: Density of a stranger's intents at each look, an intent and minute.
        """
        just_done = round(JUST_DONE * self._count)
        wanted = np.array([look.number is not None for look in self._looks])
        feasible = float(self._left_alone[wanted].mean()) if wanted.any() else 1.0
        a_minute = just_done / self._count / ((JUST_DONE_TO - JUST_DONE_FROM) / 60) / feasible
        rates = (self._count - just_done) * densities / (1 - self._find_blocked())
        for number, (look, past) in enumerate(zip(self._looks, self._past, strict=True)):
            since = (look.moment - past[-1].moment).total_seconds() if past else math.inf
            if since <= QUIET_AFTER.total_seconds():
                after = since >= JUST_DONE_FROM and past[-1].place == look.place
                rates[number] = a_minute if after else 0.0
        found: Numbers = rates * self._left_alone
        return found

    def find_best_rates(self) -> Numbers:
        """Rate of the likeliest intent at each look, a minute."""
        shares: dict[str, Numbers] = defaultdict(lambda: np.zeros(len(self._looks)))
        for number, slot in enumerate(self._slots):
            for place, case in enumerate(slot.cases):
                share = (1 - FAVOURITE) / len(slot.cases) + (0 if place else FAVOURITE)
                name = f"{slot.app.package} {slot.goal.name} {json.dumps(dict(case), sort_keys=True)}"
                shares[name] = shares[name] + share * self.rates[:, number]
        best: Numbers = np.max(list(shares.values()), axis=0)
        return best

    def _find_done(self) -> npt.NDArray[np.bool_]:
        """(looks, habits): whether a habit was carried out earlier on the day of the look."""
        done = np.zeros((len(self._looks), len(self._slots)), dtype=bool)
        for number, (look, past) in enumerate(zip(self._looks, self._past, strict=True)):
            for one in past:
                if one.habit is not None and one.moment.date() == look.moment.date():
                    done[number, one.habit] = True
        return done

    def _find_chosen(self, today: Numbers) -> Numbers:
        """(looks, habits): probability that an occasion that may still come is one of the month.

        The occasions left are chosen at the level that leaves as many as there are.

        Args:
            today: (looks, habits): share of the occasion of the day that is still to come.
        """
        recurs = self._habits.recurs.astype(float)
        later: Numbers = np.cumsum(recurs[:, ::-1], axis=1)[:, ::-1] - recurs
        occasions = _sum_by_rank(later[:, self._days].T + today, self._habits.ranks)
        done = [sum(one.habit is not None for one in past) for past in self._past]
        level = _choose_levels(occasions, self._count - self._single - np.array(done, dtype=float))
        return _find_shares(level, self._habits.ranks)

    def _find_one_off_rates(self) -> Numbers:
        """Rate of one-offs at the minute of each look, at any place, a minute."""
        left = self._single - np.array([sum(one.habit is None for one in past) for past in self._past])
        later = (
            DAYS
            - 1
            - self._days
            + sum(
                share * (1 - _sum_normal(self._minutes, minute, ONE_OFF_SPREAD))
                for minute, share in self._hours.items()
            )
        )
        rates: Numbers = left * _sum_hours(self._hours, self._minutes) / np.maximum(LEAST, later)
        return rates

    def _find_place_odds(self) -> Numbers:
        """Probability of each look's place by its minute."""
        return np.array(
            [
                list_place_odds(self._person, int(minute), weekend=bool(free)).get(look.place, 0.0)
                for look, minute, free in zip(self._looks, self._minutes, self._free, strict=True)
            ]
        )

    def _find_blocked(self) -> Numbers:
        """Share of the dates of the weekday on which own intents leave no time for a look at its minute."""
        begin, end = (self._minutes + away for away in (-QUIET[0], QUIET[1]))
        occasions = _sum_by_rank(self._habits.recurs.sum(axis=1)[None, :].astype(float), self._habits.ranks)
        level = _choose_levels(occasions, np.array([float(self._count - self._single)]))
        within = _sum_normal(end[:, None], self._usual, self._spread) - _sum_normal(
            begin[:, None], self._usual, self._spread
        )
        left = 1 - _find_shares(level, self._habits.ranks) * within
        single = self._single / DAYS * _sum_hours(self._hours, self._minutes) * (end - begin)
        weeks = [self._habits.recurs[:, self._days % 7 + 7 * week].T for week in range(DAYS // 7)]
        free = np.mean([np.where(recurs, left, 1.0).prod(axis=1) for recurs in weeks], axis=0)
        blocked: Numbers = 1 - free * np.exp(-single)
        return np.minimum(blocked, 0.95)


def _find_densities(person: Person, apps: Sequence[App], count: int, looks: Sequence[PhoneLook]) -> Numbers:
    """Density of a stranger's intents at the date, minute and place of each look, an intent and minute."""
    pool = _find_pool(person.population, person.group, person.locale, tuple(apps), count)
    habits, chosen, starts, start = pool.habits, pool.chosen, pool.starts, pool.start
    hours, spread = find_one_off_minutes(person.locale, apps), find_spread(person)
    days, minutes = _place_in_month(looks)
    places_at, found = _PlaceTable(person, starts), []
    for look, day, minute in zip(looks, days, minutes, strict=True):
        free = is_free_day(int(day), person)
        drawn = list_place_odds(person, int(minute), weekend=free).get(look.place, 0.0)
        usual = places_at.find_shares(free, look.place)
        away = (minute - habits.minutes[:, int(free)]) / spread
        near = np.flatnonzero(habits.recurs[:, day] & (abs(away) < FARTHEST))
        weights = chosen[near] * np.exp(-(away[near] ** 2) / 2)
        places = USUAL_PLACE * usual[start[near]] + (1 - USUAL_PLACE) * drawn
        habitual = float(weights @ places) / (spread * math.sqrt(2 * math.pi))
        single = count // ONE_OFF / count / DAYS * float(_sum_hours(hours, np.array([minute]))[0]) * drawn
        found.append(habitual + single)
    return np.array(found)


class _PlaceTable:
    """Probability of the usual place of a habit by its minute, for each place.

    Args:
        person: A person whose way of life it is.
        starts: Minutes of the day.
    """

    def __init__(self, person: Person, starts: npt.NDArray[np.int64]) -> None:
        self._odds = {
            free: [list_place_odds(person, int(start), weekend=free) for start in starts]
            for free in (False, True)
        }
        self._shares: dict[tuple[bool, str], Numbers] = {}

    def find_shares(self, free: bool, place: str) -> Numbers:
        """Probability that each minute's usual place is this one, on workdays or free days."""
        if (free, place) not in self._shares:
            self._shares[free, place] = np.array([odds.get(place, 0.0) for odds in self._odds[free]])
        return self._shares[free, place]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pool:
    """Habits of `POOL` strangers.

    Attributes:
        habits: The habits of all.
        chosen: Probability that an occasion of each habit is one of its owner's month, an intent of the pool.
        starts: The minutes at which habits begin.
        start: Number of each habit's minute among them.
    """

    habits: _Habits
    chosen: Numbers
    starts: npt.NDArray[np.int64]
    start: npt.NDArray[np.int64]


# a quarter of the time of a month's looks without the cache; people of one sample share few pools
@lru_cache(maxsize=16)
def _find_pool(population: int, group: str, locale: str, apps: tuple[App, ...], count: int) -> _Pool:
    """Draw the strangers of an age group in a language, with months of so many intents."""
    anybody = make_person(list(GROUPS).index(group), population, locale)
    slots, owners = _draw_pool(anybody, apps)
    habits = _Habits.of(slots, anybody)
    occasions = np.zeros((POOL, len(RANKS)))
    np.add.at(occasions, (owners, habits.ranks), habits.recurs.sum(axis=1))
    levels = _choose_levels(occasions, np.full(POOL, float(count - count // ONE_OFF)))
    starts, start = np.unique([slot.minute for slot in slots], return_inverse=True)
    return _Pool(
        habits=habits,
        chosen=(1 - levels[owners] ** RANKS[habits.ranks]) / count / POOL,
        starts=starts,
        start=start,
    )


def _draw_pool(person: Person, apps: Sequence[App]) -> tuple[list[RoutineSlot], npt.NDArray[np.int64]]:
    """Draw the hours, weekdays and changes of the routines of `POOL` strangers; without places and cases.

    Returns:
        The habits of all, and the number of the stranger that each is of.
    """
    rng = random.Random(f"{person.population}/{person.group}/{person.locale}/strangers")  # noqa: S311 - lives
    goals = [(app, goal) for app in apps for goal in app.goals]
    group = (person.population, person.group)
    shared = [(1 - OWN_TASTE) * draw(*group, "goal", app.package, goal.name) for app, goal in goals]
    hours = [
        [
            (hour, draw(*group, "hour", app.package, goal.name, hour))
            for hour in find_culture(person.locale).hours_of(app)
        ]
        for app, goal in goals
    ]
    slots: list[RoutineSlot] = []
    owners: list[int] = []
    for number in range(POOL):
        tastes = [one + OWN_TASTE * rng.random() for one in shared]
        best = sorted(range(len(goals)), key=tastes.__getitem__, reverse=True)[: SLOTS + 1]
        *found, later = [
            RoutineSlot(
                app=goals[place][0],
                goal=goals[place][1],
                cases=({},),
                minute=60 * max(hours[place], key=lambda one: one[1] + rng.random())[0]
                + rng.randrange(0, 60, 5),
                days=draw_weekdays(person, rng),
                places=("", ""),
                rank=rank,
            )
            for rank, place in enumerate(best)
        ]
        own = drift(found, later, replace(person, user_id=f"stranger {number}"))
        slots += own
        owners += [number] * len(own)
    return slots, np.array(owners)


def find_one_off_minutes(locale: str, apps: Sequence[App]) -> dict[int, float]:
    """Mean minutes of one-offs with their probabilities: every goal is as likely, and each hour of an app."""
    goals = sum(len(app.goals) for app in apps)
    shares: dict[int, float] = defaultdict(float)
    for app in apps:
        hours = find_culture(locale).hours_of(app)
        for hour in hours:
            shares[60 * hour] += len(app.goals) / goals / len(hours)
    return dict(shares)


def _sum_hours(hours: Mapping[int, float], minutes: Numbers) -> Numbers:
    """Density of the minute of a one-off."""
    found: Numbers = np.zeros(len(minutes))
    for hour, share in hours.items():
        found = found + share * _find_normal(minutes, np.array(hour), ONE_OFF_SPREAD)
    return found


def _sum_by_rank(occasions: Numbers, ranks: npt.NDArray[np.int64]) -> Numbers:
    """(rows, habits) -> (rows, ranks): sums over the habits of one rank."""
    found = np.zeros((len(occasions), len(RANKS)))
    np.add.at(found.T, ranks, occasions.T)
    return found


def _choose_levels(occasions: Numbers, numbers: Numbers) -> Numbers:
    """Level of a uniform draw's power above which so many occasions are expected, for each row.

    Args:
        occasions: (rows, ranks): number of occasions of habits of each rank.
        numbers: (rows,): number of occasions that are chosen.
    """
    low, high = np.zeros(len(occasions)), np.ones(len(occasions))
    for _ in range(30):
        level = (low + high) / 2
        expected = (occasions * (1 - level[:, None] ** RANKS)).sum(axis=1)
        many = expected > numbers
        low, high = np.where(many, level, low), np.where(many, high, level)
    found: Numbers = np.where(numbers >= occasions.sum(axis=1), 0.0, high)
    return found


def _find_shares(levels: Numbers, ranks: npt.NDArray[np.int64]) -> Numbers:
    """(levels, habits): probability that an occasion of each habit is chosen at each level."""
    found: Numbers = 1 - levels[:, None] ** RANKS[ranks]
    return found


def _find_burst(look: PhoneLook, past: Sequence[PlannedIntent]) -> float:
    """Factor of the rate of own intents shortly after one: what would come sooner comes `DELAY` after it."""
    seconds = (look.moment - past[-1].moment).total_seconds() if past else math.inf
    if seconds < DELAY.total_seconds() - MOST_BEFORE:
        return 0.0
    late = seconds <= DELAY.total_seconds() - LEAST_BEFORE
    return 1 + DELAY.total_seconds() / (MOST_BEFORE - LEAST_BEFORE + 1) if late else 1.0


def _place_in_month(looks: Sequence[PhoneLook]) -> tuple[npt.NDArray[np.int64], Numbers]:
    """Day of the month of each look, from 0, and mean minute of the intents that it may be before."""
    clocks = [(look.moment.date() - FIRST_DAY, look.moment.time()) for look in looks]
    days = np.array([day.days for day, _ in clocks])
    return days, np.array([60 * at.hour + at.minute + at.second / 60 + SHIFT for _, at in clocks])


def _find_normal(values: Numbers, means: Numbers, spread: float) -> Numbers:
    """Density of the normal distribution."""
    found: Numbers = np.exp(-(((values - means) / spread) ** 2) / 2) / (spread * math.sqrt(2 * math.pi))
    return found


_erf = np.vectorize(math.erf, otypes=[float])


def _sum_normal(values: Numbers, means: Numbers | float, spread: float) -> Numbers:
    """Share of the normal distribution below each value."""
    found: Numbers = (1 + _erf((values - means) / spread / math.sqrt(2))) / 2
    return found
