"""Studies above the benchmark: the paper's experiments, quality of recordings, validations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fingertip_dataset.lazy_names import lazy_names

if TYPE_CHECKING:
    from fingertip_studies.experiments.catalogue import Experiment, get_experiment
    from fingertip_studies.experiments.suggestion_experiment import run_experiment

__all__ = ["Experiment", "get_experiment", "run_experiment"]


if not TYPE_CHECKING:  # a type checker would take every name for one of the package's
    __getattr__, __dir__ = lazy_names(__name__)
