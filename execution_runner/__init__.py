"""Track 2, personalized task execution: attempts on environments, run log, and scores.

Importing the package or its scorer does not import the simulated phone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fingertip_dataset.lazy_names import lazy_names

if TYPE_CHECKING:
    from execution_runner.devices.adb import AdbDevice
    from execution_runner.devices.device import Device, Observation
    from execution_runner.devices.perform import perform
    from execution_runner.environments.environment import Environment
    from execution_runner.environments.open_environments import open_environments
    from execution_runner.execution_log import Attempt, read_attempts, read_run
    from execution_runner.execution_run import ExecutionOutcome, run_execution
    from execution_runner.execution_view import ExecutionView
    from execution_runner.safety.gate import Gate, GateDecision, Rules
    from execution_runner.scoring.run_scores import ExecutionRunScores, score_run, write_scores

__all__ = [
    "AdbDevice",
    "Attempt",
    "Device",
    "Environment",
    "ExecutionOutcome",
    "ExecutionRunScores",
    "ExecutionView",
    "Gate",
    "GateDecision",
    "Observation",
    "Rules",
    "open_environments",
    "perform",
    "read_attempts",
    "read_run",
    "run_execution",
    "score_run",
    "write_scores",
]

_ALIASES = {
    "Ground": "Environment",
    "RunScores": "ExecutionRunScores",
    "Verdict": "GateDecision",
    "open_grounds": "open_environments",
}
"""Names of earlier versions."""

if not TYPE_CHECKING:  # type checkers would accept any name of a module with __getattr__
    __getattr__, __dir__ = lazy_names(__name__, aliases=_ALIASES)
