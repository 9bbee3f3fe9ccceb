"""Detect confusable text: invisible characters, and words that mix alphabets."""

from __future__ import annotations

import re
import unicodedata

_ALIKE = str.maketrans(
    "аеорсухіјѕһԁԛԝвкмнтАВЕКМНОРСТУХІЈЅαοινρτυκΑΒΕΖΗΙΚΜΝΟΡΤΥΧ0１l|＿‗‐‑‒–—−",
    "aeopcyxijshdqwbkmhtABEKMHOPCTYXIJSaoivptukABEZHIKMNOPTYXo1ii__------",
)
"""Letters, digits and strokes that look like others, after Unicode's list of confusables."""

_WORD = re.compile(r"[^\W\d_]+")
_MIXED = ("CYRILLIC", "GREEK")


def skeleton(text: str) -> str:
    """Normal form of a text: equal for two texts that look alike.

    >>> skeleton("1001__2025") == skeleton("1001__２０２5"), skeleton("habit") == skeleton("hаbit")
    (True, True)
    """
    seen = "".join(
        c for c in unicodedata.normalize("NFKC", text) if unicodedata.category(c) not in ("Cf", "Mn")
    )
    return seen.translate(_ALIKE).casefold()


def what_hides(text: str) -> str | None:
    """Description of the first invisible or misleading part of a name; None without one.

    >>> what_hides("小红 agent-7B"), what_hides("hаbit")
    (None, "a word of two alphabets, 'hаbit'")
    """
    for character in text:
        category = unicodedata.category(character)
        if category in ("Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp"):
            return f"a character that cannot be seen, U+{ord(character):04X}"
    for word in _WORD.findall(text):
        scripts = {unicodedata.name(letter, "").partition(" ")[0] for letter in word}
        if "LATIN" in scripts and scripts & set(_MIXED):
            return f"a word of two alphabets, {word!r}"
    return None if text == text.strip() else "space at an end"
