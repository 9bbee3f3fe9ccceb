"""Options of instructions that say less than people wrote, and of who answers an agent's questions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from fingertip_cli.options.given_options import list_given_options
from fingertip_cli.options.model_options import Command, add_options
from fingertip_dataset.errors import UsageError
from fingertip_dataset.shell_line import write_call

if TYPE_CHECKING:
    from pathlib import Path

    from execution_runner.environments.dialogue_session import MakeAnswerer
    from fingertip_dataset.parquet.built import BuiltDataset
    from fingertip_runs.device_kinds import DeviceKindName
    from fingertip_runs.instructed_tasks import InstructedTasks
    from simulated_phone.dialogue.dialogue_kinds import Level

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


def add_answered_by_rule(command: Command) -> Command:
    """Add --answered-by to a command whose phone answers by itself."""
    option = click.option(
        "--answered-by",
        type=click.Choice(["simulated"]),
        help="With a task: the simulated person answers by rule what your agent asks with the broadcast "
        "com.fingertip.ASK. Default: nobody, as in the paper.",
    )
    return add_options(command, (option,))


def add_answered_by(command: Command) -> Command:
    """Add --answered-by to a command."""
    return add_options(
        command,
        (
            click.option(
                "--answered-by",
                type=click.Choice(["simulated", "model", "human"]),
                help="Who answers the agent's questions: the simulated person by rule, a model, or people at "
                "this terminal. Default: nobody, as in the paper.",
            ),
            click.option(
                "--answer-model",
                metavar="NAME",
                expose_value=False,
                callback=_keep_option,
                help="Model that answers, with --answered-by model.",
            ),
            click.option(
                "--answer-base-url",
                metavar="URL",
                expose_value=False,
                callback=_keep_option,
                help="OpenAI-compatible endpoint of --answer-model; its key is in OPENAI_API_KEY.",
            ),
        ),
    )


def _keep_option(context: click.Context, option: click.Parameter, value: str | None) -> None:
    """Keep an option for `make_answers`, which alone needs it."""
    context.meta[f"{__name__}.{option.name}"] = value


def read_level(spelled: str | None) -> Level:
    """Level of an instruction, from its spelling on the command line; "full" by default."""
    level: Level = (spelled or LEVELS[0]).replace("-", "_")  # type: ignore[assignment]  # a choice of click
    return level


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
    spelled = kind.replace("_", "-")
    if DEVICE_KINDS[kind].recorded:
        raise UsageError(
            f"{option} needs --device simulated: on a recording ({spelled}) only the recorded actions have "
            "an effect"
        )
    if not DEVICE_KINDS[kind].simulated:
        raise UsageError(
            f"{option} needs --device simulated: nobody knows by rule what the person of a real phone wants"
        )
    return instruct_tasks(built, split, found, answered_by)  # type: ignore[arg-type]  # a choice of click


def print_lacks(agent: str, tasks: InstructedTasks | None) -> None:
    """Print what the agent of a run lacked: answers to its questions, or a reference.

    Args:
        agent: Name of the agent.
        tasks: The tasks under --instructions; None for what people wrote, without answers.
    """
    from fingertip_agents.registry import agent_traits

    traits = agent_traits(agent, "execution")
    if traits.asks and (tasks is None or tasks.answered_by is None):
        click.echo(
            f"{agent} asked nothing, as nobody answers: --answered-by simulated lets the person answer"
        )
    if tasks is None or not tasks.hides_reference:
        return
    if "reference" in list_given_options():
        click.echo(f"--reference had no effect: with the instruction {tasks.spelled} no reference is shown")
    if traits.follows_reference:
        click.echo(f"{agent} repeats the reference, and none was shown: it did nothing")


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
    """Who answers, by --answered-by; None if nobody does.

    A model is closed with the command, which then prints how many of its replies were withheld.

    Raises:
        UsageError: A model's option is missing, or is given without --answered-by model.
    """
    from fingertip_runs.task_answerers import PeopleByRule

    meta = click.get_current_context().meta
    name, base_url = (meta.get(f"{__name__}.{option}") for option in ("answer_model", "answer_base_url"))
    answered_by = tasks.answered_by if tasks else None
    if answered_by != "model" and (name or base_url):
        raise UsageError("--answer-model and --answer-base-url need --answered-by model")
    if tasks is None or answered_by is None:
        return None
    if answered_by == "simulated":
        return PeopleByRule(tasks=tasks)
    if answered_by == "human":
        from fingertip_runs.typed_answers import PeopleByTyping, query_terminal

        return PeopleByTyping(tasks=tasks, write=query_terminal)
    if not name or not base_url:
        raise UsageError("--answered-by model needs --answer-model NAME and --answer-base-url URL")
    return _open_model(tasks, name, base_url)


def _open_model(tasks: InstructedTasks, name: str, base_url: str) -> MakeAnswerer:
    """A model that answers, which is closed with the command."""
    from fingertip_models.model import open_model
    from fingertip_models.options import ModelOptions
    from fingertip_runs.typed_answers import PeopleByTyping, query_model

    model = open_model(ModelOptions(model=name, base_url=base_url, seed=0), preflight=True)
    made = PeopleByTyping(tasks=tasks, write=query_model(model))

    def close() -> None:
        model.close()
        if made.replies:
            click.echo(
                f"{name} answered {made.replies:,} questions; {made.wrong_share:.1%} of its replies had a "
                "value of another task and were withheld",
                err=True,
            )

    click.get_current_context().call_on_close(close)
    return made
