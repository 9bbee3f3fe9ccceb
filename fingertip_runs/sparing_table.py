"""Tables that name the columns which a narrow terminal leaves out first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.table import Table


class SparingTable(Table):
    """Table some of whose columns are less important than the others.

    Args:
        title: Title, which stands above the table.
        secondary: Heads of columns that are left out where the table is too wide, the first one first.
        options: Those of `rich.table.Table`.
    """

    def __init__(self, *, title: str, secondary: Sequence[str], **options: Any) -> None:  # noqa: ANN401 - rich's
        super().__init__(title=title, title_justify="left", **options)
        self.secondary = tuple(secondary)
