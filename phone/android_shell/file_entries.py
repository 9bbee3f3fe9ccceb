"""Entries of a file system: files, folders, symbolic links and devices."""

from __future__ import annotations

import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

BLOCK = 4096
"""Bytes of a block of the storage; a file takes whole blocks."""

SECOND = 1_000_000_000
"""Nanoseconds of a second."""

USERS = {
    0: "root",
    1000: "system",
    1004: "input",
    1007: "log",
    1023: "media_rw",
    2000: "shell",
    10145: "u0_a145",
}
"""Number of a user or a group -> its name, for those that own files."""

SHELL_USER, MEDIA_USER, MEDIA_GROUP = 2000, 10145, 1023
"""Users that own files: that of the shell, and the media provider's with its group, which own /sdcard."""


@dataclass(slots=True, kw_only=True)
class FileEntry:
    """A file, a folder, a symbolic link or a device.

    Args:
        mode: Type and permission bits, as in `stat`.
        modified: Time of the last change of the content, nanoseconds since 1970.
        accessed: Time of the last access; the storage is mounted without notes of them.
        altered: Time of the last change of the content or of the mode, the name and the like.
        number: Number of the entry, as `ls -i` prints it.
        owner: User that owns it.
        group: Group that owns it.
        data: Content of a file; a link's target; empty for folders.
        children: Entries of a folder by name.
        source: Makes the content of a system file each time it is read.
        device: Numbers of the driver and of the device, of a device.
        virtual: Whether the kernel makes the file, which then has no size.
    """

    mode: int
    modified: int = 0
    accessed: int = 0
    altered: int = 0
    number: int = 0
    owner: int = 0
    group: int = 0
    data: bytearray = field(default_factory=bytearray)
    children: dict[str, FileEntry] = field(default_factory=dict)
    source: Callable[[], str] | None = None
    device: tuple[int, int] = (0, 0)
    virtual: bool = False

    @property
    def is_folder(self) -> bool:
        """Whether the entry is a folder."""
        return stat.S_ISDIR(self.mode)

    @property
    def is_link(self) -> bool:
        """Whether the entry is a symbolic link."""
        return stat.S_ISLNK(self.mode)

    @property
    def target(self) -> str:
        """Path that a link points to."""
        return self.data.decode("utf-8", "surrogateescape")

    @property
    def changed(self) -> int:
        """Time of the last change of the content, whole seconds since 1970."""
        return self.modified // SECOND

    @property
    def size(self) -> int:
        """Size as `stat` gives it, bytes."""
        if self.virtual:
            return 0
        return BLOCK if self.is_folder else len(self.data)

    @property
    def blocks(self) -> int:
        """Number of blocks of 512 bytes that the entry takes."""
        return 0 if self.virtual or self.is_link else -(-self.size // BLOCK) * 8

    @property
    def links(self) -> int:
        """Number of names of the entry: a folder is also named by itself and by the folders in it."""
        return 2 + sum(child.is_folder for child in self.children.values()) if self.is_folder else 1

    @property
    def user_name(self) -> str:
        """Name of the user that owns it."""
        return USERS.get(self.owner, str(self.owner))

    @property
    def group_name(self) -> str:
        """Name of the group that owns it."""
        return USERS.get(self.group, str(self.group))

    def read(self) -> bytearray:
        """Return the content; a system file's is made anew."""
        if self.source is not None:
            self.data = bytearray(self.source().encode())
        return self.data


def walk_entries(path: str, entry: FileEntry) -> Iterator[tuple[str, FileEntry]]:
    """Yield an entry with all that is in it, sorted, each with its path."""
    # with a stack of its own: folders may be nested deeper than Python's calls
    pending = [(path, entry)]
    while pending:
        place, one = pending.pop()
        yield place, one
        pending += [(f"{place}/{name}", inner) for name, inner in sorted(one.children.items(), reverse=True)]
