"""`grep`: lines that match a pattern."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from fnmatch import fnmatchcase

from android_shell.command_call import CommandCall, UnsupportedError
from android_shell.file_paths import FileError
from android_shell.tools.patterns import PatternError, TextPattern
from android_shell.tools.tool_arguments import parse_number, split_lines
from android_shell.tools.tool_options import Options

_PLAIN = re.compile(r"(?:[^\\\[()|*+?{\u0080-\U0010ffff]|\\[\\.^$\[)|*+?{])*")
_PLAIN_SIGNS = re.compile(r"\\([|+?{)])|\\.")
_CHECKED = 256
_STANDARD_INPUT = "(standard input)"


@dataclass(slots=True, kw_only=True)
class _Search:
    """The patterns that are searched, and what of their lines is printed."""

    patterns: list[TextPattern]
    options: Options
    limit: int | None
    before: int
    after: int
    end: str

    def matches(self, lines: list[str]) -> list[bool]:
        found = [False] * len(lines)
        for pattern in self.patterns:
            hits = pattern.matches(lines)
            found = [one or other for one, other in zip(found, hits, strict=True)]
        return [one == ("v" not in self.options) for one in found]


async def grep(call: CommandCall, options: Options, names: list[str]) -> None:
    """`grep [-EFHILRZabchilnoqrsvwxz] [-m MAX] [-A N] [-B N] [-C N] [-f FILE] [-e PATTERN] [FILE ...]`."""
    patterns = options.list_values("e")
    for name in options.list_values("f"):
        try:
            patterns = [*patterns, *split_lines(call.device.files.read(call.path(name)))]
        except FileError as error:
            raise call.error(f"{name}: {error}") from None
    if not options.has("ef"):
        if not names:
            raise call.error("no REGEX")
        patterns = [names.pop(0)]
    if options.get("~", "auto") not in ("", "auto"):
        raise UnsupportedError(call.usage_error("Unknown option 'color'").message, 2)
    around = options.get("C", "0")
    search = _Search(
        patterns=_compile_patterns(call, patterns, options),
        options=options,
        limit=parse_number(call, options.get("m")) if "m" in options else None,
        before=parse_number(call, options.get("B", around)),
        after=parse_number(call, options.get("A", around)),
        end="\0" if "z" in options else "\n",
    )
    if "v" in options and "o" in options:
        raise call.refuse_option("vo")
    await _search_files(call, search, names)


async def _search_files(call: CommandCall, search: _Search, names: list[str]) -> None:
    options, found = search.options, False
    recursive, labels = options.has("rR"), ("H" in options or len(names) > 1) and "h" not in options
    for name, inside in _list_files(call, options, names, recursive=recursive):
        label = labels or (inside and "h" not in options)
        found = await _search_file(call, search, name, label=label) or found
        if found and "q" in options:
            break
    call.code = call.code or (0 if found else 1)
    if found and "q" in options:
        call.code = 0


async def egrep(call: CommandCall, options: Options, names: list[str]) -> None:
    """`egrep`: `grep -E`."""
    options.add("E")
    await grep(call, options, names)


async def fgrep(call: CommandCall, options: Options, names: list[str]) -> None:
    """`fgrep`: `grep -F`."""
    options.add("F")
    await grep(call, options, names)


def _compile_patterns(call: CommandCall, patterns: list[str], options: Options) -> list[TextPattern]:
    extended = "E" in options
    try:
        return [
            TextPattern(
                _read_plain(line, extended=extended),
                extended=extended,
                ignore_case="i" in options,
                fixed="F" in options,
                word="w" in options,
                line="x" in options,
            )
            for pattern in patterns
            for line in pattern.split("\n")
        ]
    except PatternError as error:
        raise call.error(f"bad REGEX: {error}") from None


def _read_plain(pattern: str, *, extended: bool) -> str:
    r"""A pattern with nothing special but dots and anchors: `a\|b` is then a text, as in toybox."""
    if extended or not _PLAIN.fullmatch(pattern):
        return pattern
    return _PLAIN_SIGNS.sub(lambda found: f"[{found[1]}]" if found[1] else found[0], pattern)


def _list_files(
    call: CommandCall, options: Options, names: list[str], *, recursive: bool
) -> list[tuple[str, bool]]:
    """Names of the files, each with whether it is in a folder that was given."""
    if not recursive:
        return [(name, False) for name in names or ["-"]]
    found: list[tuple[str, bool]] = []
    for name in names or ["."]:
        entry = call.device.files.get(call.path(name), follow="R" in options) if name != "-" else None
        if entry is None or not entry.is_folder:
            found.append((name, False))
            continue
        skipped: list[str] = []
        for path, one in call.device.files.walk(call.path(name)):
            base = path.rpartition("/")[2]
            if any(path.startswith(f"{folder}/") for folder in skipped):
                continue
            if one.is_folder and any(fnmatchcase(base, glob) for glob in options.list_values("X")):
                skipped.append(path)
            elif not one.is_folder and _is_included(options, base):
                found.append((name.rstrip("/") + path, True))
    return found


def _is_included(options: Options, base: str) -> bool:
    if any(fnmatchcase(base, glob) for glob in options.list_values("S")):
        return False
    included = options.list_values("M")
    return not included or any(fnmatchcase(base, glob) for glob in included)


async def _read_parts(call: CommandCall, search: _Search, name: str) -> AsyncIterator[list[str]]:
    """The lines of an input, those of the standard input as they come."""
    if name != "-":
        yield split_lines(call.device.files.read(call.path(name)), search.end)
        return
    rest, end = b"", search.end.encode()
    while data := await call.input.read():
        whole, newline, rest = (rest + data).rpartition(end)
        if newline:
            yield whole.decode("utf-8", "surrogateescape").split(search.end)
    if rest:
        yield [rest.decode("utf-8", "surrogateescape")]


def _is_binary(data: bytes) -> bool:
    """Whether the begin of a file is no text: it has a NUL, or is no UTF-8."""
    start = data[:_CHECKED]
    if b"\0" in start:
        return True
    try:
        start.decode()
    except UnicodeDecodeError as error:
        # a character that goes on behind the checked part is text
        return error.reason != "unexpected end of data" or len(data) <= _CHECKED
    return False


async def _search_file(call: CommandCall, search: _Search, name: str, *, label: bool) -> bool:
    options, shown = search.options, _STANDARD_INPUT if name == "-" else name
    printer = _Printer(call, search, shown, label=label)
    try:
        entry = call.device.files.find(call.path(name)) if name != "-" else None
        if entry is not None and entry.is_folder:
            # it is opened, but gives no line
            return False
        if entry is not None and "a" not in options and _is_binary(bytes(entry.data[: _CHECKED + 4])):
            if "I" in options:
                return False
            printer.binary = True
        async for lines in _read_parts(call, search, name):
            printer.add(lines, search.matches(lines))
            # as they come, with --line-buffered or not
            if "!" in options or name == "-":
                await call.flush()
            if printer.done:
                break
    except FileError as error:
        if "s" not in options:
            call.print_error(f"grep: {name}: {error}\n")
        call.code = 2
        return False
    if "L" in options:
        call.print("" if printer.count else shown + ("\0" if "Z" in options else search.end))
    elif "l" in options:
        call.print(shown + ("\0" if "Z" in options else "\n") if printer.count else "")
    elif "c" in options and "q" not in options:
        call.print(f"{printer.label}{printer.count}{search.end}")
    return bool(printer.count)


class _Printer:
    """Prints the matching lines of one input, with the lines around them."""

    def __init__(self, call: CommandCall, search: _Search, name: str, *, label: bool) -> None:
        self._call = call
        self._search = search
        self._name = name
        self.label = f"{name}:" if label else ""
        self.count = 0
        self.done = False
        self.binary = False
        self._silent = search.options.has("cqlL")
        self._before: list[tuple[int, int, str]] = []
        self._after = 0
        self._number = 0
        self._offset = 0
        self._skipped = False

    def add(self, lines: list[str], matched: list[bool]) -> None:
        """Print those of the next lines that match."""
        for line, hit in zip(lines, matched, strict=True):
            self._number += 1
            if hit:
                self._print_hit(line)
                if self.count == self._search.limit or (self._silent and "c" not in self._search.options):
                    self.done = True
                    return
            elif self._after:
                self._after -= 1
                self._print(self._number, self._offset, line, "-")
            else:
                self._keep_before(line)
            if "b" in self._search.options:
                self._offset += len(line.encode("utf-8", "surrogateescape")) + 1

    def _keep_before(self, line: str) -> None:
        self._before.append((self._number, self._offset, line))
        if len(self._before) > self._search.before:
            del self._before[0]
            self._skipped = True

    def _print_hit(self, line: str) -> None:
        self.count += 1
        if self._silent:
            return
        if self.binary:
            self._call.print(f"Binary file {self._name} matches\n")
            return
        if "o" in self._search.options:
            self._print_matches(line)
            return
        if (self._search.before or self._search.after) and self._skipped and self.count > 1:
            self._call.print("--\n")
        self._skipped = False
        for place, offset, before in self._before:
            self._print(place, offset, before, "-")
        self._before = []
        self._print(self._number, self._offset, line, ":")
        self._after = self._search.after

    def _print_matches(self, line: str) -> None:
        at = 0
        while at <= len(line):
            found = [
                spans[0]
                for pattern in self._search.patterns
                if (spans := pattern.find(line, at)) and spans[0]
            ]
            if not found:
                return
            # the first one, and of those the longest
            start, end = min(found, key=lambda span: (span[0], -span[1]))
            if end > start:
                before = (
                    len(line[:start].encode("utf-8", "surrogateescape")) if "b" in self._search.options else 0
                )
                self._print(self._number, self._offset + before, line[start:end], ":")
            at = max(end, start + 1)

    def _print(self, place: int, offset: int, line: str, sign: str) -> None:
        options = self._search.options
        numbered = f"{place}{sign}" if "n" in options else ""
        counted = f"{offset}{sign}" if "b" in options and sign == ":" else ""
        label = self.label[:-1] + sign if self.label else ""
        self._call.print(f"{label}{numbered}{counted}{line}{self._search.end}")
