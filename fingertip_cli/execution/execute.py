"""`fingertip execute`: track 2, runs an agent that carries out the tasks of a split on a phone."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fingertip_cli.execution.chosen_people import list_tasks_of
from fingertip_cli.execution.execute_environments import SETTLE, DeviceOrder, open_devices, read_settle
from fingertip_cli.execution.execution_model import (
    check_execution_agent,
    choose_execution_agent,
    execution_model_options,
    execution_setup,
)
from fingertip_cli.execution.execution_outcome import find_lack, print_next_steps, print_outcome
from fingertip_cli.options import scoring_options, shared_options
from fingertip_cli.options.agent_options import FormatOptions, format_options
from fingertip_cli.options.dialogue_options import (
    add_answered_by,
    add_instructions,
    choose_instructions,
    make_answers,
    print_instructions,
    print_lacks,
)
from fingertip_cli.options.given_options import PRICE_OPTIONS
from fingertip_cli.options.learned_prompt import note_learned_prompt
from fingertip_cli.options.memory_options import (
    choose_execution_memory,
    memory_options,
    open_execution_memory,
)
from fingertip_cli.options.model_options import Command, add_options, open_local_model, read_prices
from fingertip_cli.printing.failed_tasks import report_failures
from fingertip_cli.printing.json_output import print_json
from fingertip_cli.printing.outcome_json import execution_object
from fingertip_cli.printing.progress import progress
from fingertip_cli.printing.unreadable import report_tasks
from fingertip_cli.repeated_tries import (
    carry_out_tries,
    note_equal_tries,
    print_tries,
    refuse_repeats,
    repeats,
)
from fingertip_dataset.errors import UsageError
from fingertip_dataset.split_names import TEST_EXECUTION
from simulated_phone import phone_options

if TYPE_CHECKING:
    from collections.abc import Mapping

    from execution_runner.environments.between_tasks import BetweenTasks
    from execution_runner.execution_records import ReferenceKind
    from execution_runner.execution_run import ExecutionOutcome
    from execution_runner.execution_view import HiddenPart, MorePart
    from execution_runner.safety.gate import Gate
    from fingertip_agents.setup import AgentSetup
    from fingertip_dataset.parquet.built import BuiltDataset
    from fingertip_dataset.release.settings import Start
    from fingertip_dataset.ui_tree.screen_description import ScreenForm
    from fingertip_models.model import Model
    from fingertip_models.prices import Prices
    from fingertip_runs.device_kinds import DeviceKindName
    from fingertip_runs.instructed_tasks import InstructedTasks
    from simulated_phone.screens.rough_trees import TreeKind


AGAIN = "another --out carries them out again"
"""Advice about tasks that ended in an error, which the same call leaves as they are."""


def _safety_options(command: Command) -> Command:
    """Add the options of the safety gate."""
    options = (
        click.option(
            "--rules",
            type=click.Path(path_type=Path),
            help="File with the rules of the safety gate. Default: built-in rules, on real phones only.",
        ),
        click.option("--no-gate", is_flag=True, help="Run without the safety gate; refused for real phones."),
        click.option("--dry-run", is_flag=True, help="Show the first decision of each task without acting."),
    )
    return add_options(command, options)


@click.command(
    epilog="""\
    fingertip execute sim --agent imitate --device simulated --device simulated --out runs/imitate
    fingertip execute sim --agent ui-tars-1.5 --model ui-tars --device simulated:8 --out runs/ui-tars
    fingertip execute ./fingertip-20k --agent imitate --device adb:SERIAL --dry-run --out runs/look
    """
)
@click.argument("dataset", type=click.Path(path_type=Path))
@shared_options.agent("agent_name")
@shared_options.devices(required=True)
@shared_options.split(TEST_EXECUTION)
@shared_options.reference
@shared_options.more
@shared_options.execution_without
@shared_options.skip_same_task
@add_instructions
@add_answered_by
@memory_options
@scoring_options.judge
@shared_options.limit
@click.option("--task", "task_ids", multiple=True, metavar="ID", help="Run only this task; repeatable.")
@shared_options.only_users
@click.option(
    "--retries", type=click.IntRange(0, 8), default=2, show_default=True,
    help="How often a task is restarted after an error of the phone or the agent.",
)  # fmt: skip
@repeats
@shared_options.keep_going
@click.option("--resume", is_flag=True, hidden=True, expose_value=False)
@click.option(
    "--between-tasks",
    type=click.Choice(["home", "stop-app", "clear-recents"]),
    default="home",
    show_default=True,
    help="Real phones: before each task show the home screen, stop the task's app first, or remove all "
    "recent apps, too.",
)
@phone_options.start
@shared_options.engine
@phone_options.fault
@phone_options.trees
@shared_options.screen_description
@format_options
@click.option(
    "--script", type=click.Path(path_type=Path), help="File with the actions of the agent scripted."
)
@_safety_options
@execution_model_options
@shared_options.run_folder
@shared_options.as_json()
def command(
    dataset: Path,
    agent_name: str,
    devices: tuple[str, ...],
    split: str,
    reference: ReferenceKind,
    more: tuple[MorePart, ...],
    without: tuple[HiddenPart, ...],
    skip_same_task: bool,
    instructions: str | None,
    answered_by: str | None,
    memory: str | None,
    memory_budget: int | None,
    judging: scoring_options.JudgeOptions,
    limit: int | None,
    task_ids: tuple[str, ...],
    users: tuple[str, ...] | None,
    retries: int,
    repeats: int,
    keep_going: bool,
    between_tasks: BetweenTasks,
    start: Start,
    engine: str,
    faults: tuple[str, ...],
    trees: TreeKind,
    screen_description: ScreenForm | None,
    of_format: FormatOptions,
    script: Path | None,
    rules: Path | None,
    no_gate: bool,
    dry_run: bool,
    out: Path,
    as_json: bool,
    **model: Any,  # noqa: ANN401 - those of `execution_model_options`
) -> None:
    """Run an agent on every task of a split and write each step into the run's folder.

    --agent auto takes the format of --model from the table of `fingertip agents --model NAME`. The same call
    again continues a stopped run.

    A real phone is woken and the task's app launched; nothing on it is reset, but --between-tasks can close
    apps. A simulated phone is reset to its state at the start of the recorded episode. With --start home no
    app is launched. Recorded episodes need no phone: with replay a matching action leads to the next recorded
    screen, with teacher-forced the agent decides once on each recorded step. With --repeats K every task has
    K tries, each in a run of its own with the seed of the first plus its number less one. Exit code 1 if
    every task of the call ended in an error, or no answer to its first 10 tasks could be read.

    With --instructions the tasks of simulated people say less than they wrote. With --answered-by somebody
    answers what the agent asks, and expects to be asked before it spends, sends or deletes.

    With --memory the prompt also has what a memory recalls of the person's past, which the paper's agents do
    not get.
    """
    from execution_runner.execution_view import ExecutionView
    from fingertip_dataset.parquet.built import BuiltDataset
    from fingertip_runs.device_kinds import device_kind

    agent_name = choose_execution_agent(agent_name, model)
    kind = device_kind(devices)
    view = ExecutionView(more=more, without=without)
    reference = _reference(reference, judging, skip_same_task=skip_same_task)
    gate = _gate(kind, rules, no_gate=no_gate, dry_run=dry_run)
    _check_agent(agent_name, script, judging)
    own = of_format.setup_fields()
    chosen_memory = choose_execution_memory(memory, memory_budget, agent_name, own["prompt"])
    if repeats > 1:
        _check_repeatable(agent_name, kind, dry_run=dry_run)
    built = BuiltDataset.open(dataset)
    instructed = choose_instructions(built, kind, split, instructions, answered_by)
    if users:
        task_ids = _choose_tasks_of(built, split, users, task_ids, instructed)
    order = DeviceOrder(
        engine=engine, devices=devices, dataset=dataset, split=split, faults=faults, trees=trees,
        between_tasks=between_tasks, start=start, settle_s=read_settle(own["settings"].pop(SETTLE, None)),
        dry_run=dry_run, resume=True, at_home=instructed is not None and instructed.at_home,
        answers=make_answers(instructed), typed_answers=answered_by in ("model", "human"),
    )  # fmt: skip
    call = _ExecuteCall(
        model=model, agent=agent_name, kind=kind, built=built, script=script, judging=judging, order=order,
        screen_description=screen_description, own=own, gate=gate, keep_going=keep_going,
        memory=chosen_memory,
        plan=dict(
            split=split, reference=reference, view=view, limit=limit, task_ids=task_ids or None,
            retries=retries, dry_run=dry_run, instructed=instructed,
        ),
    )  # fmt: skip
    if repeats > 1:
        _execute_repeatedly(call, out, repeats, as_json=as_json)
        return
    outcome = call.carry_out(out, model["seed"])
    if as_json:
        print_json(execution_object(outcome))
    call.show(outcome)
    print_next_steps(outcome, kind, dry_run=dry_run)
    report_failures(outcome.failed, all_failed=outcome.all_failed, advice=AGAIN)


def _choose_tasks_of(
    built: BuiltDataset,
    split: str,
    users: tuple[str, ...],
    task_ids: tuple[str, ...],
    instructed: InstructedTasks | None,
) -> tuple[str, ...]:
    """The tasks of the people of --only-users, without those that --instructions leaves out."""
    if task_ids:
        raise UsageError("--only-users and --task exclude each other: give one of them")
    found = tuple(list_tasks_of(built, split, users))
    return instructed.keep(found) if instructed else found


@dataclass(frozen=True, slots=True, kw_only=True)
class _ExecuteCall:
    """A call of `execute` after its checks.

    Attributes:
        model: The values of `execution_model_options`.
        agent: Current name of the agent.
        kind: Kind of the devices.
        built: The dataset.
        script: File of the agent `scripted`.
        judging: Options of the judge of references.
        order: The devices.
        screen_description: Form of the screen in the prompt.
        own: Fields of the agent's setup that its format's options set.
        gate: Safety gate.
        keep_going: Whether the run goes on if no first answer can be read.
        memory: Name and budget of the memory; None without one.
        plan: Further arguments of `run_execution`.
    """

    model: Mapping[str, Any]
    agent: str
    kind: DeviceKindName
    built: BuiltDataset
    script: Path | None
    judging: scoring_options.JudgeOptions
    order: DeviceOrder
    screen_description: ScreenForm | None
    own: Mapping[str, Any]
    gate: Gate | None
    keep_going: bool
    memory: tuple[str, int | None] | None
    plan: Mapping[str, Any]

    def carry_out(self, folder: Path, seed: int | None) -> ExecutionOutcome:
        """Open model and devices, and carry the tasks out; the folder's run goes on."""
        from execution_runner.execution_run import run_execution
        from fingertip_agents.registry import HUMAN, get_execution_agent, sends_pictures
        from fingertip_runs.device_kinds import DEVICE_KINDS
        from fingertip_runs.reference_encoder import reference_encoder

        model, built, dataset = {**self.model, "seed": seed}, self.built, self.order.dataset
        instructed = self.plan["instructed"]
        typed = HUMAN in (self.agent, instructed.answered_by if instructed else None)
        asks = DEVICE_KINDS[self.kind].real_phone or typed
        with open_local_model(model, pictures=sends_pictures(self.agent)) as opened:
            setup = _setup(
                built, self.kind, self.script, self.screen_description, model, opened,
                at_home=self.order.at_home,
            )  # fmt: skip
            setup = replace(setup, **self.own)
            agent = get_execution_agent(self.agent, setup)
            note_learned_prompt(model, agent, "execution", tuple(self.plan["view"].more))
            with (
                open_devices(self.order, built, self.agent, setup, self.gate) as environments,
                progress(with_questions=asks) as report,
                self.judging.open(
                    None, dataset=dataset, on_progress=partial(report, "references judged")
                ) as judge,
                open_execution_memory(self.memory, built, agent, folder) as memory,
            ):
                outcome = run_execution(
                    dataset, agent, environments, folder,
                    **self.plan,
                    resume=True, keep_going=self.keep_going,
                    gate=self.gate, memory=memory,
                    prices=read_prices(model),
                    judge=judge,
                    encode=reference_encoder(built) if judge else None,
                    **report_tasks(report, "tasks finished"),
                )  # fmt: skip
        _print_reference_judging(folder, self.judging, read_prices(model))
        return outcome

    def show(self, outcome: ExecutionOutcome) -> None:
        """Print the outcome."""
        instructed = self.plan["instructed"]
        # of such an instruction the reason is another one
        hidden = instructed is not None and instructed.hides_reference
        without = None if hidden else find_lack(outcome, self.built, self.order.split)
        print_outcome(outcome, self.kind, without, dry_run=self.order.dry_run)
        if instructed is not None:
            print_instructions(self.order.dataset, instructed)
        print_lacks(self.agent, instructed)


