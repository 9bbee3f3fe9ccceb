"""Append-only cache of answers in a file, which survives crashes, so that no request is repeated."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

from fingertip_dataset.errors import InputError, RunError, UsageError
from fingertip_dataset.release.problems import printable

CACHE_VERSION = 1
"""Version of a line. Newer ones are refused."""

REPLACES = "replaces"
"""Field of a line whose value takes the place of earlier ones of its key."""


class AppendOnlyCache:
    """Values by key, one JSON line each; threads and processes may share the file. A context manager.

    Only keys are held in memory. Each line is passed to the system before `put` returns, so a killed process
    loses none; a line that was cut off is removed by the next write. Lines of other processes are read at the
    next `put`.

    Args:
        file: Path of the file, made if missing; its folder must exist.

    Raises:
        UsageError: The file cannot be opened for writing.
        InputError: A complete line is broken, or of a newer version.
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        self._lock = threading.Lock()
        self._places: dict[str, tuple[int, int]] = {}
        self._size = self._lines = 0
        try:
            # O_APPEND: lines of several processes must not overwrite each other
            self._fd = os.open(file, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise UsageError(f"the cache file cannot be written: {error.strerror}", file=file) from error
        try:
            self._catch_up()
        except BaseException:
            os.close(self._fd)
            raise

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, key: object) -> bool:
        return key in self._places

    def get(self, key: str) -> dict[str, Any] | None:
        """Return the value of a key; None if the key is unknown.

        Raises:
            InputError: The line was changed since it was read.
        """
        with self._lock:
            place = self._places.get(key)
            content = b"" if place is None else os.pread(self._fd, place[1], place[0])
        return None if place is None else self._read(content)[1]

    def put(self, key: str, value: Mapping[str, object], *, replace: bool = False) -> None:
        """Add a value; an existing value of the key is kept, so that an answer does not change by itself.

        Args:
            key: Key made by `cache_key`.
            value: Value of JSON types.
            replace: Whether it takes the place of an existing value.

        Raises:
            RunError: The line could not be written (for example, disk full).
            InputError: Another process has written a broken line.
        """
        record = {"version": CACHE_VERSION, "key": key, "value": value}
        if replace:
            record[REPLACES] = True
        line = json.dumps(record, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n"
        with self._lock:
            fcntl.flock(self._fd, fcntl.LOCK_EX)
            try:
                self._catch_up()
                if replace or key not in self._places:
                    # under the lock nobody else is writing, so a line without a line end was cut off
                    os.ftruncate(self._fd, self._size)
                    self._append(line)
                    self._catch_up()
            finally:
                fcntl.flock(self._fd, fcntl.LOCK_UN)

    def close(self) -> None:
        """Close the file; repeated calls do nothing."""
        with self._lock:
            if self._fd >= 0:
                os.close(self._fd)
                self._fd = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _append(self, line: bytes) -> None:
        try:
            written = os.write(self._fd, line)
        except OSError as error:
            raise RunError(
                f"the answer could not be written: {error.strerror}; the same call resumes from here",
                file=self.file,
            ) from error
        if written != len(line):
            raise RunError(
                f"only {written} of {len(line)} bytes were written, as on a full disk; the same call resumes "
                "from here",
                file=self.file,
            )

    def _catch_up(self) -> None:
        """Index the complete lines written since the last call."""
        # closing the buffered reader must leave the descriptor open
        with os.fdopen(os.dup(self._fd), "rb") as new:
            new.seek(self._size)
            for line in new:
                if not line.endswith(b"\n"):
                    break
                self._lines += 1
                key, _, replaces = self._read(line, self._lines)
                place = (self._size, len(line))
                # two processes may have written the same key: the first answer stays the valid one
                self._places[key] = place if replaces else self._places.get(key, place)
                self._size += len(line)

    def _read(self, line: bytes, number: int | None = None) -> tuple[str, dict[str, Any], bool]:
        """Parse key and value of a line, and whether it replaces earlier values."""
        try:
            record = json.loads(line.decode("utf-8", "surrogatepass"))
        except (ValueError, RecursionError):
            record = None
        if not isinstance(record, dict) or "version" not in record:
            excerpt = printable(line.decode("utf-8", "replace").strip(), 80) or "nothing"
            raise InputError(f"expected a line of a cache, got {excerpt}", file=self.file, line=number)
        version, key, value = record["version"], record.get("key"), record.get("value")
        if version != CACHE_VERSION:
            raise InputError(
                f"expected a cache of version {CACHE_VERSION}, got {version!r:.20}",
                file=self.file,
                line=number,
            )
        if not isinstance(key, str) or not isinstance(value, dict):
            raise InputError(
                "the line must have a key and a value: remove it, or give another --cache",
                file=self.file,
                line=number,
            )
        return key, value, record.get(REPLACES) is True


def cache_key(parts: Mapping[str, object]) -> str:
    """Return the sha256 of everything that an answer depends on, independent of the order of the names.

    Args:
        parts: Values of JSON types; bytes must be replaced by their sha256.

    >>> cache_key({"model": "m", "text": "早上"}) == cache_key({"text": "早上", "model": "m"})
    True
    """
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()
