"""Options of instructions that say less than people wrote, and of who answers an agent's questions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from fingertip_cli.options.model_options import Command, add_options
from fingertip_dataset.errors import UsageError
from fingertip_dataset.shell_line import write_call

if TYPE_CHECKING:
    from pathlib import Path

    from execution_runner.environments.dialogue_session import MakeAnswerer
    from fingertip_dataset.parquet.built import BuiltDataset
    from fingertip_runs.device_kinds import DeviceKindName
    from fingertip_runs.instructed_tasks import InstructedTasks

LEVELS = ("full", "no-app", "no-arguments", "goal-alone")


def add_instructions(command: Command) -> Command:
    """Add --instructions to a command."""
    option = click.option(
        "--instructions",
        type=click.Choice(LEVELS),
        help="How much the instructions say: full, what the person wrote; no-app, not which app; "
        "no-arguments, not what exactly; goal-alone, the need alone. Simulated people only.  [default: full]",
    )
    return add_options(command, (option,))


def add_answered_by(command: Command) -> Command:
    """Add --answered-by to a command."""
    option = click.option(
        "--answered-by",
        type=click.Choice(["simulated", "model", "human"]),
        help="Who answers the agent's questions: the simulated person by rule, a model, or people on a page. "
        "Default: nobody, as in the paper.",
    )
    return add_options(command, (option,))


def read_level(spelled: str | None) -> str:
    """Level of an instruction, from its spelling on the command line; "full" by default."""
    return (spelled or LEVELS[0]).replace("-", "_")


def choose_instructions(
    built: BuiltDataset, kind: DeviceKindName, split: str, level: str | None, answered_by: str | None
) -> InstructedTasks | None:
    """The tasks under the instructions of --instructions; None for what people wrote, without answers.

    Raises:
        UsageError: The devices are no simulated phones, or the dataset is not of simulated people.
    """
    from fingertip_runs.device_kinds import DEVICE_KINDS
    from fingertip_runs.instructed_tasks import instruct_tasks

    found = read_level(level)
    if found == "full" and answered_by is None:
        return None
    option = f"--answered-by {answered_by}" if answered_by else f"--instructions {level}"
    if DEVICE_KINDS[kind].recorded:
        raise UsageError(
            f"{option} needs --device simulated: on a recording ({kind}) only the recorded actions have an "
            "effect"
        )
    if not DEVICE_KINDS[kind].simulated:
        raise UsageError(
            f"{option} needs --device simulated: nobody knows by rule what the person of a real phone wants"
        )
    return instruct_tasks(built, split, found, answered_by)  # type: ignore[arg-type]  # choices of click


def print_instructions(dataset: Path, tasks: InstructedTasks) -> None:
    """Print what is special about a run with these instructions."""
    if tasks.left_out:
        total = sum(tasks.left_out.values())
        reasons = "; ".join(f"{count} as {why}" for why, count in tasks.left_out.items())
        listed = write_call("tasks", dataset, "--instructions", tasks.spelled)
        click.echo(f"left out {total:,} of {len(tasks.tasks):,} tasks: {reasons} (`{listed}` lists them)")
    if tasks.at_home:
        click.echo(f"instructions {tasks.spelled}: every task begins on the home screen")
    if tasks.hides_reference:
        click.echo("no reference is shown: the dataset chose it by the arguments, and would give them away")


def make_answers(tasks: InstructedTasks | None) -> MakeAnswerer | None:
    """Who answers, by --answered-by; None if nobody does."""
    from fingertip_runs.task_answerers import PeopleByRule

    if tasks is None or tasks.answered_by is None:
        return None
    return PeopleByRule(tasks=tasks)
