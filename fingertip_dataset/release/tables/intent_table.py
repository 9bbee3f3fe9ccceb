"""Tables of episodes: total.csv, train_set.csv and the test tables, which have the same columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import tzinfo
from functools import partial
from pathlib import Path

from fingertip_dataset.episodes import Intent
from fingertip_dataset.errors import ReleaseError
from fingertip_dataset.release.problems import Problem, ProblemKind
from fingertip_dataset.release.spelling import find_intent_fault, normalize_time, normalize_user
from fingertip_dataset.release.tables.keyed_table import KeyedTable, keyed_table
from fingertip_dataset.release.tables.table_rows import TableRow, read_rows
from fingertip_dataset.times import BEIJING, find_offset

COLUMNS: Mapping[str, tuple[str, ...]] = {
    "user_id": ("userid",),
    "time": ("time",),
    "scenario": ("scenario",),
    "app": ("app",),
    "intentDescription": ("intentdescription",),
    "intentClass": ("intentclass",),
}
"""Column -> accepted headers, normalized by `plain_key`."""

REQUIRED = ("user_id", "time", "scenario", "app", "intentDescription")


def read_intents(path: Path, zone: tzinfo = BEIJING) -> KeyedTable[Intent]:
    """Read the intents of a table, by episode id.

    Args:
        path: The table.
        zone: Zone of its times.

    Raises:
        ReleaseError: The table cannot be read at all.
    """
    columns, rows = read_rows(path, COLUMNS, REQUIRED)
    table = keyed_table(path.name, rows, partial(_read_intent, zone=zone), find_meaning)
    if "intentClass" in columns:
        return table
    detail = "expected a column intentClass, got none"
    problem = Problem(kind=ProblemKind.MISSING_COLUMN, detail=detail, file=path.name, line=1)
    return replace(table, problems=(*table.problems, problem))


def find_meaning(intent: Intent) -> tuple[str | None, ...]:
    """Return the fields by which two rows of one episode are compared, without surrounding space."""
    fields = (intent.episode_id, intent.scenario, intent.app, intent.text, intent.category)
    return tuple(part and part.strip() for part in fields)


def _read_intent(row: TableRow, zone: tzinfo) -> tuple[str, Intent]:
    if row.fault:
        raise ReleaseError(row.fault)
    cells = row.values
    user, time = normalize_user(cells["user_id"]), normalize_time(cells["time"])
    if user is None:
        raise ReleaseError(f"expected a user id, got {cells['user_id'][:40]!r}")
    if time is None:
        raise ReleaseError(f"expected a time YYYYMMDD_HHMMSS, got {cells['time'][:40]!r}")
    if not cells["intentDescription"].strip():
        raise ReleaseError("expected an intent, got an empty cell")
    if fault := find_intent_fault(cells["intentDescription"]):
        raise ReleaseError(f"expected an intent, got {fault}")
    intent = Intent(
        user_id=user,
        time=time,
        scenario=cells["scenario"],
        app=cells["app"],
        text=cells["intentDescription"],
        category=cells.get("intentClass", "").strip() or None,
        offset=find_offset(time, zone),
    )
    return intent.episode_id, intent
