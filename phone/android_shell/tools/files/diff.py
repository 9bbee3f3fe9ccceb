"""`diff`: what differs between two files or folders, line by line, always in the unified form.

toybox has it since Android 8. What it prints, also where GNU prints something else, was compared with toybox
0.8.9 built with Android's configuration.
"""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import tzinfo

from android_shell.command_call import CommandCall, UnsupportedError
from android_shell.file_entries import FileEntry
from android_shell.file_paths import FileError
from android_shell.tools.sizes import parse_size
from android_shell.tools.tool_options import Options
from android_shell.tools.written_times import find_zone, format_time

_BLOCK = 2048
"""Number of bytes of each file that are compared at a time, in which a zero makes a file binary."""

_MAX_PAIRS = 4_000_000
"""Number of pairs of equal lines beyond which a comparison is refused: it would hold the phone up."""

_ESCAPES = dict(zip(b'\a\b\f\n\r\t\v"\\', 'abfnrtv"\\', strict=True))
_TAB = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class _Change:
    """Lines of the first file, from `old` to `old_end`, in whose place are lines of the second one.

    Lines count from 1; a change that only adds or deletes has an end before its start on the other side.
    """

    old: int
    old_end: int
    new: int
    new_end: int

    @property
    def is_empty(self) -> bool:
        """Whether nothing changes, as at the end of files that end alike."""
        return self.old_end < self.old and self.new_end < self.new


@dataclass(slots=True, kw_only=True)
class _Comparison:
    """State of a call.

    Attributes:
        code: Exit code so far: 0 for the same, 1 for different, 2 for an error.
        binary: Whether the files that were compared last are no text.
    """

    call: CommandCall
    options: Options
    zone: tzinfo
    context: int
    labels: Sequence[str]
    code: int = 0
    binary: bool = False
    contents: dict[str, tuple[bytes, FileEntry]] = field(default_factory=dict)

    def read(self, name: str) -> tuple[bytes, FileEntry]:
        """Content and entry of a file.

        Raises:
            FileError: It cannot be read.
        """
        if name in self.contents:
            return self.contents[name]
        path = self.call.path(name)
        return bytes(self.call.device.files.read(path)), self.call.device.files.find(path)


async def diff(call: CommandCall, options: Options, names: list[str]) -> None:
    """`diff [-abdiNqrstTuw] [-L LABEL] [-U LINES] FILE FILE`: exit code 1 if they differ."""
    # it always tries hard (-d), and always writes the unified form (-u)
    options.has("du")
    work = _Comparison(
        call=call,
        options=options,
        zone=find_zone(call),
        context=max(0, parse_size(call, options.get("U", "3"))),
        labels=options.list_values("L"),
    )
    folders = []
    for name in names:
        try:
            if name == "-":
                now = FileEntry(mode=0o010600, modified=int(call.device.now.timestamp() * 10**9))
                work.contents[name] = await call.input.read_all(), now
            entry = work.contents[name][1] if name == "-" else call.device.files.find(call.path(name))
        except FileError as error:
            raise call.error(f"Can't stat {name}: {error}") from None
        folders.append(entry.is_folder)
    # of two files both are there; of folders toybox itself mixes up the files that one side lacks
    if "N" in options and folders[0]:
        raise call.refuse_option("N")
    if folders[0] != folders[1]:
        raise call.error("can't compare directory to non-directory")
    if names[0] == names[1] or ("-" not in names and call.device.files.same(*map(call.path, names))):
        _show_status(work, names)
    elif folders[0]:
        _compare_folders(work, names)
    else:
        _compare_files(work, names)
    call.code = work.code


def _compare_files(work: _Comparison, names: Sequence[str]) -> None:
    """Compare two files; the exit code is that of the files that are compared last, as toybox has it."""
    work.code, work.binary = 0, False
    found = []
    for name in names:
        try:
            found.append(work.read(name))
        except FileError as error:
            work.call.print_error(f"diff: {name}: {error}\n")
            work.code = 2
            return
    one, other = found[0][0], found[1][0]
    if "a" not in work.options:
        work.code, work.binary = int(one != other), one != other and _is_binary(one, other)
    if "a" in work.options or (work.code and not work.binary):
        lines = _split(one), _split(other)
        changes = _find_changes(work, *lines)
        work.code = int(any(not change.is_empty for change in changes))
        if work.code and "q" not in work.options:
            _print_labels(work, names, [entry for _, entry in found])
            _print_hunks(work, changes, *lines)
    _show_status(work, names)


