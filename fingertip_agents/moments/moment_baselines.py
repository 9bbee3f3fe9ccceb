"""Baselines of when to speak: always, never, by the hour alone, and by the person's habits.

All but `never` offer what `HabitBaseline` suggests. The hour and the habits are learned from the training
part of the moments, which is earlier than every test; the settings of the run state what was learned.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from datetime import date, datetime
from typing import TYPE_CHECKING, Self

from rapidfuzz.fuzz import ratio

from fingertip_agents.moments.speaking_rule import SpeakingRule, fit_rule
from fingertip_agents.own_agents import OWN_SUGGESTERS
from fingertip_agents.suggestion.baselines import (
    HabitBaseline,
    HabitSettings,
    is_weekend,
    measure_hours,
    normalize_text,
)
from fingertip_agents.suggestion.suggestion_agent import SILENT, Suggestion
from fingertip_dataset.errors import UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.split_names import TRAIN_MOMENTS
from fingertip_dataset.tasks.feedback import REJECTIONS
from fingertip_dataset.tasks.moments import INTENT
from fingertip_dataset.tasks.task import TASK_COLUMNS, SuggestionInput, SuggestionTask, suggestion_task

if TYPE_CHECKING:
    from fingertip_agents.setup import AgentSetup

HALF = 0.5

HOURS_OF_DAY = 24

JUST_MINUTES = 12.0
"""Largest age of an intent that counts as carried out just before, minutes."""

KERNEL_HOURS = 1.0
"""Width of the kernel over the time of day by which a habit is strong at a moment, hours."""

OTHER_PLACE, OTHER_DAYS = 0.1, 0.3
"""Weights of an intent at another place, and of a weekday's at the weekend and vice versa; set by hand."""

LEAST_VOTES = 0.05
"""Added to sums before their logarithm, for moments that no earlier intent speaks for."""

ALIKE = 85.0
"""Least likeness of two texts, 0 to 100, at which a rejected offer counts as the same."""

FEEDBACK_WEIGHT = 0.5
"""Weight of a person's answers in the logarithm of the odds of "wanted"; set by hand."""


class AlwaysBaseline(HabitBaseline):
    """Offers the likeliest intent at every moment."""

    name = "always"
    traits = OWN_SUGGESTERS["always"].traits

    @classmethod
    def from_setup(cls, setup: AgentSetup) -> Self:
        """Construct the agent for a command."""
        return cls()

    @property
    def settings(self) -> Mapping[str, object]:
        """The weights of the habits, of which it offers the strongest."""
        return {"moments": True, **super().settings}

    def suggest(self, task_input: SuggestionInput) -> Suggestion:
        """Return the likeliest intent; silence only without any earlier one."""
        found = super().suggest(task_input)
        return _make_answer(found.text, found.seconds, 1.0)


class NeverBaseline:
    """Never offers anything."""

    name = "never"
    traits = OWN_SUGGESTERS["never"].traits

    @classmethod
    def from_setup(cls, setup: AgentSetup) -> Self:
        """Construct the agent for a command."""
        return cls()

    @property
    def settings(self) -> Mapping[str, object]:
        """No settings."""
        return {"moments": True}

    def suggest(self, task_input: SuggestionInput) -> Suggestion:
        """Stay silent."""
        return _make_answer("", 0.0, 0.0)


