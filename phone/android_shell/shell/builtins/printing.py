"""Builtins that print: echo and print, with mksh's escapes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from android_shell.shell.descriptors import write_to

if TYPE_CHECKING:
    from android_shell.shell.builtins.builtin_call import BuiltinCall

_ESCAPE = re.compile(r"\\(0[0-7]{0,3}|x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{1,4}|[abcefnrtv\\])")
_SIGNS = dict(zip("abefnrtv\\", "\a\b\x1b\f\n\r\t\v\\", strict=True))


def expand_escapes(text: str) -> tuple[str, bool]:
    r"""Return a text with its escapes carried out, and whether `\c` takes its newline.

    A byte beyond ASCII becomes a surrogate, which is one byte when it is written.

    >>> expand_escapes(r"a\tb\x41\0101\101\c")
    ('a\tbAA\\101', True)
    """
    without_newline = False

    def value(found: re.Match[str]) -> str:
        nonlocal without_newline
        name = found.group(1)
        if name == "c":
            without_newline = True
            return ""
        if name[0] == "u":
            # half of a pair is no character
            return chr(int(name[1:], 16)).encode("utf-8", "replace").decode()
        if name[0] in "0x":
            code = int(name[1:] or "0", 8 if name[0] == "0" else 16) & 0xFF
            return chr(code if code < 0x80 else 0xDC00 + code)
        return _SIGNS[name]

    return _ESCAPE.sub(value, text), without_newline


async def echo(call: BuiltinCall) -> int:
    """`echo [-n] [-e] [-E] WORD ...`: escapes are carried out unless -E is given."""
    words, newline, escapes = list(call.args), True, True
    while words and re.fullmatch(r"-[neE]+", words[0]):
        for letter in words.pop(0)[1:]:
            newline = newline and letter != "n"
            escapes = letter == "e" or (escapes and letter != "E")
    return await _print(call, " ".join(words), newline="\n" if newline else "", escapes=escapes)


async def print_(call: BuiltinCall) -> int:
    """`print [-n] [-r] [-R] [-l] [-N] [-u DESCRIPTOR] WORD ...`."""
    options, words = call.options, list(call.args)
    newline = "" if "n" in options else "\0" if "N" in options else "\n"
    if "R" in options and words[:1] == ["-n"]:
        newline = ""
        words.pop(0)
    between = newline if "l" in options or "N" in options else " "
    escapes = not {"r", "R"} & set(options)
    number = int(options["u"]) if options.get("u", "x").isdecimal() else 1
    return await _print(call, between.join(words), newline=newline, escapes=escapes, number=number)


async def _print(call: BuiltinCall, text: str, *, newline: str, escapes: bool, number: int = 1) -> int:
    if escapes and "\\" in text:
        text, without_newline = expand_escapes(text)
        newline = "" if without_newline else newline
    await write_to(call.descriptors, number, (text + newline).encode("utf-8", "surrogateescape"))
    return 0
