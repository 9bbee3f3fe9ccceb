"""Console on which commands print tables."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

WIDTH = 140
"""Width in columns when stdout is no terminal (a file or a pipe)."""


def console() -> Console:
    """Return a console on stdout that prints data verbatim, with tables that fit its width."""
    from fingertip_cli.printing.table_console import TableConsole

    width = None if sys.stdout.isatty() else WIDTH
    return TableConsole(width=width, highlight=False, markup=False, emoji=False)
