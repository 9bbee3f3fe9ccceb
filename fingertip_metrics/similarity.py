"""Similarity of two texts or two action sequences, from 0 (nothing in common) to 1 (equal)."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

from rapidfuzz.distance import Levenshtein
from rapidfuzz.fuzz import ratio

from fingertip_dataset.actions import strip_answer
from fingertip_dataset.errors import UsageError
from fingertip_metrics.conventions import ACTION_SEPARATOR

TEXT_METHODS = ("release", "levenshtein", "fuzzywuzzy-difflib")
"""Methods of `text_similarity`."""

SEQUENCE_METHODS = (*TEXT_METHODS, "tokens")
"""Methods of `sequence_similarity`."""


def text_similarity(a: str, b: str, method: str = "release") -> float:
    """Similarity of two texts, 0-1; 1 if both are empty, 0 if one is empty.

    Args:
        a: First text, the person's if the roles differ; `fuzzywuzzy-difflib` depends on the order.
        b: Second text, the agent's.
        method: `release`: Indel similarity in whole percents, `round(rapidfuzz.fuzz.ratio(a, b)) / 100`; it
            equals fuzzywuzzy with python-Levenshtein. `levenshtein`: 1 - distance / length of the longer
            text. `fuzzywuzzy-difflib`: fuzzywuzzy without python-Levenshtein, whose difflib ignores frequent
            characters if `b` has 200 or more characters.

    Raises:
        UsageError: Unknown method.

    >>> text_similarity("打开微信", "打开微博"), text_similarity("abcd", "bcde", "levenshtein")
    (0.75, 0.5)
    """
    if method == "release":
        return round(ratio(a, b)) / 100
    if method == "levenshtein":
        return Levenshtein.normalized_similarity(a, b)
    if method == "fuzzywuzzy-difflib":
        return _fuzzywuzzy_difflib(a, b)
    raise UsageError(f"expected a similarity of {', '.join(TEXT_METHODS)}, got {method!r}")


def sequence_similarity(a: Sequence[str], b: Sequence[str], method: str = "release") -> float:
    """Similarity of two action sequences, 0-1.

    Args:
        a: The person's action strings, in the spelling to compare.
        b: Action strings of the agent, or of another person.
        method: A method of `text_similarity`, applied to the sequences joined with U+FF0C; or `tokens`,
            normalized Levenshtein over whole actions, which are equal if their strings are, coordinates
            included.

    The answer of a `finished(content='...')` counts for nothing: it is no action of the paper's.

    Raises:
        UsageError: Unknown method.

    >>> sequence_similarity(["press_home()", "finished()"], ["press_back()", "finished()"], "tokens")
    0.5
    """
    a, b = [*map(strip_answer, a)], [*map(strip_answer, b)]
    if method == "tokens":
        return Levenshtein.normalized_similarity(a, b)
    if method not in TEXT_METHODS:
        raise UsageError(f"expected a similarity of {', '.join(SEQUENCE_METHODS)}, got {method!r}")
    return text_similarity(ACTION_SEPARATOR.join(a), ACTION_SEPARATOR.join(b), method)


def _fuzzywuzzy_difflib(a: str, b: str) -> float:
    if a == b:
        return 1.0
    if not a or not b:
        return 0.0
    return round(100 * SequenceMatcher(None, a, b).ratio()) / 100
