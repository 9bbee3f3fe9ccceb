"""What the command line of `fingertip experiment` says, as the three kinds of experiments read it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fingertip_cli import scoring_options
from fingertip_cli.history_model import history_model_options
from fingertip_cli.model_options import model_options
from fingertip_cli.opened_model import asking_options

if TYPE_CHECKING:
    from fingertip_cli.scoring_options import JudgeOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperimentOptions:
    """Options of every experiment; each reads those that it needs.

    Attributes:
        agents: Named with --agent.
        devices: Named with --device, for experiments of track 2.
        runs: Folders of finished runs, named with --run.
        limit: Only so many first tasks; None for all.
        sample: Only so many tasks, drawn with the seed of `model`; None for all.
        split: Of the dataset; None for the experiment's own.
        protocol: Of the scores: "release" or "paper".
        embedder: Name of the embedder.
        judging: The judge of SR_1.
        published: Track 1: whether the paper's rows of another setting are printed in a table of their own.
        as_json: Whether one JSON object is printed in place of the table.
        model: The values of `model_options`, `history_model_options` and `asking_options` and the backend,
            for `opened_model` and `opened_history_model`.
    """

    agents: tuple[str, ...]
    devices: tuple[str, ...]
    runs: tuple[Path, ...]
    limit: int | None
    sample: int | None
    split: str | None
    protocol: str
    embedder: str
    judging: JudgeOptions
    published: bool
    as_json: bool
    model: Mapping[str, Any]

    @classmethod
    def read(cls, given: Mapping[str, Any]) -> ExperimentOptions:
        """From what the command got: all that is no field is of the model."""
        own = {field.name for field in fields(cls)} - {"model"}
        model = {name: value for name, value in given.items() if name not in own}
        return cls(model=model, **{name: value for name, value in given.items() if name in own})


def experiment_options(command: Callable[..., None]) -> Callable[..., None]:
    """Adds all options of `ExperimentOptions`."""
    folder = click.Path(path_type=Path, file_okay=False)
    options = (
        click.option(
            "--agent", "agents", multiple=True, metavar="AGENT",
            help="Track 1: beside the baselines. Track 2: who carries the tasks out. May be repeated.",
        ),
        click.option(
            "--device", "devices", multiple=True, metavar="DEVICE",
            help="Track 2: as of `fingertip execute`; several work side by side.",
        ),
        click.option(
            "--run", "runs", multiple=True, type=folder,
            help="A finished run to take up, of a model or of people (table-8: of track 2 too); repeatable.",
        ),
        model_options,
        history_model_options,
        click.option(
            "--backend", type=click.Choice(["openai", "local"]), default="openai", show_default=True,
            help="A server, or a checkpoint in this process.",
        ),
        asking_options,
        click.option(
            "--limit", type=click.IntRange(1), metavar="N",
            help="Only the first N tasks; on track 2 N tasks spread over the split.",
        ),
        click.option(
            "--sample", type=click.IntRange(1), metavar="N",
            help="Only N tasks, drawn uniformly with --seed (default 0).",
        ),
        click.option("--split", help="Of the dataset.  [default: the experiment's own]"),
        scoring_options.protocol,
        scoring_options.embedder,
        scoring_options.judge,
        click.option(
            "--published", is_flag=True,
            help="Track 1: prints the paper's rows that may not stand beside these runs below, apart.",
        ),
        click.option("--json", "as_json", is_flag=True, help="Print one JSON object."),
    )  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command
