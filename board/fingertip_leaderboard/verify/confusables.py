"""Texts that look alike, by Unicode TS 39 (https://www.unicode.org/reports/tr39/), or hide something.

The table of confusable characters is that of the package confusable-homoglyphs.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
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

_NOT_SEEN = re.compile(
    "[" + "".join(f"{chr(first)}-{chr(last)}" for first, last in _IGNORABLE) + "".join(_BLANK) + r"\s]+"
)

_UNSEEN = ("Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp")
"""General categories of characters that cannot be seen."""

_WITH_ANY = frozenset(
    {"CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "IDEOGRAPHIC", "HANGUL", "BOPOMOFO", "HALFWIDTH"}
    | {"MODIFIER", "COMBINING"}
)
"""First words of the names of letters that may stand in one word with another alphabet, as in "用α算法"."""

_STYLED = ("<font>", "<wide>", "<narrow>", "<circle>", "<square>")
"""Kinds of decomposition of letters in another style, such as mathematical and full-width ones."""

_WORD = re.compile(r"[^\W\d_]+")
_LRM = "\u200e"


def skeleton(text: str) -> str:
    """TS 39's skeleton of a text after NFKC, without blanks: equal for texts that look alike.

    >>> skeleton("1001__2025") == skeleton("1001__２０２5"), skeleton("habit") == skeleton("hаbit")
    (True, True)
    """
    decomposed = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", text))
    return unicodedata.normalize("NFD", _NOT_SEEN.sub("", decomposed).translate(_prototypes()))


def name_keys(name: str) -> frozenset[str]:
    """Keys of a name: two names that look alike in any case have one in common.

    Letters that look alike as capitals may differ as small letters, and the other way round, so that the
    name is compared as it is, in small letters and in capitals.

    >>> [bool(name_keys("Habit") & name_keys(other)) for other in ("HABIT", "habıt", "НАВІТ", "rabbit")]
    [True, True, True, False]
    """
    spellings = (name, name.casefold(), name.upper())
    return frozenset(skeleton(spelling).casefold() for spelling in spellings)


def is_invisible(character: str) -> bool:
    """Whether a character has no ink and no width of a space."""
    point = ord(character)
    return character in _BLANK or any(first <= point <= last for first, last in _IGNORABLE)


def what_hides(text: str) -> str | None:
    """Description of the first invisible or misleading part of a name; None without one.

    >>> what_hides("小红 agent-7B"), what_hides("hаbit")
    (None, "a word of two alphabets, 'hаbit'")
    """
    for character in text:
        if is_invisible(character) or unicodedata.category(character) in _UNSEEN:
            return f"a character that cannot be seen, U+{ord(character):04X}"
        plain = _plain_letter(character)
        if plain:
            return f"a letter that only looks like {plain!r}, U+{ord(character):04X}"
    for word in _WORD.findall(text):
        letters = (letter for letter in word if unicodedata.category(letter).startswith("L"))
        if len({unicodedata.name(letter, "").partition(" ")[0] for letter in letters} - _WITH_ANY) > 1:
            return f"a word of two alphabets, {word!r}"
    return None if text == text.strip() else "space at an end"


def _plain_letter(character: str) -> str:
    """The letters and digits of ASCII that a character shows in another style; "" for others."""
    if character.isascii() or not unicodedata.decomposition(character).startswith(_STYLED):
        return ""
    plain = unicodedata.normalize("NFKC", character)
    return plain if plain.isascii() and plain.isalnum() else ""


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
