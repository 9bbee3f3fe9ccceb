"""A file of rows in JSON lines that can be put into a drawn order without being read whole."""

from __future__ import annotations

import hashlib
import json
import random
from array import array
from pathlib import Path
from typing import BinaryIO

from fingertip_training.framework_rows import Row


class RowsFile:
    """Writes rows as JSON lines; use it as a context manager.

    Args:
        file: Path of the file, which must not exist.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._lines = array("Q", [0])
        self._hash = hashlib.sha256()
        self._out: BinaryIO = file.open("xb")

    def __enter__(self) -> RowsFile:
        return self

    def __exit__(self, *_: object) -> None:
        self._out.close()

    @property
    def count(self) -> int:
        """Number of rows."""
        return len(self._lines) - 1

    @property
    def sha256(self) -> str:
        """Sha256 of the rows as they were appended."""
        return self._hash.hexdigest()

    def append(self, row: Row) -> None:
        """Write a row."""
        self._append(json.dumps(row, ensure_ascii=False).encode("utf-8", "replace") + b"\n")

    def append_file(self, rows: Path) -> None:
        """Write all rows of another file."""
        with rows.open("rb") as lines:
            for line in lines:
                self._append(line)

    def _append(self, line: bytes) -> None:
        self._out.write(line)
        self._hash.update(line)
        self._lines.append(self._lines[-1] + len(line))

    def shuffle(self, seed: int) -> None:
        """Put the rows into a drawn order, the same on every machine."""
        self._out.flush()
        places = list(zip(self._lines, self._lines[1:], strict=False))
        random.Random(seed).shuffle(places)  # noqa: S311 - an order, not a secret
        shuffled = self._file.with_name(f".{self._file.name}.shuffled")
        with self._file.open("rb") as given, shuffled.open("wb") as out:
            for start, end in places:
                given.seek(start)
                out.write(given.read(end - start))
        shuffled.replace(self._file)
