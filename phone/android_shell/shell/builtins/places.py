"""Builtins about the working folder and the limits of the process: cd, pwd, umask, ulimit."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING

from android_shell.file_paths import ENTER, FileError, check_access
from android_shell.shell.builtins.builtin_call import BuiltinError
from android_shell.shell.descriptors import write_to

if TYPE_CHECKING:
    from android_shell.shell.builtins.builtin_call import BuiltinCall

_NUMBERS = {"No such file or directory": 2, "Permission denied": 13, "Not a directory": 20}
"""Message of the kernel -> its number, which is the exit code of `realpath`."""

_LIMITS = {"c": "0", "f": "unlimited", "n": "32768"}
"""Option of `ulimit` -> the limit of adbd's shell."""


async def cd(call: BuiltinCall) -> int:
    """`cd [-L] [-P] [FOLDER | -]`."""
    variables = call.variables
    if len(call.args) > 1:
        raise call.refuse("substitutions are")
    target = call.args[0] if call.args else variables.values.get("HOME")
    if target is None:
        raise BuiltinError("no home directory (HOME not set)", 2)
    if target == "-":
        target = variables.values.get("OLDPWD")
        if target is None:
            raise BuiltinError("no OLDPWD", 2)
        await write_to(call.descriptors, 1, f"{target}\n".encode())
    elif variables.values.get("CDPATH") and not target.startswith(("/", ".")):
        raise call.refuse("CDPATH is")
    path = posixpath.normpath(variables.path(target))
    try:
        place = variables.files.resolve(path)
        if place.entry is None:
            raise FileError("No such file or directory")
        if not place.entry.is_folder:
            raise FileError("Not a directory")
        check_access(place.entry, ENTER)
    except FileError as error:
        raise BuiltinError(f"{path}: {error}", 2) from None
    if "P" in call.options:
        path = place.path
    variables.values["OLDPWD"] = variables.folder
    variables.folder = path
    return 0


async def pwd(call: BuiltinCall) -> int:
    """`pwd [-L] [-P]`."""
    if call.args:
        raise BuiltinError("too many arguments")
    variables = call.variables
    path = variables.files.resolve(variables.folder).path if "P" in call.options else variables.folder
    await write_to(call.descriptors, 1, f"{path}\n".encode())
    return 0


async def realpath(call: BuiltinCall) -> int:
    """`realpath [-q] PATH`: the path without links; its last name need not exist."""
    if len(call.args) != 1:
        raise BuiltinError("syntax error")
    try:
        path = call.variables.files.resolve(call.variables.path(call.args[0])).path
    except FileError as error:
        raise BuiltinError(f"{call.args[0]}: {error}", _NUMBERS.get(str(error), 1)) from None
    await write_to(call.descriptors, 1, f"{path}\n".encode())
    return 0


async def umask(call: BuiltinCall) -> int:
    """`umask [MASK]`: the bits that the mode of a new file does not get, in octal digits."""
    if not call.args:
        digits = f"{call.variables.umask:03o}"
        text = digits if digits.startswith("0") else "0" + digits
        await write_to(call.descriptors, 1, f"{text}\n".encode())
        return 0
    if not call.args[0][:1].isdigit():
        raise call.refuse("letters are")
    if not re.fullmatch(r"[0-7]{1,10}", call.args[0]):
        raise BuiltinError("bad number")
    call.variables.umask = int(call.args[0], 8) & 0o777
    return 0


async def ulimit(call: BuiltinCall) -> int:
    """`ulimit [-c | -f | -n]`: print a limit."""
    if call.args:
        raise call.refuse("changes are")
    for letter in call.options or {"f": ""}:
        await write_to(call.descriptors, 1, f"{_LIMITS[letter]}\n".encode())
    return 0
