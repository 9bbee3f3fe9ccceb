"""Commands of the shell itself, which change its state."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from itertools import takewhile
from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol

from android_shell.files import FileError
from android_shell.shell.descriptors import Descriptors, get_input, write_to
from android_shell.shell.signals import BY_SIGNAL, SIGNALS, Jobs, read_signal
from android_shell.shell.variables import PROCESS_ID, SHELL, ShellVariables

if TYPE_CHECKING:
    from android_shell.shell_device import ShellDevice


class RunningShell(Protocol):
    """The shell that runs a builtin; a protocol, since the interpreter imports this module."""

    device: ShellDevice
    variables: ShellVariables
    jobs: Jobs

    async def run_nested(self, text: str, descriptors: Descriptors) -> int:
        """Run a text within the shell; return its exit code."""

    async def execute(self, words: list[str], descriptors: Descriptors) -> int:
        """Run a command by its words; return its exit code."""


Builtin = Callable[[RunningShell, list[str], Descriptors], Awaitable[int]]

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class ShellExit(Exception):
    """Raised by `exit`; `code` is the shell's exit code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class FunctionReturn(ShellExit):
    """Raised by `return`; `code` is the function's exit code."""


class LoopExit(ShellExit):
    """Raised by `break` and `continue`.

    Attributes:
        levels: Number of loops that it leaves or continues.
        again: Whether the last of them goes on.
    """

    def __init__(self, levels: int, *, again: bool) -> None:
        super().__init__(0)
        self.levels = levels
        self.again = again


def _code(args: list[str], status: int) -> int:
    # exit codes have 8 bits
    return int(args[0]) & 0xFF if args and args[0].isdecimal() and len(args[0]) < 20 else status & 0xFF


async def _exit(shell: RunningShell, args: list[str], _descriptors: Descriptors) -> int:
    raise ShellExit(_code(args, shell.variables.status))


async def _return(shell: RunningShell, args: list[str], _descriptors: Descriptors) -> int:
    raise FunctionReturn(_code(args, shell.variables.status))


async def _break(_shell: RunningShell, args: list[str], _descriptors: Descriptors) -> int:
    raise LoopExit(max(1, _code(args, 1)), again=False)


async def _continue(_shell: RunningShell, args: list[str], _descriptors: Descriptors) -> int:
    raise LoopExit(max(1, _code(args, 1)), again=True)


async def _nothing(_shell: RunningShell, _args: list[str], _descriptors: Descriptors) -> int:
    return 0


async def _cd(shell: RunningShell, args: list[str], descriptors: Descriptors) -> int:
    names = [arg for arg in args if arg not in ("-P", "-L", "--")]
    target = names[0] if names else shell.variables.values.get("HOME", "/")
    if target == "-":
        target = shell.variables.values.get("OLDPWD", shell.variables.folder)
        await write_to(descriptors, 1, f"{target}\n".encode())
    path = posixpath.normpath(shell.variables.path(target))
    entry = shell.variables.files.get(path)
    if entry is None or not entry.is_folder:
        reason = "Not a directory" if entry else "No such file or directory"
        await write_to(descriptors, 2, f"{SHELL}: cd: {path}: {reason}\n".encode())
        return 2
    shell.variables.values["OLDPWD"] = shell.variables.folder
    shell.variables.folder = "/" + path.lstrip("/")
    return 0


async def _pwd(shell: RunningShell, _args: list[str], descriptors: Descriptors) -> int:
    await write_to(descriptors, 1, f"{shell.variables.folder}\n".encode())
    return 0


async def _export(shell: RunningShell, args: list[str], descriptors: Descriptors) -> int:
    for arg in args:
        name, assigned, value = arg.partition("=")
        if name.startswith("-"):
            continue
        if not _NAME.fullmatch(name):
            await write_to(descriptors, 2, f"{SHELL}: export: {arg}: is not an identifier\n".encode())
            return 1
        if assigned:
            shell.variables.values[name] = value
        shell.variables.exported.add(name)
    return 0


async def _local(shell: RunningShell, args: list[str], _descriptors: Descriptors) -> int:
    for arg in args:
        name, assigned, value = arg.partition("=")
        if _NAME.fullmatch(name):
            shell.variables.values[name] = value if assigned else shell.variables.values.get(name, "")
    return 0


