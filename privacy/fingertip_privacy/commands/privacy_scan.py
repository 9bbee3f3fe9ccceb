"""`fingertip privacy scan`: private parts of a raw release or built dataset, found and listed in a report."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from fingertip_cli.options import shared_options
from fingertip_cli.options.old_spellings import renamed
from fingertip_cli.options.worker_count import FEW_EPISODES, default_workers
from fingertip_cli.printing.json_output import print_json
from fingertip_cli.printing.progress import progress
from fingertip_privacy.commands.privacy_inspector import add_inspector_options, check_inspector, run_inspector
from fingertip_privacy.commands.private_kinds import only_kinds, read_kinds

if TYPE_CHECKING:
    from fingertip_privacy.finds import FindKind, ScanReport

MOST_PROBLEMS = 10
"""Maximum number of problems that are printed; the report lists all."""


@click.command(
    epilog="""\
    fingertip privacy scan RAW
    fingertip privacy scan ./fingertip-20k --kind phone,name --out report
    """
)
@click.argument("source", type=click.Path(path_type=Path), metavar="RAW|DATASET")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="REPORT",
    help="Folder of the report. Default: the source with .privacy behind its name.",
)
@shared_options.tables
@only_kinds
@renamed(
    "--not-kind",
    "without",
    old=("--without",),
    multiple=True,
    metavar="KIND,...",
    callback=read_kinds,
    help="Do not look for these kinds.",
)
@click.option(
    "--ocr",
    type=click.Choice(["tiny", "small", "none"]),
    default="tiny",
    show_default=True,
    help="Model that reads text in screenshots: small takes three times as long, none reads no pixels.",
)
@click.option(
    "--min-confidence",
    type=click.FloatRange(0, 1),
    default=0.5,
    show_default=True,
    help="Leave out finds below it.",
)
@click.option(
    "--fail-on",
    multiple=True,
    metavar="KIND,...",
    callback=read_kinds,
    help="Exit code 1 if one of these kinds was found.",
)
@add_inspector_options
@shared_options.workers
@shared_options.part
@shared_options.engine
@shared_options.as_json()
def command(
    source: Path,
    out: Path | None,
    tables: Path | None,
    kinds: tuple[FindKind, ...],
    without: tuple[FindKind, ...],
    ocr: Literal["tiny", "small", "none"],
    min_confidence: float,
    fail_on: tuple[FindKind, ...],
    workers: int | None,
    part: tuple[int, int] | None,
    engine: Literal["local", "ray"],
    as_json: bool,
    **inspector: Any,  # noqa: ANN401 - those of `add_inspector_options`
) -> None:
    """Find phone numbers, ids, cards, addresses, names, codes, faces and more in screens, texts and tables.

    Nothing is downloaded, and nothing is sent unless --inspector names a model. The report quotes what it
    found and is as private as the data: only its owner can read its files. A stopped scan goes on when it is
    called again.
    """
    from fingertip_privacy.finds import PRIVATE_NOTE, FindKind, report_of
    from fingertip_privacy.scan.scan import scan
    from fingertip_privacy.scan.scan_settings import ScanSettings

    wanted = tuple(kind for kind in kinds or tuple(FindKind) if kind not in without)
    if not wanted:
        raise click.UsageError("--kind and --not-kind leave no kind to look for")
    check_inspector(inspector)
    settings = ScanSettings(kinds=wanted, ocr=ocr, least_confidence=min_confidence)
    report = out or report_of(source)
    with progress() as show:
        record = scan(
            source,
            report,
            settings,
            tables=tables,
            engine=engine,
            workers=workers or default_workers(FEW_EPISODES),
            part=part,
            on_progress=lambda stage, done, total: show(stage, done, total),
        )
    if record is None:
        click.echo(
            "this part is read; the job that reads the last missing part finishes the report", err=True
        )
        return
    record = run_inspector(report, source, inspector, tables=tables) or record
    _print_problems(record)
    click.echo(f"{report}: {PRIVATE_NOTE}", err=True)
    if as_json:
        print_json(record.model_dump(mode="json"))
    else:
        _print_counts(record)
    if any(kind in record.counts for kind in fail_on):
        sys.exit(1)


def _print_problems(record: ScanReport) -> None:
    from fingertip_dataset.release.problems import printable

    for problem in record.problems[:MOST_PROBLEMS]:
        # a shard has many episodes
        within = f" {problem.episode}" if record.source_kind == "dataset" and problem.episode else ""
        where = f"{problem.file}{within}"
        click.echo(f"{printable(where)}: {printable(problem.detail)}", err=True)
    if len(record.problems) > MOST_PROBLEMS:
        click.echo(f"{len(record.problems)} problems; report.json lists all", err=True)


def _print_counts(record: ScanReport) -> None:
    """Print a table of kinds by place."""
    from rich.table import Table

    from fingertip_cli.printing.console import console
    from fingertip_privacy.finds import FindPlace

    places = [place for place in FindPlace if any(place in counts for counts in record.counts.values())]
    table = Table(box=None)
    table.add_column("kind")
    for place in (*places, "all"):
        table.add_column(place.replace("_", " "), justify="right")
    for kind, counts in record.counts.items():
        cells = [f"{counts.get(place, 0):,}" for place in places]
        table.add_row(kind.replace("_", " "), *cells, f"{sum(counts.values()):,}")
    console().print(table)
    moments = f", {record.moments:,} moments" if record.moments else ""
    click.echo(
        f"{record.episodes:,} episodes{moments}, {record.screenshots:,} screenshots and {record.trees:,} "
        "trees scanned"
    )
