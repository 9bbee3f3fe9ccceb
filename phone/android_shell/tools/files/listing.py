"""`ls`: names of files with their sizes, owners and times."""

from __future__ import annotations

import posixpath
import stat
from dataclasses import dataclass, replace
from datetime import tzinfo

from android_shell.command_call import CommandCall
from android_shell.file_entries import FileEntry
from android_shell.file_paths import FileError
from android_shell.tools.sizes import format_size
from android_shell.tools.tool_options import Options
from android_shell.tools.written_times import find_zone, format_time

_WIDTH = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class _Item:
    """An entry that is listed.

    Attributes:
        name: Its name, as it is printed.
        entry: The entry.
        path: Its absolute path.
    """

    name: str
    entry: FileEntry
    path: str


@dataclass(slots=True, kw_only=True)
class _Listing:
    call: CommandCall
    options: Options
    zone: tzinfo
    titles: int = 0

    @property
    def is_long(self) -> bool:
        """Whether modes, owners, sizes and times are printed."""
        return self.options.has("logn")


def ls(call: CommandCall, options: Options, names: list[str]) -> None:
    """`ls [-1AacdFfgHhiLlmnopRrSstu] [PATH ...]`."""
    listing = _Listing(call=call, options=options, zone=find_zone(call))
    follow = not options.has("ldF") or options.has("LH")
    found: list[_Item] = []
    for name in names or ["."]:
        try:
            found.append(_Item(name=name, entry=_find_entry(call, name, follow=follow), path=call.path(name)))
        except FileError as error:
            call.report(name, error)
    if len(found) == 1 and found[0].entry.is_folder and not options.has("dR"):
        _list_folder(listing, found[0], title=False)
        return
    found = found if "f" in options else _sort_items(options, found)
    files = [item for item in found if "d" in options or not item.entry.is_folder]
    if files and files[0] is not found[0]:
        # a folder before the first file leaves its separator
        call.print("\n")
    _print_items(listing, files)
    listing.titles += bool(files)
    for item in found:
        if item.entry.is_folder and "d" not in options:
            _list_folder(listing, item, title=True)


def _find_entry(call: CommandCall, name: str, *, follow: bool) -> FileEntry:
    entry = call.device.files.get(call.path(name), follow=follow)
    # a link that leads nowhere is listed itself
    return entry if entry is not None else call.device.files.find(call.path(name), follow=False)


def _list_folder(listing: _Listing, item: _Item, *, title: bool) -> None:
    call, options, files = listing.call, listing.options, listing.call.device.files
    try:
        inside = files.list_folder(item.path)
    except FileError as error:
        call.report(item.name, error)
        return
    if title:
        call.print(("\n" if listing.titles else "") + f"{item.name}:\n")
        listing.titles += 1
    items = [_Item(name=name, entry=entry, path=posixpath.join(item.path, name)) for name, entry in inside]
    if not options.has("aAf"):
        items = [one for one in items if not one.name.startswith(".")]
    if options.has("af"):
        parent = files.resolve(posixpath.join(item.path, "..")).entry or item.entry
        folder = files.resolve(item.path).entry or item.entry
        items += [
            _Item(name=name, entry=entry, path=posixpath.join(item.path, name))
            for name, entry in ((".", folder), ("..", parent))
        ]
    if options.has("L"):
        items = [replace(one, entry=files.get(one.path) or one.entry) for one in items]
    items = items if "f" in options else _sort_items(options, items)
    if options.has("hlongs") and "f" not in options:
        total = sum(one.entry.blocks for one in items) // 2
        call.print(f"total {_show_number(options, total, 1024)}\n")
    _print_items(listing, items)
    if "R" in options:
        for one in items:
            if one.entry.is_folder and one.name not in (".", ".."):
                _list_folder(listing, replace(one, name=posixpath.join(item.name, one.name)), title=True)


def _time_of(options: Options, entry: FileEntry) -> int:
    return entry.altered if "c" in options else entry.accessed if "u" in options else entry.modified


def _sort_items(options: Options, items: list[_Item]) -> list[_Item]:
    items = sorted(items, key=lambda one: one.name.encode("utf-8", "surrogateescape"))
    if "S" in options:
        items.sort(key=lambda one: -one.entry.size)
    if "t" in options:
        items.sort(key=lambda one: -_time_of(options, one.entry))
    return items[::-1] if "r" in options else items


def _show_number(options: Options, value: int, unit: int = 1) -> str:
    return format_size(value * unit) if "h" in options else str(value)


def _show_kind(options: Options, mode: int) -> str:
    """The sign behind a name that tells its kind."""
    if options.has("Fp") and stat.S_ISDIR(mode):
        return "/"
    if "F" in options and stat.S_ISLNK(mode):
        return "@"
    return "*" if "F" in options and stat.S_ISREG(mode) and mode & 0o111 else ""


def _list_cells(listing: _Listing, item: _Item) -> list[tuple[str, bool]]:
    """The cells before a name, each with whether it stands at the left of its column."""
    options, entry = listing.options, item.entry
    cells: list[tuple[str, bool]] = []
    if "i" in options:
        cells.append((str(entry.number), False))
    if "s" in options:
        cells.append((_show_number(options, entry.blocks // 2, 1024), False))
    if not listing.is_long:
        return cells
    cells += [(stat.filemode(entry.mode), True), (str(entry.links), False)]
    if "g" not in options:
        cells.append((str(entry.owner) if "n" in options else entry.user_name, True))
    if "o" not in options:
        cells.append((str(entry.group) if "n" in options else entry.group_name, True))
    major, minor = entry.device
    size = f"{major},{minor:4}" if stat.S_ISCHR(entry.mode) else _show_number(options, entry.size)
    form = "%Y-%m-%d %H:%M" if len(options.list_values("l")) < 2 else "%Y-%m-%d %H:%M:%S.%N %z"
    return [*cells, (size, False), (format_time(_time_of(options, entry), listing.zone, form), True)]


def _print_items(listing: _Listing, items: list[_Item]) -> None:
    call, options = listing.call, listing.options
    rows = [_list_cells(listing, item) for item in items]
    widths = [max(len(text) for text, _ in column) for column in zip(*rows, strict=True)]
    lines = []
    for item, row in zip(items, rows, strict=True):
        cells = [
            text.ljust(width) if left else text.rjust(width)
            for (text, left), width in zip(row, widths, strict=True)
        ]
        target = f" -> {item.entry.target}" if item.entry.is_link and listing.is_long else ""
        lines.append(" ".join([*cells, item.name + target + _show_kind(options, item.entry.mode)]))
    if "1" not in options and "m" in options:
        _print_stream(call, lines)
    else:
        call.print("".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape"))


def _print_stream(call: CommandCall, names: list[str]) -> None:
    text, used = "", 0
    for index, name in enumerate(names):
        size = len(name) + (index < len(names) - 1)
        if used and used + 1 + size > _WIDTH:
            text, used = f"{text}\n", 0
        elif used:
            text, used = f"{text} ", used + 1
        text, used = text + name + ("," if index < len(names) - 1 else ""), used + size
    call.print(f"{text}\n" if names else "")
