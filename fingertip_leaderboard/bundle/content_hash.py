"""Hash of everything that a bundle's folder or .zip holds."""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path

from fingertip_leaderboard.bundle.bundle_files import MOST_FILES, TOTAL_LIMIT

CHUNK = 1 << 20
"""Bytes read at a time."""

MOST_DEPTH = 8
"""Maximum depth of a file that is hashed; a bundle's own files are at most 4 deep."""

OVER_LIMITS = hashlib.sha256(b"over the limits of a bundle").hexdigest()
"""Stands for the hash of a bundle that is beyond the limits and is not read; verification refuses it."""


def content_sha256(path: Path) -> str:
    """sha256 over a bundle's file names, file types and contents; links are not followed.

    Sizes are checked before anything is read, so that a hostile bundle costs no more than a large valid one.

    Args:
        path: Folder or .zip of the bundle.

    Returns:
        The hash; `OVER_LIMITS` for a bundle with too many files, too large or too deep ones.
    """
    found = _files(path)
    if found is None:
        return OVER_LIMITS
    digest = hashlib.sha256()
    for file, status in found:
        mode = status.st_mode
        head = f"{os.fsencode(file.relative_to(path)).hex()} {stat.S_IFMT(mode):o}\n"
        digest.update(head.encode())
        if stat.S_ISLNK(mode):
            digest.update(_target(file))
        elif stat.S_ISREG(mode):
            digest.update(_sha256(file, status.st_size))
    return digest.hexdigest()


def _files(path: Path) -> list[tuple[Path, os.stat_result]] | None:
    """The path and everything below it with its status, sorted; None beyond the limits or if unreadable."""
    found: list[tuple[Path, os.stat_result]] = []
    total, waiting = 0, [(path, 0)]
    try:
        while waiting:
            file, depth = waiting.pop()
            status = file.lstat()
            total += status.st_size if stat.S_ISREG(status.st_mode) else 0
            found.append((file, status))
            if stat.S_ISDIR(status.st_mode):
                with os.scandir(file) as entries:
                    for entry in entries:
                        waiting.append((file / entry.name, depth + 1))
                        if len(found) + len(waiting) > 2 * MOST_FILES:
                            return None
            if total > 2 * TOTAL_LIMIT or depth > MOST_DEPTH:
                return None
    except OSError:
        return None  # the verifier reports the error
    return sorted(found, key=lambda one: one[0])


def _target(link: Path) -> bytes:
    try:
        return os.fsencode(link.readlink())
    except OSError as error:
        return f"unreadable: {error.errno}".encode()


def _sha256(file: Path, size: int) -> bytes:
    """sha256 of at most one byte more than the size: a file that grows meanwhile is not read to its end."""
    digest = hashlib.sha256()
    left = size + 1
    try:
        # O_NONBLOCK: opening a pipe put in the file's place would wait forever
        flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        with os.fdopen(os.open(file, flags), "rb") as stream:
            while left and (chunk := stream.read(min(CHUNK, left))):
                digest.update(chunk)
                left -= len(chunk)
    except OSError as error:
        # the verifier reports the error; here only the hash has to differ
        return f"unreadable: {error.errno}".encode()
    return digest.digest()
