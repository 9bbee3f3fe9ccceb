"""In-memory storage of the phone, sufficient for dumps, screenshots, push and pull."""

from __future__ import annotations

import posixpath
import random
import stat
import string
import time
from collections.abc import Callable, Mapping

from android_shell.file_entries import MEDIA_GROUP, MEDIA_USER, SECOND, SHELL_USER, FileEntry, walk_entries
from android_shell.file_layout import (
    CLOSED,
    DEVICES,
    FOLDERS,
    INPUT_DEVICES,
    INPUT_GROUP,
    LINKS,
    MEDIA,
    NUMBERS,
    SCRATCH,
)
from android_shell.file_paths import (
    READ,
    SHARED,
    WRITE,
    FileError,
    ResolvedPath,
    WriteError,
    check_access,
    resolve_path,
)

__all__ = ["CAPACITY", "DEVICES", "SCRATCH", "SHARED", "FileEntry", "FileError", "FileSystem", "WriteError"]

CAPACITY = 256 << 20
"""Largest total size of all files, bytes; beyond it: "No space left on device"."""

MAX_FILES = 20_000
"""Largest number of files and folders; beyond it: "No space left on device"."""

DEVICE_BYTES = 64 * 1024
"""Number of bytes that one reading of an endless device gives."""

_SYSTEM_TIME = 1735689600 * SECOND  # 2025-01-01, as ro.build.date.utc
_LETTERS = string.ascii_letters + string.digits
_WRITABLE = ("data", "dev", "proc", "storage", "sys")


