"""Background writer: runs calls in submission order; each returns a Future."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import ParamSpec, Self

_Arguments = ParamSpec("_Arguments")


class BackgroundWriter:
    """Runs calls in one thread, in submission order. A context manager that waits for the last call.

    After a call has failed, later calls are skipped: each of their futures has the same error.

    >>> written = []
    >>> with BackgroundWriter() as writer:
    ...     first = writer.submit(written.append, 1)
    ...     second = writer.submit(written.append, 2)
    ...     second.result()
    ...     written
    [1, 2]
    """

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(1)
        self._failed: BaseException | None = None

    def submit(
        self, call: Callable[_Arguments, None], *args: _Arguments.args, **kwargs: _Arguments.kwargs
    ) -> Future[None]:
        """Queues a call; the Future is done when the call has returned."""

        def run() -> None:
            if self._failed is not None:
                raise self._failed
            try:
                call(*args, **kwargs)
            except BaseException as error:
                self._failed = error
                raise

        return self._pool.submit(run)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pool.shutdown()
