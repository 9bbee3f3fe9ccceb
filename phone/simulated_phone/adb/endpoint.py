"""The device's side of ADB on a local TCP port, as adbd on a phone.

Any ADB host can connect (`adb connect 127.0.0.1:PORT`). A connection with invalid messages is closed; others
are not affected.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from typing import TYPE_CHECKING

from simulated_phone.adb.commands.properties import list_properties
from simulated_phone.adb.services import ConnectionDropped, find_service
from simulated_phone.adb.streams import Stream
from simulated_phone.adb.wire import MAX_DATA, VERSION, WireError, WireMessage, read_message, sums_are_checked
from simulated_phone.machine.faults import BLOCKING_FAULTS, UNAUTHORIZED

if TYPE_CHECKING:
    from simulated_phone.adb.device_state import DeviceState
    from simulated_phone.adb.services import Service

FEATURES = ("shell_v2", "cmd", "stat_v2", "ls_v2", "fixed_push_mkdir")
"""Features announced to the host; exactly those that are implemented."""

MAX_STREAMS = 256
"""Largest number of open streams of one connection; further ones are refused."""

HELLO_SECONDS = 10.0
"""Time limit for a connection's first message, `CNXN`."""

_TOKEN, _SIGNATURE, _PUBLIC_KEY = 1, 2, 3
_log = logging.getLogger(__name__)


