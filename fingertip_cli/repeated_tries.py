"""Tries of `suggest --repeats` and `execute --repeats`: what is printed before, between and after them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from fingertip_cli.printing.json_output import print_json
from fingertip_cli.printing.next_call import print_next
from fingertip_dataset.errors import UsageError
from fingertip_runs.try_names import MOST_REPEATS

if TYPE_CHECKING:
    from fingertip_dataset.track import Track

Outcome = TypeVar("Outcome")

repeats = click.option(
    "--repeats",
    type=click.IntRange(1, MOST_REPEATS),
    default=1,
    show_default=True,
    metavar="K",
    help="Independent tries of every task, each with a seed of its own: OUT/try-1 to OUT/try-K.",
)
"""Option --repeats: a folder with several runs in place of one."""


def carry_out_tries(
    out: Path,
    track: Track,
    repeats: int,
    seed: int | None,
    carry_out: Callable[[Path, int], Outcome],
) -> list[Outcome]:
    """Carry out every try in its own folder with its own seed, and warn if all have the same answers.

    Args:
        out: Folder of the repeated run; the same call goes on with the one that it holds.
        track: Track of the tries.
        repeats: Number of tries, at least 2.
        seed: Seed of the first try; None for 0.
        carry_out: Function (folder, seed) that carries out a try, or goes on with it.

    Returns:
        What `carry_out` returned for each try.

    Raises:
        RunError: The folder holds something else.
    """
    from fingertip_analysis.repeated_runs import are_draws_alike
    from fingertip_runs.repeat_scores import ALIKE
    from fingertip_runs.repeats import begin_repeats
    from fingertip_runs.run_record import CALL_REPEATS

    record = begin_repeats(out, track=track, repeats=repeats, seed=seed)
    tries = [out / name for name in record.tries]
    outcomes = []
    before = CALL_REPEATS.set(repeats)
    try:
        for number, (folder, of_try) in enumerate(zip(tries, record.seeds, strict=True), start=1):
            click.echo(f"try {number} of {repeats}, seed {of_try}", err=True)
            outcomes.append(carry_out(folder, of_try))
    finally:
        CALL_REPEATS.reset(before)
    if are_draws_alike(tries):
        click.echo(f"warning: {ALIKE}", err=True)
    return outcomes


def print_tries(out: Path, objects: Sequence[Mapping[str, object]] | None) -> None:
    """Print the JSON object of a repeated run, if its tries have one each, and the next command."""
    if objects is not None:
        print_json({"folder": str(out), "repeats": len(objects), "tries": [*objects]})
    print_next("score", out)


def note_equal_tries(agent: str, track: Track, model: Mapping[str, Any]) -> None:
    """Say before the first try that all will be the same: at temperature 0, or if the agent draws nothing.

    Args:
        agent: Name of the agent.
        track: Its track.
        model: The values of `model_options`.
    """
    from fingertip_agents.registry import agent_traits

    traits = agent_traits(agent, track)
    if traits.seeded:
        return
    if traits.deterministic:
        words = f"the agent {agent} draws nothing: all tries will be the same"
    elif model["model"] is not None and model["temperature"] == 0:
        words = (
            "at temperature 0 all tries will be the same, up to the rounding of the server: "
            "--temperature 0.7, say, draws answers"
        )
    else:
        return
    click.echo(f"note: {words}", err=True)


def refuse_repeats(what: str, why: str) -> UsageError:
    """The error of a call that cannot be repeated."""
    return UsageError(f"--repeats is not for {what}: {why}")
