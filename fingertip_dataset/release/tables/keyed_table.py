"""A table indexed by key: identical rows are merged, contradicting rows refused, and all counted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from fingertip_dataset.errors import ReleaseError
from fingertip_dataset.release.extra_fields import ExtraField, join_extra
from fingertip_dataset.release.problems import Problem, ProblemKind
from fingertip_dataset.release.tables.table_rows import TableRow

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class TableCount:
    """Counts of a table's rows: given = kept + merged + refused."""

    given: int = 0
    kept: int = 0
    merged: int = 0
    refused: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyedTable(Generic[T]):
    """Rows of a table by key.

    Attributes:
        values: Key -> value of its row, in the order of the file.
        lines: Key -> line of that row.
        count: Counts of the rows.
        problems: Problems of the merged and refused rows.
        extra: Key -> values of its row's unknown columns, also of merged rows where they differ; keys
            without any are left out.
    """

    values: Mapping[str, T]
    lines: Mapping[str, int]
    count: TableCount
    problems: tuple[Problem, ...]
    extra: Mapping[str, tuple[ExtraField, ...]] = field(default_factory=dict)


def keyed_table(
    file: str,
    rows: Iterable[TableRow],
    read: Callable[[TableRow], tuple[str, T]],
    meaning: Callable[[T], object],
) -> KeyedTable[T]:
    """Index rows by key.

    Args:
        file: Name of the table, for its problems.
        rows: Rows of the table.
        read: Function that returns a row's key and value; its ReleaseError refuses the row.
        meaning: Function of a value; rows of one key are identical if it returns equal results.
    """
    groups: dict[str, list[tuple[int, T]]] = {}
    extra: dict[str, list[tuple[ExtraField, ...]]] = {}
    problems = []
    given = 0
    for row in rows:
        given += 1
        try:
            key, value = read(row)
        except ReleaseError as error:
            problems.append(Problem(kind=ProblemKind.BAD_ROW, detail=error.message, file=file, line=row.line))
            continue
        groups.setdefault(key, []).append((row.line, value))
        if row.extra:
            extra.setdefault(key, []).append(row.list_extra(file))
    kept = {key: group[0] for key, group in groups.items() if len({meaning(v) for _, v in group}) == 1}
    for key, group in groups.items():
        if len(group) > 1:
            problems += _report_repeated_rows(file, key, [line for line, _ in group], merged=key in kept)
    merged = sum(len(groups[key]) - 1 for key in kept)
    return KeyedTable(
        values={key: value for key, (_, value) in kept.items()},
        lines={key: line for key, (line, _) in kept.items()},
        count=TableCount(given=given, kept=len(kept), merged=merged, refused=given - len(kept) - merged),
        problems=tuple(problems),
        extra={key: join_extra(rows_of_key) for key, rows_of_key in extra.items() if key in kept},
    )


def _report_repeated_rows(file: str, key: str, lines: list[int], *, merged: bool) -> list[Problem]:
    """Return a problem for each merged row except the first, or for every conflicting row."""
    kind = ProblemKind.DUPLICATE_ROW if merged else ProblemKind.CONFLICTING_ROWS
    content = "the same content" if merged else "different content"
    detail = f"expected one row of {key}, got {len(lines)} with {content}, the first in line {lines[0]}"
    # the key of an episode is its id, that of a profile a user id
    episode_id = key if "__" in key else None
    return [
        Problem(kind=kind, detail=detail, episode_id=episode_id, file=file, line=line)
        for line in lines[1 if merged else 0 :]
    ]
