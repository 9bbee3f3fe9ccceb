"""Memory of habits: what a person does again and again, when and where, and what they refuse."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime

from rapidfuzz import fuzz, process

from fingertip_agents.memory.event import Event
from fingertip_agents.memory.event_memory import EventMemory, take_latest
from fingertip_agents.memory.memory import Recollection
from fingertip_agents.memory.memory_words import MemoryWords, get_words, one_line, take_lines
from fingertip_agents.suggestion.baselines import (
    HOURS_OF_A_DAY,
    is_weekend,
    measure_hours,
    normalize_text,
)
from fingertip_dataset.episodes import Intent
from fingertip_dataset.tasks.task import ExecutionInput, SuggestionInput

SECONDS_OF_A_DAY = 24 * 60 * 60
DAYS_OF_A_WEEK = 7
OF_A_PART = 0.9
"""Share of the likeness of a part of a text that counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HabitTableSettings:
    """Settings of `HabitTable`, set manually and not tuned on any split.

    Attributes:
        alike: Smallest likeness of two texts of one habit, 0-100.
        least: Smallest number of times of a habit in the table.
        most_intents: Largest number of intents that are recalled word for word.
        hours: Width of the kernel over the hour of the day, hours.
        other_scenario: Weight of another place, 0-1.
        other_days: Weight of the weekend for a habit of weekdays, and vice versa, 0-1.
        half_life_days: Age at which an event has half the weight, days.
    """

    alike: float = 72.0
    least: int = 2
    most_intents: int = 12
    hours: float = 2.0
    other_scenario: float = 0.25
    other_days: float = 0.5
    half_life_days: float = 21.0


@dataclass(slots=True)
class _Habit:
    """A habit: its key text, its occurrences, and the answers to suggestions of it."""

    key: str
    intents: list[Intent] = field(default_factory=list)
    refusals: list[Event] = field(default_factory=list)
    unwanted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Now:
    """The moment of a task, as far as the task shows it, and the end of what is known."""

    time: datetime | None
    place: str
    wanted: str
    latest: datetime


