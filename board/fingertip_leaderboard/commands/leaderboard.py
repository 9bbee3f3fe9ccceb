"""`fingertip leaderboard`: a folder of bundles as a local leaderboard page or as a Space to upload."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fingertip_cli.options import shared_options
from fingertip_cli.printing.json_output import print_json
from fingertip_leaderboard.commands.verify_limits import limit_options
from simulated_phone import phone_options

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fingertip_leaderboard.hidden_records import HiddenTestRecord
    from fingertip_leaderboard.hidden_secret import HiddenSecret
    from fingertip_leaderboard.submission_order import SubmissionOrder
    from fingertip_leaderboard.verified_records import Score, VerifiedResults
    from fingertip_leaderboard.verify.process.process_limits import VerifyLimits


@click.command(
    epilog="""\
    fingertip leaderboard bundles --dataset fingertip-sim
    fingertip leaderboard bundles --dataset fingertip-sim --verify-only --json
    """
)
@click.argument("place", type=click.Path(path_type=Path), metavar="DIR|RESULTS")
@click.option(
    "--dataset",
    "datasets",
    multiple=True,
    type=click.Path(path_type=Path),
    help="Dataset of the runs, on which all scores are recomputed; repeatable.",
)
@click.option(
    "--results",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Also write the recomputed scores to this file, which must not lie among bundles.",
)
@click.option(
    "--hidden-test",
    "hidden_tests",
    multiple=True,
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="RECORD",
    help="Record that your own `fingertip hidden-test` wrote, shown as run by the board; repeatable.",
)
@click.option(
    "--hidden-seed-file",
    "seed_files",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="SECRET",
    help="Secret of the --hidden-test records, by which changed ones are found; repeatable.",
)
@click.option("--again", is_flag=True, help="Recompute also what has not changed since an earlier call.")
@click.option(
    "--order-from",
    metavar="hub:OWNER/NAME",
    help="Take the order of submission from the Hub's history of this submissions repo.",
)
@click.option(
    "--order",
    "order_list",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Take it from this list of bundle hashes, oldest first, which a maintainer signed with ssh-keygen.",
)
@click.option(
    "--signers",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Public keys of those who may sign --order, in OpenSSH's format of allowed signers.",
)
@click.option(
    "--decisions",
    type=click.Path(path_type=Path, dir_okay=False),
    help="What the maintainers decided on marked submissions: JSON, hash -> keep or remove, with a reason.",
)
@click.option(
    "--space",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write the leaderboard as a Space to this folder, ready to upload, and stop.",
)
@click.option("--verify-only", is_flag=True, help="Recompute the scores, print what was found, and stop.")
@click.option(
    "--allowed-host",
    "hosts",
    multiple=True,
    metavar="NAME",
    help="Name under which a proxy shows the page, such as board.example.org or *.example.org; repeatable.",
)
@phone_options.port
@limit_options
@shared_options.as_json()
def command(
    place: Path,
    datasets: tuple[Path, ...],
    results: Path | None,
    hidden_tests: tuple[Path, ...],
    seed_files: tuple[Path, ...],
    again: bool,
    order_from: str | None,
    order_list: Path | None,
    signers: Path | None,
    decisions: Path | None,
    space: Path | None,
    verify_only: bool,
    hosts: tuple[str, ...],
    port: int,
    time_limit: float,
    memory_limit: int,
    as_json: bool,
) -> None:
    """Show the scores recomputed from the bundles in DIR, on a page on 127.0.0.1, without network.

    Nothing but the bundles is read from DIR: each is verified on --dataset; refused bundles are named and
    never ranked. Submissions that are near one another are marked, and a person decides. In place of DIR,
    RESULTS is a file that --results wrote: it is shown as it is, on your word that nobody else wrote it. With
    --verify-only or --space the exit code is 1 if a bundle is refused, or a mark has no decision.
    """
    from fingertip_dataset.errors import UsageError
    from fingertip_dataset.path_kinds import explain_missing
    from fingertip_leaderboard.results_file import check_outside, write_results
    from fingertip_leaderboard.space.publish import write_space
    from fingertip_leaderboard.verify.process.process_limits import VerifyLimits

    if not place.exists():
        raise UsageError(explain_missing(place, "a folder of bundles"), file=place)
    if results is not None:
        check_outside(results)
    hidden, secrets = _read_hidden(hidden_tests, seed_files, place)
    if place.is_dir():
        given = _Given(
            datasets=datasets,
            limits=VerifyLimits(seconds=time_limit, megabytes=memory_limit),
            again=again,
            order_from=order_from,
            order_list=order_list,
            signers=signers,
            decisions=decisions,
            page=space is None and not verify_only,
        )
        found = _verify_folder(place, given)
    else:
        others = (*datasets, results, order_from, order_list, signers, decisions)
        found = _name_marks(place, others=verify_only or again or any(others))
    if results is not None:
        write_results(found, results)
    if as_json:
        rows = [record.model_dump(mode="json") for record in hidden]
        print_json({"results": found.model_dump(mode="json"), "hidden_tests": rows})
    else:
        _print_results(found)
        _print_hidden(hidden)
    if space is not None:
        click.echo(f"{write_space(found, space, hidden, secrets)}: a Space, ready to upload")
    if space is None and not verify_only:
        _serve(found, hidden, port, hosts)
    elif found.refused or any(one.undecided for one in found.submissions):
        raise click.exceptions.Exit(1)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Given:
    """Options of a verification, as the command has them."""

    datasets: tuple[Path, ...]
    limits: VerifyLimits
    again: bool
    order_from: str | None
    order_list: Path | None
    signers: Path | None
    decisions: Path | None
    page: bool


def _verify_folder(folder: Path, given: _Given) -> VerifiedResults:
    from fingertip_cli.printing.progress import progress
    from fingertip_dataset.errors import MissingExtraError, UsageError
    from fingertip_leaderboard.decisions import read_decisions
    from fingertip_leaderboard.verify.process.child_process import fork_verifier
    from fingertip_leaderboard.verify.verify_cache import VerifyCache
    from fingertip_leaderboard.verify_folder import verify_folder

    if not given.datasets:
        raise UsageError(
            "a folder of bundles needs --dataset, on which all scores are recomputed: nothing else in the "
            "folder is read",
            file=folder,
        )
    # verification takes minutes: what the page needs is checked before it
    if given.page and find_spec("gradio") is None:
        raise MissingExtraError("gradio", "leaderboard")
    order = _read_order(folder, given)
    # before the thread of the progress
    with fork_verifier(), progress() as report:
        return verify_folder(
            folder,
            given.datasets,
            limits=given.limits,
            order=order,
            decisions=read_decisions(given.decisions) if given.decisions else None,
            cache=None if given.again else VerifyCache(),
            on_progress=partial(report, "bundles verified"),
        )


def _read_order(folder: Path, given: _Given) -> SubmissionOrder | None:
    from fingertip_dataset.errors import UsageError
    from fingertip_leaderboard.hub.merge_history import read_hub_order
    from fingertip_leaderboard.submission_order import read_signed_order
    from fingertip_leaderboard.verify_folder import read_heads

    if (given.order_list is None) != (given.signers is None):
        raise UsageError("--order and --signers go together: a list without its signers' keys proves nothing")
    if given.order_list is not None and given.signers is not None:
        if given.order_from is not None:
            raise UsageError("--order-from and --order exclude each other")
        return read_signed_order(given.order_list, given.signers)
    if given.order_from is None:
        return None
    kind, _, repo = given.order_from.partition(":")
    if kind != "hub":
        raise UsageError(f"expected --order-from hub:OWNER/NAME, got {given.order_from[:200]!r}")
    return read_hub_order(repo, read_heads(folder))


def _read_hidden(
    files: Sequence[Path], seed_files: Sequence[Path], place: Path
) -> tuple[Sequence[HiddenTestRecord], Sequence[HiddenSecret]]:
    """Records of hidden tests that were made with one of the secrets, and the secrets."""
    from fingertip_dataset.errors import UsageError
    from fingertip_leaderboard.hidden_records import read_hidden_records
    from fingertip_leaderboard.hidden_secret import read_secret

    if files and not seed_files:
        raise UsageError(
            "--hidden-test needs --hidden-seed-file SECRET: without the secret a forged record is not found"
        )
    if seed_files and not files:
        raise UsageError("--hidden-seed-file takes effect only with --hidden-test RECORD")
    secrets = [read_secret(file) for file in seed_files]
    return read_hidden_records(files, place if place.is_dir() else None, secrets), secrets


def _name_marks(file: Path, *, others: bool) -> VerifiedResults:
    """Results that the caller names."""
    from fingertip_dataset.errors import UsageError
    from fingertip_leaderboard.results_file import read_results

    if others:
        raise UsageError(
            "results are shown as they are: to recompute them, name the folder of bundles", file=file
        )
    return read_results(file)


def _serve(
    results: VerifiedResults, hidden: Sequence[HiddenTestRecord], port: int | None, hosts: Sequence[str]
) -> None:
    from fingertip_leaderboard.space.board_page import build_page, launch

    launch(build_page(results, hidden), click.echo, hosts, server_name="127.0.0.1", server_port=port or None)


def _print_results(results: VerifiedResults) -> None:
    """Print the verified and the refused bundles, a line each."""
    from fingertip_dataset.release.problems import printable
    from fingertip_leaderboard.space.asking_words import name_asking
    from fingertip_leaderboard.verified_records import mark_text

    click.echo(f"{len(results.submissions)} verified, {len(results.refused)} refused")
    names = {one.sha256: printable(one.card.name) for one in results.submissions}
    for submission in results.submissions:
        attached = " (attached agent)" if submission.attached else ""
        of = submission.conditions[0]
        section = f" ({name_asking(of).lower()})" if of.measure == "asking" else ""
        scores = _write_scores(submission.scores)
        click.echo(f"  {submission.file}: {names[submission.sha256]}{attached}{section}{scores}")
        for mark in submission.marks:
            click.echo(f"    {mark_text(mark, names[mark.other])}")
        for remark in submission.remarks:
            click.echo(f"    {printable(remark)}")
        if submission.kept:
            click.echo(f"    kept: {printable(submission.kept)}")
    for removed in results.removed:
        click.echo(f"  {removed.file}: removed: {printable(removed.reason)}")
    for refused in results.refused:
        more = len(refused.reasons) - 1 + refused.more
        first = refused.reasons[0]
        place = ", ".join(part for part in (first.file, f"line {first.line}" if first.line else "") if part)
        rest = f" (and {more} more)" if more else ""
        click.echo(f"  {refused.file}: refused: {printable(first.reason)} [{first.kind}] {place}{rest}")
    _print_undecided(results)


def _write_scores(scores: Mapping[str, Score]) -> str:
    """Write the scores by which a submission is ranked and compared, as the end of a line."""
    from fingertip_leaderboard.score_columns import SCORES

    shown = [
        f"{column.title} {100 * mean:.1f} %" if column.percent else f"{column.title} {mean:.3f}"
        for column in SCORES
        if (column.tested or column.breaks_ties)
        and column.name in scores
        and (mean := scores[column.name].mean) is not None
    ]
    return "".join(f", {text}" for text in shown)


def _print_undecided(results: VerifiedResults) -> None:
    undecided = [one for one in results.submissions if one.undecided]
    if undecided:
        click.echo(f"{len(undecided)} marked: a person must decide with --decisions, by the sha256:")
        for one in undecided:
            click.echo(f"  {one.sha256}  {one.file}")


def _print_hidden(hidden: Sequence[HiddenTestRecord]) -> None:
    """Print the rows of hidden tests, a line each."""
    from fingertip_dataset.release.problems import printable

    if hidden:
        click.echo(f"{len(hidden)} run by the board")
    for record in hidden:
        tracks = " and ".join(row.task_list for row in record.result.rows)
        commitment = record.result.benchmark.commitment[:12]
        click.echo(f"  {printable(record.result.card.name)}: {tracks}, commitment {commitment}")
        for remark in {row.installed.remark for row in record.result.rows if row.installed is not None}:
            click.echo(f"    {printable(remark)}")
