"""Experiments of track 2 for `fingertip experiment`: makes the runs, then their tables and figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from fingertip_cli.execution.execution_model import (
    choose_execution_agent,
    execution_model_options,
    execution_setup,
)
from fingertip_cli.options import scoring_options
from fingertip_cli.options.given_options import OUTPUT_OPTIONS, PRICE_OPTIONS, option_names, refuse_unused
from fingertip_cli.options.learned_prompt import note_learned_prompt
from fingertip_cli.options.model_options import open_local_model, read_prices
from fingertip_cli.printing.progress import progress
from fingertip_dataset.errors import UsageError
from fingertip_studies.commands.experiment_output import ExperimentOutput, print_output

if TYPE_CHECKING:
    from pathlib import Path

    from execution_runner.environments.environment import Environment
    from fingertip_agents.execution_agent import ExecutionAgent
    from fingertip_cli.printing.progress import Report
    from fingertip_dataset.parquet.built import BuiltDataset
    from fingertip_metrics.judges import Judge
    from fingertip_models.model import Model
    from fingertip_studies.commands.experiment_options import ExperimentOptions
    from fingertip_studies.experiments.catalogue import Experiment
    from fingertip_studies.experiments.execution_experiment import ExecutionCell

RATINGS = "table-13"
"""The experiment that reads human ratings."""


def run(experiment: Experiment, dataset: Path, out: Path, options: ExperimentOptions) -> None:
    """Run the experiment, or resume it, write its files to `out/NAME`, and print the result.

    Raises:
        FingerTipError: A prerequisite of the experiment is missing, or a part of it failed.
    """
    from fingertip_agents.registry import sends_pictures
    from fingertip_dataset.parquet.built import BuiltDataset
    from fingertip_studies.experiments.execution_experiment import find_finished_runs, plan_cells

    built = BuiltDataset.open(dataset)
    agents = (choose_execution_agent(agent, options.model) for agent in options.agents)
    options = replace(options, agents=tuple(agents))
    _check_options(experiment, options)
    _check_used(experiment, options)
    pictures = any(map(sends_pictures, options.agents))
    with open_local_model(options.model, pictures=pictures) as opened:
        cells = plan_cells(experiment, _choose_agents(built, options, opened), out)
        cells, unjudged = _carry_out(cells, dataset, built, options) if cells else (cells, [])
    runs, left_out = find_finished_runs(experiment, out, cells, options.runs)
    left_out = [*unjudged, *left_out]
    if not runs:
        raise UsageError(_refuse_missing_runs(experiment))
    if experiment.name == RATINGS:
        _print_ratings(experiment, runs, out, options, left_out)
    else:
        _print_tables(experiment, runs, out, options, left_out)


def _check_options(experiment: Experiment, options: ExperimentOptions) -> None:
    from fingertip_studies.experiments.execution_experiment import REFERENCES, SPLIT

    if options.split not in (None, SPLIT, SPLIT.replace("_", "-")):
        raise UsageError(f"{experiment.name} needs split {SPLIT}, got {options.split}")
    if options.sample is not None:
        raise UsageError(f"--sample is for track 1; {experiment.name} takes --limit")
    if bool(options.agents) != bool(options.devices):
        missing = "--device, as `fingertip execute` has it" if options.agents else "--agent"
        raise UsageError(f"--agent and --device go together: give {missing}")
    judged = "not_same_task" in REFERENCES[experiment.name]
    if judged and options.agents and options.judging.judge is None:
        raise UsageError(
            f"{experiment.name} needs --judge, to decide which tasks are the same: lexical, or a "
            "model with --judge-base-url"
        )
    if options.judging.judge is not None and not judged:
        raise UsageError(f"{experiment.name} takes no judge: leave out --judge {options.judging.judge}")


def _check_used(experiment: Experiment, options: ExperimentOptions) -> None:
    """Refuse options that neither the agents, nor the judge, nor the tables read."""
    from fingertip_agents.registry import EXECUTION_AGENTS, format_names, is_format
    from fingertip_studies.experiments.execution_experiment import REFERENCES

    model = options.model["model"]
    if model is not None and not any(map(is_format, options.agents)):
        raise UsageError(
            f"--model needs an --agent that uses a model, one of {', '.join(format_names())}, got "
            f"{', '.join(options.agents) or 'none'} beside --model {model}"
        )
    used = {*OUTPUT_OPTIONS, "agents", "devices", "runs", "split", "protocol"}
    if "not_same_task" in REFERENCES[experiment.name]:
        used |= {*PRICE_OPTIONS, *option_names(scoring_options.judge)}
    if options.agents:
        used.add("limit")
    if any(agent not in EXECUTION_AGENTS for agent in options.agents):
        used |= set(PRICE_OPTIONS)
    if any(map(is_format, options.agents)):
        used |= option_names(execution_model_options)
        why = "it has no effect here"
    elif options.agents:
        why = f"it has no effect here; {', '.join(options.agents)} uses no model"
    else:
        why = "only finished runs are read, because no --agent is given"
    refuse_unused(experiment.name, why, used=used)


def _refuse_missing_runs(experiment: Experiment) -> str:
    next_step = (
        "; then rate the runs: fingertip review RUN RUN ... --rate" if experiment.name == RATINGS else ""
    )
    return (
        f"{experiment.name} needs runs: give --agent imitate and --device simulated (or a "
        f"phone's serial, or replay), or --run RUN{next_step}"
    )


def _choose_agents(
    built: BuiltDataset, options: ExperimentOptions, opened: Model | None
) -> list[ExecutionAgent]:
    from fingertip_agents.registry import get_execution_agent, is_format
    from fingertip_runs.device_kinds import DEVICE_KINDS, device_kind

    kind = device_kind(options.devices) if options.devices else None
    simulations = built.simulations() if kind and DEVICE_KINDS[kind].simulated else {}
    setup = execution_setup(options.model, opened, simulations=simulations)
    agents = [get_execution_agent(agent, setup) for agent in dict.fromkeys(options.agents)]
    for agent in agents:
        if is_format(agent.name):
            note_learned_prompt(options.model, agent, "execution")
    return agents


def _carry_out(
    cells: Sequence[ExecutionCell], dataset: Path, built: BuiltDataset, options: ExperimentOptions
) -> tuple[list[ExecutionCell], list[str]]:
    """Carry out or continue every run; finished tasks are not repeated.

    Returns:
        The runs that were carried out; and a line for each that was not, as its judge gave no verdict.
    """
    from execution_runner.environments.open_environments import check_connected, open_environments
    from fingertip_runs.device_kinds import DEVICE_KINDS, device_kind
    from fingertip_runs.same_task import NoVerdictsError
    from fingertip_studies.experiments.execution_experiment import CELLS, SPLIT

    done: list[ExecutionCell] = []
    unjudged: list[str] = []
    real = DEVICE_KINDS[device_kind(options.devices)].real_phone
    check_connected(options.devices)
    with ExitStack() as stack:
        environments = stack.enter_context(open_environments(options.devices, built, split=SPLIT))
        report = stack.enter_context(progress(with_questions=real))
        on_judged = partial(report, "references judged")
        judge = stack.enter_context(options.judging.open(None, dataset=dataset, on_progress=on_judged))
        for cell in cells:
            try:
                _carry_out_one(cell, dataset, built, environments, options, report, judge)
                done.append(cell)
            except NoVerdictsError as error:
                unjudged.append(f'No row of {cell.agent.name} for "{CELLS[cell.reference]}": {error.message}')
    return done, unjudged


def _carry_out_one(
    cell: ExecutionCell,
    dataset: Path,
    built: BuiltDataset,
    environments: Sequence[Environment],
    options: ExperimentOptions,
    report: Report,
    judge: Judge | None,
) -> None:
    from execution_runner.execution_run import run_execution
    from execution_runner.safety.gate import Gate, ask_on_terminal
    from fingertip_runs.app_rules import Rules
    from fingertip_runs.device_kinds import DEVICE_KINDS
    from fingertip_runs.reference_encoder import reference_encoder

    judged = judge if cell.reference == "not_same_task" else None
    prices = read_prices(options.model) if cell.agent.settings.get("model") else None
    run_execution(
        dataset,
        cell.agent,
        environments,
        cell.folder,
        reference=cell.reference,
        limit=options.limit,
        resume=True,
        gate=Gate(Rules.default(), ask_on_terminal)
        if DEVICE_KINDS[environments[0].kind].real_phone
        else None,
        prices=prices,
        judge=judged,
        encode=reference_encoder(built) if judged else None,
        keep_going=True,
        on_progress=lambda done, total: report(f"{cell.folder.parent.name}/{cell.folder.name}", done, total),
    )


def _print_tables(
    experiment: Experiment,
    runs: Sequence[Path],
    out: Path,
    options: ExperimentOptions,
    left_out: Sequence[str],
) -> None:
    from fingertip_studies.experiments.execution_experiment import make_tables
    from fingertip_studies.experiments.execution_table import execution_row_data, table_cells

    remarks = [*left_out, *_judge_references(runs, options)]
    result = make_tables(experiment, runs, out, protocol=options.protocol, remarks=remarks)
    header, rows = table_cells(result.rows, cells=len(experiment.cells) > 1)
    output = ExperimentOutput(
        experiment=experiment,
        header=header,
        rows=rows,
        data=[execution_row_data(row) for row in result.rows],
        notes=result.notes,
        files=result.files,
        more={"runs": [str(run) for run in runs]},
    )
    print_output(output, as_json=options.as_json)


def _judge_references(runs: Sequence[Path], options: ExperimentOptions) -> Iterator[str]:
    """Yield for each run a line on the judge of references: its counts, calls and cost."""
    from fingertip_runs.same_task import same_task_counts

    prices = read_prices(options.model)
    for run in runs:
        counts = same_task_counts(run, prices)
        if counts is not None:
            yield f"{run.name}, {counts.in_words(prices)}"


def _print_ratings(
    experiment: Experiment,
    runs: Sequence[Path],
    out: Path,
    options: ExperimentOptions,
    left_out: Sequence[str],
) -> None:
    from fingertip_studies.experiments.rating_experiment import (
        compare_ratings,
        correlation_cells,
        correlation_data,
        result_data,
        table_cells,
    )

    result = compare_ratings(experiment, runs, out, protocol=options.protocol, remarks=left_out)
    header, rows = table_cells(result.agents, result.published)
    output = ExperimentOutput(
        experiment=experiment,
        header=header,
        rows=rows,
        data=result_data(result),
        notes=result.notes,
        files=result.files,
        tables=[("Correlation of Sim_2 and rating", *correlation_cells(result.correlations))],
        more={"correlations": correlation_data(result.correlations), "runs": [str(run) for run in runs]},
    )
    print_output(output, as_json=options.as_json)
