"""Tasks on `fingertip phone`: an agent drives the phone by itself, and a rule decides success."""

from __future__ import annotations

import signal
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fingertip_cli.options.dialogue_options import choose_instructions, print_instructions
from fingertip_cli.printing.failed_tasks import report_failures
from fingertip_cli.printing.json_output import print_json
from fingertip_cli.printing.next_call import print_next
from fingertip_dataset.errors import DeviceError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import FrameType

    from execution_runner.attached.attached_environment import AttachedEnvironment
    from execution_runner.execution_run import ExecutionOutcome
    from execution_runner.execution_view import ExecutionView
    from execution_runner.scoring.task_scores import TaskScore
    from fingertip_dataset.parquet.built import BuiltDataset
    from fingertip_dataset.release.settings import Start
    from fingertip_dataset.tasks.task import ExecutionTask
    from fingertip_models.messages import Language
    from fingertip_runs.instructed_tasks import InstructedTasks
    from simulated_phone.screens.rough_trees import TreeKind

TASK_OPTIONS = (
    "split", "limit", "start", "out", "agent", "more", "without", "language", "phones", "as_json",
    "agent_command", "instructions", "answered_by",
)  # fmt: skip
"""Names of the options that need --task or --tasks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskOrder:
    """Tasks and settings of a call of `fingertip phone`.

    Attributes:
        dataset: The dataset.
        task_id: The task; None for all of the split.
        split: Name of the split.
        start: Where tasks begin.
        limit: Maximum number of tasks.
        out: Folder of the run.
        agent: Name of the agent.
        language: Language of the headings in the task's text.
        view: Parts of the tasks that the agent gets.
        command: Command of the agent; empty if a person starts it.
        port: TCP port of the phone; 0 selects free ones.
        phones: Number of phones, each with a task of its own.
        faults: Faults that are on.
        trees: Kind of the phone's accessibility trees.
        real_time: Whether the phone's clock follows the real one.
        as_json: Whether the verdicts are also printed as one JSON object.
        instructions: Level of the instructions; None for what people wrote.
        answered_by: Who answers the agent's questions; None if nobody does.
    """

    dataset: Path
    task_id: str | None
    split: str
    start: Start
    limit: int | None
    out: Path | None
    agent: str | None
    language: Language
    view: ExecutionView
    command: tuple[str, ...]
    port: int
    phones: int
    faults: tuple[str, ...]
    trees: TreeKind
    real_time: bool
    as_json: bool
    instructions: str | None = None
    answered_by: str | None = None


def run_tasks(order: TaskOrder) -> None:
    """Put the phone in the state of each task, and print the verdicts.

    Raises:
        FingerTipError: The call is wrong, or a part of it failed.
    """
    from execution_runner.attached.agent_command import check_command
    from execution_runner.attached.attached_environment import AttachedAgent
    from execution_runner.attached.attached_run import ATTACHED, check_agent_name, run_attached
    from fingertip_dataset.parquet.built import BuiltDataset

    if order.out is None:
        raise UsageError("a task needs --out, the folder of the run that it is written to")
    if order.task_id is None and not order.command:
        raise UsageError("--tasks needs your agent's command after --, as in: -- python agent.py {serial}")
    name = order.agent or ATTACHED
    check_agent_name(name)
    if order.command:
        check_command(order.command)
    built = BuiltDataset.open(order.dataset)
    instructed = choose_instructions(built, "simulated", order.split, order.instructions, order.answered_by)
    if instructed is None or not instructed.at_home:
        built.require_start(order.start)
    environments = _environments(order, built, instructed)
    ended_before = _read_ended(order.out)
    try:
        with _end_by_signal(environments, by_hand=not order.command):
            outcome = run_attached(
                order.dataset,
                environments,
                AttachedAgent(name, environments, real_time=order.real_time),
                order.out,
                split=order.split,
                limit=order.limit,
                task_ids=None if order.task_id is None else [order.task_id],
                instructed=instructed,
            )
    finally:
        for environment in environments:
            environment.close()
    if order.task_id is not None and not outcome.queried:
        click.echo(f"{order.task_id} was carried out before: another --out is another run")
        ended_before -= {order.task_id}
    found = _print_verdicts(order.out, ended_before)
    if order.as_json:
        print_json({"folder": str(order.out), "tasks": [_object(task) for task in found]})
    if instructed is not None:
        print_instructions(order.dataset, instructed)
    _report_errors(found, outcome)


def _environments(
    order: TaskOrder, built: BuiltDataset, instructed: InstructedTasks | None
) -> list[AttachedEnvironment]:
    from execution_runner.attached.attached_environment import AttachedEnvironment
    from execution_runner.environments.open_environments import simulations_of
    from fingertip_runs.task_answerers import PeopleByRule
    from simulated_phone.dialogue.vague_task import begin_at_home

    simulations = simulations_of(built)
    if instructed is not None and instructed.at_home:
        simulations = begin_at_home(simulations)
    return [
        AttachedEnvironment(
            f"simulated-{number}" if number > 1 else "simulated",
            simulations,
            port=order.port,
            faults=order.faults,
            trees=order.trees,
            real_time=order.real_time,
            command=order.command,
            language=order.language,
            view=order.view,
            answers=PeopleByRule(tasks=instructed) if instructed and instructed.answered_by else None,
            on_begin=lambda task, serial: _print_task(order, task, serial),
        )
        for number in range(1, order.phones + 1)
    ]


def _read_ended(run: Path) -> set[str]:
    """Ids of the tasks of a run that have ended; none without a run."""
    from execution_runner.execution_log import read_attempts
    from fingertip_runs.run_folder import RUN

    return {attempt.end.task_id for attempt in read_attempts(run)} if (run / RUN).exists() else set()


@contextmanager
def _end_by_signal(environments: Sequence[AttachedEnvironment], *, by_hand: bool) -> Iterator[None]:
    """End the task at hand at the first Ctrl-C or SIGTERM, if a person runs the agent; then as usual.

    Else Ctrl-C reaches the tasks of all phones, and not only the main thread.
    """
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = [signal.getsignal(number) for number in numbers]

    def restore() -> None:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)

    def finish(_number: int, _frame: FrameType | None) -> None:
        restore()
        environments[0].finish()

    def interrupt(number: int, _frame: FrameType | None) -> None:
        restore()
        for environment in environments:
            environment.interrupt()
        signal.raise_signal(number)

    if by_hand:
        for number in numbers:
            signal.signal(number, finish)
    elif len(environments) > 1:
        signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        restore()


def _print_task(order: TaskOrder, task: ExecutionTask, serial: str) -> None:
    from fingertip_agents.formats.prompt_wording import make_task_text
    from fingertip_dataset.release.problems import printable

    click.echo(f"task {task.task_id}: {printable(task.input.intent, 200)}")
    if order.command:
        return
    for line in make_task_text(order.view.show_task(task.input), None, order.language).splitlines():
        click.echo(f"  {printable(line, 2000)}")
    click.echo(f"the phone is on {serial}; end the task with Ctrl-C")
    click.echo(f"  adb connect {serial}")


def _print_verdicts(run: Path, before: set[str]) -> list[TaskScore]:
    """Print and return the verdict of each task that ended in this call."""
    from execution_runner import score_run
    from fingertip_dataset.release.problems import printable

    scores = score_run(run, partial=True)
    found = [task for task in scores.tasks if task.task_id not in before]
    for task in found:
        click.echo(f"{task.task_id}: {_describe_verdict(task)}")
        for effect in task.side_effects or ():
            click.echo(f"  side effect: {printable(effect, 400)}")
    click.echo("the seconds, queries and tokens of the agent are unknown: only the phone was seen")
    ended = f"{len(scores.tasks)} of {scores.record.tasks}"
    click.echo(f"{run}: {ended} tasks")
    print_next("score", run, *(("--partial",) if scores.partial else ()))
    return found


def _object(task: TaskScore) -> dict[str, object]:
    """The verdict of a task for --json."""
    return {
        "task_id": task.task_id,
        "outcome": task.outcome,
        "success": task.success,
        "decided": task.decided,
        "reason": task.reason,
        "progress": task.progress,
        "steps": task.steps,
        "step_ratio": task.step_ratio,
        "unparsable": task.unparsable,
        "side_effects": None if task.side_effects is None else list(task.side_effects),
        "without_looking": task.without_looking,
        "sim2": task.sim2.sim2,
        "s_i": task.sim2.s_i,
    }


def _report_errors(found: Sequence[TaskScore], outcome: ExecutionOutcome) -> None:
    """Warn of the tasks in which the agent's command failed.

    Raises:
        DeviceError: The phone failed in a task of this call.
        AllTasksFailedError: The agent's command failed in every task of this call.
    """
    in_phone = [task.task_id for task in found if task.outcome == "device_error"]
    others = {task_id: reason for task_id, reason in outcome.failed.items() if task_id not in in_phone}
    report_failures(others, all_failed=outcome.all_failed and not in_phone)
    if in_phone:
        raise DeviceError(f"the phone failed in a task, which counts as not done: {', '.join(in_phone)}")


def _describe_verdict(task: TaskScore) -> str:
    words = "done" if task.success else "not done"
    by = f"by {task.decided}" if task.decided else task.reason or task.outcome
    by = "; ".join(filter(None, (by, task.reason if task.success else "")))
    steps = f"{task.steps} steps, {task.step_ratio:.2f} x the person's {task.golden_steps}"
    other = f"; {task.unparsable} steps are no action of table 2" if task.unparsable else ""
    guessed = "; answered without looking" if task.without_looking else ""
    progress = "" if task.success or task.progress is None else f"; progress {100 * task.progress:.0f} %"
    # S_I: the similarity with the person's own actions, which is known also where Sim_2 is undefined
    return f"{words} ({by}){guessed}{progress}; {steps}{other}; Sim_2 {_sim2(task)} (S_I {task.sim2.s_i:.3f})"


def _sim2(task: TaskScore) -> str:
    value = task.sim2.sim2
    return "undefined" if value is None else f"{value:.3f}"


def check_unused(given: Sequence[str]) -> None:
    """Refuse options of tasks without a task.

    Raises:
        UsageError: One is given.
    """
    if given:
        raise UsageError(f"{', '.join(given)} needs --task DATASET TASK_ID or --tasks DATASET")
