"""An event loop in its own thread, to which any thread and any other event loop can submit work."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from contextlib import AbstractAsyncContextManager
from typing import Generic, TypeVar

from fingertip_dataset.errors import UsageError

Tool = TypeVar("Tool")
Result = TypeVar("Result")

PATIENCE_S = 10.0
"""Maximum time in seconds that `close` waits for the thread."""


class LoopThread(Generic[Tool]):
    """Owner of a tool that belongs to one event loop, such as a connection pool; runs work with it there.

    Args:
        opening: Function that makes the tool, in the loop; the tool is entered at once and exited at the end,
            after running work was cancelled. The constructor raises its errors.
    """

    def __init__(self, opening: Callable[[], AbstractAsyncContextManager[Tool]]) -> None:
        self._opening = opening
        self._lock = threading.Lock()
        self._closed = False
        self._stop = asyncio.Event()
        self._opened: Future[tuple[asyncio.AbstractEventLoop, Tool]] = Future()
        # a daemon thread: a program that does not close it can still end, and the owner's finalizer then runs
        self._thread = threading.Thread(target=self._run, name="fingertip-chat", daemon=True)
        self._thread.start()
        self._loop, self._tool = self._opened.result()

    def submit(self, work: Callable[[Tool], Coroutine[object, object, Result]]) -> Future[Result]:
        """Start work in the loop.

        Raises:
            UsageError: The thread is closed.
        """
        with self._lock:
            if self._closed:
                raise UsageError("the client is closed")
            return asyncio.run_coroutine_threadsafe(work(self._tool), self._loop)

    def close(self) -> None:
        """Cancel running work and end the thread; repeated calls do nothing."""
        with self._lock:
            if not self._closed:
                self._closed = True
                # an asyncio.Event may be set only in its own loop
                self._loop.call_soon_threadsafe(self._stop.set)
        # the owner's last reference may be dropped in this thread, which cannot join itself
        if threading.current_thread() is not self._thread:
            self._thread.join(PATIENCE_S)

    def _run(self) -> None:
        try:
            with asyncio.Runner() as runner:
                runner.run(self._main())
        except BaseException as error:
            # afterwards nobody waits for `_opened`, so the error must show in the thread itself
            if self._opened.done():
                raise
            self._opened.set_exception(error)

    async def _main(self) -> None:
        async with self._opening() as tool:
            self._opened.set_result((asyncio.get_running_loop(), tool))
            await self._stop.wait()
            # callers wait for these futures in other threads: cancelled work wakes them
            running = asyncio.all_tasks() - {asyncio.current_task()}
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)
