"""A stream of an ADB connection: bytes in both directions, one message in flight in each.

After `WRTE` a side waits for `OKAY` before its next message. `OKAY` is sent when the service reads the data,
not when it arrives, so that a fast sender is slowed down instead of filling memory.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from simulated_phone.adb.wire import WireError, WireMessage

Send = Callable[[WireMessage], Awaitable[None]]


class Stream:
    """The device's end of one stream.

    Args:
        send: Sends one message to the host.
        local: The device's stream id, not 0.
        remote: The host's stream id.
        max_data: Largest number of data bytes in one message, as negotiated.
    """

    def __init__(self, send: Send, local: int, remote: int, max_data: int) -> None:
        self.local = local
        self.remote = remote
        self.closed = False
        self._send = send
        self._max_data = max_data
        # one message at a time: the host waits for OKAY before the next
        self._inbox: asyncio.Queue[bytes] = asyncio.Queue(maxsize=1)
        self._acknowledged = asyncio.Event()
        self._unread = bytearray()

    async def write(self, data: bytes | bytearray) -> None:
        """Send all of `data`, waiting for the host's `OKAY` after each message.

        Raises:
            ConnectionResetError: The stream is closed.
        """
        view = memoryview(data)
        for start in range(0, len(view), self._max_data):
            if self.closed:
                raise ConnectionResetError("the host has closed the stream")
            self._acknowledged.clear()
            part = bytes(view[start : start + self._max_data])
            await self._send(WireMessage(command=b"WRTE", first=self.local, second=self.remote, data=part))
            await self._acknowledged.wait()

    async def read(self) -> bytes:
        """The available bytes, at least one; `b""` once the host has closed the stream."""
        if self._unread:
            data = bytes(self._unread)
            self._unread.clear()
            return data
        return await self._read_next()

    async def read_exactly(self, count: int) -> bytes:
        """The next `count` bytes.

        Raises:
            ConnectionResetError: The host closed the stream before they arrived.
        """
        while len(self._unread) < count:
            data = await self._read_next()
            if not data:
                raise ConnectionResetError(f"expected {count} bytes, got {len(self._unread)}")
            self._unread += data
        data = bytes(self._unread[:count])
        del self._unread[:count]
        return data

    async def _read_next(self) -> bytes:
        if self.closed and self._inbox.empty():
            return b""
        data = await self._inbox.get()
        if data and not self.closed:
            await self._send(WireMessage(command=b"OKAY", first=self.local, second=self.remote))
        return data

    def receive(self, data: bytes) -> None:
        """Store the data of a `WRTE` until the service reads it.

        Raises:
            WireError: The host did not wait for `OKAY` after its last `WRTE`.
        """
        if self._inbox.full():
            raise WireError("expected a wait for OKAY, got a second WRTE")
        if data:
            self._inbox.put_nowait(data)

    def acknowledge(self) -> None:
        """Handle the host's `OKAY`: the next message may be sent."""
        self._acknowledged.set()

    def end(self) -> None:
        """Mark the stream as closed and wake its waiters."""
        self.closed = True
        self._acknowledged.set()
        if self._inbox.empty():
            self._inbox.put_nowait(b"")
