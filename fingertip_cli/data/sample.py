"""`fingertip sample OUT`: records a month of simulated users as a raw release with its tables."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fingertip_cli.options import shared_options
from fingertip_cli.options.given_options import OUTPUT_OPTIONS, refuse_unused
from fingertip_cli.options.worker_count import default_workers
from fingertip_cli.printing.json_output import print_json
from fingertip_cli.printing.progress import progress
from fingertip_recorder.published_sample import NAME, PUBLISHED
from simulated_phone import phone_options

if TYPE_CHECKING:
    from simulated_phone.people.life import Start


_READ_WITH_PRESET = (*OUTPUT_OPTIONS, "preset", "workers")


@click.command(
    name="sample",
    epilog="""\
    fingertip sample people --users 2 --episodes 5 --seed 7 --size 540x1200
    fingertip sample people --locale zh --locale en
    fingertip sample people --preset fingertip-sim
    fingertip sample people --long
    """,
)
@click.argument("out", type=click.Path(path_type=Path))
@shared_options.users(20)
@shared_options.episodes(50)
@shared_options.seed
@phone_options.display_size
@phone_options.locales(
    "Language of the people and their phones; repeatable: of several, pairs of a younger and an older person "
    "speak one after the other"
)
@phone_options.zone
@phone_options.start
@click.option(
    "--long",
    is_flag=True,
    help="Goals over three or more apps, too: the last one of each person is a task of the split test_long.",
)
@click.option(
    "--preset",
    type=click.Choice([NAME]),
    help="Exactly the people of a published benchmark, in place of the options of size, seed and language.",
)
@shared_options.workers
@shared_options.as_json()
def command(
    out: Path,
    users: int,
    episodes: int,
    seed: int,
    size: str,
    locales: tuple[str, ...],
    zone: str,
    start: Start,
    long: bool,
    preset: str | None,
    workers: int | None,
    as_json: bool,
) -> None:
    """Simulate a month of users on simulated phones, and record it.

    OUT gets raw/ and tables/ in the authors' layout. Each survey file is marked "simulated": no number
    computed from it describes real people. With --zone the sample is a release of its own, whose release.toml
    states language and zone. An episode begins in its app, as in the paper, which is opened before; with
    --start home it begins on the home screen, and the way to the app is recorded. The same call again goes on
    with a sample that was stopped.
    """
    from fingertip_recorder.simulated_life import SampleOrder, write_sample

    if preset is not None:
        refuse_unused(f"--preset {preset}", "it says what is simulated", used=_READ_WITH_PRESET)
        order = PUBLISHED.order(out)
    else:
        order = SampleOrder(
            out=out,
            users=users,
            episodes=episodes,
            seed=seed,
            size=phone_options.read_size(size),
            locales=locales,
            zone=zone,
            start=start,
            long=long,
        )
    with progress() as report:
        months = write_sample(
            order,
            workers=workers or default_workers(order.users * order.episodes),
            on_progress=lambda done, total: report("users", done, total),
        )
    tasks = sum(bool(month.long_intents) for month in months)
    recorded = sum(len(month.intents) + len(month.long_intents) for month in months)
    steps = sum(month.steps for month in months)
    starts = sum((month.starts for month in months), Counter[str]())
    slips = sum((month.slips for month in months), Counter[str]())
    given_up = sum((month.given_up for month in months), Counter[tuple[str, str, str]]())
    if as_json:
        print_json(
            {
                "folder": str(out), "provenance": "simulated", "users": order.users, "episodes": recorded,
                "steps": steps, "starts": dict(starts), "slips": dict(slips),
                **({"long_tasks": tasks} if order.long else {}),
                "given_up": [
                    {"app": package, "goal": goal, "strategy": strategy, "count": count}
                    for (package, goal, strategy), count in given_up.most_common()
                ],
            }
        )  # fmt: skip
        return
    click.echo(f"{out}: {recorded} episodes of {order.users} users, {steps} steps (simulated)")
    if starts["several apps"]:
        click.echo(f"  begin at home, as they need several apps: {starts['several apps']}")
    if order.long:
        of_several = recorded - order.users * order.episodes
        click.echo(f"  goals over three or more apps: {of_several}, {tasks} of them tasks")
    click.echo("  with slips: " + (", ".join(f"{slip} {count}" for slip, count in slips.items()) or "none"))
    for (package, goal, strategy), count in given_up.most_common():
        click.echo(f"  given up {count} times for another intent: {package} {goal} by {strategy}")