def _execute_repeatedly(call: _ExecuteCall, out: Path, repeats: int, *, as_json: bool) -> None:
    """Carry out every try of a repeated run."""
    note_equal_tries(call.agent, "execution", call.model)

    def carry_out(folder: Path, seed: int) -> ExecutionOutcome:
        outcome = call.carry_out(folder, seed)
        call.show(outcome)
        report_failures(outcome.failed, all_failed=outcome.all_failed, advice=AGAIN)
        return outcome

    outcomes = carry_out_tries(out, "execution", repeats, call.model["seed"], carry_out)
    print_tries(out, [*map(execution_object, outcomes)] if as_json else None)


def _check_repeatable(agent: str, kind: DeviceKindName, *, dry_run: bool) -> None:
    """Refuse --repeats for people, for phones that nothing resets, and where nothing is carried out."""
    from fingertip_agents.registry import HUMAN
    from fingertip_runs.device_kinds import DEVICE_KINDS

    if agent == HUMAN:
        raise refuse_repeats("--agent human", "a person knows the task after the first try")
    if DEVICE_KINDS[kind].real_phone:
        raise refuse_repeats(
            "real phones", "nothing on them is reset, so a try would begin with what the last one left"
        )
    if dry_run:
        raise refuse_repeats("--dry-run", "it carries nothing out")


