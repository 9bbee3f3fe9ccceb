"""Track 2, personalized task execution: attempts on environments, their log, scores and report.

Each public name is imported from its own module on first use: importing the package, or its scorer, loads no
module of the simulated phone.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from execution_runner.devices.adb import AdbDevice
    from execution_runner.devices.device import Device, Observation
    from execution_runner.devices.perform import perform
    from execution_runner.environments.environment import Environment
    from execution_runner.environments.open_environments import open_environments
    from execution_runner.execution_log import Attempt, read_attempts, read_run
    from execution_runner.report.report_page import write_report
    from execution_runner.run_execution import ExecutionOutcome, run_execution
    from execution_runner.safety.gate import Gate, GateDecision
    from execution_runner.safety.rules import Rules
    from execution_runner.scoring.execution_tables import breakdown_table, notes, score_tables
    from execution_runner.scoring.run_scores import ExecutionRunScores, score_run, write_scores

__all__ = [
    "AdbDevice",
    "Attempt",
    "Device",
    "Environment",
    "ExecutionOutcome",
    "ExecutionRunScores",
    "Gate",
    "GateDecision",
    "Observation",
    "Rules",
    "breakdown_table",
    "notes",
    "open_environments",
    "perform",
    "read_attempts",
    "read_run",
    "run_execution",
    "score_run",
    "score_tables",
    "write_report",
    "write_scores",
]

_MODULES = {
    "AdbDevice": "devices.adb",
    "Attempt": "execution_log",
    "Device": "devices.device",
    "Environment": "environments.environment",
    "ExecutionOutcome": "run_execution",
    "ExecutionRunScores": "scoring.run_scores",
    "Gate": "safety.gate",
    "GateDecision": "safety.gate",
    "Observation": "devices.device",
    "Rules": "safety.rules",
    "breakdown_table": "scoring.execution_tables",
    "notes": "scoring.execution_tables",
    "open_environments": "environments.open_environments",
    "perform": "devices.perform",
    "read_attempts": "execution_log",
    "read_run": "execution_log",
    "run_execution": "run_execution",
    "score_run": "scoring.run_scores",
    "score_tables": "scoring.execution_tables",
    "write_report": "report.report_page",
    "write_scores": "scoring.run_scores",
}
_ALIASES = {
    "Ground": "Environment",
    "open_grounds": "open_environments",
}
"""Names of earlier versions."""


def __getattr__(name: str) -> object:
    current = _ALIASES.get(name, name)
    if current not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[current]}"), current)
