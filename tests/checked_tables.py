"""Check of every table that a command prints in a test: it fits terminals of 80, 100 and 160 columns.

Names, words, numbers and intervals stand whole in what is printed, unless their column is named as left out.
The check runs where the command prints, so that a new command with a table is checked by its own test.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from rich.cells import cell_len
from rich.table import Table

from fingertip_cli.printing.table_console import TableConsole

WIDTHS = (80, 100, 160)

_INTERVAL = re.compile(r"\[-?[\d.,]+, -?[\d.,]+\]")
_CHINESE = re.compile("[\u3400-\u9fff]")


def render_table(table: Table, width: int) -> str:
    """Print a table as on a terminal of this width."""
    out = io.StringIO()
    TableConsole(file=out, width=width, highlight=False, markup=False, emoji=False).print(table)
    return out.getvalue()


def check_table(table: Table, width: int) -> None:
    """Check that a table is whole on a terminal of this width.

    Raises:
        AssertionError: A name, a number or an interval is cut or broken, or a line is too long.
    """
    printed = render_table(table, width)
    words = printed.replace("│", " ").replace("┃", " ")
    whole = words.split()
    heads = [str(column.header) for column in table.columns]
    listed = re.search(r"Left out: (.*)\. The whole table", " ".join(whole))
    left_out = [head for head in heads if listed and head in listed[1].split(", ")]
    cells = [str(cell) for column in table.columns for cell in column.cells if column.header not in left_out]
    for cell in cells:
        for word in cell.split():
            # Chinese without spaces may break between characters
            assert word in whole or _CHINESE.search(word), f"{word!r} is broken at {width}:\n{printed}"
        for interval in _INTERVAL.findall(cell):
            assert interval in words, f"{interval} is broken at {width}:\n{printed}"
    longest = max((cell_len(word) for cell in cells for word in cell.split()), default=0)
    too_long = [line for line in printed.splitlines() if cell_len(line) > width]
    assert not too_long or longest > width - 8, f"wider than {width}:\n{printed}"


@pytest.fixture(scope="session", autouse=True)
def checked_tables() -> Iterator[None]:
    """Every table that a command prints in this process is checked."""
    with check_printed_tables():
        yield


@contextmanager
def check_printed_tables() -> Iterator[None]:
    """Check each table that a command of this process prints, at all `WIDTHS`."""
    original, checking = TableConsole._print_table, False

    def print_checked(console: TableConsole, table: Table) -> None:
        nonlocal checking
        original(console, table)
        if not checking:
            checking = True
            try:
                for width in WIDTHS:
                    check_table(table, width)
            finally:
                checking = False

    TableConsole._print_table = print_checked  # type: ignore[method-assign]
    try:
        yield
    finally:
        TableConsole._print_table = original  # type: ignore[method-assign]
