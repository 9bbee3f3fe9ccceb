"""`fingertip build RAW --out DATASET`: a raw release becomes a dataset that `load_dataset` reads."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fingertip_cli.progress import progress

if TYPE_CHECKING:
    from fingertip_dataset.parquet.build_plan import BuildConfig
    from fingertip_dataset.parquet.manifest import Manifest

MOST_WORKERS = 4
"""Of the default: more only wait for the disk."""


def _part(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[int, int] | None:
    """The two numbers of i/n."""
    if value is None:
        return None
    found = re.fullmatch(r"([0-9]{1,6})/([0-9]{1,6})", value)
    if found is None or not 1 <= int(found[1]) <= int(found[2]):
        raise click.BadParameter(f"expected i/n with i from 1 to n, got {value!r}")
    return int(found[1]), int(found[2])


@click.command()
@click.argument("raw", type=click.Path(path_type=Path))
@click.option(
    "--out", required=True, type=click.Path(path_type=Path), help="The dataset's folder; must be new."
)
@click.option(
    "--tables", type=click.Path(path_type=Path), help="Folder of the CSV tables, if not in RAW or RAW/tables."
)
@click.option(
    "--workers", type=click.IntRange(1), help=f"Processes; as many as there are cores, up to {MOST_WORKERS}."
)
@click.option(
    "--shard",
    "part",
    metavar="i/n",
    callback=_part,
    help="Make only part i of n, from 1: a job of a scheduler. The job that completes the set finishes.",
)
@click.option(
    "--engine",
    type=click.Choice(["local", "ray"]),
    default="local",
    show_default=True,
    help="What makes shards.",
)
@click.option(
    "--history",
    type=click.Choice(["online", "strict"]),
    default="online",
    show_default=True,
    help="Earlier intents from any episode, as the authors do, or from the training part alone.",
)
@click.option(
    "--references",
    default="text",
    show_default=True,
    metavar="text|MODEL",
    help="Most similar intent by text, or by an embedding model: official, lexical, a name, a path.",
)
@click.option("--skip-same-task", is_flag=True, help="No reference of the very same task (A.6.7).")
@click.option(
    "--user-types",
    type=click.Choice(["auto", "release", "age"]),
    default="auto",
    show_default=True,
    help="Two types of users by the release's list of ids, or by age.",
)
@click.option(
    "--age-boundary",
    type=int,
    default=40,
    show_default=True,
    help="Years from which a user is type 2, by age.",
)
@click.option(
    "--unseen-users",
    type=click.IntRange(0),
    default=3,
    show_default=True,
    help="Held out for the subsets of A.6.1; small data hold out fewer.",
)
@click.option("--unseen-apps", type=click.IntRange(0), default=7, show_default=True, help="Held out, too.")
@click.option(
    "--unseen-categories", type=click.IntRange(0), default=4, show_default=True, help="Held out, too."
)
@click.option("--seed", type=int, default=0, show_default=True, help="Of splits by rule A.5, and of subsets.")
@click.option(
    "--licence", "--license", metavar="ID", help="Of the data, by its SPDX id; else as RAW says it."
)
@click.option("--origin", metavar="TEXT", help="Where the data come from, in words; else as RAW says it.")
@click.option("--overwrite", is_flag=True, help="Replace a built dataset that is there.")
def command(
    raw: Path,
    out: Path,
    part: tuple[int, int] | None,
    workers: int | None,
    references: str,
    **options: Any,  # noqa: ANN401 - of every type; click has checked them
) -> None:
    """A raw release becomes a folder that load_dataset reads.

    RAW is the folder of the users' folders. Nothing can be loaded before the build is finished; a build that
    was stopped goes on from its finished shards when it is called again.
    """
    from fingertip_dataset.parquet.build import build, build_part

    recipe = _recipe(references, options)
    call = options | {"recipe": recipe, "workers": workers or _workers()}
    with progress() as report:
        call["on_progress"] = report
        if part is None:
            manifest: Manifest | None = build(raw, out, **call)
        else:
            manifest = build_part(raw, out, part=part[0], parts=part[1], **call)
    if manifest is None:
        click.echo(f"part {part[0]} of {part[1]} is done; " if part else "", nl=False)
        click.echo("the job that makes the last missing shard finishes the dataset")
    else:
        _print_result(out, manifest)


def _recipe(references: str, options: dict[str, Any]) -> BuildConfig:
    """The choices, taken out of the options."""
    from fingertip_dataset.parquet.build_plan import TEXT, BuildConfig
    from fingertip_dataset.tasks.out_of_domain import HeldOutCounts

    names = ("history", "skip_same_task", "user_types", "age_boundary", "seed", "licence", "origin")
    choices = {name: options.pop(name) for name in names}
    kinds = ("users", "apps", "categories")
    choices["unseen"] = HeldOutCounts(**{kind: options.pop(f"unseen_{kind}") for kind in kinds})
    if references == TEXT:
        return BuildConfig(**choices)
    from fingertip_metrics import get_embedder

    embedder = get_embedder(references)
    return BuildConfig(references=embedder.name, encode=embedder.encode, **choices)


def _workers() -> int:
    return min(MOST_WORKERS, os.cpu_count() or 1)


def _print_result(out: Path, manifest: Manifest) -> None:
    from fingertip_dataset.release.problems import printable

    episodes, provenance = manifest.episodes, printable(manifest.provenance)
    click.echo(f"{out}: {episodes.kept} episodes kept of {episodes.given} ({provenance})")
    click.echo(f"  origin: {'; '.join(manifest.origins)}; licence: {', '.join(manifest.licences)}")
    for split, counts in manifest.splits.items():
        click.echo(f"  {split:<16}{counts.episodes:>7}")
    count = sum(manifest.problems.values())
    listed = "; fingertip check RAW lists them" if count else ""
    click.echo(f"problems: {count} of {len(manifest.problems)} kinds{listed}")
    first = next(split for split, counts in manifest.splits.items() if counts.episodes)
    click.echo(f'load_dataset("{out}", split="{first}")')
