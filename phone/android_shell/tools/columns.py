"""Tools on columns and characters: cut, paste, tr."""

from __future__ import annotations

import re
from itertools import zip_longest

from android_shell.command_call import CommandCall
from android_shell.tools.tool_arguments import parse_options, print_lines, read_line_lists, read_lines

_RANGE = re.compile(r"(\d{0,9})(-?)(\d{0,9})")
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


def _parse_ranges(call: CommandCall, text: str) -> list[tuple[int, int]]:
    """First and last index of each range, from 1."""
    found: list[tuple[int, int]] = []
    for part in text.replace(" ", ",").split(","):
        match = _RANGE.fullmatch(part)
        if match is None or part in ("", "-"):
            raise call.error(f"bad list '{text}'")
        start = int(match.group(1) or 1)
        end = int(match.group(3)) if match.group(3) else (1 << 30 if match.group(2) else start)
        found.append((start, end))
    return sorted(found)


def _chosen(ranges: list[tuple[int, int]], index: int) -> bool:
    return any(start <= index <= end for start, end in ranges)


async def cut(call: CommandCall) -> None:
    """`cut -f LIST [-d CHAR] [-s] | -c LIST | -b LIST [-O SEPARATOR] [FILE ...]`."""
    flags, names = parse_options(call, "f:d:sc:b:nF:O:D", ("complement", "output-delimiter="))
    kind = next((flag for flag in ("-f", "-c", "-b", "-F") if flag in flags), None)
    if kind is None:
        raise call.error("no -cCfF")
    ranges, complement = _parse_ranges(call, flags[kind]), "--complement" in flags
    separator = flags.get("-d", "\t")
    joint = flags.get("-O", flags.get("--output-delimiter", " " if kind == "-F" else separator))
    for line in await read_lines(call, names):
        if kind in ("-c", "-b"):
            parts = list(line)
        elif kind == "-F":
            parts = line.split()
        elif separator in line:
            parts = line.split(separator)
        else:
            if "-s" not in flags:
                call.print(line + "\n")
            continue
        kept = [part for index, part in enumerate(parts, 1) if _chosen(ranges, index) != complement]
        call.print(("" if kind in ("-c", "-b") else joint).join(kept) + "\n")


async def paste(call: CommandCall) -> None:
    """`paste [-s] [-d CHARS] [FILE ...]`: join the lines of files, with -s those of each file."""
    flags, names = parse_options(call, "sd:")
    separators = _expand_set(flags.get("-d", "\t")) or [""]
    columns = [lines async for _, lines in read_line_lists(call, names)]
    rows = columns if "-s" in flags else [list(row) for row in zip_longest(*columns, fillvalue="")]
    for row in rows:
        joined = "".join(
            part + (separators[index % len(separators)] if index < len(row) - 1 else "")
            for index, part in enumerate(row)
        )
        print_lines(call, [joined])


async def tr(call: CommandCall) -> None:
    """`tr [-c] [-d] [-s] SET1 [SET2]`."""
    flags, sets = parse_options(call, "cCdst")
    needed = 1 if {"-d", "-s"} & set(flags) else 2
    if not needed <= len(sets) <= 2:
        raise call.usage_error(f"Need {needed} arguments")
    first = _expand_set(sets[0])
    second = _expand_set(sets[1]) if len(sets) > 1 else []
    text = (await call.input.read_all()).decode("utf-8", "surrogateescape")
    opposite = bool({"-c", "-C"} & set(flags))
    members = set(first)
    table = dict(zip_longest(first, second[: len(first)], fillvalue=second[-1] if second else None))
    squeezed = set(second or first) if "-s" in flags else set()
    result: list[str] = []
    for sign in text:
        inside = (sign in members) != opposite
        if inside and "-d" in flags:
            continue
        new = sign
        if inside and second and "-d" not in flags:
            new = second[-1] if opposite else (table.get(sign) or sign)
        last = result[-1] if result else ""
        repeated = opposite and not second and inside if squeezed and opposite else new in squeezed
        if not (last == new and repeated):
            result.append(new)
    call.print("".join(result).encode("utf-8", "surrogateescape"))


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
