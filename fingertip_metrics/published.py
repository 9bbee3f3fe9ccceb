"""What the paper published, table by table, from one data file; never mixed with what is measured here.

`published_tables()` names the tables, `published_table("table 5")` gives one with its title and section,
`published_rows("table 5")` its rows. Which rows may stand beside a run is `published_beside.rows_beside`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from fingertip_dataset.errors import UsageError

ALIASES: Mapping[str, str] = MappingProxyType({"reply": "reply to YFbi", "yfbi": "reply to YFbi"})
"""Further names of a table, beside its number and its section."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedRow:
    """One row of a table of the paper.

    Attributes:
        name: As the table has it: a model, "Human", or the setting where the model is the same in all rows.
        kind: "model" or "human" of scores; "dataset", "split", "people", "profile" of tables about the data.
        values: By the names of our own scores: "sr1" and "sr2" are percentages, as the paper prints them;
            "sim1", "sim2", "step_ratio", "rating" as they are; "seconds" and "tokens" a query; "episodes",
            "screens", "apps", "categories", "users", ... counts. None where the paper prints "-" or nothing.
        source: The paper, the table and the section, in words.
        table: As `published_tables` names it.
        section: Section of the paper, "A.6.3".
        setting: What it was measured in. All rows have "tracks", "splits" and "tasks" (parallel lists),
            "model" (None for people), "base_model", "fine_tuned", "trained_on" ("own track", or tracks),
            "training_episodes", "lora_rank", "subset" (of A.6.1), "protocol", "annotators"; rows of track 1
            "screenshots", "history" ("20", "none", "relevant"), "history_protocol" ("online"),
            "history_model", "without", "distribution", "temperature", "sr1_judge", "embedder"; rows of
            track 2 "device", "history_protocol", "reference" ("same_user", "not_same_task"),
            "step_limit_factor", "success_by". Lists are tuples.
        words: The cells that are no numbers, by column.
        note: Other remarks of the paper on the row, or how it prints it; "" for none.
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
        """Who was measured: the model, or what the row is called where there is none.

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
        title: What it is of, in our words.
        setting: What all its rows were measured in; see `PublishedRow.setting`.
        columns: Names of its values and words, in the paper's order.
        units: Unit of each numeric column.
        rows: In the paper's order.
        notes: What a reader has to know; what is inferred says so.
        source: The paper, the table and the section, in words.
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
    """The names of the tables that are known, in the paper's order.

    >>> published_tables()[:3]
    ('table 1', 'table 3', 'table 4')
    """
    return tuple(_tables())


def published_table(table: str) -> PublishedTable:
    """A table by its name, number or section: "table 3", "table-3", "3", "A.6.3", "demographics", "reply".

    Raises:
        UsageError: There is none of that name.
    """
    found = _find(table)
    if found is None:
        raise UsageError(f"expected a published table, one of {', '.join(published_tables())}, got {table!r}")
    return _tables()[found]


def published_rows(table: str) -> tuple[PublishedRow, ...]:
    """The rows of a table, in the paper's order.

    Args:
        table: As `published_table` takes it.

    Raises:
        UsageError: There is none of that name.

    >>> [row.name for row in published_rows("table 4") if row.values["sim2"] > 1.06]
    ['Qwen-VL-Max', 'AutoDroid', 'AppAgent']
    """
    return published_table(table).rows


def _find(wanted: str) -> str | None:
    """The table's own name, however it was asked for; None where there is none, or several in a section."""
    name = " ".join(wanted.lower().replace("-", " ").replace("_", " ").split())
    tables = _tables()
    for own in tables:
        if name in (own.lower(), own.lower().removeprefix("table ")):
            return own
    if name in ALIASES:
        return ALIASES[name]
    of_section = [own for own, table in tables.items() if table.section.lower() == name]
    return of_section[0] if len(of_section) == 1 else None


@cache
def _tables() -> Mapping[str, PublishedTable]:
    text = files("fingertip_metrics").joinpath("published.json").read_text(encoding="utf-8")
    data = json.loads(text)
    return MappingProxyType({name: _table(data, name, fields) for name, fields in data["tables"].items()})


def _table(data: Mapping[str, Any], name: str, fields: Mapping[str, Any]) -> PublishedTable:
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
        setting=_frozen(setting),
        columns=columns,
        units={column: data["units"][column] for column in columns if column in data["units"]},
        rows=tuple(_row(row, name, fields, setting, source) for row in fields["rows"]),
        notes=tuple(fields.get("notes", ())),
        source=source,
    )


def _row(
    row: Mapping[str, Any], table: str, fields: Mapping[str, Any], setting: Mapping[str, Any], source: str
) -> PublishedRow:
    cells = dict(zip(fields["columns"], row["values"], strict=True))
    kind = row.get("kind", fields["kind"])
    # a row of a model is called after it, unless the whole table is of one model
    own = {"model": row["name"]} if kind == "model" and setting["model"] is None else {}
    return PublishedRow(
        name=row["name"],
        kind=kind,
        values=MappingProxyType({name: cell for name, cell in cells.items() if not isinstance(cell, str)}),
        words=MappingProxyType({name: cell for name, cell in cells.items() if isinstance(cell, str)}),
        source=source,
        table=table,
        section=fields["section"],
        setting=_frozen({**setting, **own, **row.get("setting", {})}),
        note=row.get("note", ""),
    )


def _frozen(setting: Mapping[str, Any]) -> Mapping[str, Any]:
    def part(value: object) -> object:
        return tuple(value) if isinstance(value, Sequence) and not isinstance(value, str) else value

    return MappingProxyType({name: part(value) for name, value in setting.items()})
