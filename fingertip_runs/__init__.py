"""A run's folder, of either track: its record, its lines, and what a page about it is made of."""

from __future__ import annotations

from fingertip_runs.line_log import LineLog, read_lines
from fingertip_runs.run_folder import read_run, start_run, write_json
from fingertip_runs.run_record import AgentRecord, DatasetRecord, FrozenModel, RunRecord, Session

__all__ = [
    "AgentRecord",
    "DatasetRecord",
    "FrozenModel",
    "LineLog",
    "RunRecord",
    "Session",
    "read_lines",
    "read_run",
    "start_run",
    "write_json",
]
