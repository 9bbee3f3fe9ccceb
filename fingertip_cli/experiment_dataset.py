"""Experiments of the dataset itself for `fingertip experiment`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fingertip_dataset.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from fingertip_analysis.experiments.catalogue import Experiment
    from fingertip_cli.experiment_options import ExperimentOptions


def run(experiment: Experiment, dataset: Path, out: Path, options: ExperimentOptions) -> None:
    """Run the experiment, or go on with it, write its files to `out/NAME`, and print the result.

    Raises:
        FingerTipError: Something that the experiment needs is missing, or a part of it failed.
    """
    raise UsageError(f"{experiment.name} cannot be run by this version")
