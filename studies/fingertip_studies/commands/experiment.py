"""`fingertip experiment`: reproduces a table or figure of the paper, beside the published numbers."""

from __future__ import annotations

import importlib
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fingertip_cli.options.completion_names import NamedText
from fingertip_cli.options.given_options import list_given_options, refuse_unused
from fingertip_cli.options.output_folder import keep_if_used
from fingertip_cli.printing.json_output import print_json
from fingertip_dataset.errors import UsageError
from fingertip_studies.commands.experiment_options import ExperimentOptions, experiment_options

if TYPE_CHECKING:
    from fingertip_studies.experiments.catalogue import Experiment

MODULES = {
    "suggestion": "fingertip_studies.commands.experiment_suggestion",
    "execution": "fingertip_studies.commands.experiment_execution",
    "dataset": "fingertip_studies.commands.experiment_dataset",
    "training": "fingertip_studies.commands.experiment_training",
}
"""Track of an experiment -> module whose `run` carries it out."""


def _complete_experiments(_ctx: click.Context) -> list[str]:
    from fingertip_studies.experiments.catalogue import experiments

    return [experiment.name for experiment in experiments()]


@click.command(
    epilog="""\
    fingertip experiment
    fingertip experiment table-11 ./fingertip-20k --embedder lexical --judge lexical --out experiments
    fingertip experiment table-5 ./fingertip-20k --base MODEL --plan --out experiments
    """
)
@click.argument("name", required=False, type=NamedText(_complete_experiments))
@click.argument("dataset", required=False, type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), help="Folder of all experiments; NAME is made in it.")
@experiment_options
def command(name: str | None, dataset: Path | None, out: Path | None, **given: Any) -> None:  # noqa: ANN401 - as `experiment_options` has them
    """Run or continue an experiment of the paper; without NAME, list the experiments.

    Runs, tables and figures are written to OUT/NAME. In experiments of track 1 each cell is a run, and every
    table has the baselines habit, recent, frequent, nearest and random; --model adds a model, --agent other
    agents. Tables 5, 8 and 9 train models with --base, and test them on both tracks.
    """
    from fingertip_dataset.parquet.built import BuiltDataset
    from fingertip_studies.experiments.catalogue import get_experiment

    options = ExperimentOptions.read(given)
    if name is None:
        refuse_unused("the list of experiments", "name one of them to run it", used=("as_json",))
        _list(as_json=options.as_json)
        return
    experiment = get_experiment(name)
    if dataset is None or out is None:
        raise UsageError(
            f"`fingertip experiment {name} DATASET --out DIR` "
            f"needs its {'DATASET' if dataset is None else '--out DIR'}"
        )
    BuiltDataset.open(dataset)  # a wrong path fails here, before a folder is made
    trains = options.base is not None or options.plan
    track = "training" if trains and experiment.trained else experiment.track
    if options.published and track not in ("suggestion", "training"):
        raise UsageError(
            f"--published is for experiments of track 1; for {name}, fingertip paper prints the table"
        )
    if track != "training":
        _refuse_training(experiment)
    # a wrong call leaves no folder
    with nullcontext() if options.plan else keep_if_used(out):
        importlib.import_module(MODULES[track]).run(experiment, dataset, out, options)


def _refuse_training(experiment: Experiment) -> None:
    """Refuse the options of experiments that train models.

    Raises:
        UsageError: One of them is given.
    """
    from fingertip_studies.commands.experiment_training import TRAINING_OPTIONS

    why = "they need --base, a model to train" if experiment.trained else "it trains no model"
    refuse_unused(experiment.name, why, used=set(list_given_options()) - set(TRAINING_OPTIONS))


def _list(*, as_json: bool) -> None:
    """Print the experiments, one line each or as one JSON object."""
    from fingertip_studies.experiments.catalogue import experiments

    if as_json:
        listed = {"name", "track", "of", "section", "title", "varies"}
        entries = [experiment.model_dump(include=listed) for experiment in experiments()]
        print_json({"experiments": entries})
        return
    width = max(len(experiment.name) for experiment in experiments())
    for experiment in experiments():
        origin = "" if experiment.of else " (ours, not in the paper)"
        click.echo(f"{experiment.name:<{width}}  {experiment.title}: {experiment.varies}{origin}")
