"""The lock of an unfinished build: one job at a time publishes a shard or finishes the dataset."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

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


def _is_file(number: int, file: Path) -> bool:
    """Whether an open file is still the one at a path."""
    try:
        return os.path.samestat(os.fstat(number), file.stat())
    except FileNotFoundError:
        return False
