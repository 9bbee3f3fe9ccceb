"""`fingertip quality DATASET`: flaws of demonstrations and a quality score of each episode."""

from __future__ import annotations

from contextlib import ExitStack
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from fingertip_cli.options import scoring_options, shared_options
from fingertip_cli.options.worker_count import default_workers
from fingertip_cli.printing.json_output import print_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from fingertip_dataset.parquet.features import Config
    from fingertip_models.chat.chat_client import ChatClient
    from fingertip_studies.quality.episode_flaws import Flaw
    from fingertip_studies.quality.flaw_kinds import FlawKind
    from fingertip_studies.quality.measure_dataset import EpisodeQuality, QualityMeasurement
    from fingertip_studies.quality.quality_summary import QualitySummary

PARTS = "parts"
"""Folder in --out of the shards' results, with which the same call goes on."""

CONFIGS: dict[str, Config] = {"screens": "default", "actions": "text"}
"""What is read -> config of the dataset that has it."""

FEW_UNREADABLE = 3
"""Number of unreadable screenshots that are named on stderr."""


@click.command(
    epilog="""\
    fingertip quality ./fingertip-20k --out quality
    fingertip quality ./fingertip-20k --read actions --json
    fingertip build RAW --out good --quality quality/quality.csv --min-quality 0.5
    """
)
@click.argument("dataset", type=click.Path(path_type=Path))
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of the files: a row per episode, every flaw, figures, page. Default: only the table.",
)
@click.option(
    "--read",
    "read",
    type=click.Choice(["screens", "actions"]),
    default="screens",
    show_default=True,
    help="Read the screens too, or only the actions: quick, but the checks of screens are not made.",
)
@shared_options.workers
@click.option(
    "--worst", type=click.IntRange(0), default=20, show_default=True, help="Number of episodes on the page."
)
@scoring_options.vision_judge
@scoring_options.vision_judge_options
@shared_options.as_json()
def command(
    dataset: Path,
    out: Path | None,
    read: str,
    workers: int | None,
    worst: int,
    judge: str | None,
    judge_base_url: str | None,
    judge_no_preflight: bool,
    as_json: bool,
) -> None:
    """Find flaws of the demonstrations in a built dataset, and score each episode from 0 to 1.

    Repeated and undone actions, the same screen again, corrected typing, advertisements, detours, missing,
    black and unchanged screens, trees out of step with their screenshots, duplicated episodes, and with
    --judge intents that were not served. `fingertip build --quality FILE` uses the scores.
    """
    from fingertip_cli.options.output_folder import keep_if_used
    from fingertip_cli.printing.progress import progress
    from fingertip_dataset.errors import UsageError
    from fingertip_models.chat.chat_client import ChatClient
    from fingertip_models.options import ModelOptions
    from fingertip_studies.quality.measure_dataset import measure_dataset

    if judge is None and (judge_base_url is not None or judge_no_preflight):
        raise UsageError(f"--judge-{'no-preflight' if judge_no_preflight else 'base-url'} needs --judge")
    if judge is not None and (out is None or read == "actions"):
        raise UsageError("--judge needs --out, where its answers are kept, and --read screens")
    with ExitStack() as stack:
        if out is None:
            folder = Path(stack.enter_context(TemporaryDirectory(prefix="fingertip-quality-")))
        else:
            stack.enter_context(keep_if_used(out))
            folder = out
        with progress() as report:
            measurement = measure_dataset(
                dataset,
                folder / PARTS,
                config=CONFIGS[read],
                workers=workers or default_workers(),
                on_progress=partial(report, "shards"),
            )
        judged = None
        if judge is not None:
            options = ModelOptions(model=judge, base_url=judge_base_url)
            with ChatClient(options, preflight=not judge_no_preflight) as client:
                judged = _judge(measurement, folder, client)
        _finish(measurement, judged, out, worst=worst, as_json=as_json)


def _finish(
    measurement: QualityMeasurement,
    judged: dict[str, Flaw] | None,
    out: Path | None,
    *,
    worst: int,
    as_json: bool,
) -> None:
    """Write the files, and print the tables or the JSON object."""
    from fingertip_cli.printing.console import console
    from fingertip_cli.printing.notes import print_line
    from fingertip_studies.quality.quality_files import summary_object, write_quality
    from fingertip_studies.quality.quality_summary import summarize

    left_out = measurement.checks_left_out(judged=judged is not None)
    episodes = measurement.ordered(judged)
    summary = summarize(episodes, left_out)
    _note_unreadable(episodes)
    files: list[Path] = []
    if out is not None:
        files += write_quality(out, measurement, episodes, summary, left_out=left_out)
        files += _write_pictures(out, measurement, episodes, summary, left_out, worst)
    if as_json:
        content = summary_object(measurement, summary, left_out)
        print_json(content | {"files": [str(file) for file in files]})
        return
    screen = console()
    screen.print(_build_kind_table(measurement, summary))
    screen.print(_build_user_table(summary))
    for line in _list_notes(measurement, summary, left_out):
        print_line(line)
    if files:
        click.echo(f"written: {', '.join(str(file) for file in files)}")


