"""Nearest-neighbour baseline of track 1: earlier moments by time of day, weekday, place and recency."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from datetime import datetime

from rapidfuzz.fuzz import ratio

from fingertip_agents.own_agents import OWN_SUGGESTERS
from fingertip_agents.suggestion.baselines import (
    WeighingBaseline,
    WeightedIntents,
    is_weekend,
    measure_hours,
    normalize_text,
    rank_intents,
)
from fingertip_dataset.episodes import Intent
from fingertip_dataset.tasks.task import SuggestionInput

SECONDS_OF_A_DAY = 24 * 60 * 60


@dataclass(frozen=True, slots=True, kw_only=True)
class NearestSettings:
    """Weights of the votes of `Nearest`, set manually and not tuned on any split.

    Attributes:
        moments: Number of nearest earlier intents that vote.
        hours: Width of the kernel over the hour of the day, hours.
        same_kind_of_day: Weight of another day of the week of the same kind, weekday or weekend, 0-1.
        other_kind_of_day: Weight of a weekday's intent at the weekend, and vice versa, 0-1.
        other_scenario: Weight of an intent at another place, 0-1.
        half_life_days: Age at which an intent has half the weight, days.
    """

    moments: int = 10
    hours: float = 1.5
    same_kind_of_day: float = 0.8
    other_kind_of_day: float = 0.4
    other_scenario: float = 0.25
    half_life_days: float = 30.0


class Nearest(WeighingBaseline):
    """Predicts what this user did in the most similar earlier moments.

    The nearness of each earlier intent i is::

        w(i) = exp(-d(i)^2 / (2 * hours^2)) * b(i) * s(i) * 2^(-a(i) / half_life_days)

    d(i): hours between the two times of day, around midnight, 0-12. b(i): 1 on the same day of the week,
    otherwise `same_kind_of_day` or `other_kind_of_day`. s(i): 1 at the same scenario, otherwise
    `other_scenario`. a(i): days from i to the latest earlier intent. The `moments` nearest intents vote,
    among equally near ones the more recent. People seldom word an intent the same way twice, so a vote also
    counts for similar texts::

        v(i) = sum over voting j of w(j) * ratio(i, j) / 100

    ratio(i, j): Indel similarity of the normalized texts, 0-100. The voter with the highest v(i) wins,
    among equal ones the most recent, in its own wording. If the task hides the time, d, b and a have no
    weight; if it hides the place, s has none.

    Args:
        weights: Weights of the votes; None for the defaults.
        distribution: Whether to return the next texts too, each with its share of the votes (A.6.5).
    """

    name = "nearest"
    traits = OWN_SUGGESTERS["nearest"].traits

    def __init__(self, weights: NearestSettings | None = None, *, distribution: bool = False) -> None:
        self._weights = weights or NearestSettings()
        super().__init__(asdict(self._weights), distribution=distribution)

    def _answer(self, task_input: SuggestionInput) -> WeightedIntents:
        intents = task_input.previous_intents
        weights = [self._weigh(intent, task_input) for intent in intents]
        nearest = sorted(range(len(intents)), key=lambda number: (weights[number], number), reverse=True)
        voters = sorted(nearest[: self._weights.moments])
        texts = {number: normalize_text(intents[number].text) for number in voters}
        votes = [
            math.fsum(weights[other] * ratio(texts[number], texts[other]) / 100 for other in voters)
            for number in voters
        ]
        return rank_intents([intents[number] for number in voters], votes)

    def _weigh(self, intent: Intent, task_input: SuggestionInput) -> float:
        weights, here = self._weights, task_input.scenario.strip()
        place = 1.0 if here in ("", intent.scenario.strip()) else weights.other_scenario
        if task_input.time is None:
            return place
        age = (task_input.previous_intents[-1].moment - intent.moment).total_seconds() / SECONDS_OF_A_DAY
        weight = place * math.exp2(-age / weights.half_life_days)
        now = task_input.time
        apart = measure_hours(intent.moment, now)
        return weight * self._weigh_day(intent.moment, now) * math.exp(-(apart**2) / (2 * weights.hours**2))

    def _weigh_day(self, one: datetime, other: datetime) -> float:
        if one.weekday() == other.weekday():
            return 1.0
        alike = is_weekend(one) == is_weekend(other)
        return self._weights.same_kind_of_day if alike else self._weights.other_kind_of_day
