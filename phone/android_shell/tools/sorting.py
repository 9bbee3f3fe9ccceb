"""`sort`."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from android_shell.command_call import CommandCall
from android_shell.tools.tool_arguments import read_lines
from android_shell.tools.tool_options import Options

_INTEGER = re.compile(r"\s*([-+]?\d{1,18})")
_FLOAT = re.compile(r"\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,3})?)")
_HEX = re.compile(r"\s*([-+]?)(?:0[xX])?([0-9a-fA-F]{1,15})")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_KEY_LETTERS = "bdfgiMnrx"
_END = r"(\d{1,9})(?:\.(\d{1,9}))?([a-zA-Z]*)"
_KEY = re.compile(rf"{_END}(?:,(?:{_END})?)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Key:
    """A part of a line that is compared.

    Attributes:
        first, first_sign: Number of the first field and of its first character, from 1; 0 for all.
        last, last_sign: The same of the end.
        letters: The order: n, r, f, ...; "B" strips blanks behind it.
    """

    first: int = 1
    first_sign: int = 0
    last: int = 0
    last_sign: int = 0
    letters: frozenset[str] = frozenset()


async def sort(call: CommandCall, options: Options, names: list[str]) -> None:
    """`sort [-bCcdfgiMnrsuxz] [-k KEY] [-t CHAR] [-o FILE] [FILE ...]`."""
    general = {letter for letter in _KEY_LETTERS if letter in options}
    if "b" in general:
        general.add("B")
    keys = [_parse_key(call, text, frozenset(general)) for text in options.list_values("k")]
    keys = keys or [_Key(letters=frozenset(general))]
    separator, end = options.get("t"), "\0" if "z" in options else "\n"
    stable = options.has("su")
    read = [_make_reader(key, separator[:1]) for key in keys]
    lines = await read_lines(call, names, end=end)
    if options.has("cC"):
        _check_order(call, lines, keys, read, unique="u" in options, stable=stable, quiet="C" in options)
        return
    # in a thread, so that the phone answers meanwhile
    ordered = await asyncio.to_thread(
        _sort_lines, lines, keys, read, backwards="r" in options, stable=stable, unique="u" in options
    )
    text = "".join(f"{line}{end}" for line in ordered)
    if "o" in options:
        path = call.path(options.get("o"))
        data = text.encode("utf-8", "surrogateescape")
        call.device.files.append(path, data, truncate=True, mode=0o666 & ~call.umask)
    else:
        call.print(text)


def _parse_key(call: CommandCall, text: str, general: frozenset[str]) -> _Key:
    """A key; its own letters replace the general options."""
    found = _KEY.fullmatch(text)
    if found is not None and "V" in text:
        raise call.refuse_option("k V")
    if found is None or set((found.group(3) or "") + (found.group(6) or "")) - set(_KEY_LETTERS):
        raise call.error("Unknown key option.")
    numbers = [int(found.group(index) or 0) for index in (1, 2, 4, 5)]
    # b behind the comma strips behind the key
    own = set(found.group(3)) | set((found.group(6) or "").replace("b", "B"))
    return _Key(
        first=numbers[0],
        first_sign=numbers[1],
        last=numbers[2],
        last_sign=numbers[3],
        letters=frozenset(own) or general,
    )


def _find_field(line: str, count: int, separator: str) -> int:
    """Index behind a number of fields."""
    at, size = 0, len(line)
    for _ in range(count):
        if separator:
            end = line.find(separator, at)
            at = size if end < 0 else end + 1
        else:
            while at < size and line[at].isspace():
                at += 1
            while at < size and not line[at].isspace():
                at += 1
        if at >= size:
            break
    return at


def _cut_key(line: str, key: _Key, separator: str) -> str:
    letters = key.letters
    if key == _Key(letters=letters) and not letters & {"b", "d", "i", "B"}:
        return line
    start = _find_field(line, key.first - 1, separator) if key.first else len(line)
    end = _find_field(line, key.last, separator) if key.last else len(line)
    if separator and line[start : start + 1] == separator:
        start += 1
    if "b" in letters or (not separator and not key.last_sign):
        while start < len(line) and line[start].isspace():
            start += 1
    if "B" in letters:
        while end > start and line[end - 1].isspace():
            end -= 1
    if key.last_sign:
        end = min(len(line), end + key.last_sign - 1)
    if key.first_sign:
        start = min(len(line), start + key.first_sign - 1)
    text = line[start : max(start, end)]
    if "d" in letters:
        text = "".join(sign for sign in text if sign.isspace() or (sign.isalnum() and sign.isascii()))
    if "i" in letters:
        text = "".join(sign for sign in text if " " <= sign <= "~")
    return text


def _make_reader(key: _Key, separator: str) -> Callable[[str], Any]:
    """Return the function that gives the value of a key, by which lines are ordered."""
    letters = key.letters

    def read(line: str) -> Any:  # noqa: ANN401 - text or number
        text = _cut_key(line, key, separator)
        if "g" in letters:
            found = _FLOAT.match(text)
            return (1, float(found.group(1))) if found else (0, 0.0)
        if "M" in letters:
            word = text.strip()[:3].lower()
            return _MONTHS.index(word) if word in _MONTHS else -1
        if "x" in letters:
            found = _HEX.match(text)
            return int(found.group(1) + found.group(2), 16) if found else 0
        if "n" in letters:
            found = _INTEGER.match(text)
            return int(found.group(1)) if found else 0
        raw = text.encode("utf-8", "surrogateescape")
        return raw.lower() if "f" in letters else raw

    return read


def _sort_lines(
    lines: list[str],
    keys: list[_Key],
    read: list[Callable[[str], Any]],
    *,
    backwards: bool,
    stable: bool,
    unique: bool,
) -> list[str]:
    # sorts are stable, so the last key comes first
    if not stable:
        # r of a key holds for the fallback only if it is general
        lines = sorted(lines, key=lambda line: line.encode("utf-8", "surrogateescape"), reverse=backwards)
    for key, reader in reversed(list(zip(keys, read, strict=True))):
        lines = sorted(lines, key=reader, reverse="r" in key.letters)
    if not unique:
        return lines
    found: list[str] = []
    before: list[Any] | None = None
    for line in lines:
        values = [reader(line) for reader in read]
        if values != before:
            found.append(line)
        before = values
    return found


def _check_order(
    call: CommandCall,
    lines: list[str],
    keys: list[_Key],
    read: list[Callable[[str], Any]],
    *,
    unique: bool,
    stable: bool,
    quiet: bool,
) -> None:
    for number, pair in enumerate(pairwise(lines), 2):
        ordered = _sort_lines(
            list(pair), keys, read, backwards="r" in keys[0].letters, stable=stable, unique=False
        )
        same = all(reader(pair[0]) == reader(pair[1]) for reader in read)
        if ordered != list(pair) or (unique and same):
            call.code = 1
            if not quiet:
                call.print_error(f"sort: Check line {number}\n")
            return
