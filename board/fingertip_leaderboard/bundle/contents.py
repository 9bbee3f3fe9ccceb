"""Read an untrusted bundle, a folder or a .zip, without unpacking it to disk."""

from __future__ import annotations

import os
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Protocol

from fingertip_leaderboard.bundle.bundle_files import MOST_FILES, TOTAL_LIMIT, is_folder, size_limit
from fingertip_leaderboard.bundle.file_names import check_name
from fingertip_leaderboard.bundle.open_unfollowed import open_file, open_folder, open_root
from fingertip_leaderboard.bundle.refusal import RefusalKind, Refusals

MOST_RATIO = 250
"""Maximum compression ratio of a file larger than `SMALL`; a repetitive log has about 100."""

SMALL = 1 << 20
"""Bytes up to which a file may have any compression ratio."""

ARCHIVES = (
    b"PK\x03\x04",
    b"PK\x05\x06",
    b"\x1f\x8b",
    b"7z\xbc\xaf",
    b"Rar!",
    b"BZh",
    b"\xfd7zXZ",
    b"(\xb5/\xfd",
)
"""First bytes of archive formats."""

LONGEST_END, LONGEST_ENTRY = (1 << 16) + 22, 512
"""Maximum bytes of a .zip's end record, and of one file's entry in its central directory."""

HEADER = 30
"""Bytes of the fixed part of a file's header in a .zip."""

MOST_EXTRA = 128
"""Maximum bytes of a file's extra fields in a .zip, which hold its times and its owner."""

DEFLATED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


class Contents(Protocol):
    """The files of a bundle whose names and sizes are valid."""

    @property
    def sizes(self) -> Mapping[str, int]:
        """File name -> size in bytes."""

    def read(self, name: str) -> bytes:
        """Read a whole file.

        Raises:
            OSError: It cannot be read, or its size is not the one in `sizes`.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderContents:
    """A bundle in an open folder; a file or folder that was replaced by a link is not followed."""

    root: int
    sizes: Mapping[str, int]

    def read(self, name: str) -> bytes:
        """Read a whole file."""
        with os.fdopen(open_file(self.root, name), "rb") as stream:
            return _read_whole(stream, self.sizes[name])


@dataclass(frozen=True, slots=True, kw_only=True)
class ZipContents:
    """A bundle in an open .zip file."""

    archive: zipfile.ZipFile
    sizes: Mapping[str, int]

    def read(self, name: str) -> bytes:
        """Read a whole file, unpacking at most one byte more than the archive's directory says."""
        try:
            with self.archive.open(name) as stream:
                return _read_whole(stream, self.sizes[name])
        except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError) as error:
            raise OSError(str(error)) from error


@contextmanager
def open_contents(path: Path, found: Refusals) -> Iterator[Contents | None]:
    """Open the files of a bundle; None if its names or sizes are invalid.

    Args:
        path: A folder or a .zip.
        found: Collects the refusals.
    """
    if path.is_symlink():
        found.refuse(RefusalKind.LINK, "the bundle is a link: give a folder or a .zip", str(path))
        yield None
    elif path.is_dir():
        with ExitStack() as stack:
            try:
                folder = _check_folder(stack.enter_context(open_root(path)), path, found)
            except OSError as error:
                # a folder that may not be listed, or a file that is gone since
                reason = f"the bundle cannot be read: {error.strerror or error}"
                found.refuse(RefusalKind.NO_BUNDLE, reason, str(path))
                folder = None
            yield folder
    elif path.is_file():
        with _open_zip(path, found) as archive:
            yield None if archive is None else _check_zip(archive, path, found)
    else:
        found.refuse(RefusalKind.NO_BUNDLE, "neither a folder nor a .zip", str(path))
        yield None


def is_archive(content: bytes) -> bool:
    """Whether the content of a file is that of an archive."""
    return content.startswith(ARCHIVES)


def _read_whole(stream: IO[bytes], size: int) -> bytes:
    # one byte more than stated shows that the stated size is false
    content = stream.read(size + 1)
    if len(content) != size:
        raise OSError(f"expected {size} bytes, got {'more' if len(content) > size else len(content)}")
    return content


