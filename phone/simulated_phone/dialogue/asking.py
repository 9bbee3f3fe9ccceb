"""An agent's side of the dialogue: questions for a slot or for consent, and the values in replies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from simulated_phone.dialogue.question_words import QuestionReader, read_slot_words
from simulated_phone.dialogue.slots import Slot
from simulated_phone.goals.app_definition import Arguments, Goal
from simulated_phone.screens.nodes import ActionValue

_QUESTIONS = {"en": ("Which {0}?", "What {0}?", "What is the {0}?"), "zh": ("哪个{0}？", "{0}是什么？", "什么{0}？")}
"""Language -> forms of a question for a slot by its name."""

_CONSENT = {"en": "Shall I go ahead: {0}?", "zh": "可以继续吗：{0}？"}
_REFUSALS = {"en": ("no", "not"), "zh": ("不",)}
_JOIN = {"en": ", ", "zh": "，"}


@cache
def write_slot_question(slots: tuple[str, ...], wanted: str, locale: str) -> str:
    """A question for one slot of a goal, in words that people take for this slot alone.

    Args:
        slots: Names of all slots of the goal.
        wanted: Name of the slot.
        locale: Language of the person.
    """
    reader = QuestionReader(slots=slots, locale=locale)
    forms = [
        form.format(noun) for noun in read_slot_words(wanted, locale).nouns for form in _QUESTIONS[locale]
    ]
    return next((one for one in forms if reader.find_slots(one.lower()) == (wanted,)), forms[0])
