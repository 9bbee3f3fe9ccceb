"""`gzip`, `gunzip`, `zcat` and `tar`."""

from __future__ import annotations

import gzip as compression
import io
import posixpath
import stat
import tarfile
import zlib
from collections.abc import Iterator
from fnmatch import fnmatchcase

from android_shell.command_call import CommandCall
from android_shell.file_entries import SECOND, FileEntry
from android_shell.file_paths import FileError
from android_shell.shell.pipes import MAX_INPUT
from android_shell.tools.tool_arguments import read_contents
from android_shell.tools.tool_options import Options

_SUFFIXES = (".gz", ".tgz")


async def gzip(call: CommandCall, options: Options, names: list[str]) -> None:
    """`gzip [-cdfkn] [-1..9] [FILE ...]`: compress, with -d expand; a file is replaced."""
    expand = "d" in options or call.name in ("gunzip", "zcat")
    # files that are left are those whose content goes to the output
    to_output = "c" in options or call.name == "zcat" or not names
    level = next((int(digit) for digit in "123456789" if digit in options), 6)
    if not names or to_output:
        async for name, data in read_contents(call, names):
            _print_changed(call, name, data, level, expand=expand)
        return
    for name in names:
        with call.reporting(name):
            _replace_file(call, options, name, level, expand=expand)


def _print_changed(call: CommandCall, name: str, data: bytes, level: int, *, expand: bool) -> None:
    try:
        call.print(_expand(data) if expand else compression.compress(data, level, mtime=0))
    except (OSError, EOFError, zlib.error):
        call.print_error(f"{call.name}: {name}: not gzip\n")
        call.code = 1


def _expand(data: bytes) -> bytes:
    """Return what was compressed.

    Raises:
        OSError: It is not of gzip, or too much.
    """
    with compression.GzipFile(fileobj=io.BytesIO(data)) as file:
        found = file.read(MAX_INPUT + 1)
    if len(found) > MAX_INPUT:
        raise OSError("too much")
    return found


def _replace_file(call: CommandCall, options: Options, name: str, level: int, *, expand: bool) -> None:
    files, path = call.device.files, call.path(name)
    entry = files.find(path)
    data = bytes(files.read(path))
    if expand:
        suffix = next((one for one in _SUFFIXES if name.endswith(one)), None)
        if suffix is None:
            raise FileError("no .gz")
        target = path.removesuffix(suffix) + (".tar" if suffix == ".tgz" else "")
        try:
            data = _expand(data)
        except (OSError, EOFError, zlib.error):
            raise FileError("not gzip") from None
    else:
        if name.endswith(_SUFFIXES):
            raise FileError("already .gz")
        target = path + ".gz"
        # n: the name is in no archive of ours, either way
        kept = 0 if "n" in options else entry.changed
        data = compression.compress(data, level, mtime=kept)
    if files.get(target) is not None and "f" not in options:
        raise FileError(f"{target}: File exists")
    files.write(target, data, mode=stat.S_IMODE(entry.mode), changed=entry.changed)
    if "k" not in options:
        files.remove(path)


async def tar(call: CommandCall, options: Options, names: list[str]) -> None:
    """`tar [-cxtvzOkmp] [-C FOLDER] [-f FILE] [--exclude PATTERN] [PATH ...]`."""
    modes = [letter for letter in "cxt" if letter in options]
    if len(modes) != 1:
        raise call.usage_error("Needs -txc")
    folder = posixpath.join(call.folder, options.get("C")) if "C" in options else call.folder
    name = options.get("f", "-")
    if "t" in options and "v" in options:
        raise call.refuse_option("tv")
    if modes == ["c"]:
        data = _pack(call, options, folder, names)
        if name == "-":
            call.print(data)
        else:
            call.device.files.write(call.path(name), data, mode=0o666 & ~call.umask)
        return
    async for _, data in read_contents(call, [name]):
        try:
            _unpack(call, options, folder, names, data)
        except (tarfile.TarError, OSError, EOFError, zlib.error):
            raise call.error("Not tar") from None


def _pack(call: CommandCall, options: Options, folder: str, names: list[str]) -> bytes:
    if not names:
        raise call.error("empty archive")
    buffer = io.BytesIO()
    with tarfile.open(
        fileobj=buffer, mode="w:gz" if "z" in options else "w", format=tarfile.GNU_FORMAT
    ) as archive:
        for name in names:
            with call.reporting(name):
                for path, entry in _list_entries(call, folder, name):
                    if _is_excluded(options, path):
                        continue
                    info = tarfile.TarInfo(path.lstrip("/"))
                    info.mode, info.mtime = stat.S_IMODE(entry.mode), entry.changed
                    info.uid, info.gid, info.uname, info.gname = (
                        entry.owner,
                        entry.group,
                        entry.user_name,
                        entry.group_name,
                    )
                    content = None
                    if entry.is_folder:
                        info.type = tarfile.DIRTYPE
                    elif entry.is_link:
                        info.type, info.linkname = tarfile.SYMTYPE, entry.target
                    else:
                        content = bytes(call.device.files.read(posixpath.join(folder, path)))
                        info.size = len(content)
                    archive.addfile(info, None if content is None else io.BytesIO(content))
                    if "v" in options:
                        call.print_error(f"{path}{'/' * entry.is_folder}\n")
    return buffer.getvalue()


def _is_excluded(options: Options, path: str) -> bool:
    """Whether the path, or a folder that it is in, has an excluded name."""
    parts = path.split("/")
    places = [*parts, *("/".join(parts[: index + 1]) for index in range(len(parts)))]
    return any(fnmatchcase(place, glob) for glob in options.list_values("E") for place in places)


def _list_entries(call: CommandCall, folder: str, name: str) -> Iterator[tuple[str, FileEntry]]:
    path = posixpath.join(folder, name)
    entry = call.device.files.find(path, follow=False)
    if not entry.is_folder:
        yield name, entry
        return
    for rest, one in call.device.files.walk(path):
        yield name.rstrip("/") + rest, one


def _unpack(call: CommandCall, options: Options, folder: str, names: list[str], data: bytes) -> None:
    listing = "t" in options
    wanted = [name.rstrip("/") for name in names]
    if "z" in options and not data.startswith(b"\x1f\x8b"):
        raise call.error("not gzip")
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:*") as archive:
        for info in archive:
            name = info.name
            hits = [one for one in wanted if name == one or name.startswith(one + "/")]
            if (
                (wanted and not hits)
                or _is_excluded(options, name)
                or name.startswith("/")
                or ".." in name.split("/")
            ):
                continue
            shown = name + "/" * info.isdir()
            if listing:
                call.print(f"{shown}\n")
                continue
            if "v" in options:
                call.print_error(f"{shown}\n")
            with call.reporting(name):
                _write_member(call, options, archive, info, posixpath.join(folder, name))


def _write_member(
    call: CommandCall, options: Options, archive: tarfile.TarFile, info: tarfile.TarInfo, path: str
) -> None:
    files = call.device.files
    content = archive.extractfile(info) if info.isreg() else None
    data = content.read() if content else b""
    if "O" in options:
        call.print(data)
        return
    if info.isdir():
        files.make_folder(path, parents=True)
    elif info.issym():
        files.make_folder(posixpath.dirname(path), parents=True)
        files.make_link(info.linkname, path)
    else:
        if "k" in options and files.get(path) is not None:
            return
        files.write(path, data, mode=info.mode & ~call.umask, parents=True)
    if not info.issym() and "m" not in options:
        files.set_times(path, accessed=None, modified=int(info.mtime) * SECOND)
    if "p" in options and not info.issym():
        files.set_mode(path, info.mode)
