"""`fingertip review`: people, or a vision model, say of each attempt whether it is right."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fingertip_cli.progress import progress
from fingertip_cli.serving import page_options, serve
from fingertip_dataset.errors import UsageError
from fingertip_dataset.release.problems import printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fingertip_analysis.review.success import SuccessSession
    from fingertip_metrics.agreement import PairAgreement


@click.command()
@click.argument("runs", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="RUN...")
@click.option("--rater", help="Who looks. Default: the page asks.")
@click.option(
    "--rate",
    is_flag=True,
    help="Track 2: the page shows each task once, with the person's own way and those of all runs in random "
    "order, and asks how much each is in the person's way, 1 to 5 (A.6.6).",
)
@click.option(
    "--rater-is-user",
    metavar="USER",
    help="Of --rate: the rater is this user of the dataset; their own tasks alone are shown.",
)
@page_options
@click.option("--judge", metavar="MODEL", help="No page: this vision model labels the runs.")
@click.option("--base-url", metavar="URL", help="Of the judge's OpenAI-compatible server.")
def command(
    runs: tuple[Path, ...],
    rater: str | None,
    rate: bool,
    rater_is_user: str | None,
    port: int,
    no_browser: bool,
    judge: str | None,
    base_url: str | None,
) -> None:
    """Opens a page on this computer that shows each attempt, and keeps what is said of it in the runs.

    First whether the task is done, then, beside the person's own way, how much it was done in that way.
    Several runs are shown mixed; neither the agent nor what others said is shown. Ctrl-C ends it, the same
    call again goes on, and a label can be corrected.

    With --rate it asks for ratings alone, which `fingertip experiment table-13` reads. Whoever rates sees the
    person's way: success is for others to say, or to be said before.

    Of runs of track 1 it shows each predicted intent beside the person's own: are they the same? The labels
    are the judge `human` of `fingertip score`, and what another judge is measured by.
    """
    from fingertip_cli.one_track import track_of_runs

    suggestions = track_of_runs(runs) == "suggestion"
    if rater_is_user is not None and not rate:
        raise UsageError("expected --rater-is-user beside --rate, got it alone")
    if rate:
        if suggestions or judge is not None or base_url is not None:
            got = "runs of track 1" if suggestions else "a judge"
            raise UsageError(f"expected persons and runs of track 2 for --rate, got {got}")
        _open_ratings(runs, rater, rater_is_user, port, no_browser)
        return
    if suggestions:
        if judge is not None or base_url is not None:
            raise UsageError(
                "expected persons for runs of track 1, got --judge: `fingertip score --judge` asks a model"
            )
        _open_pairs(runs, rater, port, no_browser)
        return
    if judge is not None and rater is not None:
        raise UsageError("expected --rater for a person or --judge for a model, got both")
    if judge is None and base_url is not None:
        raise UsageError("expected --base-url beside --judge, got it alone")
    if judge is not None:
        _ask_judge(runs, judge, base_url)
    else:
        _open_page(runs, rater, port, no_browser)


def _open_page(runs: tuple[Path, ...], rater: str | None, port: int, no_browser: bool) -> None:
    from fingertip_analysis.review.success import SuccessPage, SuccessSession
    from fingertip_runs.annotation import PageServer

    with (
        SuccessSession(runs) as session,
        PageServer(SuccessPage(session, raters=_named(rater)), port=port) as server,
    ):
        click.echo(f"{len(session):,} attempts to look at: {server.url}")
        serve(server, no_browser=no_browser)
        _summary(session)


def _open_ratings(
    runs: tuple[Path, ...], rater: str | None, user_id: str | None, port: int, no_browser: bool
) -> None:
    from fingertip_analysis.review.rating import RatingPage, RatingSession
    from fingertip_runs.annotation import PageServer

    with (
        RatingSession(runs, user_id=user_id) as session,
        PageServer(RatingPage(session, raters=_named(rater)), port=port) as server,
    ):
        click.echo(f"{len(session.tasks):,} tasks to rate: {server.url}")
        serve(server, no_browser=no_browser, kept="rating")
        for name in session.raters():
            click.echo(f"{printable(name)}: {session.rated(name):,} of {len(session.tasks):,} tasks rated")
        if not session.raters():
            click.echo(f"nobody has rated any of the {len(session.tasks):,} tasks yet")


def _open_pairs(runs: tuple[Path, ...], rater: str | None, port: int, no_browser: bool) -> None:
    from fingertip_runs.annotation import PageServer
    from suggestion_runner.review import PairAnnotationSession, PairPage

    with (
        PairAnnotationSession(runs) as session,
        PageServer(PairPage(session, raters=_named(rater)), port=port) as server,
    ):
        click.echo(f"{len(session):,} pairs of intents to look at: {server.url}")
        serve(server, no_browser=no_browser)
        for name in session.raters():
            click.echo(f"{printable(name)}: {session.labelled(name):,} of {len(session):,} labelled")
        if not session.raters():
            click.echo(f"nobody has labelled any of the {len(session):,} pairs yet")


def _ask_judge(runs: tuple[Path, ...], model: str, base_url: str | None) -> None:
    from fingertip_analysis.review.success import SuccessSession
    from fingertip_analysis.review.vision_judge import judge_run
    from fingertip_models.chat_client import ChatClient
    from fingertip_models.options import ModelOptions

    with ChatClient(ModelOptions(model=model, base_url=base_url)) as client:
        for run in runs:
            with progress() as report:
                judged = judge_run(run, client, on_progress=partial(report, "attempts judged"))
            before = f", {judged.before:,} before" if judged.before else ""
            click.echo(f"{run}: {judged.labelled:,} of {judged.tasks:,} attempts labelled{before}")
            if judged.unparsable:
                click.echo(
                    f"  {judged.unparsable:,} answers could not be read: no label; ask again or look yourself"
                )
            if judged.unseen:
                click.echo(f"  {judged.unseen:,} have no screen to show: no label")
    with SuccessSession(runs) as session:
        _summary(session)


def _named(rater: str | None) -> tuple[str, ...]:
    """The raters who may label: the one given, or anybody."""
    return () if rater is None else (rater,)


def _summary(session: SuccessSession) -> None:
    for rater in session.raters():
        click.echo(f"{printable(rater)}: {session.labelled(rater):,} of {len(session):,} labelled")
    if not session.raters():
        click.echo(f"nobody has labelled any of the {len(session):,} attempts yet")
    for pair in session.agreements():
        for line in _agreement(pair):
            click.echo(line)


def _agreement(pair: PairAgreement) -> Iterator[str]:
    """What is printed of two raters; a kappa is never without what makes it hard to read."""
    unsure = f", {pair.unsure} left out as unsure" if pair.unsure else ""
    both = f"{printable(pair.one)} and {printable(pair.other)}"
    found = pair.kappa
    if found is None:
        yield f"{both}: nothing to compare{unsure}"
        return
    if found.kappa is None:
        value = f"kappa undefined ({found.why})"
    elif found.low is None or found.high is None:
        value = f"kappa {found.kappa:.2f} ({found.why})"
    else:
        value = f"kappa {found.kappa:.2f} [{found.low:.2f}, {found.high:.2f}]"
    yield f"{both}: {value}, the same answer to {100 * found.agreement:.0f} % of {found.n}{unsure}"
    (no_no, no_yes), (yes_no, yes_yes) = found.matrix
    yield f"  both yes {yes_yes}, both no {no_no}, only the first yes {yes_no}, only the second yes {no_yes}"
    if found.warning:
        yield f"  {found.warning}"
