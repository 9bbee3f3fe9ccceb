"""Opening of files below an untrusted folder without following a link in any part of their path."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

UNSUPPORTED = "this system cannot open a folder without following links: give a .zip, or use Linux or macOS"

# O_NONBLOCK: opening a pipe put in the file's place would wait forever
UNFOLLOWED = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
"""Flags of `os.open` for an untrusted file; they are about the last part of its path only."""

_FOLDER = UNFOLLOWED | getattr(os, "O_DIRECTORY", 0)


@contextmanager
def open_root(path: Path) -> Iterator[int]:
    """Open an untrusted folder, which is not a link; its descriptor stays on it when its name is given away.

    Args:
        path: Path of the folder; links in the path above it are followed.

    Raises:
        OSError: It cannot be opened, or the system has no way to open it safely.
    """
    if not (hasattr(os, "O_NOFOLLOW") and {os.open, os.stat, os.readlink} <= os.supports_dir_fd):
        raise OSError(UNSUPPORTED)
    root = os.open(path, _FOLDER)
    try:
        yield root
    finally:
        os.close(root)


def open_file(root: int, name: str) -> int:
    """Open a file for reading.

    Args:
        root: Descriptor of the folder.
        name: Path of the file below it, with slashes.

    Returns:
        A descriptor, to be closed by the caller. A pipe is opened too, and does not block.

    Raises:
        OSError: It cannot be opened, or a part of its path is a link.
    """
    folder, _, last = name.rpartition("/")
    with open_folder(root, folder) as parent:
        return os.open(last, UNFOLLOWED, dir_fd=parent)


@contextmanager
def open_folder(root: int, name: str) -> Iterator[int]:
    """Open a folder below another one; "" opens the folder itself again.

    Raises:
        OSError: It cannot be opened, or a part of its path is a link.
    """
    # a descriptor of its own: two that were duplicated share the position of a listing
    current = os.open(".", _FOLDER, dir_fd=root)
    try:
        for part in filter(None, name.split("/")):
            # one part at a time: O_NOFOLLOW is about the last part only
            below = os.open(part, _FOLDER, dir_fd=current)
            os.close(current)
            current = below
        yield current
    finally:
        os.close(current)
