"""Reading of replies that a model or people typed: their kind, what they give, and wrong values in them.

A reply may name what the question named. Any other value of the phone's world that is not the task's is
wrong: nobody may say it in the person's name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from simulated_phone.dialogue.dialogue_kinds import ReplyKind
from simulated_phone.dialogue.knowledge import Source
from simulated_phone.dialogue.named_values import ValueFinder
from simulated_phone.dialogue.person_answers import FILE
from simulated_phone.dialogue.question_words import read_question_words, read_table
from simulated_phone.dialogue.reply import PersonReply
from simulated_phone.dialogue.slots import list_slots
from simulated_phone.goals.app_definition import Arguments, Goal


@cache
def _read_patterns(locale: str) -> Mapping[str, re.Pattern[str]]:
    read_question_words(locale)  # names the languages, where there is none
    return {kind: re.compile(one, re.IGNORECASE) for kind, one in read_table(FILE)[locale]["read"].items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedReply:
    """A typed reply as it was read.

    Attributes:
        reply: The reply.
        wrong: Values in it that neither the task nor the question has.
    """

    reply: PersonReply
    wrong: tuple[str, ...] = ()


@dataclass(slots=True, kw_only=True)
class ReplyReader:
    """Reads the replies that are typed in one task.

    Args:
        goal: The task's goal, in the person's language.
        case: Its arguments.
        sources: Name of each slot -> where it can be known from.
        locale: The person's language.
        seed: Seed of the phone, which the sets of arguments depend on.

    Raises:
        UnwrittenLanguageError: There are no words for replies in the language.
    """

    goal: Goal
    case: Arguments
    sources: Mapping[str, Source]
    locale: str
    seed: int
    _finder: ValueFinder = field(init=False)

    def __post_init__(self) -> None:
        _read_patterns(self.locale)
        slots = list_slots(self.goal, self.seed)
        self._finder = ValueFinder(slots, self.goal.cases(self.seed), self.case, self.locale)

    def read_reply(self, question: str, text: str) -> TypedReply:
        """Read a reply.

        Args:
            question: The question.
            text: What was typed.
        """
        text = " ".join(text.split())
        small = text.casefold()
        offered = self._finder.find_values(question.casefold())
        named = self._finder.find_values(small)
        in_question = {one.text for one in offered}
        wrong = tuple(one.text for one in named if not one.right and one.text not in in_question)
        slots = tuple(dict.fromkeys(name for one in named for name in one.right[:1]))
        words = read_question_words(self.locale)
        put = question.casefold()
        judged = words["yes_or_no"].search(put) is not None and not words["word"].search(put)
        kind = self._find_kind(small, slots, judged=judged)
        if kind == "value" and set(slots) <= {name for one in offered for name in one.right}:
            kind = "choice"
        if kind in ("yes", "no") and not slots:
            slots = tuple(dict.fromkeys(name for one in offered for name in one.right[:1]))
        known = all(self.sources.get(name, "ask") != "ask" for name in slots)
        needless = kind == "you_know_that" or (kind in ("value", "choice") and known)
        return TypedReply(
            reply=PersonReply(kind=kind, text=text, slots=slots, needless=needless), wrong=wrong
        )

    def _find_kind(self, small: str, slots: tuple[str, ...], *, judged: bool) -> ReplyKind:
        found = next((kind for kind, one in _read_patterns(self.locale).items() if one.search(small)), "")
        # "No, 50 to Dad" gives what was wrong, and "OK, Dad" who was meant
        if slots and (found != "yes" or not judged):
            return "value"
        kinds: Mapping[str, ReplyKind] = {
            "yes": "yes",
            "no": "no",
            "you_know_that": "you_know_that",
            "not_understood": "not_understood",
        }
        return kinds.get(found, "not_understood")
