"""`fingertip experiment`: an experiment of the paper around track 1, and beside it what was published."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fingertip_cli import scoring_options
from fingertip_cli.model_options import model_options, read_prices
from fingertip_cli.opened_model import asking_options, opened_model
from fingertip_cli.progress import Report, progress
from fingertip_dataset.errors import UsageError

if TYPE_CHECKING:
    from fingertip_agents.suggestion import SuggestionAgent
    from fingertip_analysis.experiments.catalogue import Cell
    from fingertip_analysis.experiments.suggestion import Asked, Contestant, ExperimentResult
    from fingertip_models.model import Model

BASELINES = ("habit", "recent", "frequent", "nearest")
"""Without a model; they stand in every table."""

MODEL = "model"
"""The agent that asks a model."""

INTERVALS = 2
"""Scores up to which a terminal has room for their intervals."""


@click.command()
@click.argument("name", required=False)
@click.argument("dataset", required=False, type=click.Path(path_type=Path))
@click.option(
    "--agent", "agents", multiple=True, metavar="AGENT",
    help="Beside the baselines: one that an installed package brings; may be repeated.",
)  # fmt: skip
@model_options
@click.option(
    "--backend", type=click.Choice(["openai", "local"]), default="openai", show_default=True,
    help="A server, or a checkpoint in this process.",
)  # fmt: skip
@asking_options
@click.option("--split", default="test_suggestion", show_default=True, help="Of the dataset.")
@scoring_options.protocol
@scoring_options.embedder
@scoring_options.judge
@click.option("--out", type=click.Path(path_type=Path), help="Folder of all experiments.")
def command(
    name: str | None,
    dataset: Path | None,
    agents: tuple[str, ...],
    split: str,
    protocol: str,
    embedder: str,
    out: Path | None,
    judging: scoring_options.JudgeOptions,
    **model: Any,  # noqa: ANN401 - as `model_options` has them
) -> None:
    """Runs an experiment of the paper, or goes on with it; without a NAME, lists them.

    Each cell is a run in OUT/NAME; the table and a figure a score are written beside the runs. The baselines
    habit, recent, frequent and nearest stand in every table; --model adds a model, --agent others.
    """
    from fingertip_analysis.experiments.catalogue import get_experiment

    if name is None:
        _list()
        return
    experiment = get_experiment(name)
    if dataset is None or out is None:
        raise UsageError(
            f"expected `fingertip experiment {name} DATASET --out DIR`, "
            f"got no {'DATASET' if dataset is None else '--out'}"
        )
    from fingertip_analysis.experiments.suggestion import Scoring, run_experiment
    from fingertip_dataset.parquet.built import BuiltDataset
    from fingertip_metrics.embedders import get_embedder

    BuiltDataset.open(dataset)  # before a folder is made
    sentences = get_embedder(embedder)
    _make_folder(out)
    costs: list[tuple[float, float]] = []
    with (
        _contestants(agents, model, out) as contestants,
        progress() as report,
        judging.open(out, partial=False, on_progress=partial(report, "judged")) as judge,
    ):
        result = run_experiment(
            experiment,
            dataset,
            contestants,
            out,
            ask=_asking(dataset, split, model, report, costs),
            scoring=Scoring(embedder=sentences, judge=judge, protocol=protocol),
            split=split,
        )
    _tell(result)
    if model["price_prompt"] is not None:
        cost, before = map(sum, zip(*costs, strict=True))
        click.echo(f"cost of the answers: {cost:.4f} {model['currency']}, {before:.4f} of it paid before")


def _make_folder(out: Path) -> None:
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"expected a folder to write, got {error.strerror or error}", file=out) from error


def _list() -> None:
    from fingertip_analysis.experiments.catalogue import experiments

    width = max(len(experiment.name) for experiment in experiments())
    for experiment in experiments():
        click.echo(f"{experiment.name:<{width}}  {experiment.title}: {experiment.varies}")
    click.echo(experiments()[0].reading)


@contextmanager
def _contestants(agents: Sequence[str], model: dict[str, Any], out: Path) -> Iterator[list[Contestant]]:
    """The baselines, the agents that are named, and the model if there is one; it is closed at the end."""
    from fingertip_agents.registry import get_agent
    from fingertip_analysis.experiments.suggestion import Contestant

    named = [agent for agent in dict.fromkeys((*BASELINES, *agents)) if agent != MODEL]
    contestants = [Contestant(name=agent, has_model=False, make=_maker(agent)) for agent in named]
    with opened_model(model, out) as opened:
        if opened is not None:
            name = opened.options.model
            contestants.append(Contestant(name=name, has_model=True, make=_maker(MODEL, opened)))
        elif MODEL in agents:
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
    dataset: Path, split: str, model: dict[str, Any], report: Report, costs: list[tuple[float, float]]
) -> Callable[[Asked], None]:
    """What brings a run to its end, and adds to `costs` what it cost, and what of that was paid before."""
    from suggestion_runner.run import run_suggestions

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


def _tell(result: ExperimentResult) -> None:
    from rich.table import Table

    from fingertip_analysis.experiments.table import measures_of, table_cells
    from fingertip_cli.console import console
    from fingertip_dataset.raw.problems import printable
    from fingertip_runs.cells import text_cell

    intervals = len(measures_of(result.rows)) <= INTERVALS
    header, rows = table_cells(result.rows, intervals=intervals)
    table = Table(title=result.experiment.heading, title_justify="left")
    for number, name in enumerate(header):
        named = number < 2
        table.add_column(name, justify="left" if named else "right", overflow="fold", no_wrap=not named)
    for row in rows:
        table.add_row(*map(text_cell, row))
    console().print(table)
    if not intervals:
        click.echo("The intervals, 95 % over users, stand in table.md and table.csv.")
    for note in result.notes:
        click.echo(printable(note))
    click.echo(f"written: {', '.join(str(file) for file in result.files)}")
