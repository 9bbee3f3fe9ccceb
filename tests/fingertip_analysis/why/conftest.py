"""Fixtures: generated runs of track 2."""

from __future__ import annotations

from tests.execution_runner.conftest import DrawRun, draw_run, draw_runs_in, simulated_dataset

__all__ = ["DrawRun", "draw_run", "draw_runs_in", "simulated_dataset"]
