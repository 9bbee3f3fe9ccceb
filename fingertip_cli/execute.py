"""`fingertip execute`: track 2, an agent carries out the tasks of a split on a phone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fingertip_cli import scoring_options
from fingertip_cli.given_options import PRICES, refuse_model_options
from fingertip_cli.model_options import model_options, read_options, read_prices
from fingertip_cli.progress import Report, progress
from fingertip_dataset.errors import UsageError
from fingertip_dataset.split_names import TEST_EXECUTION

if TYPE_CHECKING:
    from collections.abc import Mapping

    from execution_runner.execution_records import ReferenceKind
    from execution_runner.execution_run import ExecutionOutcome
    from execution_runner.safety.gate import Gate
    from fingertip_agents.setup import AgentSetup
    from fingertip_dataset.parquet.built import BuiltDataset
    from fingertip_dataset.tasks.references import Encode
    from fingertip_dataset.ui_tree.screen_description import ScreenForm
    from fingertip_models.prices import Prices
    from fingertip_runs.device_kinds import DeviceKindName


def _safety_options(command: Callable[..., None]) -> Callable[..., None]:
    """What is said of the safety gate."""
    options = (
        click.option(
            "--rules",
            type=click.Path(path_type=Path),
            help="File of the safety gate's rules. Default: ours, for real phones.",
        ),
        click.option("--no-gate", is_flag=True, help="No safety gate; not for a real phone."),
        click.option("--dry-run", is_flag=True, help="Show the first decision of each task, do nothing."),
    )
    for option in reversed(options):
        command = option(command)
    return command


@click.command()
@click.argument("dataset", type=click.Path(path_type=Path))
@click.option("--agent", "agent_name", required=True, metavar="NAME", help="A wrong name lists all.")
@click.option(
    "--device",
    "devices",
    multiple=True,
    required=True,
    metavar="DEVICE",
    help="adb:SERIAL or SERIAL, simulated, replay, teacher-forced; several work side by side.",
)
@click.option("--split", default=TEST_EXECUTION, show_default=True, help="Of the dataset.")
@click.option(
    "--reference",
    type=click.Choice(["same_user", "other_type", "none"]),
    default="same_user",
    show_default=True,
    help="Whose way of doing it a task shows.",
)
@click.option(
    "--skip-same-task",
    is_flag=True,
    help="The most similar task that --judge does not take for the same task is the reference (A.6.7).",
)
@scoring_options.judge
@click.option("--limit", type=click.IntRange(1), help="At most so many tasks, spread over the split.")
@click.option("--task", "task_ids", multiple=True, metavar="ID", help="This task alone; may be repeated.")
@click.option(
    "--retries", type=click.IntRange(0), default=2, show_default=True,
    help="How often a task is begun again after an error of the phone or the agent.",
)  # fmt: skip
@click.option("--resume", is_flag=True, help="Go on with the run in the folder.")
@click.option(
    "--fault",
    "faults",
    multiple=True,
    metavar="NAME",
    help="What goes wrong on simulated phones: no_tree, ...",
)
@click.option(
    "--screen-description",
    type=click.Choice(["elements", "authors"]),
    help="How the agent generalist is told the screen: our list of elements (default), or every text with "
    "its place, as the authors list them.",
)
@click.option("--script", type=click.Path(path_type=Path), help="Actions of the agent scripted.")
@_safety_options
@model_options
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Folder of the run.")
def command(
    dataset: Path,
    agent_name: str,
    devices: tuple[str, ...],
    split: str,
    reference: ReferenceKind,
    skip_same_task: bool,
    judging: scoring_options.JudgeOptions,
    limit: int | None,
    task_ids: tuple[str, ...],
    retries: int,
    resume: bool,
    faults: tuple[str, ...],
    screen_description: ScreenForm | None,
    script: Path | None,
    rules: Path | None,
    no_gate: bool,
    dry_run: bool,
    out: Path,
    **model: Any,  # noqa: ANN401 - as the options of `model_options` have them
) -> None:
    """Carries out every task of a split on a phone and writes each step into the run's folder.

    A real phone is woken and put on its home screen before each task; nothing on it is reset. The simulated
    phone is reset to what it was for the person. Recorded episodes need no phone: with replay a matching
    action shows the next recorded screen, with teacher-forced each recorded step is asked once.
    """
    from execution_runner.environments.open_environments import device_kind, open_environments
    from execution_runner.execution_run import run_execution
    from fingertip_agents.registry import get_execution_agent
    from fingertip_dataset.parquet.built import BuiltDataset
    from fingertip_runs.device_kinds import DEVICE_KINDS

    kind = device_kind(devices)
    reference = _reference(reference, judging, skip_same_task=skip_same_task)
    gate = _gate(kind, rules, no_gate=no_gate, dry_run=dry_run)
    _check_agent(agent_name, script, judging)
    built = BuiltDataset.open(dataset)
    agent = get_execution_agent(agent_name, _setup(built, kind, script, screen_description, model))
    with (
        open_environments(devices, built, split=split, faults=faults) as environments,
        _progress(questions=DEVICE_KINDS[kind].real_phone or agent_name == "human") as report,
        judging.open(None, partial=False, on_progress=partial(report, "references judged")) as judge,
    ):
        outcome = run_execution(
            dataset,
            agent,
            environments,
            out,
            split=split,
            reference=reference,
            limit=limit,
            task_ids=task_ids or None,
            retries=retries,
            resume=resume,
            gate=gate,
            dry_run=dry_run,
            prices=read_prices(model),
            judge=judge,
            encode=reference_encoder(built) if judge else None,
            on_progress=lambda done, total: report("tasks over", done, total),
        )
    _tell_same_task(out, judging, read_prices(model))
    _tell(outcome, kind, dry_run=dry_run)


def _check_agent(name: str, script: Path | None, judging: scoring_options.JudgeOptions) -> None:
    """Refuse a script that the agent does not read, and options of a model that it does not ask."""
    from fingertip_agents.registry import EXECUTION_AGENTS, FORMATS, execution_agent_names

    if name not in execution_agent_names():
        return  # the registry tells it with all names
    if script is not None and name != "scripted":
        raise UsageError(f"--script is for the agent scripted: leave it out for the agent {name}")
    if name not in FORMATS:
        # prices are of the judge's tokens, or of those that an installed agent counts itself
        priced = judging.judge is not None or name not in EXECUTION_AGENTS
        refuse_model_options(name, model_options, used=PRICES if priced else ())


def _reference(
    reference: ReferenceKind, judging: scoring_options.JudgeOptions, *, skip_same_task: bool
) -> ReferenceKind:
    if not skip_same_task:
        if judging.judge is not None:
            raise UsageError(
                f"expected --skip-same-task beside --judge {judging.judge}: who says whether a task is done "
                "is `fingertip review --judge MODEL`"
            )
        return reference
    if reference != "same_user":
        raise UsageError(f"expected --skip-same-task with --reference same_user, got {reference}")
    if judging.judge is None:
        raise UsageError(
            "expected --judge beside --skip-same-task, which says what the same task is: lexical, or a model "
            "with --judge-base-url"
        )
    return "not_same_task"


def reference_encoder(built: BuiltDataset) -> Encode | None:
    """The embedder by which the dataset found its references; None where it compared the texts.

    Raises:
        UsageError: It is none that this program knows by its name in the manifest.
    """
    from fingertip_metrics import get_embedder
    from fingertip_runs.same_task import TEXT

    name = built.manifest.references.similarity
    if name == TEXT:
        return None
    embedder = get_embedder("lexical" if name.startswith("lexical") else name)
    if embedder.name != name:
        raise UsageError(
            f"expected the embedder of the dataset's references, {name}, got {embedder.name}: build it again",
            file=built.path,
        )
    return embedder.encode


def _tell_same_task(run: Path, judging: scoring_options.JudgeOptions, prices: Prices | None) -> None:
    """How many references a judge passed over, and what that took."""
    from fingertip_runs.same_task import same_task_counts

    counts = same_task_counts(run, prices) if judging.judge else None
    if counts is not None:
        click.echo(counts.in_words(prices))


@contextmanager
def _progress(*, questions: bool) -> Iterator[Report]:
    """How far the run has come; plain lines where the terminal is also for questions."""
    if questions:
        yield lambda stage, done, total, note="": click.echo(f"{stage} {done}/{total}", err=True)
        return
    with progress() as report:
        yield report


def _gate(kind: DeviceKindName, rules: Path | None, *, no_gate: bool, dry_run: bool) -> Gate | None:
    """On by default for a person's phone alone; a dry run shows what would be asked instead of asking."""
    from execution_runner.safety.gate import Gate, terminal_ask
    from execution_runner.safety.rules import Rules
    from fingertip_runs.device_kinds import DEVICE_KINDS

    real_phone = DEVICE_KINDS[kind].real_phone
    if no_gate and real_phone:
        raise UsageError("expected a safety gate for a person's own phone, got --no-gate")
    if no_gate and rules:
        raise UsageError("expected --rules or --no-gate, got both")
    if no_gate or (not real_phone and rules is None):
        return None
    ask = (lambda action, verdict, seen: True) if dry_run else terminal_ask
    return Gate(Rules.read(rules) if rules else Rules.default(), ask)


