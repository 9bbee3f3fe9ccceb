"""Builtins about the working folder and the limits of the process: cd, pwd, umask, ulimit."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING

from android_shell.shell.builtins.options import BuiltinError
from android_shell.shell.descriptors import write_to

if TYPE_CHECKING:
    from android_shell.shell.builtins.options import BuiltinCall

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
    entry = variables.files.get(path)
    if entry is None or not entry.is_folder:
        reason = "Not a directory" if entry else "No such file or directory"
        raise BuiltinError(f"{path}: {reason}", 2)
    variables.values["OLDPWD"] = variables.folder
    variables.folder = path
    return 0


async def pwd(call: BuiltinCall) -> int:
    """`pwd [-L] [-P]`."""
    if call.args:
        raise BuiltinError("too many arguments")
    await write_to(call.descriptors, 1, f"{call.variables.folder}\n".encode())
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
