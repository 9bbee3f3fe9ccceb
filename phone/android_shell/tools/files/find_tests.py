"""Tests of `find`: name, kind, size, time, mode and the like."""

from __future__ import annotations

import posixpath
import re
import stat
from collections.abc import Callable
from functools import partial

from android_shell.command_call import CommandCall
from android_shell.file_entries import SECOND, USERS, FileEntry
from android_shell.file_paths import ENTER, FileError, check_access
from android_shell.shell.globbing import compile_pattern
from android_shell.tools.files.find_expression import Test, Visit
from android_shell.tools.modes import parse_mode
from android_shell.tools.sizes import parse_size
from android_shell.tools.written_times import parse_moment

_UNITS = {"d": 86400, "h": 3600, "m": 60, "s": 1}
_TYPES = {
    "b": stat.S_IFBLK,
    "c": stat.S_IFCHR,
    "d": stat.S_IFDIR,
    "f": stat.S_IFREG,
    "l": stat.S_IFLNK,
    "p": stat.S_IFIFO,
    "s": stat.S_IFSOCK,
}
_TIMES: dict[str, Callable[[FileEntry], int]] = {
    "a": lambda entry: entry.accessed,
    "c": lambda entry: entry.altered,
    "m": lambda entry: entry.modified,
}


def _compare(call: CommandCall, text: str, unit: int = 0) -> Callable[[int], bool]:
    """A comparison with +N (more), -N (less) or N."""
    sign = text[0] if text[:1] in ("+", "-") else ""
    if not sign and not text[:1].isdigit():
        raise call.error(f"{text} not [+-]N")
    wanted = parse_size(call, text[len(sign) :])
    if unit and text[-1:].isdigit():
        wanted *= unit
    if sign == "+":
        return lambda value: value > wanted
    return (lambda value: value < wanted) if sign else (lambda value: value == wanted)


def _test_pattern(
    call: CommandCall, text: str, *, read: Callable[[Visit], str | None], ignore_case: bool = False
) -> Test:
    pattern = compile_pattern(text.lower() if ignore_case else text)

    def test(visit: Visit) -> bool:
        value = read(visit)
        return value is not None and bool(pattern.match(value.lower() if ignore_case else value))

    return test


def _test_type(call: CommandCall, text: str) -> Test:
    wanted = set()
    for letter in text.replace(",", ""):
        if letter not in _TYPES:
            raise call.error(f"bad -type '{letter}'")
        wanted.add(_TYPES[letter])
    return lambda visit: stat.S_IFMT(visit.entry.mode) in wanted


def _test_size(call: CommandCall, text: str) -> Test:
    compare = _compare(call, text, 512)
    return lambda visit: compare(visit.entry.size)


def _test_number(call: CommandCall, text: str, *, read: Callable[[FileEntry], int]) -> Test:
    compare = _compare(call, text)
    return lambda visit: compare(read(visit.entry))


def _test_age(call: CommandCall, text: str, *, kind: str, unit: int) -> Test:
    now = call.device.files.now() // SECOND
    letter = text[-1:].lower()
    compare = (
        _compare(call, f"{text[:-1]}", _UNITS[letter]) if letter in _UNITS else _compare(call, text, unit)
    )
    return lambda visit: compare(now - _TIMES[kind](visit.entry) // SECOND)


def _test_newer(call: CommandCall, text: str, *, kind: str = "m", other: str = "m") -> Test:
    moment = parse_moment(call, text) if other == "t" else _TIMES[other](_find_reference(call, text))
    return lambda visit: _TIMES[kind](visit.entry) > moment


def _find_reference(call: CommandCall, name: str) -> FileEntry:
    try:
        return call.device.files.find(call.path(name))
    except FileError as error:
        raise call.error(f"{name}: {error}") from None


def _test_same(call: CommandCall, text: str) -> Test:
    entry = _find_reference(call, text)
    return lambda visit: visit.entry is entry


def _test_permissions(call: CommandCall, text: str) -> Test:
    kind = text[0] if text[:1] in ("-", "/") else ""
    wanted = parse_mode(call, text[len(kind) :], 0)

    def test(visit: Visit) -> bool:
        mode = stat.S_IMODE(visit.entry.mode)
        if kind == "/":
            return not wanted or bool(mode & wanted)
        return (mode & wanted if kind else mode) == wanted

    return test


def _find_owner(call: CommandCall, text: str) -> int:
    for number, name in USERS.items():
        if text == name:
            return number
    if text.isdecimal():
        return int(text)
    raise call.error(f"bad user '{text}'")


def _test_user(call: CommandCall, text: str) -> Test:
    wanted = _find_owner(call, text)
    return lambda visit: visit.entry.owner == wanted


def _test_group(call: CommandCall, text: str) -> Test:
    wanted = _find_owner(call, text)
    return lambda visit: visit.entry.group == wanted


def _test_depth(call: CommandCall, text: str, *, least: bool) -> Test:
    if not re.fullmatch(r"\d{1,9}", text):
        raise call.error(f"not integer: {text}")
    limit = int(text)

    def test(visit: Visit) -> bool:
        if least:
            return visit.depth >= limit
        visit.enters = visit.enters and visit.depth != limit
        return visit.depth <= limit

    return test


def _prune(visit: Visit) -> bool:
    visit.enters = False
    return True


def _is_empty(visit: Visit) -> bool:
    entry = visit.entry
    if entry.is_folder:
        return not entry.children
    return stat.S_ISREG(entry.mode) and not entry.size


def _is_executable(visit: Visit) -> bool:
    try:
        check_access(visit.entry, ENTER)
    except FileError:
        return False
    return True


def _read_link(visit: Visit) -> str | None:
    return visit.entry.target if visit.entry.is_link else None


def _read_name(visit: Visit) -> str:
    return posixpath.basename(visit.name.rstrip("/")) or "/"


_PATTERNS: dict[str, Callable[[Visit], str | None]] = {
    "name": _read_name,
    "path": lambda visit: visit.path,
    "wholename": lambda visit: visit.path,
    "lname": _read_link,
}

TESTS: dict[str, Callable[[CommandCall, str], Test]] = {
    **{name: partial(_test_pattern, read=read) for name, read in _PATTERNS.items()},
    **{f"i{name}": partial(_test_pattern, read=read, ignore_case=True) for name, read in _PATTERNS.items()},
    **{f"{kind}time": partial(_test_age, kind=kind, unit=86400) for kind in _TIMES},
    **{f"{kind}min": partial(_test_age, kind=kind, unit=60) for kind in _TIMES},
    **{
        f"newer{kind}{other}": partial(_test_newer, kind=kind, other=other)
        for kind in _TIMES
        for other in (*_TIMES, "t")
    },
    "newer": _test_newer,
    "type": _test_type,
    "size": _test_size,
    "links": partial(_test_number, read=lambda entry: entry.links),
    "inum": partial(_test_number, read=lambda entry: entry.number),
    "perm": _test_permissions,
    "user": _test_user,
    "group": _test_group,
    "samefile": _test_same,
    "maxdepth": partial(_test_depth, least=False),
    "mindepth": partial(_test_depth, least=True),
}
"""Name of a test -> makes it of its argument."""

FLAGS: dict[str, Test] = {
    "empty": _is_empty,
    "executable": _is_executable,
    "false": lambda visit: False,
    "prune": _prune,
    "true": lambda visit: True,
}
"""Name of a test without an argument -> the test."""
