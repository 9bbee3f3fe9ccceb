"""`fingertip export`: prompts and right answers of both tracks as rows for training frameworks."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fingertip_cli.options import model_options, shared_options, training_options
from fingertip_cli.options.agent_options import FormatOptions, format_options
from fingertip_cli.options.worker_count import FEW_EPISODES, default_workers
from fingertip_cli.printing.json_output import print_json
from fingertip_cli.printing.progress import progress
from fingertip_dataset.errors import UsageError
from simulated_phone import phone_options

if TYPE_CHECKING:
    from execution_runner.execution_records import ReferenceKind
    from execution_runner.execution_view import HiddenPart, MorePart
    from fingertip_dataset.release.settings import Start
    from fingertip_dataset.tasks.history import HistoryProtocol
    from fingertip_dataset.ui_tree.screen_description import ScreenForm
    from fingertip_models.messages import Language
    from fingertip_training.export_check import ExportCheck
    from fingertip_training.export_order import ExportOrder, RowFormat, TrainingTrack
    from fingertip_training.export_record import ExportRecord
    from suggestion_runner.suggestion_records import Hidden, HistoryLength


@click.command(
    epilog="""\
    fingertip export ./fingertip-20k --track joint --format trl --episodes 1000 --out rows
    fingertip export ./fingertip-20k --track moments --pairs runs/month --format trl --out pairs
    """
)
@click.argument("dataset", type=click.Path(path_type=Path))
@training_options.track
@click.option(
    "--format",
    "row_format",
    type=click.Choice(["trl", "llama-factory", "ms-swift"]),
    required=True,
    help="Framework that reads the rows.",
)
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Folder to make.")
@shared_options.training_episodes
@training_options.pairs
@training_options.missed
@shared_options.only_users
@shared_options.exclude
@click.option(
    "--val", "validation", is_flag=True, help="Also write the split vali, at most --episodes of it."
)
@shared_options.format_agent
@shared_options.screenshots
@shared_options.history()
@shared_options.history_from(old="--protocol")
@shared_options.more
@shared_options.training_without
@phone_options.start
@shared_options.reference
@shared_options.screen_description
@format_options
@model_options.language
@model_options.max_pixels
@shared_options.seed
@shared_options.workers
@click.option(
    "--embed", is_flag=True, help="Write Parquet files with the pictures inside; --format trl only."
)
@click.option(
    "--tokenizer",
    metavar="MODEL",
    help="Count the tokens of each row, without its pictures, in this model's chat template.",
)
@click.option(
    "--max-length",
    type=click.IntRange(1),
    help="With --tokenizer: maximum tokens of a row in training; rows beyond it are counted.",
)
@shared_options.as_json()
def command(
    dataset: Path,
    track: TrainingTrack,
    row_format: RowFormat,
    out: Path,
    episodes: int | None,
    pairs: tuple[str, ...],
    missed: bool,
    users: tuple[str, ...] | None,
    exclude: str | None,
    validation: bool,
    agent: str | None,
    screenshots: int,
    history: HistoryLength,
    history_from: HistoryProtocol | None,
    more: tuple[MorePart, ...],
    without: tuple[Hidden | HiddenPart, ...],
    start: Start,
    reference: ReferenceKind,
    screen_description: ScreenForm | None,
    of_format: FormatOptions,
    language: Language,
    max_pixels: int | None,
    seed: int,
    workers: int | None,
    embed: bool,
    tokenizer: str | None,
    max_length: int | None,
    as_json: bool,
) -> None:
    """Write training samples for fine-tuning: the prompts that suggest and execute send, and right answers.

    The answer of track 1 is the person's intent, at a moment an intent or nothing, that of track 2 the
    recorded action in the agent's own format. With --pairs a sample has two answers to a moment, the better
    one first. Steps whose action that format cannot express are left out and counted. Episodes begin where
    the dataset's do, which --start has to name. The folder also has the pictures and export.json, which
    states what it was made of. The same call goes on from where an interrupted one ended.
    """
    from fingertip_training import ExportOrder, check_export, export_samples, token_counter

    if max_length is not None and tokenizer is None:
        raise UsageError("--max-length needs --tokenizer, to count tokens")
    order = ExportOrder(
        track=track,
        format=row_format,
        agent=agent,
        episodes=episodes,
        pairs=pairs or None,
        missed=missed,
        users=users,
        exclude_unseen=exclude is not None,
        validation=validation,
        seed=seed,
        max_pixels=max_pixels,
        language=language,
        screenshots=screenshots,
        history=history,
        protocol=history_from,
        more=more,
        without=without,
        start=start if track in {"execution", "joint"} else None,
        reference=reference,
        screen_description=screen_description,
        prompt_file=of_format.prompt_file,
        system_prompt_file=of_format.system_prompt_file,
        agent_settings=of_format.lines or None,
        embed=embed,
    )
    count_tokens = token_counter(tokenizer) if tokenizer else None
    with progress() as report:
        record = export_samples(
            dataset,
            out,
            order,
            workers=workers or choose_workers(order),
            on_progress=lambda stage, done, total: report(stage, done, total),
        )
    if as_json:
        print_json(record.model_dump(mode="json"))
    else:
        _print_counts(out, record)
    if order.format == "ms-swift" and getattr(order.agent_format, "conversation", False):
        _print_joined(check_export(out).joined)
    if count_tokens is not None:
        check = check_export(out, count_tokens=count_tokens, max_length=max_length)
        _print_tokens(check, max_length)
        if check.unlabelled:
            sys.exit(1)


def choose_workers(order: ExportOrder) -> int:
    """The processes of an export: one per core where there are many pictures to scale."""
    return default_workers(order.episodes or FEW_EPISODES) if order.with_pictures else 1


def _print_tokens(check: ExportCheck, max_length: int | None) -> None:
    # on stderr: stdout may be JSON
    click.echo(f"  longest row  {check.longest:,} tokens without its pictures", err=True)
    if check.cut:
        click.echo(
            f"warning: {check.cut:,} rows are longer than {max_length:,} tokens, and of {check.unlabelled:,} "
            "of them nothing of the answer is left: give training a higher maximum",
            err=True,
        )


def _print_joined(rows: int) -> None:
    if rows:
        click.echo(
            f"warning: in {rows:,} rows answers of the agent or messages to it follow one another. ms-swift "
            "joins them, so it learns another prompt than `execute` sends: give --format trl",
            err=True,
        )


def _name(track: str, record: ExportRecord) -> str:
    if track == "moments":
        return "moments" if record.pairs is None else "pairs"
    return f"track {track}"


def _print_counts(out: Path, record: ExportRecord) -> None:
    for split in record.splits:
        tracks = " and ".join(
            f"{count:,} of {_name(track, record)}" for track, count in split.samples.items()
        )
        click.echo(
            f"{out / split.file}: {split.rows:,} rows ({tracks}); "
            f"{'moments' if record.track == 'moments' else 'episodes'}: {split.episodes:,}, users: "
            f"{split.users:,}"
        )
        click.echo(f"  longest row  {split.longest_text:,} characters without its pictures")
        for kind in split.dropped:
            click.echo(f"  left out     {kind.count:,} x {kind.kind}, such as {kind.example}")
    if record.pairs is not None:
        kinds = ", ".join(f"{count:,} {kind}" for kind, count in record.pairs.kinds.items())
        click.echo(f"  pairs        {kinds}")
    if record.with_pictures:
        click.echo(f"  pictures     {record.picture_files:,} files, {record.picture_bytes / 1e6:,.1f} MB")
