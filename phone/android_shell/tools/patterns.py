"""POSIX patterns, basic and extended, matched in time linear in the text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from android_shell.command_call import UnsupportedError
from android_shell.linear_regex import compile_linear

MAX_PATTERN = 4000
"""Largest length of a pattern, in characters."""

Span = tuple[int, int]
"""Start and end of a match, in characters."""

_SPECIAL = re.compile(r"[\\\[\](){}.*+?^$|]")
_BRACES = re.compile(r"\d{1,3}(?:,\d{0,3})?\\?\}")
_UNCERTAIN = "wWsSbB<>`'"
"""Signs that are classes, borders or operators behind a backslash in one C library, and plain in another."""


class PatternError(Exception):
    """A pattern that cannot be used; the text is a tool's message."""


class TextPattern:
    r"""A compiled pattern.

    Args:
        text: The pattern.
        extended: Whether `( ) { } | + ?` are special without a backslash (ERE), or with one (BRE).
        ignore_case: Whether upper and lower case are alike.
        fixed: Whether the text stands for itself.
        word: Whether a match must be a whole word.
        line: Whether a match must be a whole line.

    Raises:
        PatternError: It is no valid pattern.
        UnsupportedError: It has a back-reference, or an escape whose meaning is not the same everywhere.

    >>> TextPattern("a\\(b*\\)", extended=False).find("xabb")
    [(1, 4), (2, 4)]
    """

    def __init__(
        self,
        text: str,
        *,
        extended: bool,
        ignore_case: bool = False,
        fixed: bool = False,
        word: bool = False,
        line: bool = False,
    ) -> None:
        if len(text) > MAX_PATTERN:
            raise PatternError(f"pattern of more than {MAX_PATTERN} characters")
        fixed = fixed or not _SPECIAL.search(text)
        # compared as text where that is the same: most patterns that people send
        self._literal = text if fixed and not (ignore_case or word or line) else None
        expression = re.escape(text) if fixed else _translate(text, extended=extended)
        if word:
            expression = rf"\b(?:{expression})\b"
        if line:
            expression = rf"\A(?:{expression})\z"
        self._compiled = None
        if self._literal is None:
            try:
                self._compiled = compile_linear(expression, ignore_case=ignore_case)
            except ValueError as error:
                raise PatternError(str(error)) from None

    def matches(self, texts: Sequence[str]) -> list[bool]:
        """Whether each text has a match."""
        if self._compiled is None:
            return [str(self._literal) in text for text in texts]
        return [self._compiled.search(text) is not None for text in texts]

    def find(self, text: str, start: int = 0) -> list[Span | None] | None:
        """Span of the first match from `start`, and of its groups; None without a match."""
        if self._compiled is None:
            at = text.find(str(self._literal), start)
            return None if at < 0 else [(at, at + len(str(self._literal)))]
        if start > len(text):
            return None
        # the characters before the start are seen: ^ must not match there, and \b needs them
        found = self._compiled.search(text, start)
        if found is None:
            return None
        spans = [found.span(group) for group in range(self._compiled.groups + 1)]
        return [None if begin < 0 else (begin, end) for begin, end in spans]


@lru_cache(maxsize=256)
def _translate(text: str, *, extended: bool) -> str:
    """The pattern in RE2's syntax."""
    parts: list[str] = []
    at = 0
    while at < len(text):
        sign = text[at]
        if sign == "[":
            at = _translate_bracket(text, at, parts)
            continue
        escaped = sign == "\\"
        if escaped and at + 1 == len(text):
            raise PatternError("trailing backslash (\\)")
        sign = text[at + 1] if escaped else sign
        at += 2 if escaped else 1
        if sign in ("(){}|+?" if extended else "(){}") and escaped != extended:
            if sign == "(":
                parts.append("(")
            elif sign == "{" and not text[at : at + 1].isdigit():
                parts.append(r"\{")
            elif sign == "{" and not _BRACES.match(text, at):
                raise PatternError("braces not balanced")
            else:
                parts.append(sign)
        elif escaped:
            parts.append(_escape(sign, extended=extended))
        elif sign == "*" and not extended and (not parts or parts[-1] in ("^", "(")):
            parts.append(r"\*")
        elif sign in "*.^$" and not _is_plain_anchor(text, at, sign, parts, extended=extended):
            parts.append(sign)
        else:
            parts.append(re.escape(sign))
    return "".join(parts)


def _is_plain_anchor(text: str, at: int, sign: str, parts: list[str], *, extended: bool) -> bool:
    """Whether ^ or $ stands for itself: in a basic pattern, not at an end of it or of a group."""
    if extended or sign not in "^$":
        return False
    if sign == "^":
        return bool(parts) and parts[-1] not in ("(", "|")
    return at < len(text) and text[at : at + 2] not in ("\\)", "\\|")


def _escape(sign: str, *, extended: bool) -> str:
    r"""The meaning of a sign behind a backslash: on a phone all but special ones stand for themselves.

    Raises:
        UnsupportedError: Its meaning differs between C libraries (`\w`, `\b`), or it is a back-reference.
    """
    uncertain = sign in _UNCERTAIN or (not extended and sign in "|+?")
    if (sign.isdigit() and sign != "0") or uncertain:
        raise UnsupportedError(f"bad REGEX: \\{sign} is not supported", 2)
    return re.escape(sign)


def _translate_bracket(text: str, start: int, parts: list[str]) -> int:
    """Append the bracket expression at `start`; return the index after it."""
    at = start + 1
    inner = "["
    if text[at : at + 1] == "^":
        inner += "^"
        at += 1
    first = at
    while at < len(text) and (text[at] != "]" or at == first):
        if text.startswith("[:", at):
            end = text.find(":]", at)
            if end < 0:
                raise PatternError("brackets ([ ]) not balanced")
            inner += text[at : end + 2]
            at = end + 2
            continue
        sign = text[at]
        inner += "\\" + sign if sign in "[]\\^&~" else sign
        at += 1
    if at >= len(text):
        raise PatternError("brackets ([ ]) not balanced")
    parts.append(inner + "]")
    return at + 1
