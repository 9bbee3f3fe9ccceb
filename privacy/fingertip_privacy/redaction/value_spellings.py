"""Spellings of private values: what is one value in several forms, and where a text has it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from fingertip_dataset.folded_text import FoldedText, fold
from fingertip_privacy.finds import FindKind
from fingertip_privacy.recognisers.spelled_digits import read_spelled_digits
from fingertip_privacy.scan.screen_text import simplified

LONGEST_LOCAL = 5
"""Numbers of at most so many digits are replaced in the episodes where they were found, and longer ones in
all texts of the person: 2026 is a code in one episode and a year in the next."""

_NUMBERS = frozenset((FindKind.PHONE, FindKind.RESIDENT_ID, FindKind.BANK_CARD, FindKind.PLATE))
"""Kinds that may be written with separators."""
_MAYBE_NUMBERS = frozenset((FindKind.CODE, FindKind.ACCOUNT))
"""Kinds that may be written with separators if they have no letters."""

_SPACE = " \n\r"
_DOT = "\u00b7"
_SEPARATORS = f"{_SPACE}{_DOT}-./()[]_,、，。|~:;'’=+"
"""Signs within a number, of a folded text."""
_WIDE = {0xFF01 + offset: 0x21 + offset for offset in range(94)}
_NARROW = {narrow: wide for wide, narrow in _WIDE.items()}
_HAN_DIGITS = ("零一二三四五六七八九", "零壹贰叁肆伍陆柒捌玖")

_COUNTRY = re.compile(r"(?:(?:\+|00)?86(?=1[3-9])|\+1(?=[2-9][0-9]{9}\Z))")
_CODE_OF_COUNTRY = re.compile(r"(?:\+|(?<![0-9])0?0?)86\Z|\+1\Z")
"""Code of a country right before a number; `endpos` is the start of the number."""

_PART_BEFORE = re.compile(r"[0-9][:/.,]\Z")
_PART_BEHIND = re.compile("[:/.,][0-9]|[年月日点时%]")

_Node = dict[str, "_Node"]
_END = ""
"""Key of a node at which a value ends."""


@dataclass(frozen=True, slots=True, order=True)
class SecretValue:
    """A private value of one person.

    Attributes:
        core: The value folded, without separators, in simplified characters and lower case: equal for all of
            its spellings.
        kind: What it is.
        number: Whether separators may stand between its characters.
    """

    core: str
    kind: FindKind
    number: bool

    @classmethod
    def of(cls, kind: FindKind, text: str) -> SecretValue:
        """The value that a text spells.

        >>> SecretValue.of(FindKind.PHONE, "+86 138-1234-5678").core
        '13812345678'
        """
        letters = any(one.isalpha() for one in text)
        number = kind in _NUMBERS or (kind in _MAYBE_NUMBERS and not letters)
        core = core_of(text, number=number)
        if kind is FindKind.PHONE:
            core = _COUNTRY.sub("", core, count=1) if _COUNTRY.match(core) else core
        return cls(core, kind, number)

    @property
    def local(self) -> bool:
        """Whether it is replaced only in the episodes where it was found."""
        short = len(self.core) <= LONGEST_LOCAL
        return len(self.core) < 2 or (short and self.core.replace(".", "").replace(",", "").isdecimal())

    @property
    def one_persons(self) -> bool:
        """Whether it can hardly be anything else, wherever it stands: a whole number or mailbox, no name."""
        least = _LEAST_OF_ONE.get(self.kind)
        return least is not None and len(self.core) >= least and "*" not in self.core


_LEAST_OF_ONE: Mapping[FindKind, int] = {
    FindKind.PHONE: 10,
    FindKind.RESIDENT_ID: 15,
    FindKind.BANK_CARD: 13,
    FindKind.EMAIL: 6,
    FindKind.ACCOUNT: 10,
}


def core_of(text: str, *, number: bool) -> str:
    """A folded text without separators, in simplified characters and lower case."""
    left_out = _SEPARATORS if number else _SPACE + _DOT
    return "".join(one for one in plain_text(text).text if one not in left_out)


def lay(drawn: str, spelled: str, *, number: bool) -> str:
    """Write a replacement in the spelling of the text that it replaces: separators, width and case.

    >>> lay("15400001111", "138-1234-5678", number=True)
    '154-0000-1111'
    """
    cores = [core_of(old, number=number) for old in spelled]
    if number and sum(map(len, cores)) > len(core_of(spelled, number=True)):
        # digits in words: a word for each has no letters to lay on
        return drawn
    left = iter(drawn)
    out = [_spell_as(old, next(left, "")) if core else old for old, core in zip(spelled, cores, strict=True)]
    return "".join((*out, *left))


def _spell_as(old: str, new: str) -> str:
    """A character in the form of another one: its width, case, and kind of digit."""
    for digits in _HAN_DIGITS if new.isdecimal() else ():
        if old in digits:
            return digits[int(new)]
    value = unicodedata.decimal(old, None)
    if value is not None and new.isdecimal():
        return chr(ord(old) - value + int(new))
    plain = old.translate(_WIDE)
    if plain.isascii() and plain.isalpha() and new.isascii():
        new = new.upper() if plain.isupper() else new.lower()
    return new.translate(_NARROW) if plain != old else new


@dataclass(frozen=True, slots=True)
class ValueMatch:
    """A value in a text.

    Attributes:
        start: First character.
        end: Character behind the last one.
        core: The value.
        number: Whether separators may stand in it.
    """

    start: int
    end: int
    core: str
    number: bool


class ValueSpellings:
    """Finds every spelling of values.

    Values are kept as a tree of their beginnings, so that a text is searched at about the same speed for ten
    of them and for ten thousand. A pattern of ten thousand takes `re` half a minute to compile.

    Args:
        values: The values.
    """

    def __init__(self, values: Iterable[SecretValue]) -> None:
        self._trees: dict[_Spelling, _Node] = {}
        for value in values:
            node = self._trees.setdefault(_Spelling.of(value), {})
            for character in value.core:
                node = node.setdefault(character, {})
            node[_END] = {}
        first = sorted({character for tree in self._trees.values() for character in tree})
        self._starts = re.compile(f"[{''.join(map(re.escape, first))}]") if first else None

    def first(self, plain: str, at: int = 0) -> ValueMatch | None:
        """The first value in a plain text from a position on, the longest of those that begin there."""
        while self._starts is not None and (start := self._starts.search(plain, at)):
            at = start.start()
            ends = ((_end(plain, at, tree, how), how) for how, tree in self._trees.items())
            end, number = max(
                (
                    (end, how.number)
                    for end, how in ends
                    if end and (not how.local or _stands_alone(plain, at, end))
                ),
                default=(0, False),
            )
            if end and _may_begin(plain, at):
                return ValueMatch(at, end, core_of(plain[at:end], number=number), number)
            at += 1
        return None


class _Spelling(NamedTuple):
    """Signs that may stand between the characters of values, and how many of these."""

    between: str
    most: int
    number: bool
    local: bool = False

    @classmethod
    def of(cls, value: SecretValue) -> _Spelling:
        if value.local:
            return cls(" -", 1, value.number, local=True)
        return cls(_SEPARATORS, 3, True) if value.number else cls(_SPACE + _DOT, 8, False)


def plain_text(text: str) -> FoldedText:
    """Fold a text, with simplified characters, small letters, and digits for words of digits."""
    folded = read_spelled_digits(fold(simplified(text)))
    lower = folded.text.lower()
    if len(lower) != len(folded.text):
        lower = "".join(one.lower() if len(one.lower()) == 1 else one for one in folded.text)
    return replace(folded, text=lower)


def _end(plain: str, at: int, tree: _Node, how: _Spelling) -> int:
    """End of the longest value that begins at a position; 0 without one."""
    end, node = 0, tree
    while at < len(plain):
        following = node.get(plain[at])
        if following is None:
            break
        at, node = at + 1, following
        if _END in node and _may_end(plain, at):
            end = at
        last = min(at + how.most, len(plain))
        while at < last and plain[at] in how.between:
            at += 1
    return end


def _may_begin(plain: str, at: int) -> bool:
    """Whether a value that begins here is no part of a longer number or word."""
    before = plain[at - 1 : at]
    if _is_digit(plain[at]):
        return not _is_digit(before) or _CODE_OF_COUNTRY.search(plain, max(0, at - 5), at) is not None
    return not (_is_letter(plain[at]) and _is_letter(before))


def _may_end(plain: str, end: int) -> bool:
    last, behind = plain[end - 1], plain[end : end + 1]
    if _is_digit(last):
        return not _is_digit(behind)
    return not (_is_letter(last) and _is_letter(behind))


def _stands_alone(plain: str, at: int, end: int) -> bool:
    """Whether a short number is no part of a time, a date or a longer number: 10 is none in 10:46."""
    return not (_PART_BEFORE.search(plain, max(0, at - 2), at) or _PART_BEHIND.match(plain, end))


def _is_digit(character: str) -> bool:
    return character.isascii() and character.isdigit()


def _is_letter(character: str) -> bool:
    return character.isascii() and character.isalpha()