def _check_agent(name: str, script: Path | None, judging: scoring_options.JudgeOptions) -> None:
    """Refuse an unknown agent, and a script or model options that it does not read."""
    from fingertip_agents.registry import EXECUTION_AGENTS
    from fingertip_agents.scripted import Scripted

    # prices apply to the judge's tokens, or to tokens that an agent of another package counts itself
    priced = judging.judge is not None or name not in EXECUTION_AGENTS
    check_execution_agent(name, used=PRICE_OPTIONS if priced else ())
    if script is not None and name != Scripted.name:
        raise UsageError(f"--script is for the agent {Scripted.name}: leave it out for the agent {name}")


def _reference(
    reference: ReferenceKind, judging: scoring_options.JudgeOptions, *, skip_same_task: bool
) -> ReferenceKind:
    if not skip_same_task:
        if judging.judge is not None:
            raise UsageError(
                f"--judge {judging.judge} needs --skip-same-task: to judge whether tasks are done, "
                "use `fingertip review --judge MODEL`"
            )
        return reference
    if reference != "same_user":
        raise UsageError(f"--skip-same-task needs --reference same_user, got {reference}")
    if judging.judge is None:
        raise UsageError(
            "--skip-same-task needs --judge, to decide which tasks are the same: lexical, or a "
            "model with --judge-base-url"
        )
    return "not_same_task"


