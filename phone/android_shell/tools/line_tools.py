"""Tools on whole lines: head, tail, wc, sort, uniq, rev, tac, nl."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from itertools import groupby
from typing import Any

from android_shell.command_call import CommandCall
from android_shell.shell.pipes import Input
from android_shell.tools.tool_arguments import (
    BLOCK,
    open_inputs,
    parse_byte_count,
    parse_number,
    parse_option_pairs,
    parse_options,
    print_lines,
    read_contents,
    read_lines,
)

_POLL_SECONDS = 0.2
_NUMBER = re.compile(r"\s*(-?\d*\.?\d*)")
_SIZES = {"": 0, "K": 1, "M": 2, "G": 3, "T": 4}


def _expand_short_count(call: CommandCall) -> None:
    """`-5` is `-n 5`."""
    for index, arg in enumerate(call.args):
        if re.fullmatch(r"-\d+", arg):
            call.args[index : index + 1] = ["-n", arg[1:]]
            return


async def head(call: CommandCall) -> None:
    """`head [-n LINES] [-c BYTES] [FILE ...]`."""
    _expand_short_count(call)
    flags, names = parse_options(call, "n:c:qv")
    for name, source in open_inputs(call, names):
        if len(names) > 1 and "-q" not in flags:
            call.print(f"==> {name} <==\n")
        await _print_head(call, source, flags)


async def _print_head(call: CommandCall, source: Input, flags: dict[str, str]) -> None:
    if "-c" in flags:
        left = parse_byte_count(call, flags["-c"])
        while left > 0 and (data := await source.read_block(min(left, BLOCK))):
            call.print(data)
            await call.flush()
            left -= len(data)
        return
    count = parse_number(call, flags.get("-n", "10"))
    if count < 0:
        lines = (await source.read_all()).splitlines(keepends=True)
        call.print(b"".join(lines[:count]))
        return
    for _ in range(count):
        line = await source.read_line()
        if not line:
            break
        call.print(line)
        await call.flush()


async def tail(call: CommandCall) -> None:
    """`tail [-n [+]LINES] [-c BYTES] [-f] [-F] [FILE ...]`; -F also waits for a file that is not there."""
    _expand_short_count(call)
    flags, names = parse_options(call, "n:c:fFqs:")
    text = flags.get("-n", "10")
    async for name, data in read_contents(call, names):
        if len(names) > 1 and "-q" not in flags:
            call.print(f"==> {name} <==\n")
        if "-c" in flags:
            size = abs(parse_number(call, flags["-c"]))
            call.print(data[-size:] if size else b"")
            continue
        lines = data.splitlines(keepends=True)
        count = abs(parse_number(call, text.lstrip("+")))
        from_start = lines[max(0, count - 1) :]
        call.print(b"".join(from_start if text.startswith("+") else lines[-count:] if count else []))
    if {"-f", "-F"} & set(flags):
        # what is not there has been printed
        await _follow(call, [name for name in names if "-F" in flags or _measure(call, name) is not None])


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


async def wc(call: CommandCall) -> None:
    """`wc [-l] [-w] [-c] [-m] [FILE ...]`."""
    flags, names = parse_options(call, "lwcm")
    wanted: list[str] = [flag for flag in ("-l", "-w", "-c", "-m") if flag in flags] or ["-l", "-w", "-c"]
    total = dict.fromkeys(wanted, 0)
    async for name, data in read_contents(call, names):
        text = data.decode("utf-8", "replace")
        counts = {"-l": data.count(b"\n"), "-w": len(text.split()), "-c": len(data), "-m": len(text)}
        total = {flag: total[flag] + counts[flag] for flag in wanted}
        call.print(_format_counts(counts, wanted, name))
    if len(names) > 1:
        call.print(_format_counts(total, wanted, "total"))


def _format_counts(counts: dict[str, int], wanted: list[str], name: str) -> str:
    # a single number has no padding
    numbers = [str(counts[flag]) if len(wanted) == 1 else f"{counts[flag]:7}" for flag in wanted]
    return " ".join(numbers) + ("" if name == "-" else f" {name}") + "\n"


async def sort(call: CommandCall) -> None:
    """`sort [-bdfghnrsuVc] [-k KEY] [-t CHAR] [-o FILE] [FILE ...]`."""
    pairs, names = parse_option_pairs(call, "bdfghinrsuVcmMzk:t:o:T:")
    flags, keys = dict(pairs), [value for option, value in pairs if option == "-k"]
    lines = await read_lines(call, names)
    orders = [_parse_key(call, key, flags) for key in keys] or [
        (lambda line: _value(line, set(flags)), "-r" in flags)
    ]
    if not {"-s", "-u"} & set(flags):
        # equal lines are ordered as a whole
        orders.append((lambda line: line, "-r" in flags))
    # in a thread, so that the phone answers meanwhile
    ordered = await asyncio.to_thread(_sort_by_orders, lines, orders)
    if "-c" in flags:
        call.code = int(lines != ordered)
        return
    if "-u" in flags:
        groups = groupby(ordered, key=lambda line: [order(line) for order, _ in orders])
        ordered = [next(group) for _, group in groups]
    if "-o" in flags:
        call.device.files.write(call.path(flags["-o"]), "".join(f"{line}\n" for line in ordered).encode())
    else:
        print_lines(call, ordered)


def _sort_by_orders(lines: list[str], orders: list[tuple[Callable[[str], Any], bool]]) -> list[str]:
    # sorts are stable, so the last key comes first
    for order, backwards in reversed(orders):
        lines = sorted(lines, key=order, reverse=backwards)
    return lines


def _parse_key(call: CommandCall, key: str, flags: dict[str, str]) -> tuple[Callable[[str], Any], bool]:
    """The value of a key, and whether it is sorted backwards; its own letters replace the general options."""
    found = re.fullmatch(r"(\d{1,9})(?:\.\d+)?([a-zA-Z]*)(?:,(\d{1,9})(?:\.\d+)?([a-zA-Z]*))?", key)
    if found is None:
        raise call.error(f"bad -k '{key}'")
    first, last = int(found.group(1)), int(found.group(3) or 0)
    kinds = {f"-{letter}" for letter in found.group(2) + (found.group(4) or "")} or set(flags)
    separator = flags.get("-t")

    def read(line: str) -> Any:  # noqa: ANN401 - text or number
        fields = line.split(separator) if separator else re.findall(r"\s*\S+", line)
        chosen = (separator or "").join(fields[max(0, first - 1) : last or None])
        return _value(chosen.lstrip() if "-b" in kinds else chosen, kinds)

    return read, "-r" in kinds


def _value(text: str, kinds: set[str]) -> Any:  # noqa: ANN401 - text or number
    if kinds & {"-n", "-g", "-h"}:
        found = _NUMBER.match(text)
        digits = found.group(1) if found else ""
        try:
            value = float(digits or 0)
        except ValueError:
            value = 0.0
        suffix = text.strip()[len(digits) : len(digits) + 1] if "-h" in kinds else ""
        return value * 1024 ** _SIZES.get(suffix, 0)
    if "-V" in kinds:
        return [
            (int(part), "") if part.isdecimal() else (-1, part) for part in re.findall(r"\d{1,18}|\D+", text)
        ]
    if "-f" in kinds:
        return text.upper()
    return text


async def uniq(call: CommandCall) -> None:
    """`uniq [-c] [-d] [-u] [-i] [-f FIELDS] [FILE]`."""
    flags, names = parse_options(call, "cduif:s:w:")
    skipped = parse_number(call, flags.get("-f", "0"))

    def key(line: str) -> str:
        text = " ".join(line.split()[skipped:]) if skipped else line
        return text.lower() if "-i" in flags else text

    for _, group in groupby(await read_lines(call, names[:1]), key=key):
        same = list(group)
        if ("-d" in flags and len(same) == 1) or ("-u" in flags and len(same) > 1):
            continue
        call.print((f"{len(same):7} " if "-c" in flags else "") + same[0] + "\n")


async def rev(call: CommandCall) -> None:
    """`rev [FILE ...]`: each line backwards."""
    print_lines(call, [line[::-1] for line in await read_lines(call, call.args)])


async def tac(call: CommandCall) -> None:
    """`tac [FILE ...]`: the lines in reverse order."""
    print_lines(call, (await read_lines(call, call.args))[::-1])


async def nl(call: CommandCall) -> None:
    """`nl [-ba] [FILE ...]`: number the lines that are not empty, with -ba all."""
    flags, names = parse_options(call, "b:w:s:v:n:")
    count = parse_number(call, flags.get("-v", "1"))
    for line in await read_lines(call, names):
        if line or flags.get("-b") == "a":
            call.print(f"{count:6}\t{line}\n")
            count += 1
        else:
            call.print("       \n")
