"""`grep`: lines that match a pattern."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass

from android_shell.command_call import CommandCall, CommandError
from android_shell.files import FileError
from android_shell.tools.patterns import PatternError, TextPattern
from android_shell.tools.tool_arguments import parse_number, parse_option_pairs, split_lines

_OPTIONS = "EFHGhiyvcnoqswxrRlLam:A:B:C:e:f:z"
_LONG = (
    "color=",
    "colour=",
    "color",
    "line-buffered",
    "include=",
    "exclude=",
    "text",
    "ignore-case",
    "count",
)


@dataclass(slots=True, kw_only=True)
class _Search:
    """The patterns that are searched, and what of their lines is printed."""

    patterns: list[TextPattern]
    flags: dict[str, str]
    limit: int | None
    before: int
    after: int

    def matches(self, lines: list[str]) -> list[bool]:
        found = [False] * len(lines)
        for pattern in self.patterns:
            hits = pattern.matches(lines)
            found = [one or other for one, other in zip(found, hits, strict=True)]
        return [one == ("-v" not in self.flags) for one in found]


async def grep(call: CommandCall) -> None:
    """`grep [-EFivcnoqwxrlLsHh] [-m MAX] [-A N] [-B N] [-C N] [-e PATTERN] [PATTERN] [FILE ...]`."""
    pairs, names = parse_option_pairs(call, _OPTIONS, _LONG)
    flags, patterns = dict(pairs), [value for option, value in pairs if option == "-e"]
    if "-f" in flags:
        patterns += split_lines(call.device.files.read(call.path(flags["-f"])))
    elif names and not patterns:
        patterns = [names.pop(0)]
    elif not patterns:
        raise CommandError("grep: no PATTERN", 2)
    search = _Search(
        patterns=_compile_patterns(call, patterns, flags),
        flags=flags,
        limit=parse_number(call, flags["-m"]) if "-m" in flags else None,
        before=parse_number(call, flags.get("-B", flags.get("-C", "0"))),
        after=parse_number(call, flags.get("-A", flags.get("-C", "0"))),
    )
    files = _list_files(call, names, recursive=bool({"-r", "-R"} & set(flags)))
    several = (len(files) > 1 or bool({"-r", "-R", "-H"} & set(flags))) and "-h" not in flags
    found = False
    for name in files:
        found = await _search_file(call, search, name, label=several) or found
        if found and "-q" in flags:
            break
    call.code = call.code or (0 if found else 1)
    if found and "-q" in flags:
        call.code = 0


async def egrep(call: CommandCall) -> None:
    """`egrep`: `grep -E`."""
    call.args.insert(0, "-E")
    await grep(call)


async def fgrep(call: CommandCall) -> None:
    """`fgrep`: `grep -F`."""
    call.args.insert(0, "-F")
    await grep(call)


def _compile_patterns(call: CommandCall, patterns: list[str], flags: dict[str, str]) -> list[TextPattern]:
    try:
        return [
            TextPattern(
                line,
                extended="-E" in flags,
                ignore_case="-i" in flags or "-y" in flags or "--ignore-case" in flags,
                fixed="-F" in flags,
                word="-w" in flags,
                line="-x" in flags,
            )
            for pattern in patterns
            for line in pattern.split("\n")
        ]
    except PatternError as error:
        raise call.error(f"bad REGEX: {error}", 2) from None


def _list_files(call: CommandCall, names: list[str], *, recursive: bool) -> list[str]:
    if not recursive:
        return names or ["-"]
    found: list[str] = []
    for name in names or ["."]:
        entry = call.device.files.get(call.path(name))
        if entry is not None and entry.is_folder:
            inside = call.device.files.walk(call.path(name))
            found += [name.rstrip("/") + path for path, one in inside if not one.is_folder and path]
        else:
            found.append(name)
    return found


async def _read_parts(call: CommandCall, name: str) -> AsyncIterator[list[str]]:
    """The lines of an input, those of the standard input as they come."""
    if name != "-":
        yield split_lines(call.device.files.read(call.path(name)))
        return
    rest = b""
    while data := await call.input.read():
        whole, newline, rest = (rest + data).rpartition(b"\n")
        if newline:
            yield whole.decode("utf-8", "replace").split("\n")
    if rest:
        yield [rest.decode("utf-8", "replace")]


async def _search_file(call: CommandCall, search: _Search, name: str, *, label: bool) -> bool:
    printer = _Printer(call, search, ("(standard input)" if name == "-" else name) + ":" if label else "")
    try:
        async for lines in _read_parts(call, name):
            printer.add(lines, search.matches(lines))
            await call.flush()
            if printer.done:
                break
    except FileError as error:
        if "-s" not in search.flags:
            call.print_error(f"grep: {name}: {error}\n")
        call.code = 2
        return False
    if "-c" in search.flags:
        call.print(f"{printer.label}{printer.count}\n")
    shown = ("-l" in search.flags and printer.count) or ("-L" in search.flags and not printer.count)
    if shown:
        call.print(("(standard input)" if name == "-" else name) + "\n")
    return bool(printer.count)


class _Printer:
    """Prints the matching lines of one input, with the lines around them."""

    def __init__(self, call: CommandCall, search: _Search, label: str) -> None:
        self._call = call
        self._search = search
        self.label = label
        self.count = 0
        self.done = False
        self._silent = bool({"-c", "-q", "-l", "-L"} & set(search.flags))
        self._before: list[tuple[int, str]] = []
        self._after = 0
        self._number = 0
        self._last = 0

    def add(self, lines: list[str], matched: list[bool]) -> None:
        for line, hit in zip(lines, matched, strict=True):
            self._number += 1
            if hit:
                self._print_hit(line)
                if self.count == self._search.limit or (self._silent and "-c" not in self._search.flags):
                    self.done = True
                    return
            elif self._after:
                self._after -= 1
                self._print(self._number, line, "-")
            elif self._search.before:
                self._before = [*self._before, (self._number, line)][-self._search.before :]

    def _print_hit(self, line: str) -> None:
        self.count += 1
        if self._silent:
            return
        if "-o" in self._search.flags:
            self._print_matches(line)
            return
        around = self._search.before or self._search.after
        first = self._before[0][0] if self._before else self._number
        if around and self._last and first > self._last + 1:
            self._call.print("--\n")
        for place, before in self._before:
            self._print(place, before, "-")
        self._before = []
        self._print(self._number, line, ":")
        self._after = self._search.after

    def _print_matches(self, line: str) -> None:
        for pattern in self._search.patterns:
            at = 0
            while (found := pattern.find(line, at)) and found[0]:
                start, end = found[0]
                if end > start:
                    self._print(self._number, line[start:end], ":")
                at = max(end, start + 1)

    def _print(self, place: int, line: str, sign: str) -> None:
        self._last = place
        numbered = f"{place}{sign}" if "-n" in self._search.flags else ""
        label = self.label[:-1] + sign if self.label else ""
        self._call.print(f"{label}{numbered}{line}\n")
