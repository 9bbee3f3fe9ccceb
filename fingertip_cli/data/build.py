"""`fingertip build RAW --out DATASET`: builds a dataset that `load_dataset` reads from a raw release."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fingertip_cli.options import shared_options
from fingertip_cli.options.worker_count import FEW_EPISODES, default_workers
from fingertip_cli.printing.json_output import print_json
from fingertip_cli.printing.notes import print_line
from fingertip_cli.printing.problem_count import describe_problem_count
from fingertip_cli.printing.progress import progress

if TYPE_CHECKING:
    from fingertip_dataset.parquet.build_plan import BuildConfig
    from fingertip_dataset.parquet.manifest import Manifest
    from fingertip_dataset.parquet.quality_filter import QualityFilter


@click.command(
    epilog="""\
    fingertip build RAW --tables TABLES --out ./fingertip-20k --workers 4
    fingertip build RAW --tables TABLES --out strict --history-from strict
    fingertip build RAW --out ./fingertip-20k --shard 3/8    # one of eight jobs
    """
)
@click.argument("raw", type=click.Path(path_type=Path))
@click.option(
    "--out", required=True, type=click.Path(path_type=Path), help="Folder of the dataset; must be new."
)
@shared_options.tables
@shared_options.workers
@shared_options.part
@shared_options.engine
@shared_options.history_from(old="--history", default="online")
@click.option(
    "--references",
    default="text",
    show_default=True,
    metavar="text|MODEL",
    help="Find the most similar intent by text, or by an embedder: official, lexical, a name, or a path.",
)
@shared_options.skip_same_task
@click.option(
    "--user-types",
    type=click.Choice(["auto", "release", "age"]),
    default="auto",
    show_default=True,
    help="Assign the two user types by the release's list of ids, or by age.",
)
@click.option(
    "--age-boundary",
    type=int,
    default=40,
    show_default=True,
    help="Age in years from which a user is of type 2, with types by age.",
)
@click.option(
    "--unseen-users",
    type=click.IntRange(0),
    default=3,
    show_default=True,
    help="Users held out for the subsets of A.6.1; fewer on small data.",
)
@click.option("--unseen-apps", type=click.IntRange(0), default=7, show_default=True, help="Apps held out.")
@click.option(
    "--unseen-categories", type=click.IntRange(0), default=4, show_default=True, help="Categories held out."
)
@click.option(
    "--quality",
    "quality_file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Scores of the episodes: quality.csv or quality.parquet of `fingertip quality`.",
)
@click.option(
    "--min-quality",
    type=click.FloatRange(0, 1),
    help="Leave out episodes with a lower score in --quality, from every split; the card counts them.",
)
@shared_options.seed
@shared_options.licence
@click.option("--origin", metavar="TEXT", help="Origin of the data, in words. Default: as RAW states it.")
@click.option(
    "--english-names",
    is_flag=True,
    help="Add columns of English names, for viewers.",
)
@click.option(
    "--keep-metadata",
    is_flag=True,
    help="Keep EXIF data, previews and texts of the screenshots' files, which are left out by default.",
)
@click.option("--overwrite", is_flag=True, help="Replace an existing dataset.")
@shared_options.as_json()
def command(
    raw: Path,
    out: Path,
    part: tuple[int, int] | None,
    workers: int | None,
    references: str,
    as_json: bool,
    **options: Any,  # noqa: ANN401 - of every type; click has checked them
) -> None:
    """Build a folder that load_dataset reads from a raw release.

    RAW is the folder of the users' folders. Nothing can be loaded before the build is finished; a stopped
    build continues from its finished shards when it is called again.
    """
    from fingertip_dataset.parquet.build import build, build_part
    from fingertip_dataset.release.tables.index_tables import note_unused_tables

    if note := note_unused_tables(raw, options["tables"]):
        click.echo(f"note: {note}", err=True)
    config = _build_config(references, options)
    # the folders of a few episodes are counted, not of all
    episodes = sum(1 for _ in islice(raw.glob("*/*"), FEW_EPISODES))
    call = options | {"config": config, "workers": workers or default_workers(episodes)}
    with progress() as report:
        call["on_progress"] = report
        if part is None:
            manifest: Manifest | None = build(raw, out, **call)
        else:
            manifest = build_part(raw, out, part=part[0], parts=part[1], **call)
    if as_json:
        _print_json(out, manifest)
    elif manifest is None:
        click.echo(f"part {part[0]} of {part[1]} is done; " if part else "", nl=False)
        click.echo("the job that makes the last missing shard finishes the dataset")
    else:
        _print_result(out, manifest, kept_metadata=config.keep_metadata)


def _build_config(references: str, options: dict[str, Any]) -> BuildConfig:
    """Take the build's settings out of the options."""
    from fingertip_dataset.parquet.build_plan import TEXT, BuildConfig
    from fingertip_dataset.tasks.out_of_domain import HeldOutCounts

    names = ("skip_same_task", "user_types", "age_boundary", "seed", "licence", "origin", "english_names")
    choices = {name: options.pop(name) for name in (*names, "keep_metadata")}
    choices["history"] = options.pop("history_from")
    choices["quality"] = _quality_filter(options.pop("quality_file"), options.pop("min_quality"))
    kinds = ("users", "apps", "categories")
    choices["unseen"] = HeldOutCounts(**{kind: options.pop(f"unseen_{kind}") for kind in kinds})
    if references == TEXT:
        return BuildConfig(**choices)
    from fingertip_metrics import get_embedder
    from fingertip_metrics.embedders.unknown_tokens import make_checked_encoder

    embedder = get_embedder(references, advice="--references text or lexical needs no download")
    return BuildConfig(references=embedder.name, encode=make_checked_encoder(embedder), **choices)


