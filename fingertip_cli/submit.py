"""`fingertip submit`: a run becomes a bundle, after a look at what will leave the machine."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from fingertip_cli import scoring_options
from fingertip_cli.pushing import PushOptions, is_bundle, push_bundles, push_options
from fingertip_dataset.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fingertip_leaderboard.bundle.draft import Draft
    from fingertip_leaderboard.bundle.schema import AgentCard


@click.command()
@click.argument("runs", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="RUN...")
@click.option("--name", help="Of the agent, as the leaderboard shows it; every run needs it.")
@click.option(
    "--contact", help="E-mail address or https link of somebody who answers; shown; every run needs it."
)
@click.option("--description", default="", help="In a few sentences.")
@click.option(
    "--weights",
    type=click.Choice(["open", "closed", "none"]),
    default="none",
    show_default=True,
    help="Whether anybody can have the model's weights; none: no model.",
)
@click.option("--model", help="What the agent runs on.")
@click.option("--size", help="Of the model: 7B, 72B, 1.5T.")
@click.option("--link", "links", multiple=True, help="https address of paper, code or weights.")
@click.option(
    "--protocol", type=click.Choice(["release", "paper"]), default="release", show_default=True,
    help="As the authors' script scores, or as the paper's formulas say.",
)  # fmt: skip
@click.option(
    "--embedder", type=click.Choice(["official", "lexical"]), default="official", show_default=True,
    help="Of Sim_1 on track 1; anybody can verify with these two.",
)  # fmt: skip
@scoring_options.judge
@click.option("--trajectories", is_flag=True, help="With the screens, on track 2.")
@click.option("--zip", "archive", is_flag=True, help="One .zip a bundle instead of a folder.")
@click.option(
    "--out", type=click.Path(path_type=Path), help="Folder that gets the bundles. Without it: only a look."
)
@push_options
def command(
    runs: tuple[Path, ...],
    name: str | None,
    contact: str | None,
    description: str,
    weights: str,
    model: str | None,
    size: str | None,
    links: tuple[str, ...],
    protocol: str,
    embedder: Literal["official", "lexical"],
    trajectories: bool,
    archive: bool,
    out: Path | None,
    judging: scoring_options.JudgeOptions,
    pushing: PushOptions,
) -> None:
    """Makes a bundle of each finished RUN, of either track; a RUN may be a bundle already.

    First it prints which files with which fields would leave the machine and what people could see in them.
    Nothing is sent without --push: then the bundles are verified and become pull requests to --repo.
    """
    bundles = [run for run in runs if is_bundle(run)]
    to_make = [run for run in runs if run not in bundles]
    if to_make:
        card = _card(
            name=name, contact=contact, description=description, weights=weights, model=model, size=size,
            links=links,
        )  # fmt: skip
        bundles += _made(_drafts(to_make, card, protocol, embedder, judging, trajectories), out, archive)
    push_bundles(bundles, pushing)


def _made(drafts: Iterator[Draft], out: Path | None, archive: bool) -> list[Path]:
    """The bundles that were written, each after a look at it."""
    from fingertip_leaderboard.bundle.make import write_bundle

    bundles = []
    for draft in drafts:
        _show(draft)
        if out is not None:
            bundles.append(write_bundle(draft, out, archive=archive))
            click.echo(f"written: {bundles[-1]}")
    if out is None:
        click.echo("Nothing is written: --out DIR writes the bundles.")
    return bundles


def _card(**fields: object) -> AgentCard:
    from pydantic import ValidationError

    from fingertip_leaderboard.bundle.schema import AgentCard

    for needed in ("name", "contact"):
        if fields[needed] is None:
            raise UsageError(f"expected --{needed} for the bundle of a run, got none")
    try:
        return AgentCard.model_validate(fields)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        option = str(first["loc"][0]).removesuffix("s") if first["loc"][0] == "links" else first["loc"][0]
        got = fields[str(first["loc"][0])]
        raise UsageError(f"expected another --{option} than {got!r}: {first['msg']}") from None


def _drafts(
    runs: Sequence[Path],
    card: AgentCard,
    protocol: str,
    embedder: Literal["official", "lexical"],
    judging: scoring_options.JudgeOptions,
    trajectories: bool,
) -> Iterator[Draft]:
    """A draft a run; what a run needs is opened once a run, and closed."""
    from fingertip_cli.one_track import track_of_runs
    from fingertip_cli.progress import progress
    from fingertip_leaderboard.bundle.draft import draft_bundle
    from fingertip_metrics.embedders import get_embedder

    tracks = {run: track_of_runs([run]) for run in runs}
    if len({run.resolve().name for run in runs}) < len(runs):
        raise UsageError("expected runs in folders of different names, got two of one name")
    needed = "suggestion" in tracks.values()
    given = (embedder, get_embedder(embedder)) if needed else None
    for run in runs:
        if tracks[run] == "execution":
            if judging.judge is not None:
                raise UsageError("expected --judge for runs of track 1, got it for track 2", file=run)
            yield draft_bundle(run, card, protocol=protocol, trajectories=trajectories)
            continue
        with (
            progress() as report,
            judging.open(run, partial=False, on_progress=partial(report, f"{run.name}: judged")) as judge,
        ):
            draft = draft_bundle(
                run, card, embedder=given, protocol=protocol, judge=judge, trajectories=trajectories
            )
        yield draft


def _show(draft: Draft) -> None:
    from rich.table import Table

    from fingertip_cli.console import console
    from fingertip_dataset.release.problems import printable
    from fingertip_leaderboard.bundle.preview import preview, seen

    table = Table(title=f"{printable(str(draft.run))}: would leave this machine", title_justify="left")
    table.add_column("file", no_wrap=True)
    table.add_column("files", justify="right")
    table.add_column("bytes", justify="right")
    table.add_column("holds", overflow="fold")
    for row in preview(draft):
        table.add_row(row.name, f"{row.files:,}", f"{row.bytes:,}", row.holds)
    console().print(table)
    for line in seen(draft):
        click.echo(f"- {line}")
