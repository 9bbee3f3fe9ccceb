"""Growth of a parser's time and memory with the size of its input, as ratios: no seconds are asserted.

Time is processor time of this thread, the least of several runs, so that other programs and the garbage
collector of the test's own objects do not count.
"""

from __future__ import annotations

import gc
import time
import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from fingertip_dataset.errors import FingerTipError

Parse = Callable[[str], object]

STEP = 8
"""Ratio of the two sizes that are compared."""

MOST_RATIO = 22.0
"""Largest ratio of the times at sizes n and `STEP` n: linear work has 8, n log n at most 12, n ** 1.5 has 23,
n ** 2 has 64."""

MOST_MEMORY = 14.0
"""Largest ratio of the peaks of memory; those are measured without noise."""

ENOUGH = 0.02
"""Seconds from which on a time is measured well enough to be compared."""

SLACK = 200_000
"""Bytes of memory that do not count: what a parser allocates once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parser:
    """A parser of foreign text.

    Attributes:
        parse: Reads a text; it may refuse it by an error of ours.
        pieces: What inputs are made of.
        before: Beginnings besides "".
        after: Ends besides "".
        least: Smallest size at which the longest line that is read, of a stated length, does not matter.
        most: Largest size that is read, in characters; longer inputs are refused by a stated limit.
    """

    parse: Parse
    pieces: tuple[str, ...]
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    least: int = 0
    most: int = 1 << 18


@dataclass(frozen=True, slots=True)
class Shape:
    """An input of any size: a beginning, a part that is repeated, and an end."""

    before: str
    repeated: str
    after: str

    def of_size(self, size: int) -> str:
        """The input of about that many characters."""
        return self.before + self.repeated * max(1, size // len(self.repeated)) + self.after


def run(parse: Parse, text: str) -> None:
    """Parse a text; that it is refused is fine, any error but our own is not."""
    with suppress(FingerTipError):
        parse(text)


def seconds(parse: Parse, text: str, *, times: int) -> float:
    """The least processor time of several runs."""
    least = float("inf")
    gc.disable()
    try:
        for _ in range(times):
            start = time.thread_time()
            run(parse, text)
            least = min(least, time.thread_time() - start)
    finally:
        gc.enable()
    return least


def time_problem(parse: Parse, shape: Shape, *, first: int, last: int) -> str | None:
    """Why the time grows too fast, in words; None if it does not, or is short up to the last size.

    Sizes double from `first` until the time is long enough to be measured; a ratio that is too large is
    measured again, because noise is not there three times.
    """
    size = first
    while seconds(parse, shape.of_size(size), times=1) < ENOUGH:
        size *= 2
        if size > last:
            return None
    ratio = float("inf")
    for _ in range(3):
        small = seconds(parse, shape.of_size(size // STEP), times=5)
        large = seconds(parse, shape.of_size(size), times=2)
        ratio = min(ratio, large / small)
        if ratio <= MOST_RATIO:
            return None
    return f"{STEP} times the input takes {ratio:.0f} times as long at {size:,} characters: {shape}"


def memory_problem(parse: Parse, shape: Shape, *, size: int) -> str | None:
    """Why the memory grows too fast, in words; None if it does not."""
    small, large = (peak(parse, shape.of_size(each)) for each in (size // STEP, size))
    if large <= SLACK + MOST_MEMORY * small:
        return None
    return f"{STEP} times the input takes {large / small:.0f} times as much memory at {size:,}: {shape}"


def peak(parse: Parse, text: str) -> int:
    """Bytes of memory at the most, in the second of two runs."""
    run(parse, text)
    tracemalloc.start()
    try:
        run(parse, text)
        return max(1, tracemalloc.get_traced_memory()[1])
    finally:
        tracemalloc.stop()
