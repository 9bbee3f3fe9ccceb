"""Widths of a table's columns on a terminal: cells are wrapped between whole names, numbers and intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.table import Column, Table
from rich.text import Text

from fingertip_cli.printing.cell_pieces import measure_least, measure_most, wrap_cell

LONG_TEXT = 24
"""Columns from which on a cell is a text, which is hard to read in a column as narrow as its longest word."""
LEAST_TEXT = 14
"""Columns that a column of texts has at least."""
BORDER, GAP = 3, 2
"""Columns of a border with its padding, and of the gap between the columns of a table without borders."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableGrid:
    """Cells of a table, apart from how it looks.

    Attributes:
        columns: Columns, for their heads and their alignment.
        rows: Cells of each row, as many as columns.
        source: Table that lends its look.
    """

    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    source: Table

    @classmethod
    def read(cls, table: Table) -> TableGrid:
        """Read the cells of a table."""
        cells = [[str(cell) for cell in column.cells] for column in table.columns]
        return cls(columns=tuple(table.columns), rows=tuple(zip(*cells, strict=True)), source=table)

    @property
    def heads(self) -> tuple[str, ...]:
        """Head of each column."""
        return tuple(str(column.header) for column in self.columns)

    @property
    def edges(self) -> int:
        """Columns of all borders and gaps together."""
        if self.source.box is None:
            return GAP * (len(self.columns) - (0 if self.source.pad_edge else 1))
        return BORDER * len(self.columns) + 1

    @property
    def least_width(self) -> int:
        """Columns of the terminal that the table needs at least."""
        return sum(self.measure_least()) + self.edges

    def measure_least(self) -> list[int]:
        """Measure how wide each column has to be so that no name, number or interval is cut."""
        found = []
        for cells in self._list_columns():
            most = max(map(measure_most, cells))
            readable = LEAST_TEXT if most > LONG_TEXT else 0
            found.append(max(readable, *map(measure_least, cells)))
        return found

    def choose_widths(self, width: int) -> list[int]:
        """Choose the width of each column, so that the columns with the most lines get the room.

        Args:
            width: Columns of the terminal, at least `least_width`.
        """
        columns = self._list_columns()
        widths, most = self.measure_least(), [max(map(measure_most, cells)) for cells in columns]
        room = width - self.edges - sum(widths)
        lines = [_count_lines(cells, wide) for cells, wide in zip(columns, widths, strict=True)]
        while room > 0:
            growing = [number for number, wide in enumerate(widths) if wide < most[number]]
            if not growing:
                break
            chosen = max(growing, key=lines.__getitem__)
            widths[chosen] += 1
            lines[chosen] = _count_lines(columns[chosen], widths[chosen])
            room -= 1
        return widths

    def leave_out(self, head: str) -> TableGrid:
        """Return the grid without a column."""
        kept = [number for number, name in enumerate(self.heads) if name != head]
        return TableGrid(
            columns=tuple(self.columns[number] for number in kept),
            rows=tuple(tuple(row[number] for number in kept) for row in self.rows),
            source=self.source,
        )

    def turn(self, rows: Sequence[int]) -> TableGrid:
        """Return the grid of some rows, each of which becomes a column."""
        chosen = [self.rows[number] for number in rows]
        first, *others = self.heads
        columns = [Column(header=first), *(Column(header=row[0], justify="right") for row in chosen)]
        turned = [(head, *(row[at] for row in chosen)) for at, head in enumerate(others, start=1)]
        return TableGrid(columns=tuple(columns), rows=tuple(turned), source=self.source)

    def build_table(self, width: int) -> Table:
        """Build the table for a terminal that it fits, with its cells wrapped."""
        source, widths = self.source, self.choose_widths(width)
        table = Table(
            box=source.box,
            pad_edge=source.pad_edge,
            show_header=source.show_header,
            show_lines=source.show_lines,
        )
        for column, wide in zip(self.columns, widths, strict=True):
            head = Text("\n".join(wrap_cell(str(column.header), wide)))
            table.add_column(head, justify=column.justify, width=wide, no_wrap=True)
        looks = source.rows if len(source.rows) == len(self.rows) else [None] * len(self.rows)
        for row, look in zip(self.rows, looks, strict=True):
            cells = [Text("\n".join(wrap_cell(cell, wide))) for cell, wide in zip(row, widths, strict=True)]
            table.add_row(
                *cells, style=look.style if look else None, end_section=bool(look and look.end_section)
            )
        return table

    def _list_columns(self) -> list[tuple[str, ...]]:
        return [(head, *(row[at] for row in self.rows)) for at, head in enumerate(self.heads)]


def _count_lines(cells: Sequence[str], width: int) -> int:
    return sum(len(wrap_cell(cell, width)) for cell in cells)
