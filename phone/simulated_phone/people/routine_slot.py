"""A habit of a person: a goal that recurs at an hour and place."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from simulated_phone.goals.app_definition import App, Arguments, Goal

DAYS = 28
"""Days of the simulated month."""
FAVOURITE = 0.6
"""Probability of the favourite arguments; otherwise each of the habit's arguments is as likely."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutineSlot:
    """A recurring goal of a person.

    Args:
        app: The goal's app.
        goal: The goal.
        cases: Argument sets of the goal, the favourite first.
        minute: Mean time of day, minutes after midnight.
        days: Weekdays, 0 is Monday.
        places: Place on workdays and place at the weekend, as scenarios of the release.
        rank: The person's preference among the routine's goals, from 0.
        first_day: Day of the month from which on it recurs.
        last_day: Day of the month before which it ends.
    """

    app: App
    goal: Goal
    cases: tuple[Arguments, ...]
    minute: int
    days: Sequence[int]
    places: tuple[str, str]
    rank: int
    first_day: int = 0
    last_day: int = DAYS

    def recurs(self, day: int) -> bool:
        """Whether the person may have the goal on a day of the month."""
        return self.first_day <= day < self.last_day and day % 7 in self.days

    def case(self, rng: random.Random) -> Arguments:
        """Draw an argument set: mostly the favourite."""
        return self.cases[0] if rng.random() < FAVOURITE else rng.choice(self.cases)
