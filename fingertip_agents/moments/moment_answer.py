"""Reader of a model's answer to a moment: an intent or nothing, with the probability that one is wanted.

The requested form is one JSON object, `{"intent": "...", "wanted": 0.7}`. An answer has one outcome:

- "silent": nothing is suggested: the intent is empty or null, or a sentence says that nothing is wanted.
- "answered": an intent in the requested form.
- "wrapped": an intent in another form: other or missing fields, a code fence, text, or no JSON.
- "long", "refused", "unclear", "nothing": as in `suggestion.intent_answer`; all but the first give no intent.
  "unclear" is also an answer with both an intent and the statement that nothing is wanted, "nothing" also a
  probability above 1/2 that names no intent. Without an intent, one of at most 1/2 is silence.

A probability may be missing. One that is named a confidence is that of the answer: with silence, where it is
above 1/2, it is turned into 1 minus it, because who stays silent thinks that most likely nothing is wanted.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from fingertip_agents.moments.moment_json import PROBABILITY, JsonMoment, choose_moment, find_json_moment
from fingertip_agents.moments.moment_prose import read_prose
from fingertip_agents.parsing.reading import COMPLETED, CONVERTED, LEFT_OUT
from fingertip_agents.suggestion.intent_answer import MAX_READ
from fingertip_agents.suggestion.intent_marks import has_letters, remove_controls
from fingertip_agents.suggestion.intent_tokens import read_xml_call, remove_padding
from fingertip_agents.suggestion.loose_json import JSON_START, read_loose_json
from fingertip_agents.suggestion.suggestion_agent import SILENT
from fingertip_models.thinking import split_thinking

MAX_STARTS = 50
"""Maximum number of positions at which JSON is tried."""

HALF = 0.5

_NAMED_TEXT = re.compile(r"""["'“][\w ]{1,30}["'”]\s*[:：]""")


@dataclass(frozen=True, slots=True, kw_only=True)
class MomentAnswer:
    """A parsed answer.

    Attributes:
        intent: One line; "" without an intent.
        confidence: Probability that the person wants something, 0 to 1; None if the answer has none.
        outcome: Outcome of parsing; the module describes each.
        notes: What was left out, completed or converted, each "kind: words" as in `parsing.reading`.
    """

    intent: str
    confidence: float | None
    outcome: str
    notes: tuple[str, ...] = ()


def read_moment(output: str) -> MomentAnswer:
    r"""Read the intent or the silence in any answer.

    >>> read_moment('{"intent": "打开微信，看消息", "wanted": 0.8}')
    MomentAnswer(intent='打开微信，看消息', confidence=0.8, outcome='answered', notes=())
    >>> read_moment('{"intent": "", "wanted": 0.1}')
    MomentAnswer(intent='', confidence=0.1, outcome='silent', notes=())
    >>> read_moment("Nothing. Confidence: 90%").confidence
    0.1
    """
    split = split_thinking(remove_padding(output))
    text = remove_controls(split.text[:MAX_READ]).strip()
    thought = (f"{LEFT_OUT}: thinking",) if split.thought else ()
    json_answer, strict, around = _find_json(text)
    if json_answer is not None:
        return _read_json_answer(json_answer, thought + around, requested=strict and not thought)
    prose = read_prose(text)
    confidence = _turn_silence(prose.probability, silent=prose.outcome == SILENT, sure=prose.sure)
    notes = (*thought, *prose.notes, *_note_turn(prose.probability, confidence))
    outcome = "wrapped" if prose.outcome == "answered" else prose.outcome
    return MomentAnswer(intent=prose.intent, confidence=confidence, outcome=outcome, notes=notes)


def write_moment(intent: str, probability: float) -> str:
    """Write an answer in the requested form, as training data have it.

    Args:
        intent: The intent; "" for nothing.
        probability: Probability that something is wanted, 0 to 1.

    >>> write_moment("打开微信，看消息", 1)
    '{"intent": "打开微信，看消息", "wanted": 1}'
    """
    return json.dumps({"intent": intent, PROBABILITY: probability}, ensure_ascii=False)


def _read_json_answer(found: JsonMoment, notes: tuple[str, ...], *, requested: bool) -> MomentAnswer:
    notes += found.notes
    if found.ambiguous:
        return MomentAnswer(intent="", confidence=None, outcome="unclear", notes=notes)
    if not found.intent:
        low = found.probability is not None and found.probability <= HALF
        silent = found.intent == "" or low
        confidence = _turn_silence(found.probability, silent=silent, sure=found.sure)
        return MomentAnswer(
            intent="",
            confidence=confidence,
            outcome=SILENT if silent else "nothing",
            notes=notes + _note_turn(found.probability, confidence),
        )
    prose = read_prose(found.intent)
    plain = requested and prose.outcome == "answered" and found.probability is not None
    probability = prose.probability if found.probability is None else found.probability
    outcome = prose.outcome
    if outcome in ("answered", "wrapped"):
        outcome = "answered" if plain and not found.notes else "wrapped"
    return MomentAnswer(
        intent=prose.intent, confidence=probability, outcome=outcome, notes=notes + prose.notes
    )


def _turn_silence(probability: float | None, *, silent: bool, sure: bool) -> float | None:
    if probability is None or not (silent and sure and probability > HALF):
        return probability
    return round(1 - probability, 12)


def _note_turn(stated: float | None, kept: float | None) -> tuple[str, ...]:
    return () if stated == kept else (f"{CONVERTED}: the confidence in silence {stated:g} to {kept:g}",)


def _find_json(text: str) -> tuple[JsonMoment | None, bool, tuple[str, ...]]:
    """The answer in the JSON of a text, whether it is the whole text in the requested form, and notes."""
    if (parameters := read_xml_call(text)) is not None:
        return find_json_moment(parameters), False, ()
    bare = _NAMED_TEXT.match(text) is not None
    text = f"{{{text}}}" if bare else text
    found: list[JsonMoment] = []
    position, left, completed = 0, "", False
    for _ in range(MAX_STARTS):
        start = JSON_START.search(text, position)
        if start is None:
            break
        strict, value, end, open_end = _read_value(text, start.start())
        if end is None:
            position = start.start() + 1
            continue
        one = find_json_moment(value)
        if one is not None:
            left += text[position : start.start()]
            completed |= open_end
            found.append(one)
            if strict and not bare and (start.start(), end) == (0, len(text)) and _is_requested(value):
                return one, True, ()
        position = end
    if not found:
        return None, False, ()
    left += text[position:]
    notes: tuple[str, ...] = (f"{COMPLETED}: end of the JSON",) if completed else ()
    notes += (f"{LEFT_OUT}: text around the answer",) if has_letters(re.sub(r"```\w*", "", left)) else ()
    return choose_moment(found), False, notes


def _is_requested(value: object) -> bool:
    return isinstance(value, dict) and set(value) == {"intent", PROBABILITY}


def _read_value(text: str, start: int) -> tuple[bool, object, int | None, bool]:
    """Whether a value is strict JSON, the value, its end, and whether that was missing; no end: no value."""
    try:
        value, end = json.JSONDecoder().raw_decode(text, start)
    except (ValueError, RecursionError):
        try:
            value, end, completed = read_loose_json(text, start)
        except ValueError:
            return False, None, None, False
        return False, value, end, completed
    return True, value, end, False
