"""Rows of a CSV file of unknown origin, read one at a time with every size bounded."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fingertip_dataset.errors import ReleaseError
from fingertip_dataset.release.extra_fields import ExtraField
from fingertip_dataset.release.raw_folder import read_file
from fingertip_dataset.release.spelling import plain_key

if TYPE_CHECKING:
    from _csv import Reader

MAX_TABLE_BYTES = 16 * 2**20
"""Maximum size of a table; a larger file is refused unread. Those of the release have about 5 MB."""

MAX_ROWS = 100_000
"""Maximum number of rows; the largest table of the release has 20,000."""

MAX_LINE = 100_000
"""Maximum length of a line in characters, below the csv module's own limit of a field."""

MAX_COLUMNS = 200
"""Maximum number of columns; the tables of the release have six or seven."""

_TOO_LONG = "\0"


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row of a table.

    Attributes:
        line: Line of the file where the row begins, counted from 1.
        values: Known column -> cell as written.
        fault: Reason why the row is unusable.
        extra: (Header, cell as written) of each unknown column whose cell is not empty.
    """

    line: int
    values: Mapping[str, str]
    fault: str | None = None
    extra: tuple[tuple[str, str], ...] = ()

    def list_extra(self, file: str) -> tuple[ExtraField, ...]:
        """Return the values of the unknown columns as fields of a table of this name."""
        return tuple(
            ExtraField(source=file, name=name, value=value, line=self.line) for name, value in self.extra
        )


def read_rows(
    path: Path,
    columns: Mapping[str, Sequence[str]],
    required: Sequence[str],
    *,
    encodings: Sequence[str] = ("utf-8-sig",),
) -> tuple[tuple[str, ...], Iterator[TableRow]]:
    """Read the columns of a table, and its rows lazily.

    Args:
        path: Path of a CSV file.
        columns: Column -> accepted headers, normalized by `plain_key`; the first one present is used.
        required: Columns that the table must have.
        encodings: Encodings to try in this order; then GB18030, as Chinese spreadsheets save a table.

    Raises:
        ReleaseError: The table cannot be read at all: no file, another encoding, no header, a required column
            missing or repeated, too many columns or bytes. Too many rows raise it during iteration.
    """
    text = _decode(path, encodings)
    reader = csv.reader(_limit_lines(io.StringIO(text, newline="")))
    header = _read_header(reader)
    places = _find_columns(header, columns)
    missing = [column for column in required if column not in places]
    if missing:
        got = ", ".join(header)[:200]
        raise ReleaseError(
            f"expected the columns {', '.join(required)}, got {got} without {', '.join(missing)}"
        )
    known = set(places.values())
    unknown = {at: name.strip() or f"column {at + 1}" for at, name in enumerate(header) if at not in known}
    return tuple(places), _read_rows(reader, len(header), places, unknown)


def _decode(path: Path, encodings: Sequence[str]) -> str:
    data = read_file(os.fspath(path), MAX_TABLE_BYTES)
    for encoding in encodings:
        try:
            return data.decode(encoding)
        except UnicodeDecodeError as error:
            place = error.start
    names = " or ".join("UTF-8" if encoding == "utf-8-sig" else encoding.upper() for encoding in encodings)
    if (text := _decode_chinese(data)) is not None:
        return text
    raise ReleaseError(f"expected {names}, got another encoding at byte {place}")


def _decode_chinese(data: bytes) -> str | None:
    """Decode a table as Chinese spreadsheets save it, in GB18030; None if it is hardly that.

    A UTF-8 table with a broken character would decode, too, as other words: most of its text is UTF-8.
    """
    if b"\0" in data or data.decode(errors="replace").count("\ufffd") * 8 < sum(byte > 127 for byte in data):
        return None
    try:
        return data.decode("gb18030")
    except UnicodeDecodeError:
        return None


def _limit_lines(text: io.StringIO) -> Iterator[str]:
    """Yield lines for the csv reader; one that is too long is replaced by a mark that no row can contain."""
    while line := text.readline(MAX_LINE):
        if len(line) < MAX_LINE or line.endswith(("\n", "\r")):
            yield line
            continue
        while line and not line.endswith(("\n", "\r")):
            line = text.readline(MAX_LINE)
        yield f"{_TOO_LONG}\n"


def _read_header(reader: Reader) -> list[str]:
    try:
        header = next(reader, None)
    except csv.Error as error:
        raise ReleaseError(f"expected a header, got {error}") from error
    if not header or header == [_TOO_LONG]:
        raise ReleaseError("expected a header, got " + ("a line without end" if header else "an empty file"))
    if len(header) > MAX_COLUMNS:
        raise ReleaseError(f"expected at most {MAX_COLUMNS} columns, got {len(header)}")
    return header


def _find_columns(header: Sequence[str], columns: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """Return the index of each column in the header."""
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


def _read_rows(
    reader: Reader, width: int, places: Mapping[str, int], unknown: Mapping[int, str]
) -> Iterator[TableRow]:
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
            yield _read_row(line, cells, width, places, unknown)
    raise ReleaseError(f"expected fewer than {MAX_ROWS} rows, got more")


def _read_row(
    line: int, cells: list[str], width: int, places: Mapping[str, int], unknown: Mapping[int, str]
) -> TableRow:
    while len(cells) > width and not cells[-1]:
        cells.pop()
    if _TOO_LONG in cells:
        return TableRow(line, {}, f"expected a line of at most {MAX_LINE} characters, got more")
    if len(cells) != width:
        return TableRow(line, {}, f"expected {width} cells, got {len(cells)}")
    if any("\0" in cell for cell in cells):
        return TableRow(line, {}, "expected text, got a NUL")
    extra = tuple((name, cells[at]) for at, name in unknown.items() if cells[at].strip())
    return TableRow(line, {column: cells[place] for column, place in places.items()}, extra=extra)
