"""One stream of an ADB connection: bytes both ways, one message in flight each way.

A side that has sent `WRTE` waits for `OKAY` before the next. `OKAY` is sent when the data is taken, not when
it comes, so a peer that sends faster than a service reads is held back instead of filling memory.
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
        local: Our id, not 0.
        remote: The host's id.
        max_data: The most bytes of data in one message that both sides agreed on.
    """

    def __init__(self, send: Send, local: int, remote: int, max_data: int) -> None:
        self.local = local
        self.remote = remote
        self.closed = False
        self._send = send
        self._max_data = max_data
        self._inbox: asyncio.Queue[bytes] = asyncio.Queue(maxsize=1)
        self._taken = asyncio.Event()
        self._rest = bytearray()

    async def write(self, data: bytes | bytearray) -> None:
        """Sends all of `data`, waiting for the host to take each message.

        Raises:
            ConnectionResetError: The stream is closed.
        """
        view = memoryview(data)
        for start in range(0, len(view), self._max_data):
            if self.closed:
                raise ConnectionResetError("the host has closed the stream")
            self._taken.clear()
            part = bytes(view[start : start + self._max_data])
            await self._send(WireMessage(command=b"WRTE", first=self.local, second=self.remote, data=part))
            await self._taken.wait()

    async def read(self) -> bytes:
        """The next bytes, as many as have come; `b""` once the host has closed the stream."""
        if self._rest:
            data = bytes(self._rest)
            self._rest.clear()
            return data
        return await self._next()

    async def read_exactly(self, count: int) -> bytes:
        """The next `count` bytes.

        Raises:
            ConnectionResetError: The host closed the stream before they came.
        """
        while len(self._rest) < count:
            data = await self._next()
            if not data:
                raise ConnectionResetError(f"expected {count} bytes, got {len(self._rest)}")
            self._rest += data
        data = bytes(self._rest[:count])
        del self._rest[:count]
        return data

    async def _next(self) -> bytes:
        if self.closed and self._inbox.empty():
            return b""
        data = await self._inbox.get()
        if data and not self.closed:
            await self._send(WireMessage(command=b"OKAY", first=self.local, second=self.remote))
        return data

    def take(self, data: bytes) -> None:
        """Keeps what came in a `WRTE` until the service reads it.

        Raises:
            WireError: The host did not wait for the `OKAY` of its last one.
        """
        if self._inbox.full():
            raise WireError("expected a wait for OKAY, got a second WRTE")
        if data:
            self._inbox.put_nowait(data)

    def was_taken(self) -> None:
        """The host's `OKAY`: the next message may go."""
        self._taken.set()

    def end(self) -> None:
        """The stream is closed: wakes whoever waits on it."""
        self.closed = True
        self._taken.set()
        if self._inbox.empty():
            self._inbox.put_nowait(b"")
