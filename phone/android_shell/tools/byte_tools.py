"""Tools on bytes: dd, od, xxd."""

from __future__ import annotations

import re
import struct
from collections.abc import AsyncIterator, Callable, Mapping
from types import MappingProxyType

from android_shell.command_call import CommandCall, CommandError
from android_shell.shell.pipes import MAX_INPUT, Input, open_file
from android_shell.tools.tool_arguments import BLOCK, open_inputs, parse_byte_count, parse_options

_DD = ("bs", "conv", "count", "ibs", "if", "iflag", "obs", "of", "oflag", "seek", "skip", "status")
_HEX = re.compile(r"(?:[0-9a-fA-F]+:)?((?: ?[0-9a-fA-F]{2})*)")

_ESCAPES = {0: "\\0", 7: "\\a", 8: "\\b", 9: "\\t", 10: "\\n", 11: "\\v", 12: "\\f", 13: "\\r"}
_NUMBERS: Mapping[str, Mapping[int, tuple[str, int]]] = MappingProxyType(
    {
        "d": {1: ("b", 5), 2: ("h", 7), 4: ("i", 12), 8: ("q", 21)},
        "u": {1: ("B", 4), 2: ("H", 6), 4: ("I", 11), 8: ("Q", 21)},
        "o": {1: ("B", 4), 2: ("H", 7), 4: ("I", 12), 8: ("Q", 23)},
        "x": {1: ("B", 3), 2: ("H", 5), 4: ("I", 9), 8: ("Q", 17)},
    }
)
"""Letter and size of a type of `od` -> its letter in `struct`, and the width of a column."""
_OLD_TYPES = {"-b": "o1", "-c": "c", "-d": "u2", "-o": "o2", "-s": "d2", "-x": "x2"}


async def dd(call: CommandCall) -> None:
    """`dd [if=FILE] [of=FILE] [bs=N] [count=N] [skip=N] [seek=N] [conv=notrunc] [status=none]`."""
    given = dict(arg.partition("=")[::2] for arg in call.args)
    unknown = [arg for arg in call.args if arg.partition("=")[0] not in _DD or "=" not in arg]
    if unknown:
        raise call.error(f"bad arg '{unknown[0]}'")
    size = parse_byte_count(call, given.get("bs", given.get("ibs", "512")))
    if not 0 < size <= MAX_INPUT:
        raise call.error(f"bad bs: {given.get('bs', '')}")
    source = open_file(call.device.files, call.path(given["if"])) if "if" in given else call.input
    left = parse_byte_count(call, given["count"]) * size if "count" in given else None
    await _skip(source, parse_byte_count(call, given.get("skip", "0")) * size)
    write = await _open_output(call, given, parse_byte_count(call, given.get("seek", "0")) * size)
    step, copied = size * max(1, BLOCK // size), 0
    while data := await source.read_block(step if left is None else min(step, left - copied)):
        copied += len(data)
        write(data)
        await call.flush()
    if given.get("status") != "none":
        records = f"{copied // size}+{int(copied % size > 0)} records"
        call.print_error(f"{records} in\n{records} out\n{copied} bytes ({_format_size(copied)}) copied\n")


async def _skip(source: Input, size: int) -> None:
    while size > 0 and (data := await source.read_block(min(size, BLOCK))):
        size -= len(data)


async def _open_output(call: CommandCall, given: Mapping[str, str], start: int) -> Callable[[bytes], object]:
    """Return what writes the copied bytes: to the standard output, or to a file from a place on."""
    if "of" not in given:
        return call.print
    files, path = call.device.files, call.path(given["of"])
    entry = files.get(path)
    old = bytes(entry.data) if entry is not None and not entry.is_folder else b""
    files.check_room(start)
    files.append(path, old[:start].ljust(start, b"\0"), truncate=True)
    rest = old if "notrunc" in given.get("conv", "") else b""

    def write(data: bytes) -> None:
        nonlocal start
        start += len(data)
        written = bytes(files.read(path))[: start - len(data)] if rest else b""
        if rest:
            files.write(path, written + data + rest[start:])
        else:
            files.append(path, data)

    return write


def _format_size(size: int) -> str:
    for unit, factor in (("G", 1 << 30), ("M", 1 << 20), ("K", 1 << 10)):
        if size >= factor:
            return f"{size / factor:.1f} {unit}"
    return f"{size}"


async def _read_rows(source: Input, width: int, limit: int | None) -> AsyncIterator[tuple[int, bytes]]:
    """Rows of bytes, and where each begins."""
    start = 0
    while row := await source.read_block(width if limit is None else min(width, limit - start)):
        yield start, row
        start += len(row)


async def xxd(call: CommandCall) -> None:
    """`xxd [-p] [-r] [-c COLUMNS] [-g BYTES] [-l LENGTH] [-s OFFSET] [FILE ...]`."""
    flags, names = parse_options(call, "pric:g:l:s:o:")
    plain = "-p" in flags
    width = parse_byte_count(call, flags.get("-c", "30" if plain else "16"))
    group = parse_byte_count(call, flags.get("-g", "2"))
    if not 1 <= width <= 256 or group < 0:
        raise call.error(f"bad -c or -g: {width}, {group}")
    limit = parse_byte_count(call, flags["-l"]) if "-l" in flags else None
    for _, source in open_inputs(call, names):
        if "-r" in flags:
            await _print_from_hex(call, source)
            continue
        offset = parse_byte_count(call, flags.get("-s", "0"))
        await _skip(source, offset)
        columns = 2 * width + (width - 1) // group if group else 2 * width
        async for start, row in _read_rows(source, width, limit):
            shown = row.hex() if plain or not group else row.hex(" ", -group)
            text = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in row)
            call.print(f"{shown}\n" if plain else f"{offset + start:08x}: {shown:<{columns}}  {text}\n")
            await call.flush()


