"""Experiments on the dataset alone for `fingertip experiment`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fingertip_cli.options.given_options import OUTPUT_OPTIONS, refuse_unused
from fingertip_studies.commands.experiment_output import ExperimentOutput, print_output

if TYPE_CHECKING:
    from pathlib import Path

    from fingertip_studies.commands.experiment_options import ExperimentOptions
    from fingertip_studies.experiments.catalogue import Experiment

SEEDED = "figure-5"
"""The experiment that draws its queries at random, with --seed."""


def run(experiment: Experiment, dataset: Path, out: Path, options: ExperimentOptions) -> None:
    """Run the experiment, write its files to `out/NAME`, and print the result.

    Raises:
        FingerTipError: A prerequisite of the experiment is missing.
    """
    from fingertip_studies.experiments.dataset_experiment import run_dataset_experiment

    used = (*OUTPUT_OPTIONS, "seed") if experiment.name == SEEDED else OUTPUT_OPTIONS
    refuse_unused(experiment.name, "it reads the dataset alone and runs no agent", used=used)
    result = run_dataset_experiment(experiment, dataset, out, seed=options.model.get("seed") or 0)
    output = ExperimentOutput(
        experiment=experiment,
        header=result.header,
        rows=result.cells,
        data=result.data,
        notes=result.notes,
        files=result.files,
        more=result.more,
    )
    print_output(output, as_json=options.as_json)
