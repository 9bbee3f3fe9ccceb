"""Experiments of track 1 for `fingertip experiment`: one run per cell and agent, then table and figures."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fingertip_cli.options.given_options import list_given_options, refuse_unused
from fingertip_cli.options.learned_prompt import note_learned_prompt
from fingertip_cli.options.model_options import open_chosen_model, read_prices
from fingertip_cli.printing.progress import Report, progress
from fingertip_cli.suggestion.history_model import (
    check_history_model,
    open_history_model,
    read_history_prices,
)
from fingertip_dataset.errors import UsageError
from fingertip_dataset.split_names import TEST_SUGGESTION, split_name
from fingertip_studies.commands.experiment_output import ExperimentOutput, print_output

if TYPE_CHECKING:
    from fingertip_agents.suggestion.suggestion_agent import SuggestionAgent
    from fingertip_models.model import Model
    from fingertip_studies.commands.experiment_options import ExperimentOptions
    from fingertip_studies.experiments.catalogue import Experiment, ExperimentCell
    from fingertip_studies.experiments.suggestion_experiment import (
        ExperimentAgent,
        ExperimentResult,
        ExperimentRun,
    )
    from suggestion_runner.run_outcome import RunOutcome

MODEL = "model"
"""Name of the agent that uses a model."""

INTERVALS = 2
"""Maximum number of scores for which a terminal is wide enough to print intervals."""

SCREENS = "figure-6a"
"""The experiment that varies the number of first screens."""

SPLIT = TEST_SUGGESTION
"""Default split of the dataset."""


def run(experiment: Experiment, dataset: Path, out: Path, options: ExperimentOptions) -> None:
    """Run the experiment, or resume it, write its files to `out/NAME`, and print the result.

    Raises:
        FingerTipError: A prerequisite of the experiment is missing, or a part of it failed.
    """
    from fingertip_studies.experiments.suggestion_experiment import Scoring, run_experiment

    split = split_name(options.split or SPLIT)
    _check(experiment, dataset, split, options)
    embedder = options.embedder.open(out)
    outcomes: list[RunOutcome] = []
    with (
        _make_contestants(experiment, dataset, options, out) as contestants,
        progress() as report,
        options.judging.open(out, dataset=dataset, on_progress=partial(report, "judged")) as judge,
    ):
        result = run_experiment(
            experiment,
            dataset,
            contestants,
            out,
            ask=_make_runner(dataset, split, options, report, outcomes),
            scoring=Scoring(embedder=embedder, judge=judge, protocol=options.protocol),
            split=split,
            runs=options.runs,
        )
    _print_result(result, options, outcomes)


def _check(experiment: Experiment, dataset: Path, split: str, options: ExperimentOptions) -> None:
    """Refuse options of track 2, a split without tasks, and a history model that nothing would use."""
    from fingertip_dataset.parquet.built import BuiltDataset

    if options.devices:
        raise UsageError(f"{experiment.name} is an experiment of track 1: leave out --device")
    splits = BuiltDataset.open(dataset).manifest.splits
    if split in splits and not splits[split].episodes:
        others = ", ".join(name for name, counts in splits.items() if counts.episodes)
        raise UsageError(f"split {split} has no tasks for {experiment.name}: give --split, one of {others}")
    model = options.model
    has_relevant = any(cell.history == "relevant" for cell in experiment.cells)
    if model["history_model"] is not None and not has_relevant:
        raise UsageError(f"no cell of {experiment.name} uses a history model: leave out --history-model")
    if model["history_model"] is not None and model["model"] is None:
        raise UsageError("--history-model picks earlier intents for a model: give --model too")
    check_history_model(model, "relevant" if has_relevant else "20")
    if model["model"] is None and MODEL not in options.agents:
        unused = set(model) - {"concurrency"} - ({"seed"} if options.sample else set())
        used = set(list_given_options()) - unused
        refuse_unused(experiment.name, "only a model reads that, and no --model is given", used=used)


@contextmanager
def _make_contestants(
    experiment: Experiment, dataset: Path, options: ExperimentOptions, out: Path
) -> Iterator[list[ExperimentAgent]]:
    """The baselines, the agents that are named, and the model if there is one; it is closed at the end."""
    from fingertip_agents.registry import agent_names, baseline_names, get_agent
    from fingertip_agents.setup import AgentSetup
    from fingertip_agents.suggestion.first_screen import FirstScreenBaseline
    from fingertip_studies.experiments.folder_names import model_label
    from fingertip_studies.experiments.suggestion_experiment import ExperimentAgent

    # the baselines without a model stand in every table, and the one that looks where screens are varied
    looking = (FirstScreenBaseline.name,) if experiment.name == SCREENS else ()
    known = dict.fromkeys((*baseline_names("suggestion"), *looking, *options.agents))
    named = [agent for agent in known if agent != MODEL]
    for agent in set(named).difference(agent_names()):
        get_agent(agent)  # raises the error that names the others, before any agent runs
    contestants = [
        ExperimentAgent(name=agent, has_model=False, make=_choose_maker(agent, dataset=dataset))
        for agent in named
    ]
    pictures = any(cell.screenshots for cell in experiment.cells)
    with (
        open_chosen_model(options.model, out, pictures=pictures) as opened,
        open_history_model(options.model, out) as second,
    ):
        if opened is not None:
            note_learned_prompt(options.model, get_agent(MODEL, AgentSetup(opened=opened)), "suggestion")
            name = model_label(opened.settings())
            contestants.append(
                ExperimentAgent(name=name, has_model=True, make=_choose_maker(MODEL, opened, second))
            )
        elif MODEL in options.agents:
            get_agent(MODEL)  # raises the error that names the missing options
        yield contestants


def _choose_maker(
    agent: str, opened: Model | None = None, second: Model | None = None, dataset: Path | None = None
) -> Callable[[ExperimentCell], SuggestionAgent]:
    from fingertip_agents.registry import get_agent
    from fingertip_agents.setup import AgentSetup

    def make(cell: ExperimentCell) -> SuggestionAgent:
        relevant = cell.history == "relevant"
        setup = AgentSetup(
            opened=opened,
            distribution=cell.distribution,
            relevant=relevant,
            history_model=second if relevant else None,
            dataset=dataset,
        )
        return get_agent(agent, setup)

    return make


def _make_runner(
    dataset: Path, split: str, options: ExperimentOptions, report: Report, outcomes: list[RunOutcome]
) -> Callable[[ExperimentRun], None]:
    """The function that finishes a run; it adds the run's outcome to `outcomes`."""
    from suggestion_runner.suggestion_run import run_suggestions

    model = options.model
    prices, history_prices = read_prices(model), read_history_prices(model)

    def carry_out(run: ExperimentRun) -> None:
        cell, contestant = run.cell, run.contestant
        cost = ""

        def on_cost(so_far: float) -> None:
            nonlocal cost
            cost = f"{so_far:.4f} {model['currency']}"

        outcome = run_suggestions(
            dataset,
            contestant.make(cell),
            run.folder,
            split=split,
            screenshots=cell.screenshots,
            history=cell.history,
            protocol=cell.protocol,
            without=cell.without,
            distribution=cell.distribution,
            limit=options.limit,
            sample=options.sample,
            seed=model["seed"] or 0,
            concurrency=model["concurrency"],
            prices=prices if contestant.has_model else None,
            keep_going=True,
            history_prices=history_prices if contestant.has_model and cell.history == "relevant" else None,
            on_progress=lambda done, total: report(run.folder.name, done, total, cost),
            on_cost=on_cost,
            on_stop=lambda left: click.echo(f"stopping: waiting for {left} answers in progress", err=True),
        )
        outcomes.append(outcome)

    return carry_out


