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
    from rich.text import Text

    from fingertip_cli.printing.console import console
    from fingertip_dataset.release.problems import printable

    table = Table(box=None, pad_edge=False)
    for number, head in enumerate(heads):
        table.add_column(head, no_wrap=not number, overflow="fold")
    for row in rows:
        # not by fingertip_runs.cells: a list of names needs no numpy
        table.add_row(*(Text(printable(cell)) for cell in row))
    console().print(table)
