"""`fingertip privacy redact`: a new release or dataset in which private parts are gone everywhere."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from fingertip_cli.options import shared_options
from fingertip_cli.options.worker_count import FEW_EPISODES, default_workers
from fingertip_cli.printing.json_output import print_json
from fingertip_cli.printing.progress import progress

if TYPE_CHECKING:
    from fingertip_dataset.release.redaction import Redaction


@click.command(
    epilog="""\
    fingertip privacy redact RAW --out redacted
    """
)
@click.argument("source", type=click.Path(path_type=Path), metavar="IN")
@click.option(
    "--out", required=True, type=click.Path(path_type=Path), help="Folder of the redacted copy; must be new."
)
@click.option(
    "--report",
    type=click.Path(path_type=Path),
    help="Folder of the scan's report, with people's decisions. Default: IN with .privacy behind its name.",
)
@shared_options.tables
@shared_options.key_file
@click.option(
    "--rule",
    type=click.Choice(["any", "majority"]),
    default="any",
    show_default=True,
    help="Find dropped by people: rejected and confirmed by nobody, or rejected by more than confirmed it.",
)
@click.option(
    "--undecided",
    type=click.Choice(["redact", "keep"]),
    default="redact",
    show_default=True,
    help="Finds that nobody has decided on.",
)
@click.option("--drop-unreadable", is_flag=True, help="Leave out pictures that cannot be read.")
@shared_options.workers
@shared_options.part
@shared_options.as_json()
def command(
    source: Path,
    out: Path,
    report: Path | None,
    tables: Path | None,
    key_file: Path | None,
    rule: Literal["any", "majority"],
    undecided: Literal["redact", "keep"],
    drop_unreadable: bool,
    workers: int | None,
    part: tuple[int, int] | None,
    as_json: bool,
) -> None:
    """Make a copy of a raw release or built dataset without what `fingertip privacy scan` found.

    A value is replaced wherever the same person's texts spell it: pixels, trees, actions, intents, surveys
    and tables. Each value of a person gets one pseudonym of the same kind and length. IN is only read.
    Nothing is at OUT before all is done; a stopped call continues when it is called again.
    """
    from fingertip_privacy.finds import report_of
    from fingertip_privacy.redaction.redact import RedactionSettings, redact

    settings = RedactionSettings(
        tables=tables,
        key_file=key_file,
        rule=rule,
        undecided=undecided,
        drop_unreadable=drop_unreadable,
        workers=workers or default_workers(_count(source)),
        part=part,
    )
    with progress() as notify:
        statement = redact(source, out, report or report_of(source), settings, on_progress=notify)
    if as_json:
        found = {} if statement is None else statement.model_dump(mode="json")
        print_json({"folder": str(out), "complete": statement is not None, **found})
    elif statement is None:
        click.echo("this part is done; the job that makes the last missing part finishes the copy")
    else:
        print_redaction(out, statement)


def _count(source: Path) -> int:
    """Number of episode folders, counted up to a few; many for a built dataset."""
    from itertools import islice

    if (source / "manifest.json").is_file():
        return FEW_EPISODES
    return sum(1 for _ in islice(source.glob("*/*"), FEW_EPISODES))


def print_redaction(out: Path, statement: Redaction) -> None:
    """Print what a redaction replaced."""
    from fingertip_cli.printing.console import console
    from fingertip_dataset.release.problems import printable

    lines = console()
    lines.print(f"{printable(str(out))}: {statement.total:,} finds redacted", highlight=False)
    for kind, count in statement.finds.items():
        lines.print(f"  {kind:<14}{count:>8,} finds {statement.values.get(kind, 0):>8,} values")
    lines.print(
        f"review: {statement.confirmed:,} confirmed, {statement.added:,} added, "
        f"{statement.undecided:,} undecided; left as they are: {statement.rejected:,} rejected, "
        f"{statement.kept_undecided:,} undecided"
    )
    lines.print(
        f"{statement.texts:,} values replaced in texts; {statement.screenshots:,} screenshots painted, "
        f"{statement.reencoded:,} of them compressed again in whole"
    )
    if statement.simulations_removed:
        lines.print(f"{statement.simulations_removed:,} episodes without their simulated phone's set-up")
    if statement.without_place:
        lines.print(
            f"{statement.without_place:,} finds have neither box nor text and stay as they are: draw boxes "
            "with `fingertip privacy review`"
        )
    if statement.left_out:
        lines.print(f"{statement.left_out:,} files or episodes left out: unscanned, or no part of a release")
    lines.print("what was not found is still there: look through a sample before you pass the copy on")