def _setup(
    built: BuiltDataset,
    kind: DeviceKindName,
    script: Path | None,
    screen_description: ScreenForm | None,
    model: Mapping[str, Any],
) -> AgentSetup:
    from fingertip_agents.setup import AgentSetup
    from fingertip_runs.device_kinds import DEVICE_KINDS

    simulations = built.simulations() if DEVICE_KINDS[kind].simulated else {}
    return AgentSetup(
        model=read_options(model),
        script=script,
        screen_description=screen_description,
        simulations=simulations,
    )


def _tell(outcome: ExecutionOutcome, kind: DeviceKindName, *, dry_run: bool) -> None:
    """Print the outcome counts and the next command."""
    from fingertip_runs.device_kinds import DEVICE_KINDS

    if outcome.dropped is not None:
        click.echo(f"line {outcome.dropped} of steps.jsonl was cut off: dropped, its task begun anew")
    before = f", {outcome.done_before:,} over before" if outcome.done_before else ""
    click.echo(f"{outcome.folder}: {outcome.queried:,} of {outcome.tasks:,} tasks carried out{before}")
    for name, count in sorted(outcome.outcomes.items()):
        click.echo(f"  {name:<13} {count:,}")
    if outcome.left_out:
        click.echo(f"  left out      {len(outcome.left_out):,} without recorded actions")
    device = DEVICE_KINDS[kind]
    if not device.real_phone:
        click.echo(f"on {device.command_title}: not the paper's online numbers")
    if outcome.without_references:
        click.echo(f"no task showed a reference: only rows of {TEST_EXECUTION} have them")
    if dry_run:
        _show_decisions(outcome)
        return
    if device.real_phone:
        click.echo(f"next: fingertip review {outcome.folder} (who says whether a task is done?)")
    click.echo(f"next: fingertip score {outcome.folder}")


def _show_decisions(outcome: ExecutionOutcome) -> None:
    """Print the decisions of a dry run with the safety gate's verdicts."""
    from fingertip_dataset.release.problems import printable

    for target, steps in outcome.decisions:
        click.echo(f"{target.task_id} {printable(target.intent, 200)}")
        for step in steps:
            verdict = f"{step.verdict}: {step.reason}" if step.reason else step.verdict
            click.echo(f"  {printable(step.action, 200)}  [{printable(verdict, 200)}]")
