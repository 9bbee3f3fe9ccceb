"""Tools that are neither about files nor about text: sleep, date, env, sh, timeout and the like."""

from __future__ import annotations

import asyncio
import re
from datetime import datetime

from android_shell.command_call import CommandCall, CommandError

_DURATION = re.compile(r"(\d+\.?\d*|\.\d+)([smhd]?)")
_MAX_SECONDS = 1e6
_SECONDS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}


def true(_call: CommandCall) -> None:
    """`true`: do nothing, with exit code 0."""


def false(call: CommandCall) -> None:
    """`false`: do nothing, with exit code 1."""
    call.code = 1


async def sleep(call: CommandCall) -> None:
    """`sleep SECONDS`, at most an hour; the device's clock advances by as much."""
    seconds = sum(_parse_duration(call, arg) for arg in call.args) if call.args else -1.0
    if not 0 <= seconds <= 3600:
        raise call.error("Needs 1 argument from 0 to 3600")
    await call.flush()
    await asyncio.sleep(seconds)
    call.device.wait(seconds)


def _parse_duration(call: CommandCall, text: str) -> float:
    found = _DURATION.fullmatch(text)
    if found is None:
        raise call.error(f"bad number '{text}'")
    return float(found.group(1)) * _SECONDS[found.group(2)]


def date(call: CommandCall) -> None:
    """`date [-u] [+FORMAT]`: print the device's clock."""
    call.pop_flag("-u")
    form = call.args[0] if call.args else f"+%a %b %e %H:%M:%S {_zone_letters(call.device.now)} %Y"
    if not form.startswith("+"):
        raise CommandError("date: cannot set date: Operation not permitted")
    now = call.device.now
    text = form[1:].replace("%s", str(int(now.timestamp()))).replace("%N", f"{now.microsecond * 1000:09}")
    # Python refuses a lone percent sign at the end on some platforms
    call.print((now.strftime(text.rstrip("%")) if text else "") + "\n")


def _zone_letters(moment: datetime) -> str:
    """Letters of the zone in the output of `date`, such as EST; China's zone has none of its own here."""
    letters = moment.tzname() or "UTC"
    return "CST" if letters == "UTC+08:00" else letters


async def env(call: CommandCall) -> None:
    """`env [NAME=VALUE ...] [COMMAND ...]`, `printenv [NAME ...]`."""
    if call.name == "printenv" and call.args:
        for name in call.args:
            if name in call.environment:
                call.print(call.environment[name] + "\n")
            else:
                call.code = 1
        return
    args, extra = list(call.args), {}
    while args and "=" in args[0]:
        name, _, value = args.pop(0).partition("=")
        extra[name] = value
    if args:
        call.code = await call.execute(args)
        return
    call.print("".join(f"{name}={value}\n" for name, value in {**call.environment, **extra}.items()))


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


async def run_wrapped(call: CommandCall) -> None:
    """`nohup COMMAND`, `nice [-n N] COMMAND`, `setsid COMMAND`, `time COMMAND`: run the command."""
    args = list(call.args)
    while args and args[0].startswith("-"):
        option = args.pop(0)
        if option == "-n" and args:
            args.pop(0)
    if not args:
        raise call.usage_error("Needs 1 argument")
    call.code = await call.execute(args)
    if call.name == "time":
        call.print_error("    0m00.01s real     0m00.00s user     0m00.00s system\n")


async def timeout(call: CommandCall) -> None:
    """`timeout [-k SECONDS] [-s SIGNAL] SECONDS COMMAND`: exit code 124 after the time."""
    args = list(call.args)
    while args and args[0].startswith("-"):
        args = args[2:] if args[0] in ("-k", "-s") else args[1:]
    if len(args) < 2:
        raise call.usage_error("Need 2 arguments")
    seconds = min(_parse_duration(call, args[0]), _MAX_SECONDS)
    try:
        call.code = await asyncio.wait_for(call.execute(args[1:]), seconds)
    except TimeoutError:
        call.code = 124


def which(call: CommandCall) -> None:
    """`which [-a] COMMAND ...`."""
    call.pop_flag("-a")
    for name in call.args:
        path = name if "/" in name else f"/system/bin/{name}"
        if call.device.files.get(path) is None:
            call.code = 1
        else:
            call.print(path + "\n")
