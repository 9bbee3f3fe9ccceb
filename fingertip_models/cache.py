"""A file of answers that only ever grows: what was asked once is not asked again, after a crash either."""

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
"""Of a line. A newer one is refused."""


class AppendOnlyCache:
    """Values by key, a JSON line each; threads and processes may share the file. A context manager.

    Only keys are held in memory. Each line is handed to the system before `put` returns, so a killed process
    loses none; a line that was cut off is dropped by the next that is written. What other processes write
    is known from the next `put` on.

    Args:
        file: Made where it is missing; its folder is there.

    Raises:
        UsageError: The file cannot be opened to write.
        InputError: A whole line of it is broken, or of a newer version.
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        self._turn = threading.Lock()
        self._places: dict[str, tuple[int, int]] = {}
        self._size = self._lines = 0
        try:
            self._fd = os.open(file, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise UsageError(
                f"expected a cache file that can be written, got {error.strerror}", file=file
            ) from error
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
        """The value of a key; None where there is none.

        Raises:
            InputError: Its line has been changed since it was read.
        """
        with self._turn:
            place = self._places.get(key)
            content = b"" if place is None else os.pread(self._fd, place[1], place[0])
        return None if place is None else self._read(content)[1]

    def put(self, key: str, value: Mapping[str, object]) -> None:
        """Adds a value; one that is there already stays, so an answer never changes.

        Args:
            key: From `cache_key`.
            value: As JSON holds it.

        Raises:
            RunError: There is no room for it.
            InputError: Another process has written a broken line.
        """
        record = {"version": CACHE_VERSION, "key": key, "value": value}
        line = json.dumps(record, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n"
        with self._turn:
            fcntl.flock(self._fd, fcntl.LOCK_EX)
            try:
                self._catch_up()
                if key not in self._places:
                    # whoever holds the lock knows that no other writes: a line without an end was cut off
                    os.ftruncate(self._fd, self._size)
                    self._append(line)
                    self._catch_up()
            finally:
                fcntl.flock(self._fd, fcntl.LOCK_UN)

    def close(self) -> None:
        """Closes the file; a second time does nothing."""
        with self._turn:
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
                f"expected room for an answer, got {error.strerror}: the same call goes on from here",
                file=self.file,
            ) from error
        if written != len(line):
            raise RunError(
                f"expected to write {len(line)} bytes, got {written}: the same call goes on from here",
                file=self.file,
            )

    def _catch_up(self) -> None:
        """Learns the places of the whole lines that were written since the last time."""
        with os.fdopen(os.dup(self._fd), "rb") as new:
            new.seek(self._size)
            for line in new:
                if not line.endswith(b"\n"):
                    break
                self._lines += 1
                key, _ = self._read(line, self._lines)
                self._places.setdefault(key, (self._size, len(line)))
                self._size += len(line)

    def _read(self, line: bytes, number: int | None = None) -> tuple[str, dict[str, Any]]:
        """Key and value of a line."""
        try:
            found = json.loads(line.decode("utf-8", "surrogatepass"))
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict) or "version" not in found:
            excerpt = printable(line.decode("utf-8", "replace").strip(), 80) or "nothing"
            raise InputError(f"expected a line of a cache, got {excerpt}", file=self.file, line=number)
        version, key, value = found["version"], found.get("key"), found.get("value")
        if version != CACHE_VERSION:
            raise InputError(
                f"expected a cache of version {CACHE_VERSION}, got {version!r:.20}",
                file=self.file,
                line=number,
            )
        if not isinstance(key, str) or not isinstance(value, dict):
            raise InputError("expected a key and a value, got others", file=self.file, line=number)
        return key, value


def cache_key(parts: Mapping[str, object]) -> str:
    """The sha256 of all that an answer depends on, whatever the order of the names.

    Args:
        parts: As JSON holds it; bytes come in as their own sha256.

    >>> cache_key({"model": "m", "text": "早上"}) == cache_key({"text": "早上", "model": "m"})
    True
    """
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()
