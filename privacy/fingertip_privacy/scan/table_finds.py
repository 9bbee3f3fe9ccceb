"""Private parts of the tables of a release, and of the simulations of a dataset: files of all episodes."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterator, Mapping
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

MAX_TABLE_BYTES = 256 * 2**20
"""Maximum size of a table or of simulations.jsonl; total.csv of the release has 3 MB."""

_KEYS = frozenset({"user_id", "time", "app", "intentclass", "sex", "age"})
"""Columns that hold ids and classes."""


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
            for user, episode, field, value in _cells(text):
                source = Source(user=user, episode=episode, step=None, file=place)
                roster = rosters.get(user, Roster.of(()))
                yield from find_in_text(source.text(FindPlace.INDEX, field, value), roster, settings)
        except (ReleaseError, csv.Error) as error:
            problems.append(ScanProblem(detail=f"the table was not scanned: {error}", file=place))


def _relative(file: Path, root: Path) -> str:
    return Path(os.path.relpath(file, root)).as_posix()


def _cells(text: str) -> Iterator[tuple[str, str | None, str, str]]:
    """Yield user, episode, place and text of each cell; lines are counted from 1."""
    reader = csv.reader(io.StringIO(text))
    header = next(reader, [])
    keys = [name.strip().lower() for name in header]
    for cells in reader:
        row = dict(zip(keys, cells, strict=False))
        user = row.get("user_id", "").strip()
        episode = f"{user}__{row['time'].strip()}" if user and row.get("time") else None
        for name, key, cell in zip(header, keys, cells, strict=False):
            if key not in _KEYS and cell:
                yield user, episode, f"line {reader.line_num}@{name}", cell


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
        for name, text in list_json_texts(fields.get("simulation", {}), left_out=NOT_PRIVATE_SET_UP):
            field = source.text(FindPlace.INDEX, f"line {number}@{name}", text)
            yield from find_in_text(field, rosters.get(user, Roster.of(())), settings)
