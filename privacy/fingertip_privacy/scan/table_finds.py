"""Private parts of the tables of a release, and of the simulations of a dataset: files of all episodes."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterator, Mapping
from itertools import zip_longest
from pathlib import Path

from fingertip_dataset.errors import ReleaseError
from fingertip_dataset.parquet.simulations import SIMULATIONS
from fingertip_dataset.release.raw_folder import read_file
from fingertip_dataset.release.tables.index_tables import table_files
from fingertip_privacy.finds import Find, FindPlace, ScanProblem
from fingertip_privacy.scan.episode_finds import find_in_text
from fingertip_privacy.scan.roster import Roster
from fingertip_privacy.scan.scan_settings import ScanSettings
from fingertip_privacy.scan.scanned_texts import NOT_PRIVATE_SET_UP, Source, list_json_texts, read_json
from fingertip_privacy.tree_source import may_hold_number

MAX_TABLE_BYTES = 256 * 2**20
"""Maximum size of a table or of simulations.jsonl; total.csv of the release has 3 MB."""

_KEYS = frozenset({"user_id", "time", "app", "intentclass", "sex", "age"})
"""Columns that hold ids and classes: numbers and mailboxes are found in them, and no words."""


def table_finds(
    tables: Path,
    root: Path,
    rosters: Mapping[str, Roster],
    settings: ScanSettings,
    problems: list[ScanProblem],
) -> Iterator[Find]:
    """Yield the finds of the tables of a release.

    Args:
        tables: Folder of the tables.
        root: Folder of the release; paths are relative to it, also with "..".
        rosters: User -> roster.
        settings: Settings of the scan.
        problems: Gets what cannot be read.
    """
    for name in table_files(tables):
        file = tables / name
        place = _relative(file, root)
        try:
            text = read_file(str(file), MAX_TABLE_BYTES).decode("utf-8-sig", "replace")
            for named in Source(user="", episode=None, step=None, file=place).list_file_name():
                yield from find_in_text(named, Roster.of(()), settings)
            for user, episode, field, value, technical in _cells(text):
                source = Source(user=user, episode=episode, step=None, file=place)
                cell = source.text(FindPlace.INDEX, field, value, is_technical=technical)
                yield from find_in_text(cell, rosters.get(user, Roster.of(())), settings)
        except (ReleaseError, csv.Error) as error:
            problems.append(ScanProblem(detail=f"the table was not scanned: {error}", file=place))


def _relative(file: Path, root: Path) -> str:
    return Path(os.path.relpath(file, root)).as_posix()


def _cells(text: str) -> Iterator[tuple[str, str | None, str, str, bool]]:
    """Yield user, episode, place, text of each cell, and whether programs write it; lines count from 1."""
    reader = csv.reader(io.StringIO(text))
    header = next(reader, [])
    keys = [name.strip().lower() for name in header]
    for name in filter(may_hold_number, header):
        yield "", None, f"line 1@{name}", name, True
    for cells in reader:
        row = dict(zip(keys, cells, strict=False))
        user = row.get("user_id", "").strip()
        episode = f"{user}__{row['time'].strip()}" if user and row.get("time") else None
        # a row may have more cells than the header has names
        for name, key, cell in zip_longest(header, keys, cells, fillvalue=""):
            technical = key in _KEYS
            if cell and (not technical or may_hold_number(cell)):
                yield user, episode, f"line {reader.line_num}@{name}", cell, technical


def find_in_simulations(
    dataset: Path, rosters: Mapping[str, Roster], settings: ScanSettings, problems: list[ScanProblem]
) -> Iterator[Find]:
    """Yield the finds of a dataset's simulations.jsonl; none if it has no such file."""
    file = dataset / SIMULATIONS
    if not file.is_file():
        return
    try:
        lines = read_file(str(file), MAX_TABLE_BYTES).splitlines()
    except ReleaseError as error:
        problems.append(ScanProblem(detail=f"the simulations were not scanned: {error}", file=SIMULATIONS))
        return
    for number, line in enumerate(lines, 1):
        fields = read_json(line)
        if fields is None:
            detail = f"line {number} was not scanned: expected a JSON object"
            problems.append(ScanProblem(detail=detail, file=SIMULATIONS))
            continue
        episode = str(fields.get("episode_id", ""))
        user = episode.rpartition("__")[0]
        source = Source(user=user, episode=episode or None, step=None, file=SIMULATIONS)
        for name, text, technical in list_json_texts(
            fields.get("simulation", {}), technical=NOT_PRIVATE_SET_UP
        ):
            field = source.text(FindPlace.INDEX, f"line {number}@{name}", text, is_technical=technical)
            yield from find_in_text(field, rosters.get(user, Roster.of(())), settings)
