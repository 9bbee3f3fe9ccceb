"""Tools on bytes: dd, od, xxd."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass

from android_shell.command_call import CommandCall, CommandError
from android_shell.file_paths import FileError
from android_shell.shell.pipes import MAX_INPUT, Input, open_file
from android_shell.tools.sizes import format_size, parse_size
from android_shell.tools.tool_arguments import BLOCK, open_inputs, read_contents
from android_shell.tools.tool_options import Options

_DD = ("bs", "conv", "count", "ibs", "if", "iflag", "obs", "of", "oflag", "seek", "skip", "status")
_CONVERSIONS = {"fsync", "noerror", "notrunc", "sync"}
_STATUS = {"none", "noxfer"}
_SIGNS = {0: "\\0", 7: "\\a", 8: "\\b", 9: "\\t", 10: "\\n", 11: "\\v", 12: "\\f", 13: "\\r"}
# fmt: off
_NAMES = (
    "nul", "soh", "stx", "etx", "eot", "enq", "ack", "bel", "bs", "ht", "nl", "vt", "ff", "cr", "so", "si",
    "dle", "dc1", "dc2", "dc3", "dc4", "nak", "syn", "etb", "can", "em", "sub", "esc", "fs", "gs", "rs",
    "us", "sp",
)
# fmt: on


async def dd(call: CommandCall) -> None:
    """`dd [if=FILE] [of=FILE] [bs=N] [ibs=N] [obs=N] [count=N] [skip=N] [seek=N] [conv=...] [status=...]`."""
    given = _parse_words(call)
    size = parse_size(call, given.get("bs", given.get("ibs", "512")))
    out_size = parse_size(call, given.get("bs", given.get("obs", "512")))
    if not (0 < size <= MAX_INPUT and 0 < out_size <= MAX_INPUT):
        raise call.error(f"bad bs: {given.get('bs', '')}")
    source = call.input
    if "if" in given:
        try:
            source = open_file(call.device.files, call.path(given["if"]))
        except FileError as error:
            raise call.error(f"{given['if']}: {error}") from None
    by_bytes = given.get("iflag", "").split(",")
    left = parse_size(call, given["count"]) if "count" in given else None
    if left is not None and "count_bytes" not in by_bytes:
        left *= size
    await _skip(source, parse_size(call, given.get("skip", "0")) * (1 if "skip_bytes" in by_bytes else size))
    start = parse_size(call, given.get("seek", "0")) * (
        1 if "seek_bytes" in given.get("oflag", "") else out_size
    )
    copied, read = bytearray(), 0
    if "of" in given:
        _open_output(call, given, start)
    while data := await source.read_block(min(BLOCK, BLOCK if left is None else left - read)):
        read += len(data)
        copied += data
        if "of" in given:
            call.device.files.check_room(len(copied) + start, more=0)
        else:
            call.print(data)
            await call.flush()
    if "sync" in given.get("conv", "").split(",") and read % size:
        padding = bytes(size - read % size)
        copied += padding
        call.print(b"" if "of" in given else padding)
    if "of" in given:
        _write_output(call, given, start, bytes(copied))
    _print_records(call, given.get("status", ""), read, size, len(copied), out_size)


def _parse_words(call: CommandCall) -> dict[str, str]:
    given = {}
    allowed = {"conv": _CONVERSIONS, "iflag": {"count_bytes", "skip_bytes"}, "oflag": {"seek_bytes"}}
    for word in call.args:
        name, equals, value = word.partition("=")
        if not equals or name not in _DD:
            raise call.error(f"bad arg {word}")
        if name in allowed and not set(value.split(",")) <= allowed[name]:
            raise call.error(f"bad {name}={value}")
        if name == "status" and value not in _STATUS:
            raise call.error(f"unknown status '{value}'")
        given[name] = value
    return given


def _open_output(call: CommandCall, given: Mapping[str, str], start: int) -> None:
    """Make the output, and cut it off where the copy begins."""
    files, path = call.device.files, call.path(given["of"])
    try:
        files.append(path, b"", mode=0o666 & ~call.umask)
        if "notrunc" not in given.get("conv", "") and not path.startswith("/dev/"):
            files.check_room(start, more=0)
            files.write(path, bytes(files.read(path)[:start]).ljust(start, b"\0"))
    except FileError as error:
        raise call.error(f"{given['of']}: {error}") from None


def _write_output(call: CommandCall, given: Mapping[str, str], start: int, data: bytes) -> None:
    files, path = call.device.files, call.path(given["of"])
    if path.startswith("/dev/"):
        files.write(path, data)
        return
    before = bytes(files.read(path))
    files.write(path, before[:start].ljust(start, b"\0") + data + before[start + len(data) :])


def _print_records(call: CommandCall, status: str, read: int, size: int, copied: int, out_size: int) -> None:
    if status != "none":
        call.print_error(
            f"{read // size}+{int(read % size > 0)} records in\n"
            f"{copied // out_size}+{int(copied % out_size > 0)} records out\n"
        )
    if not status:
        amount, speed = (_format_amount(number) for number in (copied, copied * 1000))
        call.print_error(f"{copied} bytes ({amount}) copied, 0.001 s, {speed}/s\n")


def _format_amount(number: int) -> str:
    text = format_size(number)
    return f"{text[:-1]} {text[-1]}" if text[-1].isalpha() else f"{text} B"


async def _skip(source: Input, size: int) -> None:
    while size > 0 and (data := await source.read_block(min(size, BLOCK))):
        size -= len(data)


async def _read_rows(source: Input, width: int, limit: int | None) -> AsyncIterator[tuple[int, bytes]]:
    """Rows of bytes, and where each begins."""
    start = 0
    while row := await source.read_block(width if limit is None else min(width, limit - start)):
        yield start, row
        start += len(row)


async def xxd(call: CommandCall, options: Options, names: list[str]) -> None:
    """`xxd [-ipr] [-c COLUMNS] [-g BYTES] [-l LENGTH] [-o OFFSET] [-s SKIP] [FILE]`."""
    plain, include = "p" in options, "i" in options
    width = parse_size(call, options.get("c", "30" if plain else "12" if include else "16"))
    group = parse_size(call, options.get("g", str(width) if plain else "2"))
    limit = parse_size(call, options.get("l", "0"))
    shift, skip = parse_size(call, options.get("o", "0")), parse_size(call, options.get("s", "0"))
    if not 1 <= width <= 256 or group < 0 or limit < 0:
        raise call.usage_error("-c out of range")
    if "r" in options and ("s" in options or include):
        raise call.usage_error("No 'r' with 's'") if "s" in options else call.refuse_option("ri")
    for _, source in open_inputs(call, names):
        if "r" in options:
            call.print(_read_hex((await source.read_all()).decode("latin-1"), plain=plain, width=width))
            continue
        await _skip(source, skip)
        async for start, row in _read_rows(source, width, limit or None):
            if include:
                call.print(
                    "  " + ", ".join(f"{byte:#04x}" for byte in row) + (",\n" if len(row) == width else "\n")
                )
            else:
                head = "" if plain else f"{shift + skip + start:08x}: "
                call.print(head + _format_hex(row, width, group, plain=plain) + "\n")
            await call.flush()


def _format_hex(row: bytes, width: int, group: int, *, plain: bool) -> str:
    space, parts = 2 * width + (-(-width // group) + 1 if group else 2), list[str]()
    for index, byte in enumerate(row, 1):
        parts.append(f"{byte:02x}")
        space -= 2
        if group and index % group == 0:
            parts.append(" ")
            space -= 1
    if plain:
        return "".join(parts)
    return "".join(parts) + " " * space + "".join(chr(byte) if 32 <= byte < 127 else "." for byte in row)


def _read_hex(text: str, *, plain: bool, width: int) -> bytes:
    """The bytes of a dump; where a line's offset is ahead, zeros are between."""
    found = bytearray()
    for line in text.splitlines():
        head = None if plain else re.match(r"\s*([0-9a-fA-F]{1,16}): ?", line)
        rest = line[head.end() :] if head else line
        if head:
            start = int(head.group(1), 16)
            if start > len(found) + MAX_INPUT:
                raise CommandError("xxd: seek failed")
            found.extend(bytes(max(0, start - len(found))))
        digits = re.match(rf"(?:[0-9a-fA-F]{{2}} ?){{0,{4096 if plain else width}}}", rest)
        found += bytes.fromhex(digits.group()) if digits else b""
    return bytes(found)


