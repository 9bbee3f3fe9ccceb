"""`cp` and `mv`."""

from __future__ import annotations

import posixpath
import stat
from dataclasses import dataclass

from android_shell.command_call import CommandCall
from android_shell.file_entries import FileEntry
from android_shell.file_paths import FileError
from android_shell.tools.confirmation import ask
from android_shell.tools.tool_options import Options

_KEPT = ("mode", "ownership", "timestamps", "context", "xattr")


@dataclass(slots=True, kw_only=True)
class _Copy:
    """A running copy.

    Attributes:
        folder: The folder that is copied into; None for a single file.
        keeps: First letters of what is kept of the source: m, o, t.
        moves: Whether the source is removed behind its copy.
    """

    call: CommandCall
    options: Options
    folder: FileEntry | None
    keeps: str
    moves: bool = False

    def has(self, letters: str) -> bool:
        """Whether one of the options is given; a move is a copy with d, p and r."""
        return (self.moves and bool(set(letters) & set("dpr"))) or self.options.has(letters)


def _find_target(
    call: CommandCall, options: Options, names: list[str]
) -> tuple[str, list[str], FileEntry | None]:
    """Name of the target, the sources, and the target's folder if it is one."""
    target = options.get("t") if "t" in options else names.pop()
    if not names:
        raise call.error("Needs 2 arguments")
    entry = call.device.files.get(call.path(target))
    folder = entry if entry is not None and entry.is_folder else None
    if folder is None and (len(names) > 1 or "t" in options):
        raise call.error(f"'{target}' not directory")
    if "T" in options and len(names) > 1:
        raise call.usage_error("Max 2 arguments")
    if "T" in options and folder is not None:
        raise call.error(f"'{target}' is a directory")
    return target, names, folder


def _list_kept(call: CommandCall, options: Options) -> str:
    kept = "mot" if options.has("ap") else ""
    if "=" in options:
        for word in options.get("=").split(","):
            if word in _KEPT:
                kept += word[0]
            elif word == "all" or set(word) <= set("motcxa"):
                kept += "mot" if "a" in word else word
            else:
                raise call.error(f"bad --preserve={word}")
    return kept


async def cp(call: CommandCall, options: Options, names: list[str]) -> None:
    """`cp [-adFfHiLnPpRrTuv] [--preserve=motcxa] [-t FOLDER] FROM ... [TO]`."""
    target, names, folder = _find_target(call, options, names)
    copy = _Copy(call=call, options=options, folder=folder, keeps=_list_kept(call, options))
    for name in names:
        end = _place_in(target, name) if folder is not None else target
        entry = call.device.files.get(call.path(name), follow=options.has("HL"))
        if entry is None:
            entry = call.device.files.get(call.path(name), follow=False)
        if entry is None:
            _report_bad(call, name)
            continue
        await _copy_entry(copy, entry, name, end, top=True)


def _place_in(folder: str, name: str) -> str:
    return posixpath.join(folder, posixpath.basename(name.rstrip("/")) or "/")


def _report_bad(call: CommandCall, name: str) -> None:
    try:
        call.device.files.find(call.path(name), follow=False)
    except FileError as error:
        call.report(f"bad '{name}'", error)


async def _copy_entry(copy: _Copy, entry: FileEntry, name: str, end: str, *, top: bool = False) -> None:
    """Copy an entry with what is in it; an error is printed."""
    call, files = copy.call, copy.call.device.files
    try:
        target = files.get(call.path(end))
        if entry is copy.folder or target is entry:
            call.print_error(f"{call.name}: '{end}' is '{name}'\n")
            call.code = 1
            return
        if (
            target is not None
            and not target.is_folder
            and not await _may_replace(copy, entry, target, name, end)
        ):
            return
        if "v" in copy.options:
            call.print(f"{call.name} '{name}'\n")
        if entry.is_folder:
            await _copy_folder(copy, entry, name, end)
        else:
            _copy_file(copy, entry, name, end, top=top)
        if copy.moves:
            files.remove(call.path(name), folder=entry.is_folder)
    except FileError as error:
        call.report(end, error)


