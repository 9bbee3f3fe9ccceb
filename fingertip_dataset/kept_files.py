"""Contents of files that several parts of one command read: each file is opened once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

_KEPT: ContextVar[dict[Path, bytes] | None] = ContextVar("kept", default=None)


@contextmanager
def keep_files() -> Iterator[None]:
    """Keep the content of each file that `read_file` reads, until the end of the block; also a decorator.

    For commands that only read these files: a later change of a file is not seen within the block. So the
    scores, the hashes and the page of one command are of the same content.
    """
    before = _KEPT.set({})
    try:
        yield
    finally:
        _KEPT.reset(before)


def read_file(file: Path) -> bytes:
    """Return the content of a file; within `keep_files` it is read once.

    Raises:
        OSError: The file cannot be read.
    """
    kept = _KEPT.get()
    if kept is None:
        return file.read_bytes()
    place = file.absolute()
    if place not in kept:
        kept[place] = place.read_bytes()
    return kept[place]
