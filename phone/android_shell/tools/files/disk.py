"""Tools on the storage as a whole: du, df, mount, sync."""

from __future__ import annotations

from dataclasses import dataclass

from android_shell.command_call import CommandCall
from android_shell.file_entries import FileEntry
from android_shell.file_paths import FileError
from android_shell.files import CAPACITY
from android_shell.tools.sizes import format_size
from android_shell.tools.tool_options import Options

_OTHER_BYTES = 20 << 30
_HALF = 512


@dataclass(frozen=True, slots=True, kw_only=True)
class Mount:
    """A file system of the phone.

    Attributes:
        device: Where it is stored.
        folder: Where it is mounted.
        kind: Its type.
        options: How it is mounted.
        size: Bytes; None for the writable storage.
    """

    device: str
    folder: str
    kind: str
    options: str
    size: int | None = None


MOUNTS = (
    Mount(device="/dev/block/dm-0", folder="/", kind="ext4", options="ro,seclabel,relatime", size=1 << 30),
    Mount(device="tmpfs", folder="/dev", kind="tmpfs", options="rw,seclabel,nosuid,relatime", size=3 << 30),
    Mount(device="proc", folder="/proc", kind="proc", options="rw,relatime,gid=3009,hidepid=2", size=0),
    Mount(device="sysfs", folder="/sys", kind="sysfs", options="rw,seclabel,relatime", size=0),
    Mount(device="/dev/block/dm-5", folder="/data", kind="f2fs", options="rw,seclabel,nosuid,nodev,noatime"),
    Mount(
        device="/dev/fuse",
        folder="/storage/emulated",
        kind="fuse",
        options="rw,nosuid,nodev,noexec,noatime",
    ),
)
"""The file systems, as `mount` and /proc/mounts list them."""


def _measure(call: CommandCall, mount: Mount) -> tuple[int, int]:
    """Size and used bytes."""
    if mount.size is not None:
        return mount.size, mount.size if mount.folder == "/" else 0
    return CAPACITY + _OTHER_BYTES, call.device.files.size + _OTHER_BYTES


def find_mount(path: str) -> Mount:
    """Return the file system that an absolute path lies in."""
    inside = [one for one in MOUNTS if one.folder == "/" or f"{path}/".startswith(f"{one.folder}/")]
    return max(inside, key=lambda one: len(one.folder))


def df(call: CommandCall, options: Options, names: list[str]) -> None:
    """`df [-HPahk] [-t TYPE] [PATH ...]`."""
    kinds = options.list_values("t")
    found: list[Mount] = []
    for name in names:
        try:
            place = call.device.files.resolve(call.path(name))
            if place.entry is None:
                raise FileError("No such file or directory")
            found.append(find_mount(place.path))
        except FileError as error:
            call.report(f"'{name}'", error)
    mounts = found if names else [one for one in MOUNTS if "a" in options or one.size != 0]
    mounts = [one for one in mounts if not kinds or one.kind in kinds]
    human = options.has("Hh")
    unit = 1 if human else _HALF if "P" in options and "k" not in options else 1024
    sizes = (
        "Size"
        if human
        else "512-blocks"
        if unit == _HALF
        else "1024-blocks"
        if "P" in options
        else "1K-blocks"
    )
    share = "Capacity" if "P" in options and not human else "Use%"
    rows = [["Filesystem", sizes, "Used", "Avail" if human else "Available", share, "Mounted on"]]
    for one in mounts:
        size, used = _measure(call, one)
        cells = [value // unit for value in (size, used, size - used)]
        shown = [format_size(cell, thousands="H" in options) if human else str(cell) for cell in cells]
        rows.append([one.device, *shown, f"{-(-used * 100 // size) if size else 0}%", one.folder])
    widths = [max(len(row[column]) for row in rows) for column in range(5)]
    widths[0] = max(widths[0], 15 if human else 14)
    for row in rows:
        cells_shown = [cell.rjust(width) for cell, width in zip(row[1:5], widths[1:], strict=True)]
        call.print(" ".join([row[0].ljust(widths[0]), *cells_shown, row[5]]) + "\n")


def mount(call: CommandCall, options: Options, names: list[str]) -> None:
    """`mount [-t TYPE]`: list what is mounted; only root may mount."""
    if names or options.has("ow"):
        call.print_error(f"mount: '{names[-1] if names else ''}': Permission denied\n")
        call.code = 1
        return
    kinds = options.list_values("t")
    for one in MOUNTS:
        if not kinds or one.kind in kinds:
            call.print(f"{one.device} on {one.folder} type {one.kind} ({one.options})\n")


def sync(_call: CommandCall, _options: Options, _names: list[str]) -> None:
    """`sync`: all is written at once."""


@dataclass(slots=True, kw_only=True)
class _Usage:
    call: CommandCall
    options: Options
    depth: int
    total: int = 0


def du(call: CommandCall, options: Options, names: list[str]) -> None:
    """`du [-HKabchkms] [-d DEPTH] [PATH ...]`."""
    depth = options.get("d")
    if depth and not depth.isdecimal():
        raise call.error(f"not integer: {depth}")
    limit = 0 if "s" in options else int(depth) if depth else 1 << 20
    usage = _Usage(call=call, options=options, depth=limit)
    for name in names or ["."]:
        try:
            entry = call.device.files.find(call.path(name), follow="H" in options)
        except FileError as error:
            call.report(name, error)
            continue
        usage.total += _add_sizes(usage, name, entry)
    if "c" in options:
        _print_usage(usage, usage.total, "total")


def _add_sizes(usage: _Usage, name: str, entry: FileEntry) -> int:
    """Print the sizes of what is in an entry, the inner ones first; return its own."""
    order: list[tuple[str, FileEntry, int]] = []
    pending = [(name, entry, 0)]
    while pending:
        path, one, depth = pending.pop()
        order.append((path, one, depth))
        join = path if path.endswith("/") else f"{path}/"
        pending += [(f"{join}{child}", inner, depth + 1) for child, inner in sorted(one.children.items())]
    sizes = [0] * (1 << 10)
    for path, one, depth in reversed(order):
        if depth + 2 > len(sizes):
            sizes += [0] * (depth + 2 - len(sizes))
        size = one.size if "b" in usage.options else one.blocks * _HALF
        size += sizes[depth + 1]
        sizes[depth + 1] = 0
        sizes[depth] += size
        shown = one.is_folder or depth == 0 or "a" in usage.options
        if shown and depth <= usage.depth:
            _print_usage(usage, size, path)
    return sizes[0]


def _print_usage(usage: _Usage, size: int, name: str) -> None:
    options = usage.options
    if "h" in options:
        text = format_size(size)
    elif "b" in options and not options.has("Kmk"):
        text = str(size)
    else:
        unit = _HALF if "K" in options else 1 << 20 if "m" in options else 1024
        text = str(-(-size // unit))
    usage.call.print(f"{text}\t{name}\n")