async def _print_from_hex(call: CommandCall, source: Input) -> None:
    """`xxd -r`: the bytes of a dump, with or without offsets and text."""
    while line := await source.read_line():
        digits = line.decode("latin-1").strip().partition("  ")[0]
        found = _HEX.match(digits)
        call.print(bytes.fromhex(found.group(1)) if found else b"")
        await call.flush()


async def od(call: CommandCall) -> None:
    """`od [-A d|o|x|n] [-t TYPE] [-N LENGTH] [-j OFFSET] [-bcdosxv] [FILE ...]`; TYPE is c, x1, u4 etc."""
    flags, names = parse_options(call, "A:t:N:j:w:bcdosxv")
    types = [_type(text) for text in flags.get("-t", "").split(",") if text]
    types += [_type(kind) for flag, kind in _OLD_TYPES.items() if flag in flags]
    address = {"d": "07d", "o": "07o", "x": "06x", "n": None}.get(flags.get("-A", "o"), "07o")
    offset, limit = parse_byte_count(call, flags.get("-j", "0")), flags.get("-N")
    for _, source in open_inputs(call, names):
        await _skip(source, offset)
        end, last, repeated = offset, b"", False
        async for start, row in _read_rows(
            source, 16, None if limit is None else parse_byte_count(call, limit)
        ):
            end = offset + start + len(row)
            if row == last and len(row) == 16 and "-v" not in flags:
                call.print("" if repeated else "*\n")
                repeated = True
                continue
            last, repeated = row, False
            for number, show in enumerate(types or [_type("o2")]):
                label = "" if address is None else format(offset + start, address)
                call.print((label if not number else " " * len(label)) + show(row) + "\n")
            await call.flush()
        call.print("" if address is None else format(end, address) + "\n")


def _type(text: str) -> Callable[[bytes], str]:
    """Return what shows a row in a type of `od`."""
    if text == "c":
        return lambda row: "".join(f"{_sign(byte):>4}" for byte in row)
    found = re.fullmatch(r"([doux])([1248]?)", text)
    if found is None:
        raise CommandError(f"od: bad -t '{text}'")
    size = int(found.group(2) or "4")
    letter, width = _NUMBERS[found.group(1)][size]
    digits = {"o": -(-8 * size // 3), "x": 2 * size}.get(found.group(1), 0)
    form = f"0{digits}{found.group(1)}" if digits else "d"

    def show(row: bytes) -> str:
        numbers = struct.iter_unpack(f"<{letter}", row.ljust(-(-len(row) // size) * size, b"\0"))
        return "".join(format(number, form).rjust(width) for (number,) in numbers)

    return show


def _sign(byte: int) -> str:
    return _ESCAPES.get(byte) or (chr(byte) if 32 <= byte < 127 else f"{byte:03o}")
