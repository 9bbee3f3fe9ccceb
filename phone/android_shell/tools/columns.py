"""Tools on columns and characters: cut, paste, tr."""

from __future__ import annotations

import re
from itertools import zip_longest

from android_shell.command_call import CommandCall
from android_shell.tools.patterns import PatternError, TextPattern
from android_shell.tools.tool_arguments import read_contents, read_lines, split_lines
from android_shell.tools.tool_options import Options

_RANGE = re.compile(r"(\d{1,9})?(-)?(\d{1,9})?")
_ALL = 1 << 30
_FIELD_SEPARATOR = "[[:space:]][[:space:]]*"
_LOWER, _UPPER, _DIGITS = b"abcdefghijklmnopqrstuvwxyz", b"ABCDEFGHIJKLMNOPQRSTUVWXYZ", b"0123456789"
_CLASSES = {
    "alnum": _UPPER + _LOWER + _DIGITS,
    "alpha": _UPPER + _LOWER,
    "blank": b"\t ",
    "cntrl": bytes(range(32)) + b"\x7f",
    "digit": _DIGITS,
    "lower": _LOWER,
    "punct": b"!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~",
    "space": b"\t\n\f\r\v ",
    "upper": _UPPER,
    "xdigit": _DIGITS + b"ABCDEFabcdef",
}
_CLASS = re.compile(rb"\[:(" + b"|".join(name.encode() for name in _CLASSES) + rb"):\]")
_ESCAPES = dict(zip((b"%c" % byte for byte in b"ntebafvr\\"), b"\n\t\x1b\b\a\f\v\r\\", strict=True))
_SEPARATORS = {"0": "", **dict(zip("abfnrtv\\", "\a\b\f\n\r\t\v\\", strict=True))}
_ESCAPE = re.compile(rb"\\(?:([0-7]{1,3})|x([0-9a-fA-F]{1,2})|([ntebafvr\\])|(?=.)|$)", re.DOTALL)


def _parse_ranges(call: CommandCall, kind: str, texts: list[str]) -> list[tuple[int, int]]:
    """First and last index of each range, from 1."""
    found: list[tuple[int, int]] = []
    for part in ",".join(texts).split(","):
        match = _RANGE.fullmatch(part)
        first, dash, last = match.groups() if match else (None, None, None)
        start, end = int(first or 0), int(last or 0) if last else _ALL if dash else int(first or 0)
        if len(part) == 1 and not part.isdigit():
            # a sign alone is all
            start, end = 0, _ALL
        elif match is None or not part or start > end or (first and not start) or last == "0":
            raise call.error(f"bad -{kind}")
        found.append((start, end))
    return found


