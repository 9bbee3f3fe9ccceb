"""The paper's rows in the tables of both tracks: as cells, and as a separate table."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import get_args

from rich.table import Table

from fingertip_dataset.track import Track
from fingertip_metrics.published import PublishedRow
from fingertip_metrics.published_beside import label_row, sources_of
from fingertip_runs.cells import NONE, text_cell

DECIMALS: Mapping[str, int] = MappingProxyType(
    {
        "sr1": 1, "sr2": 1, "sim1": 2, "sim2": 2, "step_ratio": 2, "seconds": 2, "rating": 2, "steps": 1,
        "age_mean": 1,
    }
)  # fmt: skip
"""Column -> number of decimals that the paper prints; any other column is a count."""

HEADINGS: Mapping[str, str] = MappingProxyType(
    {
        "sr1": "SR_1 %", "sim1": "Sim_1", "sr2": "SR_2 %", "sim2": "Sim_2", "step_ratio": "step ratio",
        "seconds": "s/query", "tokens": "tokens/query", "rating": "user rating",
    }
)  # fmt: skip
"""Column -> its heading; any other column is headed by its own name."""


def format_published(row: PublishedRow, column: str) -> str:
    """A value as the paper prints it; a dash if it prints none.

    >>> from fingertip_metrics.published import published_rows
    >>> [format_published(published_rows("table 3")[5], name) for name in ("sr1", "seconds", "tokens", "sr2")]
    ['12.8', '10.60', '2,335', '–']
    """
    value = row.values.get(column)
    if value is None:
        return row.words.get(column, NONE)
    return f"{value:,.{DECIMALS.get(column, 0)}f}"


def published_heading(column: str) -> str:
    """Heading of a column of published values."""
    return HEADINGS.get(column, column.replace("_", " "))


def apart_table(rows: Sequence[PublishedRow], columns: Collection[str], why: str) -> Table:
    """A separate table of published rows that are not comparable with the measured ones.

    Args:
        rows: The published rows, at least one.
        columns: Names of the value columns.
        why: Why the rows are in a separate table; end of the title.
    """
    table = Table(title=f"Published by the paper, {why}", title_justify="left")
    table.add_column("published")
    for column in columns:
        table.add_column(published_heading(column), justify="right", no_wrap=True)
    for row in rows:
        table.add_row(*map(text_cell, (label_row(row), *(format_published(row, name) for name in columns))))
    table.caption = f"published: {sources_of(rows)}"
    table.caption_justify = "left"
    return table


def trained_on(settings: Mapping[str, object]) -> tuple[Track, ...]:
    """The tracks whose training episodes an agent's model was fine-tuned on; empty for none.

    Args:
        settings: The agent's settings; the tracks are listed as "trained_on": ["suggestion"].
    """
    named = settings.get("trained_on")
    return tuple(track for track in get_args(Track) if isinstance(named, list | tuple) and track in named)
