"""Parser of an answer with several intents and their probabilities (A.6.5).

Accepted forms are JSON (a list of objects or pairs, or an object from intent to probability, also within
other text) and lines that begin or end with a probability ("听歌: 40%"). Probabilities in any unit are
normalized to sum to 1, equal intents are merged, and the least probable of surplus intents are dropped. An
answer in no such form is read as a single intent.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from fingertip_agents.suggestion.intent_answer import MAX_READ, AnswerOutcome, read_intent
from fingertip_agents.suggestion.intent_json import find_weighted_text
from fingertip_agents.suggestion.intent_marks import remove_controls
from fingertip_agents.suggestion.loose_json import JSON_START, read_loose_json
from fingertip_agents.suggestion.suggestion_agent import MOST_INTENTS
from fingertip_models.thinking import split_thinking

LEAST = 1e-9
"""Minimum probability of an intent; a smaller one would be lost in the sum."""

MAX_LINE = 600
"""Maximum number of characters of a line that are searched for a probability."""

MAX_STARTS = 50
"""Maximum number of positions at which JSON parsing is tried."""

DistributionOutcome = AnswerOutcome | Literal["unreadable distribution"]

WeightedIntent = tuple[str, float]

_CHANCES = (
    "probability", "prob", "p", "confidence", "likelihood", "score", "weight", "概率", "可能性", "置信度",
)  # fmt: skip
_DECODER = json.JSONDecoder(strict=False)
_NUMBER = r"(?P<number>\d{1,3}(?:\.\d{1,20})?|\.\d{1,20})\s*(?P<percent>[%％])?"
_WORD = r"(?:概率|可能性|probability|prob\.?|p)"
_NAMED = rf"(?:{_WORD}[\s:：=约为]*)?{_NUMBER}"
_AT_END = re.compile(rf"(?P<text>.*?\w.*?)[\s:：,，;；|=(（\-—~约为]*{_NAMED}[\s)）。.]*", re.IGNORECASE)
_AT_START = re.compile(rf"[\s(（\[]*{_NAMED}[\s)）\]:：,，;；|\-—]+(?P<text>.*\w.*)", re.IGNORECASE)
_MARK = re.compile(r"\s*(?:[-*+•·]\s+|\d{1,2}[.)、）]\s+)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class DistributionAnswer:
    """A parsed answer.

    Attributes:
        intent: The most probable intent; "" if none could be read.
        outcome: "answered" for an answer in the requested form; "wrapped" with other text around it;
            "nothing" and "refused" as for a single intent; else "unreadable distribution".
        alternatives: Intents and probabilities that sum to 1, the most probable first. Empty if the
            distribution could not be read.
        notes: What was left out, completed or converted, as for a single intent.
    """

    intent: str
    outcome: DistributionOutcome
    alternatives: tuple[WeightedIntent, ...] = ()
    notes: tuple[str, ...] = ()


def read_distribution(output: str) -> DistributionAnswer:
    r"""Read the distribution in any answer.

    >>> read_distribution('[{"intent": "听歌", "p": 0.5}, {"intent": "打车", "p": 0.5}]').alternatives
    (('听歌', 0.5), ('打车', 0.5))
    >>> read_distribution("- 听歌: 40%\n- 打车: 40%").alternatives
    (('听歌', 0.5), ('打车', 0.5))
    """
    text = remove_controls(split_thinking(output).text[:MAX_READ]).strip()
    whole, found = _read_json(text)
    alternatives = _normalize(found or list(_read_lines(text)))
    if alternatives:
        outcome: DistributionOutcome = "answered" if whole else "wrapped"
        return DistributionAnswer(intent=alternatives[0][0], outcome=outcome, alternatives=alternatives)
    single = read_intent(output)
    named = single.outcome if single.outcome in ("nothing", "refused") else "unreadable distribution"
    return DistributionAnswer(intent=single.intent, outcome=named, notes=single.notes)


def _read_json(text: str) -> tuple[bool, list[WeightedIntent]]:
    """Whether the text is JSON and nothing else, and the intents of its first list, else of its objects."""
    gathered: list[WeightedIntent] = []
    position = 0
    for _ in range(MAX_STARTS):
        start = JSON_START.search(text, position)
        if start is None:
            break
        try:
            strict, value, position = _read_value(text, start.start())
            found = list(_find_weighted(value))
        except (ValueError, RecursionError):
            position = start.start() + 1
            continue
        if strict and start.start() == 0 and position == len(text):
            return True, found
        if found and isinstance(value, list):
            return False, found
        gathered += found
    return False, gathered


def _read_value(text: str, start: int) -> tuple[bool, object, int]:
    """Whether a value is valid JSON, the value, and its end.

    Raises:
        ValueError: There is none.
    """
    try:
        value, end = _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        value, end, completed = read_loose_json(text, start)
        if completed:
            # the last of its intents may be cut
            raise ValueError("no end") from None
        return False, value, end
    return True, value, end


def _find_weighted(value: object) -> Iterator[WeightedIntent]:
    if isinstance(value, list):
        for item in value:
            if isinstance(item, list) and len(item) == 2 and isinstance(item[0], str):
                yield from _read_pair(item[0], item[1])
            else:
                yield from _find_weighted(item)
    elif isinstance(value, Mapping):
        named = {key.strip().casefold(): inner for key, inner in value.items()}
        text = find_weighted_text(value)
        chance = next((named[key] for key in _CHANCES if key in named), None)
        if text is not None and chance is not None:
            yield from _read_pair(text, chance)
            return
        for key, inner in value.items():
            yield from _find_weighted(inner) if isinstance(inner, list | Mapping) else _read_pair(key, inner)


def _read_pair(text: str, chance: object) -> Iterator[WeightedIntent]:
    if isinstance(chance, str) and (number := re.fullmatch(rf"\s*{_NUMBER}\s*", chance)):
        yield text, _read_chance(number)
    elif isinstance(chance, int | float) and not isinstance(chance, bool) and 0 <= chance <= 100:
        yield text, float(chance)


def _read_lines(text: str) -> Iterator[WeightedIntent]:
    """Intents of lines with a probability; a number without % counts up to 1, since texts contain others."""
    for line in text.splitlines():
        bare = line[:MAX_LINE].replace("*", "").replace("`", "").strip()
        bare = bare[len(mark[0]) if (mark := _MARK.match(bare)) else 0 :]
        found = _AT_END.fullmatch(bare) or _AT_START.fullmatch(bare)
        if found and (found["percent"] or ("." in found["number"] and float(found["number"]) <= 1)):
            yield found["text"], _read_chance(found)


def _read_chance(found: re.Match[str]) -> float:
    return float(found["number"]) / (100 if found["percent"] else 1)


def _normalize(found: list[WeightedIntent]) -> tuple[WeightedIntent, ...]:
    """Merge, sort, truncate to `MOST_INTENTS` and normalize the readable intents."""
    merged: dict[str, float] = {}
    for text, weight in found:
        intent = read_intent(text).intent
        if intent and weight >= LEAST:
            merged[intent] = merged.get(intent, 0.0) + weight
    kept = sorted(merged.items(), key=lambda item: -item[1])[:MOST_INTENTS]
    total = math.fsum(weight for _, weight in kept)
    return tuple((text, weight / total) for text, weight in kept)
