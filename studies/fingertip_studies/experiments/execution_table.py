"""The table of a track 2 experiment: SR_2, Sim_2, step ratio, time and tokens per query."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from fingertip_dataset.release.problems import printable
from fingertip_metrics.published import PublishedRow
from fingertip_runs.cells import format_number
from fingertip_studies.experiments.experiment_table import (
    ExperimentRow,
    MeasuredValue,
    TableMeasure,
    format_counted,
    row_data,
    table_page,
    value_cell,
)

MEASURES = (
    TableMeasure(name="sr2", heading="SR_2 %", percent=True),
    TableMeasure(name="sim2", heading="Sim_2", percent=False),
    TableMeasure(name="step_ratio", heading="steps x", percent=False),
)
PER_QUERY = {"seconds": ("s/query", ".2f"), "tokens": ("tokens/query", ",.0f")}
"""Name of a value -> its heading and format; both per call of a model, as in the paper's table 4."""

FIELDS = ("n", "tasks", "run", "remark")
"""Fields of a machine-readable row after the scores."""


def make_published_row(cell: str, row: PublishedRow, kept: Collection[str]) -> ExperimentRow:
    """A row of the paper, SR_2 as a share.

    Args:
        cell: Cell beside which the row is shown.
        row: Published row.
        kept: Names of the values that are comparable.
    """
    factors = {measure.name: measure.factor for measure in MEASURES} | dict.fromkeys(PER_QUERY, 1)
    values = {
        name: MeasuredValue(mean=round(value / factor, 6))
        for name, factor in factors.items()
        if name in kept and (value := row.values.get(name)) is not None
    }
    return ExperimentRow(kind="published", cell=cell, agent=row.agent, values=values, remark=row.source)


def table_cells(
    rows: Sequence[ExperimentRow], *, cells: bool
) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Header and cells of the printed table; published rows have "published" before their name.

    Args:
        rows: Rows of the table.
        cells: Whether the experiment has several cells, so that each row names its own.
    """
    per_query = {
        name: column for name, column in PER_QUERY.items() if any(name in row.values for row in rows)
    }
    header = ("agent", *(f"{measure.heading} [95 %]" for measure in MEASURES))
    header += (*(heading for heading, _ in per_query.values()), "n")
    found = []
    for row in rows:
        agent = f"published: {row.agent}" if row.kind == "published" else row.agent
        numbers = [value_cell(row, measure) for measure in MEASURES]
        for name, (_, form) in per_query.items():
            value = row.values.get(name)
            numbers.append(format_number(value.mean if value else None, form))
        found.append((row.cell, agent, *numbers, format_counted(row)))
    shown = [tuple(map(printable, row if cells else row[1:])) for row in found]
    return ("cell", *header) if cells else header, shown


def execution_row_data(row: ExperimentRow) -> dict[str, str | float | int | None]:
    """A row in machine-readable form, with the scores and fields of track 2."""
    return row_data(row, MEASURES, means=PER_QUERY, fields=FIELDS)


def markdown(heading: str, rows: Sequence[ExperimentRow], notes: Sequence[str], *, cells: bool) -> str:
    """The table as Markdown, with its caveats below."""
    return table_page(heading, *table_cells(rows, cells=cells), notes)
