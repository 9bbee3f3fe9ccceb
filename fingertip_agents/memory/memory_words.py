"""Phrases of what memories write, in the language of the person."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from fingertip_agents.memory.event import Event
from fingertip_dataset.episodes import Intent
from fingertip_dataset.release.settings import CHINESE


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryWords:
    """Phrases in one language.

    Attributes:
        answers: Kind of an answer to a suggestion -> how it is told.
        row: A habit, from its time of day, days, place, words and number of times.
        kinds_of_days: Every day, weekdays, weekend.
        weekdays: Days of the week, from Monday.
        refused: What is added to a habit that was refused at such a moment.
        unwanted: A suggestion that the person never wants.
        between: What stands between the parts of a line.
    """

    answers: Mapping[str, str]
    row: str
    kinds_of_days: tuple[str, str, str]
    weekdays: tuple[str, ...]
    refused: str
    unwanted: str
    between: str


_WORDS = {
    True: MemoryWords(
        answers={
            "accepted": "接受了“{}”",
            "not_now": "说现在不要“{}”",
            "never": "说再也不要“{}”",
            "ignored": "没有理会“{}”",
        },
        row="约{time}，{days}，{place}：“{text}”，{count}次，最近{last}",
        kinds_of_days=("每天", "工作日", "周末"),
        weekdays=("星期一", "星期二", "星期三", "星期四", "星期五", "星期六", "星期日"),
        refused="；提议时被拒{}次，最近{}",
        unwanted="再也不要：“{}”",
        between="，",
    ),
    False: MemoryWords(
        answers={
            "accepted": 'accepted "{}"',
            "not_now": 'said "not now" to "{}"',
            "never": 'said "never" to "{}"',
            "ignored": 'ignored "{}"',
        },
        row='about {time}, {days}, {place}: "{text}", {count} times, last on {last}',
        kinds_of_days=("any day", "weekdays", "weekends"),
        weekdays=("Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays", "Sundays"),
        refused="; refused {} times when offered, last on {}",
        unwanted='never wants: "{}"',
        between=", ",
    ),
}


def get_words(language: str) -> MemoryWords:
    """Return the phrases for a person who writes a language, by its ISO 639 code: Chinese, else English."""
    return _WORDS[language.partition("-")[0] == CHINESE]


def write_moment(time: datetime, place: str, words: MemoryWords) -> str:
    """Write date, time and place of an event on one line."""
    return words.between.join(filter(None, (f"{time:%m-%d %H:%M}", one_line(place))))


def write_answers(answers: Sequence[Event], language: str, budget: int) -> str:
    """Write answers to suggestions, oldest first, one a line; of more than fit the latest.

    Args:
        answers: Events that are no episodes.
        language: Language of the person.
        budget: Maximum number of characters.
    """
    words = get_words(language)
    newest_first = (
        words.between.join(
            (
                write_moment(event.time, event.intent.scenario, words),
                words.answers[event.kind].format(one_line(event.text)),
            )
        )
        for event in reversed(answers)
    )
    return "\n".join(reversed(take_lines(newest_first, budget)))


def write_intents(intents: Iterable[Intent], language: str) -> list[str]:
    """Write intents, one a line, with time and place."""
    words = get_words(language)
    return [
        words.between.join(
            (write_moment(intent.moment, intent.scenario, words), f'"{one_line(intent.text)}"')
        )
        for intent in intents
    ]


def take_lines(lines: Iterable[str], budget: int) -> list[str]:
    """Return the first lines that, joined by line ends, have at most `budget` characters.

    >>> take_lines(["ab", "cd", "e"], 5)
    ['ab', 'cd']
    """
    taken: list[str] = []
    left = budget + 1
    for line in lines:
        left -= len(line) + 1
        if left < 0:
            break
        taken.append(line)
    return taken


def one_line(text: str) -> str:
    """Write a text on one line, without whitespace at its ends."""
    return " ".join(text.split())
