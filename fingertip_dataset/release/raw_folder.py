"""Safe access to the files of a raw release: file kinds are checked, and links out of it not followed."""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from fingertip_dataset.errors import ReleaseError
from fingertip_dataset.release.problems import Problem, ProblemKind

_SYSTEM_FILES = frozenset({"Thumbs.db", "desktop.ini", "__MACOSX"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """Sorted names of a folder's content, without hidden files.

    Attributes:
        files: Regular files whose names are UTF-8.
        folders: Folders of any name.
        outside: Links whose target is outside of the release.
        others: Neither file nor folder (a pipe, a socket, a dead link), or a file whose name is not UTF-8.
        error: Reason why the folder cannot be listed.
    """

    files: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    error: str | None = None

    def names(self) -> frozenset[str]:
        """Return the names of everything in the folder."""
        return frozenset((*self.files, *self.folders, *self.outside, *self.others))

    def without(self, names: Collection[str]) -> Listing:
        """Return a copy without some folders and links."""
        left_out = frozenset(names)
        return replace(
            self,
            folders=tuple(name for name in self.folders if name not in left_out),
            outside=tuple(name for name in self.outside if name not in left_out),
        )

    def problems(self, folder: str, episode_id: str | None = None) -> Iterator[Problem]:
        """Yield the problems of unusable content; `folder` is the folder's path relative to the release."""
        if self.error is not None:
            detail = f"expected a folder that can be listed, got {self.error}"
            yield Problem(
                kind=ProblemKind.UNREADABLE_FILE, detail=detail, file=folder or None, episode_id=episode_id
            )
        for names, kind, detail in (
            (
                self.outside,
                ProblemKind.LINK_OUTSIDE,
                "expected a file of the release, got a link that leaves it",
            ),
            (self.others, ProblemKind.UNREADABLE_FILE, "expected a regular file with a UTF-8 name"),
        ):
            for name in names:
                yield Problem(
                    kind=kind, detail=detail, file=f"{folder}/{name}".lstrip("/"), episode_id=episode_id
                )


@dataclass(frozen=True, slots=True)
class RawFolder:
    """Root folder of a release.

    Attributes:
        root: Absolute path without links.
        blobs: Folder of the file contents, for a release in the Hub's cache, where every file is a link into
            a folder next to the snapshots; such links count as inside the release. None elsewhere.
    """

    root: str
    blobs: str | None = None

    @classmethod
    def open(cls, path: Path) -> RawFolder:
        """Open the folder at `path`, which may itself be a link."""
        # resolved once, so that links are compared with the real root
        root = Path(os.path.realpath(path))
        # a download of the Hub: its files are links to a folder blobs beside snapshots
        snapshots = next((parent for parent in root.parents if parent.name == "snapshots"), None)
        blobs = snapshots.parent / "blobs" if snapshots else None
        return cls(str(root), str(blobs) if blobs and blobs.is_dir() else None)

    def path(self, relative: str) -> str:
        """Return the absolute path of a path relative to the release."""
        return f"{self.root}/{relative}" if relative else self.root

    def list(self, relative: str = "") -> Listing:
        """List a folder."""
        files: list[str] = []
        folders: list[str] = []
        outside: list[str] = []
        others: list[str] = []
        by_kind = {"file": files, "folder": folders, "outside": outside, "other": others}
        try:
            with os.scandir(self.path(relative)) as entries:
                for entry in entries:
                    # left by file managers and archives; no part of a release
                    if not entry.name.startswith(".") and entry.name not in _SYSTEM_FILES:
                        by_kind[self._find_kind(entry)].append(entry.name)
        except OSError as error:
            return Listing(error=reason(error))
        return Listing(
            files=tuple(sorted(files)),
            folders=tuple(sorted(folders)),
            outside=tuple(sorted(outside)),
            others=tuple(sorted(others)),
        )

    def holds(self, path: str) -> bool:
        """Whether the target of a link lies inside the release."""
        # the slash: /data/raw2 is not inside /data/raw
        target = f"{os.path.realpath(path)}/"
        roots = (self.root, self.blobs) if self.blobs else (self.root,)
        return any(target.startswith(f"{root.rstrip('/')}/") for root in roots)

    def _find_kind(self, entry: os.DirEntry[str]) -> str:
        try:
            if entry.is_symlink() and not self.holds(entry.path):
                return "outside"
            if entry.is_file():
                return "file" if is_utf8(entry.name) else "other"
            return "folder" if entry.is_dir() else "other"
        except OSError:
            return "other"


def is_utf8(name: str) -> bool:
    """Whether a file's name is valid UTF-8."""
    if name.isascii():
        return True
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def reason(error: OSError) -> str:
    """Return the system's description of an error."""
    return (error.strerror or type(error).__name__).lower()


def read_file(path: str, limit: int) -> bytes:
    """Read a regular file; a pipe or a device is refused without blocking.

    Args:
        path: Absolute path.
        limit: Maximum size in bytes; a larger file is refused unread.

    Raises:
        ReleaseError: The file cannot be opened, is not regular, or is larger than the limit.
    """
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            status = os.fstat(handle)
            if not stat.S_ISREG(status.st_mode):
                raise ReleaseError("expected a regular file, got another kind")
            if status.st_size > limit:
                raise ReleaseError(f"expected at most {limit} bytes, got {status.st_size}")
            return _read_all(handle, status.st_size)
        finally:
            os.close(handle)
    except OSError as error:
        raise ReleaseError(f"expected a file that can be read, got {reason(error)}") from error
    except ValueError as error:
        raise ReleaseError("expected a file that can be read, got a name with a NUL") from error


def _read_all(handle: int, size: int) -> bytes:
    """Read `size` bytes, or fewer if the file has shrunk meanwhile; nearly always in one call."""
    data = os.read(handle, size)
    while 0 < len(data) < size:
        more = os.read(handle, size - len(data))
        if not more:
            break
        data += more
    return data
