"""`fingertip phone`: serves one simulated phone over ADB until it is stopped, also in the state of a task."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from fingertip_cli.execution.phone_task import TASK_OPTIONS, TaskOrder, check_unused, run_tasks
from fingertip_cli.options import shared_options
from fingertip_cli.options.dialogue_options import add_answered_by_rule, add_instructions
from fingertip_cli.options.given_options import list_given_options
from fingertip_cli.options.model_options import language as language_option
from fingertip_cli.options.old_spellings import renamed
from fingertip_dataset.errors import UsageError
from fingertip_dataset.split_names import TEST_EXECUTION
from fingertip_runs.device_kinds import MOST_DEVICES
from simulated_phone import phone_options

if TYPE_CHECKING:
    from execution_runner.execution_view import ExecutionView, HiddenPart, MorePart
    from fingertip_dataset.release.settings import Start
    from fingertip_models.messages import Language
    from simulated_phone.screens.rough_trees import TreeKind


@click.command(
    name="phone",
    epilog="""\
    fingertip phone --port 15777 --fault advertisement
    fingertip phone --task sim 3__20250303_081500 --out runs/mine
    fingertip phone --tasks sim --out runs/mine -- python agent.py {serial} {intent}
    """,
)
@phone_options.port
@shared_options.seed
@phone_options.display_size
@phone_options.locale("Language of the phone")
@phone_options.design
@phone_options.dark
@phone_options.fault
@phone_options.trees
@phone_options.still_clock
@click.option(
    "--task",
    type=(click.Path(path_type=Path), str),
    metavar="DATASET TASK_ID",
    help="Put the phone in the state of this task, and write what it sees of your agent to --out.",
)
@click.option(
    "--tasks",
    type=click.Path(path_type=Path),
    metavar="DATASET",
    help="The same for all tasks of --split, one after another on each phone; needs your agent's COMMAND.",
)
@shared_options.split(TEST_EXECUTION)
@shared_options.limit
@phone_options.start
@click.option(
    "--phones",
    type=click.IntRange(1, MOST_DEVICES),
    default=1,
    metavar="N",
    help="With --tasks: number of phones, each with a task and your COMMAND of its own.  [default: 1]",
)
@click.option("--out", type=click.Path(path_type=Path), help="With a task: folder of the run, new or begun.")
@renamed(
    "--agent-name",
    "agent",
    old=("--agent",),
    metavar="NAME",
    help="With a task: name of your agent, for tables.  [default: attached]",
)
@shared_options.more
@shared_options.execution_without
@add_instructions
@add_answered_by_rule
@language_option
@shared_options.as_json()
@click.argument("agent_command", nargs=-1, type=click.UNPROCESSED, metavar="[-- COMMAND...]")
def command(
    port: int,
    seed: int,
    size: str,
    locale: str,
    design: str,
    dark: bool,
    faults: tuple[str, ...],
    trees: TreeKind,
    still_clock: bool,
    task: tuple[Path, str] | None,
    tasks: Path | None,
    split: str,
    limit: int | None,
    start: Start,
    phones: int,
    out: Path | None,
    agent: str | None,
    more: tuple[MorePart, ...],
    without: tuple[HiddenPart, ...],
    instructions: str | None,
    answered_by: str | None,
    language: Language,
    as_json: bool,
    agent_command: tuple[str, ...],
) -> None:
    """Run a simulated Android phone that any adb can connect to, until Ctrl-C.

    With --task it is in the state in which the person began, the task's app open. Your own agent drives
    it over adb, and a rule says at the end whether the task is done. COMMAND starts your agent for each
    task, and its end is the task's; {serial}, {intent}, {task} (profile, intent, reference) and {task_id}
    in it are filled in, and ANDROID_SERIAL is set. Without COMMAND, Ctrl-C ends the task. Exit code 1 if
    COMMAND failed in every task.
    """
    given = list_given_options()
    if task is None and tasks is None:
        check_unused([spelled for name, spelled in given.items() if name in TASK_OPTIONS])
        if agent_command:
            raise UsageError(f"a command needs --task or --tasks, got {' '.join(agent_command)[:60]!r}")
        from simulated_phone.command_line import serve_phone

        serve_phone(
            port=port,
            seed=seed,
            size=size,
            locale=locale,
            design=design,
            dark=dark,
            faults=faults,
            trees=trees,
            still_clock=still_clock,
        )
        return
    if task is not None and tasks is not None:
        raise UsageError("give --task or --tasks, not both")
    if task is not None and task[1].startswith("-"):
        raise UsageError(f"--task needs DATASET and TASK_ID, got {task[1]!r} as the id of a task")
    if task is not None and limit is not None:
        raise UsageError("--limit is for --tasks: --task is one task")
    if phones > 1 and (task is not None or port):
        raise UsageError(f"--phones is for --tasks without --port, got {phones} phones")
    if unused := [
        spelled for name, spelled in given.items() if name in ("seed", "size", "locale", "design", "dark")
    ]:
        raise UsageError(f"{', '.join(unused)} cannot be chosen with a task: it has a phone of its own")
    dataset, task_id = task or (tasks, None)
    assert dataset is not None  # noqa: S101 - one of both is given
    run_tasks(
        TaskOrder(
            dataset=dataset, task_id=task_id, split=split, start=start, limit=limit, out=out, agent=agent,
            language=language, view=_read_view(more, without), command=agent_command, port=port,
            phones=phones, faults=faults, trees=trees,
            real_time=not still_clock, as_json=as_json, instructions=instructions, answered_by=answered_by,
        )
    )  # fmt: skip


def _read_view(more: tuple[MorePart, ...], without: tuple[HiddenPart, ...]) -> ExecutionView:
    """Return the parts of a task that the agent is told.

    Raises:
        UsageError: A part is to be shown or hidden that an agent knows by itself.
    """
    from execution_runner.execution_view import ExecutionView

    if "past" in without:
        raise UsageError("--without past has no effect on an agent that keeps its own past actions")
    for option, part, parts in (("--with", "package", more), ("--without", "tree", without)):
        if part in parts:
            raise UsageError(f"{option} {part} has no effect on an agent that reads the phone by itself")
    return ExecutionView(more=more, without=without)
