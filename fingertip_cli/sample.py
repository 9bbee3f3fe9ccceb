"""`fingertip sample OUT`: a month of simulated people's phones, as a raw release with its tables."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import click

from fingertip_cli.display_size import read_size
from fingertip_cli.progress import progress

MOST_WORKERS = 4
"""Of the default."""


@click.command(name="sample")
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--users", type=click.IntRange(1, 9000), default=20, show_default=True, help="How many people.")
@click.option(
    "--episodes", type=click.IntRange(1, 5000), default=50, show_default=True, help="Of each person."
)
@click.option("--seed", default=0, show_default=True, help="The same seed makes the same bytes.")
@click.option("--size", default="1080x2400", show_default=True, help="Width and height in pixels.")
@click.option(
    "--workers", type=click.IntRange(1), help=f"Processes; as many as there are cores, up to {MOST_WORKERS}."
)
def command(out: Path, users: int, episodes: int, seed: int, size: str, workers: int | None) -> None:
    """Plays a month of simulated people's lives on simulated phones, and records it.

    OUT gets raw/ and tables/ in the authors' layout. Each survey file says "simulated": no number that comes
    of it is one of real people.
    """
    from fingertip_recorder.simulated_life import SampleOrder, write_sample

    order = SampleOrder(out=out, users=users, episodes=episodes, seed=seed, size=read_size(size))
    with progress() as report:
        months = write_sample(
            order,
            workers=workers or min(MOST_WORKERS, os.cpu_count() or 1),
            on_progress=lambda done, total: report("people", done, total),
        )
    recorded, steps = sum(len(month.intents) for month in months), sum(month.steps for month in months)
    click.echo(f"{out}: {recorded} episodes of {users} people, {steps} steps (simulated)")
    slips = sum((month.slips for month in months), Counter[str]())
    click.echo("  with slips: " + (", ".join(f"{slip} {count}" for slip, count in slips.items()) or "none"))
    given_up = sum((month.given_up for month in months), Counter[tuple[str, str, str]]())
    for (package, goal, way), count in given_up.most_common():
        click.echo(f"  begun in vain {count} times, another wish instead: {package} {goal} by {way}")
