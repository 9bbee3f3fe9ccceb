"""Paths of a file system: where they lead, through folders and links, and who may go there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from android_shell.file_entries import MEDIA_USER, SHELL_USER, FileEntry

SHARED = "/storage/emulated/0"
"""Folder of the shared storage, which /sdcard links to: modes and owners are the same for all in it."""

MAX_LINKS, MAX_NAME, MAX_PATH = 40, 255, 4096
"""Largest number of links that a path goes through, and lengths of a name and of a path, as in the kernel."""

READ, WRITE, ENTER = 4, 2, 1
"""Permissions, as bits of a mode."""

_SHELL_GROUPS = {SHELL_USER, 1004, 1007, 1011, 1015, 1028, 3001, 3002, 3003, 3006}


class FileError(Exception):
    """Error with the kernel's message: "No such file or directory", ..."""


class WriteError(FileError):
    """A command's output cannot be written to a file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedPath:
    """Where a path leads: a folder, a name in it, and what is there.

    Attributes:
        folder: The folder; of `/` itself.
        name: The name in it; "" for `/`.
        entry: The entry; None if there is none.
        path: The path without links.
    """

    folder: FileEntry
    name: str
    entry: FileEntry | None
    path: str

    @property
    def is_shared(self) -> bool:
        """Whether the place is in the shared storage."""
        return self.path == SHARED or self.path.startswith(SHARED + "/")


def resolve_path(
    root: FileEntry, path: str, *, follow: bool = True, renew: Callable[[], None] = lambda: None
) -> ResolvedPath:
    """Return where an absolute path leads.

    Args:
        root: The folder `/`.
        path: The path; "" leads nowhere.
        follow: Whether a link at its end is followed.
        renew: Called before the processes in /proc are looked at.

    Raises:
        FileError: A folder on the way is missing, closed or no folder.
    """
    if not path or len(path) > MAX_PATH:
        raise FileError("File name too long" if path else "No such file or directory")
    must_be_folder = path.endswith(("/", "/.", "/.."))
    ahead = _split_path(path)
    trail, links = [("", root)], 0
    while ahead:
        part, folder = ahead.pop(), trail[-1][1]
        if not folder.is_folder:
            raise FileError("Not a directory")
        check_access(folder, ENTER)
        if part == "..":
            del trail[max(1, len(trail) - 1) :]
            continue
        if len(part.encode("utf-8", "surrogateescape")) > MAX_NAME:
            raise FileError("File name too long")
        if folder is root and part == "proc" and _names_process(ahead):
            renew()
        entry = folder.children.get(part)
        if entry is None:
            if ahead:
                raise FileError("No such file or directory")
            return ResolvedPath(folder=folder, name=part, entry=None, path=_join_trail(trail, part))
        if entry.is_link and (ahead or follow or must_be_folder):
            links += 1
            if links > MAX_LINKS:
                raise FileError("Too many symbolic links encountered")
            if entry.target.startswith("/"):
                del trail[1:]
            ahead += _split_path(entry.target)
            continue
        trail.append((part, entry))
    name, entry = trail[-1]
    if must_be_folder and not entry.is_folder:
        raise FileError("Not a directory")
    return ResolvedPath(
        folder=trail[max(0, len(trail) - 2)][1], name=name, entry=entry, path=_join_trail(trail)
    )


def _names_process(ahead: list[str]) -> bool:
    """Whether what is below /proc is that of processes: all of it, a number, or the reader itself."""
    return not ahead or ahead[-1].isdecimal() or ahead[-1] in ("self", "..")


def _split_path(path: str) -> list[str]:
    """Names of a path, the last one first."""
    return [part for part in reversed(path.split("/")) if part not in ("", ".")]


def _join_trail(trail: list[tuple[str, FileEntry]], *more: str) -> str:
    return "/" + "/".join([name for name, _ in trail[1:]] + list(more))


def check_access(entry: FileEntry, permission: int) -> None:
    """Check that the shell's user has a permission.

    Raises:
        FileError: It has not.
    """
    shift = 6 if entry.owner == SHELL_USER else 3 if entry.group in _SHELL_GROUPS else 0
    # the shared storage decides by the kind of app, and the shell may do all
    if not (entry.mode >> shift) & permission and entry.owner != MEDIA_USER:
        raise FileError("Permission denied")
