"""Builtins that tell which command a name is: type, whence, command, hash."""

from __future__ import annotations

from typing import TYPE_CHECKING

from android_shell.shell.descriptors import write_to
from android_shell.shell.paths import find_program

if TYPE_CHECKING:
    from android_shell.shell.builtins.builtin_call import BuiltinCall

_NAMES = "if then else elif fi case esac for select while until do done in function time ! [[ (( { }"
_RESERVED = frozenset(_NAMES.split())
_ALIASES = {
    "hash": r"\\builtin alias -t",
    "integer": r"\\builtin typeset -i",
    "local": r"\\builtin typeset",
    "nohup": "nohup ",
    "type": r"\\builtin whence -v",
}
"""Aliases of mksh that are carried out -> what they stand for."""


async def command(call: BuiltinCall) -> int:
    """`command [-p] NAME ...`, `command -v NAME ...`, `command -V NAME ...`."""
    if "v" in call.options or "V" in call.options:
        return await _describe(call, brief="V" not in call.options)
    if not call.args:
        return 0
    return await call.shell.execute(call.args, call.descriptors, functions=False)


async def whence(call: BuiltinCall) -> int:
    """`whence [-v] [-p] NAME ...`."""
    return await _describe(call, brief="v" not in call.options, programs="p" in call.options)


async def type_(call: BuiltinCall) -> int:
    """`type NAME ...`."""
    return await _describe(call, brief=False)


async def hash_(call: BuiltinCall) -> int:
    """`hash [-r | NAME ...]`: the shell remembers no paths, so that it has none to print."""
    if "r" in call.options and call.args:
        raise call.refuse("-r with names is")
    return 0


async def _describe(call: BuiltinCall, *, brief: bool, programs: bool = False) -> int:
    for name in call.args:
        found = None if programs else _describe_own(call, name)
        path = find_program(call.shell.device, call.variables, name)
        if found is not None:
            line = name if brief else f"{name} is {found}"
            if brief and name in _ALIASES:
                line = f"alias {name}='{_ALIASES[name]}'"
        elif path is not None:
            tracked = "" if "/" in name else "a tracked alias for "
            line = path if brief else f"{name} is {tracked}{path}"
        elif brief:
            # the brief form stops at the first name that is not found
            return 1
        else:
            await write_to(call.descriptors, 1, f"{name} not found\n".encode())
            continue
        await write_to(call.descriptors, 1, f"{line}\n".encode())
    return int(not brief and any(_is_missing(call, name) for name in call.args))


def _is_missing(call: BuiltinCall, name: str) -> bool:
    return _describe_own(call, name) is None and find_program(call.shell.device, call.variables, name) is None


def _describe_own(call: BuiltinCall, name: str) -> str | None:
    if name in _RESERVED:
        return "a reserved word"
    if name in call.variables.functions:
        return "a function"
    if name in _ALIASES:
        return f"an alias for '{_ALIASES[name]}'"
    found = call.shell.builtins.get(name)
    if found is None:
        return None
    return "a special shell builtin" if found.special else "a shell builtin"
