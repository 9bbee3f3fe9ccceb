"""Builtins that make and remove names: export, typeset, local, readonly, unset, set."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from android_shell.command_call import UnsupportedError
from android_shell.shell.builtins.builtin_call import BuiltinError
from android_shell.shell.descriptors import write_to
from android_shell.shell.quoting import quote_value
from android_shell.shell.variables import SHELL

if TYPE_CHECKING:
    from collections.abc import Iterable

    from android_shell.shell.builtins.builtin_call import BuiltinCall

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_OPTION_NAMES = {
    "allexport": "a",
    "errexit": "e",
    "noclobber": "C",
    "noglob": "f",
    "nounset": "u",
    "pipefail": "pipefail",
    "trackall": "h",
    "xtrace": "x",
}
"""Options of `set -o` that are carried out -> letter."""

_LACKING = """
asis bgnice braceexpand emacs gmacs ignoreeof inherit-xtrace interactive keyword login markdirs monitor
noexec nohup nolog notify physical posix privileged restricted sh stdin utf8-mode verbose vi vi-esccomplete
vi-tabcomplete viraw
"""
_LACKING_NAMES = frozenset(_LACKING.split())
_LACKING_LETTERS = "biklmnprsvUX"


async def export(call: BuiltinCall) -> int:
    """`export [-p] [NAME[=VALUE] ...]`."""
    if not call.args:
        return await _list_names(call, call.variables.exported, "export")
    for arg in call.args:
        name = _set_name(call, arg)
        call.variables.exported.add(name)
    return 0


async def readonly(call: BuiltinCall) -> int:
    """`readonly [-p] [NAME[=VALUE] ...]`."""
    if not call.args:
        raise call.refuse("lists are")
    for arg in call.args:
        call.variables.readonly.add(_set_name(call, arg))
    return 0


def _set_name(call: BuiltinCall, arg: str) -> str:
    name, assigned, value = arg.partition("=")
    _check_name(call, name, arg)
    if assigned:
        call.variables.assign(name, value)
    return name


def _check_name(call: BuiltinCall, name: str, arg: str) -> None:
    if "[" in name:
        raise call.refuse("arrays are")
    if name.endswith("+"):
        raise call.refuse("additions are")
    if not _NAME.fullmatch(name):
        raise BuiltinError(f"{arg}: not an identifier")


async def _list_names(call: BuiltinCall, names: Iterable[str], word: str) -> int:
    values = call.variables.values
    lines = [
        f"{word} {name}={quote_value(values[name])}" if "p" in call.options and name in values else name
        for name in sorted(names)
    ]
    await write_to(call.descriptors, 1, "".join(f"{line}\n" for line in lines).encode())
    return 0


async def typeset(call: BuiltinCall) -> int:
    """`typeset [-i] [-u] [-l] [-x] [-r] NAME[=VALUE] ...`, `local` and `integer`."""
    variables = call.variables
    if not call.args:
        raise call.refuse("lists are")
    kind = next((letter for letter in ("i", "u", "l") if letter in call.options), "")
    if call.name == "integer":
        kind = "i"
    for arg in call.args:
        name, assigned, value = arg.partition("=")
        _check_name(call, name, arg)
        variables.make_local(name)
        if kind:
            variables.set_kind(name, kind)
        if assigned:
            variables.assign(name, value)
        if "x" in call.options:
            variables.exported.add(name)
        if "r" in call.options:
            variables.readonly.add(name)
    return 0


async def unset(call: BuiltinCall) -> int:
    """`unset [-v] [-f] NAME ...`."""
    for name in call.args:
        if "[" in name:
            raise call.refuse("arrays are")
        if "f" in call.options:
            call.variables.functions.pop(name, None)
        elif not call.variables.unset(name):
            await write_to(call.descriptors, 2, f"{SHELL}: read-only: {name}\n".encode())
    return 0


async def set_(call: BuiltinCall) -> int:
    """`set [-aefhuxC] [-o NAME] [--] [ARGUMENT ...]`, with `+` for off."""
    words = list(call.args)
    if not words:
        values = call.variables.values
        lines = (f"{name}={quote_value(values[name])}\n" for name in sorted(values))
        await write_to(call.descriptors, 1, "".join(lines).encode())
        return 0
    while words and len(words[0]) > 1 and words[0][0] in "-+":
        word = words.pop(0)
        if word == "--":
            call.variables.arguments = words
            return 0
        for letter in word[1:]:
            if letter == "o":
                if not words:
                    raise call.refuse("the list of options is")
                switch_option(call, words.pop(0), on=word[0] == "-")
            else:
                _switch_letter(call, letter, word[0])
    if words and words[0] in ("-", "+"):
        raise call.refuse("- and + are")
    if words:
        call.variables.arguments = words
    return 0


def switch_option(call: BuiltinCall, name: str, *, on: bool) -> None:
    """Switch an option of `set -o` by its name.

    Raises:
        BuiltinError: There is no such option.
        UnsupportedError: mksh has it, and this shell lacks it.
    """
    if name in _LACKING_NAMES:
        raise UnsupportedError(f"{SHELL}: set: {name}: not supported", 2)
    if name not in _OPTION_NAMES:
        raise BuiltinError(f"{name}: unknown option")
    options = call.variables.options
    (options.add if on else options.discard)(_OPTION_NAMES[name])


def _switch_letter(call: BuiltinCall, letter: str, sign: str) -> None:
    if letter == "A":
        raise call.refuse("arrays are")
    if letter in _LACKING_LETTERS:
        raise UnsupportedError(f"{SHELL}: set: {sign}{letter}: not supported", 2)
    if letter not in _OPTION_NAMES.values():
        raise BuiltinError(f"{sign}{letter}: unknown option")
    options = call.variables.options
    (options.add if sign == "-" else options.discard)(letter)


def is_on(call: BuiltinCall, name: str) -> bool:
    """Whether an option of `set -o` is on; False for one that does not exist.

    Raises:
        UnsupportedError: mksh has it, and this shell lacks it.
    """
    if name in _LACKING_NAMES:
        raise UnsupportedError(f"{SHELL}: {call.name}: -o {name}: not supported", 2)
    letter = _OPTION_NAMES.get(name, name)
    return letter == "h" or letter in call.variables.options
