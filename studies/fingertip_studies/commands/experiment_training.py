"""Experiments that train models for `fingertip experiment`: trainings, tests, table of both tracks."""

from __future__ import annotations

import shlex
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from fingertip_cli.options import scoring_options
from fingertip_cli.options.given_options import OUTPUT_OPTIONS, option_names, refuse_unused
from fingertip_cli.options.model_options import read_temperature
from fingertip_cli.printing.json_output import print_json
from fingertip_cli.printing.progress import progress
from fingertip_dataset.errors import UsageError
from fingertip_studies.commands.experiment_output import ExperimentOutput, print_output

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from fingertip_dataset.parquet.built import BuiltDataset
    from fingertip_studies.commands.experiment_options import ExperimentOptions
    from fingertip_studies.experiments.catalogue import Experiment
    from fingertip_studies.experiments.suggestion_experiment import ExperimentResult
    from fingertip_studies.experiments.training_plan import (
        PlannedRun,
        PlannedTraining,
        TrainingChoice,
        TrainingPlan,
    )

PAPER_BASE = "Qwen/Qwen2.5-VL-7B-Instruct"
"""The paper's base, of a plan without --base."""

TRAINING_OPTIONS = ("base", "episodes", "settings", "lines", "plan")
"""Names of the options that only experiments that train models read."""

MODEL_OPTIONS = (
    "language", "temperature", "seed", "max_tokens", "max_pixels", "local_batch", "trust_remote_code",
    "backend",
)  # fmt: skip
"""Names of the model's options that these experiments read."""


def run(experiment: Experiment, dataset: Path, out: Path, options: ExperimentOptions) -> None:
    """Train and test the models, or resume it, write the table to `out/NAME`, and print it.

    Raises:
        FingerTipError: A prerequisite of the experiment is missing, or a part of it failed.
    """
    from fingertip_dataset.parquet.built import BuiltDataset
    from fingertip_models.checkpoint import find_identity
    from fingertip_studies.experiments.suggestion_experiment import Scoring
    from fingertip_studies.experiments.trained_models import (
        ModelPlace,
        evaluate_models,
        train_models,
    )
    from fingertip_studies.experiments.training_experiment import make_training_table
    from fingertip_studies.experiments.training_plan import check_dataset, plan_training
    from fingertip_training.finetune.base_model import check_base

    _check_options(experiment, options)
    built = BuiltDataset.open(dataset)
    check_dataset(experiment, built)
    devices = _choose_devices(built, options)
    if options.plan:
        # a plan loads nothing: no model, no configuration, nothing from the network
        base = PAPER_BASE if options.base is None else str(options.base)
        choice = _make_choice(base, find_identity(base), devices, options)
        plan = plan_training(experiment, dataset, choice, out)
        _warn_of_devices(devices)
        _print_plan(plan, dataset, as_json=options.as_json)
        return
    base, trusted = str(options.base), options.model["trust_remote_code"]
    with_pictures = _can_send_pictures(options)
    identity = check_base(base, with_pictures=with_pictures, trust_remote_code=trusted)
    plan = plan_training(experiment, dataset, _make_choice(base, identity, devices, options), out)
    embedder = options.embedder.open(out)
    if options.judging.judge is not None and options.judging.backend != "local":
        with options.judging.open(out, on_progress=lambda *_: None):
            pass  # a judge that cannot be reached is reported before models are trained
    place = ModelPlace(trust_remote_code=trusted, batch=options.model["local_batch"])
    with ExitStack() as stack:
        open_devices = _open_devices(stack, devices, built)
        report = stack.enter_context(progress(with_questions=open_devices["gate"] is not None))
        trained = train_models(plan, dataset, place, on_progress=report)
        tested = evaluate_models(plan, dataset, place, **open_devices, on_progress=report)
        judge = stack.enter_context(options.judging.open(out, on_progress=partial(report, "judged")))
        scoring = Scoring(embedder=embedder, judge=judge, protocol=options.protocol)
        result = make_training_table(plan, dataset, out, scoring)
    _print_result(result, plan, options, trained, tested)


