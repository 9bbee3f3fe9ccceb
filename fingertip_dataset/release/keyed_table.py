"""A table by its key: identical rows become one, contradicting rows are refused, and all are counted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from fingertip_dataset.errors import ReleaseError
from fingertip_dataset.release.problems import Problem, ProblemKind
from fingertip_dataset.release.table_rows import TableRow

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class TableCount:
    """Rows of a table: given = kept + merged + refused."""

    given: int = 0
    kept: int = 0
    merged: int = 0
    refused: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyedTable(Generic[T]):
    """What a table tells of each key.

    Attributes:
        values: Key -> what its row tells, in the order of the file.
        lines: Key -> the line of that row.
        count: Of the rows.
        problems: Rows that were merged or refused.
    """

    values: Mapping[str, T]
    lines: Mapping[str, int]
    count: TableCount
    problems: tuple[Problem, ...]


def keyed_table(
    file: str,
    rows: Iterable[TableRow],
    read: Callable[[TableRow], tuple[str, T]],
    meaning: Callable[[T], object],
) -> KeyedTable[T]:
    """Rows by key.

    Args:
        file: The table's name, for its problems.
        rows: Of that table.
        read: A row's key and value; a ReleaseError refuses the row.
        meaning: What two rows of one key must share to be the same row.
    """
    found: dict[str, list[tuple[int, T]]] = {}
    problems = []
    given = 0
    for row in rows:
        given += 1
        try:
            key, value = read(row)
        except ReleaseError as error:
            problems.append(Problem(kind=ProblemKind.BAD_ROW, detail=error.message, file=file, line=row.line))
            continue
        found.setdefault(key, []).append((row.line, value))
    kept = {key: group[0] for key, group in found.items() if len({meaning(v) for _, v in group}) == 1}
    for key, group in found.items():
        if len(group) > 1:
            problems += _repeated(file, key, [line for line, _ in group], merged=key in kept)
    merged = sum(len(found[key]) - 1 for key in kept)
    return KeyedTable(
        values={key: value for key, (_, value) in kept.items()},
        lines={key: line for key, (line, _) in kept.items()},
        count=TableCount(given=given, kept=len(kept), merged=merged, refused=given - len(kept) - merged),
        problems=tuple(problems),
    )


def _repeated(file: str, key: str, lines: list[int], *, merged: bool) -> list[Problem]:
    """A problem for each row but the first of merged ones, and for every row of conflicting ones."""
    kind = ProblemKind.DUPLICATE_ROW if merged else ProblemKind.CONFLICTING_ROWS
    says = "the same" if merged else "different things"
    detail = f"expected one row of {key}, got {len(lines)} that tell {says}, the first in line {lines[0]}"
    # an episode's key is its id, a profile's a user
    episode_id = key if "__" in key else None
    return [
        Problem(kind=kind, detail=detail, episode_id=episode_id, file=file, line=line)
        for line in lines[1 if merged else 0 :]
    ]
