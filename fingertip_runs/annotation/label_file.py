"""Label files: append-only JSON lines in a run's folder, one line per annotation."""

from __future__ import annotations

from pathlib import Path
from typing import Generic

from fingertip_runs.line_log import AnyLine, LineLog, ReadLine, read_lines, validate_json


class LabelFile(Generic[AnyLine]):
    """Name and parser of a label file.

    Args:
        name: File name within a folder.
        read: Parses a line; `label_reader(Record)` unless lines have several kinds or versions.

    Attributes:
        name: File name within a folder.
    """

    def __init__(self, name: str, read: ReadLine[AnyLine]) -> None:
        self.name = name
        self._read = read

    def read(self, folder: Path) -> tuple[AnyLine, ...]:
        """Every line of the folder's file in order; empty without a file.

        Raises:
            FingerTipError: The file cannot be read, or a line is broken.
        """
        file = folder / self.name
        return read_lines(file, self._read) if file.exists() else ()

    def open(self, folder: Path) -> LineLog[AnyLine]:
        """The folder's file, open to append; this process holds it until it is closed.

        Each line is synced to the disk before `append` returns: a person's answer cannot be recreated.

        Raises:
            FingerTipError: The file cannot be written, another process holds it, or a line is broken.
        """
        return LineLog(folder / self.name, self._read, sync=True)


def label_reader(model: type[AnyLine]) -> ReadLine[AnyLine]:
    """A parser of lines that are all records of one model; it raises a RunError for any other line."""

    def read(text: bytes, file: Path, line: int) -> AnyLine:
        return validate_json(model, text, file, line)

    return read