class HourBaseline(HabitBaseline):
    """Speaks in the hours of the day in which most training moments, of all people, had an intent.

    Its confidence is the share of these moments, (wanted + 1) / (moments + 2), which is 1/2 without any. It
    offers the likeliest intent. Moments with and without an intent are equally often at each hour, so that it
    measures chance.

    Args:
        shares: Share of each hour, 24 numbers; see `count_hours`.
    """

    name = "hour"
    traits = OWN_SUGGESTERS["hour"].traits

    def __init__(self, shares: tuple[float, ...]) -> None:
        super().__init__()
        if len(shares) != HOURS_OF_DAY:
            raise UsageError(f"expected a share for each of {HOURS_OF_DAY} hours, got {len(shares)}")
        self._shares = shares

    @classmethod
    def from_setup(cls, setup: AgentSetup) -> Self:
        """Construct the agent for a command.

        Raises:
            UsageError: The setup has no dataset, or that has no moments.
        """
        return cls(count_hours(_open_dataset(cls.name, setup)))

    @property
    def settings(self) -> Mapping[str, object]:
        """The shares, and the weights of the habits."""
        return {
            "moments": True,
            "learned_from": TRAIN_MOMENTS,
            "hour_shares": self._shares,
            **super().settings,
        }

    def suggest(self, task_input: SuggestionInput) -> Suggestion:
        """Return the likeliest intent where the hour speaks for one; 1/2 does if the time is hidden."""
        share = HALF if task_input.time is None else self._shares[task_input.time.hour]
        found = super().suggest(task_input)
        return _make_answer(found.text if share >= HALF else "", found.seconds, share)


class MomentHabit(HabitBaseline):
    """Speaks where the person's habits make it likely enough that something is wanted.

    The features of a moment are the logarithms of two sums over earlier intents, those of earlier days, whose
    sum is divided by the days that they span, and those of today, which may be done; and whether one is at
    most `JUST_MINUTES` old. Each counts as::

        w(i) = exp(-d(i)^2 / (2 * hours^2)) * s(i) * b(i)

    with the symbols of `HabitBaseline`, a narrower kernel and smaller weights. A `SpeakingRule` weighs the
    features. The offer is the likeliest intent.

    In a month in order the person's answers shift the logarithm of the odds by `FEEDBACK_WEIGHT` times
    log(1 + a) - log(1 + r): a and r are the sums of w over accepted and over rejected offers. Where the
    person has rejected the likeliest intent, with "never" at any time or with "not now" today, there is none.

    Args:
        rule: The rule; see `fit_habit`.
        fitted: Number of moments that it was fitted on.
        weights: Weights of the votes for what is offered; None for the defaults.
    """

    def __init__(self, rule: SpeakingRule, *, fitted: int, weights: HabitSettings | None = None) -> None:
        super().__init__(weights)
        self._rule, self._fitted = rule, fitted

    @classmethod
    def from_setup(cls, setup: AgentSetup) -> Self:
        """Construct the agent for a command.

        Raises:
            UsageError: The setup has no dataset, or that has no moments.
        """
        tasks = list(read_training_moments(_open_dataset(cls.name, setup)))
        return cls(fit_habit(tasks), fitted=len(tasks))

    @property
    def settings(self) -> Mapping[str, object]:
        """The rule with its threshold, what it was learned from, and the weights of the votes."""
        return {
            "moments": True,
            "learned_from": TRAIN_MOMENTS,
            "learned_moments": self._fitted,
            "feedback_weight": FEEDBACK_WEIGHT,
            **asdict(self._rule),
            **super().settings,
        }

    def suggest(self, task_input: SuggestionInput) -> Suggestion:
        """Return the likeliest intent if it was not rejected, or silence, with a confidence."""
        start = time.perf_counter()
        confidence = round(self._estimate(task_input), 6)
        text = ""
        if self._rule.speaks(confidence):
            text = next((text for text, _ in self.rank(task_input)), "")
        offer = "" if is_rejected(text, task_input) else text
        return _make_answer(offer, time.perf_counter() - start, confidence)

    def _estimate(self, task_input: SuggestionInput) -> float:
        """Probability that something is wanted, by the habits and the person's answers."""
        wanted = self._rule.estimate(measure_habit(task_input))
        shift = FEEDBACK_WEIGHT * measure_feedback(task_input)
        return wanted if shift == 0 else wanted / (wanted + (1 - wanted) * math.exp(-shift))


def read_training_moments(built: BuiltDataset) -> Iterator[SuggestionTask]:
    """Read the moments of the training part, each with the latest earlier intents of its own row.

    Raises:
        UsageError: The dataset has no moments.
    """
    for row in built.rows(TRAIN_MOMENTS, columns=(*TASK_COLUMNS, "kind", "previous_intents")):
        yield suggestion_task(row)


