"""`fingertip leaderboard`: a folder of bundles as a local leaderboard page or as a Space to upload."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from fingertip_cli.verify_limits import limit_options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fingertip_leaderboard.hidden_records import HiddenTestRecord
    from fingertip_leaderboard.verified_records import VerifiedResults
    from fingertip_leaderboard.verify.process_limits import VerifyLimits


@click.command()
@click.argument("place", type=click.Path(path_type=Path, exists=True), metavar="DIR|RESULTS")
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
@click.option("--again", is_flag=True, help="Recompute also what has not changed.")
@click.option(
    "--space",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write the leaderboard as a Space to this folder, ready to upload, and stop.",
)
@click.option("--verify-only", is_flag=True, help="Recompute the scores, print what was found, and stop.")
@click.option(
    "--port", type=click.IntRange(1, 65535), help="Port of the page. Default: a free one from 7860."
)
@limit_options
def command(
    place: Path,
    datasets: tuple[Path, ...],
    results: Path | None,
    hidden_tests: tuple[Path, ...],
    again: bool,
    space: Path | None,
    verify_only: bool,
    port: int | None,
    time_limit: float,
    memory_limit: int,
) -> None:
    """Show the scores recomputed from the bundles in DIR, on a page on 127.0.0.1, without network.

    Nothing but the bundles is read from DIR: each is verified on --dataset; refused bundles are named and
    never ranked. In place of DIR, RESULTS is a file that --results wrote: it is shown as it is, on your word
    that nobody else wrote it. With --verify-only or --space the exit code is 1 if a bundle is refused.
    """
    from fingertip_leaderboard.hidden_records import read_hidden_records
    from fingertip_leaderboard.results_file import check_outside, write_results
    from fingertip_leaderboard.space.publish import write_space
    from fingertip_leaderboard.verify.process_limits import VerifyLimits

    if results is not None:
        check_outside(results)
    hidden = read_hidden_records(hidden_tests, place if place.is_dir() else None)
    if place.is_dir():
        limits = VerifyLimits(seconds=time_limit, megabytes=memory_limit)
        found = _verified(place, datasets, limits)
    else:
        found = _named(place, datasets, results, verify_only)
    if results is not None:
        write_results(found, results)
    _print_results(found)
    _print_hidden(hidden)
    if space is not None:
        click.echo(f"{write_space(found, space, hidden)}: a Space, ready to upload")
    if space is None and not verify_only:
        _serve(found, hidden, port)
    elif found.refused:
        raise click.exceptions.Exit(1)


def _verified(folder: Path, datasets: tuple[Path, ...], limits: VerifyLimits) -> VerifiedResults:
    from fingertip_dataset.errors import UsageError
    from fingertip_leaderboard.verify_folder import verify_folder

    if not datasets:
        raise UsageError(
            "a folder of bundles needs --dataset, on which all scores are recomputed: nothing else in the "
            "folder is read",
            file=folder,
        )
    return verify_folder(folder, datasets, limits=limits)


def _named(
    file: Path, datasets: tuple[Path, ...], results: Path | None, verify_only: bool
) -> VerifiedResults:
    """Results that the caller names."""
    from fingertip_dataset.errors import UsageError
    from fingertip_leaderboard.results_file import read_results

    if datasets or results or verify_only:
        raise UsageError(
            "results are shown as they are: to recompute them, name the folder of bundles", file=file
        )
    return read_results(file)


def _serve(results: VerifiedResults, hidden: Sequence[HiddenTestRecord], port: int | None) -> None:
    from fingertip_leaderboard.space.board_page import launch, page

    launch(page(results, hidden), click.echo, server_name="127.0.0.1", server_port=port)


def _print_results(results: VerifiedResults) -> None:
    """Print the verified and the refused bundles, a line each."""
    from fingertip_dataset.release.problems import printable

    click.echo(f"{len(results.submissions)} verified, {len(results.refused)} refused")
    for submission in results.submissions:
        click.echo(f"  {submission.file}: {printable(submission.card.name)}")
    for refused in results.refused:
        more = len(refused.reasons) - 1 + refused.more
        first = refused.reasons[0]
        place = ", ".join(part for part in (first.file, f"line {first.line}" if first.line else "") if part)
        rest = f" (and {more} more)" if more else ""
        click.echo(f"  {refused.file}: refused: {printable(first.reason)} [{first.kind}] {place}{rest}")


def _print_hidden(hidden: Sequence[HiddenTestRecord]) -> None:
    """Print the rows of hidden tests, a line each."""
    from fingertip_dataset.release.problems import printable

    if hidden:
        click.echo(f"{len(hidden)} run by the board")
    for record in hidden:
        tracks = " and ".join(row.track for row in record.result.rows)
        commitment = record.result.benchmark.commitment[:12]
        click.echo(f"  {printable(record.result.card.name)}: {tracks}, commitment {commitment}")
