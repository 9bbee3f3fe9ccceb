"""Names of agents, judges and raters that look like others or hide something; see `folded_text`."""

from __future__ import annotations

import re
import unicodedata

from fingertip_dataset.folded_text import SHARED_SCRIPTS, is_unseen, make_skeleton, script_of

_LINE_ENDS = ("Zl", "Zp")
"""General categories of spaces that break a line, which no name needs."""

_STYLED = ("<font>", "<wide>", "<narrow>", "<circle>", "<square>")
"""Kinds of decomposition of letters in another style, such as mathematical and full-width ones."""

_WORD = re.compile(r"[^\W\d_]+")


def name_keys(name: str) -> frozenset[str]:
    """Keys of a name: two names that look alike in any case have one in common.

    Letters that look alike as capitals may differ as small letters, and the other way round, so that the
    name is compared as it is, in small letters and in capitals.

    >>> [bool(name_keys("Habit") & name_keys(other)) for other in ("HABIT", "habıt", "НАВІТ", "rabbit")]
    [True, True, True, False]
    """
    spellings = (name, name.casefold(), name.upper())
    return frozenset(make_skeleton(spelling).casefold() for spelling in spellings)


def find_disguise(text: str) -> str | None:
    """Describe the first invisible or misleading part of a name, or return None if it hides nothing.

    >>> find_disguise("小红 agent-7B"), find_disguise("hаbit")
    (None, "a word of two alphabets, 'hаbit'")
    """
    for character in text:
        if is_unseen(character) or unicodedata.category(character) in _LINE_ENDS:
            return f"a character that cannot be seen, U+{ord(character):04X}"
        plain = _plain_letter(character)
        if plain:
            return f"a letter that only looks like {plain!r}, U+{ord(character):04X}"
    for word in _WORD.findall(text):
        letters = (letter for letter in word if unicodedata.category(letter).startswith("L"))
        if len({script_of(letter) for letter in letters} - SHARED_SCRIPTS) > 1:
            return f"a word of two alphabets, {word!r}"
    return None if text == text.strip() else "space at an end"


def describe_disguise(what: str, name: str) -> str | None:
    """Reason to refuse a name that is not what it looks like; None for one that hides nothing."""
    hidden = find_disguise(name)
    return hidden and f"{what} is not what it looks like: it has {hidden}"


def _plain_letter(character: str) -> str:
    """The letters and digits of ASCII that a character shows in another style; "" for others."""
    if character.isascii() or not unicodedata.decomposition(character).startswith(_STYLED):
        return ""
    plain = unicodedata.normalize("NFKC", character)
    return plain if plain.isascii() and plain.isalnum() else ""
