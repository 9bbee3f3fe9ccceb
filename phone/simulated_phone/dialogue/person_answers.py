"""The simulated person who answers an agent's questions, by rule.

The person says what the question asks for and nothing else, in their own wording. Of what the agent could
know they say first that it knows that, and the value only when it asks again. A question that names no slot
of the goal is not understood, and after a few questions their patience ends. All follows from the goal, its
arguments, where these can be known from, and the person; the verifier repeats it.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from simulated_phone.apps import list_apps
from simulated_phone.dialogue.dialogue_kinds import ReplyKind
from simulated_phone.dialogue.knowledge import Source
from simulated_phone.dialogue.named_values import NamedValue, ValueFinder
from simulated_phone.dialogue.question_words import (
    QuestionReader,
    compile_words,
    read_deeds,
    read_question_words,
    read_table,
)
from simulated_phone.dialogue.reply import MAX_QUESTION, PersonReply
from simulated_phone.dialogue.slots import list_slots
from simulated_phone.goals.app_definition import Arguments, Goal

FILE = "reply_words.toml"

LEAST_PATIENCE, MOST_PATIENCE = 3, 6
"""Numbers of questions that people answer before their patience ends."""


def _read_replies(locale: str) -> Mapping[str, Any]:
    replies: Mapping[str, Any] = read_table(FILE)[locale]
    return replies


@cache
def _compile_app_names(locale: str) -> re.Pattern[str]:
    names = {name.casefold() for app in list_apps(locale) for name in (app.label, app.english)}
    return compile_words(names, locale)


def draw_patience(person_seed: int) -> int:
    """Number of questions that a person answers.

    Args:
        person_seed: Seed of the person.
    """
    rng = random.Random(f"patience:{person_seed}")  # noqa: S311 - a person's habit, not a secret
    return rng.randint(LEAST_PATIENCE, MOST_PATIENCE)


@dataclass(slots=True, kw_only=True)
class PersonAnswers:
    """Answers of a simulated person in one attempt, in the order of the questions.

    Args:
        goal: The task's goal, in the person's language.
        case: Its arguments.
        sources: Name of each slot -> where it can be known from (`knowledge.find_sources`).
        locale: The person's language.
        seed: Seed of the phone, which the sets of arguments depend on.
        person_seed: Seed of the person, which patience and wording follow from.
        patience: Number of questions that they answer; -1 draws it.
        clock: Form of the person's times, one of `wording.CLOCKS`.

    Raises:
        UnwrittenLanguageError: There are no words for questions in the language.
    """

    goal: Goal
    case: Arguments
    sources: Mapping[str, Source]
    locale: str
    seed: int
    person_seed: int = 0
    patience: int = -1
    clock: str = "digits"
    _reader: QuestionReader = field(init=False)
    _finder: ValueFinder = field(init=False)
    _number: int = 0
    _known_before: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        slots = list_slots(self.goal, self.seed)
        self._reader = QuestionReader([slot.name for slot in slots], self.locale)
        self._finder = ValueFinder(slots, self.goal.cases(self.seed), self.case, self.locale)
        if self.patience < 0:
            self.patience = draw_patience(self.person_seed)

    def answer(self, question: str) -> PersonReply:
        """PersonReply to a question.

        Args:
            question: The question in the person's language; empty, too long and foreign ones are not
                understood.
        """
        self._number += 1
        if self._number > self.patience:
            return self._make_reply("out_of_patience", ())
        text = question.strip().casefold()
        words = read_question_words(self.locale)
        if not text or len(question) > MAX_QUESTION or not self._is_own_language(text):
            return self._make_reply("not_understood", ())
        masked = self._finder.mask_values(text)
        if words["secret"].search(masked) or words["chat"].search(masked):
            return self._make_reply("not_understood", ())
        return self._reply(question, text, masked, self._finder.find_values(text))

    def _is_own_language(self, text: str) -> bool:
        """Whether the question is in the person's language; a few bare nouns are."""
        words = read_question_words(self.locale)
        if self.locale != "zh" and read_question_words("zh")["language"].search(
            self._finder.mask_values(text)
        ):
            return False
        return words["language"].search(text) is not None or (self.locale != "zh" and len(text.split()) <= 2)

    def _reply(self, question: str, text: str, masked: str, named: Sequence[NamedValue]) -> PersonReply:
        words = read_question_words(self.locale)
        asks = self._reader.has_question_word(masked)
        judged = not asks and words["yes_or_no"].search(text) is not None
        if words["either"].search(masked) and (choices := self._list_choices(named, judged=not asks)):
            return self._choose(choices, self._reader.find_slots(masked) if asks else ())
        if judged and named:
            return self._judge(question, masked, named)
        requested = not judged or words["request"].search(masked) is not None
        if requested and (found := self._reader.find_slots(masked)):
            return self._say(found)
        if named and not asks and text.endswith(("?", "\N{FULLWIDTH QUESTION MARK}")):
            return self._judge(question, masked, named)
        if judged and (words["consent"].search(masked) or self._names_unknown(question)):
            return self._judge(question, masked, named)
        return self._make_reply("not_understood", ())

    def _list_choices(self, named: Iterable[NamedValue], *, judged: bool) -> Mapping[str, bool]:
        """Slots of which the question offers choices -> whether the right one is among them."""
        offered: dict[str, set[str]] = {}
        right: set[str] = set()
        for one in named:
            right.update(one.right)
            for name in one.right or one.slots[:1]:
                offered.setdefault(name, set()).add(one.text)
        by_slots = {name for one in named for name in one.slots}
        if len({one.text for one in named}) < 2 and not judged:
            return {}
        found = {name: name in right for name in offered if len(offered[name]) > 1 or name in right or judged}
        # a value that several slots have is offered for the one that it is right for
        return {name: fits for name, fits in found.items() if fits or not (right & by_slots & {name})}

    def _choose(self, choices: Mapping[str, bool], asked_slots: Sequence[str]) -> PersonReply:
        """Take the right ones of the choices; what else the question asks for is said too."""
        right = [name for name, fits in choices.items() if fits]
        given = tuple(dict.fromkeys((*right, *asked_slots)))
        if not given:
            return self._make_reply("choice", (), text=self._draw("neither"))
        kind: ReplyKind = "choice" if set(given) <= set(right) else "value"
        return self._make_reply(kind, given, needless=self._are_known(given))

    def _judge(self, question: str, masked: str, named: Sequence[NamedValue]) -> PersonReply:
        """Say yes if everything that the question names is right, else no."""
        words = read_question_words(self.locale)
        wrong = tuple(dict.fromkeys(name for one in named if not one.right for name in one.slots[:1]))
        swapped = self._swaps_people(question.casefold(), named)
        if wrong or swapped or self._names_unknown(question) or self._departs(masked):
            return self._make_reply("no", wrong)
        about = tuple(dict.fromkeys(name for one in named for name in one.right[:1]))
        may = words["consent"].search(masked) is not None
        return self._make_reply("yes", about, needless=not may and self._are_known(about))

    def _names_unknown(self, question: str) -> bool:
        return bool(self._reader.slots) and self._finder.has_unknown_name(
            question, _compile_app_names(self.locale)
        )

    def _swaps_people(self, text: str, named: Sequence[NamedValue]) -> bool:
        """Whether something is to go to the person whom it is about."""
        names = self._reader.slots
        receiver = "friend" if "friend" in names else "contact" if "sender" in names else ""
        if not receiver:
            return False
        ways = ("to ", "\N{CJK UNIFIED IDEOGRAPH-7ED9}")
        before = [one for one in named if one.start > 0 and text[: one.start].endswith(ways)]
        return any(receiver in one.slots and receiver not in one.right for one in before)

    def _departs(self, masked: str) -> bool:
        """Whether a question is about other things or another deed than the goal's."""
        own = " ".join((self.goal.name.replace("_", " "), *self.goal.words)).casefold()
        other = read_question_words(self.locale)["other"].search(masked)
        if other and other[0] not in own:
            return True
        taken = [goals.search(own) for named, goals in read_deeds(self.locale) if named.search(masked)]
        return bool(taken) and not any(taken)

    def _say(self, slots: Sequence[str]) -> PersonReply:
        """Say the values of slots; of what the agent could know, at first only that it knows."""
        new = [name for name in slots if self._is_known(name) and name not in self._known_before]
        self._known_before.update(new)
        given = tuple(name for name in slots if name not in new)
        if not given:
            return self._make_reply("you_know_that", tuple(new), needless=True)
        return self._make_reply("value", given, needless=self._are_known(slots))

    def _is_known(self, name: str) -> bool:
        return self.sources.get(name, "ask") != "ask"

    def _are_known(self, names: Sequence[str]) -> bool:
        return bool(names) and all(map(self._is_known, names))

    def _draw(self, sort: str) -> str:
        wordings: Sequence[str] = _read_replies(self.locale)[sort]
        return random.Random(f"{self.person_seed}:{sort}").choice(wordings)  # noqa: S311 - as above

    def _make_reply(
        self, kind: ReplyKind, slots: tuple[str, ...], *, text: str = "", needless: bool = False
    ) -> PersonReply:
        if not text:
            text = self._draw(kind)
            if kind in ("value", "choice"):
                values = [self._finder.say_value(name, self.clock) for name in slots]
                text = text.format(_read_replies(self.locale)["join"].join(values))
        return PersonReply(kind=kind, text=text, slots=slots, needless=needless)
