"""Builtins that decide what runs next: exit, return, break, eval, exec, wait, kill and the like."""

from __future__ import annotations

from typing import TYPE_CHECKING

from android_shell.files import FileError
from android_shell.shell.arithmetic import ArithmeticFailure, evaluate
from android_shell.shell.builtins.builtin_call import BuiltinError
from android_shell.shell.descriptors import write_to
from android_shell.shell.signals import BY_SIGNAL, SIGNALS, describe_signal, read_signal
from android_shell.shell.variables import PROCESS_ID, SHELL

if TYPE_CHECKING:
    from android_shell.shell.builtins.builtin_call import BuiltinCall


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


def _read_code(call: BuiltinCall) -> int:
    if len(call.args) > 1:
        raise BuiltinError("too many arguments")
    if not call.args:
        return call.variables.status & 0xFF
    return _read_integer(call.args[0]) & 0xFF


def _read_integer(text: str) -> int:
    digits = text.removeprefix("-")
    if not digits.isdecimal() or len(digits) > 18:
        raise BuiltinError(f"bad number: {text}")
    return int(text)


async def exit_(call: BuiltinCall) -> int:
    """`exit [CODE]`."""
    raise ShellExit(_read_code(call))


async def return_(call: BuiltinCall) -> int:
    """`return [CODE]`."""
    try:
        code = _read_code(call)
    except BuiltinError as error:
        await write_to(call.descriptors, 2, f"{SHELL}: return: {error}\n".encode())
        code = 1
    raise FunctionReturn(code)


async def break_(call: BuiltinCall) -> int:
    """`break [LOOPS]`, `continue [LOOPS]`."""
    levels = _read_integer(call.args[0]) if call.args else 1
    if levels < 1:
        raise BuiltinError(f"{call.args[0]}: bad value")
    if levels > call.shell.loops:
        text = f"can only {call.name} {call.shell.loops} level(s)"
        if not call.shell.loops:
            text = f"can't {call.name}"
        await write_to(call.descriptors, 2, f"{SHELL}: {call.name}: {text}\n".encode())
        if not call.shell.loops:
            return 0
    raise LoopExit(min(levels, call.shell.loops), again=call.name == "continue")


async def succeed(_call: BuiltinCall) -> int:
    """`:` and `true`."""
    return 0


async def fail(_call: BuiltinCall) -> int:
    """`false`."""
    return 1


async def shift(call: BuiltinCall) -> int:
    """`shift [COUNT]`."""
    count = call.number(call.args[0]) if call.args else 1
    if count < 0:
        raise BuiltinError(f"{call.args[0]}: bad number")
    if count > len(call.variables.arguments):
        raise BuiltinError("nothing to shift")
    call.variables.arguments = call.variables.arguments[count:]
    return 0


async def eval_(call: BuiltinCall) -> int:
    """`eval WORD ...`."""
    return await call.shell.run_nested(" ".join(call.args), call.descriptors)


async def source(call: BuiltinCall) -> int:
    """`. FILE [ARGUMENT ...]` and `source`, which also looks into the working folder."""
    if not call.args:
        raise BuiltinError("missing argument")
    name = call.args[0]
    variables = call.variables
    folders = variables.values.get("PATH", "").split(":")
    paths = [f"{folder}/{name}" for folder in folders if folder]
    if call.name == "source":
        paths.insert(0, variables.path(name))
    if "/" in name:
        paths = [variables.path(name)]
    path = next((path for path in paths if variables.files.get(path) is not None), None)
    if path is None:
        raise BuiltinError(f"{name}: No such file or directory")
    try:
        text = bytes(variables.files.read(path)).decode("utf-8", "replace")
    except FileError as error:
        raise BuiltinError(f"{name}: {error}") from None
    before = variables.arguments
    if call.args[1:]:
        variables.arguments = call.args[1:]
    try:
        return await call.shell.run_nested(text, call.descriptors)
    except FunctionReturn as end:
        return end.code
    finally:
        if call.args[1:]:
            variables.arguments = before


async def exec_(call: BuiltinCall) -> int:
    """`exec [COMMAND [ARGUMENT ...]]`; the interpreter keeps the redirections of one without a command."""
    if not call.args:
        return 0
    raise ShellExit(await call.shell.execute_program(call.args, call.descriptors))


async def builtin(call: BuiltinCall) -> int:
    """`builtin NAME [ARGUMENT ...]`."""
    if not call.args:
        return 0
    if call.args[0] not in call.shell.builtins:
        raise call.refuse(f"{call.args[0]} is")
    return await call.shell.execute(call.args, call.descriptors, functions=False)


async def let(call: BuiltinCall) -> int:
    """`let EXPRESSION ...`: exit code 0 if the last is not 0."""
    if not call.args:
        raise BuiltinError("missing argument")
    value = 0
    for text in call.args:
        try:
            value = evaluate(text, call.variables)
        except ArithmeticFailure as error:
            raise BuiltinError(f"{text}: {error}", 2) from None
    return int(value == 0)


async def wait(call: BuiltinCall) -> int:
    """`wait [PROCESS ...]`."""
    code = 0
    for arg in call.args:
        code = await call.shell.jobs.wait(int(arg)) if arg.isdecimal() and len(arg) < 20 else 127
        if arg.isdecimal():
            call.shell.jobs.forget(int(arg[:20]))
    if not call.args:
        await call.shell.jobs.wait_for_all()
    return code


async def kill(call: BuiltinCall) -> int:
    """`kill [-SIGNAL | -s SIGNAL] PROCESS ...`, `kill -l CODE ...`.

    This shell and its commands are its own business; for others it asks the phone's `kill`.
    """
    words, signal = list(call.args), "TERM"
    if words[:1] == ["-l"]:
        return await _list_signals(call, words[1:])
    if words[:1] == ["-s"] and len(words) > 1:
        signal = read_signal(words[1]) or ""
        words = words[2:]
    elif words[:1] and words[0][:1] == "-" and words[0] != "--":
        signal = read_signal(words.pop(0)[1:]) or ""
    if signal not in SIGNALS and signal != "0":
        raise BuiltinError(f"{' '.join(call.args)}: bad signal")
    if not words:
        raise BuiltinError("usage: kill [-s signame | -signum | -signame] { job | pid | pgrp } ...")
    code = 0
    for word in words:
        if word.startswith("%"):
            raise call.refuse("jobs are")
        if not word.removeprefix("-").isdecimal():
            text = f"{word}: arguments must be jobs or process IDs"
            await write_to(call.descriptors, 2, f"{SHELL}: kill: {text}\n".encode())
            code = 1
            continue
        number = int(word) if word.isdecimal() and len(word) < 20 else -1
        if signal == "0" and (number == PROCESS_ID or call.shell.jobs.is_running(number)):
            continue
        if number == PROCESS_ID:
            raise ShellExit(BY_SIGNAL + SIGNALS[signal])
        if signal == "0" or not call.shell.jobs.end(number, signal):
            option = [] if signal == "TERM" else [f"-{signal}"]
            program = ["/system/bin/kill", *option, word]
            code = await call.shell.execute_program(program, call.descriptors)
    return code


async def _list_signals(call: BuiltinCall, words: list[str]) -> int:
    if not words:
        raise call.refuse("the list of signals is")
    for word in words:
        name = describe_signal(_read_integer(word))
        await write_to(call.descriptors, 1, f"{name}\n".encode())
    return 0
