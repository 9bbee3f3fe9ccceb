"""`fingertip verify`: bundles held against the dataset, their scores made again."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rich.table import Table

    from fingertip_leaderboard.verify.verify_bundle import VerifyReport


@click.command()
@click.argument("bundles", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="BUNDLE...")
@click.option(
    "--dataset", type=click.Path(path_type=Path), required=True, help="The dataset that the runs are of."
)
def command(bundles: tuple[Path, ...], dataset: Path) -> None:
    """Verifies bundles of `fingertip submit`: folders or .zip files, also against one another.

    Every reason to refuse one is a line with its file, its line and its kind. Exit code 0: all are accepted,
    and the scores that were made again are printed; 1: one is refused; 2: the call was wrong.
    """
    from fingertip_leaderboard import verify_bundles

    reports = verify_bundles(bundles, dataset)
    for report in reports:
        _tell(report)
    for table in _tables(reports):
        _print(table)
    if not all(report.accepted for report in reports):
        sys.exit(1)


def _tell(report: VerifyReport) -> None:
    from fingertip_dataset.release.problems import printable

    name = printable(str(report.path))
    if report.accepted:
        click.echo(f"{name}: accepted")
    else:
        problems = len(report.problems) + report.more
        click.echo(f"{name}: refused, {problems} problem{'s' if problems != 1 else ''}")
    for problem in report.problems:
        click.echo(f"  {problem}")
    if report.more:
        click.echo(f"  and {report.more:,} more")
    for remark in report.remarks:
        click.echo(f"  note: {remark}")


def _tables(reports: tuple[VerifyReport, ...]) -> list[Table]:
    from execution_runner.scoring.run_scores import ExecutionRunScores as ExecutionScores
    from fingertip_analysis.report.execution_tables import score_tables
    from suggestion_runner import SuggestionRunScores as SuggestionScores
    from suggestion_runner import score_table

    suggestions = [report.scores for report in reports if isinstance(report.scores, SuggestionScores)]
    executions = [report.scores for report in reports if isinstance(report.scores, ExecutionScores)]
    tables = [score_table(suggestions)] if suggestions else []
    return [*tables, *(score_tables(executions, published=False) if executions else ())]


def _print(table: Table) -> None:
    from fingertip_cli.console import console

    console().print(table)