def _print_reference_judging(run: Path, judging: scoring_options.JudgeOptions, prices: Prices | None) -> None:
    """Print how many references the judge skipped, and the judge's calls and cost."""
    from fingertip_runs.same_task import same_task_counts

    counts = same_task_counts(run, prices) if judging.judge else None
    if counts is not None:
        click.echo(counts.in_words(prices))


def _gate(kind: DeviceKindName, rules: Path | None, *, no_gate: bool, dry_run: bool) -> Gate | None:
    """Make the safety gate; without --rules only real phones have one. A dry run asks for no confirmation."""
    from execution_runner.safety.gate import Gate, ask_on_terminal
    from fingertip_runs.app_rules import Rules
    from fingertip_runs.device_kinds import DEVICE_KINDS

    real_phone = DEVICE_KINDS[kind].real_phone
    if no_gate and real_phone:
        raise UsageError("a real phone needs a safety gate: leave out --no-gate")
    if no_gate and rules:
        raise UsageError("--rules and --no-gate cannot be used together")
    if no_gate or (not real_phone and rules is None):
        return None
    ask = (lambda action, verdict, seen: True) if dry_run else ask_on_terminal
    return Gate(Rules.read(rules) if rules else Rules.default(), ask)


def _setup(
    built: BuiltDataset,
    kind: DeviceKindName,
    script: Path | None,
    screen_description: ScreenForm | None,
    model: Mapping[str, Any],
    opened: Model | None,
    *,
    at_home: bool,
) -> AgentSetup:
    from fingertip_runs.device_kinds import DEVICE_KINDS
    from simulated_phone.dialogue.vague_task import begin_at_home

    simulations = built.simulations() if DEVICE_KINDS[kind].simulated else {}
    return execution_setup(
        model,
        opened,
        script=script,
        screen_description=screen_description,
        simulations=begin_at_home(simulations) if at_home else simulations,
    )