def _check_folder(root: int, path: Path, found: Refusals) -> FolderContents | None:
    sizes: dict[str, int] = {}
    before = len(found.refusals)
    for entry, name in _walk_entries(root):
        check_name(name, found)
        kind = entry.stat(follow_symlinks=False)
        # a link could lead to any file of the verifier
        if stat.S_ISLNK(kind.st_mode):
            found.refuse(RefusalKind.LINK, "expected a file, got a symbolic link", name)
        elif stat.S_ISDIR(kind.st_mode):
            if not is_folder(f"{name}/"):
                found.refuse(RefusalKind.UNKNOWN_FILE, "the folder is no part of a bundle", name)
        elif not stat.S_ISREG(kind.st_mode):
            found.refuse(
                RefusalKind.SPECIAL_FILE, "expected a file, got something else (device, pipe, socket)", name
            )
        else:
            sizes[name] = kind.st_size
        if len(sizes) > MOST_FILES:
            found.refuse(
                RefusalKind.TOO_MANY_FILES, f"expected at most {MOST_FILES:,} files, got more", str(path)
            )
            return None
    _check_collisions(list(sizes), found)
    _check_sizes(sizes, found)
    return FolderContents(root=root, sizes=sizes) if len(found.refusals) == before else None


def _walk_entries(root: int) -> Iterator[tuple[os.DirEntry[str], str]]:
    """Every entry below a folder with its name within the bundle; links are not followed."""
    waiting = [""]
    while waiting:
        prefix = waiting.pop()
        with open_folder(root, prefix) as folder, os.scandir(folder) as entries:
            for entry in sorted(entries, key=lambda entry: entry.name):
                name = f"{prefix}{entry.name}"
                yield entry, name
                # unknown folders are refused by the caller and not searched
                if entry.is_dir(follow_symlinks=False) and is_folder(f"{name}/"):
                    waiting.append(f"{name}/")


def _check_directory(path: Path) -> None:
    """Check the central directory of a .zip before `zipfile` reads it: at the end of the file, and small.

    Raises:
        ValueError: The central directory is missing, zip64, too large, or not at the end of the file.
    """
    with path.open("rb") as stream:
        size = stream.seek(0, os.SEEK_END)
        stream.seek(max(0, size - LONGEST_END))
        tail = stream.read()
    # from the end, as zipfile searches it
    at = tail.rfind(b"PK\x05\x06")
    if at < 0 or len(tail) < at + 22:
        raise ValueError("no list of files at the end")
    entries, length, offset, comment = struct.unpack_from("<HIIH", tail, at + 10)
    if at + 22 + comment != len(tail):
        raise ValueError(f"{len(tail) - at - 22 - comment:,} bytes behind its end")
    if offset + length != size - len(tail) + at:
        raise ValueError("its list of files is not where its end says")
    if tail[max(0, at - 20) : at].startswith(b"PK\x06\x07"):
        raise ValueError("a zip64 list of files, which a bundle does not need")
    if entries > MOST_FILES or length > MOST_FILES * LONGEST_ENTRY:
        raise ValueError(f"a list of {entries:,} files in {length:,} bytes")


@contextmanager
def _open_zip(path: Path, found: Refusals) -> Iterator[zipfile.ZipFile | None]:
    try:
        _check_directory(path)
        archive = zipfile.ZipFile(path)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        found.refuse(RefusalKind.BROKEN_ZIP, f"the bundle cannot be read: {error}", str(path))
        yield None
        return
    with archive:
        yield archive


def _check_zip(archive: zipfile.ZipFile, path: Path, found: Refusals) -> ZipContents | None:
    entries = archive.infolist()
    before = len(found.refusals)
    if len(entries) > MOST_FILES:
        got = f"{len(entries):,}"
        found.refuse(
            RefusalKind.TOO_MANY_FILES, f"expected at most {MOST_FILES:,} files, got {got}", str(path)
        )
        return None
    for entry in entries:
        _check_entry(entry, found)
    _check_collisions([entry.orig_filename for entry in entries], found)
    _check_offsets(entries, archive, path, found)
    sizes = {entry.orig_filename: entry.file_size for entry in entries if not entry.is_dir()}
    _check_sizes(sizes, found)
    return ZipContents(archive=archive, sizes=sizes) if len(found.refusals) == before else None


