"""The paper's published tables, from one data file; kept apart from our own measurements.

`published_tables()` lists the tables, `published_table("table 5")` returns one with its title and section,
`published_rows("table 5")` its rows. `published_beside.find_rows_beside` selects rows comparable with a run.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from fingertip_dataset.errors import UnknownNameError

ALIASES: Mapping[str, str] = MappingProxyType({"reply": "reply to YFbi", "yfbi": "reply to YFbi"})
"""Alternative names of a table, besides its number and section."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedRow:
    """A row of a table of the paper.

    Attributes:
        name: Row name in the table: a model, "Human", or the setting if all rows have the same model.
        kind: "model" or "human" for scores; "dataset", "action", "split", "people", "profile" in tables
            about the data.
        values: Numbers by the names of our metrics: "sr1" and "sr2" are percentages, as in the paper; "sim1",
            "sim2", "step_ratio", "rating" without a unit; "seconds" and "tokens" per query;
            "episodes", "screens", "apps", "categories", "users", ... counts. None if the paper prints "-" or
            nothing.
        source: Citation of paper, table and section.
        table: Name of the table in `published_tables`.
        section: Section of the paper, such as "A.6.3".
        setting: Experimental setting. All rows have "tracks", "splits" and "tasks" (parallel lists),
            "model" (None for people), "base_model", "fine_tuned", "trained_on" ("own track", or tracks),
            "training_episodes", "lora_rank", "subset" (of A.6.1), "protocol", "annotators"; rows of track 1
            "screenshots", "history" ("20", "none", "relevant"), "history_protocol" ("online"),
            "history_model", "without", "distribution", "temperature", "sr1_judge", "embedder"; rows of
            track 2 "device", "history_protocol", "reference" ("same_user", "not_same_task"),
            "step_limit_factor", "success_by". Lists are tuples.
        words: Non-numeric cells, by column.
        note: Other remarks of the paper on the row, or its printed form; "" for none.
    """

    name: str
    kind: str
    values: Mapping[str, float | None]
    source: str
    table: str
    section: str
    setting: Mapping[str, Any]
    words: Mapping[str, str]
    note: str = ""

    @property
    def agent(self) -> str:
        """The measured model, or the row's name for a row without a model.

        >>> published_rows("table 10")[3].agent
        'GPT-4.1'
        """
        return self.setting["model"] or self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedTable:
    """A table of the paper.

    Attributes:
        name: "table 3", "demographics", ...
        section: Section of the paper.
        title: Title in our words.
        setting: Experimental setting common to all rows; see `PublishedRow.setting`.
        columns: Names of the values and words, in the paper's order.
        units: Unit of each numeric column.
        rows: Rows in the paper's order.
        notes: Caveats for the reader; inferred facts are marked as such.
        source: Citation of paper, table and section.
    """

    name: str
    section: str
    title: str
    setting: Mapping[str, Any]
    columns: tuple[str, ...]
    units: Mapping[str, str]
    rows: tuple[PublishedRow, ...]
    notes: tuple[str, ...]
    source: str


def published_tables() -> tuple[str, ...]:
    """Names of the available tables, in the paper's order.

    >>> published_tables()[:3]
    ('table 1', 'table 2', 'table 3')
    """
    return tuple(_read_tables())


def published_table(table: str | int) -> PublishedTable:
    """Look up a table by name, number or section: 3, "table 3", "table-3", "Table3", "3", "A.6.3", "reply".

    Raises:
        UsageError: Unknown table, or a section with several tables.

    >>> published_table(2).title
    'The action space'
    """
    # a name may have hyphens, so that -4 would be read as 4
    name = str(table) if isinstance(table, int) and table > 0 else table
    found = _find(name) if isinstance(name, str) else None
    if found is None:
        raise UnknownNameError("a published table", str(name), published_tables())
    return _read_tables()[found]


def published_rows(table: str | int) -> tuple[PublishedRow, ...]:
    """Rows of a table, in the paper's order.

    Args:
        table: Name, number or section, as for `published_table`.

    Raises:
        UsageError: Unknown table, or a section with several tables.

    >>> [row.name for row in published_rows("table 4") if row.values["sim2"] > 1.06]
    ['Qwen-VL-Max', 'AutoDroid', 'AppAgent']
    """
    return published_table(table).rows


def _find(wanted: str) -> str | None:
    """Name of the table for a name, number or section; None if unknown, or if the section has several."""
    name = " ".join(wanted.lower().replace("-", " ").replace("_", " ").split())
    tables = _read_tables()
    for own in tables:
        joined = own.lower().replace(" ", "")
        if name.replace(" ", "") in (joined, joined.removeprefix("table")):
            return own
    if name in ALIASES:
        return ALIASES[name]
    of_section = [own for own, table in tables.items() if table.section.lower() == name]
    return of_section[0] if len(of_section) == 1 else None


@cache
def _read_tables() -> Mapping[str, PublishedTable]:
    text = files("fingertip_metrics").joinpath("published.json").read_text(encoding="utf-8")
    data = json.loads(text)
    return MappingProxyType(
        {name: _make_table(data, name, fields) for name, fields in data["tables"].items()}
    )


def _make_table(data: Mapping[str, Any], name: str, fields: Mapping[str, Any]) -> PublishedTable:
    tracks = fields["tracks"]
    setting = dict(data["settings"]["all"], tracks=tracks)
    for track in tracks:
        setting |= data["settings"][track]
    setting["splits"] = [data["tests"][track]["split"] for track in tracks]
    setting["tasks"] = [data["tests"][track]["tasks"] for track in tracks]
    setting |= fields.get("setting", {})
    of_table = f"{name}, " if name.startswith("table") else ""
    where = fields.get("from", f"{of_table}section {fields['section']}")
    source = f"{data['paper']}, {where}"
    columns = tuple(fields["columns"])
    return PublishedTable(
        name=name,
        section=fields["section"],
        title=fields["title"],
        setting=_freeze(setting),
        columns=columns,
        units={column: data["units"][column] for column in columns if column in data["units"]},
        rows=tuple(_make_row(row, name, fields, setting, source) for row in fields["rows"]),
        notes=tuple(fields.get("notes", ())),
        source=source,
    )


def _make_row(
    row: Mapping[str, Any], table: str, fields: Mapping[str, Any], setting: Mapping[str, Any], source: str
) -> PublishedRow:
    cells = dict(zip(fields["columns"], row["values"], strict=True))
    kind = row.get("kind", fields["kind"])
    # a model row's name is its model, unless the table's setting names one model for all rows
    own = {"model": row["name"]} if kind == "model" and setting["model"] is None else {}
    return PublishedRow(
        name=row["name"],
        kind=kind,
        values=MappingProxyType({name: cell for name, cell in cells.items() if not isinstance(cell, str)}),
        words=MappingProxyType({name: cell for name, cell in cells.items() if isinstance(cell, str)}),
        source=source,
        table=table,
        section=fields["section"],
        setting=_freeze({**setting, **own, **row.get("setting", {})}),
        note=row.get("note", ""),
    )


def _freeze(setting: Mapping[str, Any]) -> Mapping[str, Any]:
    def part(value: object) -> object:
        return tuple(value) if isinstance(value, Sequence) and not isinstance(value, str) else value

    return MappingProxyType({name: part(value) for name, value in setting.items()})
