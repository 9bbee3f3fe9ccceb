"""Baselines of track 1 without a model: what this person does at this hour and place, did last, does most.

All three know nothing but the earlier intents that the task shows, and are deterministic. Where there are
none they answer with the empty text. The latest and the most frequent are the same at any time and place, so
nothing changes for them where a task hides these.
"""

from __future__ import annotations

import math
import time
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, Self

from rapidfuzz.fuzz import ratio

from fingertip_agents.suggestion_agent import MOST_INTENTS, Suggestion
from fingertip_agents.traits import AgentTraits
from fingertip_dataset.episodes import Intent
from fingertip_dataset.tasks.task import SuggestionInput
from fingertip_dataset.times import in_beijing

if TYPE_CHECKING:
    from fingertip_agents.setup import AgentSetup

HOURS_OF_A_DAY = 24

WeightedIntents = tuple[tuple[str, float], ...]
"""Intents with their probabilities, the likeliest first; the first is the answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HabitSettings:
    """Weights of the votes of `HabitBaseline`; our own, chosen by hand and not tuned on any split.

    Attributes:
        hours: Width of the kernel over the hour of the day.
        other_scenario: Weight of an intent at another place, 0-1.
        other_days: Weight of a weekday's intent at the weekend, and the other way round, 0-1.
    """

    hours: float = 2.0
    other_scenario: float = 0.25
    other_days: float = 0.5


class HabitBaseline:
    """What this user does at this hour and place.

    Each earlier intent i votes for its text with the weight::

        w(i) = exp(-d(i)^2 / (2 * hours^2)) * s(i) * b(i)

    d(i): hours between the two times of day, around midnight, 0-12. s(i): 1 at the same scenario, otherwise
    `other_scenario`. b(i): 1 where both are weekdays or both weekend, otherwise `other_days`. Texts that
    `normalized` makes equal are one candidate; the highest sum wins, of equal sums the most recent one, and
    the answer is its latest wording. Public holidays count as the day of the week that they are. Where the
    task hides the time, hour and day do not weigh; where it hides the place, the place does not.

    Args:
        weights: Weights of the votes; None for our own.
        distribution: Whether to return the next texts too, each with its share of the votes (A.6.5).
    """

    name = "habit"
    traits = AgentTraits(
        tracks=("suggestion",),
        deterministic=True,
        baseline=True,
        in_demo=True,
        summary="What the person wanted before at such an hour.",
    )

    def __init__(self, weights: HabitSettings | None = None, *, distribution: bool = False) -> None:
        self._weights = weights or HabitSettings()
        self._distribution = distribution

    @classmethod
    def from_setup(cls, setup: AgentSetup) -> Self:
        """The agent as a command sets it up."""
        return cls(distribution=setup.distribution)

    @property
    def settings(self) -> Mapping[str, object]:
        """The weights of the votes, and "distribution" if the agent returns one."""
        return asdict(self._weights) | ({"distribution": True} if self._distribution else {})

    def suggest(self, task_input: SuggestionInput) -> Suggestion:
        """The text with the most votes."""
        return timed(self._answer, task_input, distribution=self._distribution)

    def _answer(self, task_input: SuggestionInput) -> WeightedIntents:
        votes: dict[str, list[float]] = {}
        for intent in task_input.previous_intents:
            votes.setdefault(normalized(intent.text), []).append(self._weight(intent, task_input))
        sums = {text: math.fsum(weights) for text, weights in votes.items()}
        return ranked(
            task_input.previous_intents,
            [sums[normalized(intent.text)] for intent in task_input.previous_intents],
        )

    def _weight(self, intent: Intent, task_input: SuggestionInput) -> float:
        weights = self._weights
        here = task_input.scenario.strip()
        place = 1.0 if here in ("", intent.scenario.strip()) else weights.other_scenario
        if task_input.time is None:
            return place
        moment = intent.moment
        now = in_beijing(task_input.time)
        nearness = math.exp(-(hours_apart(moment, now) ** 2) / (2 * weights.hours**2))
        days = 1 if is_weekend(moment) == is_weekend(now) else weights.other_days
        return nearness * place * days


class RecentBaseline:
    """What this user did last."""

    name = "recent"
    traits = AgentTraits(
        tracks=("suggestion",),
        deterministic=True,
        baseline=True,
        in_demo=True,
        summary="What the person wanted last.",
    )
    settings: Mapping[str, object] = MappingProxyType({})

    @classmethod
    def from_setup(cls, setup: AgentSetup) -> Self:
        """The agent as a command sets it up."""
        return cls()

    def suggest(self, task_input: SuggestionInput) -> Suggestion:
        """The latest earlier intent."""
        return timed(
            lambda task_input: tuple((last.text, 1.0) for last in task_input.previous_intents[-1:]),
            task_input,
        )


class FrequentBaseline:
    """What this user does most often, whatever the hour.

    People seldom word an intent the same way twice, so earlier intent i is scored by its similarity to all::

        w(i) = sum over j of ratio(i, j)

    ratio(i, j): Indel similarity of the texts that `normalized` gives, 0-100. The highest sum wins, of equal
    sums the most recent one; where a text repeats often enough, it is the most frequent text.

    Args:
        distribution: Whether to return the next texts too, each with its share of the sums (A.6.5).
    """

    name = "frequent"
    traits = AgentTraits(
        tracks=("suggestion",),
        deterministic=True,
        baseline=True,
        in_demo=True,
        summary="The earlier intent that is most like all the others.",
    )

    def __init__(self, *, distribution: bool = False) -> None:
        self._distribution = distribution

    @classmethod
    def from_setup(cls, setup: AgentSetup) -> Self:
        """The agent as a command sets it up."""
        return cls(distribution=setup.distribution)

    @property
    def settings(self) -> Mapping[str, object]:
        """The similarity measure, and "distribution" if the agent returns one."""
        return {"likeness": "rapidfuzz.fuzz.ratio"} | ({"distribution": True} if self._distribution else {})

    def suggest(self, task_input: SuggestionInput) -> Suggestion:
        """The earlier intent that is most like all the others, in its own wording."""
        return timed(self._answer, task_input, distribution=self._distribution)

    def _answer(self, task_input: SuggestionInput) -> WeightedIntents:
        texts = [normalized(intent.text) for intent in task_input.previous_intents]
        return ranked(
            task_input.previous_intents, [math.fsum(ratio(one, other) for other in texts) for one in texts]
        )


def normalized(text: str) -> str:
    """The text as votes count it: full-width letters, case, blanks and the last full stop do not matter.

    >>> normalized(" 打开QQ音乐。") == normalized("打开ＱＱ音乐")
    True
    """
    return "".join(unicodedata.normalize("NFKC", text).casefold().split()).rstrip("。.!?")


def hours_apart(one: datetime, other: datetime) -> float:
    """Hours between two times of day, around midnight: 0 to 12. Each is read in its own zone.

    >>> hours_apart(datetime(2025, 3, 10, 23, 30), datetime(2025, 3, 12, 1))
    1.5
    """
    apart = abs(_hour(one) - _hour(other))
    return min(apart, HOURS_OF_A_DAY - apart)


def _hour(moment: datetime) -> float:
    return moment.hour + moment.minute / 60 + moment.second / 3600


def is_weekend(moment: datetime) -> bool:
    """Whether it is a Saturday or a Sunday; read in its own zone."""
    return moment.weekday() >= 5


def ranked(intents: Sequence[Intent], scores: Sequence[float]) -> WeightedIntents:
    """The texts of the highest scores, each by its share of theirs.

    Args:
        intents: From the oldest to the latest.
        scores: One per intent, at least 0; texts that `normalized` makes equal have equal scores.

    Returns:
        At most `MOST_INTENTS` texts, each in its latest wording; of equal scores the most recent first.
    """
    found: dict[str, tuple[float, int]] = {}
    for age, (intent, score) in enumerate(zip(intents, scores, strict=True)):
        # sums of the same parts in another order differ in the last bits
        found[normalized(intent.text)] = (float(f"{score:.9g}"), age)
    best = sorted(found.values(), reverse=True)[:MOST_INTENTS]
    total = math.fsum(score for score, _ in best)
    return tuple((intents[age].text, score / total if total else 1 / len(best)) for score, age in best)


def timed(
    answer: Callable[[SuggestionInput], WeightedIntents],
    task_input: SuggestionInput,
    *,
    distribution: bool = False,
) -> Suggestion:
    """Run a baseline and time it; `distribution` keeps all its intents as alternatives."""
    start = time.perf_counter()
    found = answer(task_input)
    return Suggestion(
        text=found[0][0] if found else "",
        seconds=time.perf_counter() - start,
        prompt_tokens=0,
        completion_tokens=0,
        calls=0,
        alternatives=found if distribution else (),
    )
