"""Folding of texts that look alike or hide characters: that of the gate, of privacy, of names and of copies.

Which characters cannot be seen, and which letters look like which, stands here alone, so that a disguise that
one check sees through is none for another. There are two steps. `fold` gives compatible forms, digits of
every script, separators and spaces of every kind, and no invisible characters; it keeps the places of the
original. `make_skeleton` also gives letters that look alike one form: it is for words and names, never for
numbers. The rules of the second are those of Unicode TS 39
(https://www.unicode.org/reports/tr39/) with the table of the package confusable-homoglyphs.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

_IGNORABLE = (
    (0x00AD, 0x00AD), (0x034F, 0x034F), (0x061C, 0x061C), (0x115F, 0x1160), (0x17B4, 0x17B5),
    (0x180B, 0x180F), (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164),
    (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8), (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF),
)  # fmt: skip
"""Ranges of Default_Ignorable_Code_Point in Unicode's DerivedCoreProperties.txt."""

_BLANK = frozenset("\u2800\U0001d159")
"""Characters without ink that Unicode counts as symbols: the empty Braille pattern, the empty note head."""

NOT_SEEN = "[" + "".join(f"{chr(first)}-{chr(last)}" for first, last in _IGNORABLE) + "".join(_BLANK) + r"\s]"
"""Regular expression of a character that cannot be seen: an ignorable or blank one, or a space."""

_NOT_SEEN = re.compile(f"{NOT_SEEN}+")

_WITHOUT_GLYPH = ("Cc", "Cf", "Co", "Cs", "Cn")
"""General categories of characters that cannot be seen and are no space."""

