"""Everything that Inspect finds by name: its entry point imports this module."""

from __future__ import annotations

from fingertip_20k.inspect.execution_scorers import (
    execution_effort,
    execution_parts,
    execution_sim2,
    execution_sr2,
)
from fingertip_20k.inspect.execution_task import execution, phone_agent
from fingertip_20k.inspect.moment_scorers import moment_values
from fingertip_20k.inspect.suggestion_scorers import suggestion_effort, suggestion_sim1, suggestion_sr1
from fingertip_20k.inspect.suggestion_task import suggestion
from fingertip_20k.inspect.user_metrics import interval, mean

__all__ = [
    "execution",
    "execution_effort",
    "execution_parts",
    "execution_sim2",
    "execution_sr2",
    "interval",
    "mean",
    "moment_values",
    "phone_agent",
    "suggestion",
    "suggestion_effort",
    "suggestion_sim1",
    "suggestion_sr1",
]
