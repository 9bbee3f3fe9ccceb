"""The `sync:` service (`adb push`, `adb pull`, `adb ls`, stat), as described in Android's SYNC.TXT."""

from __future__ import annotations

import posixpath
import stat
import struct
from contextlib import suppress

from android_shell.file_entries import SECOND, FileEntry
from android_shell.files import FileError, FileSystem
from simulated_phone.adb.streams import Stream

MAX_PATH = 1024
"""Largest length of a path, bytes, as in the protocol."""

MAX_CHUNK = 64 * 1024
"""Largest size of a `DATA` chunk, bytes, as in the protocol."""

_ENOENT = 2
_BATCH = 8


class SyncSession:
    """A `sync:` stream: handles requests in order until `QUIT`.

    Args:
        files: The phone's storage.
        stream: The stream.
    """

    def __init__(self, files: FileSystem, stream: Stream) -> None:
        self._files = files
        self._stream = stream

    async def serve(self) -> None:
        """Answer requests until the host sends `QUIT` or an invalid request."""
        while True:
            kind, length = await self._read_header()
            if kind == b"QUIT":
                return
            if length > MAX_PATH:
                await self._fail("path too long")
                return
            # paths are bytes on Android; surrogateescape keeps any of them
            path = (await self._stream.read_exactly(length)).decode("utf-8", "surrogateescape")
            if not await self._answer(kind, path):
                await self._fail(f"unknown command {kind.hex()}")
                return

    async def _answer(self, kind: bytes, path: str) -> bool:
        if kind in (b"STAT", b"STA2", b"LST2"):
            await self._stream.write(kind + _send_stat(kind, self._files.get(path, follow=kind == b"STA2")))
        elif kind in (b"LIST", b"LIS2"):
            await self._list(path, b"DENT" if kind == b"LIST" else b"DNT2")
        elif kind == b"RECV":
            await self._send_file(path)
        elif kind == b"SEND":
            await self._receive_file(path)
        else:
            return False
        return True

    async def _read_header(self) -> tuple[bytes, int]:
        kind, length = struct.unpack("<4sI", await self._stream.read_exactly(8))
        return kind, length

    async def _list(self, path: str, kind: bytes) -> None:
        try:
            names = self._files.names(path)
        except FileError:
            names = []
        for name in names:
            leaf = name.encode("utf-8", "surrogateescape")
            body = _send_stat(kind, self._files.get(posixpath.join(path, name), follow=False))
            await self._stream.write(kind + body + struct.pack("<I", len(leaf)) + leaf)
        # DONE has the length of an entry: its fields are zero
        await self._stream.write(b"DONE" + bytes(16 if kind == b"DENT" else 72))

    async def _send_file(self, path: str) -> None:
        try:
            data = memoryview(self._files.read(path))
        except FileError as error:
            await self._fail(str(error))
            return
        for start in range(0, len(data), MAX_CHUNK * _BATCH):
            batch = bytearray()
            for offset in range(start, min(start + MAX_CHUNK * _BATCH, len(data)), MAX_CHUNK):
                chunk = data[offset : offset + MAX_CHUNK]
                batch += b"DATA" + struct.pack("<I", len(chunk))
                batch += chunk
            await self._stream.write(batch)
        await self._stream.write(b"DONE" + bytes(4))

    async def _receive_file(self, target: str) -> None:
        # SEND takes "path,mode"; the path itself may contain commas
        path, _, mode = target.rpartition(",")
        data, problem = bytearray(), ""
        while True:
            kind, length = await self._read_header()
            if kind == b"DONE":
                break
            if kind != b"DATA" or length > MAX_CHUNK:
                raise ConnectionResetError(
                    f"expected DATA of at most {MAX_CHUNK} bytes, got {kind!r} {length}"
                )
            chunk = await self._stream.read_exactly(length)
            if not problem:
                data += chunk
                problem = self._find_space_problem(len(data))
        if not problem:
            problem = self._store(path, mode, data, length)
        if problem:
            await self._fail(problem)
        else:
            await self._stream.write(b"OKAY" + bytes(4))

    def _find_space_problem(self, size: int) -> str:
        try:
            self._files.check_room(size)
        except FileError as error:
            return f"couldn't create file: {error}"
        return ""

    def _store(self, path: str, mode: str, data: bytearray, changed: int) -> str:
        """Store a file or a symbolic link; return what prevents it, "" for nothing."""
        kind = int(mode) if mode.isdecimal() else 0o7777
        is_link = stat.S_ISLNK(kind)
        failed = "symlink failed" if is_link else "couldn't create file"
        if not is_link and not stat.S_ISREG(kind) and kind > 0o777:
            return f"{failed}: Invalid argument"
        try:
            self._remove_old(path)
            self._files.make_folder(posixpath.dirname(path), parents=True, mode=0o775)
            if is_link:
                self._files.make_link(data.partition(b"\0")[0].decode("utf-8", "surrogateescape"), path)
            else:
                self._files.write(path, data, mode=kind & 0o777, changed=changed)
        except FileError as error:
            return f"{failed}: {error}"
        return ""

    def _remove_old(self, path: str) -> None:
        """Remove a file or a link at a path, as adbd does: what a link leads to is left alone."""
        old = self._files.get(path, follow=False)
        if old is not None and (old.is_link or stat.S_ISREG(old.mode)):
            with suppress(FileError):
                self._files.remove(path)

    async def _fail(self, message: str) -> None:
        data = message.encode()
        await self._stream.write(b"FAIL" + struct.pack("<I", len(data)) + data)


def _send_stat(kind: bytes, entry: FileEntry | None) -> bytes:
    mode, size, changed = (entry.mode, entry.size, entry.changed) if entry else (0, 0, 0)
    if kind in (b"STAT", b"DENT"):
        return struct.pack("<III", mode, min(size, 0xFFFFFFFF), changed & 0xFFFFFFFF)
    if entry is None:
        return struct.pack("<IQQIIIIQqqq", _ENOENT, *[0] * 10)
    times = (entry.accessed // SECOND, changed, entry.altered // SECOND)
    return struct.pack(
        "<IQQIIIIQqqq", 0, 1, entry.number, mode, entry.links, entry.owner, entry.group, size, *times
    )
