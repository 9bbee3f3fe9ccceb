"""`fingertip score-csv`: scores of results in the CSV columns of the authors' scripts, of either track."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fingertip_cli.options import scoring_options, shared_options
from fingertip_cli.options.given_options import refuse_unused
from fingertip_cli.printing.json_output import print_json
from fingertip_dataset.track import Track

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.table import Table

    from fingertip_analysis.csv_scores import CsvScores
    from fingertip_analysis.result_csv import ResultFile

NAMES = {
    "sr1": ("SR_1 % [95 %]", 100, 1),
    "sr2": ("SR_2 % [95 %]", 100, 1),
    "sim1": ("Sim_1 [95 %]", 1, 3),
    "cosine": ("cosine", 1, 3),
    "levenshtein": ("text", 1, 3),
    "sim2": ("Sim_2 [95 %]", 1, 3),
    "s_i": ("S_I", 1, 3),
    "s_ii": ("S_II", 1, 3),
    "step_ratio": ("steps x", 1, 2),
}
"""Name of a score -> column head, factor and number of decimals."""

MOST_NAMED = 20
"""Maximum number of unreadable rows named on standard error; --json names all."""


@click.command(
    "score-csv",
    epilog="""\
    fingertip score-csv results.csv --embedder lexical
    """,
)
@click.argument("file", type=click.Path(path_type=Path))
@scoring_options.protocol
@scoring_options.embedder()
@scoring_options.judge
@click.option(
    "--track",
    type=click.Choice(["suggestion", "execution"]),
    help="Track whose columns are read, for a file with the columns of both.",
)
@shared_options.notes
@shared_options.as_json()
def command(
    file: Path,
    protocol: str,
    embedder: scoring_options.EmbedderOptions,
    judging: scoring_options.JudgeOptions,
    track: Track | None,
    as_json: bool,
) -> None:
    """Score a CSV file in the columns that the authors' scripts write.

    Track 1: original_intent, predicted_intent, time, token. Track 2: success, origin_step, real_step, up_sim,
    down_sim, similarity, time, token. With user_id there are intervals over users. The encoding is UTF-8 or
    GBK. Unreadable rows are named and left out; the exit code is then 1. A judge's answers are kept beside
    the file.
    """
    from fingertip_analysis.csv_scores import csv_dict
    from fingertip_analysis.result_csv import read_result_csv
    from fingertip_dataset.release.problems import printable

    results = read_result_csv(file, track=track)
    scores = _score(results, protocol, embedder, judging)
    for row in results.bad[:MOST_NAMED]:
        click.echo(printable(f"{file}:{row.line}: {row.reason}"), err=True)
    if len(results.bad) > MOST_NAMED:
        click.echo(f"{file}: {len(results.bad) - MOST_NAMED:,} more rows left out", err=True)
    if as_json:
        print_json(csv_dict(scores))
    else:
        _print(scores)
    if results.bad:
        raise click.exceptions.Exit(1)


def _score(
    results: ResultFile,
    protocol: str,
    embedder: scoring_options.EmbedderOptions,
    judging: scoring_options.JudgeOptions,
) -> CsvScores:
    from fingertip_analysis.csv_scores import score_csv
    from fingertip_cli.printing.progress import progress

    if results.track == "execution":
        judging.refuse_track_2()
        why = "its Sim_2 is read from the file"
        refuse_unused(f"track 2 in {results.path.name}", why, used=("track", "as_json", "notes"))
        return score_csv(results, protocol=protocol)
    model = embedder.open(results.path.parent)
    with progress() as report:
        on_judged = functools.partial(report, "judged")
        # a judge's answers are kept beside the file, as in the folder of a run
        with judging.open(results.path.parent, on_progress=on_judged) as judge:
            return score_csv(results, embedder=model, judge=judge, protocol=protocol)


def _print(scores: CsvScores) -> None:
    from fingertip_cli.printing.console import console
    from fingertip_cli.printing.notes import Notes

    console().print(_table(scores))
    below = Notes.of_call()
    below.add(_list_notes(scores))
    below.finish()


def _list_notes(scores: CsvScores) -> Iterator[str]:
    """List what is scored, for how many rows, and what cannot be compared with the paper."""
    sim1 = scores.sim1
    if sim1:
        measures = f"text similarity by {sim1.similarity}, cosine of {sim1.embedder}"
        yield f"Scored by protocol {sim1.protocol}: {measures}. Scored text: predicted_intent."
    else:
        yield (
            "Sim_2 and its parts are read from the file: S_I is up_sim, S_II is down_sim, both 0-1, as in "
            "`fingertip score`."
        )
        yield "SR_2 and the step ratio follow the 2.5 x rule."
    for name in ("timed", "counted_tokens"):
        known = getattr(scores, name)
        if 0 < known < scores.n:
            what = "Seconds" if name == "timed" else "Tokens"
            yield f"{what} are known for {known:,} of {scores.n:,} rows."
    for note in scores.notes:
        yield f"{note[0].upper()}{note[1:]}."
    for caveat in scores.caveats:
        yield f"Not comparable with the paper: {caveat}."


def _table(scores: CsvScores) -> Table:
    from rich.table import Table

    from fingertip_runs.cells import format_interval, format_number, format_seconds, text_cell

    track = "proactive task suggestion" if scores.file.track == "suggestion" else "personalized execution"
    table = Table(title=f"{scores.file.path.name}: {track}", title_justify="left")
    cells = []
    for name, mean in scores.means.items():
        head, factor, decimals = NAMES[name]
        table.add_column(head, justify="right", no_wrap=True)
        no_interval = "[95 %]" not in head or mean is None or (mean.low is None and not mean.clusters)
        value = None if mean is None else mean.mean * factor
        cell = format_number(value, f".{decimals}f")
        cells.append(cell if no_interval else format_interval(mean, decimals=decimals, factor=factor))
    for head in ("s/query", "tokens/query", "n"):
        table.add_column(head, justify="right", no_wrap=True)
    cells += [format_seconds(scores.seconds), format_number(scores.tokens, ",.0f"), f"{scores.n:,}"]
    table.add_row(*map(text_cell, cells))
    return table
