"""Lists of names with their descriptions, as a table."""

from __future__ import annotations

from collections.abc import Sequence


def print_plain(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows under their heads; the first column is never cut, so that names can be copied.

    Args:
        heads: Column heads.
        rows: Cells of each row.
    """
    from rich.table import Table

    from fingertip_cli.printing.console import console
    from fingertip_runs.cells import text_cell

    table = Table(box=None, pad_edge=False)
    for number, head in enumerate(heads):
        table.add_column(head, no_wrap=not number, overflow="fold")
    for row in rows:
        table.add_row(*map(text_cell, row))
    console().print(table)