def _check_entry(entry: zipfile.ZipInfo, found: Refusals) -> None:
    # not `filename`, which zipfile cuts at a NUL and converts on Windows
    name = entry.orig_filename
    if not check_name(name, found):
        return
    # the upper half holds the Unix mode; 0 from systems without one
    mode = entry.external_attr >> 16
    if stat.S_ISLNK(mode):
        found.refuse(RefusalKind.LINK, "expected a file, got a symbolic link", name)
    elif stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
        found.refuse(
            RefusalKind.SPECIAL_FILE, "expected a file, got something else (device, pipe, socket)", name
        )
    # bit 0 of the flags marks an encrypted entry
    if entry.flag_bits & 0x1:
        found.refuse(RefusalKind.ENCRYPTED, "the file is encrypted", name)
    if entry.compress_type not in DEFLATED:
        got = entry.compress_type
        found.refuse(RefusalKind.BROKEN_ZIP, f"expected a file stored or deflated, got method {got}", name)
    if entry.file_size > SMALL and entry.file_size > MOST_RATIO * max(1, entry.compress_size):
        ratio = entry.file_size // max(1, entry.compress_size)
        found.refuse(RefusalKind.ZIP_BOMB, f"expected a ratio of at most {MOST_RATIO}, got {ratio:,}", name)


def _check_offsets(
    entries: list[zipfile.ZipInfo], archive: zipfile.ZipFile, path: Path, found: Refusals
) -> None:
    """Refuse overlapping entries (a bomb without a high ratio), and bytes that belong to no entry.

    Bytes between entries, in extra fields or in comments would be in the submission and checked by nobody.
    """
    end = 0
    with path.open("rb") as stream:
        for entry in sorted(entries, key=lambda entry: entry.header_offset):
            name = entry.orig_filename
            if entry.header_offset < end:
                found.refuse(RefusalKind.ZIP_BOMB, "two files of the archive overlap", name)
                return
            if entry.header_offset > end:
                got = f"{entry.header_offset - end:,} bytes"
                found.refuse(RefusalKind.BROKEN_ZIP, f"the archive has {got} before this file", name)
            if entry.comment or len(entry.extra) > MOST_EXTRA:
                found.refuse(RefusalKind.BROKEN_ZIP, "the archive has a comment or a note on this file", name)
            end = _find_end_of_entry(stream, entry, found)
    if archive.start_dir != end:
        found.refuse(
            RefusalKind.BROKEN_ZIP,
            f"the archive has {archive.start_dir - end:,} bytes between its files and their list",
            str(path),
        )
    if archive.comment:
        found.refuse(RefusalKind.BROKEN_ZIP, "the archive has a comment behind its files", str(path))


def _find_end_of_entry(stream: IO[bytes], entry: zipfile.ZipInfo, found: Refusals) -> int:
    """Offset behind an entry: its header, content, and the record of its sizes if a stream was written."""
    stream.seek(entry.header_offset)
    header = stream.read(HEADER)
    if len(header) < HEADER:
        return entry.header_offset + entry.compress_size
    name, extra = (int(length) for length in struct.unpack_from("<HH", header, 26))
    if extra > MOST_EXTRA:
        found.refuse(RefusalKind.BROKEN_ZIP, "the archive has a note on this file", entry.orig_filename)
    end = entry.header_offset + HEADER + name + extra + entry.compress_size
    # bit 3: the sizes follow the content, with a signature or without one
    if not entry.flag_bits & 0x8:
        return end
    stream.seek(end)
    return end + (16 if stream.read(4) == b"PK\x07\x08" else 12)


def _check_collisions(names: list[str], found: Refusals) -> None:
    seen: dict[str, str] = {}
    for name in names:
        # a file system that ignores case would overwrite one with the other
        key = name.casefold()
        if seen.get(key) == name:
            found.refuse(RefusalKind.DUPLICATE_ENTRY, "the archive has this file twice", name)
        elif key in seen:
            found.refuse(
                RefusalKind.CASE_COLLISION,
                f"the name differs from {seen[key]!r} only in case",
                name,
            )
        seen[key] = name


def _check_sizes(sizes: Mapping[str, int], found: Refusals) -> None:
    total = 0
    for name, size in sizes.items():
        limit = size_limit(name)
        total += size
        if limit is not None and size > limit:
            found.refuse(RefusalKind.TOO_LARGE, f"expected at most {limit:,} bytes, got {size:,}", name)
    if total > TOTAL_LIMIT:
        got = f"{total:,}"
        found.refuse(RefusalKind.TOO_LARGE, f"expected at most {TOTAL_LIMIT:,} bytes in all, got {got}", "")