def _merge_ranges(ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Sorted ranges, those that overlap as one."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


async def cut(call: CommandCall, options: Options, names: list[str]) -> None:
    """`cut -b LIST | -c LIST | -f LIST | -F LIST [-Ds] [-d CHAR] [-O TEXT] [FILE ...]`."""
    kind = next((letter for letter in "fcbF" if letter in options), "")
    if options.has("sd") and kind not in ("f", "F"):
        raise call.error("-s needs -Ff" if "s" in options else "-d needs -Ff")
    if not kind:
        raise call.error("no selections")
    ranges = _parse_ranges(call, kind, options.list_values(kind))
    ranges = ranges if "D" in options else _merge_ranges(ranges)
    separator = options.get("d", "\t" if kind == "f" else _FIELD_SEPARATOR)
    joint = options.get("O", {"F": " ", "f": separator}.get(kind, ""))
    pattern = None
    if kind == "F":
        try:
            pattern = TextPattern(separator, extended=True)
        except PatternError as error:
            raise call.error(f"bad regex: {error}") from None
    if separator == "\n":
        raise call.refuse_option("d \\n")
    for line in await read_lines(call, names):
        if kind in "bc":
            call.print(_cut_signs(line, ranges, joint, by_bytes=kind == "b") + b"\n")
            continue
        text = _cut_fields(line, ranges, joint, _find_fields(line, separator, pattern), options)
        call.print("" if text is None else text + "\n")


def _cut_signs(line: str, ranges: list[tuple[int, int]], joint: str, *, by_bytes: bool) -> bytes:
    raw = line.encode("utf-8", "surrogateescape")
    parts = [
        raw[max(0, start - 1) : end]
        if by_bytes
        else line[max(0, start - 1) : end].encode("utf-8", "surrogateescape")
        for start, end in ranges
        if max(0, start - 1) < len(raw)
    ]
    if not joint:
        return b"".join(parts)
    return joint.encode().join(parts)


def _find_fields(line: str, separator: str, pattern: TextPattern | None) -> list[tuple[int, int]]:
    """Start and end of each field."""
    fields, start, at = list[tuple[int, int]](), 0, 0
    while at < len(line):
        if pattern is None:
            if line[at] not in separator:
                at += 1
                continue
            found = (at, at + 1)
        else:
            spans = pattern.find(line, at)
            if spans is None or spans[0] is None or spans[0][0] == spans[0][1]:
                break
            found = spans[0]
        fields.append((start, found[0]))
        start = at = found[1]
    return [*fields, (start, len(line))]


def _cut_fields(
    line: str, ranges: list[tuple[int, int]], joint: str, fields: list[tuple[int, int]], options: Options
) -> str | None:
    """The fields of a line; None if it is not printed.

    As in toybox, a field whose number is beyond the bytes of the line is empty, not the whole line.
    """
    parts: list[str] = []
    size = len(line.encode("utf-8", "surrogateescape"))
    for index, (start, end) in enumerate(ranges):
        before = max(start, 1) - 1
        if before >= size:
            continue
        if before and len(fields) == 1:
            # without a separator the whole line is printed
            if "D" in options:
                break
            if "s" in options:
                return None
            parts.append(line)
            break
        if before >= len(fields) or fields[before][0] >= len(line):
            continue
        last = min(max(end, 1), len(fields)) - 1
        parts.append((joint if index else "") + line[fields[before][0] : fields[last][1]])
    return "".join(parts)


async def paste(call: CommandCall, options: Options, names: list[str]) -> None:
    """`paste [-s] [-d CHARS] [FILE ...]`: join the lines of files, with -s those of each file."""
    separators = _read_separators(options.get("d", "\t")) or [""]
    columns: list[list[str]] = []
    inputs = [name for name in names or ["-"] if name == "-"]
    if len(inputs) > 1 and "s" not in options:
        # each - takes the next line in turn
        lines = split_lines(await call.input.read_all())
        shares = iter([lines[at :: len(inputs)] for at in range(len(inputs))])
        for name in names:
            columns += (
                [next(shares)]
                if name == "-"
                else [split_lines(data) async for _, data in read_contents(call, [name])]
            )
    else:
        columns = [split_lines(data) async for _, data in read_contents(call, names)]
    rows = columns if "s" in options else [list(row) for row in zip_longest(*columns, fillvalue="")]
    for row in rows:
        joined = "".join(
            part + (separators[index % len(separators)] if index < len(row) - 1 else "")
            for index, part in enumerate(row)
        )
        call.print(joined + "\n")


def _read_separators(text: str) -> list[str]:
    """The signs of a list in order; what is no escape is a backslash, and the sign behind it another one."""
    found = re.findall(r"\\[0abfnrtv\\]|.", text, re.DOTALL)
    return [_SEPARATORS[sign[1]] if len(sign) > 1 else sign for sign in found]


async def tr(call: CommandCall, options: Options, sets: list[str]) -> None:
    """`tr [-Ccds] SET1 [SET2]`; of bytes, as toybox's: a letter that has several is several."""
    if sets[1:] == [""]:
        raise call.error("set2 can't be empty string")
    first, second = (_expand_set(call, text) for text in (*sets, "")[:2])
    if options.has("cC"):
        first = bytes(byte for byte in range(256) if byte not in first)
    deleted, squeezed = set[int](), set[int]()
    if "s" in options:
        squeezed |= {*first, *second}
    table = bytearray(range(256))
    if "d" in options:
        deleted |= set(first)
    elif second:
        # a zero ends the second set, whose last byte stands for all that it lacks
        ends = second[: second.index(0, 1)] if 0 in second[1:] else second
        for place, byte in enumerate(first):
            table[byte] = ends[min(place, len(ends) - 1)]
    data = await call.input.read_all()
    if not squeezed:
        call.print(data.translate(table, bytes(deleted)))
        return
    result, before = bytearray(), (-1, False)
    for byte in data:
        after = table[byte], byte in squeezed
        if byte in deleted or (after[1] and after == before):
            continue
        result.append(after[0])
        before = after
    call.print(bytes(result))


def _expand_set(call: CommandCall, text: str) -> bytes:
    """The bytes of a set, with ranges, classes and escapes.

    Raises:
        CommandError: A range leads backwards, or the sign of a class of equal ones is not closed.
    """
    data, found, at = text.encode("utf-8", "surrogateescape"), bytearray(), 0
    while at < len(data):
        escape = _ESCAPE.match(data, at)
        if escape:
            found.append(_read_escape(escape))
            at = escape.end()
        elif data[at + 1 : at + 2] == b"-" and at + 2 < len(data):
            if data[at] > data[at + 2]:
                raise call.error("reverse colating order")
            found += bytes(range(data[at], data[at + 2] + 1))
            at += 3
        elif named := _CLASS.match(data, at):
            found += _CLASSES[named[1].decode()]
            at = named.end()
        elif data.startswith(b"[=", at):
            if data[at + 3 : at + 5] != b"=]":
                raise call.error("bad equiv class")
            # toybox takes the sign, and then also reads what is behind the bracket
            found.append(data[at + 2])
            at += 2
        else:
            found.append(data[at])
            at += 1
    return bytes(found)


def _read_escape(escape: re.Match[bytes]) -> int:
    digits, hexadecimal, sign = escape.groups()
    if digits or hexadecimal:
        return int(digits or hexadecimal, 8 if digits else 16) & 255
    # what is no escape is a backslash, and the sign behind it counts by itself
    return _ESCAPES[sign] if sign else 92
