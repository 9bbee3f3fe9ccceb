"""Append-only JSON lines file: one writing process at a time, no incomplete lines after a crash."""

from __future__ import annotations

import fcntl
import os
import threading
from collections.abc import Callable
from io import FileIO
from pathlib import Path
from types import TracebackType
from typing import Generic, Self, TypeVar

from pydantic import BaseModel, ValidationError

from fingertip_dataset.errors import RunError
from fingertip_dataset.kept_files import read_file

AnyLine = TypeVar("AnyLine", bound=BaseModel)
AnyModel = TypeVar("AnyModel", bound=BaseModel)

ReadLine = Callable[[bytes, Path, int], AnyLine]
"""Parses a line, given its file and its number (from 1); raises a RunError if it is broken."""


SAME_CALL = "the same call resumes from here"
"""Advice at the end of a message, for a run that its own call continues."""


class LineLog(Generic[AnyLine]):
    """A JSON lines file, locked by this process until it is closed. Thread-safe. A context manager.

    Args:
        file: Path; created if missing. An incomplete last line is dropped.
        read: Parses a line.
        sync: Whether `append` syncs each line to the disk; otherwise the operating system buffers it.
        advice: End of the message if a line cannot be written.

    Attributes:
        lines: Records that were in the file when it was opened.
        dropped: Number, from 1, of an incomplete last line that was dropped; None if it was complete.

    Raises:
        RunError: The file cannot be written, is being written by another process, or has a broken line.
    """

    def __init__(
        self, file: Path, read: ReadLine[AnyLine], *, sync: bool = False, advice: str = SAME_CALL
    ) -> None:
        self._sync = sync
        self._advice = advice
        self._lock = threading.Lock()
        self._file = _open_locked(file)
        try:
            self.lines, self.dropped, size = _parse(file, Path.read_bytes, read)
            self._file.truncate(size)
        except BaseException:
            self._file.close()
            raise

    def append(self, line: AnyLine) -> None:
        """Append a line without buffering in this process, so that a killed run loses no line.

        Raises:
            RunError: The line could not be written (for example, disk full).
        """
        content = line.model_dump_json().encode() + b"\n"
        try:
            with self._lock:
                written = self._file.write(content)
                if self._sync:
                    os.fsync(self._file.fileno())
        except OSError as error:
            raise RunError(
                f"the line could not be written: {error.strerror or error}; {self._advice}",
                file=self._file.name,
            ) from error
        # an unbuffered write may write a part, for example on a full disk
        if written != len(content):
            raise RunError(
                f"only {written} of {len(content)} bytes were written, as on a full disk; {self._advice}",
                file=self._file.name,
            )

    def clear(self) -> None:
        """Drop all lines, which hold nothing that is wanted."""
        self._file.truncate(0)
        self.lines, self.dropped = (), None

    def close(self) -> None:
        """Release the file to other processes."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def read_lines(file: Path, read: ReadLine[AnyLine]) -> tuple[AnyLine, ...]:
    """The complete lines of a file, in file order; an incomplete last line is skipped.

    Raises:
        RunError: The file cannot be read, or a line is broken.
    """
    return _parse(file, read_file, read)[0]


def validate_json(
    model: type[AnyModel], text: bytes, file: Path, line: int | None = None, *, expected: str = ""
) -> AnyModel:
    """Parses a record from its JSON.

    Args:
        model: Class of the record.
        text: JSON text.
        file: File that the text is from, for the error message.
        line: Line number, from 1; None if the text is the whole file.
        expected: Noun phrase for the error message; "" for a line of the file, or the file.

    Raises:
        RunError: The text is not such a record; the message names the first field that is wrong.
    """
    try:
        return model.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"]))
        where = f" at {place}" if place else ""
        wanted = expected or (f"a valid {file.name}" if line is None else f"a line of {file.name}")
        raise RunError(
            f"expected {wanted}, got{where}: {first['msg']}",
            file=file,
            line=line,
        ) from error


def _open_locked(file: Path) -> FileIO:
    """Opens the file to append and locks it for this process until it is closed."""
    try:
        # append mode: opening must not change a file that another process writes
        opened = file.open("ab", buffering=0)
    except OSError as error:
        raise RunError(f"the file cannot be written: {error.strerror or error}", file=file) from error
    try:
        # the system releases the lock when the process ends, even if it is killed
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        opened.close()
        raise RunError(
            "another process is writing this run: wait until it ends, or give another --out", file=file
        ) from error
    return opened


def _parse(
    file: Path, read_bytes: Callable[[Path], bytes], read: ReadLine[AnyLine]
) -> tuple[tuple[AnyLine, ...], int | None, int]:
    """The records, the number of an incomplete last line or None, and the total bytes of complete lines."""
    try:
        content = read_bytes(file)
    except OSError as error:
        raise RunError(f"{file.name} cannot be read: {error.strerror or error}", file=file) from error
    # a line is complete once its newline is written
    size = content.rfind(b"\n") + 1
    lines = content[:size].split(b"\n")[:-1]
    records = tuple(read(line, file, number) for number, line in enumerate(lines, start=1))
    return records, len(lines) + 1 if size < len(content) else None, size
