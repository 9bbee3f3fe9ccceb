"""A file of rows in JSON lines that can be put into a drawn order without being read whole."""

from __future__ import annotations

import json
import random
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
        self._lines = [0]
        self._out: BinaryIO = file.open("xb")

    def __enter__(self) -> RowsFile:
        return self

    def __exit__(self, *_: object) -> None:
        self._out.close()

    def append(self, row: Row) -> None:
        """Write a row."""
        line = json.dumps(row, ensure_ascii=False).encode("utf-8", "replace") + b"\n"
        self._out.write(line)
        self._lines.append(self._lines[-1] + len(line))

    def shuffle(self, seed: int) -> None:
        """Put the rows into a drawn order, the same on every machine."""
        self._out.flush()
        places = list(zip(self._lines, self._lines[1:], strict=False))
        random.Random(seed).shuffle(places)  # noqa: S311 - an order, not a secret
        shuffled = self._file.with_name(f".{self._file.name}.shuffled")
        with self._file.open("rb") as given, shuffled.open("xb") as out:
            for start, end in places:
                given.seek(start)
                out.write(given.read(end - start))
        shuffled.replace(self._file)
