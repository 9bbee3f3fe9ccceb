"""`fingertip privacy review`: people confirm, reject and add private parts on a local page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import click

from fingertip_cli.options import shared_options
from fingertip_cli.options.old_spellings import renamed
from fingertip_cli.printing.json_output import print_json
from fingertip_cli.scores.agreement_lines import agreement_lines, print_counts, review_object
from fingertip_cli.serving import page_options, serve
from fingertip_privacy.commands.private_kinds import only_kinds

if TYPE_CHECKING:
    from fingertip_privacy.finds import FindKind
    from fingertip_privacy.review import FindSession


@click.command(
    epilog="""\
    fingertip privacy review RAW.privacy --rater ben
    """
)
@click.argument("report", type=click.Path(path_type=Path), metavar="REPORT")
@click.option(
    "--data",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="The raw release or built dataset that was scanned, if it has moved since.",
)
@shared_options.rater
@only_kinds
@shared_options.user()
@renamed(
    "--finds",
    "sample",
    old=("--sample",),
    type=click.IntRange(min=1),
    metavar="N",
    help="Show at most N finds, a random part that is the same on every machine.",
)
@click.option(
    "--screens",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    metavar="N",
    help="Also show N random screens without any find, to learn what the scan misses.",
)
@page_options
@shared_options.as_json()
def command(
    report: Path,
    data: Path | None,
    rater: str | None,
    kinds: tuple[FindKind, ...],
    user: str | None,
    sample: int | None,
    screens: int,
    port: int,
    no_browser: bool,
    as_json: bool,
) -> None:
    """Open a local page where people decide what `fingertip privacy scan` found is private.

    REPORT is the folder that the scan wrote. Each find is shown on its screenshot, among the other finds of
    that screen, or marked in its text; people confirm or reject it, and draw a box around what was not found.
    Decisions are lines of REPORT/decisions.jsonl, readable by you only. Several people can review, each
    without seeing the others' decisions. Ctrl-C ends the session, and the same call resumes it.
    """
    from fingertip_privacy.find_context import open_reviewed_data
    from fingertip_privacy.finds import PRIVATE_NOTE, read_report
    from fingertip_privacy.review import FindPage, FindSession, select_finds, unfound_screens
    from fingertip_runs.annotation import PageServer

    record = read_report(report)
    source = data or Path(record.source)
    reviewed = open_reviewed_data(source, record.source_kind)
    finds = select_finds(report, kinds=kinds, user=user, sample=sample)
    if screens:
        finds += unfound_screens(report, source, record.source_kind, screens)
    raters = () if rater is None else (rater,)
    with (
        FindSession(report, reviewed, finds) as session,
        PageServer(FindPage(session, raters=raters), port=port) as server,
    ):
        click.echo(f"{len(session):,} finds to review: {server.url}")
        click.echo(f"note: {PRIVATE_NOTE}", err=True)
        serve(server, no_browser=no_browser, kept="decision")
        if as_json:
            print_json({"report": str(report), **_object(session)})
        _print_decisions(session)


def _object(session: FindSession) -> dict[str, Any]:
    """Object of --json: the finds that stay by each rule, what raters did, and how far they agree."""
    from fingertip_privacy.find_decisions import DecisionRule
    from fingertip_privacy.review import is_unfound

    found = session.decisions()
    finds = [key for key in session.order("") if not is_unfound(key)]
    return {
        "finds": len(finds),
        "stay": {rule: sum(found.keeps(key, rule) for key in finds) for rule in get_args(DecisionRule)},
        "boxes_added": sum(found.keeps(key) for key in found.added),
        **review_object(session, found.agreements()),
    }


def _print_decisions(session: FindSession) -> None:
    """Print how many finds each rater decided on and added, what stays, and how far raters agree."""
    from fingertip_privacy.find_decisions import DecisionRule
    from fingertip_privacy.review import is_unfound

    print_counts(session, "finds")
    found = session.decisions()
    finds = [key for key in session.order("") if not is_unfound(key)]
    stay, by_majority = (sum(found.keeps(key, rule) for key in finds) for rule in get_args(DecisionRule))
    click.echo(
        f"{stay:,} of {len(finds):,} finds stay: nobody rejected them, or somebody confirmed them; "
        f"{by_majority:,} stay by majority"
    )
    seen = [key for key in found.votes if is_unfound(key)]
    if seen:
        private = sum(found.keeps(key) for key in seen)
        click.echo(f"{len(seen):,} screens without a find were looked at: {private:,} have a private part")
    added = sum(found.keeps(key) for key in found.added)
    if added:
        click.echo(f"{added:,} {'box was' if added == 1 else 'boxes were'} added")
    for pair in found.agreements():
        for line in agreement_lines(pair):
            click.echo(line)
