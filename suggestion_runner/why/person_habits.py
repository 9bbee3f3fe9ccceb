"""Earlier intents of a person before a task, by goals: how often, until when, at which times and places.

A goal here is a goal of an app, whatever its arguments. The thresholds are in `HabitRules` alone.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from fingertip_agents.suggestion.baselines import is_weekend, measure_hours
from fingertip_metrics.judges.read_back import WordedGoal

GoalKey = tuple[str, str]
"""Package of an app, and the name of a goal within it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HabitRules:
    """Thresholds of the rules on habits.

    Attributes:
        times: Times that a person did something before it is a habit.
        hours: Hours between two times of day up to which they are the same time.
        stale_days: Days without the habit before it may have ended.
        stale_gaps: It has ended if it was not done for this many times the usual days between two times.
        only_workdays: Times, all on workdays, from which on a habit does not belong to weekends.
        only_weekends: Times, all at weekends, from which on a habit does not belong to workdays.
        people: Share of the other people, 0-1, from which on many people do something.
    """

    times: int = 2
    hours: float = 1.5
    stale_days: float = 7.0
    stale_gaps: float = 3.0
    only_workdays: int = 3
    only_weekends: int = 2
    people: float = 0.2


RULES = HabitRules()
"""The thresholds in use."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PastIntent:
    """Something that a person did.

    Attributes:
        goal: The goal with its arguments.
        moment: When.
        place: Scenario of the episode.
    """

    goal: WordedGoal
    moment: datetime
    place: str

    @property
    def key(self) -> GoalKey:
        """The goal without its arguments."""
        return (self.goal.package, self.goal.goal)


@dataclass(frozen=True, slots=True, kw_only=True)
class Habit:
    """All earlier times at which a person did one of some goals, seen from a task.

    Attributes:
        past: These times, oldest first.
        moment: When the task is.
        place: Scenario of the task.
        until: Time of the latest earlier intent of the person, whatever it was.
        rules: Thresholds.
    """

    past: tuple[PastIntent, ...]
    moment: datetime
    place: str
    until: datetime
    rules: HabitRules = RULES

    @property
    def is_habit(self) -> bool:
        """Whether the person did it often enough."""
        return len(self.past) >= self.rules.times

    @property
    def at_this_hour(self) -> tuple[PastIntent, ...]:
        """The intents at the task's time of day."""
        near = self.rules.hours
        return tuple(one for one in self.past if measure_hours(one.moment, self.moment) <= near)

    @property
    def at_this_time(self) -> tuple[PastIntent, ...]:
        """The intents at the task's time of day, on workdays or at weekends as the task is."""
        weekend = is_weekend(self.moment)
        return tuple(one for one in self.at_this_hour if is_weekend(one.moment) == weekend)

    @property
    def is_stale(self) -> bool:
        """Whether the person has not done it for long, and for longer than was usual."""
        if not self.is_habit:
            return False
        usual = (self.past[-1].moment - self.past[0].moment) / (len(self.past) - 1)
        gap = self.until - self.past[-1].moment
        return gap >= max(timedelta(days=self.rules.stale_days), self.rules.stale_gaps * usual)

    @property
    def is_of_another_hour(self) -> bool:
        """Whether it was never done at the task's time of day."""
        return not self.at_this_hour

    @property
    def is_of_other_days(self) -> bool:
        """Whether it was done often enough, and always on workdays for a task at a weekend, or vice versa."""
        weekend = is_weekend(self.moment)
        enough = self.rules.only_workdays if weekend else self.rules.only_weekends
        kinds = {is_weekend(one.moment) for one in self.past}
        return kinds == {not weekend} and len(self.past) >= enough

    @property
    def is_of_another_place(self) -> bool:
        """Whether it was done often enough, and never at the task's place; if possible, at such a time."""
        timely, place = self.at_this_time, self.place.strip()
        past = timely if len(timely) >= self.rules.times else self.past
        away = all(one.place.strip() != place for one in past)
        return bool(place) and self.is_habit and away


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonBefore:
    """Facts of a person before a task.

    Attributes:
        past: All earlier intents that the run's protocol allows, oldest first.
        shown: Of these, the ones that the task shows.
        moment: When the task is.
        place: Its scenario.
    """

    past: tuple[PastIntent, ...]
    shown: tuple[PastIntent, ...]
    moment: datetime
    place: str

    def habit(self, goals: Collection[GoalKey]) -> Habit:
        """The earlier intents with one of these goals."""
        return Habit(
            past=tuple(one for one in self.past if one.key in goals),
            moment=self.moment,
            place=self.place,
            until=self.past[-1].moment if self.past else self.moment,
        )
