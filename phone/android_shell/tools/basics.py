"""Tools that are neither about files nor about text: sleep, date, env, sh, timeout and the like."""

from __future__ import annotations

import asyncio
import re
from datetime import tzinfo

from android_shell.command_call import CommandCall, CommandError, UnsupportedError
from android_shell.file_entries import SECOND
from android_shell.file_paths import FileError
from android_shell.tools.tool_options import Options
from android_shell.tools.written_times import find_zone, format_time, parse_moment, read_zone

_DURATION = re.compile(r"(\d+\.?\d*|\.\d+)([smhd]?)")
_MAX_SECONDS = 1e6
_SECONDS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}
_ISO = {"d": "%F", "h": "%FT%H%:z", "m": "%FT%R%:z", "s": "%FT%T%:z", "n": "%FT%T,%N%:z"}


def true(_call: CommandCall) -> None:
    """`true`: do nothing, with exit code 0."""


def false(call: CommandCall) -> None:
    """`false`: do nothing, with exit code 1."""
    call.code = 1


async def sleep(call: CommandCall, _options: Options, words: list[str]) -> None:
    """`sleep SECONDS ...`, at most an hour; the device's clock advances by as much."""
    seconds = sum(_parse_duration(call, word) for word in words)
    if seconds > _SECONDS["h"]:
        raise call.error("more than an hour")
    await call.flush()
    await asyncio.sleep(seconds)
    call.device.wait(seconds)


def _parse_duration(call: CommandCall, text: str) -> float:
    found = _DURATION.fullmatch(text)
    if found is None:
        raise call.error(f"bad number '{text}'")
    return float(found.group(1)) * _SECONDS[found.group(2)]


def date(call: CommandCall, options: Options, words: list[str]) -> None:
    """`date [-u] [-I[dhmns]] [-r FILE] [-d DATE] [+FORMAT]`: print a moment; only root sets the clock."""
    zone = read_zone("UTC") if "u" in options else find_zone(call)
    form = "%a %b %e %H:%M:%S %Z %Y"
    if "I" in options:
        precision = options.get("I")[:1] or "d"
        if precision not in _ISO:
            raise call.usage_error(f"bad -I: {options.get('I')}")
        form = _ISO[precision]
    moment = _find_moment(call, options, zone)
    setting = options.get("s") if "s" in options else None
    if words and words[0].startswith("+"):
        form, words = words[0][1:], words[1:]
    setting = words[0] if words and setting is None else setting
    if setting is not None:
        # what would be set is printed behind the error, as toybox does
        moment = parse_moment(call, setting, zone=zone)
        call.print_error("date: cannot set date: Operation not permitted\n")
        call.code = 1
    try:
        call.print(format_time(moment, zone, form) + "\n")
    except ValueError as error:
        raise UnsupportedError(f"date: bad format '%{error}'") from None


def _find_moment(call: CommandCall, options: Options, zone: tzinfo) -> int:
    """The moment that is printed, nanoseconds since 1970."""
    if "d" in options:
        return parse_moment(call, options.get("d"), zone=zone)
    if "r" in options:
        name = options.get("r")
        try:
            return call.device.files.find(call.path(name)).modified
        except FileError as error:
            raise call.error(f"{name}: {error}") from None
    now = call.device.now
    return int(now.replace(microsecond=0).timestamp()) * SECOND + now.microsecond * 1000


async def env(call: CommandCall, options: Options, words: list[str]) -> None:
    """`env [-0i] [-u NAME] [NAME=VALUE ...] [COMMAND ...]`."""
    variables = {} if "i" in options or words[:1] == ["-"] else dict(call.environment)
    words = words[1:] if words[:1] == ["-"] else words
    for name in options.list_values("u"):
        variables.pop(name, None)
    while words and "=" in words[0]:
        name, _, value = words[0].partition("=")
        variables[name] = value
        words = words[1:]
    if words:
        call.code = await call.execute(words, None, variables)
        return
    end = "\0" if "0" in options else "\n"
    call.print("".join(f"{name}={value}{end}" for name, value in variables.items()))


def printenv(call: CommandCall, options: Options, names: list[str]) -> None:
    """`printenv [-0] [NAME ...]`."""
    end = "\0" if "0" in options else "\n"
    if not names:
        call.print("".join(f"{name}={value}{end}" for name, value in call.environment.items()))
    for name in names:
        if name in call.environment:
            call.print(call.environment[name] + end)
        else:
            call.code = 1


async def nohup(call: CommandCall, _options: Options, words: list[str]) -> None:
    """`nohup COMMAND`: run the command."""
    call.code = await call.execute(words)


async def nice(call: CommandCall, options: Options, words: list[str]) -> None:
    """`nice [-n NUMBER] COMMAND`: run the command; a phone has time for all."""
    if not re.fullmatch(r"[-+]?\d{1,9}", options.get("n", "10")):
        raise call.error(f"not integer: {options.get('n')}")
    call.code = await call.execute(words)


async def setsid(call: CommandCall, options: Options, words: list[str]) -> None:
    """`setsid [-w] COMMAND`: run the command."""
    # whether or not it is waited for, its output is the same
    call.code = await call.execute(words) if "w" in options or words else 0


async def timeout(call: CommandCall, options: Options, words: list[str]) -> None:
    """`timeout [-v] [-k SECONDS] [-s SIGNAL] SECONDS COMMAND`: exit code 124 after the time."""
    if "k" in options:
        _parse_duration(call, options.get("k"))
    seconds = min(_parse_duration(call, words[0]), _MAX_SECONDS)
    signal = options.get("s", "TERM").removeprefix("SIG")
    if not re.fullmatch(r"[A-Z0-9]+|\d{1,2}", signal):
        raise call.error(f"bad -s: '{signal}'")
    try:
        call.code = await asyncio.wait_for(call.execute(words[1:]), seconds or None)
    except TimeoutError:
        call.code = 137 if signal in ("KILL", "9") else 124
        if "v" in options:
            call.print_error(f"timeout: send signal {signal} to command '{words[1]}'\n")


def which(call: CommandCall, options: Options, names: list[str]) -> None:
    """`which [-a] COMMAND ...`."""
    for name in names:
        folders = [""] if "/" in name else call.environment.get("PATH", "").split(":")
        paths = [f"{folder}/{name}" if folder else name for folder in folders]
        found = [path for path in paths if _is_program(call, path)]
        for path in found if "a" in options else found[:1]:
            call.print(f"{path}\n")
        call.code = call.code if found else 1


def _is_program(call: CommandCall, path: str) -> bool:
    entry = call.device.files.get(call.path(path))
    return entry is not None and not entry.is_folder and bool(entry.mode & 0o111)


async def sh(call: CommandCall) -> None:
    """`sh -c LINE [NAME [ARGUMENT ...]]`, `sh FILE [ARGUMENT ...]`, or a script from the standard input."""
    args = list(call.args)
    while args and args[0] in ("-x", "-e", "-l", "-i", "-"):
        args.pop(0)
    if args[:1] == ["-c"]:
        if len(args) < 2:
            raise CommandError("/system/bin/sh: -c: requires an argument")
        call.code = await call.run_script(args[1], args[3:])
    elif args:
        entry = call.device.files.get(call.path(args[0]))
        if entry is None or entry.is_folder:
            raise CommandError(f"/system/bin/sh: {args[0]}: No such file or directory", 127)
        call.code = await call.run_script(entry.data.decode("utf-8", "replace"), args[1:])
    else:
        call.code = await call.run_script((await call.input.read_all()).decode("utf-8", "replace"), [])
