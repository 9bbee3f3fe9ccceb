"""The rows of a CSV file of unknown origin, one at a time: UTF-8 with or without BOM, every size bounded."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fingertip_dataset.errors import ReleaseError
from fingertip_dataset.release.raw_folder import read_file
from fingertip_dataset.release.spelling import plain_key

if TYPE_CHECKING:
    from _csv import Reader

MAX_TABLE_BYTES = 16 * 2**20
"""The tables of the release have about 5 MB; a larger file is refused unread."""

MAX_ROWS = 100_000
"""The largest table of the release has 20,000."""

MAX_LINE = 100_000
"""Characters of one line, below the csv module's own bound of a field."""

MAX_COLUMNS = 200
"""The tables of the release have six or seven columns."""

_TOO_LONG = "\0"


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row of a table.

    Attributes:
        line: Where it begins in the file, counted from 1.
        values: Column -> cell as written; columns of another name are left out.
        fault: Why the row cannot be used; None where it can.
    """

    line: int
    values: Mapping[str, str]
    fault: str | None = None


def read_rows(
    path: Path,
    columns: Mapping[str, Sequence[str]],
    required: Sequence[str],
    *,
    encodings: Sequence[str] = ("utf-8-sig",),
) -> tuple[tuple[str, ...], Iterator[TableRow]]:
    """The columns that a table has, and its rows.

    Args:
        path: A CSV file.
        columns: Column -> the spellings of its header, as `plain_key` gives them; the first found counts.
        required: Columns without which a table is of no use.
        encodings: That the file may be written in; the first that fits is taken.

    Raises:
        ReleaseError: The table cannot be read at all: no file, another encoding, no header, a required column
            missing or written twice, too many columns or bytes; too many rows are found while they are read.
    """
    text = _decoded(path, encodings)
    reader = csv.reader(_bounded_lines(io.StringIO(text, newline="")))
    header = _header(reader)
    places = _places(header, columns)
    missing = [column for column in required if column not in places]
    if missing:
        got = ", ".join(header)[:200]
        raise ReleaseError(
            f"expected the columns {', '.join(required)}, got {got} without {', '.join(missing)}"
        )
    return tuple(places), _rows(reader, len(header), places)


def _decoded(path: Path, encodings: Sequence[str]) -> str:
    data = read_file(os.fspath(path), MAX_TABLE_BYTES)
    for encoding in encodings:
        try:
            return data.decode(encoding)
        except UnicodeDecodeError as error:
            place = error.start
    names = " or ".join("UTF-8" if encoding == "utf-8-sig" else encoding.upper() for encoding in encodings)
    raise ReleaseError(f"expected {names}, got another encoding at byte {place}")


def _bounded_lines(text: io.StringIO) -> Iterator[str]:
    """Lines for the csv reader; one that is too long is replaced by a mark that no row can hold."""
    while line := text.readline(MAX_LINE):
        if len(line) < MAX_LINE or line.endswith(("\n", "\r")):
            yield line
            continue
        while line and not line.endswith(("\n", "\r")):
            line = text.readline(MAX_LINE)
        yield f"{_TOO_LONG}\n"


def _header(reader: Reader) -> list[str]:
    try:
        header = next(reader, None)
    except csv.Error as error:
        raise ReleaseError(f"expected a header, got {error}") from error
    if not header or header == [_TOO_LONG]:
        raise ReleaseError("expected a header, got " + ("a line without end" if header else "an empty file"))
    if len(header) > MAX_COLUMNS:
        raise ReleaseError(f"expected at most {MAX_COLUMNS} columns, got {len(header)}")
    return header


def _places(header: Sequence[str], columns: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """Column -> its place in the header."""
    keys = [plain_key(name) for name in header]
    places = {}
    for column, spellings in columns.items():
        spelling = next((spelling for spelling in spellings if spelling in keys), None)
        if spelling is None:
            continue
        if keys.count(spelling) > 1:
            raise ReleaseError(f"expected the column {column} once, got it {keys.count(spelling)} times")
        places[column] = keys.index(spelling)
    return places


def _rows(reader: Reader, width: int, places: Mapping[str, int]) -> Iterator[TableRow]:
    for _ in range(MAX_ROWS):
        line = reader.line_num + 1
        try:
            cells = next(reader, None)
        except csv.Error as error:
            yield TableRow(line, {}, f"expected CSV, got {error} up to line {reader.line_num}")
            continue
        if cells is None:
            return
        if cells:
            yield _row(line, cells, width, places)
    raise ReleaseError(f"expected fewer than {MAX_ROWS} rows, got more")


def _row(line: int, cells: list[str], width: int, places: Mapping[str, int]) -> TableRow:
    while len(cells) > width and not cells[-1]:
        cells.pop()
    if _TOO_LONG in cells:
        return TableRow(line, {}, f"expected a line of at most {MAX_LINE} characters, got more")
    if len(cells) != width:
        return TableRow(line, {}, f"expected {width} cells, got {len(cells)}")
    if any("\0" in cell for cell in cells):
        return TableRow(line, {}, "expected text, got a NUL")
    return TableRow(line, {column: cells[place] for column, place in places.items()})
