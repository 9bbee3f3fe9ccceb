"""Run coroutines with bounded concurrency; those that were started are awaited even after a failure."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Result = TypeVar("Result")

Question = Coroutine[object, object, Result]


def gather_bounded(
    questions: Iterator[Question[Result]],
    on_answer: Callable[[Result], None],
    *,
    most: int,
    on_stop: Callable[[int], None] | None = None,
) -> None:
    """Await all questions with at most `most` at once; answers arrive in order of completion.

    The first failed question, or Ctrl-C, stops the run: no further question starts; running ones are awaited
    and their answers kept. A second Ctrl-C cancels them.

    Args:
        questions: Taken one by one, as slots become free.
        on_answer: Called with each answer, sequentially.
        most: Maximum number of concurrent questions.
        on_stop: Called with the number of unfinished questions if any must be awaited after a failure.

    Raises:
        Exception: The exception of the first failed question, of `questions`, or of `on_answer`.
        KeyboardInterrupt: Ctrl-C.
    """
    work = _ask(questions, on_answer, most, on_stop)
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        asyncio.run(work)
        return
    # in a notebook an event loop is already running in this thread, so a thread of our own gets a new loop
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, work).result()


async def _ask(
    questions: Iterator[Question[Result]],
    on_answer: Callable[[Result], None],
    most: int,
    on_stop: Callable[[int], None] | None,
) -> None:
    under_way: set[asyncio.Task[Result]] = set()
    stopped: BaseException | None = None
    try:
        while True:
            before = stopped
            if stopped is None:
                stopped = _fill(under_way, questions, most)
            if not under_way:
                break
            try:
                done, _ = await asyncio.wait(under_way, return_when=asyncio.FIRST_COMPLETED)
            except asyncio.CancelledError as interrupt:
                if stopped is not None:
                    raise
                stopped, done = interrupt, set()
            under_way -= done
            failed = _take(done, on_answer)
            stopped = stopped or failed
            if stopped is not before and under_way and on_stop:
                on_stop(len(under_way))
    finally:
        for left in under_way:
            left.cancel()
        await asyncio.gather(*under_way, return_exceptions=True)
    if stopped is not None:
        raise stopped


def _fill(
    under_way: set[asyncio.Task[Result]], questions: Iterator[Question[Result]], most: int
) -> Exception | None:
    """Start questions while slots are free; returns the error that stopped the iterator, if any."""
    try:
        while len(under_way) < most and (question := next(questions, None)) is not None:
            under_way.add(asyncio.create_task(question))
    except Exception as error:
        return error
    return None


def _take(done: set[asyncio.Task[Result]], on_answer: Callable[[Result], None]) -> BaseException | None:
    """Pass on the answers of finished questions; returns the error of one of them, if any failed."""
    failed: BaseException | None = None
    for task in done:
        error = task.exception()
        if error is None:
            on_answer(task.result())
        failed = failed or error
    return failed
