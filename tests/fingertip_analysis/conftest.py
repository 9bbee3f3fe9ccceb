"""Fixtures: generated runs of track 2, tasks of simulated people, and the small dataset of track 1."""

from __future__ import annotations

from tests.execution_runner.conftest import DrawRun, draw_run, draw_runs_in, simulated_dataset
from tests.suggestion_datasets import small_dataset

__all__ = ["DrawRun", "draw_run", "draw_runs_in", "simulated_dataset", "small_dataset"]
