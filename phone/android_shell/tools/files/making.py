"""Tools that make files or change what is kept of them: mkdir, touch, ln, mktemp, truncate, chmod."""

from __future__ import annotations

import posixpath
import re
import stat

from android_shell.command_call import CommandCall
from android_shell.file_entries import FileEntry
from android_shell.file_paths import FileError
from android_shell.tools.modes import parse_mode
from android_shell.tools.sizes import parse_size
from android_shell.tools.tool_options import Options
from android_shell.tools.written_times import parse_moment


def mkdir(call: CommandCall, options: Options, names: list[str]) -> None:
    """`mkdir [-pv] [-m MODE] FOLDER ...`."""
    mode = 0o777 & ~call.umask
    if "m" in options:
        mode = parse_mode(call, options.get("m"), stat.S_IFDIR | 0o777)
    for name in names:
        with call.reporting(f"'{name}'"):
            _make_folder(call, options, name, mode)


def _make_folder(call: CommandCall, options: Options, name: str, mode: int) -> None:
    files, steps = call.device.files, [name]
    if "p" in options:
        entry = files.get(call.path(name))
        if entry is not None and entry.is_folder:
            return
        parts = re.findall(r"/*[^/]+", name) or [name]
        steps = ["".join(parts[: index + 1]) for index in range(len(parts))]
    for step in steps:
        there = files.get(call.path(step))
        if "p" in options and step != steps[-1] and there is not None:
            continue
        between = (0o777 & ~call.umask) | 0o300
        files.make_folder(call.path(step), mode=mode if step == steps[-1] else between)
        if "v" in options:
            call.print_error(f"mkdir: created directory '{step}'\n")


def touch(call: CommandCall, options: Options, names: list[str]) -> None:
    """`touch [-acfhm] [-d DATE] [-t TIME] [-r FILE] FILE ...`."""
    files = call.device.files
    accessed = modified = None
    if "r" in options:
        entry = _find_reference(call, options.get("r"))
        accessed, modified = entry.accessed, entry.modified
    elif options.has("dt"):
        text = options.get("t") if "t" in options else options.get("d")
        accessed = modified = parse_moment(call, text, touch="t" in options)
    # f is accepted for scripts of old systems
    only = (
        "" if options.has("f") and not options.has("am") else "".join(one for one in "am" if one in options)
    )
    for name in names:
        path = call.path(name)
        try:
            files.find(path, follow="h" not in options)
        except FileError as error:
            if "c" in options:
                continue
            if str(error) != "No such file or directory":
                call.report(f"'{name}'", error)
                continue
        with call.reporting(f"'{name}'"):
            if files.get(path, follow="h" not in options) is None:
                files.append(path, b"", mode=0o666 & ~call.umask)
            now = files.now()
            files.set_times(
                path,
                accessed=None if only == "m" else now if accessed is None else accessed,
                modified=None if only == "a" else now if modified is None else modified,
                follow="h" not in options,
            )


def _find_reference(call: CommandCall, name: str) -> FileEntry:
    try:
        return call.device.files.find(call.path(name))
    except FileError as error:
        raise call.error(f"{name}: {error}") from None


def ln(call: CommandCall, options: Options, names: list[str]) -> None:
    """`ln -s [-fnTv] [-t FOLDER] TARGET ... [NAME]`; links of another kind are not allowed on a phone."""
    files = call.device.files
    if "T" in options and len(names) > 2:
        raise call.usage_error("Max 2 arguments")
    end = options.get("t") if "t" in options else names.pop() if len(names) > 1 else "."
    entry = files.get(call.path(end), follow=not options.has("nT"))
    folder = entry is not None and entry.is_folder
    if entry is not None and (("T" in options) if folder else (len(names) > 1 or "t" in options)):
        raise call.error(f"'{end}' {'is' if folder else 'not'} a directory")
    for target in names:
        path = posixpath.join(end, posixpath.basename(target.rstrip("/"))) if folder else end
        try:
            if "s" not in options:
                files.find(call.path(target), follow=False)
                raise FileError("Permission denied")
            there = files.get(call.path(path), follow=False)
            if "f" in options and there is not None and not there.is_folder:
                files.remove(call.path(path))
            files.make_link(target, call.path(path))
        except FileError as error:
            kind = "symbolic" if "s" in options else "hard"
            call.print_error(f"ln: cannot create {kind} link from '{target}' to '{path}': {error}\n")
            call.code = 1
            continue
        if "v" in options:
            call.print_error(f"'{path}' -> '{target}'\n")