def _quality_filter(file: Path | None, minimum: float | None) -> QualityFilter | None:
    from fingertip_dataset.errors import UsageError
    from fingertip_dataset.parquet.quality_filter import QualityFilter

    if (file is None) != (minimum is None):
        raise UsageError(
            "--quality FILE and --min-quality X are given together: the scores, and the least one"
        )
    return None if file is None or minimum is None else QualityFilter.read(file, minimum)


def _print_json(out: Path, manifest: Manifest | None) -> None:
    """Print what was built; of a part of which others are missing, only where and that it is not complete."""
    members = {
        "provenance", "origins", "licences", "episodes", "splits", "split_method", "problems", "quality",
        "history", "data_sha256", "extra", "unassigned",
    }  # fmt: skip
    found = {} if manifest is None else manifest.model_dump(mode="json", include=members)
    print_json({"folder": str(out), "complete": manifest is not None, **found})


def _list_extra(manifest: Manifest) -> list[str]:
    """Names of the columns, fields and tables that this version does not know, each once."""
    from fingertip_dataset.release.problems import printable

    names = (f"{part.kind} {part.file if part.kind == 'table' else part.name}" for part in manifest.extra)
    return [printable(name, 60) for name in dict.fromkeys(names)]


def _print_result(out: Path, manifest: Manifest, *, kept_metadata: bool) -> None:
    from fingertip_dataset.release.problems import ProblemKind, printable

    episodes, provenance = manifest.episodes, printable(manifest.provenance)
    click.echo(f"{out}: {episodes.kept} episodes kept of {episodes.given} ({provenance})")
    if (quality := manifest.quality) is not None:
        click.echo(
            f"  left out for a quality below {quality.minimum:g}: {quality.left_out}; "
            f"kept without a score: {quality.unscored}"
        )
    print_line(f"origin: {'; '.join(manifest.origins)}; licence: {', '.join(manifest.licences)}")
    width = max(16, *map(len, manifest.splits))
    for split, counts in manifest.splits.items():
        click.echo(f"  {split:<{width}}{counts.episodes:>7}")
    for split, looks in (manifest.moments.splits if manifest.moments else {}).items():
        click.echo(f"  {split:<{width}}{looks.moments:>7}  {looks.wanted} with an intent")
    if manifest.unassigned:
        click.echo(f"  in no split, because in no table of one: {manifest.unassigned}")
    if manifest.extra:
        click.echo(
            f"  unknown to this version: {', '.join(_list_extra(manifest))}; fingertip check says where"
        )
    metadata = manifest.problems.get(ProblemKind.PICTURE_METADATA, 0)
    if metadata:
        done = "kept with" if kept_metadata else "left out of"
        click.echo(f"  EXIF data, previews and texts {done} {metadata} screenshots")
    count = sum(manifest.problems.values())
    listed = "; fingertip check RAW lists them" if count else ""
    click.echo(f"{describe_problem_count(count, len(manifest.problems))}{listed}")
    first = next(split for split, counts in manifest.splits.items() if counts.episodes)
    # a bare name would be one of the Hub, once the call is made in another folder
    place = out if out.is_absolute() or out.parts[:1] == ("..",) else f"./{out}"
    click.echo(f'load_dataset("{place}", split="{first}")')
