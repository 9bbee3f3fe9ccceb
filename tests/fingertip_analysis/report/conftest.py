"""Runs of track 2 that no phone has made, and simulated people's tasks."""

from __future__ import annotations

from tests.execution_runner.conftest import DrawRun, draw_run, draw_runs_in, simulated_dataset

__all__ = ["DrawRun", "draw_run", "draw_runs_in", "simulated_dataset"]
