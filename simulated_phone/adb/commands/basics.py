"""Basic Unix commands, including those on files."""

from __future__ import annotations

import asyncio
import hashlib
import posixpath
import stat
import time

from simulated_phone.adb.commands.command_call import CommandCall, CommandError
from simulated_phone.adb.files import FileEntry, FileError


def echo(call: CommandCall) -> None:
    """`echo [-n] WORD ...`."""
    bare = call.args[:1] == ["-n"]
    call.print(" ".join(call.args[1:] if bare else call.args) + ("" if bare else "\n"))


def true(_call: CommandCall) -> None:
    """`true`: do nothing, with exit code 0."""


def false(call: CommandCall) -> None:
    """`false`: do nothing, with exit code 1."""
    call.code = 1


async def sleep(call: CommandCall) -> None:
    """`sleep SECONDS`, at most an hour; the phone's clock advances by as much."""
    try:
        seconds = float(call.args[0].removesuffix("s")) if call.args else -1.0
    except ValueError:
        raise CommandError(f"sleep: bad number '{call.args[0]}'") from None
    if not 0 <= seconds <= 3600:
        raise CommandError("sleep: Needs 1 argument from 0 to 3600")
    await call.flush()
    await asyncio.sleep(seconds)
    if not call.device.real_time:
        call.phone.wait(seconds)


def identity(call: CommandCall) -> None:
    """`id`: print the shell user of an unrooted phone."""
    call.print("uid=2000(shell) gid=2000(shell) groups=2000(shell),3003(inet) context=u:r:shell:s0\n")


def whoami(call: CommandCall) -> None:
    """`whoami`: print the name of the shell user."""
    call.print("shell\n")


def date(call: CommandCall) -> None:
    """`date [+FORMAT]`: print the phone's simulated clock."""
    form = call.args[0] if call.args else "+%a %b %e %H:%M:%S CST %Y"
    if not form.startswith("+"):
        raise CommandError("date: cannot set date: Operation not permitted")
    now = call.phone.now
    call.print(now.strftime(form[1:].replace("%s", str(int(now.timestamp())))) + "\n")


def cat(call: CommandCall) -> None:
    """`cat FILE ...`."""
    for path in call.args:
        try:
            call.print(bytes(call.device.files.read(path)))
        except FileError as error:
            _refuse(call, path, error)


def ls(call: CommandCall) -> None:
    """`ls [-l] [-a] [-d] [-1] [PATH ...]`."""
    flags = {sign for arg in call.args if arg.startswith("-") for sign in arg[1:]}
    for path in [arg for arg in call.args if not arg.startswith("-")] or ["/"]:
        entry = call.device.files.get(path)
        if entry is None:
            _refuse(call, path, FileError("No such file or directory"))
        elif entry.is_folder and "d" not in flags:
            for name in call.device.files.names(path):
                inside = call.device.files.get(posixpath.join(path, name))
                call.print(_line(name, inside if "l" in flags else None))
        else:
            call.print(_line(path, entry if "l" in flags else None))


def _line(name: str, entry: FileEntry | None) -> str:
    if entry is None:
        return name + "\n"
    moment = time.strftime("%Y-%m-%d %H:%M", time.gmtime(entry.changed))
    return f"{stat.filemode(entry.mode)} 1 root sdcard_rw {len(entry.data):>8} {moment} {name}\n"


def rm(call: CommandCall) -> None:
    """`rm [-f] [-r] PATH ...`."""
    flags = {sign for arg in call.args if arg.startswith("-") for sign in arg[1:]}
    for path in [arg for arg in call.args if not arg.startswith("-")]:
        if call.device.files.get(path) is None and "f" in flags:
            continue
        try:
            call.device.files.remove(path, recursive=bool(flags & {"r", "R"}))
        except FileError as error:
            _refuse(call, path, error)


def mkdir(call: CommandCall) -> None:
    """`mkdir [-p] PATH ...`."""
    parents = call.pop_flag("-p")
    for path in call.args:
        try:
            call.device.files.make_folder(path, parents=parents)
        except FileError as error:
            _refuse(call, path, error)


def md5sum(call: CommandCall) -> None:
    """`md5sum FILE ...`."""
    for path in call.args:
        try:
            data = call.device.files.read(path)
        except FileError as error:
            _refuse(call, path, error)
        else:
            call.print(f"{hashlib.md5(data, usedforsecurity=False).hexdigest()}  {path}\n")


def _refuse(call: CommandCall, path: str, error: FileError) -> None:
    call.print_error(f"{call.name}: {path}: {error}\n")
    call.code = 1
