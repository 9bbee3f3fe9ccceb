"""Builtins that read: read and getopts."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING

from android_shell.shell.builtins.builtin_call import BuiltinError
from android_shell.shell.descriptors import get_input, write_to
from android_shell.shell.variables import SHELL

if TYPE_CHECKING:
    from android_shell.shell.builtins.builtin_call import BuiltinCall
    from android_shell.shell.pipes import Input

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_TIMED_OUT = 142
"""Exit code of a `read` whose time is over: 128 and the number of SIGALRM."""


async def read(call: BuiltinCall) -> int:
    """`read [-r] [-s] [-d SIGN] [-n COUNT] [-N COUNT] [-t SECONDS] [-u DESCRIPTOR] [NAME ...]`."""
    names = call.args or ["REPLY"]
    for name in names:
        if "[" in name:
            raise call.refuse("arrays are")
        if not _NAME.fullmatch(name):
            raise BuiltinError(f"read-only: {name}", 2)
    number = int(call.options["u"]) if call.options.get("u", "x").isdecimal() else 0
    source = get_input(call.descriptors, number)
    try:
        limit = float(call.options["t"]) if "t" in call.options else None
        data, ended = await asyncio.wait_for(_read_record(call, source), limit)
    except TimeoutError:
        return _TIMED_OUT
    except ValueError:
        raise BuiltinError("bad number", 2) from None
    pairs = _take_escapes(data.decode("utf-8", "replace"), raw="r" in call.options)
    separators = call.variables.values.get("IFS", " \t\n")
    for name, value in zip(names, _split_fields(pairs, separators, len(names)), strict=True):
        call.variables.assign(name, value)
    return 0 if ended else 1


async def _read_record(call: BuiltinCall, source: Input) -> tuple[bytes, bool]:
    """The bytes up to the delimiter, and whether it or the count was reached."""
    delimiter = b"\n"
    if "d" in call.options:
        delimiter = call.options["d"].encode()[:1] or b"\0"
    for letter in ("n", "N"):
        if letter in call.options:
            return await _read_count(source, int(call.options[letter]), delimiter if letter == "n" else b"")
    data = bytearray()
    while True:
        line = await source.read_line(delimiter)
        data += line
        if not line.endswith(delimiter):
            return bytes(data), False
        escaped = "r" not in call.options and re.search(rb"(?:^|[^\\])(?:\\\\)*\\$", data[:-1], re.DOTALL)
        if delimiter != b"\n" or not escaped:
            return bytes(data[:-1]), True
        # without -r a backslash before the newline joins two lines
        del data[-2:]


async def _read_count(source: Input, count: int, delimiter: bytes) -> tuple[bytes, bool]:
    data = b""
    while len(data.decode("utf-8", "ignore")) < count:
        sign = await source.read_block(1)
        if not sign:
            return data, False
        if sign == delimiter:
            break
        data += sign
    return data, True


def _take_escapes(text: str, *, raw: bool) -> list[tuple[str, bool]]:
    """The characters of a line, and whether a backslash took their meaning from them."""
    pairs: list[tuple[str, bool]] = []
    signs = iter(text)
    for sign in signs:
        if sign == "\\" and not raw:
            sign = next(signs, "")
            if sign:
                pairs.append((sign, True))
        else:
            pairs.append((sign, False))
    return pairs


def _split_fields(pairs: list[tuple[str, bool]], separators: str, count: int) -> list[str]:
    """Divide a line into `count` fields; the last one takes the rest."""
    blank = "".join(sign for sign in separators if sign in " \t\n")
    at = 0

    def is_one_of(signs: str, index: int) -> bool:
        return index < len(pairs) and not pairs[index][1] and pairs[index][0] in signs

    def skip_blanks() -> None:
        nonlocal at
        while is_one_of(blank, at):
            at += 1

    fields: list[str] = []
    skip_blanks()
    while len(fields) < count - 1:
        start = at
        while at < len(pairs) and not is_one_of(separators, at):
            at += 1
        fields.append("".join(sign for sign, _ in pairs[start:at]))
        skip_blanks()
        if is_one_of(separators, at):
            at += 1
            skip_blanks()
    end = len(pairs)
    while end > at and is_one_of(blank, end - 1):
        end -= 1
    return [*fields, "".join(sign for sign, _ in pairs[at:end])]


async def getopts(call: BuiltinCall) -> int:
    """`getopts LETTERS NAME [WORD ...]`: the next option of the words, by default of the parameters."""
    if len(call.args) < 2:
        raise BuiltinError("missing argument")
    letters, name = call.args[:2]
    variables = call.variables
    words = call.args[2:] or variables.arguments
    index = variables.get("OPTIND") or "1"
    # within a word of several letters OPTIND is that of the next word
    number = max(1, int(index) if index.isdecimal() else 1) - bool(variables.option_at)
    word = words[number - 1] if number <= len(words) else ""
    if not variables.option_at and (len(word) < 2 or word[0] != "-" or word == "--"):
        _advance(call, number + (word == "--"), 0)
        variables.assign(name, "?")
        variables.unset("OPTARG")
        return 1
    at = variables.option_at or 1
    letter, rest = word[at : at + 1], word[at + 1 :]
    quiet, letters = letters.startswith(":"), letters.removeprefix(":")
    place = letters.find(letter) if letter != ":" else -1
    wants = letters[place + 1 : place + 2] == ":"
    if place < 0 or (wants and not rest and number >= len(words)):
        _advance(call, number + 1, at + 1 if rest else 0)
        await _refuse(call, name, letter, quiet=quiet, known=place >= 0)
        return 0
    if wants:
        _advance(call, number + (1 if rest else 2), 0)
        variables.assign("OPTARG", rest or words[number])
    else:
        _advance(call, number + 1, at + 1 if rest else 0)
        variables.unset("OPTARG")
    variables.assign(name, letter)
    return 0


def _advance(call: BuiltinCall, number: int, at: int) -> None:
    call.variables.assign("OPTIND", str(number))
    call.variables.option_at = at


async def _refuse(call: BuiltinCall, name: str, letter: str, *, quiet: bool, known: bool) -> None:
    text = "requires an argument" if known else "unknown option"
    if quiet:
        call.variables.assign("OPTARG", letter)
    else:
        call.variables.unset("OPTARG")
        await write_to(call.descriptors, 2, f"{SHELL}: -{letter}: {text}\n".encode())
    call.variables.assign(name, ":" if quiet and known else "?")