def _print_result(
    result: ExperimentResult, options: ExperimentOptions, outcomes: Sequence[RunOutcome]
) -> None:
    from fingertip_studies.experiments.experiment_table import measures_of, row_data, table_cells
    from fingertip_studies.experiments.published_rows import apart_cells

    intervals = sum(not one.minor for one in measures_of(result.rows)) <= INTERVALS
    header, rows = table_cells(result.rows, intervals=intervals)
    notes = list(result.notes)
    if not intervals and not options.as_json:
        notes.insert(0, "The intervals, 95 % over users, are in table.md and table.csv.")
    costs = _describe_costs(outcomes, options.model["currency"])
    output = ExperimentOutput(
        experiment=result.experiment,
        header=header,
        rows=rows,
        data=[row_data(row) for row in result.rows],
        notes=notes,
        files=result.files,
        tables=[apart_cells(result.experiment, result.apart)] if options.published and result.apart else [],
        more={"costs": costs, **_dump_apart(result, options)},
    )
    print_output(output, as_json=options.as_json)
    for whose, cost in {} if options.as_json else costs.items():
        before = f"{cost['paid_before']:.4f} of it paid before"
        click.echo(f"cost of {whose}: {cost['all']:.4f} {cost['currency']}, {before}")


def _dump_apart(result: ExperimentResult, options: ExperimentOptions) -> dict[str, Any]:
    """Return the published rows of other settings for --json."""
    if not options.published:
        return {}
    rows = [
        {"cell": cell, "table": row.table, "name": row.name, "agent": row.agent, "values": dict(row.values)}
        for cell, row in result.apart
    ]
    return {"published_in_another_setting": rows}


def _describe_costs(outcomes: Sequence[RunOutcome], currency: str) -> dict[str, dict[str, Any]]:
    """Sum the costs of the answers and the history model, total and paid before, where prices are known."""
    costs = {}
    bills = {
        "the answers": [run.bill for run in outcomes],
        "the history model": [run.history_bill for run in outcomes],
    }
    for whose, of_runs in bills.items():
        priced = [bill for bill in of_runs if bill.prices is not None]
        if priced:
            costs[whose] = {
                "all": sum(bill.cost for bill in priced),
                "paid_before": sum(bill.paid_before for bill in priced),
                "currency": currency,
            }
    return costs
