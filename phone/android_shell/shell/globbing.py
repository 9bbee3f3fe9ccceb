"""Shell patterns (`*`, `?`, `[...]`), braces, and file names that match a pattern."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING

from android_shell.files import FileError

if TYPE_CHECKING:
    from android_shell.files import FileSystem

MAX_WORDS = 4096
"""Largest number of words that braces or a pattern become."""

_CLASSES = {
    "alnum": "a-zA-Z0-9",
    "alpha": "a-zA-Z",
    "blank": " \t",
    "digit": "0-9",
    "lower": "a-z",
    "punct": "!-/:-@[-`{-~",
    "space": " \t-\r",
    "upper": "A-Z",
    "xdigit": "0-9a-fA-F",
}
_CLASS = re.compile(rf"\[:({'|'.join(_CLASSES)}):\]")
_SET = re.compile(r"\[(!?(?:\[:\w+:\]|\\.|[^/\\])(?:\[:\w+:\]|\\.|[^]\\/])*)\]", re.DOTALL)
_SET_SIGN = re.compile(r"\\(.)|([\[\]^&~|])", re.DOTALL)
_RANGE = re.compile(r"(\w)-(\w)")
_QUOTED_SIGN = re.compile(r"[*?\[\]!\\-]")
_ESCAPED_SIGN = re.compile(r"\\(.)", re.DOTALL)
_SPECIAL = re.compile(r"(?:[^\\*?\[]|\\.)*[*?\[]", re.DOTALL)

Segment = tuple[str, bool]
"""Text of a word, and whether it was quoted."""


@lru_cache(maxsize=256)
def compile_pattern(pattern: str) -> re.Pattern[str]:
    """The expression of a whole shell pattern, in which a backslash stands before a quoted sign.

    `*` does not backtrack into the text before it, so that the time stays linear.
    """
    first, *rest = _translate_parts(pattern)
    if not rest:
        return re.compile(rf"(?s:{first})\Z")
    middle = "".join(f"(?>.*?{part})" for part in rest[:-1])
    return re.compile(rf"(?s:{first}{middle}.*{rest[-1]})\Z")


def translate_pattern(pattern: str) -> str:
    """Return the expression of a pattern that may match a part of a text, for an engine of linear time."""
    return "(?s)" + ".*".join(_translate_parts(pattern))


def _translate_parts(pattern: str) -> list[str]:
    """Expressions of the parts of a pattern between its stars."""
    parts, at = [""], 0
    while at < len(pattern):
        sign = pattern[at]
        found = _SET.match(pattern, at) if sign == "[" else None
        if sign == "*":
            parts.append("")
        elif found:
            parts[-1] += _translate_set(found.group(1))
            at = found.end() - 1
        elif sign == "\\" and at + 1 < len(pattern):
            at += 1
            parts[-1] += re.escape(pattern[at])
        else:
            parts[-1] += "." if sign == "?" else re.escape(sign)
        at += 1
    # stars with nothing between them are one
    return parts if len(parts) < 3 else [parts[0], *filter(None, parts[1:-1]), parts[-1]]


def _translate_set(inside: str) -> str:
    """The expression of what stands between `[` and `]`."""
    inverted = inside.startswith("!")
    text = _CLASS.sub(lambda found: _CLASSES[found.group(1)], inside[inverted:])
    signs = _SET_SIGN.sub(lambda found: "\\" + (found.group(1) or found.group(2)), text)
    # a range that ends before its start matches nothing
    signs = _RANGE.sub(lambda found: found.group() if found.group(1) <= found.group(2) else "", signs)
    if not signs:
        return "." if inverted else r"[^\s\S]"
    return f"[{'^' * inverted}{signs}]"


def escape_segments(segments: Iterable[Segment]) -> str:
    """The pattern of a word: signs that were quoted have a backslash before them."""
    return "".join(
        _QUOTED_SIGN.sub(r"\\\g<0>", text) if quoted else text.replace("\\", "\\\\")
        for text, quoted in segments
    )


def match_file_names(segments: list[Segment], files: FileSystem, folder: str) -> list[str]:
    """Return the sorted paths that match a word; no path if the word has no unquoted pattern."""
    if not any(not quoted and set(text) & set("*?[") for text, quoted in segments):
        return []
    paths = [""]
    for number, part in enumerate(escape_segments(segments).split("/")):
        found: list[str] = []
        plain = _ESCAPED_SIGN.sub(r"\1", part) if not _SPECIAL.match(part) else None
        for path in paths:
            start = path + "/" if number else ""
            if plain is not None:
                found.append(start + plain)
                continue
            place = start if start.startswith("/") else f"{folder}/{start}"
            found += [start + name for name in _match_names(part, place, files)]
        # a pattern of many stars must not fill memory
        paths = found[:MAX_WORDS]
    inner = [path if path.startswith("/") else f"{folder}/{path}" for path in paths]
    return sorted(path for path, full in zip(paths, inner, strict=True) if files.get(full) is not None)


def _match_names(part: str, folder: str, files: FileSystem) -> list[str]:
    expression = compile_pattern(part)
    try:
        names = files.names(folder)
    except FileError:
        return []
    # a leading dot must be given
    return [name for name in names if name.startswith(".") <= part.startswith(".") and expression.match(name)]


def expand_braces(segments: list[Segment]) -> list[list[Segment]]:
    """The words that `{a,b}` in a word stands for; the word itself without braces."""
    if not any("{" in text and not quoted for text, quoted in segments):
        return [segments]
    atoms: list[object] = []
    for text, quoted in segments:
        atoms += [(text, True)] if quoted else text
    options = _list_alternatives(atoms)[:MAX_WORDS]
    return [_join_atoms(option) or [("", True)] for option in options]


def _list_alternatives(atoms: list[object]) -> list[list[object]]:
    pending = [atoms]
    done: list[list[object]] = []
    while pending and len(pending) + len(done) <= MAX_WORDS:
        current = pending.pop(0)
        group = _find_first_group(current)
        if group is None:
            done.append(current)
            continue
        start, commas, end = group
        cuts = [start, *commas, end]
        options = [current[cuts[index] + 1 : cuts[index + 1]] for index in range(len(cuts) - 1)]
        pending[:0] = [current[:start] + option + current[end + 1 :] for option in options]
    return done + pending


def _find_first_group(atoms: list[object]) -> tuple[int, list[int], int] | None:
    """Indices of the first `{`, of its commas, and of its `}`; None without such a group."""
    open_braces: list[tuple[int, list[int]]] = []
    found: list[tuple[int, list[int], int]] = []
    for index, atom in enumerate(atoms):
        if atom == "{":
            open_braces.append((index, []))
        elif atom == "," and open_braces:
            open_braces[-1][1].append(index)
        elif atom == "}" and open_braces:
            start, commas = open_braces.pop()
            if commas:
                found.append((start, commas, index))
    return min(found, key=lambda group: group[0], default=None)


def _join_atoms(atoms: list[object]) -> list[Segment]:
    parts: list[Segment] = []
    for plain, group in groupby(atoms, key=lambda atom: isinstance(atom, str)):
        if plain:
            parts.append(("".join(map(str, group)), False))
        else:
            parts += group  # type: ignore[arg-type]
    return parts
