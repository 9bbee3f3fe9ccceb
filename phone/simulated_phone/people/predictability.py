"""How far a person's next intent can be known: by someone who knows the routine, but not the draws.

The month of a person is drawn from a routine. The same person's months with other draws
(`planned_month(draw=n)`) are a sample of what might have been; an intent of the actual month is predicted
from those of the sample that come at such a time, day and place. The share of right predictions estimates
the ceiling of track 1 for this person, and the mean of -log2 of the actual intent's probability its entropy.
Both are estimates: the sample is finite.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from simulated_phone.goals.app_definition import App
from simulated_phone.people.person import Person
from simulated_phone.people.routine import FIRST_DAY, PlannedIntent, plan_month

MINUTES, DAYS_APART = 12.0, 2.0
"""Widths of the kernels: minutes of the day, and days of the month."""
OTHER_PLACE = 0.05
"""Weight of a sampled intent at another place."""
RAREST = 1e-4
"""Probability that is given to an intent that is not in the sample."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Predictability:
    """Predictability of a person's month.

    Attributes:
        goals: Share of intents, 0-1, whose app and goal are predicted.
        intents: Share, 0-1, whose app, goal and arguments are predicted.
        goal_bits: Entropy of app and goal given time, day and place, bits an intent.
        intent_bits: The same with the arguments.
    """

    goals: float
    intents: float
    goal_bits: float
    intent_bits: float


def measure_predictability(
    person: Person, apps: Sequence[App], count: int, *, draws: int = 200
) -> Predictability:
    """Estimate the predictability of a person's month of `count` intents.

    Args:
        person: The person.
        apps: Apps with goals.
        count: Number of intents of a month.
        draws: Number of other months in the sample.
    """
    actual = plan_month(person, apps, count)
    sample = [one for draw in range(1, draws + 1) for one in plan_month(person, apps, count, draw=draw)]
    goals = _estimate(actual, sample, [goal_key(one) for one in actual], [goal_key(one) for one in sample])
    whole = _estimate(
        actual, sample, [intent_key(one) for one in actual], [intent_key(one) for one in sample]
    )
    return Predictability(goals=goals[0], intents=whole[0], goal_bits=goals[1], intent_bits=whole[1])


def goal_key(one: PlannedIntent) -> str:
    """App and goal as one text."""
    return f"{one.app.package} {one.goal.name}"


def intent_key(one: PlannedIntent) -> str:
    """App, goal and arguments as one text."""
    return f"{goal_key(one)} {json.dumps(dict(one.case), sort_keys=True, ensure_ascii=False)}"


def _estimate(
    actual: Sequence[PlannedIntent],
    sample: Sequence[PlannedIntent],
    right: Sequence[str],
    keys: Sequence[str],
) -> tuple[float, float]:
    """Share of right predictions, and the mean of -log2 of the right one's probability."""
    names, place = np.unique(np.array(keys), return_inverse=True)
    index = {str(name): at for at, name in enumerate(names)}
    minute, day, weekend = (np.array(values) for values in zip(*map(_describe_time, sample), strict=True))
    scenario = np.array([one.place for one in sample])
    hits, bits = 0, 0.0
    for one, key in zip(actual, right, strict=True):
        own_minute, own_day, own_weekend = _describe_time(one)
        weights = np.exp(
            -(((minute - own_minute) / MINUTES) ** 2) / 2 - (((day - own_day) / DAYS_APART) ** 2) / 2
        )
        weights *= np.where(scenario == one.place, 1.0, OTHER_PLACE) * (weekend == own_weekend)
        shares = np.bincount(place, weights=weights, minlength=len(names))
        total = float(shares.sum())
        hits += int(total > 0 and str(names[int(shares.argmax())]) == key)
        share = float(shares[index[key]]) / total if key in index and total > 0 else 0.0
        bits -= math.log2(max(RAREST, share))
    return hits / len(actual), bits / len(actual)


def _describe_time(one: PlannedIntent) -> tuple[float, int, bool]:
    """Minute of the day, day of the month from 0, and whether it is the weekend."""
    moment = one.moment
    return 60 * moment.hour + moment.minute, (moment.date() - FIRST_DAY).days, moment.weekday() > 4
