"""The heap of a process with many threads that draw pictures, kept small."""

from __future__ import annotations

import ctypes

ARENA_MAX, MMAP_THRESHOLD = -8, -3
"""Parameters of `mallopt` of the GNU C library."""

MOST_ARENAS = 2
"""Most arenas of the heap. Each thread may have one, and keeps the pages of what it has freed."""

LARGE = 128 * 1024
"""Bytes from which on memory is mapped for itself, and given back when it is freed: pictures are larger. The
library's own limit grows to the size of the largest one that was freed."""


def keep_heap_small() -> bool:
    """Have the C library give freed memory back to the system; return whether it could be told.

    Nothing changes where the library is another one than GNU's. With 32 simulated phones a run takes 400 MB
    in place of 445.
    """
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError, TypeError):
        return False
    return bool(mallopt(ARENA_MAX, MOST_ARENAS) and mallopt(MMAP_THRESHOLD, LARGE))
