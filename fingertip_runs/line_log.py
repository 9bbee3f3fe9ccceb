"""Append-only file of JSON lines, written by one process at a time, without half lines after a crash."""

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

AnyLine = TypeVar("AnyLine", bound=BaseModel)
AnyModel = TypeVar("AnyModel", bound=BaseModel)

ReadLine = Callable[[bytes, Path, int], AnyLine]
"""Parses a line, given its file and its number (from 1); raises a RunError if it is broken."""


class LineLog(Generic[AnyLine]):
    """The file, locked by this process until it is closed; several threads may append. A context manager.

    Args:
        file: Created if it is missing; a last line that was cut off is dropped.
        read: Parses a line.
        sync: Whether each line is on the disk before `append` returns; otherwise the operating system has it.

    Attributes:
        lines: Records that were in the file.
        dropped: Number, from 1, of a last line that was cut off and is dropped; None if it was whole.

    Raises:
        RunError: The file cannot be written, is being written by another process, or has a broken line.
    """

    def __init__(self, file: Path, read: ReadLine[AnyLine], *, sync: bool = False) -> None:
        self._sync = sync
        self._turn = threading.Lock()
        self._file = _locked(file)
        try:
            self.lines, self.dropped, size = _parse(file, read)
            self._file.truncate(size)
        except BaseException:
            self._file.close()
            raise

    def append(self, line: AnyLine) -> None:
        """Append a line and hand it to the operating system at once: a killed run loses none of its lines.

        Raises:
            RunError: The line could not be written (for example, disk full).
        """
        content = line.model_dump_json().encode() + b"\n"
        try:
            with self._turn:
                written = self._file.write(content)
                if self._sync:
                    os.fsync(self._file.fileno())
        except OSError as error:
            raise RunError(
                f"expected room for a line, got {error.strerror or error}: the same call resumes from here",
                file=self._file.name,
            ) from error
        if written != len(content):
            raise RunError(
                f"expected to write {len(content)} bytes, got {written}: the same call resumes from here",
                file=self._file.name,
            )

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
    """The whole lines of a file, in file order; a last line that was cut off is left out.

    Raises:
        RunError: The file cannot be read, or a line is broken.
    """
    return _parse(file, read)[0]


def validated(
    model: type[AnyModel], text: bytes, file: Path, line: int | None = None, *, expected: str = ""
) -> AnyModel:
    """A record from its JSON.

    Args:
        model: Class of the record.
        text: JSON text.
        file: File that the text is from, for the error message.
        line: Number of the line, from 1; None if the text is the whole file.
        expected: What the error message says was expected; "" for a line of the file, or the file.

    Raises:
        RunError: The text is not such a record; the message names the first field that is wrong.
    """
    try:
        return model.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"]))
        where = f" at {place}" if place else ""
        task_input = expected or (f"a valid {file.name}" if line is None else f"a line of {file.name}")
        raise RunError(
            f"expected {task_input}, got{where}: {first['msg']}",
            file=file,
            line=line,
        ) from error


def _locked(file: Path) -> FileIO:
    """The file, open to append, held by this process alone until it is closed."""
    try:
        opened = file.open("ab", buffering=0)
    except OSError as error:
        raise RunError(f"expected a file to write, got {error.strerror or error}", file=file) from error
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        opened.close()
        raise RunError(
            "expected a run that nobody writes, got one that is being written", file=file
        ) from error
    return opened


def _parse(file: Path, read: ReadLine[AnyLine]) -> tuple[tuple[AnyLine, ...], int | None, int]:
    """The records, the number of the cut-off last line or None, and the bytes of the whole lines."""
    try:
        content = file.read_bytes()
    except OSError as error:
        raise RunError(f"expected {file.name} of a run, got {error.strerror or error}", file=file) from error
    size = content.rfind(b"\n") + 1
    lines = content[:size].split(b"\n")[:-1]
    records = tuple(read(line, file, number) for number, line in enumerate(lines, start=1))
    return records, len(lines) + 1 if size < len(content) else None, size
