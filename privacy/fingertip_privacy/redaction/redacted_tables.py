"""Redaction of a release's index tables: each row by the values of its person."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from fingertip_dataset.errors import InputError, ReleaseError
from fingertip_dataset.release.raw_folder import read_file
from fingertip_dataset.release.spelling import normalize_time, normalize_user, plain_key
from fingertip_dataset.release.tables.index_tables import table_files
from fingertip_dataset.release.tables.table_rows import MAX_TABLE_BYTES
from fingertip_privacy.redaction.pseudonyms import TextReplacer
from fingertip_privacy.redaction.redacted_texts import IDENTITY, TECHNICAL, Kinds

ReplacerOf = Callable[[str, str | None], TextReplacer]
"""Function of a user id and an episode id (None without one) that gives the replacer of a row."""

Owner = tuple[str, str | None]
"""User id and episode id of a row; None for a row of no episode."""

_BOM = "\ufeff"


def row_owners(folder: Path) -> dict[tuple[str, int], Owner]:
    """Owner of each row of the index tables, by file name and line, counted from 1.

    Raises:
        ReleaseError: A table cannot be read.
    """
    return {
        (name, line): owner
        for name in table_files(folder)
        for line, cells, owner in _rows(folder / name)[1]
        if owner is not None and cells
    }


def redact_table(file: Path, replacer_of: ReplacerOf) -> tuple[bytes, Kinds]:
    """Replace values in a table; a table without any keeps its bytes.

    Args:
        file: The table.
        replacer_of: Gives the replacer of a row.

    Raises:
        ReleaseError: The table cannot be read.
    """
    header, rows = _rows(file)
    keys = [plain_key(name) for name in header]
    kinds: Kinds = Counter()
    out = [_redact_header(header, replacer_of("", None).of_ids, kinds)]
    for _, cells, owner in rows:
        if owner is None:
            # nobody's row: nothing can say what in it is private
            continue
        replacer = replacer_of(*owner)
        new = []
        for at, cell in enumerate(cells):
            key = keys[at] if at < len(keys) else ""
            one = replacer.of_ids if key in TECHNICAL else replacer
            text, found = (cell, ()) if key in IDENTITY else one.replace(cell)
            kinds.update(found)
            new.append(text)
        out.append(new)
    data = _bytes(file)
    if not kinds and len(out) == len(rows) + 1:
        return data, kinds
    stream = io.StringIO(newline="")
    ending = "\r\n" if b"\r\n" in data[:4096] else "\n"
    csv.writer(stream, lineterminator=ending).writerows(out)
    mark = _BOM if data.startswith(_BOM.encode()) else ""
    return (mark + stream.getvalue()).encode(), kinds


def _redact_header(header: Sequence[str], replacer: TextReplacer, kinds: Kinds) -> list[str]:
    named = [replacer.replace(name) for name in header]
    for _, found in named:
        kinds.update(found)
    return [name for name, _ in named]


def _rows(file: Path) -> tuple[list[str], list[tuple[int, list[str], Owner | None]]]:
    """Header, and (line, cells, owner) of each row; no owner for a row that does not name its person."""
    try:
        reader = csv.reader(io.StringIO(_bytes(file).decode("utf-8-sig"), newline=""))
        header = next(reader, [])
        keys = [plain_key(name) for name in header]
        return header, list(_read(reader, keys))
    except UnicodeDecodeError:
        raise ReleaseError("expected UTF-8, got another encoding", file=file) from None
    except csv.Error as error:
        raise ReleaseError(f"expected CSV, got {error}", file=file) from None


def _read(reader: Iterator[list[str]], keys: Sequence[str]) -> Iterator[tuple[int, list[str], Owner | None]]:
    line = 1
    while True:
        begin = getattr(reader, "line_num", line) + 1
        cells = next(reader, None)
        if cells is None:
            return
        if cells:
            yield begin, cells, _owner(dict(zip(keys, cells, strict=False)))


def _owner(cells: Mapping[str, str]) -> Owner | None:
    user = normalize_user(cells.get("userid", ""))
    if user is None:
        return None
    time = normalize_time(cells.get("time", ""))
    return user, f"{user}__{time}" if time else None


def _bytes(file: Path) -> bytes:
    try:
        return read_file(str(file), MAX_TABLE_BYTES)
    except InputError as error:
        raise ReleaseError(error.message, file=file) from None
