"""Search for the end of a call such as `tap(5)` or `type(text='...')` with quoted but unescaped text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

QUOTES = "'\"＇＂‘’“”"
OPENING, CLOSING = "(（", ")）"

MAX_OUTPUT = 100_000
"""Maximum number of characters of an answer."""

MAX_ENDS = 64
"""Maximum number of brackets tried as the end of one call."""

_BRACKET = re.compile(r"[()（）]")
_QUOTE = re.compile(f"[{QUOTES}]")


def find_call_ends(text: str, inside: int) -> Iterator[int]:
    """Candidate ends of a call, the most likely first.

    A quoted text is not escaped and may contain quotes and brackets, so a call with a quote ends after a
    quote and a bracket. Positions with balanced brackets come first, then the others, each in text order.

    Args:
        text: The whole answer.
        inside: Index after the call's opening bracket.

    Yields:
        Index after a closing bracket; at most `MAX_ENDS`.

    >>> answer = "text('a (large) cup') is what I do (see 'note')"
    >>> [answer[:end] for end in find_call_ends(answer, 5)]
    ["text('a (large) cup')", "text('a (large) cup') is what I do (see 'note')"]
    """
    return islice(_find_ends(text, inside), MAX_ENDS)


def _find_ends(text: str, inside: int) -> Iterator[int]:
    quote = _QUOTE.search(text, inside)
    first_quote = quote.start() if quote else len(text)
    depth, unbalanced = 1, list[int]()
    for bracket in _BRACKET.finditer(text, inside):
        if bracket[0] in OPENING:
            depth += 1
            continue
        depth -= 1
        before = text[max(inside, bracket.start() - 20) : bracket.start()].rstrip()[-1:]
        if bracket.start() < first_quote:
            if depth == 0:
                yield bracket.end()
                return
        elif before and before in QUOTES + CLOSING:
            if depth == 0:
                yield bracket.end()
            elif before in QUOTES:
                unbalanced.append(bracket.end())
    yield from unbalanced
