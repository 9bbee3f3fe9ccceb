"""Tables of a release that this version does not know: their rows by episode, by user, or as a file."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from fingertip_dataset.errors import ReleaseError
from fingertip_dataset.release.extra_fields import ExtraField, ExtraKind, ExtraPart, FurtherTables, KeptIn
from fingertip_dataset.release.raw_folder import read_file
from fingertip_dataset.release.spelling import normalize_time, normalize_user
from fingertip_dataset.release.tables.table_rows import MAX_TABLE_BYTES, TableRow, read_rows

COLUMNS: Mapping[str, tuple[str, ...]] = {"user_id": ("userid",), "time": ("time",)}
"""Columns by which a row belongs to a user or an episode; accepted headers, normalized by `plain_key`."""

TABLE_SUFFIX = ".csv"


@dataclass(frozen=True, slots=True)
class _Read:
    """A table that has been read: its rows by key; `text` where it is kept as a file instead."""

    part: ExtraPart
    by_episode: Mapping[str, tuple[ExtraField, ...]]
    by_user: Mapping[str, tuple[ExtraField, ...]]
    text: str | None = None


def read_further_tables(folder: Path, names: Iterable[str]) -> FurtherTables:
    """Read tables of unknown names and columns.

    A table with user_id and time belongs to episodes, one with user_id and a single row a user to the user's
    episodes. Any other, and one with a row that has no such key, is kept as a file.

    Args:
        folder: Folder of the tables.
        names: Names of their files.
    """
    by_episode: dict[str, tuple[ExtraField, ...]] = {}
    by_user: dict[str, tuple[ExtraField, ...]] = {}
    parts, files = [], {}
    for name in names:
        table = _read_table(folder / name)
        parts.append(table.part)
        if table.text is not None:
            files[name] = table.text
        for total, own in ((by_episode, table.by_episode), (by_user, table.by_user)):
            for key, values in own.items():
                total[key] = (*total.get(key, ()), *values)
    return FurtherTables(by_episode=by_episode, by_user=by_user, parts=tuple(parts), files=files)


def _read_table(path: Path) -> _Read:
    try:
        columns, rows = read_rows(path, COLUMNS, ("user_id",))
        found = tuple(rows)
    except ReleaseError as error:
        return _keep_file(path, error.message)
    names = tuple(dict.fromkeys(name for row in found for name, _ in row.extra))
    part = ExtraPart(kind=ExtraKind.TABLE, file=path.name, name=", ".join(names), count=len(found))
    groups: dict[str, list[TableRow]] = {}
    for row in found:
        key = None if row.fault else _find_key(row, by_time="time" in columns)
        if key is None:
            return _keep_file(path, f"line {row.line} has no {' and '.join(columns)}")
        groups.setdefault(key, []).append(row)
    if "time" not in columns and len(groups) < len(found):
        return _keep_file(path, "a user has several rows, and no time says whose episode each is of")
    values = {key: tuple(_list_fields(path.name, own)) for key, own in groups.items()}
    return _Read(part, values, {}) if "time" in columns else _Read(part, {}, values)


def _find_key(row: TableRow, *, by_time: bool) -> str | None:
    """Episode id or user id of a row; None if it has none."""
    user = normalize_user(row.values["user_id"])
    if user is None or not by_time:
        return user
    time = normalize_time(row.values["time"])
    return time and f"{user}__{time}"


def _list_fields(file: str, rows: Iterable[TableRow]) -> Iterable[ExtraField]:
    for row in rows:
        yield from row.list_extra(file)


def _keep_file(path: Path, reason: str) -> _Read:
    """Keep a table without a usable key as it is; one that is no UTF-8 table is not kept."""
    try:
        text = read_file(str(path), MAX_TABLE_BYTES).decode()
        header, *rows = csv.reader(text.lstrip("\ufeff").splitlines(keepends=True))
    except (ReleaseError, UnicodeDecodeError, csv.Error, ValueError):
        text, header, rows = None, [], []
    part = ExtraPart(
        kind=ExtraKind.TABLE,
        file=path.name,
        name=", ".join(name.strip() for name in header),
        count=sum(1 for row in rows if row),
        kept_in=KeptIn.NOWHERE if text is None else KeptIn.FILE,
        detail=reason,
    )
    return _Read(part, {}, {}, text)
