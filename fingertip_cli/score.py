"""`fingertip score`: the scores of one run or several, of either track."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fingertip_cli import scoring_options

if TYPE_CHECKING:
    from rich.table import Table

    from suggestion_runner.answer_text import AnswerText

GROUPINGS = (
    "user",
    "app",
    "category",
    "scenario",
    "sex",
    "age",
    "occupation",
    "phone_brand",
    "difficulty",
)
"""Of `--by`; the last is of track 2 alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownScores:
    """How runs are scored and what is printed.

    Attributes:
        protocol: "release" or "paper".
        answers: Of track 1, the text that is scored: "raw" or "read".
        spelling: Of the actions of track 2 behind Sim_2; None for the protocol's own.
        by: Groupings, in the order asked for.
        partial: Whether unfinished runs are scored.
        published: None: the paper's rows stand below runs of their setting; True: in a table of their own,
            too; False: nowhere.
        as_json: Whether one JSON object is printed in place of tables.
    """

    protocol: str
    answers: AnswerText
    spelling: str | None
    by: tuple[str, ...]
    partial: bool
    published: bool | None
    as_json: bool


@click.command()
@click.argument("runs", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="RUN...")
@scoring_options.protocol
@scoring_options.answers
@scoring_options.spelling
@scoring_options.embedder
@scoring_options.judge
@click.option(
    "--by",
    type=click.Choice(GROUPINGS),
    multiple=True,
    help="Prints the scores of each group, too; may be given several times. difficulty is of track 2.",
)
@click.option("--partial", is_flag=True, help="Scores the tasks that are done of a run that is not finished.")
@click.option(
    "--published/--no-published",
    default=None,
    help="The paper's rows of a run's own setting stand below it, marked, by default. --published prints "
    "them in a table of their own, too, for runs on other data; --no-published never prints them.",
)
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Print one JSON object in place of tables: scores.json of each run.",
)
def command(
    runs: tuple[Path, ...],
    embedder: str,
    judging: scoring_options.JudgeOptions,
    **options: Any,  # noqa: ANN401 - those of `ShownScores`
) -> None:
    """Scores runs of `fingertip suggest` or `fingertip execute`: writes RUN/scores.json, prints a table."""
    from fingertip_cli.one_track import track_of_runs

    shown = ShownScores(**options | {"by": tuple(dict.fromkeys(options["by"]))})
    if track_of_runs(runs) == "suggestion":
        _suggestion(runs, embedder, judging, shown)
    else:
        judging.refuse_track_2()
        _execution(runs, shown)


def _suggestion(
    runs: tuple[Path, ...], embedder: str, judging: scoring_options.JudgeOptions, shown: ShownScores
) -> None:
    from fingertip_cli.console import console
    from fingertip_cli.progress import progress
    from fingertip_dataset.errors import UsageError
    from fingertip_metrics.embedders import get_embedder
    from suggestion_runner import breakdown_table, notes, read_run, score_run, score_table, write_scores
    from suggestion_runner.scoring import scores_dict
    from suggestion_runner.suggestion_published import published_apart
    from suggestion_runner.suggestion_tables import distribution_table

    if shown.spelling is not None:
        raise UsageError(f"--spelling is for runs of track 2, got --spelling {shown.spelling} for track 1")
    if "difficulty" in shown.by:
        raise UsageError(f"expected --by {', '.join(GROUPINGS[:-1])} for runs of track 1, got difficulty")
    for run in runs:
        read_run(run)
    model = get_embedder(embedder)
    scores = []
    with progress() as report:
        for run in runs:
            on_judged = functools.partial(report, f"{run.name}: judged")
            with judging.open(run, partial=shown.partial, on_progress=on_judged) as judge:
                scores.append(
                    score_run(
                        run,
                        embedder=model,
                        protocol=shown.protocol,
                        answers=shown.answers,
                        partial=shown.partial,
                        judge=judge,
                    )
                )
    for run_scores in scores:
        write_scores(run_scores)
    if shown.as_json:
        _print_json(runs, [scores_dict(run_scores) for run_scores in scores])
        return
    out = console()
    out.print(score_table(scores, published=shown.published is not False))
    several = distribution_table(scores, published=shown.published is not False)
    if several:
        out.print(several)
    if shown.published:
        _print_apart(published_apart(scores), "track 1")
    _print_notes(notes(scores))
    for run_scores in scores:
        for by in shown.by:
            out.print(breakdown_table(run_scores, by))


def _print_apart(table: Table | None, track: str) -> None:
    """The paper's rows of the runs' setting, or that it has none."""
    from fingertip_cli.console import console

    if table is None:
        click.echo(f"Published: the paper has no numbers of {track} in the setting of these runs.")
    else:
        console().print(table)


def _execution(runs: tuple[Path, ...], shown: ShownScores) -> None:
    from execution_runner.scoring.run_scores import score_run, scores_dict, write_scores
    from fingertip_analysis.report.execution_tables import (
        breakdown_table,
        notes,
        published_apart,
        score_tables,
    )
    from fingertip_cli.console import console

    scores = [
        score_run(run, protocol=shown.protocol, spelling=shown.spelling, partial=shown.partial)
        for run in runs
    ]
    for run_scores in scores:
        write_scores(run_scores)
    if shown.as_json:
        _print_json(runs, [scores_dict(run_scores) for run_scores in scores])
        return
    out = console()
    for table in score_tables(scores, published=shown.published is not False):
        out.print(table)
    if shown.published:
        _print_apart(published_apart(scores), "track 2")
    _print_notes(notes(scores))
    for run_scores in scores:
        for by in shown.by:
            out.print(breakdown_table(run_scores, by))


def _print_json(runs: Sequence[Path], scores: Sequence[Mapping[str, Any]]) -> None:
    """One object: under "runs" the content of each scores.json, with the run's folder."""
    found = [{"folder": str(run), **of_run} for run, of_run in zip(runs, scores, strict=True)]
    click.echo(json.dumps({"runs": found}, ensure_ascii=False))


def _print_notes(lines: Sequence[str]) -> None:
    from fingertip_dataset.release.problems import printable

    for line in lines:
        click.echo(printable(line))
