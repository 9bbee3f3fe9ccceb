"""`rm` and `rmdir`."""

from __future__ import annotations

import posixpath

from android_shell.command_call import CommandCall
from android_shell.file_entries import FileEntry
from android_shell.file_paths import READ, FileError, check_access
from android_shell.tools.confirmation import ask
from android_shell.tools.tool_options import Options


async def rm(call: CommandCall, options: Options, names: list[str]) -> None:
    """`rm [-fiRrv] PATH ...`."""
    if not names and "f" not in options:
        raise call.usage_error("Needs 1 argument")
    for name in names:
        if name == "/" or posixpath.basename(name.rstrip("/")) == "..":
            call.print_error("rm: rm /. if you mean it\n" if name == "/" else f"rm: bad path {name}\n")
            call.code = 1
            continue
        if posixpath.basename(name.rstrip("/")) == ".":
            continue
        # a slash at the end is passed over, as toybox does
        name = name.rstrip("/")
        try:
            entry = call.device.files.find(call.path(name), follow=False)
        except FileError as error:
            if "f" not in options or str(error) != "No such file or directory":
                call.report(name, error)
            continue
        await _remove(call, options, name, entry)


async def _remove(call: CommandCall, options: Options, name: str, entry: FileEntry) -> bool:
    """Remove an entry with what is in it; return whether it is gone."""
    files, path = call.device.files, call.path(name)
    recursive = options.has("rR")
    try:
        if entry.is_folder and not recursive:
            raise FileError("Is a directory")
        if "i" in options and not await ask(call, f"rm {'dir ' * entry.is_folder}{name}"):
            return False
        if entry.is_folder:
            if not await _empty_folder(call, options, name, entry):
                return False
            if "i" in options and not await ask(call, f"rmdir {name}"):
                return False
        files.remove(path, folder=entry.is_folder)
    except FileError as error:
        call.report(name, error)
        return False
    if "v" in options:
        call.print(f"rm{'dir' * entry.is_folder} '{name}'\n")
    return True


async def _empty_folder(call: CommandCall, options: Options, name: str, entry: FileEntry) -> bool:
    try:
        check_access(entry, READ)
    except FileError:
        if "f" not in options:
            raise
        call.device.files.set_mode(call.path(name), 0o700)
    gone = [
        await _remove(call, options, posixpath.join(name, child), inner)
        for child, inner in sorted(entry.children.items())
    ]
    return all(gone)


def rmdir(call: CommandCall, options: Options, names: list[str]) -> None:
    """`rmdir [-p] [--ignore-fail-on-non-empty] FOLDER ...`."""
    for name in names:
        path = name
        try:
            call.device.files.remove(call.path(path), folder=True)
            while "p" in options and (path := posixpath.dirname(path.rstrip("/"))) not in ("", "/"):
                call.device.files.remove(call.path(path), folder=True)
        except FileError as error:
            if "F" not in options or str(error) != "Directory not empty":
                call.report(path, error)
