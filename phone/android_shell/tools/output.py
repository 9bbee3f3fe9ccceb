"""Tools that produce or copy text: echo, printf, seq, yes, tee, base64."""

from __future__ import annotations

import asyncio
import base64
import re
import string
from collections import deque
from contextlib import suppress

from android_shell.command_call import CommandCall
from android_shell.tools.tool_arguments import parse_number, read_contents
from android_shell.tools.tool_options import Options

_ESCAPE = re.compile(r"\\(0?[0-7]{1,3}|x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{1,4}|.)", re.DOTALL)
_SIGNS = dict(zip("ntrabefv\\", "\n\t\r\a\b\x1b\f\v\\", strict=True))


def expand_escapes(text: str) -> str:
    r"""Return a text with the escapes of `echo -e` and `printf` carried out.

    Bytes beyond ASCII become surrogates, which printing makes bytes again.

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


async def echo(call: CommandCall, options: Options, words: list[str]) -> None:
    """`echo [-n] [-e] [-E] WORD ...`."""
    text, newline = " ".join(words), "" if "n" in options else "\n"
    if "E" not in options and "e" in options:
        text, stop, _ = text.partition("\\c")
        text, newline = expand_escapes(text), "" if stop else newline
    call.print(text + newline)


_INTEGER = re.compile(r"\s*([-+]?)(0[xX][0-9a-fA-F]+|0[0-7]*|[1-9]\d*)")
_REAL = re.compile(r"\s*([-+]?(?:\d+\.?\d*(?:[eE][-+]?\d{1,3})?|\.\d+(?:[eE][-+]?\d{1,3})?|inf|nan))", re.I)
_FORMAT = re.compile(r"%([-+# '0]{0,8})(\*|\d{0,5})(?:(\.)(\*|\d{0,5}))?(.?)", re.DOTALL)
_SLASH = re.compile(r"\\(c|x[0-9a-fA-F]{1,2}|[0-7]{1,3}|.|$)", re.DOTALL)
_SLASH_OF_ARGUMENT = re.compile(r"\\(c|x[0-9a-fA-F]{1,2}|0?[0-7]{1,3}|.|$)", re.DOTALL)
_LONGEST = 4096


class _Stop(Exception):
    r"""Raised by \c in the format of printf."""


def _make_byte(code: int) -> str:
    return chr(code) if code < 0x80 else chr(0xDC00 + code)


class _Printf:
    """Prints a format with arguments, as often as arguments are left."""

    def __init__(self, call: CommandCall, form: str, values: list[str]) -> None:
        self._call = call
        self._form = form
        self._values = deque(values)

    def run(self) -> None:
        """Print all."""
        while True:
            used = self._print_once()
            if not used or not self._values:
                return

    def _print_once(self) -> bool:
        at, used = 0, False
        while at < len(self._form):
            sign = self._form[at]
            if sign == "\\":
                at = self._print_slash(self._form, at, _SLASH)
            elif sign != "%" or self._form.startswith("%%", at):
                self._call.print(sign)
                at += 2 if sign == "%" else 1
            else:
                found = _FORMAT.match(self._form, at)
                at, used = (found.end() if found else at + 1), True
                if found:
                    self._print_value(found)
        return used

    def _print_slash(self, text: str, at: int, pattern: re.Pattern[str]) -> int:
        """Print an escape; return the index behind it."""
        found = pattern.match(text, at)
        name = found.group(1) if found else ""
        if name == "c":
            raise _Stop
        if name[:1] == "x":
            if len(name) == 1:
                raise self._call.error("bad \\x")
            self._call.print(_make_byte(int(name[1:], 16)))
        elif name and name[0] in "01234567":
            self._call.print(_make_byte(int(name, 8) & 0xFF))
        elif name in _SIGNS:
            self._call.print(_SIGNS[name])
        else:
            # the character behind it is no part of the escape
            self._call.print("\\")
            return at + 1
        return at + 1 + len(name)

    def _take(self) -> str:
        return self._values.popleft() if self._values else ""

    def _read_width(self, text: str) -> int:
        if text != "*":
            return int(text or 0)
        return parse_number(self._call, self._take()) if self._values else 0

    def _print_value(self, found: re.Match[str]) -> None:
        flags, width_text, dot, precision_text, kind = found.groups()
        width = self._read_width(width_text)
        precision = self._read_width(precision_text) if dot else None
        if abs(width) > _LONGEST or (precision or 0) > _LONGEST:
            raise self._call.error("bad width")
        value = self._take()
        if kind == "b":
            self._print_escaped(value)
            return
        flags = flags.replace("'", "") + ("-" if width < 0 else "")
        form = f"%{flags}{abs(width) or ''}" + (
            f".{precision}" if precision is not None and precision >= 0 else ""
        )
        if kind and kind in "sc":
            raw = value.encode("utf-8", "surrogateescape")
            raw = (raw[:1] or b"\0") if kind == "c" else raw
            if kind == "s" and precision is not None and precision >= 0:
                raw = raw[:precision]
            self._call.print(raw.ljust(abs(width)) if "-" in flags else raw.rjust(abs(width)))
        elif kind and kind in "diouxX":
            self._call.print(_format_integer(form, kind, self._read_integer(value, kind)))
        elif kind and kind in "feEgG":
            self._call.print((form + kind) % self._read_real(value, kind))
        else:
            raise self._call.error(f"bad %{kind}@{found.end()}")

    def _print_escaped(self, value: str) -> None:
        at = 0
        while at < len(value):
            if value[at] == "\\":
                at = self._print_slash(value, at, _SLASH_OF_ARGUMENT)
            else:
                self._call.print(value[at])
                at += 1

    def _report_bad(self, kind: str, value: str) -> None:
        self._call.print_error(f"printf: bad %{kind} {value}\n")
        self._call.code = 1

    def _read_integer(self, value: str, kind: str) -> int:
        if value[:1] in ("'", '"'):
            raw = value[1:].encode("utf-8", "surrogateescape")[:1]
            return int.from_bytes(raw, "little", signed=True) if raw else 0
        found = _INTEGER.match(value)
        if found is None or found.end() < len(value):
            if value:
                self._report_bad(kind, value)
            if found is None:
                return 0
        digits = found.group(2)
        base = 16 if digits[:2].lower() == "0x" else 8 if digits.startswith("0") else 10
        number = int(found.group(1) + digits[:40], base)
        if not -(1 << 63) <= number < 1 << 63:
            self._report_bad(kind, value)
        return max(-(1 << 63), min((1 << 63) - 1, number))

    def _read_real(self, value: str, kind: str) -> float:
        found = _REAL.match(value)
        if value and (found is None or found.end() < len(value)):
            self._report_bad(kind, value)
        return float(found.group(1)) if found else 0.0


def _format_integer(form: str, kind: str, number: int) -> str:
    if kind in "di":
        return str((form + "d") % number)
    number %= 1 << 64
    # C has 0x where Python has 0o
    text = str((form.replace("#", "") + kind.replace("u", "d")) % number)
    if "#" in form and kind in "xXo" and number:
        sign = "0" if kind == "o" else f"0{kind}"
        plain = str(("%" + kind) % number)
        return text.replace(plain, sign + plain, 1).removeprefix(" " * len(sign)) if sign else text
    return text


def printf(call: CommandCall, _options: Options, words: list[str]) -> None:
    """`printf FORMAT [ARGUMENT ...]`: the format is repeated until all arguments are used."""
    with suppress(_Stop):
        _Printf(call, words[0], words[1:]).run()


async def seq(call: CommandCall, options: Options, words: list[str]) -> None:
    """`seq [-s TEXT] [-w | -f FORMAT] [FIRST [STEP]] LAST`."""
    numbers = [_read_number(call, word) for word in words]
    precision = max(len(re.split(r"[eE]", word.partition(".")[2])[0]) for word in words)
    first = numbers[0] if len(numbers) > 1 else 1.0
    step = numbers[1] if len(numbers) > 2 else 1.0
    last, separator = numbers[-1], options.get("s", "\n")
    values = (first, step, last)
    width = max(len(f"{abs(value):.{precision}f}") for value in values)
    whole = all(value == int(value) for value in (first, step, last + step) if abs(value) < 1 << 31)
    plain = whole and not options.has("swf")
    form = options.get("f", f"%0{width}.{precision}f")
    if "f" in options and not re.fullmatch(
        r"(?:[^%]|%%)*%[-+ #0]*\d{0,3}(?:\.\d{0,3})?[eEfFgG](?:[^%]|%%)*", form
    ):
        raise call.error("bad -f no %f" if "%" not in form else f"bad -f '{form}'")
    if step == 0 or (last - first) / step < 0:
        call.print("" if plain or step == 0 else "\n")
        return
    index, parts = 0, list[str]()
    while ((value := first + index * step) - last) * step <= 0:
        parts.append(f"{value:.0f}" if plain else str(form % value))
        index += 1
        if len(parts) >= _BATCH:
            # a long list must not stop the phone, and its reader may end it
            call.print(separator.join(parts) + separator)
            await call.flush()
            await asyncio.sleep(0)
            parts = []
    if parts or index % _BATCH or not index:
        call.print(separator.join(parts) + "\n")


_BATCH = 10_000


def _read_number(call: CommandCall, text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        raise call.error(f"not a float: {text}") from None
    if not abs(number) < 1e18:
        raise call.error(f"not a float: {text}")
    return number


async def yes(call: CommandCall, _options: Options, words: list[str]) -> None:
    """`yes [WORD ...]`: print a line until the reader ends."""
    line = (" ".join(words) or "y") + "\n"
    while True:
        call.print(line * 100)
        await call.flush()
        await asyncio.sleep(0)


async def tee(call: CommandCall, options: Options, names: list[str]) -> None:
    """`tee [-a] [FILE ...]`: copy the input to the output and to files."""
    files, opened = call.device.files, list[str]()
    for name in names:
        with call.reporting(name):
            path = call.path(name)
            files.append(path, b"", truncate="a" not in options, mode=0o666 & ~call.umask)
            opened.append(path)
    while data := await call.input.read():
        for path in opened:
            files.append(path, data)
        call.print(data)
        await call.flush()


_DIGITS = {
    sign: value
    for value, sign in enumerate(string.ascii_uppercase + string.ascii_lowercase + string.digits + "+/")
}


async def base64_(call: CommandCall, options: Options, names: list[str]) -> None:
    """`base64 [-di] [-w COLUMNS] [FILE ...]`."""
    width = parse_number(call, options.get("w", "76"))
    async for _, data in read_contents(call, names):
        if "d" in options:
            call.print(_decode(data, skips="i" in options))
            continue
        text = base64.b64encode(data).decode()
        parts = [text[at : at + width] for at in range(0, len(text), width)] if width > 0 else [text]
        call.print("\n".join(parts) + ("\n" if width > 0 and text else ""))


def _decode(data: bytes, *, skips: bool) -> bytes:
    """The bytes up to the first sign that is no digit; with `skips` such a sign is passed over."""
    digits = []
    for sign in data.decode("latin-1"):
        if sign in _DIGITS:
            digits.append(sign)
        elif sign == "=" or not (sign == "\n" or skips):
            break
    whole = len(digits) * 6 // 8
    text = "".join(digits)
    return base64.b64decode(text + "A" * (-len(text) % 4))[:whole]