def _check_options(experiment: Experiment, options: ExperimentOptions) -> None:
    if options.base is None and not options.plan:
        raise UsageError(
            f"{experiment.name} trains models: give --base, the folder of a model or its name on the Hub"
        )
    used = {
        *OUTPUT_OPTIONS, *TRAINING_OPTIONS, *MODEL_OPTIONS, *option_names(scoring_options.judge), "agents",
        *option_names(scoring_options.embedder()), "devices", "limit", "sample", "protocol", "published",
    }  # fmt: skip
    refuse_unused(experiment.name, "it trains and tests --base in this process", used=used)
    if len(options.agents) > 1:
        raise UsageError(f"{experiment.name} takes one --agent, of track 2: got {', '.join(options.agents)}")


def _choose_agent(options: ExperimentOptions) -> str:
    from fingertip_agents.registry import choose_execution_name, format_names, is_format
    from fingertip_training.export_order import DEFAULT_AGENT

    base = PAPER_BASE if options.base is None else str(options.base)
    agent = choose_execution_name(options.agents[0] if options.agents else DEFAULT_AGENT, base)
    if not is_format(agent):
        raise UsageError(
            f"expected an --agent that uses a model on track 2, one of {', '.join(format_names())}, got "
            f"{agent}"
        )
    return agent


def _can_send_pictures(options: ExperimentOptions) -> bool:
    from fingertip_agents.registry import sends_pictures

    return sends_pictures(_choose_agent(options))


def _choose_devices(built: BuiltDataset, options: ExperimentOptions) -> tuple[str, ...]:
    """The devices of track 2: simulated phones for simulated people unless others are named."""
    if options.devices:
        return options.devices
    if built.simulations():
        return ("simulated",)
    raise UsageError(
        "track 2 needs a device: give --device, a phone's serial, or teacher-forced for the recorded steps"
    )


def _make_choice(
    base: str, identity: str, devices: Sequence[str], options: ExperimentOptions
) -> TrainingChoice:
    from fingertip_models.options import ModelOptions
    from fingertip_runs.device_kinds import device_kind
    from fingertip_studies.experiments.training_plan import TrainingChoice
    from fingertip_training.finetune.finetune_settings import read_settings

    model, seed = options.model, options.model["seed"] or 0
    settings = read_settings(options.settings, options.lines, {"seed": seed} if seed else None)
    if settings.origins["rank"] not in ("paper", "ours"):
        raise UsageError("the rank is the cell's own: leave it out of the settings of training")
    if settings.values.seed != seed:
        raise UsageError("give the seed as --seed, which is also that of the draw of episodes")
    return TrainingChoice(
        base=base,
        base_identity=identity,
        settings=settings,
        episodes=options.episodes,
        agent=_choose_agent(options),
        device=device_kind(devices),
        options=ModelOptions(
            model=base,
            language=model["language"],
            temperature=read_temperature(model),
            max_tokens=model["max_tokens"],
            seed=model["seed"],
        ),
        max_pixels=model["max_pixels"],
        limit=options.limit,
        sample=options.sample,
        seed=seed,
    )


def _open_devices(stack: ExitStack, devices: Sequence[str], built: BuiltDataset) -> dict[str, Any]:
    """The environments of track 2, and the safety gate for real phones."""
    from execution_runner.environments.open_environments import check_connected, open_environments
    from execution_runner.safety.gate import Gate, ask_on_terminal
    from fingertip_runs.app_rules import Rules
    from fingertip_runs.device_kinds import DEVICE_KINDS, device_kind
    from fingertip_studies.experiments.training_plan import TESTS

    check_connected(devices)
    real = DEVICE_KINDS[device_kind(devices)].real_phone
    environments = stack.enter_context(open_environments(devices, built, split=TESTS["execution"]))
    return {"environments": environments, "gate": Gate(Rules.default(), ask_on_terminal) if real else None}


