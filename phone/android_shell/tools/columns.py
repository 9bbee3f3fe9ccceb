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
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_CLASSES = {
    "alnum": _LETTERS + _LETTERS.upper() + "0123456789",
    "alpha": _LETTERS + _LETTERS.upper(),
    "blank": " \t",
    "digit": "0123456789",
    "lower": _LETTERS,
    "punct": "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~",
    "space": " \t\n\r\f\v",
    "upper": _LETTERS.upper(),
    "xdigit": "0123456789abcdefABCDEF",
}
_ESCAPES = dict(zip("ntr\\0abfv", "\n\t\r\\\0\a\b\f\v", strict=True))


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
    separators = _expand_set(options.get("d", "\t")) or [""]
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


async def tr(call: CommandCall, options: Options, sets: list[str]) -> None:
    """`tr [-Ccds] SET1 [SET2]`."""
    needed = 1 if options.has("ds") else 2
    if len(sets) < needed:
        raise call.usage_error(f"Need {needed} arguments")
    first = _expand_set(sets[0])
    second = _expand_set(sets[1]) if len(sets) > 1 else []
    text = (await call.input.read_all()).decode("utf-8", "surrogateescape")
    opposite, deleting = options.has("cC"), "d" in options
    members = set(first)
    table = dict(zip_longest(first, second[: len(first)], fillvalue=second[-1] if second else None))
    squeezed = set(second or first) if "s" in options else set()
    result: list[str] = []
    for sign in text:
        inside = (sign in members) != opposite
        if inside and deleting:
            continue
        new = sign
        if inside and second and not deleting:
            new = second[-1] if opposite else (table.get(sign) or sign)
        last = result[-1] if result else ""
        repeated = opposite and not second and inside if squeezed and opposite else new in squeezed
        if not (last == new and repeated):
            result.append(new)
    call.print("".join(result))


def _expand_set(text: str) -> list[str]:
    """The characters of a set, with ranges, classes and escapes."""
    signs: list[str] = []
    at = 0
    while at < len(text):
        if text.startswith("[:", at) and (end := text.find(":]", at)) > 0:
            signs += _CLASSES.get(text[at + 2 : end], "")
            at = end + 2
            continue
        octal = re.match(r"\\([0-7]{1,3})", text[at : at + 4])
        if octal:
            sign, at = chr(int(octal.group(1), 8)), at + octal.end()
        elif text[at] == "\\" and at + 1 < len(text):
            sign, at = _ESCAPES.get(text[at + 1], text[at + 1]), at + 2
        else:
            sign, at = text[at], at + 1
        if text[at : at + 1] == "-" and at + 1 < len(text):
            last = text[at + 1]
            signs += [chr(code) for code in range(ord(sign), min(ord(last), ord(sign) + 70_000) + 1)]
            at += 2
        else:
            signs.append(sign)
    return signs
