"""An agent's side of the dialogue: questions for slots and for consent, and the values in replies."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from types import MappingProxyType

from simulated_phone.dialogue.knowledge import stands_in_profile
from simulated_phone.dialogue.question_words import QuestionReader, read_slot_words, say_value
from simulated_phone.dialogue.slots import GoalSlot
from simulated_phone.goals.app_definition import Arguments, Goal
from simulated_phone.people.wording import CLOCKS
from simulated_phone.screens.nodes import ActionValue

FEW = 2
"""Largest number of slots that are asked for one at a time: a question about consent may follow, and nobody
has less patience than for three."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _QuestionForms:
    """Forms of an agent's questions in a language.

    Attributes:
        one: For a slot, with its name.
        several: For several slots, with their names joined.
        join: What joins names.
        consent: Whether to go ahead, with the values.
        refusal: Beginning of a reply that says no.
    """

    one: tuple[str, ...]
    several: str
    join: str
    consent: str
    refusal: str


_FORMS: Mapping[str, _QuestionForms] = MappingProxyType(
    {
        "en": _QuestionForms(
            one=("Which {0}?", "What {0}?", "What is the {0}?"),
            several="Which {0}?",
            join=" and ",
            consent="May I proceed: {0}?",
            refusal=r"\s*no",
        ),
        "zh": _QuestionForms(
            one=("哪个{0}？", "{0}是什么？", "什么{0}？"),
            several="哪个{0}？",
            join="和",
            consent="可以继续吗：{0}？",
            refusal=r"\s*(?:不|没)",
        ),
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotQuestion:
    """A question, and the names of the slots that people take it for."""

    text: str
    slots: tuple[str, ...]


@cache
def write_questions(slots: tuple[str, ...], wanted: tuple[str, ...], locale: str) -> tuple[SlotQuestion, ...]:
    """Questions for slots of a goal: one each, or one for all where there are many, or one cannot be alone.

    Args:
        slots: Names of all slots of the goal.
        wanted: Names of those that are asked for.
        locale: Language of the person.
    """
    reader, forms = QuestionReader(slots=slots, locale=locale), _FORMS[locale]
    single = [_write_question(reader, name, locale) for name in wanted]
    alone = [
        SlotQuestion(text=text, slots=(name,))
        for name, text in zip(wanted, single, strict=True)
        if reader.find_slots(text.lower()) == (name,)
    ]
    if len(alone) == len(wanted) <= FEW:
        return tuple(alone)
    between = "" if locale == "zh" else " "
    joined = [between.join(single)]
    joined += [
        forms.several.format(forms.join.join(nouns))
        for names in (wanted, slots)
        for nouns in product(*(read_slot_words(name, locale).nouns[:3] for name in names))
    ]
    found = [(text, reader.find_slots(text.lower())) for text in joined]
    text, named = next(((text, named) for text, named in found if set(wanted) <= set(named)), found[0])
    return (SlotQuestion(text=text, slots=named),)


def _write_question(reader: QuestionReader, wanted: str, locale: str) -> str:
    """A question that people take for this slot alone, as far as there is one."""
    nouns = read_slot_words(wanted, locale).nouns
    texts = [form.format(noun) for noun in nouns for form in _FORMS[locale].one]
    return next((text for text in texts if reader.find_slots(text.lower()) == (wanted,)), texts[0])


def write_consent_question(slots: Sequence[GoalSlot], case: Arguments, locale: str) -> str:
    """A question whether to go ahead with these arguments.

    Args:
        slots: Slots of the goal.
        case: The arguments.
        locale: Language of the person.
    """
    values = [say_value(slot.name, slot.value(case)[0], CLOCKS[0], locale) for slot in slots]
    return _FORMS[locale].consent.format(_FORMS[locale].join.join(values))


def is_refusal(reply: str, locale: str) -> bool:
    """Whether a reply to such a question is a no."""
    return re.match(_FORMS[locale].refusal, reply, re.IGNORECASE) is not None


def read_told_values(
    goal: Goal, slots: Sequence[GoalSlot], reply: str, *, seed: int, locale: str
) -> Mapping[str, tuple[ActionValue, ...]]:
    """Name of a slot -> the value that a reply says; without those that it does not say.

    Args:
        goal: The goal.
        slots: Slots that the question asked for.
        reply: The reply.
        seed: Seed of the phone, which the sets of arguments depend on.
        locale: Language of the person.
    """
    found: dict[str, tuple[ActionValue, ...]] = {}
    cursor = 0
    # people say values in the order in which they were asked for them
    for slot in slots:
        places = [
            (place, value)
            for value in dict.fromkeys(slot.value(case) for case in goal.cases(seed))
            for words in dict.fromkeys(say_value(slot.name, value[0], clock, locale) for clock in CLOCKS)
            if words and (place := _find_words(words, reply, cursor)) is not None
        ]
        if places:
            # of several at one place the longest: "Sweet Spoon" is no "Sweet"
            place, found[slot.name] = min(places, key=lambda one: (one[0].start(), -one[0].end()))
            cursor = place.end()
    return found


def _find_words(words: str, text: str, start: int) -> re.Match[str] | None:
    """The first place of words from a start on that is no part of a longer word or number."""
    before = r"(?<![A-Za-z0-9:.])" if words[0].isascii() and words[0].isalnum() else ""
    after = r"(?![A-Za-z0-9:]|\.\d)" if words[-1].isascii() and words[-1].isalnum() else ""
    return re.compile(f"{before}{re.escape(words)}{after}", re.IGNORECASE).search(text, start)


def find_profile_value(
    goal: Goal, slot: GoalSlot, profile: Sequence[str], seed: int
) -> tuple[ActionValue, ...] | None:
    """The value of a slot that a profile names, the longest of several; None without one.

    Args:
        goal: The goal.
        slot: One of its slots.
        profile: Texts of the person's profile.
        seed: Seed of the phone.
    """
    values = dict.fromkeys(slot.value(case) for case in goal.cases(seed))
    named = [value for value in values if stands_in_profile(value, profile)]
    return max(named, key=lambda value: len(str(value[0])), default=None)