def _warn_of_devices(devices: Sequence[str]) -> None:
    """Warn of a phone that is not connected: the trainings need none, but the runs of track 2 do."""
    from execution_runner.environments.open_environments import check_connected
    from fingertip_dataset.errors import DeviceError

    for device in devices:
        try:
            check_connected([device])
        except DeviceError as error:
            click.echo(f"warning: the runs of track 2 cannot start yet: {error}", err=True)


def _print_plan(plan: TrainingPlan, dataset: Path, *, as_json: bool) -> None:
    """Print the cells, and of each training and run whether it is finished."""
    from fingertip_dataset.parquet.built import BuiltDataset
    from fingertip_models.checkpoint import UNKNOWN
    from fingertip_runs.device_kinds import DEVICE_KINDS
    from fingertip_studies.experiments.training_plan import finetune_command

    choice, start = plan.choice, BuiltDataset.open(dataset).start()
    cells: list[dict[str, Any]] = [
        {
            "cell": cell.label,
            "trainings": list(dict.fromkeys(run.training.name for run in cell.runs.values() if run.training)),
            "runs": [run.name for run in cell.runs.values()],
        }
        for cell in plan.cells
    ]
    trainings = [
        {
            "name": training.name,
            "state": training.state(),
            "folder": str(training.folder),
            "command": shlex.join(finetune_command(training, plan.choice.base, dataset, start)),
        }
        for training in plan.trainings
    ]
    runs = [{"name": run.name, "state": run.state(), "folder": str(run.folder)} for run in plan.runs]
    if as_json:
        shown = {"experiment": plan.experiment.name, "agent": choice.agent, "device": choice.device}
        shown |= {"base": choice.base, "base_identity": choice.base_identity}
        content = {**shown, "cells": cells, "trainings": trainings, "runs": runs}
        print_json(content)
        return
    click.echo(plan.experiment.heading)
    if choice.base_identity == UNKNOWN:
        click.echo(f"  base {choice.base} is not on this machine: nothing of it was checked")
    else:
        click.echo(f"  base {choice.base}")
    click.echo(f"  track 2: agent {choice.agent}, device {DEVICE_KINDS[choice.device].spec}")
    for cell in cells:
        click.echo(f"  {cell['cell']}: {', '.join((*cell['trainings'], *cell['runs']))}")
    for title, parts in (("trainings", trainings), ("runs", runs)):
        done = sum(part["state"] == "finished" for part in parts)
        click.echo(f"{title}: {done} of {len(parts)} finished")
        for part in parts:
            click.echo(f"  {part['state']:<9} {part['folder']}")
            if part["state"] != "finished" and "command" in part:
                click.echo(f"            {part['command']}")


def _print_result(
    result: ExperimentResult,
    plan: TrainingPlan,
    options: ExperimentOptions,
    trained: Sequence[PlannedTraining],
    tested: Sequence[PlannedRun],
) -> None:
    from fingertip_studies.experiments.training_experiment import (
        apart_cells,
        table_cells,
        training_row_data,
    )

    header, rows = table_cells(result.rows, intervals=False)
    notes = [] if options.as_json else ["The intervals, 95 % over users, are in table.md and table.csv."]
    made = f"{len(trained)} of {len(plan.trainings)} trainings and {len(tested)} of {len(plan.runs)} runs"
    notes.append(f"Made in this call: {made}; the others were finished before.")
    more: Mapping[str, Any] = {
        "trained": [training.name for training in trained],
        "tested": [run.name for run in tested],
        "runs": [str(run.folder) for run in plan.runs],
        "adapters": [str(training.folder) for training in plan.trainings],
    }
    if options.published:
        more = {**more, "published_in_another_setting": [
            {"cell": cell, "table": row.table, "name": row.name, "values": dict(row.values)}
            for cell, row in result.apart
        ]}  # fmt: skip
    output = ExperimentOutput(
        experiment=result.experiment,
        header=header,
        rows=rows,
        data=[training_row_data(row) for row in result.rows],
        notes=[*notes, *result.notes],
        files=result.files,
        tables=[apart_cells(result)] if options.published and result.apart else [],
        more=more,
    )
    print_output(output, as_json=options.as_json)
