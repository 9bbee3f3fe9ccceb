"""Tools that compare files or sum them up: md5sum and the like, cksum, cmp, strings."""

from __future__ import annotations

import hashlib
import re
from collections.abc import AsyncIterator

from android_shell.command_call import CommandCall, CommandError
from android_shell.file_paths import FileError
from android_shell.shell.pipes import Input, open_file
from android_shell.tools.sizes import parse_size
from android_shell.tools.tool_arguments import read_contents
from android_shell.tools.tool_options import Options

_POLYNOMIAL, _POLYNOMIAL_OF_ETHERNET = 0x04C11DB7, 0xEDB88320
_CHECK_LINE = re.compile(r"([0-9a-fA-F]+)[ \t]+[* ]?(.*)")
_BLOCK = 1 << 16


async def sums(call: CommandCall, options: Options, names: list[str]) -> None:
    """`md5sum|sha1sum|sha256sum|sha512sum [-bcs] [FILE ...]`."""
    if "c" in options:
        await _check_sums(call, options, names)
        return
    if "s" in options:
        raise call.usage_error("-s only with -c")
    async for name, data in read_contents(call, names):
        digest = _digest(call, data)
        call.print(f"{digest}\n" if "b" in options else f"{digest}  {name}\n")


def _digest(call: CommandCall, data: bytes) -> str:
    return hashlib.new(call.name.removesuffix("sum"), data, usedforsecurity=False).hexdigest()


async def _check_sums(call: CommandCall, options: Options, names: list[str]) -> None:
    """Check the sums in the files of these names."""
    quiet = "s" in options
    # without a file nothing is checked, as toybox does
    async for _, data in read_contents(call, names) if names else _read_nothing():
        lines = data.decode("utf-8", "surrogateescape").splitlines()
        failed = 0
        for line in lines:
            found = _CHECK_LINE.fullmatch(line)
            if found is None:
                call.code = 1
                continue
            name, right = found.group(2), False
            try:
                right = (
                    _digest(call, bytes(call.device.files.read(call.path(name)))) == found.group(1).lower()
                )
            except FileError as error:
                call.print_error("" if quiet else f"{call.name}: {name}: {error}\n")
            failed += not right
            if not quiet:
                call.print(f"{name}: {'OK' if right else 'FAILED'}\n")
        if failed:
            call.code = 1
            if not quiet:
                call.print_error(f"{call.name}: WARNING: {failed} computed checksums did NOT match\n")


async def _read_nothing() -> AsyncIterator[tuple[str, bytes]]:
    for nothing in list[tuple[str, bytes]]():
        yield nothing


def _make_table(polynomial: int) -> list[int]:
    table = []
    for byte in range(256):
        value = byte << 24
        for _ in range(8):
            value = (value << 1 ^ polynomial) & 0xFFFFFFFF if value & 0x80000000 else value << 1
        table.append(value)
    return table


async def cksum(call: CommandCall, _options: Options, names: list[str]) -> None:
    """`cksum [FILE ...]`: the CRC of POSIX with the length."""
    table = _make_table(_POLYNOMIAL)
    async for name, data in read_contents(call, names):
        crc = 0
        size = len(data)
        tail = size.to_bytes((size.bit_length() + 7) // 8, "little")
        for byte in data + tail:
            crc = (crc << 8 & 0xFFFFFFFF) ^ table[crc >> 24 ^ byte]
        call.print(f"{crc ^ 0xFFFFFFFF} {size}" + ("" if name == "-" else f" {name}") + "\n")


async def cmp(call: CommandCall, options: Options, names: list[str]) -> None:
    """`cmp [-l] [-s] [-n COUNT] FILE [FILE [SKIP [SKIP]]]`: the first byte that differs."""
    names, skips = names[:2], [parse_size(call, text) for text in names[2:]]
    sources: list[Input] = []
    for name in names if len(names) > 1 else [*names, "-"]:
        try:
            sources.append(call.input if name == "-" else open_file(call.device.files, call.path(name)))
        except FileError as error:
            text = "" if "s" in options else f"cmp: {name}: {error}"
            raise CommandError(text, 2) from None
    limit = parse_size(call, options.get("n")) if "n" in options else None
    for source, skip in zip(sources, skips, strict=False):
        await source.read_block(skip)
    labels = [*names, "-"][:2]
    await _compare(call, options, sources, labels, limit)


async def _compare(
    call: CommandCall, options: Options, sources: list[Input], labels: list[str], limit: int | None
) -> None:
    place, line = 1, 1
    while limit is None or place <= limit:
        size = _BLOCK if limit is None else min(_BLOCK, limit - place + 1)
        one, other = await sources[0].read_block(size), await sources[1].read_block(size)
        for first, second in zip(one, other, strict=False):
            if first != second:
                call.code = 1
                if "s" in options:
                    return
                if "l" not in options:
                    call.print(f"{labels[0]} {labels[1]} differ: char {place}, line {line}\n")
                    return
                call.print(f"{place} {first:o} {second:o}\n")
            line += first == 10
            place += 1
        if len(one) != len(other):
            call.code = 1 if "s" in options else call.code or 2
            if "s" not in options:
                call.print_error(f"cmp: EOF on {labels[len(one) > len(other)]}\n")
            return
        if not one:
            return


async def strings(call: CommandCall, options: Options, names: list[str]) -> None:
    """`strings [-fo] [-n LENGTH] [-t d|o|x] [FILE ...]`: runs of printable characters."""
    least = parse_size(call, options.get("n", "4"))
    base = options.get("t", "d" if "o" in options else "")
    if least < 1 or base not in ("", "d", "o", "x"):
        raise call.usage_error("-n < 1" if least < 1 else f"bad -t '{base}'")
    async for name, data in read_contents(call, names):
        for found in re.finditer(rb"[\x20-\x7e\t]{%d,}" % least, data):
            label = f"{name}: " if "f" in options else ""
            place = f"{found.start():7{base}} " if base else ""
            call.print((label + place).encode() + found.group() + b"\n")
