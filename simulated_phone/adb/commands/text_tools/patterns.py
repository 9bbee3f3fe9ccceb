"""POSIX patterns, matched by RE2 in time linear in the text: a pattern of a host cannot stop the phone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

MAX_PATTERN = 4000
"""Largest length of a pattern, in characters."""

Span = tuple[int, int]
"""Start and end of a match, in characters."""

_SPECIAL = re.compile(r"[\\\[\](){}.*+?^$|]")
_WORD_ENDS = {"<": r"\b", ">": r"\b", "`": r"\A", "'": r"\z"}
_CONTROLS = {"n": "\\n", "t": "\\t", "r": "\\r", "f": "\\f", "v": "\\v", "a": "\\a"}
_CLASSES = "wWsSbBdD"


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
        PatternError: It is no valid pattern, or has a back-reference.

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
        expression = re.escape(text) if fixed else _translated(text, extended=extended)
        if word:
            expression = rf"\b(?:{expression})\b"
        if line:
            expression = rf"\A(?:{expression})\z"
        flags = "(?i)" if ignore_case else ""
        self._anywhere = flags + expression
        self._first = f"{flags}(?P<g0>{expression})"
        # the character before the start is kept: ^ must not match, and \b needs it
        self._later = rf"{flags}\A(?s:.)(?s:.*?)(?P<g0>{expression})"
        if self._literal is None:
            _match(self._anywhere, [""])

    def matches(self, texts: Sequence[str]) -> list[bool]:
        """Whether each text has a match."""
        if self._literal is not None:
            return [self._literal in text for text in texts]
        return _match(self._anywhere, texts)

    def find(self, text: str, start: int = 0) -> list[Span | None] | None:
        """Span of the first match from `start`, and of its groups; None without a match."""
        if self._literal is not None:
            at = text.find(self._literal, start)
            return None if at < 0 else [(at, at + len(self._literal))]
        if start > len(text):
            return None
        before = max(0, start - 1)
        found = _spans(self._later if start else self._first, text[before:])
        if found is None:
            return None
        return [None if span is None else (span[0] + before, span[1] + before) for span in found]


def _match(expression: str, texts: Sequence[str]) -> list[bool]:
    import pyarrow
    import pyarrow.compute

    try:
        array = pyarrow.array(list(texts), pyarrow.large_string())
        found: list[bool] = pyarrow.compute.match_substring_regex(array, expression).to_pylist()
    except pyarrow.ArrowInvalid as error:
        raise PatternError(str(error).removeprefix("Invalid regular expression: ")) from None
    return found


def _spans(expression: str, text: str) -> list[Span | None] | None:
    import pyarrow
    import pyarrow.compute

    array = pyarrow.array([text], pyarrow.string())
    record = pyarrow.compute.extract_regex_span(array, expression).to_pylist()[0]
    if record is None:
        return None
    data = text.encode()
    spans: list[Span | None] = []
    for number in range(len(record)):
        place = record[f"g{number}"]
        if place is None or place[0] is None or place[0] < 0:
            spans.append(None)
            continue
        start = len(data[: place[0]].decode("utf-8", "replace"))
        spans.append((start, start + len(data[place[0] : place[0] + place[1]].decode("utf-8", "replace"))))
    return spans


@lru_cache(maxsize=256)
def _translated(text: str, *, extended: bool) -> str:
    """The pattern in RE2's syntax, with groups named g1, g2, ..."""
    parts: list[str] = []
    at, groups = 0, 0
    while at < len(text):
        sign = text[at]
        if sign == "[":
            at = _bracket(text, at, parts)
            continue
        escaped = sign == "\\" and at + 1 < len(text)
        sign = text[at + 1] if escaped else sign
        at += 2 if escaped else 1
        if sign in "(){}|+?" and escaped != extended:
            if sign == "(":
                groups += 1
                parts.append(f"(?P<g{groups}>")
            elif sign == "{" and not text[at : at + 1].isdigit():
                parts.append(r"\{")
            else:
                parts.append(sign)
        elif escaped:
            parts.append(_escape(sign))
        elif sign == "*" and (not parts or parts[-1] in ("^", "|") or parts[-1].endswith(("(", ">"))):
            parts.append(r"\*")
        elif sign in "*.^$" and not _plain_anchor(text, at, sign, parts, extended=extended):
            parts.append(sign)
        else:
            parts.append(re.escape(sign))
    return "".join(parts)


def _plain_anchor(text: str, at: int, sign: str, parts: list[str], *, extended: bool) -> bool:
    """Whether ^ or $ stands for itself: in a basic pattern, not at an end of it or of a group."""
    if extended or sign not in "^$":
        return False
    if sign == "^":
        return bool(parts) and not parts[-1].endswith((">", "|"))
    return at < len(text) and text[at : at + 2] not in ("\\)", "\\|")


def _escape(sign: str) -> str:
    if sign.isdigit() and sign != "0":
        raise PatternError("back-references in a pattern are not supported")
    if sign in _CLASSES:
        return "\\" + sign
    return _WORD_ENDS.get(sign) or _CONTROLS.get(sign) or re.escape(sign)


def _bracket(text: str, start: int, parts: list[str]) -> int:
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
        if sign == "\\" and text[at + 1 : at + 2] in ("n", "t", "d", "w", "s"):
            inner += text[at : at + 2]
            at += 2
            continue
        inner += "\\" + sign if sign in "[]\\^&~" else sign
        at += 1
    if at >= len(text):
        raise PatternError("brackets ([ ]) not balanced")
    parts.append(inner + "]")
    return at + 1
