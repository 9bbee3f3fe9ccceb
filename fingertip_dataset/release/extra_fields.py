"""Parts of a release beyond the known layout: further columns, fields and tables, kept as written.

A later release may state more than this version knows. Nothing of it is dropped: values with an episode or a
user become the column `extra` of its rows, and a table without such a key is kept as a file of the dataset.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum, auto


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtraField:
    """A value of the release that has no column of its own.

    Attributes:
        source: Name of the file: "total.csv", "user_profile.csv", "survey_result.json", or a further table.
        name: Name of the column or field, as the file writes it.
        value: The cell as written; of a survey's field the text, or JSON of any other value.
        line: Line of the table's row, counted from 1; None for a survey.
    """

    source: str
    name: str
    value: str
    line: int | None = None


class ExtraKind(StrEnum):
    """Kind of a part of a release that this version does not know."""

    COLUMN = auto()
    FIELD = auto()
    TABLE = auto()


class KeptIn(StrEnum):
    """Place in a built dataset where such a part is kept."""

    ROWS = "column extra"
    FILE = "folder tables"
    NOWHERE = "not kept"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtraPart:
    """A part of a release that this version does not know.

    Attributes:
        kind: A column of a known table, a field of surveys, or a table.
        file: Name of the table, or "survey_result.json".
        name: Name of the column or field; of a table its columns.
        count: Number of its values that are not empty; of a table its rows.
        kept_in: Place where a build keeps it.
        detail: Reason why a table is not in the rows; "" for all others.
    """

    kind: ExtraKind
    file: str
    name: str
    count: int
    kept_in: KeptIn = KeptIn.ROWS
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FurtherTables:
    """Tables that this version does not know.

    Attributes:
        by_episode: Episode id -> values of its rows.
        by_user: User id -> values of the user's row.
        parts: A part for each table.
        files: Name of each table that is kept as a file -> its text.
    """

    by_episode: Mapping[str, tuple[ExtraField, ...]] = field(default_factory=dict)
    by_user: Mapping[str, tuple[ExtraField, ...]] = field(default_factory=dict)
    parts: tuple[ExtraPart, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)


def join_extra(groups: Iterable[Sequence[ExtraField]]) -> tuple[ExtraField, ...]:
    """Join values of several rows or tables; a value that repeats an earlier one of its name is left out.

    >>> one, other = (ExtraField(source=file, name="mood", value="calm") for file in ("a.csv", "b.csv"))
    >>> [value.source for value in join_extra(([one], [other]))]
    ['a.csv']
    """
    joined: dict[tuple[str, str], ExtraField] = {}
    for group in groups:
        for value in group:
            joined.setdefault((value.name, value.value), value)
    return tuple(joined.values())


MOST_PARTS = 100
"""Maximum number of columns, or of fields, that are named; the others are counted together."""


def count_fields(kind: ExtraKind, values: Iterable[ExtraField]) -> tuple[ExtraPart, ...]:
    """Return a part for each source and name, in the order in which they first occur.

    Names beyond `MOST_PARTS`, as of surveys whose fields are data, are one part.
    """
    counts = Counter((value.source, value.name) for value in values)
    parts = [
        ExtraPart(kind=kind, file=file, name=name, count=count) for (file, name), count in counts.items()
    ]
    if len(parts) <= MOST_PARTS:
        return tuple(parts)
    named, rest = parts[:MOST_PARTS], parts[MOST_PARTS:]
    count = sum(part.count for part in rest)
    return (*named, ExtraPart(kind=kind, file=rest[0].file, name=f"{len(rest)} others", count=count))
