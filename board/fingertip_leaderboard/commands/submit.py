"""`fingertip submit`: makes leaderboard bundles of runs, after a preview of what will leave the machine."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from fingertip_cli.options import scoring_options, shared_options
from fingertip_cli.options.old_spellings import renamed
from fingertip_cli.printing.json_output import print_json
from fingertip_cli.printing.next_call import print_next
from fingertip_cli.printing.notes import print_line
from fingertip_dataset.errors import RunError, UsageError
from fingertip_leaderboard.commands.agent_card import read_card
from fingertip_leaderboard.commands.pushing import PushOptions, is_bundle, push_bundles, push_options

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from fingertip_leaderboard.bundle.draft import Draft
    from fingertip_leaderboard.bundle.schema import AgentCard


@click.command(
    epilog="""\
    fingertip submit runs/habit --name habit --contact you@example.org
    fingertip submit runs/habit --name habit --contact you@example.org --out bundles
    fingertip submit bundles/habit --repo OWNER/NAME --dataset fingertip-sim --push
    """
)
@click.argument("runs", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="RUN...")
@shared_options.card_name
@shared_options.card_contact
@shared_options.card_description
@shared_options.card_weights
@renamed("--model-name", "model", old=("--model",), help="Name of the model behind the agent.")
@renamed("--model-size", "size", old=("--size",), help="Size of the model: 7B, 72B, 1.5T.")
@shared_options.card_links
@scoring_options.protocol
@scoring_options.verifiable_embedder()
@scoring_options.judge
@click.option(
    "--partial",
    is_flag=True,
    help="Make the bundle of a run that every board refuses.",
)
@click.option("--trajectories", is_flag=True, help="Include the screenshots, on track 2.")
@click.option("--zip", "archive", is_flag=True, help="Write each bundle as a .zip file instead of a folder.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Output folder of the bundles. Without it only a preview is printed.",
)
@push_options
@shared_options.as_json()
def command(
    runs: tuple[Path, ...],
    name: str | None,
    contact: str | None,
    description: str,
    weights: str | None,
    model: str | None,
    size: str | None,
    links: tuple[str, ...],
    protocol: str,
    embedder: Literal["official", "lexical"],
    partial: bool,
    trajectories: bool,
    archive: bool,
    out: Path | None,
    judging: scoring_options.JudgeOptions,
    pushing: PushOptions,
    as_json: bool,
) -> None:
    """Make a bundle of each finished RUN of either track; RUN may also be an existing bundle.

    A run that every board refuses, such as one of --limit, is refused here. A preview lists the files and
    fields that would leave the machine, and what people could see in them. Nothing is sent without --push;
    with it the bundles are verified and become pull requests to --repo.
    """
    from fingertip_dataset.path_kinds import explain_missing
    from fingertip_leaderboard.bundle.draft import check_ranked
    from fingertip_leaderboard.check_submittable import check_submittable, is_refused, read_either_run
    from fingertip_runs.repeats import expand_runs, list_tries

    for run in runs:
        if not run.exists():
            raise RunError(explain_missing(run, "a run"), file=run)
    bundles = [run for run in runs if is_bundle(run)]
    previews: list[dict[str, Any]] = []
    to_make = [run for run in runs if run not in bundles]
    if to_make:
        for run in expand_runs(to_make):
            check_ranked(run)
        notes = {run: check_submittable(list_tries(run), pushing.dataset, partial=partial) for run in to_make}
        card = _read_card(
            name=name, contact=contact, description=description,
            weights=weights or ("closed" if model else "none"), model=model, size=size, links=links,
        )  # fmt: skip
        drafts = _make_drafts(to_make, card, protocol, embedder, judging, trajectories)
        written, previews = _write_bundles(drafts, notes, out, archive, quiet=as_json)
        bundles += written
        refused = any(is_refused(noted) for noted in notes.values())
        if written and pushing.repo is None and not as_json and not refused:
            data = read_either_run(list_tries(to_make[0])[0]).dataset.path
            print_next("verify", *written, "--dataset", pushing.dataset or data)
    elif pushing.repo is None and pushing.model_repo is None:
        raise UsageError("it is a bundle already: --repo OWNER/NAME shows where it would go", file=bundles[0])
    pushed = push_bundles(bundles, pushing)
    if as_json:
        print_json({"bundles": previews, **pushed})


def _write_bundles(
    drafts: Iterator[Draft],
    notes: Mapping[Path, Sequence[str]],
    out: Path | None,
    archive: bool,
    *,
    quiet: bool,
) -> tuple[list[Path], list[dict[str, Any]]]:
    """Preview each bundle and, with an output folder, write it; return the written paths and the previews."""
    from fingertip_leaderboard.bundle.make import write_bundle
    from fingertip_leaderboard.bundle.preview import disclosures, preview
    from fingertip_leaderboard.check_submittable import is_refused

    bundles, previews = [], []
    for draft in drafts:
        lines = disclosures(draft, shown=not is_refused(notes[draft.run]))
        if not quiet:
            _print_preview(draft, lines)
        for note in notes[draft.run]:
            if quiet:
                click.echo(f"note: {note}", err=True)
            else:
                print_line(f"note: {note}")
        written = None if out is None else write_bundle(draft, out, archive=archive)
        if written is not None:
            bundles.append(written)
            click.echo(f"written: {written}")
        previews.append(
            {
                "run": str(draft.run),
                "files": [asdict(row) for row in preview(draft)],
                "disclosures": list(lines),
                "notes": list(notes[draft.run]),
                "written": None if written is None else str(written),
            }
        )
    if out is None:
        click.echo("Nothing is written: --out DIR writes the bundles.")
    return bundles, previews


def _read_card(**fields: object) -> AgentCard:
    for needed in ("name", "contact"):
        if fields[needed] is None:
            raise UsageError(f"the bundle of a run needs --{needed}")
    return read_card(fields)


def _make_drafts(
    runs: Sequence[Path],
    card: AgentCard,
    protocol: str,
    embedder: Literal["official", "lexical"],
    judging: scoring_options.JudgeOptions,
    trajectories: bool,
) -> Iterator[Draft]:
    """Yield one draft per run; each run's judge is opened for that run and closed after it."""
    from fingertip_cli.one_track import track_of_runs
    from fingertip_cli.printing.progress import progress
    from fingertip_leaderboard.bundle.draft import draft_bundle, join_tries
    from fingertip_metrics import get_embedder
    from fingertip_runs.repeats import is_repeated, list_tries
    from suggestion_runner import read_run

    tracks = {run: track_of_runs(list_tries(run)) for run in runs}
    if len({run.resolve().name for run in runs}) < len(runs):
        raise UsageError(
            "two run folders have the same name, and bundles are named after them: rename one, or "
            "submit them apart"
        )
    has_suggestions = "suggestion" in tracks.values()
    advice = "--embedder lexical needs no download (not comparable with the paper)"
    opened_embedder = (embedder, get_embedder(embedder, advice=advice)) if has_suggestions else None

    def draft_run(run: Path, track: str) -> Draft:
        if track == "execution":
            if judging.judge is not None:
                raise UsageError("--judge is for runs of track 1", file=run)
            return draft_bundle(run, card, protocol=protocol, trajectories=trajectories)
        data = Path(read_run(run).dataset.path)
        on_judged = f"{run.name}: judged"
        with (
            progress() as report,
            judging.open(run, dataset=data, on_progress=partial(report, on_judged)) as judge,
        ):
            return draft_bundle(
                run, card, embedder=opened_embedder, protocol=protocol, judge=judge, trajectories=trajectories
            )

    for run in runs:
        drafts = [draft_run(one, tracks[run]) for one in list_tries(run)]
        yield join_tries(run, drafts) if is_repeated(run) else drafts[0]


def _print_preview(draft: Draft, lines: Sequence[str]) -> None:
    from rich.table import Table

    from fingertip_cli.printing.console import console
    from fingertip_dataset.release.problems import printable
    from fingertip_leaderboard.bundle.preview import preview

    table = Table(title=f"{printable(str(draft.run))}: would leave this machine", title_justify="left")
    table.add_column("file", no_wrap=True)
    table.add_column("files", justify="right")
    table.add_column("bytes", justify="right")
    table.add_column("holds", overflow="fold")
    for row in preview(draft):
        table.add_row(row.name, f"{row.files:,}", f"{row.bytes:,}", row.holds)
    console().print(table)
    for line in lines:
        print_line(f"- {line}")
