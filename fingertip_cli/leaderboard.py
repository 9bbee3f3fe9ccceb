"""`fingertip leaderboard`: a folder of bundles as a local leaderboard page or as a Space to upload."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from fingertip_cli.verify_limits import limit_options

if TYPE_CHECKING:
    from fingertip_leaderboard.verified_records import VerifiedResults


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False), metavar="DIR")
@click.option(
    "--dataset",
    "datasets",
    multiple=True,
    type=click.Path(path_type=Path),
    help="Recompute all scores on this dataset first; repeatable.",
)
@click.option("--again", is_flag=True, help="Recompute even if nothing has changed.")
@click.option(
    "--space",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write the leaderboard as a Space to this folder, ready to upload, and stop.",
)
@click.option("--verify-only", is_flag=True, help="Write verified.json and stop.")
@click.option(
    "--port", type=click.IntRange(1, 65535), help="Port of the page. Default: a free one from 7860."
)
@limit_options
def command(
    folder: Path,
    datasets: tuple[Path, ...],
    again: bool,
    space: Path | None,
    verify_only: bool,
    port: int | None,
    time_limit: float,
    memory_limit: int,
) -> None:
    """Show the scores recomputed from the bundles in DIR, on a page on 127.0.0.1, without network.

    With --dataset every bundle is verified and DIR/verified.json is written; refused bundles are named and
    never ranked. Without --dataset the existing verified.json is shown. With --verify-only or --space the
    exit code is 1 if a bundle is refused.
    """
    from fingertip_dataset.errors import UsageError
    from fingertip_leaderboard.space.publish import write_space
    from fingertip_leaderboard.verify.process_limits import VerifyLimits
    from fingertip_leaderboard.verify_folder import read_results, verify_folder

    if (verify_only or again) and not datasets:
        raise UsageError("recomputing scores needs --dataset")
    limits = VerifyLimits(seconds=time_limit, megabytes=memory_limit)
    results = (
        verify_folder(folder, datasets, limits=limits, again=again) if datasets else read_results(folder)
    )
    _print_results(results)
    if space is not None:
        click.echo(f"{write_space(results, space)}: a Space, ready to upload")
    if space is None and not verify_only:
        _serve(results, port)
    elif results.refused:
        raise click.exceptions.Exit(1)


def _serve(results: VerifiedResults, port: int | None) -> None:
    from fingertip_leaderboard.space.board_page import launch, page

    launch(page(results), click.echo, server_name="127.0.0.1", server_port=port)


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