async def _unset(shell: RunningShell, args: list[str], _descriptors: Descriptors) -> int:
    for name in args:
        if args[0] == "-f":
            shell.variables.functions.pop(name, None)
        shell.variables.values.pop(name, None)
        shell.variables.exported.discard(name)
    return 0


async def _set(shell: RunningShell, args: list[str], descriptors: Descriptors) -> int:
    if not args:
        lines = (f"{name}={value}\n" for name, value in sorted(shell.variables.values.items()))
        await write_to(descriptors, 1, "".join(lines).encode())
        return 0
    # options such as -e and -x change nothing here
    while args and args[0] != "--" and args[0][:1] in ("-", "+"):
        args = args[2:] if args[0] in ("-o", "+o") else args[1:]
        if not args:
            return 0
    shell.variables.arguments = args[1:] if args[:1] == ["--"] else args
    return 0


async def _shift(shell: RunningShell, args: list[str], _descriptors: Descriptors) -> int:
    count = _code(args, 1)
    if count > len(shell.variables.arguments):
        return 1
    shell.variables.arguments = shell.variables.arguments[count:]
    return 0


async def _read(shell: RunningShell, args: list[str], descriptors: Descriptors) -> int:
    raw = "-r" in args
    names = [arg for arg in args if not arg.startswith("-")] or ["REPLY"]
    line = await get_input(descriptors).read_line()
    text = line.decode("utf-8", "replace").removesuffix("\n")
    # without -r a backslash takes the next character's meaning, as in POSIX's read
    if not raw:
        text = re.sub(r"\\(.)", r"\1", text)
    separators = shell.variables.values.get("IFS", " \t\n")
    blank = "".join(sign for sign in separators if sign in " \t\n")
    rest = text.strip(blank) if blank else text
    for name in names[:-1]:
        field, rest = _take_first_field(rest, separators, blank)
        shell.variables.values[name] = field
    shell.variables.values[names[-1]] = rest
    return 0 if line.endswith(b"\n") else 1


def _take_first_field(text: str, separators: str, blank: str) -> tuple[str, str]:
    for index, sign in enumerate(text):
        if sign in separators:
            rest = text[index:].lstrip(blank) if blank else text[index:]
            if rest[:1] and rest[0] in separators and rest[0] not in blank:
                rest = rest[1:].lstrip(blank) if blank else rest[1:]
            return text[:index], rest
    return text, ""


async def _eval(shell: RunningShell, args: list[str], descriptors: Descriptors) -> int:
    return await shell.run_nested(" ".join(args), descriptors)


async def _source(shell: RunningShell, args: list[str], descriptors: Descriptors) -> int:
    try:
        text = bytes(shell.variables.files.read(shell.variables.path(args[0] if args else "")))
    except FileError as error:
        name = args[0] if args else ""
        await write_to(descriptors, 2, f"{SHELL}: .: {name}: {error}\n".encode())
        return 1
    return await shell.run_nested(text.decode("utf-8", "replace"), descriptors)


async def _exec(shell: RunningShell, args: list[str], descriptors: Descriptors) -> int:
    if not args:
        return 0
    raise ShellExit(await shell.execute(args, descriptors))


async def _command(shell: RunningShell, args: list[str], descriptors: Descriptors) -> int:
    """`command [-v|-V] NAME ...`, `type NAME ...` and `whence`."""
    if args[:1] in (["-v"], ["-V"]):
        return await _describe(shell, args[1:], descriptors, brief=args[0] == "-v")
    return await shell.execute(args, descriptors) if args else 0


async def _type(shell: RunningShell, args: list[str], descriptors: Descriptors) -> int:
    return await _describe(shell, args, descriptors, brief=False)


async def _describe(shell: RunningShell, names: list[str], descriptors: Descriptors, *, brief: bool) -> int:
    code = 0
    for name in names:
        carried_out = name in BUILTINS and name not in UNSUPPORTED
        own = carried_out or name in shell.variables.functions
        kind = "a function" if name in shell.variables.functions else "a shell builtin"
        if own:
            line = name if brief else f"{name} is {kind}"
        elif name in shell.device.commands:
            line = f"/system/bin/{name}" if brief else f"{name} is /system/bin/{name}"
        else:
            code = 1
            if brief:
                continue
            line = f"{name} not found"
        await write_to(descriptors, 1, f"{line}\n".encode())
    return code


