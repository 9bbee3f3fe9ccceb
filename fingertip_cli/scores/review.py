"""`fingertip review`: labels and ratings of attempts and intents, by people or by a vision model."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fingertip_cli.options import scoring_options, shared_options
from fingertip_cli.options.dataset_language import dataset_language, reason_language
from fingertip_cli.printing.json_output import print_json
from fingertip_cli.printing.progress import progress
from fingertip_cli.scores.agreement_lines import agreement_lines, print_counts, review_object
from fingertip_cli.serving import page_options, serve
from fingertip_dataset.errors import UsageError
from fingertip_dataset.release.problems import printable

if TYPE_CHECKING:
    from fingertip_analysis.review.success import SuccessSession


@click.command(
    epilog="""\
    fingertip review runs/phone
    fingertip review runs/habit --accept --rater ben
    fingertip review runs/phone --judge gpt-4.1
    """
)
@click.argument("runs", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="RUN...")
@shared_options.rater
@click.option(
    "--rate",
    is_flag=True,
    help="Track 2: show each task once, with the user's own trajectory and those of all runs in random "
    "order, and rate 1 to 5 how well each matches the user's habits (A.6.6).",
)
@click.option(
    "--accept",
    is_flag=True,
    help="Track 1: show each suggestion with its situation and without what the user wanted, and ask whether "
    "it would be accepted, and how well it fits, 1 to 5.",
)
@click.option(
    "--rater-is-user",
    metavar="USER",
    help="With --rate or --accept: the rater is this user of the dataset; only the user's tasks are shown.",
)
@page_options
@scoring_options.vision_judge
@shared_options.why
@scoring_options.vision_judge_options
@shared_options.as_json()
def command(
    runs: tuple[Path, ...],
    rater: str | None,
    rate: bool,
    accept: bool,
    rater_is_user: str | None,
    port: int,
    no_browser: bool,
    judge: str | None,
    why: bool,
    judge_base_url: str | None,
    judge_no_preflight: bool,
    as_json: bool,
) -> None:
    """Open a local page that shows each attempt, and keep the labels in the folders of the runs.

    The page asks first whether the task is done and then, beside the user's own trajectory, how well the
    attempt matches the user's habits. Attempts of several runs are mixed; the agent's name and the
    labels of other raters are hidden. Ctrl-C ends the session, the same call resumes it, and labels can be
    corrected.

    With --rate it asks for ratings only, which `fingertip experiment table-13` reads. Raters see the user's
    own trajectory, so success must be labelled by other people or before.

    For runs of track 1 it shows each predicted intent beside the user's own and asks whether they are the
    same. `fingertip score --judge human` scores by these labels, and other judges are compared with them.
    With --accept it shows no intent of the user: people accept or reject each suggestion, and
    `fingertip score` prints the share beside SR_1.
    """
    from fingertip_cli.one_track import track_of_runs

    suggestions = track_of_runs(runs) == "suggestion"
    if why and (judge is None or suggestions):
        raise UsageError("--why needs --judge MODEL, and runs of track 2")
    if rater_is_user is not None and not (rate or accept):
        raise UsageError("--rater-is-user needs --rate or --accept")
    if rate and accept:
        raise UsageError("--rate is for runs of track 2 and --accept for runs of track 1: give one of them")
    if rate or accept:
        option, track = ("--rate", 2) if rate else ("--accept", 1)
        of_judge = judge is not None or judge_base_url is not None or judge_no_preflight
        if suggestions is not accept or of_judge:
            got = "a judge" if of_judge else f"runs of track {1 if suggestions else 2}"
            raise UsageError(f"{option} is for human raters and runs of track {track}, got {got}")
        found = (_open_ratings if rate else _open_acceptance)(runs, rater, rater_is_user, port, no_browser)
    elif suggestions:
        _check_no_judge(judge, judge_base_url, judge_no_preflight)
        found = _open_pairs(runs, rater, port, no_browser)
    else:
        _check_judge(judge, rater, judge_base_url, judge_no_preflight)
        if judge is None:
            found = _open_page(runs, rater, port, no_browser)
        else:
            ask = _explain_with_judge if why else _label_with_judge
            found = ask(runs, judge, judge_base_url, preflight=not judge_no_preflight)
    if as_json:
        print_json(found)


def _check_no_judge(judge: str | None, base_url: str | None, no_preflight: bool) -> None:
    """Refuse a judge for runs of track 1."""
    if judge is not None or base_url is not None or no_preflight:
        raise UsageError(
            "--judge here is for runs of track 2: for runs of track 1 use `fingertip score --judge`"
        )


def _check_judge(judge: str | None, rater: str | None, base_url: str | None, no_preflight: bool) -> None:
    """Refuse options of a judge without one, and a judge together with a person."""
    if judge is not None and rater is not None:
        raise UsageError("--rater is for a person and --judge for a model: give one of them")
    if judge is None and base_url is not None:
        raise UsageError("--judge-base-url needs --judge")
    if judge is None and no_preflight:
        raise UsageError("--judge-no-preflight needs --judge")


def _open_page(runs: tuple[Path, ...], rater: str | None, port: int, no_browser: bool) -> dict[str, Any]:
    from fingertip_analysis.review.success import SuccessPage, SuccessSession
    from fingertip_runs.annotation import PageServer

    with (
        SuccessSession(runs) as session,
        PageServer(SuccessPage(session, raters=_allowed_raters(rater)), port=port) as server,
    ):
        click.echo(f"{len(session):,} attempts to label: {server.url}")
        serve(server, no_browser=no_browser)
        _print_summary(session)
        return review_object(session, session.agreements())


def _open_ratings(
    runs: tuple[Path, ...], rater: str | None, user_id: str | None, port: int, no_browser: bool
) -> dict[str, Any]:
    from fingertip_analysis.review.rating import RatingPage, RatingSession
    from fingertip_runs.annotation import PageServer

    with (
        RatingSession(runs, user_id=user_id) as session,
        PageServer(RatingPage(session, raters=_allowed_raters(rater)), port=port) as server,
    ):
        click.echo(f"{len(session.tasks):,} tasks to rate: {server.url}")
        serve(server, no_browser=no_browser, kept="rating")
        for name in session.raters():
            click.echo(f"{printable(name)}: {session.rated(name):,} of {len(session.tasks):,} tasks rated")
        if not session.raters():
            click.echo(f"nobody has rated any of the {len(session.tasks):,} tasks yet")
        raters = {name: session.rated(name) for name in session.raters()}
        return {"items": len(session.tasks), "raters": raters, "agreements": []}


def _open_pairs(runs: tuple[Path, ...], rater: str | None, port: int, no_browser: bool) -> dict[str, Any]:
    from fingertip_analysis.review.pairs import PairAnnotationSession, PairPage
    from fingertip_runs.annotation import PageServer

    with (
        PairAnnotationSession(runs) as session,
        PageServer(PairPage(session, raters=_allowed_raters(rater)), port=port) as server,
    ):
        click.echo(f"{len(session):,} pairs of intents to label: {server.url}")
        serve(server, no_browser=no_browser)
        print_counts(session, "pairs")
        return review_object(session)


def _open_acceptance(
    runs: tuple[Path, ...], rater: str | None, user_id: str | None, port: int, no_browser: bool
) -> dict[str, Any]:
    from fingertip_analysis.review.acceptance import AcceptancePage, AcceptanceSession
    from fingertip_runs.annotation import PageServer

    with (
        AcceptanceSession(runs, user_id=user_id) as session,
        PageServer(AcceptancePage(session, raters=_allowed_raters(rater)), port=port) as server,
    ):
        click.echo(f"{len(session):,} suggestions to accept or reject: {server.url}")
        serve(server, no_browser=no_browser)
        print_counts(session, "suggestions")
        return review_object(session)


def _label_with_judge(
    runs: tuple[Path, ...], model: str, base_url: str | None, *, preflight: bool
) -> dict[str, Any]:
    from fingertip_analysis.review.success import SuccessSession
    from fingertip_analysis.review.vision_judge import judge_run
    from fingertip_models.chat.chat_client import ChatClient
    from fingertip_models.options import ModelOptions

    found: list[dict[str, Any]] = []
    with ChatClient(ModelOptions(model=model, base_url=base_url), preflight=preflight) as client:
        for run in runs:
            with progress() as report:
                judged = judge_run(
                    run,
                    client,
                    language=dataset_language(run),
                    reasons=reason_language(run),
                    on_progress=partial(report, "attempts judged"),
                )
            found.append({"folder": str(run), **asdict(judged)})
            before = f", {judged.before:,} before" if judged.before else ""
            click.echo(f"{run}: {judged.labelled:,} of {judged.tasks:,} attempts labelled{before}")
            if judged.unparsable:
                click.echo(
                    f"  {judged.unparsable:,} answers could not be parsed and give no label: run it again, "
                    "or label them yourself"
                )
            if judged.unseen:
                click.echo(f"  {judged.unseen:,} attempts have no screen to judge: no label")
    with SuccessSession(runs) as session:
        _print_summary(session)
        return {"judge": model, "runs": found, **review_object(session, session.agreements())}


def _explain_with_judge(
    runs: tuple[Path, ...], model: str, base_url: str | None, *, preflight: bool
) -> dict[str, Any]:
    from fingertip_analysis.why.why_judge import judge_why
    from fingertip_models.chat.chat_client import ChatClient
    from fingertip_models.options import ModelOptions

    found: list[dict[str, Any]] = []
    with ChatClient(ModelOptions(model=model, base_url=base_url), preflight=preflight) as client:
        for run in runs:
            with progress() as report:
                judged = judge_why(
                    run,
                    client,
                    language=dataset_language(run),
                    reasons=reason_language(run),
                    on_progress=partial(report, "attempts judged"),
                )
            found.append({"folder": str(run), **asdict(judged)})
            click.echo(f"{run}: {judged.judged:,} of {judged.attempts:,} attempts without a rule explained")
            if judged.unparsable:
                click.echo(f"  {judged.unparsable:,} answers could not be parsed: they stay not judged")
            if judged.unseen:
                click.echo(f"  {judged.unseen:,} attempts cannot be judged by their screens")
    return {"judge": model, "runs": found}


def _allowed_raters(rater: str | None) -> tuple[str, ...]:
    """Return the raters who may label: the given one, or an empty tuple for anybody."""
    return () if rater is None else (rater,)


def _print_summary(session: SuccessSession) -> None:
    """Print how many attempts each rater labelled, and the agreement of each pair of raters."""
    print_counts(session, "attempts")
    for pair in session.agreements():
        for line in agreement_lines(pair):
            click.echo(line)
