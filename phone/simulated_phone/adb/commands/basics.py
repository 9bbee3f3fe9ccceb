"""Basic Unix commands that are neither about files nor about text."""

from __future__ import annotations

import asyncio
import re
from datetime import datetime

from simulated_phone.adb.commands.command_call import CommandCall, CommandError
from simulated_phone.adb.commands.text_tools.arguments import options

KERNEL = "5.10.149-android13-4"
"""Kernel version."""

_DURATION = re.compile(r"(\d+\.?\d*|\.\d+)([smhd]?)")
_MAX_SECONDS = 1e6
_SECONDS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}


def true(_call: CommandCall) -> None:
    """`true`: do nothing, with exit code 0."""


def false(call: CommandCall) -> None:
    """`false`: do nothing, with exit code 1."""
    call.code = 1


async def sleep(call: CommandCall) -> None:
    """`sleep SECONDS`, at most an hour; the phone's clock advances by as much."""
    seconds = sum(_duration(call, arg) for arg in call.args) if call.args else -1.0
    if not 0 <= seconds <= 3600:
        raise CommandError("sleep: Needs 1 argument from 0 to 3600")
    await call.flush()
    await asyncio.sleep(seconds)
    if not call.device.real_time:
        call.phone.wait(seconds)


def _duration(call: CommandCall, text: str) -> float:
    found = _DURATION.fullmatch(text)
    if found is None:
        raise CommandError(f"{call.name}: bad number '{text}'")
    return float(found.group(1)) * _SECONDS[found.group(2)]


def identity(call: CommandCall) -> None:
    """`id [-u] [-g] [-n]`: print the shell user of an unrooted phone."""
    flags, _ = options(call, "ugnGrZ")
    if {"-u", "-g"} & set(flags):
        call.print("shell\n" if "-n" in flags else "2000\n")
        return
    call.print(
        "uid=2000(shell) gid=2000(shell) groups=2000(shell),1004(input),1007(log),1011(adb),1015(sdcard_rw),"
        "1028(sdcard_r),3001(net_bt_admin),3002(net_bt),3003(inet),3006(net_bw_stats) context=u:r:shell:s0\n"
    )


def whoami(call: CommandCall) -> None:
    """`whoami`: print the name of the shell user."""
    call.print("shell\n")


def date(call: CommandCall) -> None:
    """`date [-u] [+FORMAT]`: print the phone's simulated clock."""
    call.pop_flag("-u")
    form = call.args[0] if call.args else f"+%a %b %e %H:%M:%S {_zone_letters(call.phone.now)} %Y"
    if not form.startswith("+"):
        raise CommandError("date: cannot set date: Operation not permitted")
    now = call.phone.now
    text = form[1:].replace("%s", str(int(now.timestamp()))).replace("%N", f"{now.microsecond * 1000:09}")
    # Python refuses a lone percent sign at the end on some platforms
    call.print((now.strftime(text.rstrip("%")) if text else "") + "\n")


def _zone_letters(moment: datetime) -> str:
    """Letters of the zone in the output of `date`, such as EST; China's zone has none of its own here."""
    letters = moment.tzname() or "UTC"
    return "CST" if letters == "UTC+08:00" else letters


def uname(call: CommandCall) -> None:
    """`uname [-a] [-s] [-n] [-r] [-v] [-m] [-o]`."""
    flags, _ = options(call, "asnrvmo")
    parts = {
        "-s": "Linux",
        "-n": "localhost",
        "-r": KERNEL,
        "-v": "#1 SMP PREEMPT Wed Jan 1 00:00:00 UTC 2025",
        "-m": "aarch64",
        "-o": "Toybox",
    }
    wanted = list(parts) if "-a" in flags else [flag for flag in parts if flag in flags] or ["-s"]
    call.print(" ".join(parts[flag] for flag in wanted) + "\n")


def uptime(call: CommandCall) -> None:
    """`uptime`."""
    minutes = int(call.phone.uptime) // 60
    call.print(
        f" {call.phone.now:%H:%M:%S} up  {minutes // 60}:{minutes % 60:02},  0 users,"
        "  load average: 1.00, 1.00, 1.00\n"
    )


def hostname(call: CommandCall) -> None:
    """`hostname`."""
    call.print("localhost\n")


def nproc(call: CommandCall) -> None:
    """`nproc`."""
    call.print("8\n")


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


async def wrapped(call: CommandCall) -> None:
    """`nohup COMMAND`, `nice [-n N] COMMAND`, `setsid COMMAND`, `time COMMAND`: run the command."""
    args = list(call.args)
    while args and args[0].startswith("-"):
        option = args.pop(0)
        if option == "-n" and args:
            args.pop(0)
    if not args:
        raise CommandError(f'{call.name}: Needs 1 argument (see "{call.name} --help")')
    call.code = await call.execute(args)
    if call.name == "time":
        call.print_error("    0m00.01s real     0m00.00s user     0m00.00s system\n")


async def timeout(call: CommandCall) -> None:
    """`timeout [-k SECONDS] [-s SIGNAL] SECONDS COMMAND`: exit code 124 after the time."""
    args = list(call.args)
    while args and args[0].startswith("-"):
        args = args[2:] if args[0] in ("-k", "-s") else args[1:]
    if len(args) < 2:
        raise CommandError('timeout: Need 2 arguments (see "timeout --help")')
    seconds = min(_duration(call, args[0]), _MAX_SECONDS)
    try:
        call.code = await asyncio.wait_for(call.execute(args[1:]), seconds)
    except TimeoutError:
        call.code = 124


def setprop(call: CommandCall) -> None:
    """`setprop NAME VALUE`: only names that begin with "debug." or "log." may be set, to no effect."""
    if len(call.args) != 2:
        raise CommandError('setprop: Need 2 arguments (see "setprop --help")')
    if not call.args[0].startswith(("debug.", "log.")):
        raise CommandError(f"setprop: failed to set property '{call.args[0]}' to '{call.args[1]}'")


def which(call: CommandCall) -> None:
    """`which [-a] COMMAND ...`."""
    call.pop_flag("-a")
    for name in call.args:
        path = name if "/" in name else f"/system/bin/{name}"
        if call.device.files.get(path) is None:
            call.code = 1
        else:
            call.print(path + "\n")


def refused(call: CommandCall) -> None:
    """`chown`, `dmesg`, `mount`, `setenforce`: refused, as on an unrooted phone."""
    reasons = {
        "dmesg": "dmesg: klogctl: Permission denied",
        "mount": "mount: Operation not permitted",
        "chown": "chown: Operation not permitted",
        "setenforce": "setenforce: Couldn't set enforcing status to '0': Permission denied",
    }
    raise CommandError(reasons[call.name])
