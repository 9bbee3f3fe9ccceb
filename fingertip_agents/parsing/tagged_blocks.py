"""Blocks between tags of a model's output that stand within a sentence: they are mentioned, and no calls."""

from __future__ import annotations

import re
from itertools import islice

MOST_BLOCKS = 64
"""Maximum number of opening tags looked at."""

_LETTER = re.compile(r"[^\W\d_]")
_ANY_TAG = re.compile(r"</?[^<>\n]{1,40}>")
# what ends a sentence or announces a call
_SENTENCE_END = (".", "!", "?", "…", ":", ";", "。", "！", "？", "：", "；")


def blank_mentions(text: str, opening: re.Pattern[str], closing: re.Pattern[str]) -> str:
    """Replace blocks within a sentence, tags included, by spaces, so that all positions stay.

    A block stands within a sentence if its line has words before it, without an end of the sentence, and
    words behind it.

    Args:
        text: The model's output without its thinking.
        opening: Opening tag of a block.
        closing: Closing tag; a block without one stays.

    >>> tags = re.compile("<a>"), re.compile("</a>")
    >>> blank_mentions("I could do <a>1</a> here.", *tags)
    'I could do          here.'
    >>> blank_mentions("I do it: <a>1</a> here.", *tags)
    'I do it: <a>1</a> here.'
    """
    starts = list(islice(opening.finditer(text), MOST_BLOCKS))
    limits = [*(start.start() for start in starts), len(text)][1:]
    kept, at = text, 0
    for start, limit in zip(starts, limits, strict=True):
        close = closing.search(text, start.end(), limit)
        if close is None:
            continue
        line, end = text.rfind("\n", 0, start.start()) + 1, text.find("\n", close.end())
        before = text[max(at, line) : start.start()]
        behind = text[close.end() : min(limit, len(text) if end < 0 else end)]
        if _has_words(before) and not before.rstrip().endswith(_SENTENCE_END) and _has_words(behind):
            kept = kept[: start.start()] + " " * (close.end() - start.start()) + kept[close.end() :]
        at = close.end()
    return kept


def _has_words(text: str) -> bool:
    return _LETTER.search(_ANY_TAG.sub("", text)) is not None