class FileSystem:
    """File tree under `/`; only the shared storage and `/data/local/tmp` are writable.

    Args:
        system: Path -> content of the system's files, which is made each time it is read.
        clock: Gives the time, seconds since 1970.
    """

    def __init__(
        self,
        system: Mapping[str, Callable[[], str]] | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._clock = clock
        self._last_time = 0
        self._last_number = 0
        self._count = 0
        self._size = 0
        self._root = self._make_entry(stat.S_IFDIR | 0o755, _SYSTEM_TIME)
        self._processes: Callable[[], Mapping[str, str]] = dict
        self._of_processes: list[str] = []
        for path in (*FOLDERS, *(f"{SHARED}/{name}" for name in MEDIA)):
            self._make_system_folder(path)
        for path, target in LINKS.items():
            self._add_system_entry(path, stat.S_IFLNK | 0o777).data += target.encode()
        for path, content in (system or {}).items():
            mode = 0o755 if path.startswith("/system/bin/") else 0o444
            entry = self._add_system_entry(path, stat.S_IFREG | mode)
            entry.source, entry.virtual = content, path.startswith(("/proc/", "/sys/"))
        for path, numbers in zip(DEVICES, NUMBERS, strict=True):
            self._add_system_entry(path, stat.S_IFCHR | 0o666).device = numbers
        for number in range(INPUT_DEVICES):
            entry = self._add_system_entry(f"/dev/input/event{number}", stat.S_IFCHR | 0o660)
            entry.group, entry.device = INPUT_GROUP, (13, 64 + number)
        # the same in each run, and never the same again within one
        self._random = random.Random(0)  # noqa: S311

    # ---- what the phone comes with

    def _make_entry(
        self, mode: int, moment: int | None = None, *, owner: int = 0, group: int = 0
    ) -> FileEntry:
        self._last_number += 1
        self._count += 1
        when = self.now() if moment is None else moment
        return FileEntry(
            mode=mode,
            modified=when,
            accessed=when,
            altered=when,
            number=self._last_number,
            owner=owner,
            group=group,
        )

    def _make_system_folder(self, path: str) -> FileEntry:
        folder, at = self._root, ""
        for part in path.split("/")[1:] if path != "/" else ():
            at += "/" + part
            if part not in folder.children:
                made = self._make_entry(stat.S_IFDIR | CLOSED.get(at, 0o755), _SYSTEM_TIME)
                if at.startswith(SHARED):
                    made.mode, made.owner, made.group = stat.S_IFDIR | 0o2770, MEDIA_USER, MEDIA_GROUP
                elif at == SCRATCH:
                    made.mode, made.owner, made.group = stat.S_IFDIR | 0o771, SHELL_USER, SHELL_USER
                folder.children[part] = made
            folder = folder.children[part]
        return folder

    def _add_system_entry(self, path: str, mode: int) -> FileEntry:
        folder, name = posixpath.split(path)
        entry = self._make_entry(mode, _SYSTEM_TIME)
        self._make_system_folder(folder).children[name] = entry
        return entry

    def show_processes(self, files: Callable[[], Mapping[str, str]]) -> None:
        """Set what lists the files of running processes, all below /proc: path -> content."""
        self._processes = files

    def _renew_processes(self) -> None:
        proc = self._root.children["proc"]
        for name in self._of_processes:
            proc.children.pop(name, None)
        before, count = set(proc.children), self._count
        for path, content in self._processes().items():
            entry = self._add_system_entry(path, stat.S_IFREG | 0o444)
            entry.data, entry.virtual = bytearray(content.encode()), True
        self._of_processes = [name for name in proc.children if name not in before]
        # they take no storage
        self._count = count

    # ---- the clock

    def now(self) -> int:
        """The time of a change, nanoseconds since 1970: later than that of the change before it."""
        moment = int(self._clock() * SECOND)
        # a simulated clock stands still between two commands
        if moment <= self._last_time < moment + SECOND:
            moment = self._last_time + 1
        self._last_time = moment
        return moment

    # ---- paths

    def resolve(self, path: str, *, follow: bool = True) -> ResolvedPath:
        """Return where an absolute path leads.

        Args:
            path: The path; "" leads nowhere.
            follow: Whether a link at its end is followed.

        Raises:
            FileError: A folder on the way is missing, closed or no folder.
        """
        return resolve_path(self._root, path, follow=follow, renew=self._renew_processes)

    def get(self, path: str, *, follow: bool = True) -> FileEntry | None:
        """The entry at a path; None if there is none that the shell can see."""
        try:
            entry = self.resolve(path, follow=follow).entry
        except FileError:
            return None
        if entry is not None:
            entry.read()
        return entry

    def find(self, path: str, *, follow: bool = True) -> FileEntry:
        """Return the entry at a path.

        Raises:
            FileError: The path does not exist.
        """
        entry = self.resolve(path, follow=follow).entry
        if entry is None:
            raise FileError("No such file or directory")
        entry.read()
        return entry

    def same(self, one: str, other: str) -> bool:
        """Whether two paths name the same place; /sdcard has several names."""
        return self.resolve(one).path == self.resolve(other).path

    # ---- reading

    def read(self, path: str) -> bytearray:
        """Return the content of a file; callers must not change it.

        Raises:
            FileError: The file does not exist, may not be read, or is a folder.
        """
        entry = self.find(path)
        check_access(entry, READ)
        if entry.is_folder:
            raise FileError("Is a directory")
        if self.read_device(path):
            raise FileError("Out of memory")
        if stat.S_ISCHR(entry.mode) and self._find_device(path) != DEVICES[0]:
            # its events would never end; `getevent` has them
            raise FileError("Permission denied")
        return entry.data

    def read_device(self, path: str) -> bytes | None:
        """The next bytes of an endless device; None for any other path."""
        if "/dev/" not in path or self._find_device(path) not in DEVICES[1:]:
            return None
        return bytes(DEVICE_BYTES) if path.endswith("zero") else self._random.randbytes(DEVICE_BYTES)

    def _find_device(self, path: str) -> str:
        try:
            return self.resolve(path).path
        except FileError:
            return ""

    def list_folder(self, path: str) -> list[tuple[str, FileEntry]]:
        """Sorted names of a folder with their entries.

        Raises:
            FileError: The folder does not exist, may not be read, or is a file.
        """
        entry = self.find(path)
        if not entry.is_folder:
            raise FileError("Not a directory")
        check_access(entry, READ)
        return sorted(entry.children.items())

    def names(self, path: str) -> list[str]:
        """Sorted names of the entries in a folder.

        Raises:
            FileError: The folder does not exist, may not be read, or is a file.
        """
        return [name for name, _ in self.list_folder(path)]

    def walk(self, path: str) -> list[tuple[str, FileEntry]]:
        """A file, or a folder with all that is in it, sorted: (path below `path`, entry) pairs.

        Raises:
            FileError: The path does not exist.
        """
        return list(walk_entries("", self.find(path)))

    @property
    def size(self) -> int:
        """Total size of all files, bytes."""
        return self._size

    # ---- writing

    def _find_for_writing(self, path: str, *, follow: bool = True) -> ResolvedPath:
        """Where a name is made, changed or removed.

        Raises:
            FileError: Its folder is missing or read-only.
        """
        place = self.resolve(path, follow=follow)
        top = place.path.split("/")[1]
        if top not in _WRITABLE:
            raise FileError("Read-only file system")
        return place

    def _find_room(self, path: str, *, follow: bool = True) -> ResolvedPath:
        """Where an entry may be added or removed."""
        place = self._find_for_writing(path, follow=follow)
        check_access(place.folder, WRITE)
        return place

    def _add(self, place: ResolvedPath, kind: int, mode: int) -> FileEntry:
        self.check_room(0)
        shared = place.is_shared
        bits = (0o2770 if kind == stat.S_IFDIR else 0o660) if shared else mode & 0o7777
        owner, group = (MEDIA_USER, MEDIA_GROUP) if shared else (SHELL_USER, SHELL_USER)
        entry = self._make_entry(kind | bits, owner=owner, group=group)
        place.folder.children[place.name] = entry
        self._touch_folder(place.folder)
        return entry

    def _touch_folder(self, folder: FileEntry) -> None:
        folder.modified = folder.altered = self.now()

    def write(
        self,
        path: str,
        data: bytes | bytearray,
        *,
        mode: int = 0o666,
        changed: int | None = None,
        parents: bool = False,
    ) -> None:
        """Write a file; the content of an existing one is replaced.

        Args:
            path: The path.
            data: The content.
            mode: Mode of a new file.
            changed: Time of its last change, seconds since 1970; None for now.
            parents: Whether its parent folders are made, too.

        Raises:
            FileError: The path is not writable or a folder, or the storage is full.
        """
        if parents:
            self.make_folder(posixpath.dirname(path), parents=True)
        entry = self._open_file(path, mode)
        if entry is None:
            return
        self.check_room(len(data) - len(entry.data), more=0)
        self._size += len(data) - len(entry.data)
        entry.data = bytearray(data) if isinstance(data, bytes) else data
        entry.modified = entry.altered = self.now()
        if changed is not None:
            entry.modified = entry.accessed = changed * SECOND

    def _open_file(self, path: str, mode: int) -> FileEntry | None:
        """The file that is written, which is made; None for a device, where all is lost."""
        place = self.resolve(path)
        if place.path in DEVICES:
            return None
        if place.entry is not None and stat.S_ISCHR(place.entry.mode):
            raise FileError("Permission denied")
        if place.entry is not None and place.entry.is_folder:
            raise FileError("Is a directory")
        self._find_for_writing(path)
        if place.entry is not None:
            check_access(place.entry, WRITE)
            return place.entry
        if path.endswith("/"):
            raise FileError("Is a directory")
        return self._add(self._find_room(path), stat.S_IFREG, mode)

    def append(self, path: str, data: bytes, *, truncate: bool = False, mode: int = 0o666) -> None:
        """Append to a file, which is created if it does not exist; with `truncate` it is emptied first.

        Raises:
            FileError: The path is not writable or a folder, or the storage is full.
        """
        entry = self._open_file(path, mode)
        if entry is None:
            return
        self.check_room(len(data), more=0)
        if truncate:
            self._size -= len(entry.data)
            entry.data = bytearray()
        if data or truncate:
            entry.data += data
            entry.modified = entry.altered = self.now()
        self._size += len(data)

    def make_name(self, size: int) -> str:
        """Return letters for the name of a temporary file, never the same again."""
        return "".join(self._random.choice(_LETTERS) for _ in range(size))

    def check_room(self, size: int, *, more: int = 1) -> None:
        """Check that `size` more bytes and `more` entries fit into the storage.

        Raises:
            FileError: The storage is full.
        """
        if self._size + size > CAPACITY or self._count + more > MAX_FILES:
            raise FileError("No space left on device")

    def make_folder(self, path: str, *, parents: bool = False, mode: int = 0o777) -> None:
        """Create a folder, with `parents` also its parent folders.

        Raises:
            FileError: It exists already (without `parents`), or cannot be created.
        """
        if parents:
            parent = posixpath.dirname(path.rstrip("/"))
            if parent not in ("", "/"):
                self.make_folder(parent, parents=True, mode=mode)
            entry = self.resolve(path.rstrip("/") or "/").entry
            if entry is not None and entry.is_folder:
                return
        place = self.resolve(path.rstrip("/") or "/", follow=parents)
        if place.entry is not None:
            raise FileError("File exists")
        self._add(self._find_room(path.rstrip("/")), stat.S_IFDIR, mode)

    def make_link(self, target: str, path: str) -> None:
        """Create a symbolic link.

        Raises:
            FileError: The path exists already, or links cannot be made there.
        """
        place = self._find_room(path, follow=False)
        if place.entry is not None:
            raise FileError("File exists")
        if place.is_shared:
            raise FileError("Function not implemented")
        self._add(place, stat.S_IFLNK, 0o777).data += target.encode("utf-8", "surrogateescape")

    def remove(self, path: str, *, recursive: bool = False, folder: bool = False) -> None:
        """Remove a file or a link, with `recursive` also a folder with its content.

        Args:
            path: The path.
            recursive: Whether a folder is removed with its content.
            folder: Whether it has to be an empty folder, as with rmdir(2).

        Raises:
            FileError: The path does not exist, is a folder, or cannot be removed.
        """
        entry = self.find(path, follow=False)
        place = self._find_room(path, follow=False)
        if place.path in (SHARED, SCRATCH):
            raise FileError("Device or resource busy" if place.path == SHARED else "Permission denied")
        if folder and not entry.is_folder:
            raise FileError("Not a directory")
        if folder and entry.children:
            raise FileError("Directory not empty")
        if entry.is_folder and not recursive and not folder:
            raise FileError("Is a directory")
        del place.folder.children[place.name]
        self._forget(entry)
        self._touch_folder(place.folder)

    def _forget(self, entry: FileEntry) -> None:
        for _, one in walk_entries("", entry):
            self._size -= 0 if one.is_link else len(one.data)
            self._count -= 1

    def rename(self, path: str, new: str) -> None:
        """Move an entry as the kernel does: a file or an empty folder at the new place is replaced.

        Raises:
            FileError: One of the places cannot be changed, or a folder would be within itself.
        """
        entry = self.find(path, follow=False)
        source, target = self._find_room(path, follow=False), self._find_room(new.rstrip("/"), follow=False)
        if target.path == source.path or target.entry is entry:
            return
        if source.path in (SHARED, SCRATCH):
            raise FileError("Device or resource busy" if source.is_shared else "Permission denied")
        if target.path.startswith(source.path + "/"):
            raise FileError("Invalid argument")
        if source.is_shared != target.is_shared:
            raise FileError("Cross-device link")
        if target.entry is not None:
            _check_replacement(entry, target.entry)
            self._forget(target.entry)
        elif new.endswith("/") and not entry.is_folder:
            raise FileError("Not a directory")
        del source.folder.children[source.name]
        target.folder.children[target.name] = entry
        entry.altered = self.now()
        self._touch_folder(source.folder)
        self._touch_folder(target.folder)

    def set_mode(self, path: str, mode: int) -> None:
        """Change the permission bits; those of the shared storage stay as they are, without an error.

        Raises:
            FileError: The entry is not the shell's.
        """
        entry, place = self.find(path), self._find_for_writing(path)
        if place.is_shared:
            return
        if entry.owner != SHELL_USER:
            raise FileError("Operation not permitted")
        entry.mode = stat.S_IFMT(entry.mode) | mode & 0o7777
        entry.altered = self.now()

    def set_times(
        self, path: str, *, accessed: int | None, modified: int | None, follow: bool = True
    ) -> None:
        """Set times of an entry, nanoseconds since 1970; None leaves one as it is.

        Raises:
            FileError: The entry does not exist, or is not the shell's.
        """
        entry, _ = self.find(path, follow=follow), self._find_for_writing(path, follow=follow)
        if entry.owner not in (SHELL_USER, MEDIA_USER):
            raise FileError("Operation not permitted")
        entry.accessed = entry.accessed if accessed is None else accessed
        entry.modified = entry.modified if modified is None else modified
        entry.altered = self.now()


def _check_replacement(entry: FileEntry, other: FileEntry) -> None:
    if other.is_folder and not entry.is_folder:
        raise FileError("Is a directory")
    if entry.is_folder and not other.is_folder:
        raise FileError("Not a directory")
    if other.children:
        raise FileError("Directory not empty")