async def od(call: CommandCall, options: Options, names: list[str]) -> None:
    """`od [-A d|o|x|n] [-t TYPE] [-N LENGTH] [-j SKIP] [-w WIDTH] [-bcdosxv] [FILE ...]`."""
    types = [one for text in options.list_values("t") for one in _parse_types(call, text)]
    types += [
        one
        for letter, kind in zip("bcdosx", ("o1", "c", "u2", "o2", "d2", "x2"), strict=True)
        if letter in options
        for one in _parse_types(call, kind)
    ]
    types = types or _parse_types(call, "o2")
    base = options.get("A", "o")
    if base not in ("n", "d", "o", "x"):
        raise call.error(f"bad -A '{base}'")
    width = parse_size(call, options.get("w", "16"))
    if not 1 <= width <= 4096:
        raise call.usage_error("-w out of range")
    skip = parse_size(call, options.get("j", "0"))
    limit = parse_size(call, options.get("N")) if "N" in options else None
    # the files are one text
    data = b"".join([part async for _, part in _read_parts(call, names, skip, limit)])
    data = data[skip:] if limit is None else data[skip : skip + limit]
    at = min(skip, skip + len(data))
    before, starred = None, False
    for start in range(0, len(data), width):
        row = data[start : start + width]
        if row == before and "v" not in options and len(row) == width:
            call.print("" if starred else "*\n")
            starred = True
        else:
            starred = False
            call.print(_format_address(base, at) + _format_row(row, width, types))
        before = row
        at += len(row)
    if base != "n":
        call.print(_format_address(base, at) + "\n")