class Connection:
    """A host's TCP connection.

    Args:
        device: The phone and its shared state.
        reader: Input from the host.
        writer: Output to the host.
    """

    def __init__(
        self, device: DeviceState, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self._device = device
        self._reader = reader
        self._writer = writer
        self._sending = asyncio.Lock()
        self._streams: dict[int, Stream] = {}
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._next_id = 1
        self._max_data = 4096
        self._summed = True
        self._online = False
        self._welcome: asyncio.Task[None] | None = None

    async def serve(self) -> None:
        """Handle messages until the host disconnects or sends an invalid message."""
        try:
            await self._handle(await asyncio.wait_for(read_message(self._reader), HELLO_SECONDS))
            while True:
                await self._handle(await read_message(self._reader))
        except (asyncio.IncompleteReadError, ConnectionError, TimeoutError, WireError) as error:
            _log.debug("connection ends: %s", error)
        finally:
            self.drop()
            tasks = self._forget_streams()
            if self._welcome:
                self._welcome.cancel()
                tasks.append(self._welcome)
            await asyncio.gather(*tasks, self._writer.wait_closed(), return_exceptions=True)

    def drop(self) -> None:
        """Abort the connection, like a lost Wi-Fi: pending output is discarded."""
        self._writer.transport.abort()

    async def _send(self, message: WireMessage) -> None:
        async with self._sending:
            self._writer.write(message.header(summed=self._summed))
            if message.data:
                self._writer.write(message.data)
            await self._writer.drain()

    async def _handle(self, message: WireMessage) -> None:
        if message.command == b"CNXN":
            await self._handle_connect(message)
        elif message.command == b"AUTH":
            await self._authorize(message)
        elif not self._online:
            raise WireError(f"expected CNXN first, got {message.command!r}")
        elif message.command == b"OPEN":
            await self._open(message)
        elif message.command in (b"OKAY", b"WRTE", b"CLSE"):
            await self._handle_stream_message(message)
        else:
            raise WireError(f"expected a known command, got {message.command!r}")

    async def _handle_connect(self, message: WireMessage) -> None:
        self._forget_streams()
        self._online = False
        self._summed = sums_are_checked(message.first)
        self._max_data = max(1, min(message.second, MAX_DATA))
        if UNAUTHORIZED in self._device.phone.faults:
            await self._request_key()
        else:
            await self._come_online()

    async def _request_key(self) -> None:
        await self._send(WireMessage(command=b"AUTH", first=_TOKEN, second=0, data=secrets.token_bytes(20)))

    async def _authorize(self, message: WireMessage) -> None:
        # adb offers its known keys first, then the public key that a person would accept
        if message.first == _SIGNATURE and UNAUTHORIZED in self._device.phone.faults:
            await self._request_key()
        elif message.first in (_SIGNATURE, _PUBLIC_KEY):
            await self._come_online()
        else:
            raise WireError(f"expected a signature or a public key, got kind {message.first}")

    async def _come_online(self) -> None:
        """Send `CNXN`; with a fault that blocks the phone, as soon as the fault is off."""
        if self._is_blocked():
            self._welcome = self._welcome or asyncio.create_task(self._come_online_after_fault())
            return
        self._online = True
        props = list_properties(self._device.phone)
        names = ("ro.product.name", "ro.product.model", "ro.product.device")
        banner = "".join(f"{name}={props[name]};" for name in names)
        data = f"device::{banner}features={','.join(FEATURES)}".encode()
        await self._send(WireMessage(command=b"CNXN", first=VERSION, second=MAX_DATA, data=data))

    async def _come_online_after_fault(self) -> None:
        while self._is_blocked():
            await asyncio.sleep(0.1)
        self._welcome = None
        await self._come_online()

    def _is_blocked(self) -> bool:
        return not BLOCKING_FAULTS.isdisjoint(self._device.phone.faults)

    async def _open(self, message: WireMessage) -> None:
        if self._is_blocked():
            raise ConnectionDropped("the phone is offline or unauthorized")
        self._device.keep_time()
        name = message.data.partition(b"\0")[0].decode("utf-8", "replace")
        service = find_service(name, self._device)
        if service is None or message.first == 0 or len(self._streams) >= MAX_STREAMS:
            await self._send(WireMessage(command=b"CLSE", first=0, second=message.first))
            return
        stream = Stream(self._send, self._next_id, message.first, self._max_data)
        # 32 bits on the wire; 0 is no valid stream
        self._next_id = self._next_id % 0xFFFFFFFF + 1
        self._streams[stream.local] = stream
        await self._send(WireMessage(command=b"OKAY", first=stream.local, second=stream.remote))
        self._tasks[stream.local] = asyncio.create_task(self._run(service, stream, name))

    async def _run(self, service: Service, stream: Stream, name: str) -> None:
        try:
            await service(stream)
        except ConnectionDropped:
            self.drop()
        except ConnectionError as error:
            _log.debug("stream ends: %s", error)
        except MemoryError:
            # as a phone that reboots: no answer may count as that of the service
            _log.error("the service %r ran out of memory", name)
            self.drop()
        except Exception:
            _log.exception("the service %r failed", name)
        finally:
            self._tasks.pop(stream.local, None)
            known = self._streams.pop(stream.local, None)
        if known:
            stream.end()
            await self._send_close(stream)

    async def _send_close(self, stream: Stream) -> None:
        try:
            await self._send(WireMessage(command=b"CLSE", first=stream.local, second=stream.remote))
        except ConnectionError as error:
            _log.debug("the close of a stream could not be sent: %s", error)

    async def _handle_stream_message(self, message: WireMessage) -> None:
        stream = self._streams.get(message.second)
        # the protocol allows 0 for a stream whose opening is not complete
        if stream is None or message.first not in (stream.remote, 0):
            # so that the host stops writing; a CLSE or OKAY of an unknown stream is ignored, as by adbd
            if message.command == b"WRTE":
                await self._send(WireMessage(command=b"CLSE", first=0, second=message.first))
        elif message.command == b"OKAY":
            stream.acknowledge()
        elif message.command == b"WRTE":
            stream.receive(message.data)
        else:
            self._forget(stream)
            await self._send(WireMessage(command=b"CLSE", first=stream.local, second=stream.remote))

    def _forget(self, stream: Stream) -> list[asyncio.Task[None]]:
        """End a stream; return its service's task, if it is still running."""
        self._streams.pop(stream.local, None)
        stream.end()
        task = self._tasks.pop(stream.local, None)
        if task is None:
            return []
        task.cancel()
        return [task]

    def _forget_streams(self) -> list[asyncio.Task[None]]:
        return [task for stream in list(self._streams.values()) for task in self._forget(stream)]
