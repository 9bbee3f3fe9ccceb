"""Tools that tell of files and their names: stat, readlink, realpath, basename, dirname."""

from __future__ import annotations

import posixpath
import re
import stat
from collections.abc import Callable, Mapping
from datetime import tzinfo
from types import MappingProxyType

from android_shell.command_call import CommandCall
from android_shell.file_entries import SECOND, FileEntry
from android_shell.file_paths import SHARED, FileError
from android_shell.tools.files.disk import find_mount
from android_shell.tools.tool_options import Options
from android_shell.tools.written_times import find_zone, format_time

_LONG = (
    "  File: %N\n  Size: %s\t Blocks: %b\t IO Blocks: %B\t %F\n"
    "Device: %Dh/%dd\t Inode: %i\t Links: %h\t Device type: %t,%T\n"
    "Access: (%04a/%A)\tUid: (%5u/%8U)\tGid: (%5g/%8G)\nAccess: %x\nModify: %y\nChange: %z"
)
_TERSE = "%n %s %b %f %u %g %D %i %h %t %T %X %Y %Z %o"
_FIELD = re.compile(r"%(?:%|([-+ 0#]*\d{0,2}(?:\.\d{0,2})?)(.)|$)", re.DOTALL)
_KINDS = {
    stat.S_IFCHR: "character device",
    stat.S_IFDIR: "directory",
    stat.S_IFREG: "regular file",
    stat.S_IFLNK: "symbolic link",
}
_DEVICES = {"/data": 0xFE05, "/storage": 0x36, "/proc": 4, "/sys": 0x15, "/dev": 0x14}
_SYSTEM_DEVICE = 0xFE00
_CONTEXTS = {
    "/data/local/tmp": "u:object_r:shell_data_file:s0",
    "/storage/emulated": "u:object_r:fuse:s0",
}
"""Writable folder -> context of SELinux of what is in it, as Android's file_contexts have it."""
_TIME = "%Y-%m-%d %H:%M:%S.%N %z"


def stat_(call: CommandCall, options: Options, names: list[str]) -> None:
    """`stat [-Lt] [-c FORMAT] PATH ...`."""
    form = options.get("c", _TERSE if "t" in options else _LONG)
    for name in names:
        try:
            place = call.device.files.resolve(call.path(name), follow="L" in options)
            if place.entry is None:
                raise FileError("No such file or directory")
        except FileError as error:
            call.report(f"'{name}'", error)
            continue
        values = _StatValues(call, name, place.entry, place.path)
        call.print(_FIELD.sub(values.show, form) + "\n")


class _StatValues:
    """Texts and numbers that `stat` prints of an entry."""

    def __init__(self, call: CommandCall, name: str, entry: FileEntry, path: str) -> None:
        self._call = call
        self._name = name
        self._entry = entry
        self._zone = find_zone(call)
        self._path = path
        self._device = _DEVICES.get("/" + path.split("/")[1], _SYSTEM_DEVICE)

    def show(self, found: re.Match[str]) -> str:
        """The text of a field."""
        form, letter = found.group(1), found.group(2)
        if letter is None:
            return "%"
        if letter == "C" and not self._path.startswith(tuple(_CONTEXTS)):
            raise self._call.refuse_option("c %C")
        if letter == "N":
            return self._name + (f" -> '{self._entry.target}'" if self._entry.is_link else "")
        if letter in _TEXTS:
            return str(
                ("%" + form.replace("0", "", 1 if form.startswith("0") else 0) + "s") % self._text(letter)
            )
        if letter not in _NUMBERS:
            return "?"
        kind, number = _NUMBERS[letter]
        value = self._device if letter in "dD" else number(self._entry)
        return str(f"%{form}{kind}" % value)

    def _text(self, letter: str) -> str:
        if letter == "n":
            return self._name
        if letter == "m":
            return find_mount(self._path).folder
        if letter == "C":
            return next(text for folder, text in _CONTEXTS.items() if self._path.startswith(folder))
        return _TEXTS[letter](self._entry, self._zone)


