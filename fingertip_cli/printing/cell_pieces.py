"""Pieces of a cell between which a line may break: names, numbers and intervals stay whole."""

from __future__ import annotations

import re
from functools import lru_cache

from rich.cells import cell_len

LONG_RUN = 16
"""Columns from which on Chinese without a space may break between characters; a shorter run is a name."""

_PIECE = re.compile(r"^\s*\S+|\[[^\[\]]{1,30}\]\S*|\S+ %(?!\S)|\S+")
"""A first word with what it is indented by; an interval; a number or name with its percent sign; a word."""
_CHARACTER = re.compile(
    "[\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]|[^\u3000-\u9fff\uf900-\uffef]+"
)
_CHINESE = re.compile("[\u3400-\u9fff]")


@lru_cache(maxsize=4096)
def split_pieces(line: str) -> tuple[tuple[str, str], ...]:
    """Split a line into pieces that are never broken, each with what joins it to the piece before.

    >>> split_pieces("54.4 [44.7, 64.7]")
    (('', '54.4'), (' ', '[44.7, 64.7]'))
    """
    found: list[tuple[str, str]] = []
    for piece in _PIECE.findall(line):
        joint = " " if found else ""
        if cell_len(piece) > LONG_RUN and _CHINESE.search(piece):
            first, *others = _CHARACTER.findall(piece)
            found += [(joint, first), *(("", other) for other in others)]
        else:
            found.append((joint, piece))
    return tuple(found)


def measure_least(text: str) -> int:
    """Columns that the widest piece of a text needs."""
    return max((cell_len(piece) for line in text.splitlines() for _, piece in split_pieces(line)), default=0)


def measure_most(text: str) -> int:
    """Columns that a text needs on lines of its own."""
    return max((cell_len(line) for line in text.splitlines()), default=0)


def wrap_cell(text: str, width: int) -> list[str]:
    """Wrap a text between its pieces; a piece that is wider than the width has a line of its own.

    >>> wrap_cell("54.4 [44.7, 64.7]", 12)
    ['54.4', '[44.7, 64.7]']
    """
    lines = []
    for line in text.splitlines() or [""]:
        current = ""
        for joint, piece in split_pieces(line):
            if current and cell_len(current + joint + piece) > width:
                lines.append(current)
                current = piece
            else:
                current += joint + piece
        lines.append(current)
    return lines
