"""The name that a misspelt one was meant to be: one rule for commands, options and all other names."""

from __future__ import annotations

from collections.abc import Iterable

LEAST_SIMILARITY = 0.6
"""Minimum `difflib.SequenceMatcher.ratio` (0 to 1) of two names for one to be meant by the other."""


def find_similar_name(name: str, names: Iterable[str]) -> str | None:
    """Return the name that is most similar to a misspelt one; None if none is similar.

    Hyphens, underscores, capital letters and the dashes of options make no difference.

    >>> names = ["suggest", "score", "ui-tars-1.5"]
    >>> find_similar_name("sugest", names), find_similar_name("UI_TARS_1.5", names)
    ('suggest', 'ui-tars-1.5')
    >>> find_similar_name("banana", ["suggest", "score"]) is None
    True
    >>> find_similar_name("--outt", ["--out"]), find_similar_name("--model", ["--help", "--base"])
    ('--out', None)
    """
    # only a wrong name needs it, and `fingertip --help` starts without
    from difflib import SequenceMatcher

    given = _plain(name)
    scored = [(SequenceMatcher(None, given, _plain(one)).ratio(), one) for one in names]
    score, best = max(scored, default=(0.0, ""), key=lambda pair: pair[0])
    return best if score >= LEAST_SIMILARITY else None


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """The end of a message about an unknown name: a question, or nothing.

    >>> did_you_mean("habbit", ["habit", "recent"]), did_you_mean("x", ["habit"])
    (': did you mean habit?', '')
    """
    similar = find_similar_name(name, names)
    return f": did you mean {similar}?" if similar else ""


def _plain(name: str) -> str:
    # all options begin with the same two dashes, which would make short ones alike
    return name.lower().replace("_", "-").lstrip("-")
