"""Run folders of both tracks: run.json, logs, targets, task queue, and shared parts of tables and pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fingertip_dataset.lazy_names import lazy_names

if TYPE_CHECKING:
    from fingertip_dataset.frozen_model import FrozenModel
    from fingertip_runs.line_log import LineLog, read_lines
    from fingertip_runs.run_folder import read_run, start_run, write_json
    from fingertip_runs.run_record import AgentRecord, DatasetRecord, RunRecord, Session
    from fingertip_runs.targets import read_targets

__all__ = [
    "AgentRecord",
    "DatasetRecord",
    "FrozenModel",
    "LineLog",
    "RunRecord",
    "Session",
    "read_lines",
    "read_run",
    "read_targets",
    "start_run",
    "write_json",
]

_ALIASES = {"Part": "FrozenModel"}
"""Names of earlier versions."""

if not TYPE_CHECKING:  # type checkers would accept any name of a module with __getattr__
    __getattr__, __dir__ = lazy_names(__name__, aliases=_ALIASES)
