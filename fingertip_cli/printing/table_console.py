"""Console that fits tables to its width without cutting a name, a number or an interval.

A table that is too wide has the values of its cells on several lines. If that is not enough it is turned, a
column for each row, or leaves out columns that it calls secondary; a line below it says which. On a terminal
that is too narrow for all of this, each value has a line of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from fingertip_cli.printing.table_layout import TableGrid

TITLE, CAPTION = "italic", "dim italic"
"""Styles of the lines above and below a table, as rich has them."""


class TableConsole(Console):
    """Console whose tables fit its width."""

    def print(self, *objects: Any, **options: Any) -> None:  # noqa: ANN401 - those of rich
        """Print objects, each table as wide as the console at most."""
        for one in objects:
            if isinstance(one, Table) and one.columns:
                self._print_table(one)
            else:
                super().print(one, **options)

    def _print_table(self, table: Table) -> None:
        if table.title:
            super().print(Text(str(table.title), style=TITLE))
        for part in fit_table(table, self.width):
            # a value that is wider than the terminal is broken by the terminal alone, and copied as a whole
            super().print(part, soft_wrap=isinstance(part, ValueList))
        if table.caption:
            super().print(Text(str(table.caption), style=CAPTION))


class ValueList(Text):
    """Values of a row of a table, each on a line of its own."""


def fit_table(table: Table, width: int) -> Iterator[Table | Text]:
    """Fit a table to a terminal.

    Args:
        table: Table; a `SparingTable` names the columns that may be left out.
        width: Columns of the terminal.

    Yields:
        Tables that fit, and lines about what was done to make them fit.
    """
    grid = TableGrid.read(table)
    if grid.least_width <= width:
        yield grid.build_table(width)
        return
    parts = [] if table.box is None else _turn_into_parts(grid, width)
    why = f"one column per {grid.heads[0]}: the usual way needs {grid.least_width} columns"
    if len(parts) == 1:
        yield parts[0].build_table(width)
        yield Text(f"Shown with {why}.")
        return
    fitting, left_out = _leave_columns_out(grid, width)
    if fitting is not None:
        yield fitting.build_table(width)
        yield Text(f"Left out: {', '.join(left_out)}. The whole table needs {grid.least_width} columns.")
        return
    for part in parts:
        yield part.build_table(width)
    if parts:
        yield Text(f"Shown in {len(parts)} parts, with {why}.")
    else:
        for row in grid.rows:
            yield ValueList("\n".join(_describe_values(grid.heads, row)))


def _leave_columns_out(grid: TableGrid, width: int) -> tuple[TableGrid | None, list[str]]:
    """Leave out secondary columns until the table fits; None if it does not fit without all of them."""
    left_out: list[str] = []
    for head in getattr(grid.source, "secondary", ()):
        if head in grid.heads:
            grid = grid.leave_out(head)
            left_out.append(head)
            if grid.least_width <= width:
                return grid, left_out
    return None, []


def _turn_into_parts(grid: TableGrid, width: int) -> list[TableGrid]:
    """Turn a table, with as many rows in each part as fit; empty if a row alone does not fit."""
    parts: list[list[int]] = []
    for row in range(len(grid.rows)):
        if parts and grid.turn([*parts[-1], row]).least_width <= width:
            parts[-1].append(row)
        elif grid.turn([row]).least_width <= width:
            parts.append([row])
        else:
            return []
    return [grid.turn(rows) for rows in parts]


def _describe_values(heads: Sequence[str], row: Sequence[str]) -> Iterator[str]:
    for head, cell in zip(heads, row, strict=True):
        if cell.strip():
            yield f"{head}: {' '.join(cell.split())}"
    yield ""