async def _read_parts(
    call: CommandCall, names: list[str], skip: int, limit: int | None
) -> AsyncIterator[tuple[str, bytes]]:
    """The inputs, of endless ones no more than is needed."""
    if limit is None:
        async for name, data in read_contents(call, names):
            yield name, data
        return
    for name, source in open_inputs(call, names):
        yield name, await source.read_block(skip + limit)


def _format_address(base: str, at: int) -> str:
    return "" if base == "n" else format(at, {"d": "07d", "o": "07o", "x": "06x"}[base])


@dataclass(frozen=True, slots=True, kw_only=True)
class _Type:
    """How `od` shows bytes: a letter, and the number of bytes of one number."""

    letter: str
    size: int

    def show(self, data: bytes) -> str:
        """The text of one number or sign."""
        if self.letter == "a":
            byte = data[0] & 127
            return _NAMES[byte] if byte <= 32 else "del" if byte == 127 else chr(byte)
        if self.letter == "c":
            byte = data[0]
            return _SIGNS.get(byte) or (chr(byte) if 32 <= byte < 127 else f"{byte:03o}")
        value = int.from_bytes(data, "little", signed=self.letter == "d")
        if self.letter in "ox":
            return format(value, f"0{self.digits}{self.letter}")
        return str(value)

    @property
    def digits(self) -> int:
        """Number of digits of the largest number."""
        if self.letter in "ac":
            return 3
        largest = (1 << 8 * self.size - (self.letter == "d" and self.size == 8)) - 1
        return len(format(largest, {"o": "o", "x": "x"}.get(self.letter, "d")))

    @property
    def width(self) -> int:
        """Width of a column."""
        return self.digits + 1 + (self.letter == "d")


def _parse_types(call: CommandCall, text: str) -> list[_Type]:
    found, at = list[_Type](), 0
    while at < len(text):
        match = re.compile(r"([acduox])(\d+|[CSIL])?|(f)").match(text, at)
        if match and match.group(3):
            raise call.refuse_option("t f")
        letter, size = match.group(1, 2) if match else ("", "")
        number = {"C": 1, "S": 2, "I": 4, "L": 8, None: 4}.get(size) or (
            int(size) if (size or "").isdecimal() else 0
        )
        number = 1 if letter in ("a", "c") and size is None else number
        if match is None or not 1 <= number <= 8 or (letter in "ac" and number != 1):
            raise call.error(f"bad -t {text}")
        found.append(_Type(letter=letter, size=number))
        at = match.end()
    return found


def _format_row(row: bytes, width: int, types: list[_Type]) -> str:
    # columns of all types are as wide as the widest
    pad = max(-(-one.width // one.size) for one in types)
    lines = []
    for number, one in enumerate(types):
        full = row.ljust(width + one.size, b"\0")
        cells = [
            one.show(full[at : at + one.size]).rjust(pad * one.size) for at in range(0, len(row), one.size)
        ]
        lines.append((" " * 7 if number else "") + "".join(cells) + "\n")
    return "".join(lines)
