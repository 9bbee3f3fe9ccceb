"""Which slots of a goal a question asks for: by their names, by question words, by what is done with them.

`slot_words.toml` has the names of each slot in each language, its kind, and verbs that stand for it ("What
should I order?"); `question_words.toml` the words of questions. A bare question word means the slots of its
kind ("who" a person), and "which one" the only slot of a goal.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

from simulated_phone.people.wording import word_value
from simulated_phone.screens.nodes import ActionValue

Kind: TypeAlias = Literal[
    "person", "place", "time", "date", "duration", "frequency", "money", "count", "number", "manner",
    "degree", "thing",
]  # fmt: skip

SLOT_FILE, QUESTION_FILE = "slot_words.toml", "question_words.toml"
ASKED_KINDS: Mapping[str, tuple[Kind, ...]] = MappingProxyType(
    {
        "moment": ("time", "date"),
        "person": ("person",),
        "place": ("place",),
        "duration": ("duration",),
        "frequency": ("frequency",),
        "money": ("money", "count"),
        "count": ("count", "duration", "money"),
        "manner": ("manner",),
    }
)
"""Sort of a question word -> kinds of slots that it means."""

NEXT_TO = 3
"""Largest number of letters of Chinese between a question word and the noun or verb that belongs to it."""

NEAR = 22
"""Largest number of letters of other languages between "which" and the noun that belongs to it."""

_PLACES = ("place", "city", "address", "folder", "shop", "cinema", "button", "where")
"""Slots that "where" means first."""


class UnwrittenLanguageError(ValueError):
    """There are no words for questions in a language."""


@cache
def read_table(name: str) -> Mapping[str, Any]:
    """Read a table of the dialogue's words or rules, once.

    Args:
        name: Name of its file.
    """
    return tomllib.loads((files("simulated_phone.dialogue") / name).read_text(encoding="utf-8"))


@cache
def read_question_words(locale: str) -> Mapping[str, re.Pattern[str]]:
    """The words of questions in a language, by their sort.

    Raises:
        UnwrittenLanguageError: There are none.
    """
    table = read_table(QUESTION_FILE)
    if locale not in table or locale == "deeds":
        written = ", ".join(sorted(table.keys() - {"deeds"}))
        raise UnwrittenLanguageError(f"no person answers in the language {locale!r}; take {written}")
    flags = re.IGNORECASE
    return {name: re.compile(text, 0 if name == "names" else flags) for name, text in table[locale].items()}


@cache
def read_deeds(locale: str) -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    """Words for each risky deed in a question, and in a goal that takes it."""
    return tuple(
        (re.compile(words[locale], re.IGNORECASE), re.compile(words[f"own_{locale}"], re.IGNORECASE))
        for words in read_table(QUESTION_FILE)["deeds"].values()
    )


def compile_words(words: Iterable[str], locale: str) -> re.Pattern[str]:
    """Pattern that finds the longest of some words; in Chinese also within others.

    Words are grouped by their first letters, so that hundreds of them are found as fast as a few.
    """
    groups: dict[str, list[str]] = {}
    for word in sorted(words, key=len, reverse=True):
        if word:
            groups.setdefault(word[0], []).append(re.escape(word[1:]))
    parts = "|".join(f"{re.escape(first)}(?:{'|'.join(rest)})" for first, rest in groups.items())
    if not parts:
        return re.compile(r"(?!)")
    return re.compile(f"(?:{parts})" if locale == "zh" else rf"(?<!\w)(?:{parts})(?!\w)")


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotWords:
    """Words for a slot in a language.

    Attributes:
        kind: Its kind.
        nouns: Names of it.
        verbs: What is done with it.
        say: How its value is said; "{clock}" for a time of day.
    """

    kind: Kind
    nouns: tuple[str, ...]
    verbs: tuple[str, ...]
    say: str


@cache
def read_slot_words(name: str, locale: str) -> SlotWords:
    """The words for a slot; those of things, with its name as the noun, for a slot that has none."""
    table = read_table(SLOT_FILE)
    entry: Mapping[str, Any] = table.get(name, {})
    if "like" in entry:
        return read_slot_words(entry["like"], locale)
    words = entry.get(locale, {"nouns": [name.replace("_", " ")], "verbs": []})
    return SlotWords(
        kind=entry.get("kind", "thing"),
        nouns=tuple(words["nouns"]),
        verbs=tuple(words["verbs"]),
        say=entry.get("say", {}).get(locale, "{0}"),
    )


def say_value(name: str, value: ActionValue, clock: str, locale: str) -> str:
    """The value of a slot as people say it.

    Args:
        name: Name of the slot.
        value: Its first argument; a whole number is an hour where the slot is said as a time of day.
        clock: Form of times, one of `wording.CLOCKS`.
        locale: Language of the person.
    """
    say = read_slot_words(name, locale).say
    if say == "{clock}":
        whole = f"{int(str(value))}:00" if str(value).isdecimal() else value
        return str(word_value(whole, clock, locale))
    return say.format(word_value(value, clock, locale))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Mention:
    """A place where the question names slots."""

    start: int
    end: int
    slots: tuple[str, ...]


@dataclass(slots=True)
class QuestionReader:
    """Finds the slots that questions about a goal ask for.

    Args:
        slots: Names of the goal's slots.
        locale: Language of the questions.
    """

    slots: Sequence[str]
    locale: str
    _words: Mapping[str, re.Pattern[str]] = field(init=False)
    _nouns: Mapping[str, tuple[str, ...]] = field(init=False)
    _verbs: Mapping[str, tuple[str, ...]] = field(init=False)
    _noun: re.Pattern[str] = field(init=False)
    _verb: re.Pattern[str] = field(init=False)

    def __post_init__(self) -> None:
        self._words = read_question_words(self.locale)
        words = {name: read_slot_words(name, self.locale) for name in self.slots}
        plurals = () if self.locale == "zh" else ("s",)
        self._nouns = _group(
            {
                name: (*one.nouns, *(noun + end for end in plurals for noun in one.nouns))
                for name, one in words.items()
            }
        )
        self._verbs = _group({name: one.verbs for name, one in words.items()})
        self._noun = compile_words(self._nouns, self.locale)
        self._verb = compile_words(self._verbs, self.locale)

    def kind(self, slot: str) -> Kind:
        """The kind of a slot."""
        return read_slot_words(slot, self.locale).kind

    def has_question_word(self, text: str) -> bool:
        """Whether a text has a question word, such as "which"."""
        return self._words["word"].search(text) is not None

    def find_slots(self, question: str) -> tuple[str, ...]:
        """Slots that a question asks for, in the order in which it names them.

        Args:
            question: The question in small letters, without the values that it names.
        """
        clauses = [one for one in self._words["sentence"].split(question) if one.strip()]
        found: dict[str, None] = {}
        before = ""
        for clause in clauses:
            if self.has_question_word(clause):
                found.update(dict.fromkeys(self._read_asking_clause(clause, before)))
            elif self._words["request"].search(clause):
                found.update(dict.fromkeys(self._read_request(clause)))
            before = clause
        if not found and not self._words["yes_or_no"].search(question):
            for clause in clauses:
                found.update(dict.fromkeys(self._take_joined(clause, 0)))
        return tuple(found)

    def _read_request(self, clause: str) -> tuple[str, ...]:
        request = self._words["request"].search(clause)
        after = request.end() if request else 0
        return self._take_joined(clause, after) or self._take_joined(clause, 0)

    def _read_asking_clause(self, clause: str, before: str) -> Iterator[str]:
        matches = list(self._words["word"].finditer(clause))
        for number, match in enumerate(matches):
            end = matches[number + 1].start() if number + 1 < len(matches) else len(clause)
            start = matches[number - 1].end() if number else 0
            if self._words["of_them"].match(clause, match.start()) and (
                mention := self._find_last(self._noun, self._nouns, before, 0, len(before))
            ):
                yield from self._narrow(mention.slots, ())
                continue
            found = self._resolve(clause, match, start, end)
            if not found and number == 0 and self.locale == "zh":
                found = self._take_joined(before, 0)
            if not found and len(self.slots) == 1 and not self._words["plain"].sub("", clause):
                found = tuple(self.slots)
            yield from found

    def _resolve(self, clause: str, match: re.Match[str], start: int, end: int) -> tuple[str, ...]:
        """Slots that a question word asks for, between the question words around it."""
        sort = next((name for name in ASKED_KINDS if self._words[name].search(match[0])), "")
        if self.locale == "zh":
            return self._resolve_chinese(clause, match, start, end, sort)
        return self._resolve_spaced(clause, match, end, sort)

    def _resolve_spaced(self, clause: str, match: re.Match[str], end: int, sort: str) -> tuple[str, ...]:
        rest = clause[:end]
        at = match.end()
        if match[0] == "what time":
            timed = [one for one in self.slots if self.kind(one) == "time"]
            return self._join_on(rest, at, tuple(timed[:1])) if timed else self._take_joined(rest, at - 4)
        noun, verb = (
            self._find(self._noun, self._nouns, rest, at),
            self._find(self._verb, self._verbs, rest, at),
        )
        if sort in ("money", "count", "manner") and noun and noun.start - at <= 2:
            return self._take_joined(rest, at)
        if sort == "manner" and verb:
            return self._narrow(verb.slots, ())
        kinds = self._take_kind(sort, noun, verb)
        if kinds:
            return kinds if match[0] == "whose" else self._join_on(rest, at, kinds)
        if sort == "person":
            return ()
        near = re.match(r"\s*(?:of (?:the|your|these) )?", rest[at:])
        close = noun is not None and near is not None and noun.start - at - near.end() <= NEAR
        if match[0] in ("what", "which") and re.match(
            r"\s+(?:one |exactly |else )?(?:should|do|would|shall|did|can|could|will|are you|to)\b", rest[at:]
        ):
            close = False
        if noun and (close or not verb or noun.start < verb.start):
            return self._take_joined(rest, at)
        if verb:
            things = self._list_things(verb.slots, match[0])
            return self._narrow(things or verb.slots, ())
        return ()

    def _list_things(self, slots: tuple[str, ...], word: str) -> tuple[str, ...]:
        """Slots that "what" may mean: no persons, and words before all else."""
        things = [one for one in slots if self.kind(one) != "person"]
        return tuple(sorted(things, key=lambda one: word in ("what", "什么", "啥") and one != "text"))

    def _resolve_chinese(
        self, clause: str, match: re.Match[str], start: int, end: int, sort: str
    ) -> tuple[str, ...]:
        over = self._find(self._noun, self._nouns, clause, max(start, match.start() - 4), end)
        while over and over.end <= match.start():
            over = self._find(self._noun, self._nouns, clause, over.end, end)
        if over and over.start <= match.start() and over.end > match.start() and over.end - over.start > 1:
            return self._join_on(clause[:end], over.end, self._narrow(over.slots, ()))
        after = self._find(self._noun, self._nouns, clause, match.end(), end)
        owner = sort == "person" and after is not None and self.kind(after.slots[0]) != "person"
        if after and not owner and after.start - match.end() <= (NEXT_TO if sort == "" else 1):
            return self._take_joined(clause[:end], match.end())
        verb = self._find_last(self._verb, self._verbs, clause, start, match.start() + (sort == "place"))
        before = self._find_last(self._noun, self._nouns, clause, start, match.start())
        timed = sort == "moment" and any(self.kind(one) in ASKED_KINDS[sort] for one in self.slots)
        if (
            before
            and not timed
            and sort != "manner"
            and self._words["is"].fullmatch(clause[before.end : match.start()])
        ):
            return self._list_before(clause, start, match.start())
        kinds = self._take_kind(sort, before or after, verb)
        if kinds:
            return kinds
        following = self._find(self._verb, self._verbs, clause, match.end(), end)
        if sort == "manner" and following:
            return self._list_things(following.slots, "什么")[:1]
        if verb and match.start() - verb.end <= NEXT_TO and (not before or before.end <= verb.start):
            things = verb.slots if sort else self._list_things(verb.slots, match[0])
            if before and not set(before.slots) & set(things):
                near = verb.start == before.end and self.kind(before.slots[0]) != "person"
                return self._list_before(clause, start, match.start()) if near else things[:1]
            return things[:1] or self._list_before(clause, start, match.start())
        if before:
            return self._list_before(clause, start, match.start())
        if after and sort != "person":
            return self._take_joined(clause[:end], match.end())
        return following.slots[:1] if following and not sort else ()

    def _list_before(self, clause: str, start: int, end: int) -> tuple[str, ...]:
        """Slots that the last nouns before a question word name, all that are joined."""
        mentions = list(self._list_mentions(clause, start, end))
        found = [mentions[-1]] if mentions else []
        for one, following in zip(reversed(mentions[:-1]), reversed(mentions[1:]), strict=True):
            if not self._words["joined"].fullmatch(clause[one.end : following.start]):
                break
            found.insert(0, one)
        return tuple(name for one in found for name in self._narrow(one.slots, ()))

    def _take_kind(self, sort: str, noun: _Mention | None, verb: _Mention | None) -> tuple[str, ...]:
        """Slots of the kinds that a question word means; among several, those that the rest names."""
        kinds = ASKED_KINDS.get(sort, ())
        for kind in kinds:
            found = tuple(one for one in self.slots if self.kind(one) == kind)
            if sort == "moment":
                found = tuple(one for one in self.slots if self.kind(one) in kinds)
                return found if len({self.kind(one) for one in found}) == len(found) else found[:1]
            if len(found) == 1:
                return found
            if not found:
                continue
            for mention in (verb, noun):
                named = tuple(one for one in (mention.slots if mention else ()) if one in found)
                if named:
                    return named[:1]
            if sort == "place":
                return tuple(sorted(found, key=lambda one: _rank_place(one))[:1])
            return tuple(one for one in found if one in ("contact", "friend"))[:1] or found[:1]
        return ()

    def _take_joined(self, text: str, at: int) -> tuple[str, ...]:
        """Slots of the first noun from a position on, and of those that are joined to it."""
        first = self._find(self._noun, self._nouns, text, at)
        if first is None:
            return ()
        return self._join_on(text, first.end, self._narrow(first.slots, ()))

    def _join_on(self, text: str, at: int, found: tuple[str, ...]) -> tuple[str, ...]:
        while (following := self._find(self._noun, self._nouns, text, at)) is not None:
            gap = text[at : following.start]
            again = gap.strip() in ("", "的") and self._narrow(following.slots, ())[0] in found
            if not again and not self._words["joined"].fullmatch(gap):
                break
            found += tuple(one for one in self._narrow(following.slots, found) if one not in found)
            at = following.end
        return found

    def _narrow(self, slots: tuple[str, ...], known: tuple[str, ...]) -> tuple[str, ...]:
        """Of the slots that a word may name the first that was not named yet."""
        return tuple(one for one in slots if one not in known)[:1]

    def _find(
        self,
        pattern: re.Pattern[str],
        words: Mapping[str, tuple[str, ...]],
        text: str,
        at: int,
        end: int = -1,
    ) -> _Mention | None:
        match = pattern.search(text, at, len(text) if end < 0 else end)
        return _Mention(start=match.start(), end=match.end(), slots=words[match[0]]) if match else None

    def _find_last(
        self, pattern: re.Pattern[str], words: Mapping[str, tuple[str, ...]], text: str, at: int, end: int
    ) -> _Mention | None:
        last = None
        while (match := self._find(pattern, words, text, at, end)) is not None:
            last, at = match, match.end
        return last

    def _list_mentions(self, text: str, at: int, end: int) -> Iterator[_Mention]:
        while (match := self._find(self._noun, self._nouns, text, at, end)) is not None:
            yield match
            at = match.end


def _rank_place(slot: str) -> int:
    return _PLACES.index(slot) if slot in _PLACES else len(_PLACES)


def _group(words: Mapping[str, Sequence[str]]) -> Mapping[str, tuple[str, ...]]:
    """Word -> the slots that it may mean, those first that name it first among their words."""
    found: dict[str, list[tuple[int, str]]] = {}
    for name, own in words.items():
        for place, word in enumerate(own):
            found.setdefault(word, []).append((place, name))
    return {word: tuple(name for _, name in sorted(slots)) for word, slots in found.items()}
