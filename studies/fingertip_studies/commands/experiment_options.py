"""Options of `fingertip experiment`, as its three kinds of experiments read them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fingertip_cli.options import scoring_options, shared_options
from fingertip_cli.options.model_options import Command, add_options, backend, model_options, query_options
from fingertip_cli.suggestion.history_model import history_model_options

if TYPE_CHECKING:
    from fingertip_cli.options.scoring_options import EmbedderOptions, JudgeOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperimentOptions:
    """Options of `fingertip experiment`; each experiment reads those that it needs.

    Attributes:
        agents: Names given with --agent.
        devices: Devices given with --device, for experiments of track 2.
        runs: Folders of finished runs, given with --run.
        limit: Number of first tasks to run; None for all.
        sample: Number of tasks to draw with the seed of `model`; None for all.
        split: Split of the dataset; None for the experiment's own.
        protocol: Scoring protocol: "release" or "paper".
        embedder: The embedder of Sim_1.
        judging: The judge of SR_1.
        published: Track 1: whether the paper's rows of another setting are printed in a separate table.
        base: Base model of an experiment that trains models; None if none is trained.
        episodes: Training episodes of the models that are trained on a part; None for the experiment's own.
        settings: File of settings of training.
        lines: Settings of training as NAME=VALUE.
        plan: Whether the trainings and runs are listed with their states, and nothing is started.
        as_json: Whether one JSON object is printed instead of the table.
        model: Values of `model_options`, `history_model_options` and `query_options`, and the backend,
            for `open_chosen_model` and `open_history_model`.
    """

    agents: tuple[str, ...]
    devices: tuple[str, ...]
    runs: tuple[Path, ...]
    limit: int | None
    sample: int | None
    split: str | None
    protocol: str
    embedder: EmbedderOptions
    judging: JudgeOptions
    published: bool
    base: str | None
    episodes: int | None
    settings: Path | None
    lines: tuple[str, ...]
    plan: bool
    as_json: bool
    model: Mapping[str, Any]

    @classmethod
    def read(cls, given: Mapping[str, Any]) -> ExperimentOptions:
        """Read the command's options; those that are no field here are options of the model."""
        own = {field.name for field in fields(cls)} - {"model"}
        model = {name: value for name, value in given.items() if name not in own}
        return cls(model=model, **{name: value for name, value in given.items() if name in own})


def experiment_options(command: Command) -> Command:
    """Add all options of `ExperimentOptions`."""
    folder = click.Path(path_type=Path, file_okay=False)
    options = (
        click.option(
            "--agent", "agents", multiple=True, metavar="AGENT",
            help="Track 1: agent besides the baselines. Track 2: agent that does the tasks. Repeatable.",
        ),
        shared_options.devices(),
        click.option(
            "--run", "runs", multiple=True, type=folder,
            help="Finished run to include, of a model or of people (table-8: of track 2 too); repeatable.",
        ),
        model_options,
        history_model_options,
        backend(),
        query_options,
        shared_options.limit,
        shared_options.sample,
        shared_options.split(None),
        scoring_options.protocol,
        scoring_options.embedder(),
        scoring_options.judge,
        click.option(
            "--published", is_flag=True,
            help="Track 1, tables 5, 8, 9: print the paper's rows of other settings too, in a table of "
            "their own.",
        ),
        shared_options.base_model(),
        click.option(
            "--episodes", type=click.IntRange(1), metavar="N",
            help="Tables 5, 9: training episodes of the models that the paper trains on 1,000.  "
            "[default: 1,000, or the same share of a smaller dataset]",
        ),
        shared_options.training_settings,
        shared_options.training_lines,
        click.option(
            "--plan", is_flag=True,
            help="Tables 5, 8, 9: list the trainings and runs and which are finished; no model is loaded.",
        ),
        shared_options.notes,
        shared_options.as_json(),
    )  # fmt: skip
    return add_options(command, options)
