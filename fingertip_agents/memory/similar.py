"""Memory that fills a short history with what similar people wanted before at such moments."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, astuple, dataclass
from typing import Self

from fingertip_agents.memory.event import Event
from fingertip_agents.memory.event_memory import EventMemory, take_latest
from fingertip_agents.memory.memory import Recollection
from fingertip_agents.memory.memory_setup import MemorySetup, OtherPerson
from fingertip_agents.suggestion.baselines import is_weekend, measure_hours, normalize_text
from fingertip_dataset.episodes import Intent, UserProfile
from fingertip_dataset.tasks.history import HISTORY_LIMIT
from fingertip_dataset.tasks.task import ExecutionInput, SuggestionInput


@dataclass(frozen=True, slots=True, kw_only=True)
class SimilarSettings:
    """Settings of `SimilarPeople`, set manually and not tuned on any split.

    Attributes:
        people: Number of similar people.
        intents: Number of intents, own and others' together.
        years: Difference of age that halves the likeness of two ages.
        hours: Width of the kernel over the hour of the day, hours.
        other_scenario: Weight of another place, 0-1.
        other_days: Weight of the weekend for an intent of a weekday, and vice versa, 0-1.
    """

    people: int = 5
    intents: int = HISTORY_LIMIT
    years: float = 10.0
    hours: float = 2.0
    other_scenario: float = 0.25
    other_days: float = 0.5


class SimilarPeople(EventMemory):
    """Recalls the latest 20 own intents, and in place of those that are missing what similar people wanted.

    Others are people of the training part who write the same language, with what they wanted there strictly
    before the task. The likeness of two people is the sum of: the share of the profile's fields that are
    equal (of the age: 2^(-difference / years)), and the share of their pairs of characters that both have in
    what they wanted (Jaccard index). Of the most similar people those intents are taken that were wanted at
    the most similar moments, by the weights of `HabitBaseline`.

    Args:
        setup: Setup with the other people.
        weights: Settings; None for the defaults.
    """

    name = "similar"

    def __init__(self, setup: MemorySetup, weights: SimilarSettings | None = None) -> None:
        super().__init__()
        self._setup = setup
        self._weights = weights or SimilarSettings()
        self._pairs: set[str] = set()
        self._chosen: tuple[object, frozenset[str]] = (None, frozenset())

    @classmethod
    def from_setup(cls, setup: MemorySetup) -> Self:
        """Construct the memory of a person."""
        return cls(setup)

    @property
    def settings(self) -> Mapping[str, object]:
        """The settings of the comparison."""
        return asdict(self._weights)

    def observe(self, event: Event) -> None:
        """Keep an event."""
        super().observe(event)
        if event.kind == "episode":
            self._pairs |= _list_pairs(event.intent)

    def recall(self, task: SuggestionInput | ExecutionInput, budget: int) -> Recollection:
        """Return own intents, and in the rest of the budget those of similar people."""
        own = take_latest(self.intents[-self._weights.intents :], budget)
        missing = self._weights.intents - len(own)
        if not missing:
            return Recollection(intents=own)
        found = self._choose_intents(task, missing)
        left = budget - Recollection(intents=own).size
        return Recollection(intents=own, similar_intents=take_latest(found, left))

    def _choose_intents(self, task: SuggestionInput | ExecutionInput, most: int) -> list[Intent]:
        """Return intents of the most similar people at the most similar moments, oldest first."""
        alike = self._choose_people(task.profile)
        near = [
            (self._weigh(intent, task), intent)
            for other in self._setup.list_others()
            if other.user_id in alike
            for intent in other.intents
        ]
        near.sort(key=lambda pair: (-pair[0], pair[1].user_id, pair[1].time))
        return sorted((intent for _, intent in near[:most]), key=lambda intent: intent.moment)

    def _choose_people(self, profile: UserProfile) -> frozenset[str]:
        """Return the ids of the most similar people, compared once a day and after each own intent."""
        now = self._setup.clock.now
        stand = (now.date() if now else None, len(self.intents), profile)
        if self._chosen[0] != stand:
            others = [other for other in self._setup.list_others() if other.intents]
            others.sort(key=lambda other: (-self._compare(profile, other), other.user_id))
            alike = frozenset(other.user_id for other in others[: self._weights.people])
            self._chosen = (stand, alike)
        return self._chosen[1]

    def _compare(self, profile: UserProfile, other: OtherPerson) -> float:
        """Likeness of the person and another one, 0 to 2."""
        known = [
            (one, two)
            for one, two in zip(astuple(profile), astuple(other.profile), strict=True)
            if one is not None
        ]
        equal = sum(
            2 ** (-abs(one - two) / self._weights.years)
            if isinstance(one, int) and isinstance(two, int)
            else one == two
            for one, two in known
        )
        pairs = {pair for intent in other.intents for pair in _list_pairs(intent)}
        both = len(pairs | self._pairs)
        return equal / max(len(known), 1) + (len(pairs & self._pairs) / both if both else 0)

    def _weigh(self, intent: Intent, task: SuggestionInput | ExecutionInput) -> float:
        weights, here = self._weights, task.scenario.strip()
        place = 1.0 if here in ("", intent.scenario.strip()) else weights.other_scenario
        if task.time is None:
            return place
        days = 1 if is_weekend(intent.moment) == is_weekend(task.time) else weights.other_days
        return (
            place * days * math.exp(-(measure_hours(intent.moment, task.time) ** 2) / (2 * weights.hours**2))
        )


def _list_pairs(intent: Intent) -> set[str]:
    """Return the pairs of neighbouring characters of an intent."""
    text = normalize_text(intent.text)
    return {text[place : place + 2] for place in range(len(text) - 1)}