async def _may_replace(copy: _Copy, entry: FileEntry, target: FileEntry, name: str, end: str) -> bool:
    call, options = copy.call, copy.options
    if entry.is_folder:
        call.print_error(f"{call.name}: dir at '{name}'\n")
        call.code = 1
        return False
    if "F" in options:
        call.device.files.remove(call.path(end))
    if "i" in options:
        return await ask(call, f"{call.name}: overwrite '{name}'")
    older = "u" in options and not copy.moves and entry.modified < target.modified
    return not older and "n" not in options


async def _copy_folder(copy: _Copy, entry: FileEntry, name: str, end: str) -> None:
    call, files = copy.call, copy.call.device.files
    if not copy.has("arR"):
        raise FileError(f"Skipped dir '{name}'")
    inside = files.list_folder(call.path(name))
    target = files.get(call.path(end), follow=False)
    if target is None:
        mode = (entry.mode | 0o200) & ~(0 if "m" in copy.keeps else call.umask)
        # a real cp would go on in its own copy until no more files can be open
        source, place = (files.resolve(call.path(one)).path for one in (name, end))
        if copy.folder is None and place.startswith(f"{source}/"):
            raise FileError(f"within '{name}'")
        files.make_folder(call.path(end), mode=mode)
    elif not target.is_folder:
        raise FileError("File exists")
    for child, inner in inside:
        path = posixpath.join(name, child)
        followed = files.get(call.path(path)) if "L" in copy.options else None
        await _copy_entry(copy, followed or inner, path, posixpath.join(end, child))
    _keep_attributes(copy, entry, end)


def _copy_file(copy: _Copy, entry: FileEntry, name: str, end: str, *, top: bool) -> None:
    call, files = copy.call, copy.call.device.files
    if entry.is_link and (not top or copy.has("adPr")):
        if files.get(call.path(end), follow=False) is not None:
            files.remove(call.path(end))
        files.make_link(entry.target, call.path(end))
        return
    data = bytes(files.read(call.path(name)))
    source = files.find(call.path(name))
    mode = stat.S_IMODE(source.mode) & ~(0 if "m" in copy.keeps else call.umask)
    try:
        files.write(call.path(end), data, mode=mode)
    except FileError:
        if not copy.options.has("fn"):
            raise
        files.remove(call.path(end))
        files.write(call.path(end), data, mode=mode)
    _keep_attributes(copy, source, end)


def _keep_attributes(copy: _Copy, entry: FileEntry, end: str) -> None:
    path, files = copy.call.path(end), copy.call.device.files
    if "t" in copy.keeps:
        files.set_times(path, accessed=entry.accessed, modified=entry.modified)
    if "m" in copy.keeps:
        files.set_mode(path, entry.mode)


async def mv(call: CommandCall, options: Options, names: list[str]) -> None:
    """`mv [-FfinTv] [-t FOLDER] FROM ... [TO]`."""
    target, names, folder = _find_target(call, options, names)
    for name in names:
        end = _place_in(target, name) if folder is not None else target
        if not await _may_move(call, options, end):
            continue
        path = call.path(name).rstrip("/") or "/"
        try:
            call.device.files.rename(path, call.path(end))
        except FileError as error:
            if str(error) != "Cross-device link":
                call.report(f"bad '{name}'", error)
                continue
            copy = _Copy(call=call, options=options, folder=folder, keeps="mot", moves=True)
            await _copy_entry(copy, call.device.files.find(path, follow=False), name, end, top=True)


async def _may_move(call: CommandCall, options: Options, end: str) -> bool:
    """Whether a move goes on where there is something at its end already."""
    files = call.device.files
    if files.get(call.path(end)) is None or ("f" in options and "n" not in options):
        return True
    if "n" in options:
        return False
    if "i" not in options:
        return True
    if not await ask(call, f"mv: overwrite '{end}'"):
        return False
    with call.reporting(end):
        files.remove(call.path(end))
    return True
