"""`fingertip leaderboard`: a folder of bundles as the board, on this computer or as a Space to upload."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from fingertip_leaderboard.verified_records import VerifiedResults


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False), metavar="DIR")
@click.option(
    "--dataset",
    "datasets",
    multiple=True,
    type=click.Path(path_type=Path),
    help="Recompute all scores on this dataset first; may be repeated.",
)
@click.option("--again", is_flag=True, help="Recompute even where nothing has changed.")
@click.option(
    "--space",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write the board as a Space to this folder, ready to upload, and stop.",
)
@click.option("--verify-only", is_flag=True, help="Write verified.json and stop.")
@click.option("--port", type=click.IntRange(1, 65535), help="Of the page. Default: a free one from 7860 on.")
def command(
    folder: Path,
    datasets: tuple[Path, ...],
    again: bool,
    space: Path | None,
    verify_only: bool,
    port: int | None,
) -> None:
    """Shows what was recomputed from the bundles in DIR, on 127.0.0.1, without network.

    With --dataset every bundle is verified and DIR/verified.json written; what is refused is named and never
    ranked. Without it the verified.json that is there is shown. With --verify-only or --space the exit code
    is 1 where a bundle is refused.
    """
    from fingertip_dataset.errors import UsageError
    from fingertip_leaderboard.space.publish import write_space
    from fingertip_leaderboard.verify_folder import read_results, verify_folder

    if (verify_only or again) and not datasets:
        raise UsageError("expected a --dataset to recompute scores on, got none")
    results = verify_folder(folder, datasets, again=again) if datasets else read_results(folder)
    _tell(results)
    if space is not None:
        click.echo(f"{write_space(results, space)}: a Space, ready to upload")
    if space is None and not verify_only:
        _serve(results, port)
    elif results.refused:
        raise click.exceptions.Exit(1)


def _serve(results: VerifiedResults, port: int | None) -> None:
    from fingertip_leaderboard.space.board_page import launch, page

    launch(page(results), click.echo, server_name="127.0.0.1", server_port=port)


def _tell(results: VerifiedResults) -> None:
    """What is on the board and what is not, a line each."""
    from fingertip_dataset.release.problems import printable

    click.echo(f"{len(results.submissions)} verified, {len(results.refused)} refused")
    for it in results.submissions:
        click.echo(f"  {it.file}: {printable(it.card.name)}")
    for refused in results.refused:
        more = len(refused.reasons) - 1 + refused.more
        first = refused.reasons[0]
        place = ", ".join(part for part in (first.file, f"line {first.line}" if first.line else "") if part)
        rest = f" (and {more} more)" if more else ""
        click.echo(f"  {refused.file}: refused: {printable(first.reason)} [{first.kind}] {place}{rest}")
