"""Printed result of an experiment: a table with its notes and files, or one JSON object."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fingertip_cli.printing.json_output import print_json

if TYPE_CHECKING:
    from fingertip_studies.experiments.catalogue import Experiment


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperimentOutput:
    """Result of an experiment, ready to print.

    Attributes:
        experiment: The experiment.
        header: Column heads of the table.
        rows: Cells of the table.
        data: The same rows for --json: one object of JSON values per row.
        notes: Remarks needed to read the table.
        files: Paths of the written files.
        tables: Further tables, each as title, header and cells, printed below the first.
        more: Additional members of the JSON object.
    """

    experiment: Experiment
    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    data: Sequence[Mapping[str, Any]]
    notes: Sequence[str]
    files: Sequence[Path]
    tables: Sequence[tuple[str, Sequence[str], Sequence[Sequence[str]]]] = ()
    more: Mapping[str, Any] = field(default_factory=dict)


def print_output(output: ExperimentOutput, *, as_json: bool) -> None:
    """Print the result on stdout."""
    if as_json:
        print_json(_make_object(output))
        return
    from fingertip_cli.printing.notes import Notes

    _print_table(output.experiment.heading, output.header, output.rows)
    for table in output.tables:
        _print_table(*table)
    below = Notes.of_call()
    below.add(output.notes)
    below.finish()
    click.echo(f"written: {', '.join(str(file) for file in output.files)}")


def _print_table(title: str, header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    from rich.table import Table

    from fingertip_cli.printing.console import console
    from fingertip_runs.cells import text_cell

    table = Table(title=title, title_justify="left")
    for number, name in enumerate(header):
        is_label = number < 2  # the first two columns name the row
        table.add_column(name, justify="left" if is_label else "right", overflow="fold", no_wrap=not is_label)
    for row in rows:
        table.add_row(*map(text_cell, row))
    console().print(table)


def _make_object(output: ExperimentOutput) -> dict[str, Any]:
    experiment = output.experiment
    return {
        "experiment": experiment.name,
        "of": experiment.of,
        "section": experiment.section,
        "title": experiment.title,
        "rows": list(output.data),
        "notes": list(output.notes),
        "files": [str(file) for file in output.files],
        **output.more,
    }