def mktemp(call: CommandCall, options: Options, names: list[str]) -> None:
    """`mktemp [-dqtu] [-p FOLDER] [TEMPLATE]`: create a file or a folder with a name of its own."""
    files, variable = call.device.files, call.environment.get("TMPDIR", "")
    folder = options.get("p")
    if not folder or ("t" in options and variable):
        folder = variable
    folder = folder or "/tmp"  # noqa: S108 - the last resort of toybox
    template = names[0] if names else "tmp.XXXXXXXXXX"
    if names and template.startswith("/") and options.get("p"):
        raise call.error("-p + /template")
    if not names or options.has("pt"):
        template = posixpath.join(folder, template)
    marks = len(template) - len(template.rstrip("X"))
    if marks < 3:
        raise call.error("need XXX")
    path = template[:-marks] + files.make_name(marks)
    try:
        if marks < 6 and "u" not in options:
            raise FileError("Invalid argument")
        if "d" in options and "u" not in options:
            files.make_folder(call.path(path), mode=0o700)
        elif "u" not in options:
            files.write(call.path(path), b"", mode=0o600)
    except FileError as error:
        if "q" not in options:
            kind = "directory" if "d" in options else "file"
            call.print_error(f"mktemp: Failed to create {kind} {template}: {error}\n")
        call.code = 1
        return
    call.print(f"{path}\n")


def truncate(call: CommandCall, options: Options, names: list[str]) -> None:
    """`truncate [-c] -s [+-<>/%]SIZE FILE ...`."""
    if "s" not in options:
        raise call.usage_error("Needs -s")
    files, text = call.device.files, options.get("s")
    sign = text[0] if text[:1] in tuple("+-<>/%") else ""
    given = parse_size(call, text[len(sign) :])
    if sign in tuple("/%") and given < 1:
        raise call.error(f"bad size: {text}")
    for name in names:
        path = call.path(name)
        with call.reporting(name):
            if "c" in options and files.get(path) is None:
                continue
            files.append(path, b"", mode=0o666 & ~call.umask)
            before = len(files.find(path).data)
            size = _find_new_size(sign, before, given)
            if size < 0:
                raise FileError("Invalid argument")
            files.check_room(size - before, more=0)
            files.write(path, bytes(files.find(path).data[:size]).ljust(size, b"\0"))


def _find_new_size(sign: str, before: int, given: int) -> int:
    if sign in ("+", "-"):
        return before + (given if sign == "+" else -given)
    if sign in ("<", ">"):
        return min(before, given) if sign == "<" else max(before, given)
    if sign in ("/", "%"):
        return (before + (given - 1 if sign == "%" else 0)) // given * given
    return given


def chmod(call: CommandCall, options: Options, names: list[str]) -> None:
    """`chmod [-Rfv] MODE PATH ...`."""
    mode, names = names[0], names[1:]
    for name in names:
        try:
            entry = call.device.files.find(call.path(name))
            inside = call.device.files.walk(call.path(name)) if "R" in options else [("", entry)]
            for rest, one in inside:
                if one.is_link and rest:
                    continue
                bits = parse_mode(call, mode, one.mode)
                if "v" in options:
                    call.print(f"chmod '{name}{rest}' to {mode}\n")
                call.device.files.set_mode(call.path(name) + rest, bits)
        except FileError as error:
            call.code = 1
            if "f" not in options:
                call.report(f"'{name}' to {mode}", error)
