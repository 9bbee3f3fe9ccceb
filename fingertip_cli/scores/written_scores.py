"""Scores that are printed also where they cannot be written: runs of others are often read-only."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import click


def write_all(writers: Iterable[Callable[[], object]]) -> None:
    """Write files of scores; those that the system refuses are left out, with one warning.

    Args:
        writers: Functions that write a file each, and raise RunError if the system refuses it.

    Raises:
        RunError: A file cannot be written for another reason.
    """
    from fingertip_cli.printing.disk_errors import advise_on_disk
    from fingertip_dataset.errors import RunError

    refused: list[RunError] = []
    for write in writers:
        try:
            write()
        except RunError as error:
            if not isinstance(error.__cause__, OSError):
                raise
            refused.append(error)
    if refused:
        first, more = refused[0], f", and {len(refused) - 1} more" if len(refused) > 1 else ""
        reason = advise_on_disk(first).removeprefix("; ").partition(",")[0] or first.message
        click.echo(
            f"warning: the scores are printed and not kept, {reason} (file {first.file}{more}): "
            "--json > FILE keeps them elsewhere",
            err=True,
        )
