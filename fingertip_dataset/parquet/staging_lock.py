"""Locks of an unfinished build: one job at a time publishes a shard, and one build writes a folder."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from fingertip_dataset.errors import UsageError

LOCK = ".lock"


@contextmanager
def staging_lock(folder: Path) -> Iterator[None]:
    """Lock a staging folder, which is made if missing; waits for the job that holds it.

    The system releases the lock if the job is killed.

    Args:
        folder: Folder for the shards of an unfinished build.

    Raises:
        OSError: The folder cannot be made, or the file cannot be written.
    """
    import fcntl

    file = folder / LOCK
    while True:
        folder.mkdir(parents=True, exist_ok=True)
        with file.open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            # a job that finished the dataset has removed the folder, and this lock with it: another job may
            # hold that of a new folder
            if _is_file(lock.fileno(), file):
                yield
                return


@contextmanager
def build_lock(folder: Path, *, shared: bool, what: str = "build") -> Iterator[None]:
    """Lock a staging folder for a whole build or export, or for one part among others.

    The lock is on the folder itself, next to that of `staging_lock` on a file in it. The system releases it
    if the job is killed.

    Args:
        folder: Folder for the shards of an unfinished build; made if missing, removed if it stays empty.
        shared: Whether other jobs with a shared lock may run at the same time, as parts of one build do.
        what: What is made, for the message.

    Raises:
        UsageError: Another call writes the same folder.
        OSError: The folder cannot be made.
    """
    import fcntl

    folder.mkdir(parents=True, exist_ok=True)
    try:
        lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except FileNotFoundError:  # a build that ended has removed it
        folder.mkdir(parents=True, exist_ok=True)
        lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        try:
            fcntl.flock(lock, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except BlockingIOError:
            out = folder.with_name(folder.name.removesuffix(".partial"))
            raise UsageError(
                f"another {what} writes this folder: wait for it, or give another --out", file=out
            ) from None
        try:
            yield
        finally:
            # another part may be at work, and a folder with shards is kept for the next call
            with suppress(OSError):
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                folder.rmdir()
    finally:
        os.close(lock)


def _is_file(number: int, file: Path) -> bool:
    """Whether an open file is still the one at a path."""
    try:
        return os.path.samestat(os.fstat(number), file.stat())
    except FileNotFoundError:
        return False
