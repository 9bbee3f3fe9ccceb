"""ADB server of a simulated phone: start, stop, and access from other threads."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from types import TracebackType
from typing import TYPE_CHECKING, TypeVar

from simulated_phone.adb.endpoint import Connection
from simulated_phone.adb.phone_device import make_device
from simulated_phone.adb.wire import MAX_DATA
from simulated_phone.phone_errors import PhoneHungError, PhoneSetupError

if TYPE_CHECKING:
    from simulated_phone.phone import Phone

HOST = "127.0.0.1"
"""The only address: the phone has no authentication, so it is reachable from this machine only."""

EMULATOR_PORTS = range(5554, 5586)
"""Ports on which every adb server looks for emulators; a phone cannot use them."""

MAX_CONNECTIONS = 128
"""Largest number of simultaneous connections; further ones are closed."""

BACKLOG = 512
"""Length of the accept queue; with a shorter one, hosts that connect at once retry after a second."""

ANSWER_SECONDS = 60.0
"""Time limit of `do` and of the server's end; a phone that exceeds it hangs."""

_ACCEPT_ROUNDS = 5  # rounds of the loop until an accepted connection reaches `_serve`
_Result = TypeVar("_Result")


class SimulatedPhoneServer:
    """Serves one phone over ADB.

    As a context manager it runs in a thread of its own; `start` and `stop` run it in the caller's event loop.
    The phone is not thread-safe: while it is served, access it from other threads through `do` only.

    Args:
        phone: The phone.
        port: A local TCP port; 0 selects a free one.
        real_time: Whether the phone's clock also follows the real one, as a person or an agent expects;
            without it only actions take time, and the same commands give the same pixels.

    Attributes:
        port: The port in use, once started.
    """

    def __init__(self, phone: Phone, *, port: int = 0, real_time: bool = False) -> None:
        if port in EMULATOR_PORTS or not 0 <= port <= 65535:
            first, last = EMULATOR_PORTS[0], EMULATOR_PORTS[-1]
            raise PhoneSetupError(
                f"expected a port up to 65535, not {first}-{last} (adb looks for emulators there), got {port}"
            )
        self.port = port
        self._device = make_device(phone, real_time=real_time, refuse=self._refuse)
        self._outage: asyncio.Task[None] | None = None
        self._server: asyncio.Server | None = None
        self._connections: dict[Connection, asyncio.Task[None]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._hangs = False

    @property
    def serial(self) -> str:
        """Serial for `adb connect` and `adb -s`: host and port."""
        return f"{HOST}:{self.port}"

    async def start(self) -> None:
        """Start listening, in the running event loop.

        Raises:
            PhoneSetupError: The port is taken.
        """
        try:
            self._server = await self._listen()
        except OSError:
            raise PhoneSetupError(f"port {self.port} is in use") from None
        self.port = self._server.sockets[0].getsockname()[1]
        self._loop = asyncio.get_running_loop()

    async def _listen(self) -> asyncio.Server:
        return await asyncio.start_server(self._serve, HOST, self.port, limit=MAX_DATA // 4, backlog=BACKLOG)

    def _refuse(self, seconds: float) -> None:
        """Drop all connections and refuse new ones for some seconds, like a phone out of reach."""
        if self._outage is None or self._outage.done():
            self._outage = asyncio.create_task(self._be_out(seconds))

    async def _be_out(self, seconds: float) -> None:
        if self._server:
            self._server.close()
        for connection in self._connections:
            connection.drop()
        await asyncio.sleep(seconds)
        self._server = await self._listen()

    async def stop(self) -> None:
        """Stop listening and abort every connection."""
        # asyncio loses a connection that is accepted but not yet served when the server closes
        for _ in range(_ACCEPT_ROUNDS):
            await asyncio.sleep(0)
        if self._outage:
            self._outage.cancel()
        if self._server:
            self._server.close()
        self._device.end_jobs()
        await self._drop_all()
        if self._server:
            await self._server.wait_closed()
        self._server = None

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = Connection(self._device, reader, writer)
        task = asyncio.current_task()
        if len(self._connections) >= MAX_CONNECTIONS or task is None:
            connection.drop()
            return
        self._connections[connection] = task
        try:
            await connection.serve()
        finally:
            del self._connections[connection]

    async def _drop_all(self) -> None:
        tasks = list(self._connections.values())
        for connection in self._connections:
            connection.drop()
        await asyncio.gather(*tasks, return_exceptions=True)

    def do(self, work: Callable[[Phone], _Result]) -> _Result:
        """Run a function on the phone between two commands of a host, from another thread.

        Args:
            work: The function.

        Returns:
            The function's result.

        Raises:
            PhoneHungError: Something on the phone does not end; each further call raises it at once.
        """
        loop = self._running_loop()

        # in the loop's thread, where hosts' commands run too, so the phone needs no lock
        async def run() -> _Result:
            return work(self._device.phone)

        if self._hangs:
            raise _hung()
        return self._await_answer(asyncio.run_coroutine_threadsafe(run(), loop))

    def _await_answer(self, future: Future[_Result]) -> _Result:
        try:
            return future.result(ANSWER_SECONDS)
        except TimeoutError:
            if future.done():
                return future.result()  # raises the function's own TimeoutError
            self._hangs = True
            raise _hung() from None

    def _running_loop(self) -> asyncio.AbstractEventLoop:
        if self._loop is None:
            raise PhoneSetupError("the phone's server is not started")
        return self._loop

    def __enter__(self) -> SimulatedPhoneServer:
        loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=_run, args=(loop,), name=f"phone-{self.port}", daemon=True)
        self._thread.start()
        try:
            asyncio.run_coroutine_threadsafe(self.start(), loop).result()
        except PhoneSetupError:
            self._end_thread(loop)
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        loop = self._running_loop()
        stopping = asyncio.run_coroutine_threadsafe(self.stop(), loop)
        if not self._hangs:
            with suppress(PhoneHungError):
                self._await_answer(stopping)
        if self._hangs:
            # its thread cannot be ended from outside: it ends with the process, or once the phone goes on
            stopping.add_done_callback(lambda _: loop.call_soon_threadsafe(loop.stop))
            self._thread = self._loop = None
        else:
            self._end_thread(loop)

    def _end_thread(self, loop: asyncio.AbstractEventLoop) -> None:
        loop.call_soon_threadsafe(loop.stop)
        if self._thread:
            self._thread.join()
        self._thread = None
        self._loop = None


def _run(loop: asyncio.AbstractEventLoop) -> None:
    try:
        loop.run_forever()
    finally:
        loop.close()


def _hung() -> PhoneHungError:
    return PhoneHungError(
        f"the simulated phone has not answered for {ANSWER_SECONDS:g} s: a command or a page on it "
        "does not end"
    )
