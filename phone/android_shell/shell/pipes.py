"""Inputs of commands, and pipes between them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from android_shell.files import FileError

if TYPE_CHECKING:
    from android_shell.files import FileSystem

PIPE_BYTES = 64 * 1024
"""Number of bytes that a pipe holds before its writer waits, as in the kernel."""

MAX_INPUT = 64 << 20
"""Largest number of bytes that a command which needs all of its input accepts."""


class PipeClosed(Exception):
    """Raised at a writer whose reader has ended."""


class Input:
    """A stream of bytes that several commands may read in turn.

    Args:
        source: The next bytes; b"" at the end.
    """

    def __init__(self, source: Callable[[], Awaitable[bytes]]) -> None:
        self._source = source
        self._buffer = bytearray()
        self._ended = False

    async def read(self) -> bytes:
        """The available bytes, at least one; b"" at the end."""
        if self._buffer:
            data = bytes(self._buffer)
            self._buffer.clear()
            return data
        data = b"" if self._ended else await self._source()
        self._ended = not data
        return data

    async def read_some(self, size: int) -> bytes:
        """The available bytes, at least one and at most `size`; b"" at the end."""
        if not self._buffer:
            data = await self.read()
            if len(data) <= size:
                return data
            self._buffer += data
        # from the beginning of an array bytes are taken without moving the rest of a large file
        data = bytes(self._buffer[:size])
        del self._buffer[:size]
        return data

    async def read_all(self) -> bytes:
        """All bytes up to the end.

        Raises:
            FileError: There are more than `MAX_INPUT`.
        """
        parts = bytearray()
        while data := await self.read():
            parts += data
            if len(parts) > MAX_INPUT:
                raise FileError(f"more than {MAX_INPUT} bytes")
        return bytes(parts)

    async def read_block(self, size: int) -> bytes:
        """The next `size` bytes; fewer only at the end of the input."""
        while len(self._buffer) < size and not self._ended:
            data = await self._source()
            self._ended = not data
            self._buffer += data
        block = bytes(self._buffer[:size])
        del self._buffer[:size]
        return block

    async def read_line(self, delimiter: bytes = b"\n") -> bytes:
        """The next line with its delimiter; without one at the end of the input; b"" after it."""
        searched = 0
        while (end := self._buffer.find(delimiter, searched)) < 0 and not self._ended:
            searched = len(self._buffer)
            data = await self._source()
            self._ended = not data
            self._buffer += data
        size = len(self._buffer) if end < 0 else end + 1
        line = bytes(self._buffer[:size])
        del self._buffer[:size]
        return line


def open_bytes(data: bytes) -> Input:
    """An input that holds `data`."""
    parts = [data] if data else []

    async def source() -> bytes:
        return parts.pop() if parts else b""

    return Input(source)


def open_closed() -> Input:
    """An input that is closed: reading it fails."""

    async def source() -> bytes:
        raise FileError("Bad file descriptor")

    return Input(source)


def open_file(files: FileSystem, path: str) -> Input:
    """An input that reads a file, which may be an endless device.

    Raises:
        FileError: The file does not exist, or is a folder.
    """
    if files.read_device(path) is None:
        return open_bytes(bytes(files.read(path)))

    async def source() -> bytes:
        # a reader that needs no end must not stop the phone
        await asyncio.sleep(0)
        return files.read_device(path) or b""

    return Input(source)


class Pipe:
    """A pipe: bytes from one command to another."""

    def __init__(self) -> None:
        self._data = bytearray()
        self._written = False
        self._read = False
        self._changed = asyncio.Event()

    async def write(self, data: bytes) -> None:
        """Append bytes; wait while the pipe is full.

        Raises:
            PipeClosed: The reader has ended.
        """
        while len(self._data) >= PIPE_BYTES and not self._read:
            await self._change()
        if self._read:
            raise PipeClosed
        self._data += data
        self._changed.set()

    async def read(self) -> bytes:
        """The bytes in the pipe, at least one; b"" once the writer has ended."""
        while not self._data and not self._written:
            await self._change()
        data = bytes(self._data)
        self._data.clear()
        self._changed.set()
        return data

    def end_writing(self) -> None:
        """Mark the end of the data."""
        self._written = True
        self._changed.set()

    def end_reading(self) -> None:
        """Let the writer know that nothing more is read."""
        self._read = True
        self._changed.set()

    async def _change(self) -> None:
        self._changed.clear()
        await self._changed.wait()
