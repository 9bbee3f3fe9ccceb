"""Experiments of track 1 for `fingertip experiment`: a run a cell and agent, then the table and figures."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fingertip_cli.experiment_output import ExperimentOutput, print_output
from fingertip_cli.model_options import read_prices
from fingertip_cli.opened_model import opened_model
from fingertip_cli.progress import Report, progress

if TYPE_CHECKING:
    from fingertip_agents.suggestion import SuggestionAgent
    from fingertip_analysis.experiments.catalogue import Cell, Experiment
    from fingertip_analysis.experiments.suggestion import Asked, Contestant, ExperimentResult
    from fingertip_cli.experiment_options import ExperimentOptions
    from fingertip_models.model import Model

BASELINES = ("habit", "recent", "frequent", "nearest")
"""Without a model; they stand in every table."""

MODEL = "model"
"""The agent that asks a model."""

INTERVALS = 2
"""Scores up to which a terminal has room for their intervals."""

SPLIT = "test_suggestion"
"""Of the dataset, where no other is named."""


def run(experiment: Experiment, dataset: Path, out: Path, options: ExperimentOptions) -> None:
    """Run the experiment, or go on with it, write its files to `out/NAME`, and print the result.

    Raises:
        FingerTipError: Something that the experiment needs is missing, or a part of it failed.
    """
    from fingertip_analysis.experiments.suggestion import Scoring, run_experiment
    from fingertip_metrics.embedders import get_embedder

    sentences = get_embedder(options.embedder)
    split = options.split or SPLIT
    costs: list[tuple[float, float]] = []
    with (
        _contestants(options, out) as contestants,
        progress() as report,
        options.judging.open(out, partial=False, on_progress=partial(report, "judged")) as judge,
    ):
        result = run_experiment(
            experiment,
            dataset,
            contestants,
            out,
            ask=_asking(dataset, split, options, report, costs),
            scoring=Scoring(embedder=sentences, judge=judge, protocol=options.protocol),
            split=split,
        )
    _tell(result, options, costs)


@contextmanager
def _contestants(options: ExperimentOptions, out: Path) -> Iterator[list[Contestant]]:
    """The baselines, the agents that are named, and the model if there is one; it is closed at the end."""
    from fingertip_agents.registry import get_agent
    from fingertip_analysis.experiments.suggestion import Contestant

    named = [agent for agent in dict.fromkeys((*BASELINES, *options.agents)) if agent != MODEL]
    contestants = [Contestant(name=agent, has_model=False, make=_maker(agent)) for agent in named]
    with opened_model(options.model, out) as opened:
        if opened is not None:
            name = opened.options.model
            contestants.append(Contestant(name=name, has_model=True, make=_maker(MODEL, opened)))
        elif MODEL in options.agents:
            get_agent(MODEL)  # which says what it needs
        yield contestants


def _maker(agent: str, opened: Model | None = None) -> Callable[[Cell], SuggestionAgent]:
    from fingertip_agents.registry import get_agent
    from fingertip_agents.setup import AgentSetup

    def make(cell: Cell) -> SuggestionAgent:
        relevant = cell.history == "relevant"
        return get_agent(agent, AgentSetup(opened=opened, distribution=cell.distribution, relevant=relevant))

    return make


def _asking(
    dataset: Path, split: str, options: ExperimentOptions, report: Report, costs: list[tuple[float, float]]
) -> Callable[[Asked], None]:
    """What brings a run to its end, and adds to `costs` what it cost, and what of that was paid before."""
    from suggestion_runner.run import run_suggestions

    model = options.model
    prices = read_prices(model)

    def ask(run: Asked) -> None:
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
            concurrency=model["concurrency"],
            prices=prices if contestant.has_model else None,
            on_progress=lambda done, total: report(run.folder.name, done, total, cost),
            on_cost=on_cost,
            on_stop=lambda left: click.echo(f"stopping: {left} answers under way are waited for", err=True),
        )
        costs.append((outcome.cost or 0, outcome.paid_before))

    return ask


def _tell(result: ExperimentResult, options: ExperimentOptions, costs: Sequence[tuple[float, float]]) -> None:
    from fingertip_analysis.experiments.table import measures_of, row_data, table_cells

    intervals = len(measures_of(result.rows)) <= INTERVALS
    header, rows = table_cells(result.rows, intervals=intervals)
    notes = list(result.notes)
    if not intervals and not options.as_json:
        notes.insert(0, "The intervals, 95 % over users, stand in table.md and table.csv.")
    more: dict[str, object] = {}
    if options.model["price_prompt"] is not None:
        cost, before = map(sum, zip(*costs, strict=True))
        more["cost"] = {"all": cost, "paid_before": before, "currency": options.model["currency"]}
    output = ExperimentOutput(
        experiment=result.experiment,
        header=header,
        rows=rows,
        data=[row_data(row) for row in result.rows],
        notes=notes,
        files=result.files,
        more=more,
    )
    print_output(output, as_json=options.as_json)
    if more and not options.as_json:
        click.echo(
            f"cost of the answers: {cost:.4f} {options.model['currency']}, {before:.4f} of it paid before"
        )