class HabitTable(EventMemory):
    """Groups intents of similar words into habits, and recalls those that fit the moment.

    - An intent belongs to the habit whose latest words are most like its own, if their likeness is at least
      `alike`: the larger of Indel similarity and `OF_A_PART` of the similarity of the best matching part.
    - The table has a line for each habit of at least `least` times: its usual time of day, days, place,
      latest words, number of times and last day, and how often it was refused when offered. The habits with
      the largest weight come first.
    - The most fitting intents are recalled word for word, by the weight of `HabitBaseline` times
      2^(-age / half_life_days). A habit is left out where refusals ("not now") outweigh its intents; one that
      the person refused with "never" is, until they do it again. On track 2 the likeness to the task's intent
      takes the place of time and place that the task hides.

    Time and space are linear in the number of events.

    Args:
        weights: Settings; None for the defaults.
    """

    name = "habits"

    def __init__(self, weights: HabitTableSettings | None = None) -> None:
        super().__init__()
        self._weights = weights or HabitTableSettings()
        self._habits: list[_Habit] = []
        self._keys: list[str] = []
        self._of_text: dict[str, int] = {}

    @property
    def settings(self) -> Mapping[str, object]:
        """The settings of the table."""
        return asdict(self._weights)

    def observe(self, event: Event) -> None:
        """Take an event in, and put it to its habit."""
        super().observe(event)
        if event.kind in ("accepted", "ignored"):
            # what is accepted follows as an episode, and who ignores says nothing of the suggestion
            return
        habit = self._find_habit(event.text)
        if event.kind == "episode":
            habit.intents.append(event.intent)
            habit.unwanted = False
        else:
            habit.refusals.append(event)
            habit.unwanted |= event.kind == "never"

    def recall(self, task: SuggestionInput | ExecutionInput, budget: int) -> Recollection:
        """Return the table, and the intents that fit the moment in at most half the budget."""
        if not self.events:
            return Recollection()
        now = _find_moment(task, self.events[-1].time)
        weighed = [(habit, self._weigh_all(habit, now)) for habit in self._habits]
        intents = take_latest(self._choose_intents(weighed), budget // 2)
        left = budget - Recollection(intents=intents).size
        lines = _write_table(weighed, get_words(task.language), self._weights.least)
        return Recollection(intents=intents, text="\n".join(take_lines(lines, left)))

    def _find_habit(self, text: str) -> _Habit:
        """Return the habit of a text, a new one if none is like it."""
        key = normalize_text(text)
        number = self._of_text.get(key)
        if number is None:
            number = self._find_alike(key)
            if number is None:
                number = len(self._habits)
                self._habits.append(_Habit(key))
                self._keys.append(key)
            self._of_text[key] = number
        self._habits[number].key = self._keys[number] = key
        return self._habits[number]

    def _find_alike(self, key: str) -> int | None:
        """Return the number of the habit that is most like a text, or None if none is like it."""
        alike = self._weights.alike
        # one call for each scorer: called back from Python for each text it would take ten times as long
        whole = process.extractOne(key, self._keys, scorer=fuzz.ratio, score_cutoff=alike)
        part = process.extractOne(
            key, self._keys, scorer=fuzz.partial_ratio, score_cutoff=min(alike / OF_A_PART, 100)
        )
        scores = [(found[1] * share, found[2]) for found, share in ((whole, 1), (part, OF_A_PART)) if found]
        return max(scores)[1] if scores else None

    def _weigh_all(self, habit: _Habit, now: _Now) -> tuple[list[float], float]:
        """Return the weights of the habit's intents at a moment, and of its refusals."""
        likeness = _measure_likeness(normalize_text(now.wanted), habit.key) / 100 if now.wanted else 1.0
        refused = sum(self._weigh(event.intent, now) for event in habit.refusals)
        return [likeness * self._weigh(intent, now) for intent in habit.intents], refused

    def _weigh(self, intent: Intent, now: _Now) -> float:
        weights, moment = self._weights, intent.moment
        age = (now.latest - moment).total_seconds() / SECONDS_OF_A_DAY
        weight = math.exp2(-age / weights.half_life_days)
        if now.place and now.place != intent.scenario.strip():
            weight *= weights.other_scenario
        if now.time is None:
            return weight
        weight *= 1 if is_weekend(moment) == is_weekend(now.time) else weights.other_days
        return weight * math.exp(-(measure_hours(moment, now.time) ** 2) / (2 * weights.hours**2))

    def _choose_intents(self, weighed: Sequence[tuple[_Habit, tuple[list[float], float]]]) -> list[Intent]:
        """Return the intents with the largest weights, oldest first."""
        found = [
            (weight, intent)
            for habit, (weights, refused) in weighed
            if not habit.unwanted and refused <= sum(weights)
            for weight, intent in zip(weights, habit.intents, strict=True)
        ]
        found.sort(key=lambda pair: (pair[0], pair[1].moment), reverse=True)
        chosen = [intent for _, intent in found[: self._weights.most_intents]]
        return sorted(chosen, key=lambda intent: intent.moment)


def _measure_likeness(one: str, other: str) -> float:
    """Likeness of two texts, 0-100: one may have a word of time or place more than the other."""
    return max(fuzz.ratio(one, other), OF_A_PART * fuzz.partial_ratio(one, other))


def _find_moment(task: SuggestionInput | ExecutionInput, latest: datetime) -> _Now:
    wanted = task.intent if isinstance(task, ExecutionInput) else ""
    return _Now(time=task.time, place=task.scenario.strip(), wanted=wanted, latest=latest)


def _write_table(
    weighed: Iterable[tuple[_Habit, tuple[list[float], float]]], words: MemoryWords, least: int
) -> Iterator[str]:
    """Yield a line for each habit, the largest weight first, after what the person never wants."""
    ranked = sorted(weighed, key=lambda pair: sum(pair[1][0]), reverse=True)
    for habit, _ in ranked:
        if habit.unwanted:
            yield words.unwanted.format(one_line(habit.refusals[-1].text))
    for habit, _ in ranked:
        if not habit.unwanted and (len(habit.intents) >= least or (habit.refusals and habit.intents)):
            yield _write_row(habit, words)


def _write_row(habit: _Habit, words: MemoryWords) -> str:
    last = habit.intents[-1]
    minutes = round(_find_usual_hour(habit.intents) * 60 / 10) * 10 % (HOURS_OF_A_DAY * 60)
    places = [one_line(intent.scenario) for intent in habit.intents]
    row = words.row.format(
        time=f"{minutes // 60:02}:{minutes % 60:02}",
        days=_describe_days([intent.moment for intent in habit.intents], words),
        place=max(places, key=places.count) or "-",
        text=one_line(last.text),
        count=len(habit.intents),
        last=f"{last.moment:%m-%d}",
    )
    if habit.refusals:
        row += words.refused.format(len(habit.refusals), f"{habit.refusals[-1].time:%m-%d %H:%M}")
    return row


def _find_usual_hour(intents: Sequence[Intent]) -> float:
    """Return the mean time of day, hours, on the 24-hour circle."""
    turns = [
        (moment.hour + moment.minute / 60) / HOURS_OF_A_DAY * math.tau
        for moment in (intent.moment for intent in intents)
    ]
    angle = math.atan2(math.fsum(map(math.sin, turns)), math.fsum(map(math.cos, turns)))
    return angle / math.tau * HOURS_OF_A_DAY % HOURS_OF_A_DAY


def _describe_days(moments: Sequence[datetime], words: MemoryWords) -> str:
    """Name the days that have at least four fifths of the moments: one of the week, or its part."""
    most = 0.8 * len(moments)
    days = [moment.weekday() for moment in moments]
    usual = max(range(DAYS_OF_A_WEEK), key=days.count)
    if len(moments) > 2 and days.count(usual) >= most:
        return words.weekdays[usual]
    weekend = sum(map(is_weekend, moments))
    every, weekdays, weekends = words.kinds_of_days
    if weekend >= most:
        return weekends
    return weekdays if len(moments) - weekend >= most else every
