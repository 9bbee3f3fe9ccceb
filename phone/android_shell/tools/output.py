"""Tools that produce or copy text: echo, printf, seq, yes, tee, base64."""

from __future__ import annotations

import asyncio
import base64
import binascii
import re
from collections import deque

from android_shell.command_call import CommandCall
from android_shell.tools.tool_arguments import parse_number, parse_options, read_contents

MAX_NUMBERS = 1_000_000
"""Largest count of numbers that `seq` prints."""

_ESCAPE = re.compile(r"\\(0?[0-7]{1,3}|x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{1,4}|.)", re.DOTALL)
_SIGNS = dict(zip("ntrabefv\\", "\n\t\r\a\b\x1b\f\v\\", strict=True))
_FORMAT = re.compile(r"%([-+ #0]*)(\*|\d{0,4})(?:\.(\d{0,4}))?([diouxXeEfFgGcsbq%])")


def expand_escapes(text: str) -> str:
    r"""Return a text with the escapes of `echo -e` and `printf` carried out.

    Bytes beyond ASCII become surrogates, which `_encode` makes bytes again.

    >>> expand_escapes(r"a\tb\x41\101")
    'a\tbAA'
    """

    def byte(code: int) -> str:
        return chr(code if code < 0x80 else 0xDC00 + code)

    def value(found: re.Match[str]) -> str:
        name = found.group(1)
        if name[0] in "01234567":
            return byte(int(name, 8) & 0xFF)
        if name[0] == "x" and len(name) > 1:
            return byte(int(name[1:], 16))
        if name[0] == "u" and len(name) > 1:
            # half of a pair is no character
            return chr(int(name[1:], 16)).encode("utf-8", "replace").decode()
        return _SIGNS.get(name, "\\" + name)

    return _ESCAPE.sub(value, text)


def _encode(text: str) -> bytes:
    # \xe4 stands for one byte, not for a character
    return text.encode("utf-8", "surrogateescape")


def echo(call: CommandCall) -> None:
    """`echo [-n] [-e] [-E] WORD ...`."""
    words, newline, escapes = list(call.args), "\n", False
    while words and re.fullmatch(r"-[neE]+", words[0]):
        flags = words.pop(0)
        newline = "" if "n" in flags else newline
        escapes = "e" in flags or (escapes and "E" not in flags)
    text = " ".join(words)
    if escapes:
        text, stop, _ = text.partition("\\c")
        text, newline = expand_escapes(text), "" if stop else newline
    call.print(_encode(text + newline))


def printf(call: CommandCall) -> None:
    """`printf FORMAT [ARGUMENT ...]`: the format is repeated until all arguments are used."""
    if not call.args:
        raise call.usage_error("Needs 1 argument")
    template, values = expand_escapes(call.args[0]), deque(call.args[1:])
    while True:
        count = len(values)
        call.print(_encode(_FORMAT.sub(lambda found: _format(call, found, values), template)))
        if not values or len(values) == count:
            break


def _format(call: CommandCall, found: re.Match[str], values: deque[str]) -> str:
    flags, width, precision, kind = found.groups()
    if kind == "%":
        return "%"
    if width == "*":
        width = str(_parse_integer(call, values.popleft() if values else "0"))
    value = values.popleft() if values else ""
    form = f"%{flags}{width}" + (f".{precision or 0}" if precision is not None else "")
    if kind in "sbq":
        return (form + "s") % (expand_escapes(value) if kind == "b" else value)
    if kind == "c":
        return (form + "s") % value[:1]
    if kind in "eEfFgG":
        try:
            return (form + kind) % float(value or 0)
        except ValueError:
            raise call.error(f"'{value}' is not a number") from None
    return (form + kind.replace("i", "d")) % _parse_integer(call, value)


def _parse_integer(call: CommandCall, text: str) -> int:
    if text[:1] in ("'", '"') and len(text) > 1:
        return ord(text[1])
    try:
        return int(text[:40] or "0", 0) if not re.fullmatch(r"0\d+", text) else int(text[:40], 8)
    except ValueError:
        raise call.error(f"'{text}' is not a number") from None


def seq(call: CommandCall) -> None:
    """`seq [-s SEPARATOR] [-w] [FIRST [STEP]] LAST`."""
    args, separator, wide = list(call.args), "\n", False
    while args and re.fullmatch(r"-[swf].*", args[0]):
        flag = args.pop(0)
        wide = wide or flag == "-w"
        if flag.startswith("-s"):
            separator = flag[2:] or (args.pop(0) if args else "\n")
    try:
        numbers = [float(arg) for arg in args]
        whole = all(re.fullmatch(r"-?\d+", arg) for arg in args)
    except ValueError:
        raise call.error(f"bad number in '{' '.join(args)}'") from None
    if not 1 <= len(numbers) <= 3:
        raise call.usage_error("Need 1-3 arguments")
    first, step, last = {1: [1.0, 1.0], 2: [numbers[0], 1.0], 3: numbers[:2]}[len(numbers)] + numbers[-1:]
    if step == 0 or (last - first) / step > MAX_NUMBERS:
        raise call.error("too many numbers")
    if whole:
        found = list(map(str, range(int(first), int(last) + (1 if step > 0 else -1), int(step))))
    else:
        count = int((last - first) / step + 1e-9) + 1 if (last - first) / step > -1e-9 else 0
        found = [f"{first + number * step:g}" for number in range(count)]
    size = max(map(len, found), default=0)
    call.print(separator.join(text.zfill(size) if wide else text for text in found) + ("\n" if found else ""))


async def yes(call: CommandCall) -> None:
    """`yes [WORD ...]`: print a line until the reader ends."""
    line = (" ".join(call.args) or "y") + "\n"
    while True:
        call.print(line * 100)
        await call.flush()
        await asyncio.sleep(0)


async def tee(call: CommandCall) -> None:
    """`tee [-a] [FILE ...]`: copy the input to the output and to files."""
    flags, names = parse_options(call, "ai")
    for name in names:
        call.device.files.append(call.path(name), b"", truncate="-a" not in flags)
    while data := await call.input.read():
        for name in names:
            call.device.files.append(call.path(name), data)
        call.print(data)
        await call.flush()


async def base64_(call: CommandCall) -> None:
    """`base64 [-d] [-w COLUMNS] [FILE ...]`."""
    flags, names = parse_options(call, "diw:", ("decode", "wrap="))
    async for _, data in read_contents(call, names):
        if "-d" in flags or "--decode" in flags:
            try:
                call.print(base64.b64decode(data))
            except binascii.Error:
                raise call.error("bad input") from None
            continue
        width = parse_number(call, flags.get("-w", flags.get("--wrap", "76")))
        text = base64.b64encode(data).decode()
        parts = [text[at : at + width] for at in range(0, len(text), width)] if width > 0 else [text]
        call.print("\n".join(parts) + ("\n" if width > 0 and text else ""))