def _show_status(work: _Comparison, names: Sequence[str]) -> None:
    if work.code == 1 and ("q" in work.options or work.binary):
        work.call.print(f"Files {names[0]} and {names[1]} differ\n")
    elif not work.code and "s" in work.options:
        work.call.print(f"Files {names[0]} and {names[1]} are identical\n")


def _is_binary(one: bytes, other: bytes) -> bool:
    # the rest of the longer file is not looked at
    end = (min(len(one), len(other)) // _BLOCK + 1) * _BLOCK
    return b"\0" in one[:end] or b"\0" in other[:end]


def _split(data: bytes) -> list[bytes]:
    """Lines with their newlines; other separators are part of a line."""
    return re.findall(rb"[^\n]*\n|[^\n]+\Z", data)


# ---- finding changes


def _find_changes(work: _Comparison, one: Sequence[bytes], other: Sequence[bytes]) -> list[_Change]:
    """Changes from one text to the other in order; the last one is empty where the texts end alike."""
    keys = [_make_key(work.options, line) for line in one], [_make_key(work.options, line) for line in other]
    matches = _match_lines(work.call, *keys)
    changes, old, new = list[_Change](), 1, 1
    ends = [*sorted(matches.items()), (len(one) + 1, len(other) + 1)]
    for of_old, of_new in ends:
        if of_old > old or of_new > new or (of_old == len(one) + 1 and not changes):
            changes.append(_Change(old=old, old_end=of_old - 1, new=new, new_end=of_new - 1))
        old, new = of_old + 1, of_new + 1
    return changes


def _make_key(options: Options, line: bytes) -> bytes:
    """Return what of a line counts."""
    if "i" in options:
        line = line.lower()
    if "w" in options:
        return b"".join(line.split())
    # the newline, or the end of the file, is whitespace too
    return re.sub(rb"\s+", b" ", line.rstrip(b"\n") + b"\n") if "b" in options else line


def _match_lines(call: CommandCall, one: Sequence[bytes], other: Sequence[bytes]) -> Mapping[int, int]:
    """Lines of a longest common part: number in one text -> number in the other, from 1.

    By Hunt and McIlroy ("An algorithm for differential file comparison", 1976), as of several longest ones
    toybox takes that one.
    """
    places: dict[bytes, list[int]] = {}
    for number, key in enumerate(other, 1):
        places.setdefault(key, []).append(number)
    if sum(len(places.get(key, ())) for key in one) > _MAX_PAIRS:
        raise UnsupportedError("diff: out of memory")
    # for each length the earliest end in the other text, and the pair there; a pair names the one before it
    ends, last = [0], [0]
    pairs: list[tuple[int, int, int]] = [(0, 0, 0)]
    for number, key in enumerate(one, 1):
        found: dict[int, int] = {}
        for place in places.get(key, ()):
            length = bisect_left(ends, place)
            if (length < len(ends) and ends[length] == place) or length in found:
                continue
            found[length] = len(pairs)
            pairs.append((number, place, last[length - 1]))
            if length == len(ends):
                break
        for length, pair in found.items():
            ends[length : length + 1], last[length : length + 1] = [pairs[pair][1]], [pair]
    matches, pair = dict[int, int](), last[-1]
    while pair:
        old, new, pair = pairs[pair]
        matches[old] = new
    return matches


# ---- printing


def _print_labels(work: _Comparison, names: Sequence[str], entries: Sequence[FileEntry]) -> None:
    for number, (sign, name, entry) in enumerate(zip(("---", "+++"), names, entries, strict=True)):
        if number < len(work.labels):
            # the second label is the last of several
            work.call.print(f"{sign} {work.labels[-number]}\n")
            continue
        time = format_time(entry.modified, work.zone, "%Y-%m-%d %H:%M:%S.%N %z")
        work.call.print(f"{sign} {_quote_name(name)}\t{time}\n")


def _quote_name(name: str) -> str:
    """A name as C writes it, in quotes if it has signs that are escaped, or spaces."""
    shown = ""
    for byte in name.encode("utf-8", "surrogateescape"):
        if byte in _ESCAPES:
            shown += f"\\{_ESCAPES[byte]}"
        else:
            shown += chr(byte) if 0x20 <= byte < 0x80 else f"\\{byte:03o}"
    return f'"{shown}"' if shown != name or " " in name else shown


def _print_hunks(
    work: _Comparison, changes: Sequence[_Change], one: Sequence[bytes], other: Sequence[bytes]
) -> None:
    # toybox forgets no shorter file: those behind it get no more lines either
    context = work.context = min(work.context, len(one))
    shown, at = 0, 0
    while at < len(changes):
        first = last = at
        while last + 1 < len(changes) and changes[last].old_end + context >= changes[last + 1].old:
            last += 1
        at = last + 1
        if changes[first].is_empty:
            continue
        start = max(1, changes[first].old - context, shown + 1)
        end = min(len(one), changes[last].old_end + context)
        shown = end
        _print_hunk(work, changes[first : last + 1], one, other, (start, end))


def _print_hunk(
    work: _Comparison,
    changes: Sequence[_Change],
    one: Sequence[bytes],
    other: Sequence[bytes],
    lines: tuple[int, int],
) -> None:
    """Print changes with the lines around them, from the first to the last of `lines` of the first file."""
    start, end = lines
    new = max(1, changes[0].new - (changes[0].old - start))
    new_end = end - changes[-1].old_end + changes[-1].new_end
    work.call.print(f"@@ -{_format_range(start, end)} +{_format_range(new, new_end)} @@\n")
    at = start
    for change in changes:
        _print_lines(work, " ", one[at - 1 : change.old - 1])
        _print_lines(work, "-", one[change.old - 1 : change.old_end])
        _print_lines(work, "+", other[change.new - 1 : change.new_end])
        at = change.old_end + 1
    _print_lines(work, " ", one[at - 1 : end])


def _format_range(start: int, end: int) -> str:
    count = end - start + 1
    return f"{start if count else start - 1}" + ("" if count == 1 else f",{count}")


def _print_lines(work: _Comparison, sign: str, lines: Sequence[bytes]) -> None:
    head = sign.encode() + (b"\t" if "T" in work.options else b"")
    for line in lines:
        text = line.expandtabs(_TAB) if "t" in work.options else line
        work.call.print(head + text)
        if not line.endswith(b"\n"):
            work.call.print("\n\\ No newline at end of file\n")


# ---- folders


def _compare_folders(work: _Comparison, names: Sequence[str]) -> None:
    """Compare the files of two folders; below both with -r."""
    lists = [_list_folder(work, names, side) for side in (0, 1)]
    paths = sorted({*lists[0], *lists[1]}, key=lambda path: path.encode("utf-8", "surrogateescape"))
    for path in paths:
        inside = [path in lists[0], path in lists[1]]
        if all(inside):
            _compare_entries(work, names, path)
        else:
            work.call.print(f"Only in {names[inside[1]]}: {path}\n")
            work.code = 1


def _list_folder(work: _Comparison, names: Sequence[str], side: int) -> list[str]:
    """Paths of what is compared, below one of the folders."""
    found, pending = list[str](), [""]
    while pending:
        folder = pending.pop()
        path = posixpath.join(names[side], folder)
        try:
            inner = work.call.device.files.names(work.call.path(path))
        except FileError as error:
            work.call.report(path, error)
            continue
        for name in inner:
            below = posixpath.join(folder, name)
            entry = _find_entry(work, names[side], below)
            there = _find_entry(work, names[1 - side], below)
            if entry is not None and entry.is_folder and "r" in work.options and there is not None:
                pending.append(below)
            else:
                found.append(below)
    return found


def _find_entry(work: _Comparison, folder: str, path: str) -> FileEntry | None:
    return work.call.device.files.get(work.call.path(posixpath.join(folder, path)))


def _compare_entries(work: _Comparison, names: Sequence[str], path: str) -> None:
    shown = [posixpath.join(name, path) for name in names]
    entries = [_find_entry(work, name, path) for name in names]
    kinds = [entry is not None and entry.is_folder for entry in entries]
    if all(kinds):
        work.call.print(f"Common subdirectories: {shown[0]} and {shown[1]}\n")
    elif any(kinds):
        words = ["directory" if kind else "regular file" for kind in kinds]
        work.call.print(f"File {shown[0]} is a {words[0]} while file {shown[1]} is a {words[1]}\n")
    else:
        _compare_files(work, shown)
