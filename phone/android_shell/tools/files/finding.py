"""`find`: files below folders that match an expression."""

from __future__ import annotations

import asyncio
import posixpath
import re
import stat
from collections.abc import Callable
from functools import partial

from android_shell.command_call import CommandCall, UnsupportedError
from android_shell.file_entries import SECOND, FileEntry
from android_shell.file_paths import READ, FileError, check_access
from android_shell.tools.files.find_expression import Expression, ExpressionParser, Test, Visit
from android_shell.tools.files.find_tests import FLAGS, TESTS
from android_shell.tools.output import expand_escapes
from android_shell.tools.tool_options import Options

_REFUSED = ("context", "execdir", "nogroup", "nouser", "ok", "okdir", "xdev")
_PRINTED = re.compile(r"%([-+ 0#]*\d{0,3}(?:\.\d{0,3})?)(T@|.)|%$", re.DOTALL)
_VISITS = 500


class _EndOfSearch(Exception):
    """Raised by `-quit`."""


async def find(call: CommandCall, options: Options, names: list[str]) -> None:
    """`find [-H] [-L] [PATH ...] [EXPRESSION]`."""
    count = next((at for at, name in enumerate(names) if name[:1] in tuple("-!(")), len(names))
    parser = ExpressionParser(
        call, names[count:], tests=TESTS, flags=FLAGS, actions=_ACTIONS, refused=_REFUSED
    )
    expression = parser.parse()
    follow = "HL"[: 2 if "L" in options else 1] if options.has("HL") else ""
    try:
        for start in names[:count] or ["."]:
            try:
                entry = _find_start(call, start, follow=bool(follow))
            except FileError as error:
                call.report(f"'{start}'", error)
                continue
            await _search(call, expression, start, entry, links="L" in follow)
    except _EndOfSearch:
        pass
    for finish in expression.finish:
        await finish()


def _find_start(call: CommandCall, start: str, *, follow: bool) -> FileEntry:
    entry = call.device.files.get(call.path(start), follow=True) if follow else None
    return entry if entry is not None else call.device.files.find(call.path(start), follow=False)


async def _search(
    call: CommandCall, expression: Expression, start: str, entry: FileEntry, *, links: bool
) -> None:
    pending: list[tuple[Visit, bool]] = [
        (Visit(path=start, start=start, name=start, entry=entry, depth=0), False)
    ]
    count = 0
    while pending:
        visit, again = pending.pop()
        if expression.inner_first and visit.entry.is_folder and not again:
            pending.append((visit, True))
            pending += _list_inside(call, visit, links=links)
            continue
        count += 1
        if count % _VISITS == 0:
            # many files must not stop the phone
            await asyncio.sleep(0)
        if await expression.matches(visit) and not expression.acts:
            call.print(f"{visit.path}\n")
        if visit.entry.is_folder and visit.enters and not again:
            pending += _list_inside(call, visit, links=links)


def _list_inside(call: CommandCall, visit: Visit, *, links: bool) -> list[tuple[Visit, bool]]:
    try:
        check_access(visit.entry, READ)
    except FileError as error:
        call.report(f"'{visit.path}'", error)
        return []
    found = []
    for name, inner in sorted(visit.entry.children.items(), reverse=True):
        path = posixpath.join(visit.path, name)
        entry = (call.device.files.get(call.path(path)) or inner) if links and inner.is_link else inner
        one = Visit(path=path, start=visit.start, name=name, entry=entry, depth=visit.depth + 1)
        found.append((one, False))
    return found


# ---- actions


def _make_print(parser: ExpressionParser, *, end: str = "\n") -> Test:
    parser.whole.acts = True
    call = parser.call

    def test(visit: Visit) -> bool:
        call.print(visit.path + end)
        return True

    return test


def _make_delete(parser: ExpressionParser) -> Test:
    # a match that is deleted is printed without -print, as toybox does
    parser.whole.inner_first = True
    call = parser.call

    def test(visit: Visit) -> bool:
        try:
            call.device.files.remove(call.path(visit.path), folder=visit.entry.is_folder)
        except FileError:
            return False
        return True

    return test


def _make_depth(parser: ExpressionParser) -> Test:
    parser.whole.inner_first = True
    return lambda visit: True


def _make_quit(parser: ExpressionParser) -> Test:
    def test(visit: Visit) -> bool:
        raise _EndOfSearch

    return test


def _make_exec(parser: ExpressionParser) -> Test:
    parser.whole.acts = True
    call = parser.call
    words, together = parser.take_command()
    if not words:
        raise call.error("'-exec' needs 1 arg")
    # the last {} is replaced
    place = len(words) - 1 - words[::-1].index("{}") if "{}" in words else len(words)
    collected: list[str] = []

    async def run(paths: list[str]) -> int:
        await call.flush()
        return await call.execute(words[:place] + (paths if place < len(words) else []) + words[place + 1 :])

    async def run_each(visit: Visit) -> bool:
        return await run([visit.path]) == 0

    def collect(visit: Visit) -> bool:
        collected.append(visit.path)
        return True

    async def run_all() -> None:
        if collected:
            call.code |= await run(collected)

    if together:
        parser.whole.finish.append(run_all)
        return collect
    return run_each


def _make_printf(parser: ExpressionParser) -> Test:
    parser.whole.acts = True
    call, form = parser.call, parser.take("printf")
    for found in _PRINTED.finditer(form):
        letter = found.group(2) or ""
        if letter == "Z":
            raise UnsupportedError("find: bad -printf %Z")
        if letter not in _FIELDS:
            raise call.error(f"bad -printf %{letter}")

    def test(visit: Visit) -> bool:
        def show(found: re.Match[str]) -> str:
            if found.group(2) == "%":
                return "%"
            return str(("%" + found.group(1).replace("0", "", 1) + "s") % _FIELDS[found.group(2)](visit))

        call.print("".join(_PRINTED.sub(show, part) for part in [expand_escapes(form)]))
        return True

    return test


_FIELDS: dict[str, Callable[[Visit], str]] = {
    "%": lambda visit: "%",
    "b": lambda visit: str(visit.entry.blocks),
    "f": lambda visit: visit.name,
    "g": lambda visit: visit.entry.group_name,
    "G": lambda visit: str(visit.entry.group),
    "i": lambda visit: str(visit.entry.number),
    "l": lambda visit: visit.entry.target if visit.entry.is_link else "",
    "m": lambda visit: f"{stat.S_IMODE(visit.entry.mode):o}",
    "M": lambda visit: stat.filemode(visit.entry.mode),
    "p": lambda visit: visit.path,
    "P": lambda visit: visit.path[len(visit.start) :].lstrip("/"),
    "s": lambda visit: str(visit.entry.size),
    "T@": lambda visit: f"{visit.entry.modified // SECOND}.{visit.entry.modified % SECOND}",
    "u": lambda visit: visit.entry.user_name,
    "U": lambda visit: str(visit.entry.owner),
}

_ACTIONS: dict[str, Callable[[ExpressionParser], Test]] = {
    "d": _make_depth,
    "delete": _make_delete,
    "depth": _make_depth,
    "exec": _make_exec,
    "print": _make_print,
    "print0": partial(_make_print, end="\0"),
    "printf": _make_printf,
    "quit": _make_quit,
}
