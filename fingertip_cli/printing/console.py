"""Console on which commands print tables."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

WIDTH = 140
"""Width in columns when stdout is no terminal (a file or a pipe)."""


def console() -> Console:
    """Return a console on stdout that prints data verbatim, and turns tables that are wider than it is."""
    from fingertip_cli.printing.turned_table import TurningConsole

    width = None if sys.stdout.isatty() else WIDTH
    return TurningConsole(width=width, highlight=False, markup=False, emoji=False)