async def _wait(shell: RunningShell, args: list[str], _descriptors: Descriptors) -> int:
    code = 0
    for arg in args:
        code = await shell.jobs.wait(int(arg)) if arg.isdecimal() and len(arg) < 20 else 127
    if not args:
        await shell.jobs.finish()
    return code


async def _kill(shell: RunningShell, args: list[str], descriptors: Descriptors) -> int:
    """`kill [-SIGNAL | -s SIGNAL] PID ...`: this shell and its commands; others by the phone's `kill`."""
    words, signal = list(args), "TERM"
    if words[:1] == ["-s"] and len(words) > 1:
        signal = read_signal(words[1]) or ""
        words = words[2:]
    elif words[:1] and words[0][:1] == "-" and words[0] != "-l":
        signal = read_signal(words.pop(0)[1:]) or ""
    if signal not in SIGNALS:
        await write_to(descriptors, 2, f"{SHELL}: kill: {' '.join(args)}: bad signal\n".encode())
        return 1
    code = 0
    for word in words:
        number = int(word) if word.isdecimal() and len(word) < 20 else -1
        if number == PROCESS_ID:
            raise ShellExit(BY_SIGNAL + SIGNALS[signal])
        elif not shell.jobs.end(number, signal):
            code = await shell.execute(["/system/bin/kill", word], descriptors)
    return code


async def _refuse(_shell: RunningShell, _args: list[str], descriptors: Descriptors, *, name: str = "") -> int:
    await write_to(descriptors, 2, f"{SHELL}: {name}: not supported\n".encode())
    return 2


def _without_arrays(name: str, builtin: Builtin) -> Builtin:
    """Make a builtin that refuses the forms of it which make, fill or name an array."""
    letters = ARRAY_LETTERS[name]

    async def run(shell: RunningShell, args: list[str], descriptors: Descriptors) -> int:
        options = list(takewhile(lambda arg: arg[:1] in ("-", "+") and arg != "--", args))
        makes = any(letter in option for option in options for letter in letters)
        names = any("[" in arg.partition("=")[0] for arg in args[len(options) :]) if name != "set" else False
        if not makes and not names:
            return await builtin(shell, args, descriptors)
        await write_to(descriptors, 2, f"{SHELL}: {name}: arrays are not supported\n".encode())
        return 2

    return run


ARRAY_LETTERS = {
    "export": "",
    "local": "aA",
    "read": "aA",
    "readonly": "aA",
    "set": "A",
    "typeset": "aA",
    "unset": "",
}
"""Builtin that could name an array -> letters of its options that make one."""

UNSUPPORTED = ("bg", "fg", "jobs", "trap")
"""Builtins of mksh that no client sends: each is refused with a message."""

_WITH_ARRAYS: Mapping[str, Builtin] = MappingProxyType(
    {
        ".": _source,
        ":": _nothing,
        "alias": _nothing,
        "break": _break,
        "cd": _cd,
        "command": _command,
        "continue": _continue,
        "eval": _eval,
        "exec": _exec,
        "exit": _exit,
        "export": _export,
        "kill": _kill,
        "local": _local,
        "pwd": _pwd,
        "read": _read,
        "readonly": _export,
        "return": _return,
        "set": _set,
        "shift": _shift,
        "source": _source,
        "type": _type,
        "typeset": _local,
        "ulimit": _nothing,
        "umask": _nothing,
        "unset": _unset,
        "wait": _wait,
        **{name: partial(_refuse, name=name) for name in UNSUPPORTED},
    }
)
"""Builtins as mksh has them but for arrays."""

BUILTINS: Mapping[str, Builtin] = MappingProxyType(
    {
        name: _without_arrays(name, builtin) if name in ARRAY_LETTERS else builtin
        for name, builtin in _WITH_ARRAYS.items()
    }
)
"""Name of a builtin -> implementation, which returns the exit code."""
