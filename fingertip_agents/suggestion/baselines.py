"""Baselines of track 1 without a model: the habit of this hour and place, the latest intent, the commonest.

All three use only the earlier intents in the task view, and are deterministic. Without earlier intents they
answer with the empty text. `RecentBaseline` and `FrequentBaseline` ignore time and place, so hiding these
does not change their answers.
"""

from __future__ import annotations

import math
import time
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import TYPE_CHECKING, ClassVar, Self

from rapidfuzz.fuzz import ratio

from fingertip_agents.own_agents import OWN_SUGGESTERS
from fingertip_agents.suggestion.suggestion_agent import MOST_INTENTS, Suggestion
from fingertip_agents.traits import AgentTraits
from fingertip_dataset.episodes import Intent
from fingertip_dataset.tasks.task import SuggestionInput

if TYPE_CHECKING:
    from fingertip_agents.setup import AgentSetup

HOURS_OF_A_DAY = 24

OTHER_PEOPLE = 0.25
"""Share of the weight of an own intent that one of another person has, whom a memory finds similar."""

WeightedIntents = tuple[tuple[str, float], ...]
"""Intents with their probabilities, the most probable first; the first is the answer."""


class SuggestionBaseline(ABC):
    """Agent of track 1 without a model and without settings."""

    name: ClassVar[str]
    traits: ClassVar[AgentTraits]
    _distribution = False

    @classmethod
    def from_setup(cls, setup: AgentSetup) -> Self:
        """Construct the agent for a command."""
        return cls()

    @property
    def settings(self) -> Mapping[str, object]:
        """Settings on which its answers depend."""
        return {}

    def suggest(self, task_input: SuggestionInput) -> Suggestion:
        """Return the most probable intent, in its latest wording."""
        start = time.perf_counter()
        found = self._answer(task_input)
        return Suggestion(
            text=found[0][0] if found else "",
            seconds=time.perf_counter() - start,
            prompt_tokens=0,
            completion_tokens=0,
            calls=0,
            alternatives=found if self._distribution else (),
        )

    def rank(self, task_input: SuggestionInput) -> WeightedIntents:
        """Return the most probable intents, each with its share."""
        return self._answer(task_input)

    @abstractmethod
    def _answer(self, task_input: SuggestionInput) -> WeightedIntents:
        """Return the intents to suggest; empty without earlier ones."""


class WeighingBaseline(SuggestionBaseline):
    """Baseline that weighs the earlier intents, so that it can return several with their shares.

    Args:
        weights: Settings of the weights.
        distribution: Whether to return the next texts too (A.6.5).
    """

    def __init__(self, weights: Mapping[str, object], *, distribution: bool) -> None:
        self._settings = weights
        self._distribution = distribution

    @classmethod
    def from_setup(cls, setup: AgentSetup) -> Self:
        """Construct the agent for a command."""
        return cls(distribution=setup.distribution)  # type: ignore[call-arg]

    @property
    def settings(self) -> Mapping[str, object]:
        """The settings of the weights, and "distribution" if the agent returns one."""
        return {**self._settings, **({"distribution": True} if self._distribution else {})}


@dataclass(frozen=True, slots=True, kw_only=True)
class HabitSettings:
    """Weights of the votes of `HabitBaseline`, set manually and not tuned on any split.

    Attributes:
        hours: Width of the kernel over the hour of the day, hours.
        other_scenario: Weight of an intent at another place, 0-1.
        other_days: Weight of a weekday's intent at the weekend, and vice versa, 0-1.
    """

    hours: float = 2.0
    other_scenario: float = 0.25
    other_days: float = 0.5


