"""In-memory storage of the phone, sufficient for dumps, screenshots, push and pull."""

from __future__ import annotations

import posixpath
import random
import stat
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

CAPACITY = 256 << 20
"""Largest total size of all files, bytes; beyond it: "No space left on device"."""

MAX_FILES = 20_000
"""Largest number of files and folders; beyond it: "No space left on device"."""

_FOLDERS = (
    "/sdcard/Android",
    "/sdcard/DCIM/Camera",
    "/sdcard/Documents",
    "/sdcard/Download",
    "/sdcard/Movies",
    "/sdcard/Music",
    "/sdcard/Pictures/Screenshots",
    "/data/local/tmp",
    "/dev",
    "/storage/emulated",
    "/system/bin",
)
DEVICES = ("/dev/null", "/dev/random", "/dev/urandom", "/dev/zero")
"""Devices among the files: what is written to one is lost; all but the first can be read without end."""

DEVICE_BYTES = 64 * 1024
"""Number of bytes that one reading of an endless device gives."""

_SYSTEM_TIME = 1735689600  # 2025-01-01, as ro.build.date.utc
_WRITABLE = ("/sdcard", "/data/local/tmp")
_ALIASES = ("/storage/emulated/0", "/storage/self/primary", "/mnt/sdcard")


class FileError(Exception):
    """Error with the kernel's message: "No such file or directory", ..."""


class WriteError(FileError):
    """A command's output cannot be written to a file."""


@dataclass(slots=True, kw_only=True)
class FileEntry:
    """A file or a folder.

    Args:
        mode: Type and permission bits, as in `stat`.
        changed: Modification time, seconds since 1970.
        data: Content of a file; empty for folders.
    """

    mode: int
    changed: int
    data: bytearray = field(default_factory=bytearray)

    @property
    def is_folder(self) -> bool:
        """Whether the entry is a folder."""
        return stat.S_ISDIR(self.mode)


