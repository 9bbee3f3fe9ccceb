"""Tables that are too wide for a terminal, turned: a line for each column, so that no number is cut."""

from __future__ import annotations

from typing import Any

from rich.cells import cell_len
from rich.console import Console
from rich.table import Column, Table

LEAST_TEXT = 8
"""Columns that a cell of text needs at least to be read when it is folded."""
MOST_TEXT = 24
"""Columns that a cell of text takes at most in a turned table, where it is folded."""
BORDER = 3
"""Columns of a border with its padding."""


class TurningConsole(Console):
    """Console that turns tables whose numbers would be cut."""

    def print(self, *objects: Any, **options: Any) -> None:  # noqa: ANN401 - those of rich
        """Print objects; of a table that does not fit, its columns as rows."""
        parts: list[Any] = []
        for one in objects:
            parts += turn_wide(one, self.width) if isinstance(one, Table) else [one]
        super().print(*parts, **options)


def turn_wide(table: Table, width: int) -> list[Table]:
    """Turn a table if its numbers would be cut.

    Args:
        table: Its columns of numbers have `no_wrap`; the others are text, which may be folded.
        width: Columns of the terminal.

    Returns:
        The table itself if it fits or is an open list without borders; else tables whose first column has
        the names of its columns, and each further one a row of it, as many in a table as fit.
    """
    least = sum(
        _measure(column) if column.no_wrap else min(_measure(column), LEAST_TEXT) for column in table.columns
    )
    needed = least + BORDER * len(table.columns) + 1
    if table.box is None or needed <= width or not table.row_count:
        return [table]
    names = max(cell_len(str(column.header)) for column in table.columns) + BORDER + 1
    parts: list[list[int]] = []
    room = 0
    for row in range(table.row_count):
        wide = _measure_row(table, row) + BORDER
        if not parts or wide > room:
            parts.append([])
            room = width - names
        parts[-1].append(row)
        room -= wide
    return [_turn(table, rows) for rows in parts]


def _turn(table: Table, rows: list[int]) -> Table:
    first, *others = table.columns
    turned = Table(title=table.title, title_justify=table.title_justify)
    turned.add_column(first.header, no_wrap=True)
    for row in rows:
        turned.add_column(list(first.cells)[row], justify="right", overflow="fold")
    for column in others:
        cells = list(column.cells)
        turned.add_row(column.header, *(cells[row] for row in rows))
    return turned


def _measure(column: Column) -> int:
    return max(_measure_cell(cell) for cell in (column.header, *column.cells))


def _measure_row(table: Table, row: int) -> int:
    """Width of a row when it is a column: its longest number, or its texts as far as they are not folded."""
    widths = (
        (_measure_cell(list(column.cells)[row]), MOST_TEXT if not column.no_wrap else None)
        for column in table.columns
    )
    return max(width if most is None else min(width, most) for width, most in widths)


def _measure_cell(cell: Any) -> int:  # noqa: ANN401 - rich takes any renderable
    return max((cell_len(line) for line in str(cell).splitlines()), default=0)
