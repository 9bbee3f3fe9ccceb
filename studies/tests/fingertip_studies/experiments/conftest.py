"""Fixtures: the small datasets of track 1, and generated runs of track 2."""

from __future__ import annotations

from tests.execution_runner.conftest import DrawRun, draw_run
from tests.suggestion_datasets import real_dataset, sample_dataset, small_dataset

__all__ = ["DrawRun", "draw_run", "real_dataset", "sample_dataset", "small_dataset"]