class FileSystem:
    """File tree under `/`; only `/sdcard` and `/data/local/tmp` are writable.

    Args:
        system: Path -> content of the system's files, which is made each time it is read.
    """

    def __init__(self, system: Mapping[str, Callable[[], str]] | None = None) -> None:
        self._entries: dict[str, FileEntry] = {"/": _folder()}
        self._size = 0
        self._system = system or {}
        self._processes: Callable[[], Mapping[str, str]] = dict
        self._of_processes: list[str] = []
        for path in _FOLDERS:
            self._make_folders(path)
        for path in self._system:
            self._make_folders(posixpath.dirname(path))
            mode = 0o755 if path.startswith("/system/bin/") else 0o444
            self._entries[path] = FileEntry(mode=stat.S_IFREG | mode, changed=_SYSTEM_TIME)
        for path in DEVICES:
            self._entries[path] = FileEntry(mode=stat.S_IFCHR | 0o666, changed=_SYSTEM_TIME)
        # the same in each run, and never the same again within one
        self._random = random.Random(0)  # noqa: S311

    def show_processes(self, files: Callable[[], Mapping[str, str]]) -> None:
        """Set what lists the files of running processes, all below /proc: path -> content."""
        self._processes = files

    def _renew_processes(self) -> None:
        for path in self._of_processes:
            del self._entries[path]
        before = set(self._entries)
        for path, content in self._processes().items():
            self._make_folders(posixpath.dirname(path))
            mode = stat.S_IFREG | 0o444
            self._entries[path] = FileEntry(mode=mode, changed=_SYSTEM_TIME, data=bytearray(content.encode()))
        self._of_processes = [path for path in self._entries if path not in before]

    def get(self, path: str) -> FileEntry | None:
        """The entry at a path."""
        name = _normalize(path)
        if name == "/proc" or name.startswith("/proc/"):
            self._renew_processes()
        entry = self._entries.get(name)
        if entry is not None and name in self._system:
            entry.data = bytearray(self._system[name]().encode())
        return entry

    def find(self, path: str) -> FileEntry:
        """Return the entry at a path.

        Raises:
            FileError: The path does not exist.
        """
        entry = self.get(path)
        if entry is None:
            raise FileError("No such file or directory")
        return entry

    def read(self, path: str) -> bytearray:
        """Return the content of a file; callers must not change it.

        Raises:
            FileError: The file does not exist, or is a folder.
        """
        entry = self.find(path)
        if entry.is_folder:
            raise FileError("Is a directory")
        if self.read_device(path):
            raise FileError("Out of memory")
        return entry.data

    def read_device(self, path: str) -> bytes | None:
        """The next bytes of an endless device; None for any other path."""
        name = _normalize(path)
        if name not in DEVICES[1:]:
            return None
        return bytes(DEVICE_BYTES) if name == "/dev/zero" else self._random.randbytes(DEVICE_BYTES)

    def names(self, path: str) -> list[str]:
        """Sorted names of the entries in a folder.

        Raises:
            FileError: The folder does not exist, or is a file.
        """
        folder = _normalize(path).rstrip("/") + "/"
        if not self.find(path).is_folder:
            raise FileError("Not a directory")
        inside = (name[len(folder) :] for name in self._entries if name.startswith(folder))
        return sorted(name for name in inside if name and "/" not in name)

    def walk(self, path: str) -> list[tuple[str, FileEntry]]:
        """A file, or a folder with all that is in it, sorted: (path below `path`, entry) pairs.

        Raises:
            FileError: The path does not exist.
        """
        entry = self.find(path)
        found = [("", entry)]
        if entry.is_folder:
            for name in self.names(path):
                found += [(f"/{name}{rest}", inner) for rest, inner in self.walk(posixpath.join(path, name))]
        return found

    @property
    def size(self) -> int:
        """Total size of all files, bytes."""
        return self._size

    def write(
        self, path: str, data: bytes | bytearray, *, mode: int = 0o660, changed: int | None = None
    ) -> None:
        """Write a file and its parent folders; an existing file is replaced.

        Raises:
            FileError: The path is not writable or a folder, or the storage is full.
        """
        if _normalize(path) in DEVICES:
            return
        name = self._check_writable(path)
        before = self._entries.get(name)
        if before and before.is_folder:
            raise FileError("Is a directory")
        self.check_room(len(data) - (len(before.data) if before else 0))
        self._make_folders(posixpath.dirname(name))
        self._entries[name] = FileEntry(
            mode=stat.S_IFREG | (mode & 0o777),
            changed=int(time.time()) if changed is None else changed,
            data=bytearray(data) if isinstance(data, bytes) else data,
        )
        self._size += len(data) - (len(before.data) if before else 0)

    def append(self, path: str, data: bytes, *, truncate: bool = False) -> None:
        """Append to a file, which is created if it does not exist; with `truncate` it is emptied first.

        Raises:
            FileError: The path is not writable or a folder, or the storage is full.
        """
        if _normalize(path) in DEVICES:
            return
        entry = self._entries.get(self._check_writable(path))
        if entry is None or truncate or entry.is_folder:
            self.write(path, data, mode=entry.mode & 0o777 if entry else 0o660)
            return
        self.check_room(len(data))
        entry.data += data
        entry.changed = int(time.time())
        self._size += len(data)

    def check_room(self, more: int) -> None:
        """Check that `more` bytes fit into the storage.

        Raises:
            FileError: The storage is full.
        """
        if self._size + more > CAPACITY or len(self._entries) >= MAX_FILES:
            raise FileError("No space left on device")

    def make_folder(self, path: str, *, parents: bool = False) -> None:
        """Create a folder, with `parents` also its parent folders.

        Raises:
            FileError: It exists already (without `parents`), or cannot be created.
        """
        name = self._check_writable(path)
        if name in self._entries:
            if parents and self._entries[name].is_folder:
                return
            raise FileError("File exists")
        if not parents and posixpath.dirname(name) not in self._entries:
            raise FileError("No such file or directory")
        self.check_room(0)
        self._make_folders(name)

    def remove(self, path: str, *, recursive: bool = False) -> None:
        """Remove a file, with `recursive` also a folder with its content.

        Raises:
            FileError: The path does not exist, is a folder (without `recursive`), or cannot be removed.
        """
        entry, name = self.find(path), self._check_writable(path)
        if entry.is_folder and not recursive:
            raise FileError("Is a directory")
        if name in _WRITABLE:
            raise FileError("Permission denied")
        for inside in [key for key in self._entries if key == name or key.startswith(name + "/")]:
            self._size -= len(self._entries.pop(inside).data)

    def same(self, one: str, other: str) -> bool:
        """Whether two paths name the same place; /sdcard has several names."""
        return _normalize(one) == _normalize(other)

    def _check_writable(self, path: str) -> str:
        name = _normalize(path)
        if not any(name == root or name.startswith(root + "/") for root in _WRITABLE):
            raise FileError("Read-only file system")
        return name

    def _make_folders(self, path: str) -> None:
        name = ""
        for part in path.strip("/").split("/"):
            name += "/" + part
            if not self._entries.setdefault(name, _folder()).is_folder:
                raise FileError("Not a directory")


def _folder() -> FileEntry:
    return FileEntry(mode=stat.S_IFDIR | 0o771, changed=int(time.time()))


def _normalize(path: str) -> str:
    name = posixpath.normpath("/" + path.lstrip("/"))
    for alias in _ALIASES:
        if name == alias or name.startswith(alias + "/"):
            return "/sdcard" + name[len(alias) :]
    return name