_Text = Callable[[FileEntry, tzinfo], str]
_TEXTS: Mapping[str, _Text] = MappingProxyType(
    {
        **dict.fromkeys("Cmn", lambda entry, zone: ""),
        "A": lambda entry, zone: stat.filemode(entry.mode),
        "F": lambda entry, zone: _name_kind(entry),
        "G": lambda entry, zone: entry.group_name,
        "U": lambda entry, zone: entry.user_name,
        "x": lambda entry, zone: format_time(entry.accessed, zone, _TIME),
        "y": lambda entry, zone: format_time(entry.modified, zone, _TIME),
        "z": lambda entry, zone: format_time(entry.altered, zone, _TIME),
    }
)
_NUMBERS: Mapping[str, tuple[str, Callable[[FileEntry], int]]] = MappingProxyType(
    {
        "a": ("o", lambda entry: stat.S_IMODE(entry.mode)),
        "b": ("d", lambda entry: entry.blocks),
        "B": ("d", lambda entry: 512),
        "d": ("d", lambda entry: 0),
        "D": ("x", lambda entry: 0),
        "f": ("x", lambda entry: entry.mode),
        "g": ("d", lambda entry: entry.group),
        "h": ("d", lambda entry: entry.links),
        "i": ("d", lambda entry: entry.number),
        "o": ("d", lambda entry: 4096),
        "s": ("d", lambda entry: entry.size),
        "t": ("x", lambda entry: entry.device[0]),
        "T": ("x", lambda entry: entry.device[1]),
        "u": ("d", lambda entry: entry.owner),
        "X": ("d", lambda entry: entry.accessed // SECOND),
        "Y": ("d", lambda entry: entry.changed),
        "Z": ("d", lambda entry: entry.altered // SECOND),
    }
)


def _name_kind(entry: FileEntry) -> str:
    if stat.S_ISREG(entry.mode) and not entry.size:
        return "regular empty file"
    return _KINDS.get(stat.S_IFMT(entry.mode), "unknown")


def basename(call: CommandCall, options: Options, names: list[str]) -> None:
    """`basename PATH [SUFFIX]`, `basename [-a] [-s SUFFIX] PATH ...`."""
    suffix = options.get("s")
    if not options.has("as"):
        if len(names) > 2:
            raise call.usage_error("Max 2 arguments")
        suffix, names = (names[1] if len(names) > 1 else ""), names[:1]
    for name in names:
        base = posixpath.basename(name.rstrip("/")) or ("/" if name.startswith("/") else ".")
        call.print((base.removesuffix(suffix) if base != suffix else base) + "\n")


def dirname(call: CommandCall, _options: Options, names: list[str]) -> None:
    """`dirname PATH ...`."""
    for name in names:
        folder = posixpath.dirname(name.rstrip("/")).rstrip("/")
        call.print((folder or ("/" if name.startswith("/") else ".")) + "\n")


def _make_canonical(call: CommandCall, name: str, *, missing: str) -> str:
    """The path of a name without links.

    Args:
        call: The call.
        name: The name.
        missing: What may be missing: nothing for "e", the last part for "f", all for "m".

    Raises:
        FileError: Something else is missing.
    """
    files, path = call.device.files, call.path(name)
    if missing != "m":
        place = files.resolve(path.rstrip("/") or path)
        if place.entry is None and missing == "e":
            raise FileError("No such file or directory")
        return place.path
    rest: list[str] = []
    while True:
        try:
            start = files.resolve(path).path
            return posixpath.normpath(posixpath.join(start, *reversed(rest)))
        except FileError:
            path, last = posixpath.split(path.rstrip("/"))
            rest.append(last)
            if not last:
                raise


def readlink(call: CommandCall, options: Options, names: list[str]) -> None:
    """`readlink [-efmnqvz] PATH ...`."""
    end = "" if "n" in options else "\0" if "z" in options else "\n"
    kind = next((letter for letter in "mef" if letter in options), "")
    for name in names:
        try:
            entry = call.device.files.find(call.path(name), follow=False) if not kind else None
            if entry is not None and not entry.is_link:
                raise FileError("Invalid argument")
            text = entry.target if entry is not None else _make_canonical(call, name, missing=kind)
        except FileError as error:
            call.code = 1
            if "q" not in options and "v" in options:
                call.print_error(f"readlink: {name}: {error}\n")
            continue
        call.print(text + end)


def realpath(call: CommandCall, options: Options, names: list[str]) -> None:
    """`realpath [-emqsz] PATH ...`."""
    end = "\0" if "z" in options else "\n"
    kind = next((letter for letter in "me" if letter in options), "f")
    for name in names:
        try:
            if "s" in options:
                path = posixpath.normpath(call.path(name) or "/")
                if kind == "e":
                    call.device.files.find(path)
            else:
                path = _make_canonical(call, name, missing=kind)
        except FileError as error:
            call.code = 1
            if "q" not in options:
                call.print_error(f"realpath: {name}: {error}\n")
            continue
        call.print(path + end)


def is_shared(path: str) -> bool:
    """Whether a path without links is in the shared storage."""
    return path == SHARED or path.startswith(SHARED + "/")