def count_hours(built: BuiltDataset) -> tuple[float, ...]:
    """Count, for each hour of the day, the share of training moments with an intent; see `HourBaseline`.

    Raises:
        UsageError: The dataset has no moments.
    """
    wanted, every = Counter[int](), Counter[int]()
    for row in built.rows(TRAIN_MOMENTS, columns=("time", "kind")):
        every[row["time"].hour] += 1
        wanted[row["time"].hour] += row["kind"] == INTENT
    return tuple(round((wanted[hour] + 1) / (every[hour] + 2), 4) for hour in range(HOURS_OF_DAY))


def fit_habit(tasks: Iterable[SuggestionTask]) -> SpeakingRule:
    """Fit the rule of `MomentHabit`.

    Args:
        tasks: Moments of the training part.
    """
    return fit_rule([(measure_habit(task.input), task.target.kind == INTENT) for task in tasks])


def measure_habit(task_input: SuggestionInput) -> tuple[float, float, float]:
    """Measure the features of "wanted" of a moment; see `MomentHabit`."""
    now, here = task_input.time, task_input.scenario.strip()
    today: date | None = now.date() if now else None
    before, earlier_today, just = [0.0], [0.0], False
    first: date | None = None
    for intent in task_input.previous_intents:
        place = 1.0 if here in ("", intent.scenario.strip()) else OTHER_PLACE
        if now is None or not intent.time:
            before.append(place)
            continue
        moment = intent.moment
        day = moment.date()
        first = first or day
        apart = measure_hours(moment, now)
        days = 1.0 if is_weekend(moment) == is_weekend(now) else OTHER_DAYS
        weight = place * days * math.exp(-(apart**2) / (2 * KERNEL_HOURS**2))
        (earlier_today if day == today else before).append(weight)
        just = just or 0 <= (now - moment).total_seconds() <= JUST_MINUTES * 60
    span = max(1, (today - first).days) if today and first else 1
    strength = math.log(math.fsum(before) / span + LEAST_VOTES)
    return strength, math.log(math.fsum(earlier_today) + LEAST_VOTES), float(just)


def measure_feedback(task_input: SuggestionInput) -> float:
    """Measure how far the person's answers near this hour, at this place and on such days speak for an offer.

    The measure is log(1 + accepted) - log(1 + rejected); 0 without an answer. See `MomentHabit`.
    """
    now, here = task_input.time, task_input.scenario.strip()
    sums = {"accepted": 1.0, "rejected": 1.0}
    for offer in task_input.feedback:
        kind = "rejected" if offer.feedback in REJECTIONS else offer.feedback
        if kind not in sums:
            continue
        weight = 1.0 if here in ("", offer.scenario.strip()) else OTHER_PLACE
        if now is not None and offer.time:
            moment = datetime.fromisoformat(offer.time)
            weight *= 1.0 if is_weekend(moment) == is_weekend(now) else OTHER_DAYS
            weight *= math.exp(-(measure_hours(moment, now) ** 2) / (2 * KERNEL_HOURS**2))
        sums[kind] += weight
    return math.log(sums["accepted"]) - math.log(sums["rejected"])


def is_rejected(text: str, task_input: SuggestionInput) -> bool:
    """Whether the person has rejected a suggestion for good, or today; see `SuggestionInput.feedback`."""
    now = task_input.time
    return any(
        ratio(normalize_text(text), normalize_text(offer.text)) >= ALIKE
        for offer in task_input.feedback
        if offer.feedback == "never"
        or (offer.feedback == "not_now" and now is not None and offer.time[:10] == now.date().isoformat())
    )


def _make_answer(text: str, seconds: float, confidence: float) -> Suggestion:
    """Make an answer without a model; no text is silence."""
    return Suggestion(
        text=text,
        seconds=seconds,
        prompt_tokens=0,
        completion_tokens=0,
        calls=0,
        outcome="answered" if text else SILENT,
        confidence=confidence,
    )


def _open_dataset(agent: str, setup: AgentSetup) -> BuiltDataset:
    if setup.dataset is None:
        raise UsageError(f"the agent {agent} learns from the dataset: give its setup dataset=PATH")
    return BuiltDataset.open(setup.dataset)
