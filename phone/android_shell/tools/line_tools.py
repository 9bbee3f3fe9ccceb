"""Tools on whole lines: head, tail, wc, uniq, rev, tac, nl, cat, split."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from itertools import groupby

from android_shell.command_call import CommandCall
from android_shell.file_paths import FileError
from android_shell.shell.pipes import Input
from android_shell.tools.sizes import parse_size
from android_shell.tools.tool_arguments import (
    open_inputs,
    parse_number,
    read_contents,
)
from android_shell.tools.tool_options import Options

_POLL_SECONDS = 0.2
_HEAD_BYTES, _MOST_BLOCKS = 4096, 64
"""Bytes that `head` reads at once, and so many of these blocks where it needs all of them."""

_SPACES = re.compile(rb"\s+")


async def cat(call: CommandCall, options: Options, names: list[str]) -> None:
    """`cat [-etuv] [FILE ...]`, or the standard input."""
    table = _make_signs(options)
    for _, source in open_inputs(call, names):
        # u: each byte at once, which a reader cannot tell
        while data := await (source.read_block(1) if "u" in options and not table else source.read()):
            call.print(b"".join(table[byte] for byte in data) if table else data)
            await call.flush()


def _make_signs(options: Options) -> list[bytes]:
    """Return the text of each byte; an empty list if all are printed as they are."""
    if not options.has("etv"):
        return []
    table = [bytes([byte]) for byte in range(256)]
    if "v" in options:
        for byte in range(256):
            low, sign = byte & 0x7F, b"M-" if byte > 0x7F else b""
            shown = b"^?" if low == 0x7F else b"^" + bytes([low + 64]) if low < 32 else bytes([low])
            table[byte] = sign + shown
        # what follows M- is not looked at again
        for byte in range(0x80, 0xA0):
            table[byte] = b"M-" + (b"^" + bytes([byte - 64]))
        table[9], table[10] = b"\t", b"\n"
        table[0x89], table[0x8A] = (b"M-^I" if "t" in options else b"M-\t"), b"M-\n"
    if "t" in options:
        table[9] = b"^I"
    if "e" in options:
        table[10] = b"$\n"
        if "v" in options:
            table[0x8A] = b"M-$\n"
    return table


async def head(call: CommandCall, options: Options, names: list[str]) -> None:
    """`head [-n LINES] [-c BYTES] [-LINES] [-qv] [FILE ...]`."""
    lines, size = parse_number(call, options.get("n", "10")), None
    if "c" in options:
        size = parse_number(call, options.get("c"))
    if names and re.match(r"-.", names[0]):
        lines = parse_number(call, names.pop(0)[1:])
    if lines < 0 or (size or 0) < 0:
        raise call.usage_error("-n < 0" if lines < 0 else "-c < 0")
    for number, (name, source) in enumerate(open_inputs(call, names)):
        if (len(names) > 1 and "q" not in options) or "v" in options:
            call.print("\n" * (number > 0) + f"==> {name} <==\n")
        await _print_head(call, source, lines, size)


async def _print_head(call: CommandCall, source: Input, lines: int, size: int | None) -> None:
    # what is read with the last line is lost to the next reader, as on a phone
    while (left := lines if size is None else size) > 0:
        blocks = 1 if size is None else min(-(-left // _HEAD_BYTES), _MOST_BLOCKS)
        if not (data := await source.read_some(blocks * _HEAD_BYTES)):
            break
        if size is not None:
            data = data[:size]
            size -= len(data)
        else:
            data = _take_lines(data, left)
            lines -= data.count(b"\n")
        call.print(data)
        await call.flush()


def _take_lines(data: bytes, count: int) -> bytes:
    return b"".join(re.findall(rb"[^\n]*\n|[^\n]+", data)[:count])


async def tail(call: CommandCall, options: Options, names: list[str]) -> None:
    """`tail [-n [+]LINES] [-c [+]BYTES] [-f] [-F] [-s SECONDS] [FILE ...]`; -F also waits for a file."""
    text = options.get("n", "10")
    if not options.has("nc") and names and re.match(r"[-+].", names[0]):
        text = names.pop(0)
    text = options.get("c") if "c" in options else text
    count = parse_number(call, text if text[:1] in ("+", "-") else f"-{text}")
    titles = 0
    async for name, data in read_contents(call, names):
        if len(names) > 1:
            call.print("\n" * (titles > 0) + f"==> {name} <==\n")
        titles += 1
        call.print(_take_end(data, count, by_bytes="c" in options))
    if options.has("fF"):
        seconds = options.get("s", "1")
        if not re.fullmatch(r"\d+\.?\d*|\.\d+", seconds):
            raise call.error(f"bad number '{seconds}'")
        # what is not there has been printed
        await _follow(call, [name for name in names if "F" in options or _measure(call, name) is not None])


def _take_end(data: bytes, count: int, *, by_bytes: bool) -> bytes:
    """The last -count or, from the start, those from number count on."""
    if by_bytes:
        return data[max(0, count - 1) :] if count >= 0 else data[count:]
    lines = re.findall(rb"[^\n]*\n|[^\n]+", data)
    return b"".join(lines[max(0, count - 1) :] if count >= 0 else lines[count:])


def _measure(call: CommandCall, name: str) -> int | None:
    """Bytes of a file; None for what is no file."""
    entry = call.device.files.get(call.path(name))
    return None if entry is None or entry.is_folder else len(entry.data)


async def _follow(call: CommandCall, names: list[str]) -> None:
    """Print what is added to files until the client goes; a file that is removed may come again."""
    sizes = {name: _measure(call, name) or 0 for name in names if name != "-"}
    shown = next(reversed(sizes), "")
    while sizes:
        await call.flush()
        await asyncio.sleep(_POLL_SECONDS)
        for name, before in sizes.items():
            size = _measure(call, name) or 0
            # a shorter file was written anew
            start = before if size >= before else 0
            added = bytes(call.device.files.read(call.path(name))[start:]) if size > start else b""
            if added and name != shown:
                call.print(f"\n==> {name} <==\n")
                shown = name
            call.print(added)
            sizes[name] = size


async def wc(call: CommandCall, options: Options, names: list[str]) -> None:
    """`wc [-clmw] [FILE ...]`."""
    wanted = [letter for letter in "lwcm" if letter in options] or ["l", "w", "c"]
    total = dict.fromkeys(wanted, 0)
    async for name, data in _read_countable(call, names):
        counts = {
            "l": data.count(b"\n"),
            "w": len(_SPACES.sub(b" ", data).split()),
            "c": len(data),
            "m": len(data.decode("utf-8", "ignore")) if "m" in options else 0,
        }
        total = {letter: total[letter] + counts[letter] for letter in wanted}
        _print_counts(call, [counts[letter] for letter in wanted], names, name)
    if len(names) > 1:
        _print_counts(call, list(total.values()), names, "total")


async def _read_countable(call: CommandCall, names: list[str]) -> AsyncIterator[tuple[str, bytes]]:
    """The inputs; a folder can be opened, and has nothing in it."""
    for name in names or ["-"]:
        entry = call.device.files.get(call.path(name)) if name != "-" else None
        if entry is not None and entry.is_folder:
            call.report(name, FileError("Is a directory"))
            yield name, b""
            continue
        async for given, data in read_contents(call, [name]):
            yield given, data


def _print_counts(call: CommandCall, counts: list[int], names: list[str], name: str) -> None:
    # several files and several numbers of the standard input are in columns
    wide = len(names) > 1 or (not names and len(counts) > 1)
    numbers = [f"{count:7}" if wide else str(count) for count in counts]
    call.print(" ".join(numbers) + (f" {name}" if names else "") + "\n")


async def uniq(call: CommandCall, options: Options, names: list[str]) -> None:
    """`uniq [-cdiuz] [-f FIELDS] [-s CHARS] [-w CHARS] [INPUT [OUTPUT]]`."""
    fields, signs = parse_number(call, options.get("f", "0")), parse_number(call, options.get("s", "0"))
    width = parse_number(call, options.get("w")) if "w" in options else None

    def key(line: bytes) -> bytes:
        text = re.sub(rb"^(?:\s*[^\s]+){0,%d}" % min(fields, 999), b"", line) if fields > 0 else line
        text = text[signs:] if width is None else text[signs : signs + width]
        return text.lower() if "i" in options else text

    # a last line without a newline differs from one with it
    pattern = rb"[^\0]*\0|[^\0]+" if "z" in options else rb"[^\n]*\n|[^\n]+"
    parts = list[bytes]()
    async for _, data in read_contents(call, names[:1]):
        for _, group in groupby(re.findall(pattern, data), key=key):
            same = list(group)
            if ("d" in options and len(same) == 1) or ("u" in options and len(same) > 1):
                continue
            line = same[0].rstrip(b"\0") + b"\0" if "z" in options else same[0]
            parts.append((b"%7d " % len(same) if "c" in options else b"") + line)
    if len(names) > 1:
        call.device.files.append(call.path(names[1]), b"".join(parts), truncate=True)
    else:
        call.print(b"".join(parts))


async def rev(call: CommandCall, _options: Options, names: list[str]) -> None:
    """`rev [FILE ...]`: each line backwards."""
    async for _, data in read_contents(call, names):
        # bytes, not characters, as toybox does
        call.print(b"".join(line[::-1] + b"\n" for line in data.removesuffix(b"\n").split(b"\n") if data))


async def tac(call: CommandCall, _options: Options, names: list[str]) -> None:
    """`tac [FILE ...]`: the lines of each file in reverse order."""
    async for _, data in read_contents(call, names):
        call.print(b"".join(reversed(re.findall(rb"[^\n]*\n|[^\n]+", data))))


async def nl(call: CommandCall, options: Options, names: list[str]) -> None:
    """`nl [-b atn] [-l LINES] [-n ln|rn|rz] [-s TEXT] [-v NUMBER] [-w WIDTH] [FILE ...]`."""
    number, width = parse_number(call, options.get("v", "1")), parse_number(call, options.get("w", "6"))
    separator, kind, form = options.get("s", "\t"), options.get("b", "t"), options.get("n", "rn")
    if kind.startswith("p") and len(kind) > 1:
        raise call.refuse_option("b p")
    if kind not in ("a", "t", "n") or form not in ("ln", "rn", "rz"):
        raise call.error(f"bad -b '{kind}'" if kind not in ("a", "t", "n") else f"bad -n '{form}'")
    every, blank = parse_number(call, options.get("l", "0")), 0
    async for _, data in read_contents(call, names):
        for line in re.findall(rb"[^\n]*\n|[^\n]+", data):
            counted = kind != "n"
            if line == b"\n" and (every or kind == "t"):
                blank += 1
                counted = bool(every) and blank >= every
            if counted:
                blank = 0
                shown = (
                    str(number).ljust(width) if form == "ln" else str(number).rjust(width, "0 "[form == "rn"])
                )
                call.print(shown + separator)
                number += 1
            else:
                call.print(" " * max(1, width + len(separator)))
            call.print(line)


async def split(call: CommandCall, options: Options, names: list[str]) -> None:
    """`split [-a SUFFIX_LEN] [-b BYTES] [-l LINES] [INPUT [OUTPUT]]`."""
    prefix = names[1] if len(names) > 1 else "x"
    length = parse_number(call, options.get("a", "2"))
    if not 1 <= length <= 9:
        raise call.usage_error("-a out of range")
    size = parse_size(call, options.get("b")) if "b" in options else None
    lines = parse_number(call, options.get("l", "1000"))
    if lines < 1 or (size is not None and size < 1):
        raise call.usage_error("-l < 1")
    async for _, data in read_contents(call, names[:1]):
        if size is not None:
            parts = [data[at : at + size] for at in range(0, len(data), size)]
        else:
            whole = re.findall(rb"[^\n]*\n|[^\n]+", data)
            parts = [b"".join(whole[at : at + lines]) for at in range(0, len(whole), lines)]
        if len(parts) > 26**length:
            raise call.error("bad suffix")
        for index, part in enumerate(parts):
            letters = "".join(chr(97 + index // 26**place % 26) for place in reversed(range(length)))
            call.device.files.write(call.path(prefix + letters), part, mode=0o666 & ~call.umask)
