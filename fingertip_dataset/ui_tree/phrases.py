"""Words and phrases looked for in normalized texts."""

from __future__ import annotations

import re
from functools import lru_cache

from fingertip_dataset.ui_tree.normal_text import normal

WHOLE = "="
"""Before a word that counts only if it is the whole text."""

_AFTER = 8
"""Characters behind a word in which a second word still belongs to it."""


def word(text: str) -> str:
    """Normalize a word to look for.

    Raises:
        ValueError: It has neither letters nor digits.
    """
    found = normal(text)
    if not found:
        raise ValueError("a word needs letters or digits")
    return WHOLE + found if text.startswith(WHOLE) else found


def expression(text: str) -> str:
    """Check a regular expression.

    Raises:
        ValueError: It cannot be compiled.
    """
    try:
        return re.compile(text).pattern
    except re.error as error:
        raise ValueError(f"a regular expression is needed: {error}") from None


@lru_cache(maxsize=256)
def finder(words: tuple[str, ...]) -> re.Pattern[str]:
    """Expression that finds any of the words in a normalized text, the longest first.

    A word with a Latin letter at its edge ends there as a word; a space in it may be missing.

    >>> bool(finder(("pay now",)).search(normal("PayNow!"))), bool(finder(("pay",)).search("display"))
    (True, False)
    """
    return re.compile("|".join(map(_bound, sorted(words, key=len, reverse=True))) or r"(?!)")


@lru_cache(maxsize=256)
def joined(expressions: tuple[str, ...]) -> re.Pattern[str]:
    """Return an expression that matches whatever any of the given ones matches."""
    return re.compile("|".join(f"(?:{each})" for each in expressions) or r"(?!)")


def _bound(text: str) -> str:
    whole, text = text.startswith(WHOLE), text.removeprefix(WHOLE)
    found = re.escape(text).replace(r"\ ", " ?")
    found = rf"(?<![a-z]){found}" if "a" <= text[0] <= "z" else found
    found = rf"{found}(?![a-z])" if "a" <= text[-1] <= "z" else found
    return rf"\A{found}\Z" if whole else found


def is_preceded(match: re.Match[str], words: tuple[str, ...]) -> bool:
    """Whether one of the words stands directly before a match."""
    before = match.string[: match.start()].rstrip()
    return any(found.end() == len(before) for found in finder(words).finditer(before))


def is_followed(match: re.Match[str], words: tuple[str, ...]) -> bool:
    """Whether one of the words stands behind a match, a few characters away at most."""
    text = match.string
    end = match.end() + (_AFTER if text[match.end() :][:1] == " " else _AFTER // 2)
    return any(found.start() < end for found in finder(words).finditer(text, match.end()))


def only(match: re.Match[str], fillers: tuple[str, ...]) -> bool:
    """Whether a match is all that its text says, apart from fillers and numbers."""
    rest = f"{match.string[: match.start()]} {match.string[match.end() :]}"
    return re.sub("[0-9 ]", "", finder(fillers).sub("", rest)) == ""


def core(text: str, fillers: tuple[str, ...]) -> str:
    """A normalized text without the fillers at its ends and between its words.

    >>> core("swap now", ("now",)), core("knows", ("now",))
    ('swap', 'knows')
    """
    return " ".join(finder(fillers).sub(" ", text).split())


def at_edge(match: re.Match[str], fillers: tuple[str, ...]) -> bool:
    """Whether nothing but fillers and numbers stands before a match, or behind it."""
    sides = (match.string[: match.start()], match.string[match.end() :])
    return any(re.sub("[0-9 ]", "", finder(fillers).sub("", side)) == "" for side in sides)