class HabitBaseline(WeighingBaseline):
    """Predicts what this user usually does at this hour and place.

    Each earlier intent i votes for its text with the weight::

        w(i) = exp(-d(i)^2 / (2 * hours^2)) * s(i) * b(i)

    d(i): hours between the two times of day, around midnight, 0-12. s(i): 1 at the same scenario, otherwise
    `other_scenario`. b(i): 1 where both are weekdays or both weekend, otherwise `other_days`. Texts that
    `normalize_text` makes equal are one candidate; the highest sum wins, among equal sums the most recent,
    and the answer is its latest wording. Public holidays count as ordinary days of the week. If the task
    hides the time, hour and day have no weight; if it hides the place, the place has none. What a memory
    recalls of other people votes, too, with `OTHER_PEOPLE` of the weight.

    Args:
        weights: Weights of the votes; None for the defaults.
        distribution: Whether to return the next texts too, each with its share of the votes (A.6.5).
    """

    name = "habit"
    traits = OWN_SUGGESTERS["habit"].traits

    def __init__(self, weights: HabitSettings | None = None, *, distribution: bool = False) -> None:
        self._weights = weights or HabitSettings()
        super().__init__(asdict(self._weights), distribution=distribution)

    @classmethod
    def from_setup(cls, setup: AgentSetup) -> HabitBaseline:
        """Construct the agent for a command."""
        return cls(distribution=setup.distribution)

    def _answer(self, task_input: SuggestionInput) -> WeightedIntents:
        votes: dict[str, list[float]] = {}
        for intent in task_input.similar_intents:
            weight = OTHER_PEOPLE * self._weigh(intent, task_input)
            votes.setdefault(normalize_text(intent.text), []).append(weight)
        for intent in task_input.previous_intents:
            votes.setdefault(normalize_text(intent.text), []).append(self._weigh(intent, task_input))
        sums = {text: math.fsum(weights) for text, weights in votes.items()}
        known = (*task_input.similar_intents, *task_input.previous_intents)
        return rank_intents(known, [sums[normalize_text(intent.text)] for intent in known])

    def _weigh(self, intent: Intent, task_input: SuggestionInput) -> float:
        weights = self._weights
        here = task_input.scenario.strip()
        place = 1.0 if here in ("", intent.scenario.strip()) else weights.other_scenario
        if task_input.time is None:
            return place
        moment = intent.moment
        now = task_input.time
        nearness = math.exp(-(measure_hours(moment, now) ** 2) / (2 * weights.hours**2))
        days = 1 if is_weekend(moment) == is_weekend(now) else weights.other_days
        return nearness * place * days


class RecentBaseline(SuggestionBaseline):
    """Predicts the user's latest intent again."""

    name = "recent"
    traits = OWN_SUGGESTERS["recent"].traits

    def _answer(self, task_input: SuggestionInput) -> WeightedIntents:
        return tuple((last.text, 1.0) for last in task_input.previous_intents[-1:])


class FrequentBaseline(WeighingBaseline):
    """Predicts the user's most frequent intent, at any hour.

    People seldom word an intent the same way twice, so earlier intent i is scored by its similarity to all::

        w(i) = sum over j of ratio(i, j)

    ratio(i, j): Indel similarity of the normalized texts, 0-100. The highest sum wins, among equal sums the
    most recent; a text that repeats often enough is the most frequent text.

    Args:
        distribution: Whether to return the next texts too, each with its share of the sums (A.6.5).
    """

    name = "frequent"
    traits = OWN_SUGGESTERS["frequent"].traits

    def __init__(self, *, distribution: bool = False) -> None:
        super().__init__({"likeness": "rapidfuzz.fuzz.ratio"}, distribution=distribution)

    def _answer(self, task_input: SuggestionInput) -> WeightedIntents:
        texts = [normalize_text(intent.text) for intent in task_input.previous_intents]
        return rank_intents(
            task_input.previous_intents, [math.fsum(ratio(one, other) for other in texts) for one in texts]
        )


def normalize_text(text: str) -> str:
    """Normalize a text for comparison: NFKC, case-folded, without whitespace and final punctuation.

    >>> normalize_text(" 打开QQ音乐。") == normalize_text("打开ＱＱ音乐")
    True
    """
    return "".join(unicodedata.normalize("NFKC", text).casefold().split()).rstrip("。.!?")


def measure_hours(one: datetime, other: datetime) -> float:
    """Hours between two times of day on the 24-hour circle, 0 to 12; each in its own time zone.

    >>> measure_hours(datetime(2025, 3, 10, 23, 30), datetime(2025, 3, 12, 1))
    1.5
    """
    apart = abs(_hour(one) - _hour(other))
    return min(apart, HOURS_OF_A_DAY - apart)


def _hour(moment: datetime) -> float:
    return moment.hour + moment.minute / 60 + moment.second / 3600


def is_weekend(moment: datetime) -> bool:
    """Whether a moment is on a Saturday or Sunday in its own time zone."""
    return moment.weekday() >= 5


def rank_intents(intents: Sequence[Intent], scores: Sequence[float]) -> WeightedIntents:
    """The texts with the highest scores, each with its share of the sum of these scores.

    Args:
        intents: Earlier intents, oldest first.
        scores: One per intent, at least 0; texts that `normalize_text` makes equal have equal scores.

    Returns:
        At most `MOST_INTENTS` texts, each in its latest wording; among equal scores the most recent first.
    """
    found: dict[str, tuple[float, int]] = {}
    for age, (intent, score) in enumerate(zip(intents, scores, strict=True)):
        # sums of the same parts in another order differ in the last bits
        found[normalize_text(intent.text)] = (float(f"{score:.9g}"), age)
    best = sorted(found.values(), reverse=True)[:MOST_INTENTS]
    total = math.fsum(score for score, _ in best)
    return tuple((intents[age].text, score / total if total else 1 / len(best)) for score, age in best)