SHARED_SCRIPTS = frozenset(
    {"CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "IDEOGRAPHIC", "HANGUL", "BOPOMOFO", "HALFWIDTH"}
    | {"MODIFIER", "COMBINING"}
)
"""First words of the names of letters that may stand in one word with another alphabet, as in "用α算法"."""

_LRM = "\u200e"


_DASHES = "\u2043\u02d7\u2212\u30fc\uff70\u2500\u2501\u4e28"
"""Characters that stand for a hyphen within numbers and are no dashes (category Pd) for Unicode."""

_SLASHES = "\u2044\u2215\u29f8\u2571"
_MIDDLE_DOTS = "\u2027\u30fb\uff65\u2219\u22c5\u16eb\u0387\u2e31\u2022"
MARKS = ("Mn", "Me")
"""Categories of marks on a character, such as the key of a keycap."""


@dataclass(frozen=True, slots=True)
class FoldedText:
    """A folded text, and where its characters stand in the original.

    Attributes:
        text: The folded text.
        starts: Place in the original of each character's source; None if all places are equal.
        ends: Place behind it.
    """

    text: str
    starts: Sequence[int] | None = None
    ends: Sequence[int] | None = None

    def find_span(self, start: int, end: int) -> tuple[int, int]:
        """Return start and end in the original of a part that is not empty.

        >>> fold("tel 1\u200b38").find_span(4, 7)
        (4, 8)
        """
        if self.starts is None or self.ends is None:
            return start, end
        return self.starts[start], self.ends[end - 1]


def fold(text: str) -> FoldedText:
    """Fold a text: compatible forms, ASCII digits, plain separators, and nothing that cannot be seen.

    Letters keep their case and line breaks stay.

    >>> fold("１３８\u00a01234\u2013٥٦\u00ad٧٨").text
    '138 1234-5678'
    """
    if text.isascii() and text.isprintable():
        return FoldedText(text)
    pieces = [_FOLDED[character] for character in text]
    folded = "".join(pieces)
    if folded == text:
        return FoldedText(text)
    places = [at for at, piece in enumerate(pieces) for _ in piece]
    return FoldedText(folded, places, [at + 1 for at in places])


class _FoldedCharacters(dict[str, str]):
    """Character -> what it becomes, each looked up once."""

    def __missing__(self, character: str) -> str:
        self[character] = found = _fold_character(character)
        return found


_FOLDED = _FoldedCharacters()


def _fold_character(character: str) -> str:
    if character in "\n\r":
        return character
    # a control character is no space on a screen, though Python counts some as one
    if character.isspace() and (character == "\t" or unicodedata.category(character) != "Cc"):
        return " "
    if is_unseen(character):
        return ""
    if character.isascii():
        return character
    whole = unicodedata.normalize("NFKC", character)
    return "".join(map(_fold_part, whole)).strip(" ") if len(whole) > 1 else _fold_part(whole)


def _fold_part(character: str) -> str:
    """The plain form of a character of a compatible form."""
    decimal = unicodedata.decimal(character, None)
    if decimal is not None:
        return str(decimal)
    category = unicodedata.category(character)
    if category in MARKS:
        return ""
    if category == "Pd" or character in _DASHES:
        return "-"
    if character in _SLASHES:
        return "/"
    return "\u00b7" if character in _MIDDLE_DOTS else character


def fold_forms(text: str) -> str:
    """Return a text in compatible forms and without case: full-width and styled letters become plain ones.

    >>> fold_forms("ＰＡＹ ①")
    'pay 1'
    """
    return unicodedata.normalize("NFKC", text).casefold()


def is_unseen(character: str) -> bool:
    """Whether a character has no ink and is no space: ignorable, blank, or without a glyph."""
    return is_ignorable(character) or unicodedata.category(character) in _WITHOUT_GLYPH


def is_ignorable(character: str) -> bool:
    """Whether a character has no ink and no width of a space."""
    point = ord(character)
    return character in _BLANK or any(first <= point <= last for first, last in _IGNORABLE)


def make_skeleton(text: str) -> str:
    """Return TS 39's skeleton of a text after NFKC, without blanks: equal for texts that look alike.

    >>> make_skeleton("1001__2025") == make_skeleton("1001__２０２5")
    True
    """
    decomposed = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", text))
    return unicodedata.normalize("NFD", _NOT_SEEN.sub("", decomposed).translate(_prototypes()))


def script_of(letter: str) -> str:
    """Return the first word of a letter's name, which is its script; "" for a character without a name."""
    return unicodedata.name(letter, "").partition(" ")[0]


@cache
def latin_look_alikes() -> Mapping[int, str]:
    """Code point of a letter in lower case -> the Latin letter that it, or its capital, looks like.

    Letters that stand in words with any script, such as Chinese ones, are left out.

    >>> "".join(latin_look_alikes()[ord(letter)] for letter in "раув")
    'payb'
    """
    found = {}
    # compatible forms, such as mathematical letters, become plain ones by `fold_forms` before
    for letter in {fold_forms(chr(point)) for point in _prototypes()}:
        if letter.isalpha() and not letter.isascii() and script_of(letter[0]) not in SHARED_SCRIPTS:
            # the capital too: the table knows В as B, and в as a small capital
            latin = _latin(letter) or _latin(letter.upper())
            if latin:
                found[ord(letter)] = latin
    return found


def _latin(letter: str) -> str:
    """The Latin letter that a letter looks like, in lower case; "" for others, and for several letters."""
    look = letter.translate(_prototypes())
    return look.lower() if len(letter) == len(look) == 1 and look.isascii() and look.isalpha() else ""


@cache
def _prototypes() -> Mapping[int, str]:
    """Code point -> its prototype, from a table that lists confusable pairs in both directions."""
    found = dict(_pairs())
    # the parts of a prototype of several characters are prototypes, too; one of two equal ones was chosen
    return {
        ord(source): "".join(found.get(c, c) for c in prototype) if len(prototype) > 1 else prototype
        for source, prototype in found.items()
    }


def _pairs() -> Iterator[tuple[str, str]]:
    from confusable_homoglyphs.confusables import confusables_data

    # right-to-left characters stand between left-to-right marks
    table = {
        key.strip(_LRM): [entry["c"].strip(_LRM) for entry in entries]
        for key, entries in confusables_data.items()
    }
    for character, others in table.items():
        if len(character) != 1 or len(others) != 1:
            continue  # a prototype lists all that look like it, another character only its prototype
        (other,) = others
        prototype = other if len(other) > 1 or len(table.get(other, ())) > 1 else min(character, other)
        if prototype != character:
            yield character, prototype