def _write_pictures(
    out: Path,
    measurement: QualityMeasurement,
    episodes: Sequence[EpisodeQuality],
    summary: QualitySummary,
    left_out: Sequence[FlawKind],
    worst: int,
) -> list[Path]:
    """Write the page, and the figures where matplotlib is installed."""
    from fingertip_analysis.statistics.figures import FigureSource
    from fingertip_dataset.errors import MissingExtraError, UsageError
    from fingertip_studies.quality.quality_plots import plot_quality
    from fingertip_studies.quality.worst_page import PAGE_FILE, write_worst_page

    manifest = measurement.built.manifest
    source = FigureSource(
        dataset=str(measurement.built.path),
        provenance=manifest.provenance,
        data_sha256=manifest.data_sha256,
    )
    page = out / PAGE_FILE
    files = [
        write_worst_page(page, measurement, episodes, summary, left_out=left_out, count=worst),
    ]
    try:
        files += plot_quality(summary, source, out)
    except MissingExtraError as error:
        click.echo(f"no figures: {error}", err=True)
    except OSError as error:
        raise UsageError(f"the figures cannot be written: {error.strerror or error}", file=out) from error
    return files


def _judge(measurement: QualityMeasurement, folder: Path, client: ChatClient) -> dict[str, Flaw]:
    from fingertip_cli.options.dataset_language import dataset_language, reason_language
    from fingertip_cli.printing.progress import progress
    from fingertip_studies.quality.intent_judge import judge_intents

    with progress() as report:
        outcome = judge_intents(
            measurement,
            folder,
            client,
            language=dataset_language(),
            reasons=reason_language(),
            on_progress=partial(report, "episodes judged"),
        )
    click.echo(
        f"judge {client.options.model}: {outcome.judged:,} episodes judged, "
        f"{outcome.unparsable:,} answers not readable, {outcome.unseen:,} episodes without a screen",
        err=True,
    )
    return outcome.flaws


def _note_unreadable(episodes: Sequence[EpisodeQuality]) -> None:
    """Name the first unreadable screenshots on stderr."""
    from fingertip_dataset.release.problems import printable
    from fingertip_studies.quality.flaw_kinds import FlawKind

    broken = [
        (episode.episode_id, flaw)
        for episode in episodes
        for flaw in episode.flaws
        if flaw.kind is FlawKind.UNREADABLE_SCREENSHOT
    ]
    for name, flaw in broken[:FEW_UNREADABLE]:
        place = f"episode {name}, step {(flaw.step or 0) + 1}"
        click.echo(f"{place}: the screenshot cannot be decoded: {printable(flaw.detail)}", err=True)
    if len(broken) > FEW_UNREADABLE:
        click.echo(f"and {len(broken) - FEW_UNREADABLE:,} more screenshots that cannot be decoded", err=True)


def _build_kind_table(measurement: QualityMeasurement, summary: QualitySummary) -> Table:
    from rich.table import Table

    from fingertip_runs.cells import format_interval
    from fingertip_studies.quality.flaw_kinds import KINDS

    provenance = measurement.built.manifest.provenance
    marked = "" if provenance == "recorded" else f" ({provenance} data)"
    table = Table(title=f"Flaws of demonstrations{marked}", title_justify="left")
    table.add_column("kind")
    for name in ("episodes", "% of episodes [95 %]", "flaws", "loss"):
        table.add_column(name, justify="right")
    table.add_column("meaning")
    for row in summary.kinds:
        traits = KINDS[row.kind]
        share = format_interval(row.share, decimals=1, factor=100)
        cells = (f"{row.episodes:,}", share, f"{row.flaws:,}", f"{traits.loss:g}", traits.meaning)
        table.add_row(row.kind.value.replace("_", " "), *cells)
    return table


def _build_user_table(summary: QualitySummary) -> Table:
    from rich.table import Table

    from fingertip_runs.cells import format_number, text_cell

    table = Table(title="Users", title_justify="left")
    table.add_column("user")
    for name in ("episodes", "mean score", "lowest", "with a flaw that costs score", "most frequent flaw"):
        table.add_column(name, justify="right")
    for user in summary.users:
        kind, count = max(user.kinds.items(), key=lambda pair: pair[1], default=(None, 0))
        frequent = f"{kind.value.replace('_', ' ')} ({count})" if kind is not None else "–"
        numbers = (
            f"{user.episodes:,}",
            format_number(user.score),
            format_number(user.worst),
            f"{user.flawed:,}",
        )
        table.add_row(text_cell(user.user_id), *numbers, frequent)
    return table


def _list_notes(
    measurement: QualityMeasurement, summary: QualitySummary, left_out: Sequence[FlawKind]
) -> list[str]:
    from fingertip_runs.cells import format_interval

    sources = ", ".join(f"{name} for {count:,}" for name, count in sorted(summary.shortest_by.items()))
    lines = [
        f"score: {format_interval(summary.score)} over {summary.episodes:,} episodes, "
        f"{summary.steps:,} steps",
        f"actions over the shortest known path: {format_interval(summary.ratio, decimals=2)}; "
        f"path from {sources}",
    ]
    if left_out:
        names = ", ".join(kind.value.replace("_", " ") for kind in left_out)
        why = "--read actions" if measurement.config == "text" else "no judge"
        lines.append(f"not checked ({why}): {names}")
    if measurement.config == "text":
        lines.append("warning: do not compare scores without these checks with scores with them")
    return lines
