"""`fingertip stats`: writes tables and figures of a built dataset."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fingertip_cli.options import shared_options
from fingertip_cli.printing.json_output import print_json

if TYPE_CHECKING:
    from rich.table import Table

    from fingertip_analysis.statistics.figures import Figures


@click.command(
    epilog="""\
    fingertip stats ./fingertip-20k --out stats
    """
)
@click.argument("dataset", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Folder of the figures.")
@click.option(
    "--queries",
    type=click.IntRange(1),
    default=200,
    show_default=True,
    help="Maximum number of queries of the action similarity.",
)
@shared_options.seed
@shared_options.as_json()
def command(dataset: Path, out: Path, queries: int, seed: int, as_json: bool) -> None:
    """Write table 7, episodes per user, app, category, hour and place, and action similarity as PNG and CSV.

    The action similarity here uses many queries and only earlier episodes; for the paper's figure 5 as
    described there, run `fingertip experiment figure-5`. Simulated people have a table of moments, too.
    """
    from fingertip_cli.printing.console import console
    from fingertip_cli.printing.progress import progress

    with progress() as report:
        report("reading the episodes, and drawing", 0, 0)
        figures = write_stats(dataset, out, queries=queries, seed=seed)
    if as_json:
        tables = {
            name: [dict(zip(table.columns, row, strict=True)) for row in table.rows]
            for name, table in figures.tables.items()
        }
        print_json({"folder": str(out), "queries": figures.queries, "tables": tables})
        return
    screen = console()
    screen.print(_splits(figures))
    screen.print(_similarity(figures))
    if "moments" in figures.tables:
        screen.print(_moments(figures))
    click.echo(f"{len(figures.tables)} tables and their figures are in {out}")


def write_stats(dataset: Path, out: Path, *, queries: int = 200, seed: int = 0) -> Figures:
    """Write every table and figure of a dataset, with the similarities of `fingertip_metrics`.

    Args:
        dataset: Folder that `fingertip build` wrote.
        out: Output folder, made if missing; files of the same names in it are replaced.
        queries: Maximum number of queries of the action similarity.
        seed: Seed of the sample of queries.

    Raises:
        DatasetError: The dataset is missing or broken.
        UsageError: `out` cannot be written.
        MissingExtraError: matplotlib or the font is not installed.
    """
    from fingertip_analysis.statistics.figures import FigureSource, write_figures
    from fingertip_analysis.statistics.statistics import COLUMNS, read_facts
    from fingertip_dataset.errors import UsageError
    from fingertip_dataset.parquet.built import BuiltDataset
    from fingertip_metrics.aggregate import bootstrap_mean
    from fingertip_metrics.similarity import sequence_similarity

    built = BuiltDataset.open(dataset)
    facts = read_facts(
        (split, row) for split in built.split_names for row in built.rows(split, columns=COLUMNS)
    )
    manifest = built.manifest
    source = FigureSource(
        dataset=str(dataset),
        provenance=manifest.provenance,
        data_sha256=manifest.data_sha256,
        settings=manifest.settings,
    )
    measures = {
        "whole sequence": partial(sequence_similarity, method="release"),
        "action by action": partial(sequence_similarity, method="tokens"),
    }
    try:
        out.mkdir(parents=True, exist_ok=True)
        return write_figures(
            facts,
            out,
            source,
            measures=measures,
            interval=bootstrap_mean,
            queries=queries,
            seed=seed,
            moments=None if manifest.moments is None else manifest.moments.splits,
        )
    except OSError as error:
        raise UsageError(f"the folder cannot be written: {error.strerror or error}", file=out) from error


def _splits(figures: Figures) -> Table:
    from rich.table import Table

    table = figures.tables["splits"]
    shown = [number for number, name in enumerate(table.columns) if not name.endswith("_published")]
    episodes = [table.columns.index(f"{who}_episodes_published") for who in ("paper", "public_release")]
    title = figures.source.title("Table 7, distinct episodes")
    printed = Table(title=f"{title} (*as published)", title_justify="left")
    for number in shown:
        printed.add_column(
            table.columns[number].replace("_", " "), justify="left" if number == 0 else "right"
        )
    for name in ("paper*", "public release*"):
        printed.add_column(name, justify="right")
    for row in table.rows:
        printed.add_row(*(_cell(row[number]) for number in (*shown, *episodes)))
    return printed


def _similarity(figures: Figures) -> Table:
    from rich.table import Table

    title = figures.source.title("Action similarity, with the episode of the most similar intent")
    printed = Table(title=f"{title}: {figures.queries}", title_justify="left")
    for name in ("pool", "measure", "mean [95 %]", "queries", "users", "without match"):
        printed.add_column(name, justify="left" if name in ("pool", "measure") else "right")
    for pool, measure, mean, low, high, *counts in figures.tables["action_similarity"].rows:
        ends = "no interval" if low is None else f"{low:.3f}, {high:.3f}"
        printed.add_row(str(pool), str(measure), f"{mean:.3f} [{ends}]", *map(_cell, counts))
    return printed


def _moments(figures: Figures) -> Table:
    from rich.table import Table

    table = figures.tables["moments"]
    printed = Table(title=figures.source.title("Moments: looks at the phone, by kind"), title_justify="left")
    for number, name in enumerate(table.columns):
        printed.add_column(name.replace("_", " "), justify="left" if number == 0 else "right")
    for row in table.rows:
        printed.add_row(*map(_cell, row))
    return printed


def _cell(value: object) -> str:
    if value is None:
        return "–"
    return f"{value:,}" if isinstance(value, int) else str(value)
