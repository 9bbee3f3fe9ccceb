"""Calls of `fingertip` in messages, written so that they can be pasted into a shell."""

from __future__ import annotations

import shlex
from pathlib import Path


def write_call(*words: str | Path) -> str:
    """Return a call of `fingertip` as a line of a shell.

    Args:
        words: Command, arguments and options. A path is never taken for an option.

    >>> write_call("score", Path("my runs/a"), "--partial")
    "fingertip score 'my runs/a' --partial"
    >>> write_call("score", Path("-a"))
    'fingertip score ./-a'
    """
    return " ".join(("fingertip", *map(quote_word, words)))


def quote_word(word: str | Path) -> str:
    """Return a word as a shell reads it; a path that begins with a hyphen has ./ before it."""
    text = f"./{word}" if isinstance(word, Path) and str(word).startswith("-") else str(word)
    return shlex.quote(text)
